//! The purpose of a session: it stands, runs, or is on its way to something.

use super::Destination;

/// The purpose of a session's way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// None: the machine stands.
    Paused,
    /// To run at the pace.
    Running,
    /// To get to the debugger's goal, however far that is.
    Seeking,
    /// To get to a moment or a printed line that is not known yet.
    RunningTo(Destination),
    /// To get to the debugger's goal in the past; the machine stays where it is meanwhile.
    GoingBack,
}

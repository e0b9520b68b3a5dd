//! The purpose of a session: it stands, runs, or is on its way to something.

use gray1_sim::debugger::Goal;

use super::Destination;

/// The purpose of a session's way.
pub(super) enum Way {
    /// None: the machine stands.
    Paused,
    /// To run at the pace.
    Running,
    /// To get somewhere, however far that is.
    Seeking(Until),
    /// To find something in the past; the machine stays where it is meanwhile.
    Searching(Goal),
    /// To get to a moment in the past that takes time to reach.
    Returning,
}

/// The end of a way.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Until {
    /// A goal.
    Goal(Goal),
    /// A moment or a printed line.
    There(Destination),
}

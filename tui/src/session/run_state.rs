//! What the machine of a session is doing.

use super::Destination;

/// What the machine of a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// Waiting for a command.
    Paused,
    /// Executing at its pace.
    Running,
    /// Executing as fast as it can, to the debugger's goal; or to a moment or a printed line that
    /// is not known yet.
    Seeking(Option<Destination>),
    /// Staying where it is, while the debugger's goal is looked for in the past.
    Searching,
    /// At the end of its program.
    Halted,
}

impl RunState {
    /// Whether the machine stands until there is a command.
    #[must_use]
    pub const fn stands(self) -> bool {
        matches!(self, Self::Paused | Self::Halted)
    }
}

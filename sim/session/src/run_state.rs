//! What the machine of a session is doing.

use super::Destination;

/// What the machine of a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// Waiting for a command.
    Paused,
    /// Executing at its pace.
    Running,
    /// Running to the debugger's goal as fast as it can, perhaps to a moment or a printed line
    /// beyond the known history.
    Seeking(Option<Destination>),
    /// Stopped while the debugger searches the past.
    Searching,
    /// At the end of its program.
    Halted,
}

impl RunState {
    /// Whether the machine is stopped until the next command.
    pub const fn is_stopped(self) -> bool {
        matches!(self, Self::Paused | Self::Halted)
    }
}

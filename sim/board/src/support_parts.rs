//! The support parts of a board. They are named, connected and checked, but not simulated.

use std::sync::Arc;

use serde::Deserialize;

use super::wired_part::WiredPart;

/// The sheet of the schematic on which a part is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Sheet {
    /// Clock and reset.
    Clock,
    /// The panel without its LEDs.
    Panel,
    /// LEDs and their resistors.
    Display,
}

/// A support part of a board, for example a resistor, a button, an LED or part of the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportPart {
    pub(super) name: String,
    pub(super) part: Arc<WiredPart>,
    pub(super) sheet: Sheet,
    pub(super) connections: Vec<Connection>,
    pub(super) is_first: bool,
}

/// The connection of a pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connection {
    /// Not connected.
    Open,
    /// Tied to ground (`false`) or to the supply (`true`).
    Tied(bool),
    /// Connected to the wire with this name. The wire belongs to the board or connects only support
    /// parts.
    Wire(String),
}

impl SupportPart {
    /// The name on the board.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of part that is used.
    #[must_use]
    pub fn part(&self) -> &WiredPart {
        &self.part
    }

    /// The sheet on which it is drawn.
    #[must_use]
    pub const fn sheet(&self) -> Sheet {
        self.sheet
    }

    /// The connections of its pins, pin 1 first.
    #[must_use]
    pub fn connections(&self) -> &[Connection] {
        &self.connections
    }

    /// Returns whether this is the first part of its entry in the description.
    #[must_use]
    pub const fn is_first(&self) -> bool {
        self.is_first
    }

    /// Finds the connection of a pin by the name of the pin.
    #[must_use]
    pub fn connection(&self, pin: &str) -> Option<&Connection> {
        self.part.pin(pin).map(|at| &self.connections[at])
    }
}

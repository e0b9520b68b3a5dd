//! The support parts of a board: wired around the chips, named, connected and checked, but not run
//! by any engine.

use std::sync::Arc;

use serde::Deserialize;

use super::wired_part::WiredPart;

/// The sheet of the schematic on which a part is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Sheet {
    /// Clock and reset.
    Clock,
    /// What the panel is made of, without its LEDs.
    Panel,
    /// LEDs and their resistors.
    Display,
}

/// A support part of a board: of its clock or reset, an LED, a resistor, a button, a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportPart {
    pub(super) name: String,
    pub(super) part: Arc<WiredPart>,
    pub(super) sheet: Sheet,
    pub(super) connections: Vec<Connection>,
    pub(super) leads: bool,
}

/// The connection of a pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connection {
    /// Nothing.
    Open,
    /// Ground or supply.
    Tied(bool),
    /// The wire of this name: one of the board's, or one that support parts alone share.
    Wire(String),
}

impl SupportPart {
    /// Its name on the board.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its part.
    #[must_use]
    pub fn part(&self) -> &WiredPart {
        &self.part
    }

    /// Where it is drawn.
    #[must_use]
    pub const fn sheet(&self) -> Sheet {
        self.sheet
    }

    /// The connections of its pins, from pin 1 on.
    #[must_use]
    pub fn connections(&self) -> &[Connection] {
        &self.connections
    }

    /// True for the first part of an entry.
    #[must_use]
    pub const fn leads(&self) -> bool {
        self.leads
    }

    /// The connection of the pin of this name.
    #[must_use]
    pub fn connection(&self, pin: &str) -> Option<&Connection> {
        self.part.pin(pin).map(|at| &self.connections[at])
    }
}

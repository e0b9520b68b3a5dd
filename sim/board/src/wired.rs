//! The parts of a board that are wired and not run by any engine.

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

/// A wired part of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wired {
    pub(super) name: String,
    pub(super) part: Arc<WiredPart>,
    pub(super) sheet: Sheet,
    pub(super) ends: Vec<End>,
    pub(super) leads: bool,
}

/// What a pin is connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Nothing.
    Open,
    /// Ground or supply.
    Tied(bool),
    /// The wire of this name: one of the board's, or one that only wired parts share.
    Wire(String),
}

impl Wired {
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

    /// What its pins are connected to, from pin 1 on.
    #[must_use]
    pub fn ends(&self) -> &[End] {
        &self.ends
    }

    /// True for the first part of an entry.
    #[must_use]
    pub const fn leads(&self) -> bool {
        self.leads
    }

    /// What the pin of this name is connected to.
    #[must_use]
    pub fn end(&self, pin: &str) -> Option<&End> {
        self.part.pin(pin).map(|at| &self.ends[at])
    }
}

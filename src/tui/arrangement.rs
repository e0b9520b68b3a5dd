//! The arrangement: which view has the keys, and whether it has the screen to itself.

use serde::{Deserialize, Serialize};

/// A way to look at the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum View {
    /// The LEDs, large, and what the program prints: to watch.
    Display,
    /// The source of the program, with the present line.
    Source,
    /// Registers, and the instruction that comes next.
    Machine,
    /// Data memory, byte by byte.
    Memory,
    /// The chips of the board and their lines.
    Board,
    /// All that the program has printed.
    Output,
    /// What is known of past and future.
    Timeline,
    /// What is stopped at, and what is watched.
    Breaks,
}

impl View {
    /// All views in the order in which `tab` walks through them.
    pub(crate) const ALL: [Self; 8] = [
        Self::Display,
        Self::Source,
        Self::Machine,
        Self::Memory,
        Self::Board,
        Self::Output,
        Self::Timeline,
        Self::Breaks,
    ];

    /// The name, as it stands in a frame.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Source => "source",
            Self::Machine => "machine",
            Self::Memory => "memory",
            Self::Board => "board",
            Self::Output => "output",
            Self::Timeline => "timeline",
            Self::Breaks => "breaks and watches",
        }
    }

    /// The view so many places further on, round and round.
    fn beyond(self, places: usize) -> Self {
        let place = Self::ALL.iter().position(|view| *view == self).unwrap_or_default();
        Self::ALL[(place + places) % Self::ALL.len()]
    }
}

/// What is on the screen. The display alone is what one watches; any other view is shown with
/// others beside it, as far as there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrangement {
    /// The view that gets the keys.
    pub(crate) focus: View,
    /// Whether no other view is shown beside it.
    pub(crate) alone: bool,
}

impl Arrangement {
    /// An arrangement with this view in front.
    pub(crate) fn showing(focus: View) -> Self {
        Self { focus, alone: false }
    }

    /// Brings this view to the front.
    pub(super) fn show(&mut self, view: View) {
        self.focus = view;
    }

    /// Brings the next view to the front.
    pub(super) fn next(&mut self) {
        self.focus = self.focus.beyond(1);
    }

    /// Brings the view before to the front.
    pub(super) fn previous(&mut self) {
        self.focus = self.focus.beyond(View::ALL.len() - 1);
    }
}

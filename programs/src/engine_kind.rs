//! The engines by the names that users give them.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use gray1_board::Board;
use gray1_circuit::Noise;
use gray1_roms::{DEFAULT, WITH_PANEL, built_in, stock};
use gray1_sim::{BurnedUnit, Hardware, Unrecognised};

/// The engines, by the names that users give them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineKind {
    /// The machine as a programmer sees it.
    #[default]
    Instruction,
    /// The board, chip by chip.
    Chips,
    /// The board in time.
    Timed,
}

impl EngineKind {
    /// All engines.
    pub const ALL: [Self; 3] = [Self::Instruction, Self::Chips, Self::Timed];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Instruction => "instruction",
            Self::Chips => "chips",
            Self::Timed => "timed",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or("expected instruction, chips or timed")
    }
}

/// The hardware of an engine with a board; `None` is the stock board. The delays of a board in
/// time, and its glitches, come from this noise.
///
/// # Errors
/// If the instruction engine refuses the board.
pub fn hardware(
    engine: EngineKind,
    board: Option<Board>,
    noise: Noise,
) -> Result<Hardware, Unrecognised> {
    let or_stock = |board: Option<Board>| Arc::new(board.unwrap_or_else(stock));
    Ok(match (engine, board) {
        // To load the stock board would take longer than most programs do.
        (EngineKind::Instruction, None) => Hardware::default(),
        (EngineKind::Instruction, Some(board)) => {
            // Of the built-in boards, the one that this one is a kind of.
            let name = if board.panel().is_some() { WITH_PANEL } else { DEFAULT };
            let known = built_in(name).unwrap_or_else(stock);
            Hardware::Instruction(Some(BurnedUnit::of(&board, &known)?))
        }
        (EngineKind::Chips, board) => Hardware::Chips(or_stock(board)),
        (EngineKind::Timed, board) => Hardware::Timed(or_stock(board), noise),
    })
}

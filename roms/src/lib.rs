//! The built-in boards, and the parts that boards are made of. The programs in this folder are for
//! EPROM programmers.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use gray1_sim::board::Parts;
use gray1_sim::{Board, BurnedUnit, Hardware, Noise, Unrecognised};

/// The built-in boards: their names and their texts.
pub const BUILT_IN: [(&str, &str); 3] = [
    ("gray1", include_str!("../gray1.ron")),
    ("gray1-b", include_str!("../gray1-b.ron")),
    ("binary-counter", include_str!("../binary-counter.ron")),
];

/// The name of the board that is meant when none is named.
pub const DEFAULT: &str = "gray1";

/// The name of the built-in board that has its panel on it.
const WITH_PANEL: &str = "gray1-b";

/// The names of the built-in boards.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.into_iter().map(|(name, _)| name)
}

/// The parts that every board may name.
///
/// # Panics
/// If they are not parts, which a test excludes.
#[must_use]
pub fn parts() -> &'static Parts {
    static PARTS: LazyLock<Parts> = LazyLock::new(|| {
        Parts::load(include_str!("../parts.ron")).expect("the parts of the catalogue are valid")
    });
    &PARTS
}

/// Loads the built-in board of this name. `None` if there is none.
///
/// # Panics
/// If a built-in board is no board, which a test excludes.
#[must_use]
pub fn built_in(name: &str) -> Option<Board> {
    let (_, text) = BUILT_IN.into_iter().find(|(known, _)| *known == name)?;
    let no_files = |file: &str| Err(format!("the built-in board {name} has no file {file}"));
    Some(Board::load(text, parts(), no_files).expect("the built-in boards are valid"))
}

/// The board that is meant when none is named.
///
/// # Panics
/// If it is no board, which a test excludes.
#[must_use]
pub fn stock() -> Board {
    built_in(DEFAULT).expect("it is built in")
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_boards_are_boards() {
        assert!(names().all(|name| built_in(name).is_some()));
        assert!(built_in("gary1").is_none());
        let _ = stock();
    }
}

//! The built-in boards, and the catalogue of parts. The programs in this folder are for EPROM
//! programmers.

use std::sync::LazyLock;

use gray1_board::{Board, BoardError, Parts};

/// The description of the stock board.
pub const GRAY1: &str = include_str!("../gray1.ron");

/// The description of the board made of parts that are sold today, with its panel.
pub const GRAY1_B: &str = include_str!("../gray1-b.ron");

/// The description of a board with binary counters, which does not work.
pub const BINARY_COUNTER: &str = include_str!("../binary-counter.ron");

/// The built-in boards: their names and their descriptions.
const BUILT_IN: [(&str, &str); 3] =
    [("gray1", GRAY1), ("gray1-b", GRAY1_B), ("binary-counter", BINARY_COUNTER)];

/// The name of the default board.
pub const DEFAULT: &str = "gray1";

/// The names of the built-in boards.
pub fn names() -> [&'static str; 3] {
    BUILT_IN.map(|(name, _)| name)
}

/// Returns the description of the built-in board with this name. `None` if there is none.
pub fn description(name: &str) -> Option<&'static str> {
    BUILT_IN.into_iter().find(|(known, _)| *known == name).map(|(_, text)| text)
}

/// Returns the catalogue of parts, which every board may use.
///
/// # Panics
/// If the catalogue is invalid. A test excludes that.
pub fn parts() -> &'static Parts {
    static PARTS: LazyLock<Parts> = LazyLock::new(|| {
        Parts::load(include_str!("../parts.ron")).expect("the parts of the catalogue are valid")
    });
    &PARTS
}

/// Loads the built-in board with this name. `None` if there is none.
///
/// # Panics
/// If a built-in board is invalid. A test excludes that.
pub fn built_in(name: &str) -> Option<Board> {
    Some(load(description(name)?).expect("the built-in boards are valid"))
}

/// Loads a board whose description names no other file. It may use the parts of the catalogue.
///
/// # Errors
/// If the description is invalid.
pub fn load(description: &str) -> Result<Board, BoardError> {
    Board::load(description, parts(), |file| Err(format!("there is no file {file} here")))
}

/// Loads the default board.
///
/// # Panics
/// If the board is invalid. A test excludes that.
pub fn stock() -> Board {
    built_in(DEFAULT).expect("it is built in")
}

/// Returns the built-in board that is most similar to this one: with a panel if it has one. The two
/// boards that it can return are known to work.
///
/// # Panics
/// If the board is invalid. A test excludes that.
pub fn nearest(board: &Board) -> &'static Board {
    static STOCK: LazyLock<Board> = LazyLock::new(stock);
    static WITH_PANEL: LazyLock<Board> =
        LazyLock::new(|| built_in("gray1-b").expect("it is built in"));
    if board.panel().is_some() { &WITH_PANEL } else { &STOCK }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_boards_load() {
        assert!(names().into_iter().all(|name| built_in(name).is_some()));
        assert!(built_in("gary1").is_none());
        let _ = stock();
    }
}

//! The built-in boards, and the parts that boards are made of. The programs in this folder are for
//! EPROM programmers.

use std::sync::LazyLock;

use gray1_board::{Board, BoardError, Parts};

/// The description of the stock board.
pub const GRAY1: &str = include_str!("../gray1.ron");

/// The description of the board of parts that are sold today, with its panel on it.
pub const GRAY1_B: &str = include_str!("../gray1-b.ron");

/// The description of a board whose counters count in plain binary, and fail.
pub const BINARY_COUNTER: &str = include_str!("../binary-counter.ron");

/// The built-in boards: their names and their descriptions.
pub const BUILT_IN: [(&str, &str); 3] =
    [("gray1", GRAY1), ("gray1-b", GRAY1_B), ("binary-counter", BINARY_COUNTER)];

/// The name of the board that is meant when none is named.
pub const DEFAULT: &str = "gray1";

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
    Some(load(text).expect("the built-in boards are valid"))
}

/// Loads a board of the catalogue's parts whose description needs no other file.
///
/// # Errors
/// If the description is not right.
pub fn load(description: &str) -> Result<Board, BoardError> {
    Board::load(description, parts(), |file| Err(format!("there is no file {file} here")))
}

/// The board that is meant when none is named.
///
/// # Panics
/// If it is no board, which a test excludes.
#[must_use]
pub fn stock() -> Board {
    built_in(DEFAULT).expect("it is built in")
}

/// The built-in board that this one is a kind of. Both are known to do what their programs say.
///
/// # Panics
/// If it is no board, which a test excludes.
#[must_use]
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
    fn the_built_in_boards_are_boards() {
        assert!(names().all(|name| built_in(name).is_some()));
        assert!(built_in("gary1").is_none());
        let _ = stock();
    }
}

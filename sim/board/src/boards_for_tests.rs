//! The boards and parts of this repository, for tests of this crate. Crates that depend on this one
//! use `gray1-roms` instead.

use crate::{Board, Parts};

pub(crate) const GRAY1: &str = include_str!("../../../roms/gray1.ron");
pub(crate) const BINARY: &str = include_str!("../../../roms/binary-counter.ron");
pub(crate) const PANEL: &str = include_str!("../../../roms/gray1-b.ron");

pub(crate) fn parts() -> Parts {
    Parts::load(include_str!("../../../roms/parts.ron")).unwrap()
}

/// Loads a board whose description names no other file.
pub(crate) fn board(text: &str) -> Board {
    Board::load(text, &parts(), |_| Err(String::new())).unwrap()
}

//! What is soldered around the simulated chips of a board: its wires, the proof of its clock and
//! reset, and the margins of its levels.

pub mod clock;
mod margins;

mod support_part;
mod wires;

use gray1_board::{Board, BoardError};

pub use margins::{Margin, margins};
pub use support_part::{Connection, SupportPart};

/// Connects the parts that a board lists under `around`.
///
/// # Errors
/// If a part lacks a pin that is listed, if one of its pins must not stay open, or if a wire ends
/// at one pin, is driven by nothing, or has two drivers.
pub fn connect(board: &Board) -> Result<Vec<SupportPart<'_>>, BoardError> {
    let parts = board.around().iter().map(SupportPart::new).collect::<Result<Vec<_>, _>>()?;
    wires::check(board, &parts)?;
    Ok(parts)
}

#[cfg(test)]
mod tests;

//! The options that choose a board and its parts.

use gray1_board::Board;

use super::outcome::{Failure, failure};
use crate::board;

#[derive(clap::Args)]
pub(crate) struct BoardOptions {
    /// The board: a path or a built-in name
    #[arg(long, value_name = "BOARD", default_value = board::DEFAULT, add = super::complete::boards())]
    board: String,
    /// Use another part for a chip: `PROG=AT28C256`
    #[arg(long, value_name = "CHIP=PART", value_parser = part, add = super::complete::parts())]
    part: Vec<(String, String)>,
}

fn part(text: &str) -> Result<(String, String), String> {
    let (chip, part) = text.split_once('=').ok_or("expected CHIP=PART")?;
    Ok((chip.to_owned(), part.to_owned()))
}

impl BoardOptions {
    /// Loads the board.
    pub(crate) fn load(&self) -> Result<Board, Failure> {
        board::load_with(&self.board, &self.part).map_err(failure)
    }
}

//! The options that select a board and its parts.

use clap::builder::{OsStringValueParser, TypedValueParser};
use gray1_board::Board;

use super::outcome::{Failure, failure};
use crate::{board, files};

#[derive(clap::Args)]
pub(crate) struct BoardOptions {
    /// The board: a path or a built-in name
    #[arg(long, value_name = "BOARD", default_value = board::DEFAULT, value_parser = board_name())]
    #[arg(add = super::complete::boards())]
    board: String,
    /// Use another part for a chip: `PROG=AT28C256`
    #[arg(long, value_name = "CHIP=PART", value_parser = parse_part, add = super::complete::parts())]
    part: Vec<(String, String)>,
}

/// Parses a path or a name into the form that [`board::load`] reads.
pub(crate) fn board_name() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|word| files::encode_path(word.as_ref()))
}

fn parse_part(text: &str) -> Result<(String, String), String> {
    let (chip, part) = text.split_once('=').ok_or("expected CHIP=PART")?;
    Ok((chip.to_owned(), part.to_owned()))
}

impl BoardOptions {
    /// Loads the board.
    pub(crate) fn load(&self) -> Result<Board, Failure> {
        board::load_with(&self.board, &self.part).map_err(failure)
    }
}

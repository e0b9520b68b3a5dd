//! `gray1 export`: what it takes to build the machine, as files.

use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use gray1_sim::Export;

use super::messages::Messages;
use super::named::one_of;
use super::{Done, Failure, Outcome, failure, load, write};
use crate::{board, files};

#[derive(clap::Args)]
pub(super) struct Options {
    /// What to write
    #[arg(value_parser = one_of(&Export::ALL, named))]
    what: Export,
    /// The folder to write to, created if missing
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
    /// The program to burn: a path, `-`, or a built-in name (test vectors have their own)
    #[arg(default_value = "queens", add = super::complete::programs())]
    program: String,
    /// The board: a path or a built-in name
    #[arg(long, value_name = "BOARD", default_value = board::DEFAULT, add = super::complete::boards())]
    board: String,
}

fn named(what: Export) -> PossibleValue {
    PossibleValue::new(what.name()).help(what.summary())
}

pub(super) fn export(options: &Options, messages: &mut Messages) -> Outcome {
    let program = load(&options.program, messages)?;
    let board = board::load(&options.board).map_err(Failure::Message)?;
    let files = options.what.files(&board.with_program(&program.image));
    let files = files.map_err(|error| failure(error.to_string()))?;
    make(&options.output)?;
    for file in files {
        write(&options.output.join(&file.name), &file.contents, &program.inputs)?;
    }
    Ok(Done::Well)
}

/// Makes a folder, unless it is there.
fn make(folder: &Path) -> Result<(), Failure> {
    let name = files::printable(folder);
    if folder.exists() && !folder.is_dir() {
        return Err(failure(format!("{name} is not a folder")));
    }
    fs::create_dir_all(folder).map_err(|error| failure(format!("cannot create {name}: {error}")))
}

//! `gray1 export`: writes the files needed to build the machine.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gray1_hardware::Export;
use gray1_isa::text::plural;

use super::shared::complete;
use super::shared::messages::Messages;
use super::shared::options::{BoardOptions, output_folder};
use super::shared::outcome::{Outcome, failure, write_all};
use super::shared::source_options::{SourceOptions, load};
use crate::{board, files};

/// Write files for building the machine: images, Verilog, FPGA, wiring, parts
#[derive(clap::Args)]
pub(super) struct ExportOptions {
    /// What to write
    #[arg(value_parser = exports())]
    what: Export,
    /// The folder to write to, created if missing
    #[arg(short, long, value_name = "DIR", value_parser = output_folder(), value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
    /// The program in the machine: a path, `-`, or a built-in name
    #[arg(default_value = "queens", add = complete::programs())]
    program: OsString,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    board: BoardOptions,
}

/// Parses the name of an export.
fn exports() -> impl TypedValueParser<Value = Export> {
    let named = Export::TABLE.map(|(_, name, summary)| PossibleValue::new(name).help(summary));
    PossibleValuesParser::new(named).map(|name| {
        let row = Export::TABLE.into_iter().find(|row| row.1 == name);
        row.expect("clap has looked at the name").0
    })
}

pub(super) fn export(options: &ExportOptions, messages: &mut Messages) -> Outcome {
    let program = load(&options.program, &options.sources, messages)?;
    // Only a board with a panel can run on an FPGA.
    let default = if options.what == Export::Fpga { "gray1-b" } else { board::DEFAULT };
    let board = options.board.load(default)?;
    let made = options.what.files(&board.with_program(&program.image)).map_err(failure)?;
    files::make_folder(&options.output).map_err(failure)?;
    let paths: Vec<PathBuf> = made.iter().map(|file| options.output.join(&file.name)).collect();
    for folder in paths.iter().filter_map(|path| path.parent()) {
        files::make_folder(folder).map_err(failure)?;
    }
    let contents = made.iter().map(|file| file.contents.as_slice());
    let done = write_all(&paths.iter().map(PathBuf::as_path).zip(contents).collect::<Vec<_>>())?;
    let (count, folder) = (made.len(), files::printable(&options.output));
    messages.report_written(&format!("{count} {} to {folder}", plural(count, "file")));
    Ok(done)
}

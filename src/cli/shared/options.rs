//! The options `--format`, `--board` and `--part`, and the parsers of numbers, names and folders.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::builder::{
    OsStringValueParser, PathBufValueParser, PossibleValue, PossibleValuesParser,
    StringValueParser, TypedValueParser, UnknownArgumentValueParser,
};
use clap::{Arg, ValueEnum};
use gray1_board::{Board, PartChoice};
use gray1_isa::text;
use gray1_isa::text::grouped;
use serde_json::Value;

use super::outcome::{Failure, failure, print_report};
use crate::{board, files};

/// Text or JSON: the formats of reports and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TextOrJson {
    /// Text for people
    #[default]
    Text,
    /// JSON for programs
    Json,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct FormatOptions {
    /// The format of the report
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) format: TextOrJson,
}

impl FormatOptions {
    pub(crate) fn is_json(self) -> bool {
        self.format == TextOrJson::Json
    }

    /// Prints a report on standard output, as plain text or as one line of JSON.
    pub(crate) fn print(
        self,
        text: impl FnOnce() -> String,
        json: impl FnOnce() -> Value,
    ) -> Result<(), Failure> {
        print_report(&if self.is_json() { format!("{}\n", json()) } else { text() })
    }
}

/// Picks the format of a file: the given one, or else the one with the file's suffix. A file
/// without a suffix gets the default. `formats` has the name and the suffix of each format.
///
/// # Errors
/// If no format has the file's suffix. The default could then be wrong: a text file might be burned
/// into an EPROM.
pub(crate) fn pick_format<T: Copy>(
    given: Option<T>,
    path: Option<&Path>,
    formats: &[(T, &str, &str)],
    default: T,
) -> Result<T, Failure> {
    let suffix = path.and_then(|path| Some((path, path.extension()?)));
    let (None, Some((path, suffix))) = (given, suffix) else { return Ok(given.unwrap_or(default)) };
    let found = formats.iter().find(|(.., known)| suffix.eq_ignore_ascii_case(known));
    found.map(|(format, ..)| *format).ok_or_else(|| {
        let formats = formats.iter().map(|(_, name, suffix)| format!("{name} (.{suffix})"));
        let formats = formats.collect::<Vec<_>>().join(", ");
        let (path, suffix) = (files::printable(path), files::printable(suffix));
        Failure::Usage(format!(
            "{path}: unknown suffix .{suffix}; choose a format with --format\n\n  {formats}"
        ))
    })
}

/// The board and its parts.
#[derive(clap::Args)]
pub(crate) struct BoardOptions {
    /// The board: a path or a built-in name [default: gray1]
    #[arg(long, value_name = "BOARD", value_parser = board_name())]
    #[arg(add = super::complete::boards())]
    board: Option<String>,
    /// Use another part for a chip: `PROG=AT28C256`
    #[arg(long, value_name = "CHIP=PART", value_parser = parse_part, add = super::complete::parts())]
    part: Vec<PartChoice>,
}

impl BoardOptions {
    /// Loads the board, or the built-in one of this name if the user chose none.
    pub(crate) fn load(&self, default: &str) -> Result<Board, Failure> {
        let board = self.board.as_deref().unwrap_or(default);
        board::load_with(board, &self.part).map_err(failure)
    }
}

fn parse_part(text: &str) -> Result<PartChoice, String> {
    let (chip, part) = text.split_once('=').ok_or("expected CHIP=PART")?;
    Ok(PartChoice { chip: chip.to_owned(), part: part.to_owned() })
}

/// Parses a path or a name into the form that [`board::load`] reads.
pub(crate) fn board_name() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|word| files::encode_path(word.as_ref()))
}

/// Parses a number in this range, also in the forms shown on the screen: `5,000`, `5_000` or
/// `0x1388`.
pub(crate) fn number_in<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Into<u64> + Copy + Send + Sync + 'static,
{
    let (first, last) = ((*range.start()).into(), (*range.end()).into());
    StringValueParser::new().try_map(move |word| {
        let number = text::parse_number(&word).filter(|number| (first..=last).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            format!("expected a number from {} to {}", grouped(first), grouped(last))
        })
    })
}

/// Parses any number.
pub(crate) fn number() -> impl TypedValueParser<Value = u64> {
    number_in(0..=u64::MAX)
}

/// Parses one of the values in `all`. `possible` returns the name of a value on the command line
/// and its help.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    possible: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|value| possible(*value)));
    names.map(move |name| {
        let value = all.iter().find(|value| possible(**value).get_name() == name);
        *value.expect("clap has looked at the name")
    })
}

/// An option that a command does not have, although users may expect it, with a tip about the one
/// that they mean. Without it, clap would name an option that is spelt in a similar way.
pub(crate) fn instead(name: &'static str, tip: &'static str) -> Arg {
    let suggestion = UnknownArgumentValueParser::suggest(tip);
    let option = Arg::new(name).long(name).value_name("N").hide(true).value_parser(suggestion);
    option.num_args(0..=1).default_missing_value("")
}

/// Parses a folder to write files to. Standard output is rejected.
pub(crate) fn output_folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let is_folder = path.as_os_str() != files::STDIO;
        is_folder.then_some(path).ok_or("expected a folder, not standard output")
    })
}

//! The option `--format` of commands that print a report, and of commands that write a file.

use std::path::Path;

use clap::ValueEnum;
use serde_json::Value;

use super::outcome::{Failure, print_report};
use crate::files;

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

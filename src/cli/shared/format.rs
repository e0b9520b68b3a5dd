//! The option `--format` of commands that print a report.

use clap::ValueEnum;
use serde_json::Value;

use super::outcome::{Failure, print};

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

    /// Prints a report on standard output: its text, or one line of JSON.
    pub(crate) fn print(
        self,
        text: impl FnOnce() -> String,
        json: impl FnOnce() -> Value,
    ) -> Result<(), Failure> {
        print(&if self.is_json() { format!("{}\n", json()) } else { text() })
    }
}

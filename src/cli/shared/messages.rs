//! Writes to standard error: diagnostics (in colour, plain or as JSON), notes, and the last line of
//! a run.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use clap::builder::EnumValueParser;
use clap::{Arg, ColorChoice, ValueEnum};
use gray1_asm::{Assembly, Diagnostic, Files, Rendering};
use gray1_programs::{TextStyle, libraries};
use serde_json::Value;

use super::outcome::{Failure, Outcome, write_all};
use crate::program::LoadFailure;
use crate::system;
use crate::{files, front};

/// The formats of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum MessageFormat {
    /// Text for people, with the lines of the source
    #[default]
    Text,
    /// One line for each message, for screen readers
    Short,
    /// JSON for programs
    Json,
}

/// The option `--message-format`, for commands whose output is not a report.
pub(crate) fn message_format() -> Arg {
    Arg::new(MESSAGE_FORMAT)
        .long(MESSAGE_FORMAT)
        .help("The format of messages on standard error")
        .value_name("FORMAT")
        .value_parser(EnumValueParser::<MessageFormat>::new())
        .default_value("text")
}

/// The name of that option.
pub(crate) const MESSAGE_FORMAT: &str = "message-format";

/// The heading of these options in the help.
const HEADING: &str = "Options of all commands";

/// The options of all commands.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct GlobalOptions {
    /// Print only results, warnings and errors
    #[arg(help_heading = HEADING, short, long, global = true)]
    quiet: bool,
    /// When to use colours
    #[arg(help_heading = HEADING)]
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: ColorChoice,
}

static GLOBAL: OnceLock<GlobalOptions> = OnceLock::new();

impl GlobalOptions {
    /// Applies these options to everything that this process prints.
    pub(crate) fn apply(self) {
        GLOBAL.get_or_init(|| self);
        if self.color != ColorChoice::Auto {
            front::choose_colours(self.color == ColorChoice::Always);
        }
    }

    pub(crate) fn get() -> Self {
        GLOBAL.get().copied().unwrap_or_default()
    }

    pub(crate) fn is_quiet(self) -> bool {
        self.quiet
    }
}

/// The messages of a command on standard error.
pub(crate) struct Messages {
    rendering: Rendering,
    /// The notes that were printed, which are not repeated.
    noted: BTreeSet<String>,
}

impl Messages {
    pub(crate) fn new(format: MessageFormat) -> Self {
        let rendering = match format {
            MessageFormat::Json => Rendering::Json,
            MessageFormat::Short => Rendering::Short,
            MessageFormat::Text if text_style(&io::stderr()) == TextStyle::Coloured => {
                Rendering::Coloured
            }
            MessageFormat::Text => Rendering::Plain,
        };
        Self { rendering, noted: BTreeSet::new() }
    }

    /// Prints the assembler's diagnostics of a source, and which files replace those of a library.
    pub(crate) fn print_diagnostics(&mut self, assembly: &Assembly) {
        self.render(&assembly.diagnostics, &assembly.files);
        for file in assembly.files.iter().skip(1) {
            let path = Path::new(file.name());
            if libraries().any(|it| path.ends_with(it.path) && it.text != file.text()) {
                self.note(&format!("`{}` replaces the library's file", file.name()));
            }
        }
    }

    /// Prints why a command failed.
    pub(crate) fn report(&mut self, failure: &Failure) {
        match failure {
            Failure::Load(LoadFailure::Source(assembly)) => self.print_diagnostics(assembly),
            Failure::Load(LoadFailure::Invalid { name, position, problem }) if self.are_json() => {
                let error = serde_json::json!({
                    "severity": "error", "message": problem,
                    "file": name, "line": position.line, "column": position.column,
                });
                write_stderr(&format!("{error}\n"));
            }
            Failure::Load(load) => self.render(load.message().as_slice(), &Files::default()),
            Failure::Message(message) | Failure::Usage(message) => {
                self.render(&[Diagnostic::error(message)], &Files::default());
            }
            Failure::PipeClosed | Failure::Signal(_) => {}
        }
    }

    pub(crate) fn are_json(&self) -> bool {
        self.rendering == Rendering::Json
    }

    /// The rendering of messages inside a report.
    pub(crate) fn in_report(&self) -> Rendering {
        let is_short = self.rendering == Rendering::Short;
        if is_short { Rendering::Short } else { Rendering::Plain }
    }

    /// Prints information that the user asked for, as lines or as an object.
    pub(crate) fn print(&mut self, lines: impl FnOnce() -> String, json: impl FnOnce() -> Value) {
        let text = if self.are_json() { json().to_string() } else { lines() };
        write_stderr(&format!("{text}\n"));
    }

    /// Prints the result of the command, except under `--quiet`.
    pub(crate) fn print_status(&mut self, message: &str) {
        self.print_message("status", message, message);
    }

    /// Prints a note, except under `--quiet`. The cases and programs of a command may have the same
    /// one, which is printed once.
    pub(crate) fn note(&mut self, message: &str) {
        if self.noted.insert(message.to_owned()) {
            self.print_message("note", message, &format!("note: {message}"));
        }
    }

    fn print_message(&mut self, severity: &str, message: &str, line: &str) {
        if !GlobalOptions::get().is_quiet() {
            self.print(
                || line.to_owned(),
                || serde_json::json!({ "severity": severity, "message": message }),
            );
        }
    }

    /// Writes several outputs, or none if one cannot be created, and reports the files.
    pub(crate) fn write(&mut self, outputs: &[(&Path, &[u8])]) -> Outcome {
        let done = write_all(outputs)?;
        for (path, _) in outputs.iter().filter(|(path, _)| path.as_os_str() != files::STDIO) {
            self.report_written(&files::printable(path));
        }
        Ok(done)
    }

    /// Reports a written file, unless messages are JSON.
    pub(crate) fn report_written(&mut self, what: &str) {
        if !self.are_json() {
            self.print_status(&format!("wrote {what}"));
        }
    }

    /// Prints the diagnostics of several files.
    pub(crate) fn render(&mut self, diagnostics: &[Diagnostic], files: &Files) {
        if !diagnostics.is_empty() {
            write_stderr(&self.rendering.render(diagnostics, files));
        }
    }
}

/// Writes to standard error. If that fails, there is nowhere left to report it.
pub(crate) fn write_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// The style for a stream. If `--color` does not decide, a terminal gets colours unless `NO_COLOR`
/// is set (<https://no-color.org>), `CLICOLOR` is 0 or `TERM` is `dumb`. clap decides in the same
/// way for the help.
pub(crate) fn text_style(stream: &impl IsTerminal) -> TextStyle {
    let is_coloured = match GlobalOptions::get().color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            stream.is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && std::env::var_os("CLICOLOR").is_none_or(|value| value != "0")
                && system::env_var("TERM").is_none_or(|term| term != "dumb")
        }
    };
    if is_coloured { TextStyle::Coloured } else { TextStyle::Plain }
}

/// Explains why a program could not be loaded, with all details, for a screen or a report.
pub(crate) fn explain_load(failure: &LoadFailure, rendering: Rendering) -> String {
    match failure {
        LoadFailure::Source(assembly) => rendering.render(&assembly.diagnostics, &assembly.files),
        other => rendering.render(other.message().as_slice(), &Files::default()),
    }
}

/// Explains why a command failed, for a report.
pub(crate) fn explain(failure: &Failure) -> String {
    match failure {
        Failure::Load(load) => explain_load(load, Rendering::Plain),
        Failure::Message(message) | Failure::Usage(message) => message.clone(),
        Failure::PipeClosed | Failure::Signal(_) => String::new(),
    }
}

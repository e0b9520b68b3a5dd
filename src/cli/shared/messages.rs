//! Standard error: diagnostics, in colour, plain or as JSON, and the closing line of a run.

use std::io::{self, IsTerminal, Write as _};
use std::path::Path;

use clap::builder::PossibleValuesParser;
use gray1_asm::{Assembly, Diagnostic, Files, Lint, Rendering, Severity};

use super::format::TextOrJson;
use super::named::one_of;
use super::outcome::{Failure, Outcome, write_all};
use crate::files;
use crate::program::LoadFailure;
use crate::system;

/// The options of commands that assemble.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct MessageOptions {
    /// The format of diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    message_format: TextOrJson,
    /// Switch a warning off; may be given several times
    #[arg(long, value_name = "WARNING", value_parser = one_of(&Lint::ALL, |it| it.name().into()))]
    allow: Vec<Lint>,
    /// Make a warning an error, unless it is switched off; may be given several times
    #[arg(long, value_name = "WARNING", value_parser = PossibleValuesParser::new(deniable()))]
    deny: Vec<String>,
}

/// The word for all warnings.
const ALL: &str = "all";

fn deniable() -> impl Iterator<Item = &'static str> {
    [ALL].into_iter().chain(Lint::ALL.map(Lint::name))
}

/// Standard error, as commands use it.
pub(crate) struct Messages {
    rendering: Rendering,
    /// The warnings that are not shown.
    allowed: Vec<Lint>,
    /// The names of the warnings that are errors.
    denied: Vec<String>,
}

impl Messages {
    pub(crate) fn new(options: MessageOptions) -> Self {
        let rendering = match options.message_format {
            TextOrJson::Json => Rendering::Json,
            TextOrJson::Text if wants_colour(&io::stderr()) => Rendering::Coloured,
            TextOrJson::Text => Rendering::Plain,
        };
        Self { rendering, allowed: options.allow, denied: options.deny }
    }

    /// Prints the assembler's diagnostics of a source.
    ///
    /// # Errors
    /// If there is an error among them, or a warning that counts as one.
    pub(crate) fn assembly(&mut self, assembly: &Assembly) -> Result<(), Failure> {
        let is_shown = |diagnostic: &&Diagnostic| {
            diagnostic.lint.is_none_or(|lint| !self.allowed.contains(&lint))
        };
        let is_denied =
            |lint: Lint| self.denied.iter().any(|name| [ALL, lint.name()].contains(&name.as_str()));
        let shown = assembly.diagnostics.iter().filter(is_shown).cloned();
        let shown: Vec<Diagnostic> = shown
            .map(|diagnostic| match diagnostic.lint {
                Some(lint) if is_denied(lint) => {
                    Diagnostic { severity: Severity::Error, ..diagnostic }
                }
                _ => diagnostic,
            })
            .collect();
        self.render(&shown, &assembly.files);
        let has_errors = shown.iter().any(|it| it.severity == Severity::Error);
        if has_errors { Err(Failure::Reported) } else { Ok(()) }
    }

    /// Prints why a command failed.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        match failure {
            // It is a failure already.
            Failure::Load(LoadFailure::Source(assembly)) => {
                self.assembly(assembly).unwrap_or_default();
            }
            Failure::Load(LoadFailure::Invalid { name, position, problem }) if self.are_json() => {
                let error = serde_json::json!({
                    "severity": "error", "message": problem,
                    "file": name, "line": position.line, "column": position.column,
                });
                put(&format!("{error}\n"));
            }
            Failure::Load(load) => self.alone(load.message()),
            Failure::Message(message) | Failure::Usage(message) => {
                self.alone(Some(Diagnostic::error(message)));
            }
            Failure::Reported | Failure::PipeClosed => {}
        }
    }

    pub(crate) fn are_json(&self) -> bool {
        self.rendering == Rendering::Json
    }

    /// Prints a line as it is.
    #[expect(clippy::unused_self, reason = "standard error is ours alone")]
    pub(crate) fn status(&mut self, line: &str) {
        put(&format!("{line}\n"));
    }

    /// Prints a note.
    pub(crate) fn note(&mut self, message: &str) {
        match self.rendering {
            Rendering::Json => {
                let note = serde_json::json!({ "severity": "note", "message": message });
                put(&format!("{note}\n"));
            }
            _ => self.status(&format!("note: {message}")),
        }
    }

    /// Writes several outputs, none if one cannot be created, and reports the files.
    pub(crate) fn write(&mut self, outputs: &[(&Path, &[u8])]) -> Outcome {
        let done = write_all(outputs)?;
        for (path, _) in outputs.iter().filter(|(path, _)| path.as_os_str() != files::STDIO) {
            self.wrote(&files::printable(path));
        }
        Ok(done)
    }

    /// Reports what was written, unless messages are JSON.
    pub(crate) fn wrote(&mut self, what: &str) {
        if !self.are_json() {
            self.status(&format!("wrote {what}"));
        }
    }

    fn alone(&mut self, diagnostic: Option<Diagnostic>) {
        let diagnostics: Vec<Diagnostic> = diagnostic.into_iter().collect();
        self.render(&diagnostics, &Files::default());
    }

    /// Prints the diagnostics of several files.
    pub(crate) fn render(&mut self, diagnostics: &[Diagnostic], files: &Files) {
        if !diagnostics.is_empty() {
            put(&self.rendering.render(diagnostics, files));
        }
    }
}

/// Writes to standard error. If that fails, there is no place left to report it.
pub(crate) fn put(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Colour if a stream is a terminal, unless `NO_COLOR` is set (<https://no-color.org>) or `CLICOLOR`
/// is 0, as for the help.
pub(crate) fn wants_colour(stream: &impl IsTerminal) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = system::variable("TERM").is_some_and(|term| term == "dumb");
    let is_off = std::env::var_os("CLICOLOR").is_some_and(|value| value == "0");
    stream.is_terminal() && !set("NO_COLOR") && !is_off && !dumb
}

/// Why a program could not be loaded, in full, for a screen or a report.
pub(crate) fn in_full(failure: &LoadFailure) -> String {
    let rendering = Rendering::Plain;
    match failure {
        LoadFailure::Source(assembly) => rendering.render(&assembly.diagnostics, &assembly.files),
        other => {
            let message: Vec<_> = other.message().into_iter().collect();
            rendering.render(&message, &Files::default())
        }
    }
}

/// Why a command failed, for a report.
pub(crate) fn in_words(failure: &Failure) -> String {
    match failure {
        Failure::Load(load) => in_full(load),
        Failure::Message(message) | Failure::Usage(message) => message.clone(),
        Failure::Reported | Failure::PipeClosed => String::new(),
    }
}

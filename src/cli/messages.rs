//! What goes to standard error: messages about what is wrong, in colour, plain or as JSON, and the
//! closing line of a run.

use std::io::{self, IsTerminal as _, Write as _};

use clap::ValueEnum;
use gray1_asm::{Assembly, Diagnostic, Files, Rendering};

use super::Failure;
use crate::program::LoadFailure;

/// How messages are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum MessageFormat {
    /// For people
    #[default]
    Text,
    /// For programs: a JSON object a line
    Json,
}

/// Standard error, as commands use it.
pub(super) struct Messages {
    rendering: Rendering,
}

impl Messages {
    pub(super) fn new(format: MessageFormat) -> Self {
        let rendering = match format {
            MessageFormat::Json => Rendering::Json,
            MessageFormat::Text if wants_colour() => Rendering::Coloured,
            MessageFormat::Text => Rendering::Plain,
        };
        Self { rendering }
    }

    /// Says what the assembler has to say about a source.
    pub(super) fn assembly(&mut self, assembly: &Assembly) {
        self.render(&assembly.diagnostics, &assembly.files);
    }

    /// Says why a command failed.
    pub(super) fn failure(&mut self, failure: &Failure) {
        match failure {
            Failure::Load(LoadFailure::Source(assembly)) => self.assembly(assembly),
            Failure::Load(load) => self.alone(load.message()),
            Failure::Message(message) => self.alone(Some(Diagnostic::error(message))),
            Failure::PipeClosed => {}
        }
    }

    /// Says how a run ended, as its last line.
    #[expect(clippy::unused_self, reason = "standard error is ours alone")]
    pub(super) fn status(&mut self, line: &str) {
        put(&format!("{line}\n"));
    }

    /// Says something that a person may want to know.
    pub(super) fn note(&mut self, message: &str) {
        match self.rendering {
            Rendering::Json => {
                let note = serde_json::json!({ "severity": "note", "message": message });
                put(&format!("{note}\n"));
            }
            _ => self.status(&format!("note: {message}")),
        }
    }

    fn alone(&mut self, diagnostic: Option<Diagnostic>) {
        let diagnostics: Vec<Diagnostic> = diagnostic.into_iter().collect();
        self.render(&diagnostics, &Files::default());
    }

    fn render(&mut self, diagnostics: &[Diagnostic], files: &Files) {
        if !diagnostics.is_empty() {
            put(&self.rendering.render(diagnostics, files));
        }
    }
}

/// Writes to standard error. If that fails there is nobody left to tell.
fn put(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Colour where a person looks and has not said no (<https://no-color.org>).
fn wants_colour() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
}

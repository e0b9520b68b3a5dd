//! The options for assembling sources, the same for all commands that assemble.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use gray1_asm::{Assembly, Define, Lint, Severity};

use super::complete;
use super::machine::quote;
use super::messages::Messages;
use super::options::choice;
use super::outcome::Failure;
use super::progress::ProgressLine;
use crate::files;
use crate::program::{self, LoadFailure, LoadedProgram};

/// The heading of these options in the help.
const HEADING: &str = "Options of the program";

/// The options for the assembler.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SourceOptions {
    /// Set a constant that the program defines with `.default`. The value is a number, a character,
    /// or a string in quotes; can be repeated
    #[arg(help_heading = HEADING, short = 'D', long = "define", value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<Define>,
    /// Search this folder for included files that are not next to the including file; can be
    /// repeated
    #[arg(help_heading = HEADING)]
    #[arg(short = 'I', long = "include", value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) folders: Vec<PathBuf>,
    /// Turn a warning off; can be repeated
    #[arg(help_heading = HEADING)]
    #[arg(long, value_name = "WARNING", value_parser = choice(&Lint::ALL, |it| it.name().into()))]
    allow: Vec<Lint>,
    /// Turn a warning into an error, unless it is off; can be repeated
    #[arg(help_heading = HEADING)]
    #[arg(long, value_name = "WARNING", value_parser = PossibleValuesParser::new(deniable()))]
    deny: Vec<String>,
}

/// A program, with the options for assembling it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ProgramOptions {
    /// The program: a path, `-`, or a built-in name
    #[arg(id = "program", value_name = "PROGRAM", add = complete::programs())]
    pub(crate) name: OsString,
    #[command(flatten)]
    pub(crate) sources: SourceOptions,
}

impl ProgramOptions {
    /// Loads the program and prints the assembler's warnings.
    pub(crate) fn load(&self, messages: &mut Messages) -> Result<LoadedProgram, Failure> {
        load(&self.name, &self.sources, messages)
    }
}

/// The value that stands for all warnings.
const ALL: &str = "all";

fn deniable() -> impl Iterator<Item = &'static str> {
    [ALL].into_iter().chain(Lint::ALL.map(Lint::name))
}

impl SourceOptions {
    /// Loads the program of this name.
    pub(crate) fn load(&self, name: impl AsRef<OsStr>) -> Result<LoadedProgram, LoadFailure> {
        let name = name.as_ref();
        let loaded = while_reading(name, || program::load_as(name, &self.defines, &self.folders));
        self.judge_loaded(loaded, |program| program)
    }

    /// Loads a student's program, which may not include other submissions.
    pub(crate) fn load_submission(
        &self,
        name: &OsStr,
        others: &[PathBuf],
    ) -> Result<LoadedProgram, LoadFailure> {
        let loaded = program::load_submission(name, &self.defines, &self.folders, others);
        self.judge_loaded(loaded, |program| program)
    }

    /// Adds other options, which come last.
    #[must_use]
    pub(crate) fn with(mut self, other: Self) -> Self {
        self.defines.extend(other.defines);
        self.folders.extend(other.folders);
        self.allow.extend(other.allow);
        self.deny.extend(other.deny);
        self
    }

    /// Removes the allowed warnings and turns the denied ones into errors. Returns whether there
    /// are errors.
    pub(crate) fn judge(&self, assembly: &mut Assembly) -> bool {
        assembly.diagnostics.retain(|it| it.lint.is_none_or(|lint| !self.allow.contains(&lint)));
        for diagnostic in &mut assembly.diagnostics {
            let name = diagnostic.lint.map(Lint::name);
            if name.is_some_and(|name| self.deny.iter().any(|it| it == ALL || it == name)) {
                diagnostic.severity = Severity::Error;
            }
        }
        assembly.diagnostics.iter().any(|it| it.severity == Severity::Error)
    }

    /// Applies these options to the warnings of a loaded program. Fails if one is denied.
    pub(crate) fn judge_loaded<T>(
        &self,
        loaded: Result<T, LoadFailure>,
        program: fn(&mut T) -> &mut LoadedProgram,
    ) -> Result<T, LoadFailure> {
        match loaded {
            Ok(mut loaded) => {
                let warnings = &mut program(&mut loaded).warnings;
                let errors = warnings.take_if(|assembly| self.judge(assembly));
                errors.map_or(Ok(loaded), |assembly| Err(LoadFailure::Source(assembly)))
            }
            Err(LoadFailure::Source(mut assembly)) => {
                self.judge(&mut assembly);
                Err(LoadFailure::Source(assembly))
            }
            Err(other) => Err(other),
        }
    }

    /// Formats the command-line options for the same settings, each with a space before it.
    pub(crate) fn to_args(&self) -> String {
        let defines =
            self.defines.iter().map(|define| format!(" -D {}", quote(&define.to_string())));
        let folders =
            self.folders.iter().map(|folder| format!(" -I {}", quote(&files::printable(folder))));
        let allowed = self.allow.iter().map(|lint| format!(" --allow {}", lint.name()));
        let denied = self.deny.iter().map(|name| format!(" --deny {name}"));
        defines.chain(folders).chain(allowed).chain(denied).collect()
    }
}

/// Shows a line while a program is read and assembled. Standard input may be typed on the same
/// terminal.
pub(crate) fn while_reading<T>(name: &OsStr, task: impl FnOnce() -> T) -> T {
    match name {
        name if name == files::STDIO => task(),
        name => ProgressLine::during(&format!("{:.50}: assembling", files::printable(name)), task),
    }
}

/// Loads a program and prints the assembler's warnings.
pub(crate) fn load(
    name: impl AsRef<OsStr>,
    sources: &SourceOptions,
    messages: &mut Messages,
) -> Result<LoadedProgram, Failure> {
    let program = sources.load(name).map_err(Failure::Load)?;
    if let Some(assembly) = &program.warnings {
        messages.print_diagnostics(assembly);
    }
    program.notes.iter().for_each(|note| messages.note(note));
    Ok(program)
}

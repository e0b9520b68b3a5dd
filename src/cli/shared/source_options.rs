//! The options that say how sources are assembled, the same for all commands that assemble.

use std::ffi::OsStr;
use std::path::PathBuf;

use gray1_asm::Define;

use super::machine::quoted;
use super::messages::Messages;
use super::outcome::Failure;
use crate::files;
use crate::program::{self, LoadFailure, Program};

/// The options for the assembler.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SourceOptions {
    /// Give a constant that the program defines by `.default` this value: a number, a character, or
    /// a text in quotes; may be given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<Define>,
    /// Search this folder for included files that are not beside the including one; may be given
    /// several times
    #[arg(short = 'I', long = "include", value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) folders: Vec<PathBuf>,
}

impl SourceOptions {
    /// Loads the program that a word stands for.
    pub(crate) fn load(&self, word: impl AsRef<OsStr>) -> Result<Program, LoadFailure> {
        program::load_as(word.as_ref(), &self.defines, &self.folders)
    }

    /// Loads the program of a student, who may not include what others have handed in.
    pub(crate) fn load_submission(
        &self,
        word: &OsStr,
        others: &[PathBuf],
    ) -> Result<Program, LoadFailure> {
        program::load_submission(word, &self.defines, &self.folders, others)
    }

    /// The words that ask for the same on a command line, each with a blank before it.
    pub(crate) fn words(&self) -> String {
        let defines =
            self.defines.iter().map(|define| format!(" -D {}", quoted(&define.to_string())));
        let folders =
            self.folders.iter().map(|folder| format!(" -I {}", quoted(&files::printable(folder))));
        defines.chain(folders).collect()
    }
}

/// Loads a program and prints the assembler's warnings.
pub(crate) fn load(
    word: impl AsRef<OsStr>,
    sources: &SourceOptions,
    messages: &mut Messages,
) -> Result<Program, Failure> {
    let program = sources.load(word).map_err(Failure::Load)?;
    if let Some(assembly) = &program.warnings {
        messages.assembly(assembly)?;
    }
    program.notes.iter().for_each(|note| messages.note(note));
    Ok(program)
}

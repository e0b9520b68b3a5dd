//! The results of commands, and the exit statuses.

use std::io::{self, Write as _};
use std::path::Path;

use crate::files::{self, Output};
use crate::program::LoadFailure;

/// The result of a command that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// The program halted, or the work is done.
    Success,
    /// A proof failed or a check found something. The command has reported it.
    Refuted,
    /// There was too little data for a verdict, or the data could not be read. The command has
    /// reported this.
    Undecided,
    /// The run reached `--max-instructions`.
    Limit,
    /// The number of a signal that asked to stop. The output is complete up to there.
    Signal(u8),
}

/// Why a command failed.
pub(crate) enum Failure {
    /// The program could not be loaded.
    Load(LoadFailure),
    /// Any other error.
    Message(String),
    /// A usage error that only the command itself could detect.
    Usage(String),
    /// The reader has closed our output, which needs no message.
    PipeClosed,
    /// The number of a signal that asked to stop, which needs no message.
    Signal(u8),
}

pub(crate) type Outcome = Result<Done, Failure>;

/// The exit status of a failed command.
pub(crate) const STATUS_ERROR: u8 = 1;
pub(crate) const STATUS_USAGE: u8 = 2;
pub(crate) const STATUS_UNDECIDED: u8 = 2;
pub(crate) const STATUS_LIMIT: u8 = 3;

/// A failure with this message.
pub(crate) fn failure(message: impl Into<String>) -> Failure {
    Failure::Message(message.into())
}

/// Writes to standard output.
pub(crate) fn print(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
    files::print(text.as_ref()).map_err(|error| cannot_write(Path::new(files::STDIO), &error))
}

/// Writes a report to standard output. The exit status does not depend on whether the reader reads
/// to the end.
pub(crate) fn print_report(text: &str) -> Result<(), Failure> {
    match print(text) {
        Err(Failure::PipeClosed) => Ok(()),
        printed => printed,
    }
}

/// Writes several outputs, or none if one cannot be created. `-` is standard output.
pub(crate) fn write_all(files: &[(&Path, &[u8])]) -> Outcome {
    let outputs = files
        .iter()
        .map(|(path, _)| Output::create(path).map_err(|error| cannot_write(path, &error)));
    let mut outputs: Vec<Output> = outputs.collect::<Result<_, _>>()?;
    for (output, (path, bytes)) in outputs.iter_mut().zip(files) {
        output.write_all(bytes).map_err(|error| cannot_write(path, &error))?;
    }
    for (output, (path, _)) in outputs.into_iter().zip(files) {
        output.finish().map_err(|error| cannot_write(path, &error))?;
    }
    Ok(Done::Success)
}

/// The failure to write a file, or standard output for `-`.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::PipeClosed;
    }
    let name = match path.as_os_str() {
        stdout if stdout == files::STDIO => "standard output".to_owned(),
        _ => files::printable(path),
    };
    failure(format!("cannot write {name}: {error}"))
}

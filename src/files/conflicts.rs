//! The files that this process has read and written: no output may be an input, or another output.
//! What a user types last on a command line may be the only copy of a source.
//!
//! One list for the whole process, since a process is one command: what is read need not be carried
//! to where something is written, and so cannot be forgotten on the way.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The first use of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileUse {
    Input,
    Output,
}

/// By canonical path.
static USED: Mutex<Option<HashMap<PathBuf, FileUse>>> = Mutex::new(None);

/// Takes note of a file that was read.
pub(super) fn note_input(path: &Path) {
    if let Ok(path) = super::canonical(path) {
        note(path, FileUse::Input);
    }
}

/// Takes note of an output, by its canonical path.
///
/// # Errors
/// If the file was read, or is another output.
pub(super) fn note_output(path: PathBuf) -> io::Result<()> {
    let why = match note(path, FileUse::Output) {
        None => return Ok(()),
        Some(FileUse::Input) => "it was read as an input",
        Some(FileUse::Output) => "another output goes there",
    };
    Err(io::Error::other(why))
}

/// The use of the file until now; it stays.
fn note(path: PathBuf, how: FileUse) -> Option<FileUse> {
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let used = used.get_or_insert_default();
    let before = used.get(&path).copied();
    used.entry(path).or_insert(how);
    before
}

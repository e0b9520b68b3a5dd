//! The files that this process has read and written: an output must not replace an input or another
//! output, because a mistyped output may be the only copy of a source.
//!
//! There is one list for the whole process, which is one command, so that readers need not pass
//! their files on to writers.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::STDIO;
use crate::system;

/// The first use of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileUse {
    Input,
    Output,
}

/// The first use of each file, by canonical path.
static USED: Mutex<Option<HashMap<PathBuf, FileUse>>> = Mutex::new(None);

/// Whether standard input was read.
static READS_STANDARD_INPUT: AtomicBool = AtomicBool::new(false);

/// Records that standard input is read.
///
/// # Errors
/// If it was read before: the second reader would find it empty.
pub(super) fn note_standard_input() -> io::Result<()> {
    if READS_STANDARD_INPUT.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("standard input is another input of this command"));
    }
    Ok(())
}

/// Records a file that was read.
pub(super) fn note_input(path: &Path) {
    if let Ok(path) = super::canonical(path) {
        note(path, FileUse::Input);
    }
}

/// Records an output, by its canonical path.
///
/// # Errors
/// If the file was read, or is another output.
pub(super) fn note_output(path: PathBuf) -> io::Result<()> {
    let is_standard_input = READS_STANDARD_INPUT.load(Ordering::Relaxed)
        && path.as_os_str() != STDIO
        && system::is_standard_input(&path);
    let first = is_standard_input.then_some(FileUse::Input);
    let why = match first.or_else(|| note(path, FileUse::Output)) {
        None => return Ok(()),
        Some(FileUse::Input) => "it was read as an input",
        Some(FileUse::Output) => "another output goes there",
    };
    Err(io::Error::other(why))
}

/// The first use of the file, if there was one; records this use otherwise.
fn note(path: PathBuf, how: FileUse) -> Option<FileUse> {
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let used = used.get_or_insert_default();
    let before = used.get(&path).copied();
    used.entry(path).or_insert(how);
    before
}

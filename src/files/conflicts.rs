//! Records the files that this process has read and written. An output must not replace an input or
//! another output, because a mistyped output may be the only copy of a source.
//!
//! There is one list for the whole process, since a process runs one command. So readers need not
//! pass their files on to writers.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::STDIO;
use crate::system;

/// The reason why an output may not replace an input.
const IS_INPUT: &str = "it is also an input";
const IS_OUTPUT: &str = "another output has the same path";

/// The files in use by canonical path, each with the reason why it may not be replaced.
static USED: Mutex<Option<HashMap<PathBuf, &str>>> = Mutex::new(None);

/// Whether standard input was read.
static READS_STANDARD_INPUT: AtomicBool = AtomicBool::new(false);

/// Records that standard input is read.
///
/// # Errors
/// If it was read before, because the second reader would find it empty.
pub(super) fn note_standard_input() -> io::Result<()> {
    if READS_STANDARD_INPUT.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("standard input is already another input of this command"));
    }
    Ok(())
}

/// Records a file that was read.
pub(super) fn note_input(path: &Path) {
    if let Ok(path) = super::canonical(path) {
        note(path, IS_INPUT);
    }
}

/// Records an output by its canonical path.
///
/// # Errors
/// If the file was read, or is another output.
pub(super) fn note_output(path: PathBuf) -> io::Result<()> {
    let is_standard_input = READS_STANDARD_INPUT.load(Ordering::Relaxed)
        && path.as_os_str() != STDIO
        && system::is_standard_input(&path);
    let why = if is_standard_input { Some(IS_INPUT) } else { note(path, IS_OUTPUT) };
    why.map_or(Ok(()), |why| Err(io::Error::other(why)))
}

/// Records a file with the reason why it may not be replaced. If a reason is already recorded for
/// the file, keeps and returns that one.
fn note(path: PathBuf, why: &'static str) -> Option<&'static str> {
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    match used.get_or_insert_default().entry(path) {
        Entry::Occupied(before) => Some(before.get()),
        Entry::Vacant(unused) => {
            unused.insert(why);
            None
        }
    }
}

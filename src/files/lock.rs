//! A lock on a folder, for those of our files there that several processes change.

use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::system;

/// The longest that a process waits for the others; each is done in milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time between two attempts.
const GLANCE: Duration = Duration::from_millis(2);

/// A folder that no other process has locked. However the process ends, the lock ends with it.
#[derive(Debug)]
pub(crate) struct FolderLock(#[expect(dead_code, reason = "open, it holds the lock")] File);

/// Locks a folder.
///
/// # Errors
/// If there is no such folder, or another process does not let go of it.
pub(crate) fn lock(folder: &Path) -> io::Result<FolderLock> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let start = Instant::now();
    loop {
        match system::try_lock(folder)? {
            Some(lock) => return Ok(FolderLock(lock)),
            None if start.elapsed() < PATIENCE => thread::sleep(GLANCE),
            None => return Err(io::Error::other("another process has locked the folder")),
        }
    }
}

//! Locks a folder while files in it change, because several processes may change them.

use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::system;

/// The maximum wait for other processes, each of which holds the lock for milliseconds.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The time between two attempts.
const RETRY_PERIOD: Duration = Duration::from_millis(2);

/// Locks a folder until the returned file is closed or the process ends.
///
/// # Errors
/// If there is no such folder, or another process keeps it locked.
pub(crate) fn lock(folder: &Path) -> io::Result<File> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let start = Instant::now();
    loop {
        match system::try_lock(folder)? {
            Some(lock) => return Ok(lock),
            None if start.elapsed() < TIMEOUT => thread::sleep(RETRY_PERIOD),
            None => return Err(io::Error::other("another process has locked the folder")),
        }
    }
}

//! A lock on a folder, for those of our files there that several processes change.

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

/// The longest that a process waits for the others; each is done in milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time between two attempts.
const GLANCE: Duration = Duration::from_millis(2);

/// A folder that no other process has locked. However the process ends, the lock ends with it.
#[derive(Debug)]
pub(crate) struct FolderLock(#[expect(dead_code, reason = "open, it holds the lock")] File);

/// Locks a folder. The folder itself, not a file in it: files are replaced, and a lock would stay
/// with the old one. On a file system without such locks there is none, and the last writer wins.
///
/// # Errors
/// If there is no such folder, or another process does not let go of it.
pub(crate) fn lock(folder: &Path) -> io::Result<FolderLock> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let flags = OFlags::DIRECTORY | OFlags::NONBLOCK;
    let folder =
        File::options().read(true).custom_flags(flags.bits().cast_signed()).open(folder)?;
    let start = Instant::now();
    loop {
        match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) if start.elapsed() < PATIENCE => thread::sleep(GLANCE),
            Err(Errno::WOULDBLOCK) => {
                return Err(io::Error::other("another process has locked the folder"));
            }
            Err(Errno::INTR) => {}
            Ok(()) | Err(_) => return Ok(FolderLock(folder)),
        }
    }
}

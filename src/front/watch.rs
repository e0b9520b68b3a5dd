//! Watches the files of a program by polling them a few times a second. This is cheap and works
//! with every editor and every file system.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::events::FrontEvent;
use crate::system::FileStamp;

/// The time between two polls.
pub(crate) const WATCH_PERIOD: Duration = Duration::from_millis(200);

/// The watched files, each with its state at the last poll.
#[derive(Debug, Clone, Default)]
pub(super) struct WatchedFiles(Arc<Mutex<HashMap<PathBuf, Option<FileStamp>>>>);

/// The state of a file. `None` if it does not exist.
fn stamp(path: &Path) -> Option<FileStamp> {
    fs::metadata(path).ok().as_ref().map(FileStamp::from_metadata)
}

impl WatchedFiles {
    /// Starts a thread that sends events about changes.
    pub(super) fn start(events: Sender<FrontEvent>) -> Self {
        let watched = Self::default();
        let here = watched.clone();
        thread::spawn(move || {
            let mut changes = FileChanges { watched: here, has_changes: false };
            loop {
                thread::sleep(WATCH_PERIOD);
                if changes.have_settled() && events.send(FrontEvent::SourcesChanged).is_err() {
                    return;
                }
            }
        });
        watched
    }

    /// Watches these files from now on, and no others.
    pub(super) fn set(&self, files: Vec<PathBuf>) {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A change since the last poll is still reported.
        let files = files.into_iter().map(|path| {
            let seen = watched.get(&path).copied().unwrap_or_else(|| stamp(&path));
            (path, seen)
        });
        *watched = files.collect();
    }

    /// True if a file has changed, appeared or vanished since the last poll.
    pub(super) fn poll(&self) -> bool {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = false;
        for (path, seen) in watched.iter_mut() {
            let now = stamp(path);
            if now != *seen {
                *seen = now;
                changed = true;
            }
        }
        changed
    }
}

/// Detects changes of watched files, for a caller that polls.
#[derive(Debug, Default)]
pub(crate) struct FileChanges {
    watched: WatchedFiles,
    has_changes: bool,
}

impl FileChanges {
    /// Watches these files from now on, and no others.
    pub(crate) fn watch(&mut self, files: Vec<PathBuf>) {
        self.watched.set(files);
    }

    /// Polls the files. Returns true if this poll finds no changes but the previous one did. While
    /// polls find changes, other files can still be changing, and some editors remove a file before
    /// they write it.
    pub(crate) fn have_settled(&mut self) -> bool {
        let changes = self.watched.poll();
        let had_changes = std::mem::replace(&mut self.has_changes, changes);
        had_changes && !changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.asm");
        fs::write(&path, "one").unwrap();
        let watched = WatchedFiles::default();
        watched.set(vec![path.clone()]);
        assert!(!watched.poll());
        fs::write(&path, "three").unwrap();
        // A change that was not polled yet is kept.
        watched.set(vec![path.clone()]);
        assert!(watched.poll() && !watched.poll());
        fs::remove_file(&path).unwrap();
        assert!(watched.poll() && !watched.poll());
        fs::write(&path, "fourth").unwrap();
        assert!(watched.poll());
        // Another file of the same size takes its name.
        fs::write(folder.path().join("other"), "fifths").unwrap();
        fs::rename(folder.path().join("other"), &path).unwrap();
        assert!(watched.poll() && !watched.poll());
        // This file did not exist before.
        let part = folder.path().join("part.asm");
        watched.set(vec![path.clone(), part.clone()]);
        assert!(!watched.poll());
        fs::write(&part, "new").unwrap();
        assert!(watched.poll());
    }
}

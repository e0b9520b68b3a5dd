//! Watches the files that a program was made from, by looking at them a few times a second: that is
//! cheap, and works with every editor and every file system.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use super::events::Event;

/// The time between two looks.
const PERIOD: Duration = Duration::from_millis(200);

/// The files that are watched.
#[derive(Debug, Clone, Default)]
pub(super) struct Watched(Arc<Mutex<Vec<File>>>);

/// A file as it was when it was last looked at.
#[derive(Debug)]
struct File {
    path: PathBuf,
    seen: Option<Stamp>,
}

/// What changes when a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Stamp {
    /// `None` of a file that is not there, as in the middle of an editor's saving it.
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self { modified: metadata.modified().ok(), bytes: metadata.len() })
    }
}

impl Watched {
    /// Starts a thread that tells of changes.
    pub(super) fn start(events: Sender<Event>) -> Self {
        let watched = Self::default();
        let here = watched.clone();
        thread::spawn(move || {
            let mut unsaid = false;
            loop {
                thread::sleep(PERIOD);
                let changes = here.look();
                // Not before a look at which nothing changed: several files may be on their way.
                if unsaid && !changes && events.send(Event::SourcesChanged).is_err() {
                    return;
                }
                unsaid = changes;
            }
        });
        watched
    }

    /// Watches these files from now on, and no others.
    pub(super) fn set(&self, files: Vec<PathBuf>) {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |path: &Path| watched.iter().find(|file| file.path == *path);
        // What has changed since the last look is still to be told.
        let seen = |path: &Path| known(path).map_or_else(|| Stamp::of(path), |file| file.seen);
        *watched = files.into_iter().map(|path| File { seen: seen(&path), path }).collect();
    }

    /// Whether a file has changed since the last look.
    fn look(&self) -> bool {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = false;
        for File { path, seen } in watched.iter_mut() {
            let stamp = Stamp::of(path);
            if stamp.is_some() && stamp != *seen {
                *seen = stamp;
                changed = true;
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_once_and_a_file_that_is_gone_is_none() {
        let directory = std::env::temp_dir().join(format!("gray1-watch-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("a.asm");
        fs::write(&path, "one").unwrap();
        let watched = Watched::default();
        watched.set(vec![path.clone()]);
        assert!(!watched.look());
        fs::write(&path, "three").unwrap();
        // What was not looked at yet is not forgotten.
        watched.set(vec![path.clone()]);
        assert!(watched.look() && !watched.look());
        fs::remove_file(&path).unwrap();
        assert!(!watched.look());
        fs::write(&path, "fourth").unwrap();
        assert!(watched.look());
        fs::remove_dir_all(&directory).unwrap();
    }
}

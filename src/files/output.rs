//! Writes files atomically.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, PersistError};

use super::{STDIO, canonical, conflicts, parent, printable};
use crate::system;

/// Writes to standard output.
pub(crate) fn print(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// Writes an output atomically, so that a failure leaves the old file unchanged. `-` is standard
/// output.
///
/// # Errors
/// If it is an input or another output of this process, or cannot be written.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(bytes)?;
    output.finish()
}

/// Like [`write()`], but for a file that is edited in place. The file can also be an input of this
/// process.
pub(crate) fn rewrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut output = Output::open(OutputTarget::from_path(path)?)?;
    output.write_all(bytes)?;
    output.finish()
}

/// Like [`rewrite`], but for a folder that can come from another person. Links are not followed,
/// because they could point to any of the user's files. Errors are messages for users.
pub(crate) fn rewrite_unlinked(path: &Path, bytes: &[u8]) -> Result<(), String> {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_symlink() => return Err(cannot_write(path, "it is a symbolic link")),
        Ok(meta) if !meta.is_file() => {
            return Err(cannot_write(path, "it is not a regular file"));
        }
        _ => {}
    }
    let file = write_temporary(path, bytes)?;
    rename(file, |file| file.persist(path)).map_err(|error| cannot_write(path, error))
}

/// Writes a file atomically, unless a file of that name exists. Errors are messages for users.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    let file = write_temporary(path, bytes)?;
    match rename(file, |file| file.persist_noclobber(path)) {
        Err(came_first) if came_first.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        written => written.map_err(|error| cannot_write(path, error)),
    }
}

/// Creates a temporary file next to a target, with these bytes.
fn write_temporary(target: &Path, bytes: &[u8]) -> Result<NamedTempFile, String> {
    let mut file = create_temporary(target).map_err(|error| cannot_write(target, error))?;
    let written = file.as_file_mut().write_all(bytes);
    written.map(|()| file).map_err(|error| cannot_write(target, error))
}

fn cannot_write(path: &Path, why: impl Display) -> String {
    format!("cannot write {}: {why}", printable(path))
}

/// Creates a folder with its parents, unless it exists. Errors are messages for users.
pub(crate) fn make_folder(folder: &Path) -> Result<(), String> {
    let name = printable(folder);
    if !folder.is_dir() && (folder.exists() || folder.is_symlink()) {
        let what = if folder.exists() { "not a folder" } else { "a broken link" };
        return Err(format!("{name} is {what}"));
    }
    // An empty path is the current folder.
    fs::create_dir_all(Path::new(".").join(folder))
        .map_err(|error| format!("cannot create {name}: {error}"))
}

/// A file that is being written. When it is finished, it replaces the old file. If it is dropped
/// before then, the new file is removed and the old one stays. Standard output, pipes and devices
/// are written directly.
pub(crate) struct Output {
    to: BufWriter<OutputSink>,
}

/// The destination of an output.
enum OutputTarget {
    Stdout,
    /// A pipe or a device.
    Device(PathBuf),
    /// A file by its canonical path, with the permissions of the existing file.
    File(PathBuf, Option<fs::Permissions>),
}

enum OutputSink {
    /// A temporary file next to the target.
    Whole { file: NamedTempFile, target: PathBuf },
    /// Standard output, a pipe or a device.
    Direct(Box<dyn Write>),
}

impl Output {
    /// Begins an output.
    ///
    /// # Errors
    /// If it is an input or another output of this process, or cannot be written.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let target = OutputTarget::from_path(path)?;
        match &target {
            OutputTarget::Stdout => conflicts::note_output(STDIO.into())?,
            OutputTarget::File(path, _) => conflicts::note_output(path.clone())?,
            OutputTarget::Device(_) => {}
        }
        Self::open(target)
    }

    fn open(target: OutputTarget) -> io::Result<Self> {
        let sink = match target {
            OutputTarget::Stdout => OutputSink::Direct(Box::new(io::stdout())),
            OutputTarget::Device(path) => OutputSink::Direct(Box::new(system::open_device(&path)?)),
            OutputTarget::File(target, permissions) => {
                let file = create_temporary(&target)?;
                if let Some(permissions) = permissions {
                    // Replacing a file needs only rights on its folder. This checks the rights on
                    // the file itself.
                    File::options().append(true).open(&target)?;
                    file.as_file().set_permissions(permissions)?;
                }
                OutputSink::Whole { file, target }
            }
        };
        Ok(Self { to: BufWriter::new(sink) })
    }

    /// Completes the output and replaces the old file.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.to.into_inner().map_err(io::IntoInnerError::into_error)? {
            OutputSink::Whole { file, target } => rename(file, |file| file.persist(target)),
            OutputSink::Direct(mut to) => to.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl OutputTarget {
    fn from_path(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == STDIO {
            return Ok(Self::Stdout);
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            // Replaces the file that a link points to and keeps the link. The permissions stay the
            // same.
            Ok(metadata) if metadata.is_file() => {
                Ok(Self::File(canonical(path)?, Some(metadata.permissions())))
            }
            Ok(_) => Ok(Self::Device(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Keeps a link, even if the file that it points to does not exist yet.
                if let Ok(target) = fs::read_link(path) {
                    return Self::from_path(&path.with_file_name(target));
                }
                let name = path.file_name().ok_or(error)?;
                Ok(Self::File(canonical(parent(path))?.join(name), None))
            }
            Err(error) => Err(error),
        }
    }
}

fn create_temporary(target: &Path) -> io::Result<NamedTempFile> {
    let folder = parent(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gray1-");
    system::permit(&mut builder, true);
    fs::metadata(folder)?;
    let mut unfinished = unfinished();
    // The original error would name the temporary file.
    let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    unfinished.push(file.path().to_owned());
    Ok(file)
}

/// Gives a temporary file its final name.
fn rename(
    file: NamedTempFile,
    persist: impl FnOnce(NamedTempFile) -> Result<File, PersistError>,
) -> io::Result<()> {
    let mut unfinished = unfinished();
    unfinished.retain(|path| path != file.path());
    persist(file).map(drop).map_err(|error| error.error)
}

/// The temporary files that do not have their final name yet. The list is locked while such a file
/// is created or renamed.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files when the process ends. The lock is never released, so no more
/// temporary files can be created.
pub(crate) fn discard_unfinished() {
    let unfinished = unfinished();
    for path in &*unfinished {
        // Those whose writing failed have been removed already.
        let _ = fs::remove_file(path);
    }
    mem::forget(unfinished);
}

impl Write for OutputSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // Not through the wrapper, whose errors name the temporary file.
            Self::Whole { file, .. } => file.as_file_mut().write(bytes),
            Self::Direct(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Whole { file, .. } => file.flush(),
            Self::Direct(to) => to.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_finished_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"new").unwrap();
        output.flush().unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_existing_file_is_not_replaced_by_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        write_new(&path, b"one").unwrap();
        write_new(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let [new, dangling] = ["new", "dangling"].map(|name| folder.path().join(name));
        symlink("new", &dangling).unwrap();
        write(&dangling, b"made").unwrap();
        assert_eq!(fs::read(&new).unwrap(), b"made");
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}

//! Reads regular files without blocking. Reads a file either whole, up to the size of the largest
//! program, or as a stream.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;

use gray1_isa::format::{self, FILE_BYTES_MAX};

use super::{STDIO, conflicts, message, printable};
use crate::system;

/// Reads a file, or standard input for `-`. Afterwards, outputs may not replace the file.
///
/// # Errors
/// If it is not a regular file, is larger than any program, cannot be read, or is standard input
/// for the second time.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() == STDIO {
        conflicts::note_standard_input()?;
        return read_bounded(io::stdin().lock());
    }
    let bytes = read_own(path)?;
    conflicts::note_input(path);
    Ok(bytes)
}

/// The maximum length of a file that is read as a stream.
const STREAM_BYTES_MAX: u64 = 16 << 30;

/// Opens a file that may be too long for memory, to be read as a stream. From then on no output may
/// replace it. Standard input and pipes from a shell are copied first, because they cannot be read
/// twice.
///
/// # Errors
/// If it is not a regular file, is longer than [`STREAM_BYTES_MAX`], or cannot be read.
pub(crate) fn open_stream(path: &Path) -> io::Result<impl Read + Seek + use<>> {
    if path.as_os_str() == STDIO {
        conflicts::note_standard_input()?;
        return copy_to_temporary(io::stdin().lock());
    }
    let file = open(path, STREAM_BYTES_MAX)?;
    if is_from_shell(path) {
        return copy_to_temporary(file);
    }
    conflicts::note_input(path);
    Ok(file)
}

/// Like [`read`], but outputs may replace the file afterwards. For files that this program writes
/// itself, such as the user's settings.
pub(crate) fn read_own(path: &Path) -> io::Result<Vec<u8>> {
    read_bounded(open(path, FILE_BYTES_MAX as u64)?)
}

/// Reads a UTF-8 file. Errors are messages with the file and the position in it.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let name = printable(path);
    let bytes = read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    format::into_text(bytes).map_err(|error| message(path, error.position, &error))
}

/// Copies the bytes of a pipe to a temporary file.
fn copy_to_temporary(from: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    match io::copy(&mut from.take(STREAM_BYTES_MAX + 1), &mut file)? {
        0..=STREAM_BYTES_MAX => Ok(file),
        _ => Err(too_large(STREAM_BYTES_MAX)),
    }
}

/// Whether a path names a pipe that the shell has opened, such as the one for `<(zcat FILE)`. Such
/// a pipe has a writer, so reading it ends.
fn is_from_shell(path: &Path) -> bool {
    (path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd"))
        && path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn open(path: &Path, bytes_max: u64) -> io::Result<File> {
    if is_from_shell(path) {
        return File::open(path);
    }
    // Check before opening the file, because some devices act when they are opened.
    check(&path.metadata()?, bytes_max)?;
    // Check again, because a pipe can have replaced the file. `system::open` does not wait for the
    // writer of a pipe.
    let file = system::open(path)?;
    check(&file.metadata()?, bytes_max)?;
    Ok(file)
}

fn check(metadata: &Metadata, bytes_max: u64) -> io::Result<()> {
    if metadata.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else if !metadata.is_file() {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    } else if metadata.len() > bytes_max {
        Err(too_large(bytes_max))
    } else {
        Ok(())
    }
}

/// Reads one byte more than the limit, to detect a file that is too long.
fn read_bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > FILE_BYTES_MAX { Err(too_large(FILE_BYTES_MAX as u64)) } else { Ok(bytes) }
}

fn too_large(bytes_max: u64) -> io::Error {
    let limit_mib = bytes_max >> 20;
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {limit_mib} MiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_too_large_is_refused_without_reading_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        // A sparse file: a gibibyte that occupies no disk space and would take long to read.
        File::create(&path).unwrap().set_len(1 << 30).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    /// A pipe can take the name of a file between the check and the opening.
    #[cfg(unix)]
    #[test]
    fn a_pipe_without_a_writer_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        // rustix does not have this call for macOS.
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}

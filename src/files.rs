//! Files as this program treats them: read with a bound, written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use gray1_isa::format::{self, FILE_BYTES_MAX, LoadError};
use tempfile::NamedTempFile;

/// The name that stands for standard input or output on a command line.
pub(crate) const STDIO: &str = "-";

/// A path or another text from outside, fit to be shown: no control characters.
pub(crate) fn printable(text: impl AsRef<Path>) -> String {
    let text = text.as_ref().to_string_lossy();
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Reads a file that may be a program, or standard input for `-`. Of one that is too long for a
/// program no more is read than it takes to know.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.as_os_str() == STDIO {
        bound(io::stdin().lock()).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        if metadata.len() > FILE_BYTES_MAX as u64 {
            return Err(too_large());
        }
        bound(file).read_to_end(&mut bytes)?;
    }
    if bytes.len() > FILE_BYTES_MAX { Err(too_large()) } else { Ok(bytes) }
}

/// Reads a text. Errors are in words, and name the file and the place in it.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let name = printable(path);
    let bytes = read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    format::into_text(bytes).map_err(|error| refused(path, &error))
}

/// Why a file is not what it should be, in words, with the place in it.
pub(crate) fn refused(path: &Path, error: &LoadError) -> String {
    let name = printable(path);
    match error.position {
        Some(position) => format!("{name}:{position}: {error}"),
        None => format!("{name}: {error}"),
    }
}

fn bound(reader: impl Read) -> impl Read {
    reader.take(FILE_BYTES_MAX as u64 + 1)
}

fn too_large() -> io::Error {
    let limit_mib = FILE_BYTES_MAX >> 20;
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {limit_mib} MiB"))
}

/// Our folder in one of the user's base directories, after the XDG Base Directory Specification:
/// the directory that the variable `base` names, else `in_home`. Paths that are not absolute do not
/// count. `variable` looks an environment variable up.
pub(crate) fn xdg_folder(
    variable: impl Fn(&str) -> Option<OsString>,
    base: &str,
    in_home: &str,
) -> Option<PathBuf> {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = folder(base).or_else(|| folder("HOME").map(|home| home.join(in_home)));
    base.map(|base| base.join("gray1"))
}

/// The files that a program was read from. No command writes over them: what a user types last on
/// a command line may be the only copy of a source.
#[derive(Debug, Default)]
pub(crate) struct Inputs(Vec<PathBuf>);

impl Inputs {
    /// Takes note of a file that was read; `-` and what is gone are not files.
    pub(crate) fn add(&mut self, path: &Path) {
        if path.as_os_str() != STDIO {
            self.0.extend(path.canonicalize());
        }
    }

    /// Writes a file whole, or leaves what was there, unless it is one of these.
    pub(crate) fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.check(path)?;
        write(path, bytes)
    }

    /// Begins to write a file, unless it is one of these.
    pub(crate) fn output(&self, path: &Path) -> io::Result<Output> {
        self.check(path)?;
        Output::create(path)
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        match path.canonicalize() {
            Ok(path) if path.is_file() && self.0.contains(&path) => {
                Err(io::Error::other("the program was read from this file"))
            }
            _ => Ok(()),
        }
    }
}

/// Writes a file whole, or leaves what was there. `-` is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(bytes)?;
    output.finish()
}

/// Writes a file whole, unless something of its name is there: then that stays.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    let mut file = temporary_beside(path)?;
    file.as_file_mut().write_all(bytes)?;
    match file.persist_noclobber(path) {
        Err(came_first) if came_first.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        written => written.map(drop).map_err(|error| error.error),
    }
}

/// A file that is being written. It replaces the file of its name when it is finished; dropped
/// before that, it leaves no trace. Standard output, a pipe or a device cannot be replaced: there
/// the bytes go out as they come.
pub(crate) struct Output {
    to: BufWriter<Sink>,
}

enum Sink {
    /// A temporary file beside the target.
    Whole { file: NamedTempFile, target: PathBuf },
    /// Standard output, a pipe or a device.
    Direct(Box<dyn Write>),
}

impl Output {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { to: BufWriter::new(Sink::create(path)?) })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.to.into_inner().map_err(io::IntoInnerError::into_error)? {
            Sink::Whole { file, target } => {
                file.persist(target).map_err(|error| error.error)?;
                Ok(())
            }
            Sink::Direct(mut to) => to.flush(),
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

impl Sink {
    fn create(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == STDIO {
            return Ok(Self::Direct(Box::new(io::stdout())));
        }
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            // A link stays, and what it points to is replaced; so do the rights of the file.
            Ok(there) if there.is_file() => {
                let target = path.canonicalize()?;
                // Rights to replace a file are rights on its folder: ask for those on the file.
                File::options().append(true).open(&target)?;
                Self::beside(target, Some(there.permissions()))
            }
            Ok(_) => Ok(Self::Direct(Box::new(File::options().write(true).open(path)?))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
                // A link stays, also one to a file that is not there yet.
                Ok(target) => Self::create(&path.with_file_name(target)),
                Err(_) => Self::beside(path.to_owned(), None),
            },
            Err(error) => Err(error),
        }
    }

    fn beside(target: PathBuf, permissions: Option<fs::Permissions>) -> io::Result<Self> {
        let file = temporary_beside(&target)?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self::Whole { file, target })
    }
}

fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gray1-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file: what the user's mask leaves of it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    fs::metadata(folder)?;
    // Its own words would name the temporary file.
    builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // Not through the wrapper: its errors name the temporary file.
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
    fn what_has_the_name_of_a_new_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        write_new(&path, b"one").unwrap();
        write_new(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_the_rights_of_a_file_stay() {
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

    #[test]
    fn what_would_be_shown_is_made_harmless() {
        assert_eq!(printable("a\u{1b}[31m\nb"), "a\u{fffd}[31m\u{fffd}b");
    }

    #[test]
    fn a_file_beyond_the_bound_is_refused_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        // Sparse: a gibibyte that takes no room and would take long to read.
        File::create(&path).unwrap().set_len(1 << 30).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}

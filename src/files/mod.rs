//! The one door to files. Only regular files of a bounded size are read, so that no command waits
//! for a pipe or a device; outputs are written whole or not at all, and never over an input.

mod input;
mod lock;
mod output;
mod used;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use gray1_isa::format::LoadError;

pub(crate) use input::{read, read_own, read_text};
pub(crate) use lock::{FolderLock, lock};
pub(crate) use output::{Output, make_folder, print, rewrite, rewrite_unlinked, write, write_new};

/// The name that stands for standard input or output on a command line.
pub(crate) const STDIO: &str = "-";

/// A path or another text from outside, fit to be shown: no control characters.
pub(crate) fn printable(text: impl AsRef<Path>) -> String {
    let text = text.as_ref().to_string_lossy();
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Why a file is not what it should be, in words, with the place in it.
pub(crate) fn refused(path: &Path, error: &LoadError) -> String {
    let name = printable(path);
    match error.position {
        Some(position) => format!("{name}:{position}: {error}"),
        None => format!("{name}: {error}"),
    }
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

/// The folder that a path is in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_shown_is_made_harmless() {
        assert_eq!(printable("a\u{1b}[31m\nb"), "a\u{fffd}[31m\u{fffd}b");
    }
}

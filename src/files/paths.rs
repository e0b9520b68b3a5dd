//! Handles paths by the conventions of the operating system.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf, is_separator};

use crate::system;

/// True for a word that is a path even if no such file exists: it contains a separator or a `.`.
pub(crate) fn is_path(word: impl AsRef<OsStr>) -> bool {
    word.as_ref().to_string_lossy().contains(|c| c == '.' || is_separator(c))
}

/// The path of a file whose name is relative to another file. A `/` in either stays a `/` on every
/// system.
pub(crate) fn resolve(file: &str, name: &str) -> String {
    let folder = file.rfind(is_separator).map_or("", |end| &file[..=end]);
    if Path::new(name).has_root() { name.to_owned() } else { format!("{folder}{name}") }
}

/// The path of a file in a folder. The separator between them is `/` on every system, as in
/// documents and `.include`.
pub(crate) fn inside(folder: &Path, name: impl AsRef<OsStr>) -> PathBuf {
    let ends = folder.as_os_str().to_string_lossy().ends_with(is_separator);
    let separator = if ends || folder.as_os_str().is_empty() { "" } else { "/" };
    OsString::from_iter([folder.as_os_str(), OsStr::new(separator), name.as_ref()]).into()
}

/// Encodes a path as a unique string. Bytes that are not UTF-8 become a NUL and hexadecimal digits,
/// because a path never contains a NUL.
pub(crate) fn encode_path(path: &Path) -> String {
    let chunks = path.as_os_str().as_encoded_bytes().utf8_chunks().map(|chunk| {
        let bytes = chunk.invalid().iter().map(|byte| format!("\0{byte:02x}"));
        chunk.valid().to_owned() + &bytes.collect::<String>()
    });
    chunks.collect()
}

/// Decodes a path that [`encode_path`] has encoded.
pub(crate) fn decode_path(text: &str) -> PathBuf {
    let (begin, rest) = text.split_once('\0').unwrap_or((text, ""));
    let mut bytes = begin.as_bytes().to_owned();
    for part in rest.split_terminator('\0') {
        let byte = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.extend(byte);
        bytes.extend(part.bytes().skip(2));
    }
    system::os_string(bytes).into()
}

/// The canonical path of a file: absolute and without links.
///
/// # Errors
/// If it does not exist.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    let path = path.canonicalize()?;
    match path.to_str() {
        Some(text) if cfg!(windows) => Ok(strip_verbatim_prefix(text).into()),
        _ => Ok(path),
    }
}

/// Removes the prefix `\\?\` that Windows adds to canonical paths. Editors do not use it, and a `/`
/// is not a separator in a path with this prefix.
fn strip_verbatim_prefix(path: &str) -> String {
    match path.strip_prefix(r"\\?\") {
        Some(rest) if rest.get(1..3) == Some(r":\") => rest.to_owned(),
        Some(rest) => rest.strip_prefix(r"UNC\").map_or(path.to_owned(), |it| format!(r"\\{it}")),
        None => path.to_owned(),
    }
}

/// The folder `gray1` in one of the user's base directories (XDG Base Directory Specification). The
/// environment variable `base` names the base directory. Its default is `in_home` in the home
/// directory, or the local application data on Windows. Environment variables with relative paths
/// are ignored. `env_var` looks up an environment variable.
pub(crate) fn app_folder(
    env_var: impl Fn(&str) -> Option<OsString>,
    base: &str,
    in_home: &str,
) -> Option<PathBuf> {
    let folder = |name| env_var(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else {
        folder("HOME").map(|home| home.join(in_home))
    };
    folder(base).or(home).map(|base| base.join("gray1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_included_name_keeps_the_users_spelling() {
        for (file, name, path) in [
            ("a/b.asm", "lib/c.asm", "a/lib/c.asm"),
            ("b.asm", "../c.asm", "../c.asm"),
            ("<stdin>", "c.asm", "c.asm"),
            ("a/b.asm", "/c.asm", "/c.asm"),
        ] {
            assert_eq!(resolve(file, name), path);
        }
    }

    #[test]
    fn windows_prefixes_of_canonical_paths_are_removed() {
        for (literal, path) in [
            (r"\\?\C:\a b\c.asm", r"C:\a b\c.asm"),
            (r"\\?\UNC\server\share\a", r"\\server\share\a"),
            (r"\\?\Volume{1}\a", r"\\?\Volume{1}\a"),
            (r"D:\a", r"D:\a"),
        ] {
            assert_eq!(strip_verbatim_prefix(literal), path);
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_utf_8_are_encoded_without_loss() {
        use std::os::unix::ffi::OsStringExt as _;
        let paths = [&b"a/b"[..], b"\xff", b"a\xfe/\xff\xffb\xc3", "\u{fffd}\u{e9}".as_bytes()];
        let paths = paths.map(|bytes| PathBuf::from(OsString::from_vec(bytes.to_owned())));
        for path in &paths {
            assert_eq!(decode_path(&encode_path(path)), *path);
        }
        assert_eq!(encode_path(&paths[0]), "a/b");
        assert_eq!(encode_path(&paths[1]), "\0ff");
    }

    #[test]
    fn a_word_with_a_separator_or_a_dot_is_a_path() {
        assert!(["a/b", "a.asm", "./queens"].into_iter().all(is_path));
        assert!(!is_path("queens"));
        assert_eq!(is_path(r"a\b"), cfg!(windows));
    }
}

//! Read-only copies of the built-in files in the user's cache directory, where editors can open
//! them.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use gray1_programs::{self as builtin, BuiltInFile};

use crate::files;
use crate::system;

/// Returns the path of the copy of the built-in file with this identity. Writes the copy if it is
/// missing or differs from the file.
pub(super) fn copy_path(identity: &str) -> Option<PathBuf> {
    let file = builtin::file(builtin::built_in_path(identity)?)?;
    copy(&folder(|name| std::env::var_os(name))?, file).ok()
}

/// The identity of the built-in file whose copy has this canonical path.
pub(super) fn original(path: &Path) -> Option<String> {
    let folder = files::canonical(&folder(|name| std::env::var_os(name))?).ok()?;
    let file = builtin::FILES.iter().find(|file| folder.join(file.path) == path)?;
    Some(builtin::identity(*file))
}

/// The folder of the copies, in the user's cache directory. Each version of `gray1` has its own.
fn folder(env_var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = files::app_folder(env_var, "XDG_CACHE_HOME", ".cache");
    folder.map(|folder| folder.join(env!("CARGO_PKG_VERSION")))
}

fn copy(folder: &Path, file: BuiltInFile) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    // Editors resolve links, so the path is canonical.
    let path = files::canonical(folder)?.join(file.path);
    if files::read_own(&path).is_ok_and(|copy| copy == file.text.as_bytes()) {
        return Ok(path);
    }
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent)?;
    let mut builder = tempfile::Builder::new();
    system::permit(&mut builder, false);
    let mut copy = builder.tempfile_in(parent)?;
    copy.write_all(file.text.as_bytes())?;
    copy.persist(&path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_read_only_and_repaired() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("gray1");
        let file = builtin::file("lib/std.asm").unwrap();
        for damage in [None, Some(""), Some("; another version\n")] {
            let path = copy(&folder, file).unwrap();
            assert!(path.ends_with("gray1/lib/std.asm"), "{}", path.display());
            assert_eq!(fs::read_to_string(&path).unwrap(), file.text);
            assert_eq!(fs::metadata(&path).unwrap().permissions().readonly(), cfg!(unix));
            if let Some(text) = damage {
                fs::remove_file(&path).unwrap();
                fs::write(&path, text).unwrap();
            }
        }
        assert_eq!(fs::read_dir(folder.join("lib")).unwrap().count(), 1);
    }

    #[test]
    fn each_version_has_its_folder_in_the_users_cache() {
        let below = |variables: &'static [(&str, &str)]| {
            let found = |name: &str| variables.iter().find(|(known, _)| *known == name);
            folder(|name| found(name).map(|(_, value)| value.into()))
        };
        let version = env!("CARGO_PKG_VERSION");
        let cache = PathBuf::from("/cache/gray1").join(version);
        assert_eq!(below(&[("XDG_CACHE_HOME", "/cache"), ("HOME", "/me")]), Some(cache));
        let home = PathBuf::from("/me/.cache/gray1").join(version);
        assert_eq!(below(&[("XDG_CACHE_HOME", "cache"), ("HOME", "/me")]), Some(home));
        assert_eq!(below(&[]), None);
    }
}

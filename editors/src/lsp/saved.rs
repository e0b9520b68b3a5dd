//! The files that the server gets from its driver: those that are not open in the client.

use std::path::{Path, PathBuf};

use gray1_asm::{InputFile, Source};

/// The saved files, and the copies of the built-in ones. The server itself reads no files.
pub trait SavedFiles {
    /// The identity of the file at a path. It is the same for every path of the file. The copy of a
    /// built-in file has the identity of the built-in file.
    fn identity(&self, path: &Path) -> String;

    /// The source in a file. `None` if the file is missing or is not UTF-8.
    fn source(&self, path: &Path) -> Option<Source>;

    /// Finds an include file by name: next to the including file, in one of these folders, or built
    /// in.
    ///
    /// # Errors
    /// A short message if there is no such file, or it is not UTF-8.
    fn included(
        &self,
        includer: &InputFile,
        name: &str,
        folders: &[PathBuf],
    ) -> Result<Source, String>;

    /// The names of the sources and subfolders in a folder. Names of subfolders end in `/`.
    fn names_in(&self, folder: &Path) -> Vec<String>;

    /// The sources in a folder that are short enough to search. For a large folder, only some of
    /// them.
    fn sources_in(&self, folder: &Path) -> Vec<PathBuf>;

    /// The path at which an editor can open the file with this identity. For a built-in file, the
    /// path of its copy.
    fn path_of(&self, identity: &str) -> Option<PathBuf>;
}

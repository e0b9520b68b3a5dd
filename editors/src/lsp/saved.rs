//! What the server asks its driver for: the files that are not open in the client.

use std::path::{Path, PathBuf};

use gray1_asm::{InputFile, Source};

/// The saved files, and the copies of the built-in ones. The server itself reads no files.
pub trait SavedFiles {
    /// The identity of a file, however a path leads to it. The copy of a built-in file has the
    /// identity of that.
    fn identity(&self, path: &Path) -> String;

    /// A file as the assembler takes it, if there is one that it can take.
    fn source(&self, path: &Path) -> Option<Source>;

    /// The file that another one includes by this name.
    ///
    /// # Errors
    /// If there is no such file, or it is not text: a short message that says why.
    fn included(&self, includer: &InputFile, name: &str) -> Result<Source, String>;

    /// The sources in a folder which are not too long to be searched; of a large folder, some.
    fn sources_in(&self, folder: &Path) -> Vec<PathBuf>;

    /// The path at which an editor can open the built-in file of this identity.
    fn copy_of(&self, identity: &str) -> Option<PathBuf>;
}

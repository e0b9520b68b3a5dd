//! The language server's access to the files on disk.

use std::path::{Path, PathBuf};

use gray1_asm::{InputFile, Source};
use gray1_editors::lsp::SavedFiles;

use super::copies;
use crate::cli::shared::programs::names_in;
use crate::files;
use crate::program;

/// The maximum number of names read from a folder.
const NAMES_MAX: usize = 4096;
/// The maximum number of sources read from a folder.
const SOURCES_MAX: usize = 64;
/// Larger files are not searched, because they were not written by hand.
const SOURCE_BYTES_MAX: u64 = 1 << 18;

/// The files on disk.
pub(super) struct Disk;

impl SavedFiles for Disk {
    fn identity(&self, path: &Path) -> String {
        let identity = program::identity(path);
        copies::original(&files::decode_path(&identity)).unwrap_or(identity)
    }

    fn source(&self, path: &Path) -> Option<Source> {
        program::read_source(path).ok()
    }

    fn included(
        &self,
        includer: &InputFile,
        name: &str,
        folders: &[PathBuf],
    ) -> Result<Source, String> {
        program::load_include(includer, name, folders)
    }

    fn names_in(&self, folder: &Path) -> Vec<String> {
        let mut names = names_in(folder);
        names.retain(|name| {
            let is_source = name.ends_with('/') || has_source_suffix(Path::new(name));
            is_source && !name.starts_with('.') && !name.contains(['"', '\\'])
        });
        names
    }

    fn sources_in(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().take(NAMES_MAX);
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let sources = paths.filter(|path| {
            has_source_suffix(path)
                && path.metadata().is_ok_and(|file| file.len() <= SOURCE_BYTES_MAX)
        });
        sources.take(SOURCES_MAX).collect()
    }

    fn path_of(&self, identity: &str) -> Option<PathBuf> {
        if program::is_built_in(identity) {
            return copies::copy_path(identity);
        }
        Some(files::decode_path(identity))
    }
}

fn has_source_suffix(path: &Path) -> bool {
    path.extension().is_some_and(|suffix| suffix == "asm")
}

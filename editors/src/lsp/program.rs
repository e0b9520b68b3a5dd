//! An analysed program, and the client's names of its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gray1_asm::{Analysis, FileId, InputFile, Loader, Source};
use gray1_programs::{BuiltIn, built_in_path};

use super::documents::Documents;
use super::saved::SavedFiles;
use super::uri::uri_from_path;
use super::view::View;
use crate::without_dots;

/// A program that was analysed for one of the open documents.
pub(super) struct AnalysedProgram {
    /// The path of the document that the program was analysed for.
    pub(super) target: PathBuf,
    pub(super) analysis: Analysis,
    /// The URIs of files, by identity. If the client has named a file or its folder, the URI has
    /// the client's spelling.
    pub(super) uris: BTreeMap<String, String>,
    saved: Rc<dyn SavedFiles>,
}

impl AnalysedProgram {
    /// Analyses the program at `path` for the document at `target`. `path` has the client's
    /// spelling.
    pub(super) fn new(documents: &Documents, path: &Path, source: Source, target: &Path) -> Self {
        let paths = BTreeMap::from([(source.id.clone(), path.to_owned())]);
        let settings = documents.settings.at(path);
        let mut buffers = Buffers { documents, folders: &settings.include, target, paths };
        let analysis = Analysis::with_defines(source, &mut buffers, &settings.defines());
        let paths = buffers.paths.into_iter();
        let uris = paths.filter_map(|(id, path)| Some((id, documents.uri_at(&path)?))).collect();
        Self { target: target.to_owned(), analysis, uris, saved: Rc::clone(&documents.saved) }
    }

    /// The view of one of its files, with other programs that may share files with it.
    pub(super) fn view<'a>(&'a self, file: FileId, programs: Vec<&'a Analysis>) -> View<'a> {
        let uri = Box::new(|id: &str| {
            // An editor opens the copy of a built-in file.
            self.uris.get(id).cloned().or_else(|| uri_from_path(&self.saved.path_of(id)?))
        });
        View { program: &self.analysis, programs, file, uri }
    }
}

/// Finds included files. An open document takes precedence over its saved file.
struct Buffers<'a> {
    documents: &'a Documents,
    /// More folders to search.
    folders: &'a [PathBuf],
    /// The document of the request. It takes precedence over other documents of its file.
    target: &'a Path,
    /// The paths of the files found so far, by identity, as the client writes them.
    paths: BTreeMap<String, PathBuf>,
}

impl Buffers<'_> {
    /// Returns the open document of a file. If several are open, prefers the document of the
    /// request, then the one at the path `near`.
    fn open(&mut self, id: &str, near: &Path) -> Option<Source> {
        let (path, source) = self.documents.source(id, near, self.target)?;
        self.paths.insert(id.to_owned(), path);
        Some(source)
    }
}

impl Loader for Buffers<'_> {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let saved = &self.documents.saved;
        let sibling = |path: &Path| path.with_file_name(name);
        let near = self.paths.get(includer.id());
        let near = near.map_or_else(PathBuf::new, |path| without_dots(&sibling(path)));
        // Use the real location of the including file, because a link to it can be in another
        // folder.
        let id = Some(includer.id()).filter(|id| built_in_path(id).is_none());
        let id = id.and_then(|id| Some(saved.identity(&sibling(&saved.path_of(id)?))));
        if let Some(open) = id.and_then(|id| self.open(&id, &near)) {
            return Ok(open);
        }
        let found = saved.included(includer, name, self.folders)?;
        if let Some(open) = self.open(&found.id, &near) {
            return Ok(open);
        }
        if built_in_path(&found.id).is_none() && saved.identity(&near) == found.id {
            self.paths.insert(found.id.clone(), near);
        }
        Ok(found)
    }

    fn libraries(&self) -> Option<&dyn Loader> {
        Some(&BuiltIn)
    }
}

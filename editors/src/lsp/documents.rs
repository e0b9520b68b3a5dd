//! The open documents. An open document takes precedence over its saved file, including when other
//! files include it.
//!
//! A file that is open under two names, such as through a link, is two documents, each with its own
//! text. In every answer, a document has the name that the client used. The identity of its file is
//! only used for internal lookups.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gray1_asm::{FileId, Source};
use gray1_isa::text::printable;
use gray1_programs::built_in_path;

use super::client::Settings;
use super::program::AnalysedProgram;
use super::saved::SavedFiles;
use super::uri::{path_from_uri, uri_from_path};

/// The maximum number of files near a document to search for one that includes it.
const NEIGHBOURS_MAX: usize = 64;

/// The open documents, and the saved files.
pub(super) struct Documents {
    /// The open documents, saved or not, by the paths that the client uses for them.
    open: BTreeMap<PathBuf, Document>,
    pub(super) saved: Rc<dyn SavedFiles>,
    pub(super) settings: Settings,
}

/// An open document.
struct Document {
    /// As the client writes it.
    uri: String,
    /// The identity of its file, or its URI if it has no file.
    id: String,
    /// The client's number for this version of the document.
    version: i32,
    text: String,
    /// A program nearby that includes it.
    includer: Option<PathBuf>,
}

/// The path of a document. For a document without a path, its URI, which is not an absolute path.
fn document_path(uri: &str) -> PathBuf {
    path_from_uri(uri).unwrap_or_else(|| uri.into())
}

impl Document {
    /// The document as a source.
    fn source(&self, path: &Path) -> Source {
        let name = if built_in_path(&self.id).is_some() {
            self.id.clone()
        } else if path.is_absolute() {
            printable(&path.to_string_lossy())
        } else {
            self.uri.clone()
        };
        Source { id: self.id.clone(), name, text: self.text.clone() }
    }
}

impl Documents {
    pub(super) fn new(saved: Box<dyn SavedFiles>) -> Self {
        let settings = Settings::default();
        Self { open: BTreeMap::new(), saved: saved.into(), settings }
    }

    pub(super) fn open(&mut self, uri: &str, version: i32, text: String) {
        let path = document_path(uri);
        let id = self.identity(uri);
        let includer = self.find_includer(&path, &id);
        self.open.insert(path, Document { uri: uri.to_owned(), id, version, text, includer });
    }

    /// Replaces the contents of a document. Returns false if it is not open.
    pub(super) fn change(&mut self, uri: &str, version: i32, text: String) -> bool {
        let document = self.open.get_mut(&document_path(uri));
        document.is_some_and(|document| {
            (document.version, document.text) = (version, text);
            true
        })
    }

    pub(super) fn close(&mut self, uri: &str) {
        self.open.remove(&document_path(uri));
    }

    /// The identity of a document: that of its file, or its URI if it has no file.
    pub(super) fn identity(&self, uri: &str) -> String {
        path_from_uri(uri).map_or_else(|| uri.to_owned(), |path| self.saved.identity(&path))
    }

    /// The paths of all documents, in order.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.open.keys()
    }

    /// The URIs of all documents, as the client writes them.
    pub(super) fn uris(&self) -> impl Iterator<Item = String> {
        self.open.values().map(|document| document.uri.clone())
    }

    /// The client's number for the version of a document.
    pub(super) fn version(&self, uri: &str) -> Option<i32> {
        self.open.get(&document_path(uri)).map(|document| document.version)
    }

    /// The URI of the document at a path. If no document is open there, the URI of the file.
    pub(super) fn uri_at(&self, path: &Path) -> Option<String> {
        self.open.get(path).map_or_else(|| uri_from_path(path), |it| Some(it.uri.clone()))
    }

    /// Whether a program was analysed with the contents of the document at this path, and so can
    /// answer for it. If a file is open as two documents, a program that was analysed for one of
    /// them uses only that one.
    pub(super) fn is_in(&self, path: &Path, program: &AnalysedProgram) -> bool {
        let Some(document) = self.open.get(path) else { return false };
        let target = self.open.get(&program.target).map(|target| &target.id);
        program.analysis.files.find(&document.id).is_some()
            && program.uris.get(&document.id) == Some(&document.uri)
            && (program.target == path
                || self.open.values().filter(|it| Some(&it.id) == target).count() == 1)
    }

    /// The number of a document's file in a program. `None` if the program does not contain the
    /// file, or if the document is open and the program was not analysed with its contents.
    pub(super) fn file_in(&self, uri: &str, program: &AnalysedProgram) -> Option<FileId> {
        let path = document_path(uri);
        match self.open.get(&path) {
            Some(document) => {
                let file = program.analysis.files.find(&document.id)?;
                self.is_in(&path, program).then_some(file)
            }
            None => program.analysis.files.find(&self.identity(uri)),
        }
    }

    /// Analyses the program that the document at a path is part of. A document that no program
    /// includes is its own program.
    pub(super) fn analyse_program(&self, path: &Path) -> Option<AnalysedProgram> {
        let document = self.open.get(path)?;
        let outer = document.includer.as_deref().and_then(|outer| {
            let (outer, source) = match self.source(&self.saved.identity(outer), outer, path) {
                Some(open) => open,
                None => (outer.to_owned(), self.saved.source(outer)?),
            };
            Some(AnalysedProgram::new(self, &outer, source, path))
        });
        let outer = outer.filter(|program| self.is_in(path, program));
        Some(outer.unwrap_or_else(|| AnalysedProgram::new(self, path, document.source(path), path)))
    }

    /// The path and the contents of the open document of a file. If the file is open as several
    /// documents, the one at the path `target` is preferred, then the one at the path `near`.
    pub(super) fn source(&self, id: &str, near: &Path, target: &Path) -> Option<(PathBuf, Source)> {
        let of_file = self.open.iter().filter(|(_, document)| document.id == id);
        let (path, document) = of_file.min_by_key(|(path, _)| (*path != target, *path != near))?;
        Some((path.clone(), document.source(path)))
    }

    /// Finds a program that includes a file. Searches the folder of the file and the folder above
    /// it.
    fn find_includer(&self, path: &Path, id: &str) -> Option<PathBuf> {
        if !path.is_absolute() || built_in_path(id).is_some() {
            return None;
        }
        let folders = path.ancestors().skip(1).take(2);
        let sources = folders.flat_map(|folder| self.saved.sources_in(folder));
        let mut sources: Vec<PathBuf> = sources.take(NEIGHBOURS_MAX).collect();
        sources.sort_unstable();
        sources.into_iter().find(|source| {
            let root = self.saved.identity(source);
            root != id && self.includes(root, id)
        })
    }

    /// Returns true if a file includes another one, directly or through other files. Only the text
    /// of the sources is examined.
    fn includes(&self, from: String, to: &str) -> bool {
        let mut known = BTreeSet::new();
        known.insert(from.clone());
        let mut waiting = vec![from];
        while let Some(file) = waiting.pop() {
            let Some(path) = self.saved.path_of(&file) else { continue };
            let open = self.source(&file, &path, &path).map(|(_, source)| source);
            let Some(source) = open.or_else(|| self.saved.source(&path)) else { continue };
            for name in gray1_asm::included_names(&source.text) {
                let included = self.saved.identity(&path.with_file_name(name));
                if included == to {
                    return true;
                }
                if known.len() < NEIGHBOURS_MAX && known.insert(included.clone()) {
                    waiting.push(included);
                }
            }
        }
        false
    }
}

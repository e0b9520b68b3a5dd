//! The open documents. An open document shadows its file, also where others include it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gray1_asm::{Analysis, InputFile, Loader, Source};
use gray1_isa::text::printable;
use gray1_programs::{BuiltIn, path_of as built_in_path};

use super::saved::SavedFiles;
use super::uri::{path_of, uri_of};
use super::view::Uris;

/// The largest number of files near a document to search for one that includes it.
const NEIGHBOURS_MAX: usize = 64;

/// The open documents, and the files behind them.
pub(super) struct Documents {
    /// By identity.
    open: BTreeMap<String, Document>,
    saved: Box<dyn SavedFiles>,
}

/// An open document.
struct Document {
    /// As the client writes it.
    uri: String,
    /// Its path, even before it is saved. A built-in file is not saved anywhere.
    path: Option<PathBuf>,
    /// The client's number for this version of the text.
    version: i32,
    text: String,
    /// A program nearby that includes it.
    includer: Option<PathBuf>,
}

impl Documents {
    pub(super) fn new(saved: Box<dyn SavedFiles>) -> Self {
        Self { open: BTreeMap::new(), saved }
    }

    /// The files behind the documents.
    pub(super) fn saved(&self) -> &dyn SavedFiles {
        &*self.saved
    }

    /// Adds a document.
    pub(super) fn open(&mut self, uri: &str, version: i32, text: String) {
        let id = self.identity(uri);
        let path = path_of(uri).filter(|_| built_in_path(&id).is_none());
        let document = Document { uri: uri.to_owned(), path, version, text, includer: None };
        self.open.insert(id.clone(), document);
        let includer = self.includer_near(&id);
        self.open.entry(id).and_modify(|document| document.includer = includer);
    }

    /// Replaces the text of a document; false if it is not open.
    pub(super) fn change(&mut self, uri: &str, version: i32, text: String) -> bool {
        let id = self.identity(uri);
        let document = self.open.get_mut(&id);
        document.is_some_and(|document| {
            (document.version, document.text) = (version, text);
            true
        })
    }

    /// Removes a document.
    pub(super) fn close(&mut self, uri: &str) {
        self.open.remove(&self.identity(uri));
    }

    /// The identity of a document: that of its file, or its URI if it has none.
    pub(super) fn identity(&self, uri: &str) -> String {
        path_of(uri).map_or_else(|| uri.to_owned(), |path| self.saved.identity(&path))
    }

    /// The identities of all documents, in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = &String> {
        self.open.keys()
    }

    /// The URIs of all documents, as the client writes them.
    pub(super) fn uris(&self) -> impl Iterator<Item = String> {
        self.open.values().map(|document| document.uri.clone())
    }

    /// The client's number for the version of a document.
    pub(super) fn version(&self, uri: &str) -> Option<i32> {
        self.open.get(&self.identity(uri)).map(|document| document.version)
    }

    /// The program that a document is analysed in.
    pub(super) fn program_of(&self, id: &str) -> Option<Analysis> {
        let source = self.source(id)?;
        let outer = self.open.get(id).and_then(|document| document.includer.as_deref());
        let outer = outer.and_then(|path| self.saved_or_open(path));
        let outer = outer.map(|source| Analysis::new(source, &mut Buffers(self)));
        let outer = outer.filter(|program| program.files.find(id).is_some());
        Some(outer.unwrap_or_else(|| Analysis::new(source, &mut Buffers(self))))
    }

    /// The text of a document as a source.
    fn source(&self, id: &str) -> Option<Source> {
        let document = self.open.get(id)?;
        let name = match &document.path {
            Some(path) => printable(&path.to_string_lossy()),
            None if built_in_path(id).is_some() => id.to_owned(),
            None => document.uri.clone(),
        };
        Some(Source { id: id.to_owned(), name, text: document.text.clone() })
    }

    /// A program that includes a document, in its folder or the one above.
    fn includer_near(&self, id: &str) -> Option<PathBuf> {
        let path = self.open.get(id)?.path.as_deref()?;
        let folders = path.ancestors().skip(1).take(2);
        let sources = folders.flat_map(|folder| self.saved.sources_in(folder));
        let mut sources: Vec<PathBuf> = sources.take(NEIGHBOURS_MAX).collect();
        sources.sort();
        sources.into_iter().find(|source| {
            let root = self.saved.identity(source);
            root != id && self.reaches(root, id)
        })
    }

    /// True if a file includes another one, itself or through others, as far as the text tells.
    fn reaches(&self, from: String, to: &str) -> bool {
        let mut waiting = vec![from];
        let mut known: BTreeSet<String> = waiting.iter().cloned().collect();
        while let Some(file) = waiting.pop() {
            let Some(source) = self.saved_or_open(Path::new(&file)) else { continue };
            for name in gray1_asm::included_names(&source.text) {
                let included = self.saved.identity(&Path::new(&file).with_file_name(name));
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

    fn saved_or_open(&self, path: &Path) -> Option<Source> {
        self.source(&self.saved.identity(path)).or_else(|| self.saved.source(path))
    }
}

impl Uris for Documents {
    /// The URI of a file: as the client writes it if the file is open; for a built-in file, that of
    /// its copy.
    fn uri(&self, id: &str) -> Option<String> {
        if let Some(document) = self.open.get(id) {
            return Some(document.uri.clone());
        }
        if built_in_path(id).is_some() {
            return uri_of(&self.saved.copy_of(id)?);
        }
        uri_of(Path::new(id))
    }
}

/// Finds included files: an open document takes precedence over its saved file.
struct Buffers<'a>(&'a Documents);

impl Loader for Buffers<'_> {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let Documents { saved, .. } = self.0;
        let path = Path::new(includer.id()).with_file_name(name);
        if let Some(open) = self.0.source(&saved.identity(&path)) {
            return Ok(open);
        }
        let found = saved.included(includer, name)?;
        Ok(self.0.source(&found.id).unwrap_or(found))
    }

    fn similar_to(&self, name: &str) -> Option<String> {
        BuiltIn.similar_to(name)
    }

    fn library_of(&self, name: &str) -> Option<String> {
        BuiltIn.library_of(name)
    }
}

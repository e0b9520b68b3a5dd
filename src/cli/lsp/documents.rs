//! The open documents. An open document shadows its file, also where others include it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::protocol::Location;
use super::{copies, positions};
use crate::program::{self, Includes};
use gray1_asm::{Analysis, InputFile, Loader, Source, Span};

/// The most names of a folder that are looked at.
const NAMES_MAX: usize = 4096;
/// The most files near a document that are searched for one that includes it.
const NEIGHBOURS_MAX: usize = 64;
/// Larger files are not searched: people did not write them.
const NEIGHBOUR_BYTES_MAX: u64 = 1 << 18;

/// The open documents by identity.
#[derive(Default)]
pub(super) struct Documents(BTreeMap<String, Document>);

/// An open document.
struct Document {
    /// As the client writes it.
    uri: String,
    /// Its path, even before it is saved. A built-in file is not saved anywhere.
    path: Option<PathBuf>,
    /// The client's number for this state of the text.
    version: i32,
    text: String,
    /// A program nearby that includes it.
    includer: Option<PathBuf>,
}

impl Documents {
    /// Takes in a document that was opened.
    pub(super) fn open(&mut self, uri: &str, version: i32, text: String) {
        let id = identity(uri);
        let path = positions::path(uri).filter(|_| !program::is_built_in(&id));
        let document = Document { uri: uri.to_owned(), path, version, text, includer: None };
        self.0.insert(id.clone(), document);
        let includer = self.includer_near(&id);
        self.0.entry(id).and_modify(|document| document.includer = includer);
    }

    /// Takes in the new text of a document; whether it is open.
    pub(super) fn change(&mut self, uri: &str, version: i32, text: String) -> bool {
        let document = self.0.get_mut(&identity(uri));
        document.is_some_and(|document| {
            (document.version, document.text) = (version, text);
            true
        })
    }

    /// Forgets a document.
    pub(super) fn close(&mut self, uri: &str) {
        self.0.remove(&identity(uri));
    }

    /// The identities of all documents, in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// The URIs of all documents, as the client writes them.
    pub(super) fn uris(&self) -> impl Iterator<Item = String> {
        self.0.values().map(|document| document.uri.clone())
    }

    /// The client's number for the state of a document.
    pub(super) fn version(&self, uri: &str) -> Option<i32> {
        self.0.get(&identity(uri)).map(|document| document.version)
    }

    /// A part of a file, wherever an editor can show it: the file itself, or the copy of a built-in
    /// one.
    pub(super) fn location(&self, file: &InputFile, span: Span) -> Option<Location> {
        let uri = self.uri(file.id())?;
        Some(Location { uri, range: positions::range(file, span) })
    }

    /// The same for a file that its author can change.
    pub(super) fn editable(&self, file: &InputFile, span: Span) -> Option<Location> {
        if program::is_built_in(file.id()) { None } else { self.location(file, span) }
    }

    /// The URI of a file: the client's own, if it is open.
    fn uri(&self, id: &str) -> Option<String> {
        if let Some(document) = self.0.get(id) {
            return Some(document.uri.clone());
        }
        if program::is_built_in(id) {
            return positions::uri(&copies::copy_of(id)?);
        }
        positions::uri(Path::new(id))
    }

    /// The text of a document as a source.
    pub(super) fn source(&self, id: &str) -> Option<Source> {
        let document = self.0.get(id)?;
        let name = match &document.path {
            Some(path) => crate::files::printable(path),
            None if program::is_built_in(id) => id.to_owned(),
            None => document.uri.clone(),
        };
        Some(Source { id: id.to_owned(), name, text: document.text.clone() })
    }

    /// The program that a document is analysed in.
    pub(super) fn program_of(&self, id: &str) -> Option<Analysis> {
        let source = self.source(id)?;
        let outer = self.0.get(id).and_then(|document| document.includer.as_deref());
        let outer = outer.and_then(|path| self.saved_or_open(path));
        let outer = outer.map(|source| Analysis::new(source, &mut Buffers(self)));
        let outer = outer.filter(|program| program.files.find(id).is_some());
        Some(outer.unwrap_or_else(|| Analysis::new(source, &mut Buffers(self))))
    }

    /// A program that includes a document, in its folder or the one above.
    fn includer_near(&self, id: &str) -> Option<PathBuf> {
        let path = self.0.get(id)?.path.as_deref()?;
        let folders = path.ancestors().skip(1).take(2);
        let entries = folders.filter_map(|folder| std::fs::read_dir(folder).ok());
        let entries = entries.flat_map(|entries| entries.take(NAMES_MAX));
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_source = |path: &PathBuf| {
            path.extension().is_some_and(|suffix| suffix == "asm")
                && path.metadata().is_ok_and(|file| file.len() <= NEIGHBOUR_BYTES_MAX)
        };
        let mut sources: Vec<PathBuf> = paths.filter(is_source).take(NEIGHBOURS_MAX).collect();
        sources.sort();
        sources.into_iter().find(|source| {
            let root = program::identity(source);
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
                let included = program::identity(&Path::new(&file).with_file_name(name));
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
        self.source(&program::identity(path)).or_else(|| program::source_at(path).ok())
    }
}

/// Finds included files: what is open comes before what is saved.
struct Buffers<'a>(&'a Documents);

impl Loader for Buffers<'_> {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let path = Path::new(includer.id()).with_file_name(name);
        if let Some(open) = self.0.source(&program::identity(&path)) {
            return Ok(open);
        }
        let saved = Includes.load(includer, name)?;
        Ok(self.0.source(&saved.id).unwrap_or(saved))
    }

    fn similar_to(&self, name: &str) -> Option<String> {
        Includes.similar_to(name)
    }

    fn library_of(&self, name: &str) -> Option<String> {
        Includes.library_of(name)
    }
}

/// The identity of a document: its canonical path, or its URI if it has none. The copy
/// of a built-in file stands for that file.
pub(super) fn identity(uri: &str) -> String {
    let Some(path) = positions::path(uri) else { return uri.to_owned() };
    let identity = program::identity(&path);
    copies::original_of(Path::new(&identity)).unwrap_or(identity)
}

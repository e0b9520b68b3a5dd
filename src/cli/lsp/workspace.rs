//! The open documents, and the programs that they belong to.
//!
//! An open document shadows its file, also where others include it. A document that a program
//! includes is looked at as a part of that program: by itself a library makes little sense.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gray1_asm::{Analysis, FileId, Loader, Source};
use lsp_types::{PublishDiagnosticsParams, TextDocumentItem, Uri, VersionedTextDocumentIdentifier};

use super::{diagnostics, places};
use crate::program::{self, Includes};

/// How many files near a document are looked at for one that includes it.
const NEIGHBOURS_MAX: usize = 64;
/// Larger files are not: people did not write them.
const NEIGHBOUR_BYTES_MAX: u64 = 1 << 18;

/// See above.
#[derive(Default)]
pub(super) struct Workspace {
    documents: Documents,
    /// The programs, as they are since nothing has changed; `None` if something has.
    programs: Option<Vec<Analysis>>,
    /// The documents that were parts of other programs at last, by identity.
    parts: BTreeSet<String>,
    /// The files of which the client believes that something is wrong.
    told: BTreeSet<Uri>,
    /// There may be something to tell.
    has_news: bool,
}

/// The open documents by identity.
#[derive(Default)]
pub(super) struct Documents(BTreeMap<String, Document>);

/// An open document.
struct Document {
    uri: Uri,
    /// Where it is saved; it may be new.
    path: Option<PathBuf>,
    /// How the client calls the state that the text is in.
    version: i32,
    text: String,
    /// A program nearby that includes it.
    includer: Option<PathBuf>,
}

impl Workspace {
    /// Takes in a document that was opened.
    pub(super) fn open(&mut self, opened: TextDocumentItem) {
        let TextDocumentItem { uri, text, version, .. } = opened;
        let path = places::path(&uri);
        let id = identity(&uri);
        let document = Document { uri, path, version, text, includer: None };
        self.documents.0.insert(id.clone(), document);
        let includer = self.documents.includer_near(&id);
        self.documents.0.entry(id).and_modify(|document| document.includer = includer);
        self.touch();
    }

    /// Takes in the new text of a document.
    pub(super) fn change(&mut self, changed: &VersionedTextDocumentIdentifier, text: String) {
        if let Some(document) = self.documents.0.get_mut(&identity(&changed.uri)) {
            document.version = changed.version;
            document.text = text;
            self.touch();
        }
    }

    /// Forgets a document.
    pub(super) fn close(&mut self, uri: &Uri) {
        self.documents.0.remove(&identity(uri));
        self.touch();
    }

    /// Something has changed, here or in the files.
    pub(super) fn touch(&mut self) {
        self.programs = None;
        self.has_news = true;
    }

    /// A document as it is, and its program; `None` if it is not open, or larger than a program can
    /// be.
    pub(super) fn look_up(&mut self, uri: &Uri) -> Option<(&Analysis, FileId, &Documents)> {
        let id = identity(uri);
        self.refresh();
        let programs = self.programs.as_deref().unwrap_or_default();
        let found = programs.iter().find_map(|program| Some((program, program.files.find(&id)?)));
        found.map(|(program, file)| (program, file, &self.documents))
    }

    /// The text of a document as a source.
    pub(super) fn source(&self, uri: &Uri) -> Option<Source> {
        self.documents.source(&identity(uri))
    }

    /// What the client has to be told about what is wrong: about all documents, and about all other
    /// files in which something is or was wrong.
    pub(super) fn news(&mut self) -> Vec<PublishDiagnosticsParams> {
        if !std::mem::take(&mut self.has_news) {
            return Vec::new();
        }
        self.refresh();
        let mut found = BTreeMap::new();
        for program in self.programs.as_deref().unwrap_or_default() {
            diagnostics::collect(program, &self.documents, &mut found);
        }
        for uri in std::mem::replace(&mut self.told, found.keys().cloned().collect()) {
            found.entry(uri).or_default();
        }
        for document in self.documents.0.values() {
            found.entry(document.uri.clone()).or_default();
        }
        let params = |(uri, diagnostics)| {
            let version = self.documents.0.get(&identity(&uri)).map(|document| document.version);
            PublishDiagnosticsParams::new(uri, diagnostics, version)
        };
        found.into_iter().map(params).collect()
    }

    /// Looks at all programs again if something has changed.
    fn refresh(&mut self) {
        if self.programs.is_some() {
            return;
        }
        let (late, early): (Vec<&String>, Vec<&String>) =
            self.documents.0.keys().partition(|id| self.parts.contains(*id));
        let mut programs: Vec<(&String, Analysis)> = Vec::new();
        for id in early.into_iter().chain(late) {
            if !programs.iter().any(|(_, program)| program.files.find(id).is_some()) {
                programs.extend(self.documents.program_of(id).map(|program| (id, program)));
            }
        }
        // What looked like a program may turn out to be a part of a later one.
        let mut at = 0;
        while let Some((id, _)) = programs.get(at) {
            let mut others = programs.iter().enumerate().filter(|(other, _)| *other != at);
            if others.any(|(_, (_, program))| program.files.find(id).is_some()) {
                programs.remove(at);
            } else {
                at += 1;
            }
        }
        let whole: BTreeSet<&String> = programs.iter().map(|(id, _)| *id).collect();
        self.parts = self.documents.0.keys().filter(|id| !whole.contains(id)).cloned().collect();
        self.programs = Some(programs.into_iter().map(|(_, program)| program).collect());
    }
}

impl Documents {
    /// The URI of a file: the client's own, if it is open.
    pub(super) fn uri(&self, id: &str) -> Option<Uri> {
        match self.0.get(id) {
            Some(document) => Some(document.uri.clone()),
            None if program::is_built_in(id) => None,
            None => places::uri(Path::new(id)),
        }
    }

    fn source(&self, id: &str) -> Option<Source> {
        let document = self.0.get(id)?;
        let name = match &document.path {
            Some(path) => crate::files::printable(path),
            None => document.uri.as_str().to_owned(),
        };
        Some(Source { id: id.to_owned(), name, text: document.text.clone() })
    }

    /// The program that a document is looked at in.
    fn program_of(&self, id: &str) -> Option<Analysis> {
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
        let entries = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
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

    /// Whether a file includes another one, itself or through others, as far as the text tells.
    fn reaches(&self, from: String, to: &str) -> bool {
        let mut waiting = vec![from];
        let mut known: BTreeSet<String> = waiting.iter().cloned().collect();
        while let Some(file) = waiting.pop() {
            let Some(source) = self.saved_or_open(Path::new(&file)) else { continue };
            for name in included_names(&source.text) {
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

/// The names of the files that a text seems to include.
fn included_names(text: &str) -> impl Iterator<Item = &str> {
    let directive = ".include";
    text.lines().filter_map(move |line| {
        let line = line.trim_start();
        let is_include = line.get(..directive.len())?.eq_ignore_ascii_case(directive);
        line.split('"').nth(1).filter(|_| is_include)
    })
}

/// Finds included files: what is open comes before what is saved.
struct Buffers<'a>(&'a Documents);

impl Loader for Buffers<'_> {
    fn load(&mut self, includer: &str, name: &str) -> Result<Source, String> {
        let path = Path::new(includer).with_file_name(name);
        match self.0.source(&program::identity(&path)) {
            Some(open) => Ok(open),
            None => Includes.load(includer, name),
        }
    }
}

fn identity(uri: &Uri) -> String {
    places::path(uri).map_or_else(|| uri.as_str().to_owned(), |path| program::identity(&path))
}

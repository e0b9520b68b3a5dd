//! The programs that the open documents belong to.
//!
//! A document that a program includes is analysed as a part of that program: by itself a library
//! makes little sense.

use std::collections::{BTreeMap, BTreeSet};

use gray1_asm::{Analysis, FileId};
use serde_json::{Value, json};

use super::documents::{Documents, identity};
use super::protocol::Diagnostic;
use super::view::View;

/// All open documents, and the programs that they belong to.
#[derive(Default)]
pub(super) struct Workspace {
    documents: Documents,
    /// The programs, as they are since nothing has changed; `None` if something has.
    programs: Option<Vec<Analysis>>,
    /// The documents that were parts of other programs at last, by identity.
    parts: BTreeSet<String>,
    /// The files of which the client believes that something is wrong.
    told: BTreeSet<String>,
    /// There may be something to tell.
    has_news: bool,
}

impl Workspace {
    /// Takes in a document that was opened.
    pub(super) fn open(&mut self, uri: &str, version: i32, text: String) {
        self.documents.open(uri, version, text);
        self.touch();
    }

    /// Takes in the new text of a document.
    pub(super) fn change(&mut self, uri: &str, version: i32, text: String) {
        if self.documents.change(uri, version, text) {
            self.touch();
        }
    }

    /// Forgets a document.
    pub(super) fn close(&mut self, uri: &str) {
        self.documents.close(uri);
        self.touch();
    }

    /// Something has changed, here or in the files.
    pub(super) fn touch(&mut self) {
        self.programs = None;
        self.has_news = true;
    }

    /// A document as it is, and its program; `None` if it is not open, or larger than a program can
    /// be.
    pub(super) fn look_up(&mut self, uri: &str) -> Option<View<'_>> {
        let id = identity(uri);
        self.refresh();
        let (programs, documents) = (self.programs.as_deref()?, &self.documents);
        programs.iter().find_map(|program| {
            let file = program.files.find(&id)?;
            Some(View { program, programs, documents, file })
        })
    }

    /// What the client has to be told about what is wrong: about all documents, and about all other
    /// files in which something is or was wrong.
    pub(super) fn news(&mut self) -> Vec<Value> {
        if !std::mem::take(&mut self.has_news) {
            return Vec::new();
        }
        self.refresh();
        let mut found = BTreeMap::new();
        let (programs, documents) = (self.programs.as_deref().unwrap_or_default(), &self.documents);
        for program in programs {
            View { program, programs, documents, file: FileId::ROOT }.diagnose(&mut found);
        }
        for uri in std::mem::replace(&mut self.told, found.keys().cloned().collect()) {
            found.entry(uri).or_default();
        }
        for uri in self.documents.uris() {
            found.entry(uri).or_default();
        }
        let params = |(uri, diagnostics): (String, Vec<Diagnostic>)| {
            let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
            if let Some(version) = self.documents.version(&uri) {
                params["version"] = version.into();
            }
            params
        };
        found.into_iter().map(params).collect()
    }

    /// Looks at all programs again if something has changed.
    fn refresh(&mut self) {
        if self.programs.is_some() {
            return;
        }
        let (late, early): (Vec<&String>, Vec<&String>) =
            self.documents.ids().partition(|id| self.parts.contains(*id));
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
        self.parts = self.documents.ids().filter(|id| !whole.contains(id)).cloned().collect();
        self.programs = Some(programs.into_iter().map(|(_, program)| program).collect());
    }
}

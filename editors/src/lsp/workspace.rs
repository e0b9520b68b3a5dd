//! The programs that the open documents belong to.
//!
//! A document that a program includes is analysed as a part of that program: a library alone has
//! undefined names.

use std::collections::{BTreeMap, BTreeSet};

use gray1_asm::{Analysis, FileId};
use serde_json::{Value, json};

use super::documents::Documents;
use super::protocol::Diagnostic;
use super::saved::SavedFiles;
use super::view::View;

/// All open documents, and the programs that they belong to.
pub(super) struct Workspace {
    documents: Documents,
    /// The analysed programs; `None` after a change.
    programs: Option<Vec<Analysis>>,
    /// The documents that were parts of other programs at the last analysis, by identity.
    parts: BTreeSet<String>,
    /// The files with published diagnostics, by URI.
    diagnosed: BTreeSet<String>,
    /// Whether diagnostics may have changed since they were published.
    is_stale: bool,
}

impl Workspace {
    pub(super) fn new(saved: Box<dyn SavedFiles>) -> Self {
        Self {
            documents: Documents::new(saved),
            programs: None,
            parts: BTreeSet::new(),
            diagnosed: BTreeSet::new(),
            is_stale: false,
        }
    }

    /// The files behind the documents.
    pub(super) fn saved(&self) -> &dyn SavedFiles {
        self.documents.saved()
    }

    /// Adds a document.
    pub(super) fn open(&mut self, uri: &str, version: i32, text: String) {
        self.documents.open(uri, version, text);
        self.touch();
    }

    /// Replaces the text of a document.
    pub(super) fn change(&mut self, uri: &str, version: i32, text: String) {
        if self.documents.change(uri, version, text) {
            self.touch();
        }
    }

    /// Removes a document.
    pub(super) fn close(&mut self, uri: &str) {
        self.documents.close(uri);
        self.touch();
    }

    /// Notes a change of a document or a saved file.
    pub(super) fn touch(&mut self) {
        self.programs = None;
        self.is_stale = true;
    }

    /// A document as it was last analysed, in its program; `None` if it is not open, or larger than
    /// a program can be.
    pub(super) fn view(&self, uri: &str) -> Option<View<'_>> {
        let id = self.documents.identity(uri);
        let programs = self.programs.as_deref()?;
        programs.iter().find_map(|program| {
            let file = program.files.find(&id)?;
            Some(View { program, programs, file, uris: &self.documents })
        })
    }

    /// The diagnostics of all documents, and of all other files that have or had some, as
    /// parameters of notifications; empty if nothing has changed.
    pub(super) fn new_diagnostics(&mut self) -> Vec<Value> {
        if !std::mem::take(&mut self.is_stale) {
            return Vec::new();
        }
        self.refresh();
        let mut found = BTreeMap::new();
        let programs = self.programs.as_deref().unwrap_or_default();
        for program in programs {
            let (file, uris) = (FileId::ROOT, &self.documents);
            View { program, programs, file, uris }.diagnose(&mut found);
        }
        for uri in std::mem::replace(&mut self.diagnosed, found.keys().cloned().collect()) {
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

    /// Analyses all programs again after a change.
    pub(super) fn refresh(&mut self) {
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
        // A later program may include one that was analysed before it.
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

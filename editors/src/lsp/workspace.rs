//! The programs that the open documents belong to.
//!
//! A document that a program includes is analysed as a part of that program, because a library on
//! its own has undefined names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gray1_asm::{FileId, InputFile};
use serde_json::{Value, json};

use super::client::Settings;
use super::documents::Documents;
use super::program::AnalysedProgram;
use super::saved::SavedFiles;
use super::view::View;

/// All open documents, and the programs that they belong to.
pub(super) struct Workspace {
    pub(super) documents: Documents,
    /// The analysed programs. `None` after a change.
    programs: Option<Vec<AnalysedProgram>>,
    /// The documents that were parts of other programs at the last analysis, by path.
    parts: BTreeSet<PathBuf>,
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

    /// Applies settings for assembling programs.
    pub(super) fn configure(&mut self, settings: &Settings) {
        if self.documents.settings != *settings {
            self.documents.settings = settings.clone();
            self.invalidate();
        }
    }

    pub(super) fn open(&mut self, uri: &str, version: i32, text: String) {
        self.documents.open(uri, version, text);
        self.invalidate();
    }

    /// Replaces the contents of a document.
    pub(super) fn change(&mut self, uri: &str, version: i32, text: String) {
        if self.documents.change(uri, version, text) {
            self.invalidate();
        }
    }

    pub(super) fn close(&mut self, uri: &str) {
        self.documents.close(uri);
        self.invalidate();
    }

    /// Records a change of a document or a saved file.
    pub(super) fn invalidate(&mut self) {
        self.programs = None;
        self.is_stale = true;
    }

    /// A document in its program, as of the last analysis. `None` if the analysed programs do not
    /// contain it, such as when it is too large for a program.
    pub(super) fn view(&self, uri: &str) -> Option<View<'_>> {
        let programs = self.programs.as_deref()?;
        programs.iter().find_map(|program| {
            let file = self.documents.file_in(uri, program)?;
            let programs = programs.iter().map(|program| &program.analysis).collect();
            Some(program.view(file, programs))
        })
    }

    /// The definitions, from all programs, whose names contain the characters of `query` in order.
    pub(super) fn symbols(&self, query: &str) -> Vec<Value> {
        let mut found = Vec::new();
        let mut known = BTreeSet::new();
        for owner in self.programs.iter().flatten() {
            let program = &owner.analysis;
            for id in program.files.iter().map(InputFile::id) {
                let (Some(uri), Some(file)) = (owner.uris.get(id), program.files.find(id)) else {
                    continue;
                };
                if known.insert(uri) {
                    found.extend(owner.view(file, Vec::new()).flat_symbols(uri));
                }
            }
        }
        found.retain(|symbol| matches_query(symbol["name"].as_str().unwrap_or_default(), query));
        found
    }

    /// The diagnostics of all documents, and of all other files that have or had some, as
    /// parameters of notifications. Empty if no document, saved file or setting has changed since
    /// the last call.
    pub(super) fn new_diagnostics(&mut self) -> Vec<Value> {
        if !std::mem::take(&mut self.is_stale) {
            return Vec::new();
        }
        self.refresh();
        let mut found = BTreeMap::new();
        let programs = self.programs.as_deref().unwrap_or_default();
        for owner in programs {
            owner.view(FileId::ROOT, vec![&owner.analysis]).diagnose(&mut found);
        }
        for uri in std::mem::replace(&mut self.diagnosed, found.keys().cloned().collect()) {
            found.entry(uri).or_default();
        }
        for uri in self.documents.uris() {
            found.entry(uri).or_default();
        }
        let news = found.into_iter().map(|(uri, diagnostics)| {
            let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
            if let Some(version) = self.documents.version(&uri) {
                params["version"] = version.into();
            }
            params
        });
        news.collect()
    }

    /// Analyses all programs again after a change.
    pub(super) fn refresh(&mut self) {
        if self.programs.is_some() {
            return;
        }
        let (late, early): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.documents.paths().partition(|path| self.parts.contains(*path));
        let mut programs: Vec<(&Path, AnalysedProgram)> = Vec::new();
        for path in early.into_iter().chain(late) {
            if !programs.iter().any(|(_, program)| self.documents.is_in(path, program)) {
                let program = self.documents.analyse_program(path);
                programs.extend(program.map(|program| (path.as_path(), program)));
            }
        }
        // A later program may include one that was analysed before it.
        let mut at = 0;
        while let Some((path, _)) = programs.get(at) {
            let mut others = programs.iter().enumerate().filter(|(other, _)| *other != at);
            if others.any(|(_, (_, program))| self.documents.is_in(path, program)) {
                programs.remove(at);
            } else {
                at += 1;
            }
        }
        let roots: BTreeSet<&Path> = programs.iter().map(|(path, _)| *path).collect();
        let parts = self.documents.paths().filter(|path| !roots.contains(path.as_path()));
        self.parts = parts.cloned().collect();
        let mut programs: Vec<AnalysedProgram> =
            programs.into_iter().map(|(_, program)| program).collect();
        // Edits of a file that several programs share concern all of them.
        let uris: BTreeMap<String, String> =
            programs.iter().flat_map(|program| program.uris.clone()).collect();
        for program in &mut programs {
            let own = std::mem::replace(&mut program.uris, uris.clone());
            program.uris.extend(own);
        }
        self.programs = Some(programs);
    }
}

/// Whether a name has the characters of a query in their order, ignoring case.
fn matches_query(name: &str, query: &str) -> bool {
    let mut name = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| name.any(|c| c == wanted))
}

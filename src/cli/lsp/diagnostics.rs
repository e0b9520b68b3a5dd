//! Diagnostics in the protocol's terms.

use std::collections::BTreeMap;

use gray1_asm::{Diagnostic, FileId, Lint, Note, Severity, Span};
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString, Range, Uri,
};

use super::view::View;

impl View<'_> {
    /// Adds what is wrong with the program, by file.
    pub(super) fn diagnose(&self, found: &mut BTreeMap<Uri, Vec<lsp_types::Diagnostic>>) {
        for diagnostic in &self.program.diagnostics {
            let Some((uri, told)) = self.told(diagnostic) else { continue };
            let there = found.entry(uri).or_default();
            if !there.contains(&told) {
                there.push(told);
            }
        }
    }

    /// A diagnostic, and the file that it stands in.
    pub(super) fn told(&self, diagnostic: &Diagnostic) -> Option<(Uri, lsp_types::Diagnostic)> {
        let mut message = vec![diagnostic.message.clone()];
        let mut related = Vec::new();
        for note in diagnostic.notes.iter().chain(&diagnostic.trace) {
            match note.location.and_then(|at| self.location(at)) {
                Some(location) => {
                    let message = note.message.clone();
                    related.push(DiagnosticRelatedInformation { location, message });
                }
                None => message.push(format!("note: {}", self.in_words(note))),
            }
        }
        message.extend(diagnostic.help.iter().map(|help| format!("help: {}", help.text)));
        let (uri, range) = self.place(diagnostic)?;
        let is_unused = diagnostic.lint == Some(Lint::Unused);
        let told = lsp_types::Diagnostic {
            range,
            severity: Some(match diagnostic.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: diagnostic.lint.map(|lint| NumberOrString::String(lint.name().to_owned())),
            source: Some("gray1".to_owned()),
            message: message.join("\n"),
            related_information: (!related.is_empty()).then_some(related),
            tags: is_unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
            ..lsp_types::Diagnostic::default()
        };
        Some((uri, told))
    }

    /// Its place; if the author cannot change that, the innermost call that leads there, or else
    /// the start of the program.
    fn place(&self, diagnostic: &Diagnostic) -> Option<(Uri, Range)> {
        let calls = diagnostic.trace.iter().rev().filter_map(|note| note.location);
        let mut places = diagnostic.location.into_iter().chain(calls);
        if let Some(place) = places.find_map(|at| self.editable(at)) {
            return Some((place.uri, place.range));
        }
        let root = self.program.files.iter().next()?;
        debug_assert_eq!(self.program.files.find(root.id()), Some(FileId::ROOT));
        let start = self.documents.editable(root, Span { start: 0, end: 0 })?;
        Some((start.uri, start.range))
    }

    fn in_words(&self, note: &Note) -> String {
        let Some(at) = note.location else { return note.message.clone() };
        let file = self.program.files.get(at.file);
        let place = file.position(at.span.start);
        format!("{} at {}:{}:{}", note.message, file.name(), place.line, place.column)
    }
}

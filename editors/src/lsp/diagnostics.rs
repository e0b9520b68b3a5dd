//! The assembler's diagnostics in the protocol's format.

use std::collections::BTreeMap;

use gray1_asm::{Diagnostic as Finding, FileId, Lint, Location as Place, Note, Severity, Span};

use super::protocol::{Diagnostic, DiagnosticRelatedInformation, Location, Range};
use super::view::View;

impl View<'_> {
    /// Adds the diagnostics of the program to those of each document, by URI. If another program
    /// has already added the same diagnostic, the include and call places of this program are added
    /// to that one.
    pub(super) fn diagnose(&self, found: &mut BTreeMap<String, Vec<Diagnostic>>) {
        let from_others = found.clone();
        for finding in &self.program.diagnostics {
            let Some((uri, diagnostic)) = self.diagnostic(finding) else { continue };
            let count = from_others.get(&uri).map_or(0, Vec::len);
            let known = found.entry(uri).or_default();
            if known.contains(&diagnostic) {
                continue;
            }
            let Diagnostic { range, message, .. } = &diagnostic;
            let found = known[..count].iter_mut().find(|it| {
                it.range == *range && it.message.lines().next() == message.lines().next()
            });
            match found.map(|it| &mut it.related_information) {
                Some(known) => {
                    let mut more = diagnostic.related_information;
                    more.retain(|it| !known.contains(it));
                    known.append(&mut more);
                }
                None => known.push(diagnostic),
            }
        }
    }

    /// A diagnostic, and the URI of its document. It is shown at its own place if the author can
    /// edit that file. Otherwise, it is shown at the innermost call that leads there from a file
    /// that the author can edit. If there is no such call, it is shown at the start of the program.
    pub(super) fn diagnostic(&self, finding: &Finding) -> Option<(String, Diagnostic)> {
        let found = places(finding).find_map(|at| self.editable_location(at)).or_else(|| {
            let root = self.program.files.iter().next()?;
            debug_assert_eq!(self.program.files.find(root.id()), Some(FileId::ROOT));
            self.editable_location_in(root, START)
        });
        let Location { uri, range } = found?;
        Some((uri, self.to_diagnostic(finding, range)))
    }

    /// The diagnostics of the program, each with a range in this document: the innermost place that
    /// is in this document, or else the start of the document.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let diagnostics = self.program.diagnostics.iter().map(|finding| {
            let place = places(finding).find(|at| at.file == self.file);
            self.to_diagnostic(finding, self.range(place.map_or(START, |at| at.span)))
        });
        diagnostics.collect()
    }

    fn to_diagnostic(&self, finding: &Finding, range: Range) -> Diagnostic {
        let mut message = vec![finding.message.clone()];
        let mut related_information = Vec::new();
        for note in finding.notes.iter().chain(&finding.trace) {
            match note.location.and_then(|at| self.location(at)) {
                Some(location) => {
                    let message = note.message.clone();
                    related_information.push(DiagnosticRelatedInformation { location, message });
                }
                None => message.push(format!("note: {}", self.format_note(note))),
            }
        }
        message.extend(finding.help.iter().map(|help| format!("help: {}", help.text)));
        let is_unused = finding.lint == Some(Lint::Unused);
        Diagnostic {
            range,
            severity: match finding.severity {
                Severity::Error => 1,
                Severity::Warning => 2,
            },
            code: finding.lint.map(Lint::name),
            source: "gray1",
            message: message.join("\n"),
            related_information,
            tags: if is_unused { vec![1] } else { Vec::new() },
        }
    }

    fn format_note(&self, note: &Note) -> String {
        let Some(at) = note.location else { return note.message.clone() };
        let file = self.program.files.get(at.file);
        let place = file.position(at.span.start);
        format!("{} at {}:{}:{}", note.message, file.name(), place.line, place.column)
    }
}

/// The place of a finding, then the calls that lead there, innermost first.
fn places(finding: &Finding) -> impl Iterator<Item = Place> {
    let calls = finding.trace.iter().rev().filter_map(|note| note.location);
    finding.location.into_iter().chain(calls)
}

/// The start of a document.
const START: Span = Span { start: 0, end: 0 };

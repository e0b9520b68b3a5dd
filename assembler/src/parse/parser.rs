//! The state of the parser: its place in a file, the names and the mistakes so far.

use std::ops::Range;

use super::grammar::Match;
use crate::diagnostic::Diagnostic;
use crate::limits::ERRORS_MAX;
use crate::names::Names;
use crate::problem::Problem;
use crate::source::{FileId, Location, Span};

/// A file that is being parsed.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) names: &'a mut Names,
    /// The reports so far.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The start in the file of the current text: a line, or the part that the grammar sees.
    pub(super) base: u32,
    file: FileId,
}

impl<'a> Parser<'a> {
    /// At the start of a file.
    pub(super) fn new(file: FileId, names: &'a mut Names) -> Self {
        Self { names, diagnostics: Vec::new(), base: 0, file }
    }

    /// The place in the file of a part of the current text.
    pub(super) fn span(&self, at: Range<usize>) -> Span {
        Span { start: self.base + at.start as u32, end: self.base + at.end as u32 }
    }

    /// A place in the file, together with the file.
    pub(super) fn location(&self, span: Span) -> Location {
        Location { file: self.file, span }
    }

    /// The place in the file of a match.
    pub(super) fn span_of(&self, matched: &Match<'_>) -> Span {
        let span = matched.as_span();
        self.span(span.start()..span.end())
    }

    /// Reports a problem.
    pub(super) fn report(&mut self, span: Span, problem: &Problem) {
        self.report_with(span, problem, |diagnostic| diagnostic);
    }

    /// Reports a problem with something added to it.
    pub(super) fn report_with(
        &mut self,
        span: Span,
        problem: &Problem,
        add: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        // A file of garbage must not fill the memory with complaints.
        if self.diagnostics.len() <= ERRORS_MAX {
            self.diagnostics.push(add(problem.at(self.location(span))));
        }
    }
}

//! The state of the parser: its position in a file, and the names and errors so far.

use std::ops::Range;

use super::grammar::Match;
use crate::diagnostic::Diagnostic;
use crate::limits::ERRORS_MAX;
use crate::names::Names;
use crate::problem::Problem;
use crate::source::{FileId, Location, Span};

/// The parser of a file.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) names: &'a mut Names,
    /// The errors so far.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The offset in the file of the current string: a line, or the part that the grammar sees.
    pub(super) base: u32,
    /// The end of the text of a line that is completed. What comes after it is not in the file.
    pub(super) limit: u32,
    /// True after an error that makes the statement of the line unusable.
    pub(super) is_refused: bool,
    file: FileId,
}

impl<'a> Parser<'a> {
    /// Creates a parser at the start of a file.
    pub(super) fn new(file: FileId, names: &'a mut Names) -> Self {
        Self { names, diagnostics: Vec::new(), base: 0, limit: u32::MAX, is_refused: false, file }
    }

    /// Converts a range of the current string to a range of the file.
    pub(super) fn span(&self, at: Range<usize>) -> Span {
        let offset = |at: usize| (self.base + at as u32).min(self.limit);
        Span { start: offset(at.start), end: offset(at.end) }
    }

    /// Adds the file to a range.
    pub(super) fn location(&self, span: Span) -> Location {
        Location { file: self.file, span }
    }

    /// Returns the range of a match in the file.
    pub(super) fn span_of(&self, matched: &Match<'_>) -> Span {
        let span = matched.as_span();
        self.span(span.start()..span.end())
    }

    /// Reports an error that makes the statement of the line unusable.
    pub(super) fn refuse(&mut self, span: Span, problem: &Problem) {
        self.is_refused = true;
        self.report(span, problem);
    }

    pub(super) fn report(&mut self, span: Span, problem: &Problem) {
        self.report_with(span, problem, |diagnostic| diagnostic);
    }

    /// Reports a problem. `add` can extend the diagnostic.
    pub(super) fn report_with(
        &mut self,
        span: Span,
        problem: &Problem,
        add: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        // Limit the errors so that a garbage file cannot fill the memory.
        if self.diagnostics.len() <= ERRORS_MAX {
            self.diagnostics.push(add(problem.at(self.location(span))));
        }
    }
}

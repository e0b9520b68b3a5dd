//! The state of the parser: the file that it reads, and the names and errors so far.

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
    /// Everything that the next token could be, in words.
    pub(super) expected: Vec<&'static str>,
    file: FileId,
}

impl<'a> Parser<'a> {
    pub(super) fn new(file: FileId, names: &'a mut Names) -> Self {
        Self { names, diagnostics: Vec::new(), expected: Vec::new(), file }
    }

    /// Adds the file to a range.
    pub(super) fn location(&self, span: Span) -> Location {
        Location { file: self.file, span }
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

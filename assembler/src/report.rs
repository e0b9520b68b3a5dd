//! Collects diagnostics: each mistake once, and not without end.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};

use crate::diagnostic::{Diagnostic, Note, Severity};
use crate::problem::Problem;
use crate::source::Location;

/// How many errors are kept: nobody reads more, and a file of garbage must not fill the memory.
pub(crate) const ERRORS_MAX: usize = 1000;

/// How many lines of a trace are kept at each end of a long one.
const TRACE_END_MAX: usize = 3;

/// The diagnostics so far.
#[derive(Debug, Default)]
pub(crate) struct Reporter {
    diagnostics: Vec<Diagnostic>,
    /// What was reported: the kind of problem, its place, and the calls that led there if they
    /// have to do with it. The turns of a repeat do not differ in that, so a mistake in it is
    /// reported once.
    seen: HashSet<(Discriminant<Problem>, Location, Vec<Location>)>,
}

impl Reporter {
    /// Whether this problem is worth a report; it will not be a second time.
    pub(crate) fn is_new(
        &mut self,
        problem: &Problem,
        at: Location,
        calls: impl Iterator<Item = Location>,
    ) -> bool {
        let mut calls: Vec<Location> =
            if problem.hangs_on_values() { calls.collect() } else { Vec::new() };
        // However deep a macro has called itself, it is the same mistake.
        calls.sort_unstable();
        calls.dedup();
        self.diagnostics.len() <= ERRORS_MAX && self.seen.insert((discriminant(problem), at, calls))
    }

    /// Whether there are errors among the diagnostics.
    pub(crate) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Takes diagnostics in.
    pub(crate) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        let room = (ERRORS_MAX + 1).saturating_sub(self.diagnostics.len());
        self.diagnostics.extend(diagnostics.into_iter().take(room));
    }

    /// All diagnostics by place.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        let too_many = diagnostics.len() > ERRORS_MAX;
        diagnostics.truncate(ERRORS_MAX);
        diagnostics.sort_by_key(|diagnostic| diagnostic.location);
        if too_many {
            diagnostics.push(Diagnostic::error(Problem::TooManyErrors.to_string()));
        }
        diagnostics
    }
}

/// A trace, outermost call first, without the middle of a long one.
pub(crate) fn shorten(mut trace: Vec<Note>) -> Vec<Note> {
    if trace.len() > 2 * TRACE_END_MAX + 1 {
        let cut = TRACE_END_MAX..trace.len() - TRACE_END_MAX;
        let message = format!("… {} more levels …", cut.len());
        trace.splice(cut, [Note { message, location: None }]);
    }
    trace
}

//! Collects diagnostics. It records each mistake once, and limits their number.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};

use crate::diagnostic::{Diagnostic, Help, Note, Severity};
use crate::limits::ERRORS_MAX;
use crate::problem::Problem;
use crate::source::Location;

/// The number of entries that are kept at each end of a long trace.
const TRACE_END_MAX: usize = 3;

/// Evidence that an error has been recorded, as its number among the diagnostics. Only a
/// [`Reporter`] creates it, when it records an error or finds that the error is already recorded.
/// Code that suppresses an error or leaves something without a value needs this evidence. So a
/// program with a mistake cannot pass as correct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reported(usize);

/// Evidence that there are no errors.
#[derive(Debug)]
pub(crate) struct NoErrors(());

/// The identity of a mistake: the kind of problem, its place, and the calls that led there if they
/// matter. Iterations of a repeat are the same in this respect, so a mistake in a repeat is
/// reported once.
type ErrorKey = (Discriminant<Problem>, Location, Vec<Location>);

/// Permission to [record](Reporter::record) an error that has not been recorded before.
#[derive(Debug)]
pub(crate) struct Unseen(ErrorKey);

/// An error that was recorded and can still be [reworded](Reporter::reword).
#[derive(Debug)]
pub(crate) struct Ticket(Reported);

impl Ticket {
    /// Returns the evidence that the error was recorded.
    pub(crate) fn reported(&self) -> Reported {
        self.0
    }
}

/// The diagnostics so far.
#[derive(Debug, Default)]
pub(crate) struct Reporter {
    diagnostics: Vec<Diagnostic>,
    seen: HashSet<ErrorKey>,
    evidence: Option<Reported>,
}

impl Reporter {
    /// Returns the permission to record a problem.
    ///
    /// # Errors
    /// Returns the evidence of an earlier error if this problem was recorded before, or if the
    /// maximum number of errors is reached.
    pub(crate) fn unseen(
        &self,
        problem: &Problem,
        at: Location,
        calls: impl Iterator<Item = Location>,
    ) -> Result<Unseen, Reported> {
        let mut calls: Vec<Location> =
            if problem.depends_on_values() { calls.collect() } else { Vec::new() };
        // Recursion depth does not matter, so count each macro once.
        calls.sort_unstable();
        calls.dedup();
        let key = (discriminant(problem), at, calls);
        match self.evidence {
            Some(reported) if self.is_full() || self.seen.contains(&key) => Err(reported),
            _ => Ok(Unseen(key)),
        }
    }

    /// Records an error.
    pub(crate) fn record(&mut self, Unseen(key): Unseen, diagnostic: Diagnostic) -> Ticket {
        let reported = Reported(self.diagnostics.len());
        self.seen.insert(key);
        self.diagnostics.push(Diagnostic { severity: Severity::Error, ..diagnostic });
        self.evidence = Some(reported);
        Ticket(reported)
    }

    /// Records a problem that does not depend on macro calls.
    pub(crate) fn report(&mut self, problem: &Problem, at: Location) -> Reported {
        match self.unseen(problem, at, std::iter::empty()) {
            Ok(unseen) => self.record(unseen, problem.at(at)).reported(),
            Err(reported) => reported,
        }
    }

    /// Records a bug of the assembler itself.
    pub(crate) fn report_bug(&mut self, what: &'static str) -> Reported {
        self.report(&Problem::Internal(what), Location::START)
    }

    /// Rewords an error when a later stage knows more about it. It remains an error.
    pub(crate) fn reword(&mut self, Ticket(Reported(number)): Ticket, diagnostic: Diagnostic) {
        self.diagnostics[number] = Diagnostic { severity: Severity::Error, ..diagnostic };
    }

    /// Replaces the help of an error.
    pub(crate) fn set_help(&mut self, Reported(number): Reported, help: Help) {
        self.diagnostics[number].help = Some(help);
    }

    /// Adds a note to an undefined-name error: where the name is defined, and who can see it.
    pub(crate) fn show_definition(
        &mut self,
        Reported(number): Reported,
        at: Location,
        visibility: String,
    ) {
        let diagnostic = &mut self.diagnostics[number];
        diagnostic.label = Some("not visible here".to_owned());
        diagnostic.notes.push(Note { message: visibility, location: Some(at) });
    }

    /// Returns the evidence of an error, if there is one.
    pub(crate) fn evidence(&self) -> Option<Reported> {
        self.evidence
    }

    /// Returns the evidence that there are no errors.
    ///
    /// # Errors
    /// Returns the evidence of an error if there is one.
    pub(crate) fn require_no_errors(&self) -> Result<NoErrors, Reported> {
        self.evidence.map_or(Ok(NoErrors(())), Err)
    }

    /// Adds diagnostics of another stage.
    pub(crate) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            if diagnostic.severity == Severity::Error {
                if self.is_full() {
                    return;
                }
                self.evidence = Some(Reported(self.diagnostics.len()));
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// Returns true if the maximum number of errors is reached.
    fn is_full(&self) -> bool {
        self.diagnostics.len() > ERRORS_MAX
    }

    /// Returns all diagnostics sorted by position. Those without a position come last.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        let too_many = diagnostics.len() > ERRORS_MAX;
        diagnostics.truncate(ERRORS_MAX);
        sort_by_place(&mut diagnostics);
        if too_many {
            diagnostics.push(Diagnostic::error(Problem::TooManyErrors.to_string()));
        }
        diagnostics
    }
}

/// Sorts diagnostics by place, those without a place last.
pub(crate) fn sort_by_place(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.location.is_none(), diagnostic.location));
}

/// Removes the middle of a long trace. The outermost call comes first.
pub(crate) fn shorten(mut trace: Vec<Note>) -> Vec<Note> {
    if trace.len() > 2 * TRACE_END_MAX + 1 {
        let cut = TRACE_END_MAX..trace.len() - TRACE_END_MAX;
        let message = format!("… {} more levels …", cut.len());
        trace.splice(cut, [Note { message, location: None }]);
    }
    trace
}

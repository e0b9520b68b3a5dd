//! Reports errors at a place, with the calls that led there.

use super::context::{CallFrame, ExprContext};
use super::evaluator::Evaluator;
use crate::diagnostic::{Diagnostic, Note};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::{Reported, Ticket, shorten};
use crate::source::{FileId, Location, Span};
use crate::symbols::{Known, Scope, SiteKind, Value};
use crate::syntax::Expr;

/// A step that led to a place: a call, an iteration of a repeat, or an include. A call has the name
/// of its macro or function.
type TraceStep = (Note, Option<String>);

impl Evaluator<'_> {
    /// Returns the spelling of a name, for messages.
    pub(crate) fn text(&self, name: Name) -> String {
        self.names.text(name).to_owned()
    }

    /// Reports a problem at a place in a scope.
    pub(crate) fn report(&mut self, problem: &Problem, span: Span, scope: &Scope) -> Reported {
        self.report_with(problem, span, scope, |diagnostic| diagnostic)
    }

    /// Reports a problem. `add` can extend the diagnostic.
    pub(crate) fn report_with(
        &mut self,
        problem: &Problem,
        span: Span,
        scope: &Scope,
        add: impl FnOnce(Diagnostic) -> Diagnostic,
    ) -> Reported {
        self.report_new(problem, span, scope.into(), |_, diagnostic| add(diagnostic)).0
    }

    /// Reports a second definition of a name, and shows the first.
    pub(crate) fn report_duplicate(
        &mut self,
        kind: &'static str,
        name: Name,
        span: Span,
        first: Location,
        scope: &Scope,
    ) -> Reported {
        let name = self.text(name);
        let note = format!("`{name}` is first defined here");
        let problem = Problem::DefinedTwice { kind, name };
        self.report_with(&problem, span, scope, |diagnostic| diagnostic.note(note, Some(first)))
    }

    /// Returns the evidence that the parser reported an error here.
    pub(crate) fn find_parser_error(&mut self, span: Span, scope: &Scope) -> Reported {
        let problem = Problem::Internal("a line was refused without an error");
        let evidence = self.findings.reporter.evidence();
        evidence.unwrap_or_else(|| self.report(&problem, span, scope))
    }

    /// Reports a problem unless it was reported before. For a new problem, `add` completes the
    /// diagnostic, and the returned ticket allows changing its wording later.
    pub(super) fn report_new(
        &mut self,
        problem: &Problem,
        span: Span,
        context: ExprContext<'_>,
        add: impl FnOnce(&mut Self, Diagnostic) -> Diagnostic,
    ) -> (Reported, Option<Ticket>) {
        let sites = self.symbols.scopes.ancestors(context.scope.site).map(|(_, site)| site.call);
        let calls = CallFrame::outward(context.frame).map(|frame| frame.call).chain(sites);
        let unseen = match self.findings.reporter.unseen(problem, context.location(span), calls) {
            Ok(unseen) => unseen,
            Err(reported) => return (reported, None),
        };
        let diagnostic = self.make_diagnostic(problem, span, context);
        let diagnostic = add(self, diagnostic);
        let ticket = self.findings.reporter.record(unseen, diagnostic);
        (ticket.reported(), Some(ticket))
    }

    /// Describes a problem at a place. A problem inside a library is reported at the program's call
    /// that led there, because the author of the program can change only that line.
    pub(super) fn make_diagnostic(
        &self,
        problem: &Problem,
        span: Span,
        context: ExprContext<'_>,
    ) -> Diagnostic {
        let at = context.location(span);
        let mut steps = self.trace_steps(context);
        let own_call = steps.iter().position(|(note, called)| {
            called.is_some() && note.location.is_some_and(|it| it.file == FileId::ROOT)
        });
        let own_call = own_call.filter(|_| at.file != FileId::ROOT);
        let own_call = own_call.map(|number| steps.remove(number));
        steps.reverse();
        let trace = shorten(steps.into_iter().map(|(note, _)| note).collect());
        let diagnostic = Diagnostic { trace, ..problem.at(at) };
        let Some((Note { location, .. }, Some(called))) = own_call else {
            return diagnostic;
        };
        let label = Some(format!("in this call of `{called}`"));
        Diagnostic { location, label, ..diagnostic }.note("it comes from this line", Some(at))
    }

    /// Returns the steps that led to a place, innermost first.
    fn trace_steps(&self, context: ExprContext<'_>) -> Vec<TraceStep> {
        let functions = CallFrame::outward(context.frame).map(|frame| {
            let name = self.names.text(frame.function);
            let message = format!("in function `{name}`, called");
            (Note { message, location: Some(frame.call) }, Some(name.to_owned()))
        });
        let sites = self.symbols.scopes.ancestors(context.scope.site).filter_map(|(_, site)| {
            let (message, called) = match site.kind {
                SiteKind::Macro(name) => {
                    let name = self.names.text(name);
                    (format!("in macro `{name}`, called"), Some(name.to_owned()))
                }
                SiteKind::Repeat(turn) => (format!("in iteration {turn} of the repeat"), None),
                SiteKind::Include => ("included".to_owned(), None),
                // A routine is not expanded, so there is no step to show.
                SiteKind::Routine(_) => return None,
            };
            Some((Note { message, location: Some(site.call) }, called))
        });
        functions.chain(sites).collect()
    }

    /// Returns a value's number, or reports that it is not a number.
    pub(super) fn expect_number(
        &mut self,
        known: &Known,
        expr: &Expr,
        context: ExprContext<'_>,
    ) -> Result<(i64, u32), Reported> {
        match known.value {
            Value::Number(value) => Ok((value, known.newest)),
            ref other => {
                let problem = Problem::ExpectedNumber { found: other.kind() };
                Err(self.report_new(&problem, expr.span(), context, |_, found| found).0)
            }
        }
    }
}

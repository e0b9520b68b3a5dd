//! Reports names without a definition, and suggests similar names.

use gray1_isa::Op;

use super::context::ExprContext;
use super::evaluator::Evaluator;
use super::unknown::{MissingName, Unknown};
use crate::diagnostic::Help;
use crate::habits;
use crate::limits::ERRORS_MAX;
use crate::names::Name;
use crate::problem::Problem;
use crate::report::{Reported, Ticket};
use crate::source::{Location, Span};
use crate::symbols::{Namespace, Scope};
use crate::syntax::Function;

impl Evaluator<'_> {
    /// Handles a missing name. While definitions can still follow, returns it so that the caller
    /// decides. After that, reports it as an error.
    pub(super) fn missing(&mut self, missing: MissingName, context: ExprContext<'_>) -> Unknown {
        if self.is_complete {
            self.report_undefined(&missing, context).into()
        } else {
            Unknown::Missing(Box::new(missing))
        }
    }

    /// Reports an unknown value that `what` needs now.
    pub(crate) fn report_unknown(
        &mut self,
        unknown: Unknown,
        what: &'static str,
        at: Location,
    ) -> Reported {
        match unknown.needed_by(what, at) {
            Unknown::Reported(reported) => reported,
            Unknown::Missing(missing) => self.report_early(*missing),
            Unknown::Waits(_) => self.findings.reporter.report_bug("a value waits for another"),
        }
    }

    /// Reports a name that is needed now but has no definition yet. This is always an error. Only
    /// its wording [waits](Self::reword_early) for the definitions below.
    pub(crate) fn report_early(&mut self, missing: MissingName) -> Reported {
        let lost = self.symbols.lost.name(missing.namespace, missing.name, self.names);
        let (reported, ticket) = lost.map_or_else(
            || {
                let (problem, context) = (self.problem_with(&missing), (&missing.scope).into());
                self.report_new(&problem, missing.location.span, context, |_, found| found)
            },
            |reported| (reported, None),
        );
        if ticket.is_some() || self.findings.early.len() <= ERRORS_MAX {
            self.findings.early.push((ticket, missing));
        }
        reported
    }

    /// Reports an undefined name after all definitions are known.
    fn report_undefined(&mut self, missing: &MissingName, context: ExprContext<'_>) -> Reported {
        if let Some(reported) = self.symbols.lost.name(missing.namespace, missing.name, self.names)
        {
            return reported;
        }
        let problem = self.problem_with(missing);
        let (span, help) = (missing.location.span, |this: &mut Self| this.suggest_similar(missing));
        let (reported, ticket) =
            self.report_new(&problem, span, context, |this, found| found.help(help(this)));
        if ticket.is_some() {
            self.findings.undefined.push((reported, missing.namespace, missing.name));
        }
        reported
    }

    /// Reports an undefined name outside of expressions.
    pub(crate) fn report_undefined_name(
        &mut self,
        namespace: Namespace,
        name: Name,
        span: Span,
        scope: &Scope,
    ) -> Reported {
        let location = Location { file: scope.file, span };
        let missing = MissingName { namespace, name, location, scope: *scope, needed: None };
        self.report_undefined(&missing, scope.into())
    }

    /// Returns the problem for a name that is not defined at all.
    fn problem_with(&self, missing: &MissingName) -> Problem {
        let text = self.text(missing.name);
        match missing.namespace {
            Namespace::Symbols => Problem::Undefined(text),
            Namespace::Functions => Problem::UnknownFunction(text),
            Namespace::Macros => Problem::UnknownInstruction(text),
            Namespace::Routines => Problem::UnknownRoutine(text),
        }
    }

    /// Rewords the errors about names that were needed too early. By now it is known whether each
    /// name is defined below and, if not, which name is similar.
    pub(crate) fn reword_early(&mut self) {
        for (ticket, missing) in std::mem::take(&mut self.findings.early) {
            let MissingName { namespace, name, location, ref scope, .. } = missing;
            if let Some(defined) = self.symbols.find_place(namespace, name, self.names, scope) {
                self.report_too_early(ticket, &missing, defined);
            } else if let Some(ticket) = ticket {
                let help = self.suggest_similar(&missing);
                let problem = self.problem_with(&missing);
                let diagnostic = self.make_diagnostic(&problem, location.span, scope.into());
                self.findings.undefined.push((ticket.reported(), namespace, name));
                self.findings.reporter.reword(ticket, diagnostic.help(help));
            }
        }
    }

    /// Reports a name that is defined below the place that needs it.
    fn report_too_early(
        &mut self,
        ticket: Option<Ticket>,
        missing: &MissingName,
        defined: Location,
    ) {
        let MissingName { namespace, name, location, scope, needed } = missing;
        let name = self.text(*name);
        let problem = match (namespace, needed) {
            (Namespace::Macros, _) | (_, None) => Problem::MacroDefinedLater(name),
            (_, Some((what, _))) => Problem::NotKnownYet { name, what },
        };
        let needed_at = needed.map(|(_, at)| at).filter(|at| !at.contains(*location));
        let diagnostic = self
            .make_diagnostic(&problem, location.span, scope.into())
            .note("it is defined here", Some(defined));
        let diagnostic = match needed_at {
            Some(_) => diagnostic.note("it is needed here", needed_at),
            None => diagnostic,
        };
        match ticket {
            Some(ticket) => self.findings.reporter.reword(ticket, diagnostic),
            None => {
                self.report_with(&problem, location.span, scope, |_| diagnostic);
            }
        }
    }

    /// Returns help that suggests a similar name or a library.
    fn suggest_similar(&mut self, missing: &MissingName) -> Option<Help> {
        let (symbols, names) = (self.symbols, &*self.names);
        let (word, at) = (names.text(missing.name), missing.location);
        let is_routine = symbols.routines.contains_key(&missing.name);
        if is_routine && missing.namespace != Namespace::Functions {
            return Some(format!("`{word}` is a routine: `.call {word}(…)`").into());
        }
        let text = |name: &Name| names.text(*name);
        let suggestions = &mut self.findings.suggestions;
        match missing.namespace {
            Namespace::Symbols => {
                suggestions.charge(symbols.scopes.local_count());
                let visible = symbols.scopes.visible(&missing.scope).map(|name| names.text(name));
                let known = symbols.globals.keys().map(text).chain(visible);
                suggestions
                    .nearest(word, at, known)
                    .or_else(|| habits::help_with_number_like_name(word, at))
            }
            Namespace::Functions => {
                let built_in = Function::all().map(|function| -> &str { function.name() });
                suggestions.nearest(word, at, built_in.chain(symbols.functions.keys().map(text)))
            }
            Namespace::Macros => {
                if let Some(help) = habits::help_with_name(word, at) {
                    return Some(help);
                }
                let mnemonics = Op::ALL.map(Op::mnemonic).into_iter().chain(["HALT"]);
                let known = mnemonics.chain(symbols.macros.keys().map(text));
                let is_alone = missing.needed.is_some_and(|(_, call)| call == at);
                suggestions
                    .nearest(word, at, known)
                    .or_else(|| is_alone.then(|| habits::help_with_label(word, at)))
            }
            Namespace::Routines if symbols.macros.contains_key(&missing.name) => {
                Some(format!("`{word}` is a macro, which is called without `.call`").into())
            }
            Namespace::Routines => suggestions.nearest(word, at, symbols.routines.keys().map(text)),
        }
    }
}

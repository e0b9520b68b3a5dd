//! Names: defining them, finding them, and saying so when they are not there.

use super::scope::{Binding, Scope, StretchId};
use super::value::{Missing, Namespace, State, Thunk, ThunkId};
use super::{At, Definition, Expander, Meaning};
use crate::diagnostic::Diagnostic;
use crate::names::Name;
use crate::problem::Problem;
use crate::report::{Reported, Ticket};
use crate::source::{Location, Span};
use crate::suggest;
use crate::syntax::{Expr, Symbol};
use std::rc::Rc;

/// How many names are compared to find what was meant, over all mistakes of a source.
const CANDIDATES_MAX: usize = 1 << 19;

impl Meaning {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Label(_) => "label",
            Self::Constant(_) => "constant",
            Self::Variable { .. } => "variable",
        }
    }
}

impl Expander<'_> {
    /// A label at the next instruction. A global one ends the stretch of local names before it.
    pub(super) fn label(&mut self, symbol: &Symbol, at: At) {
        if let Err(reported) = self.in_place(symbol.span, at) {
            return self.lost.lose_symbol(symbol, reported);
        }
        let Ok(name) = self.defined_name(symbol, at) else { return };
        let index = self.layout.next();
        self.define(name, symbol, Meaning::Label(index), at);
        if !self.sources.names.is_local(name) {
            self.stretch = self.scopes.next_stretch(self.stretch);
        }
    }

    /// `name = value`
    pub(super) fn constant(&mut self, symbol: &Symbol, value: &Rc<Expr>, at: At) {
        let Ok(name) = self.defined_name(symbol, at) else { return };
        let thunk = self.thunk(value, name, at);
        self.define(name, symbol, Meaning::Constant(thunk), at);
    }

    /// An expression for later.
    pub(super) fn thunk(&mut self, expr: &Rc<Expr>, name: Name, at: At) -> ThunkId {
        let id = ThunkId(self.thunks.len() as u32);
        let scope = self.scope(at);
        self.thunks.push(Thunk { expr: expr.clone(), scope, name, state: State::Waiting });
        id
    }

    /// The name that is defined here; it can depend only on what is defined above.
    pub(super) fn defined_name(&mut self, symbol: &Symbol, at: At) -> Result<Name, Reported> {
        let scope = self.scope(at);
        self.known_name(&symbol.name, &scope).map_err(|stop| {
            let at = self.location(symbol.span, &scope);
            let reported = self.not_known(stop, "the number in a name", at);
            self.lost.lose_everything(reported);
            reported
        })
    }

    /// Gives a name its meaning, unless it has one.
    pub(super) fn define(&mut self, name: Name, symbol: &Symbol, meaning: Meaning, at: At) {
        let number = self.definitions.len() as u32;
        let before = if self.sources.names.is_local(name) {
            self.scopes.define_local(self.stretch, name, number)
        } else if let Some(routine) = self.scopes.routine_around(at.env) {
            self.scopes.define_inner(routine, name, number)
        } else {
            let there = *self.globals.entry(name).or_insert(number);
            (there != number).then_some(there)
        };
        let Some(before) = before else {
            let location = Location { file: at.file, span: symbol.span };
            self.definitions.push(Definition { name, meaning, location });
            return;
        };
        let first = self.definitions[before as usize].location;
        let name = self.sources.names.text(name).to_owned();
        let problem = Problem::DefinedTwice { kind: meaning.kind(), name: name.clone() };
        let scope = self.scope(at);
        self.report_with(&problem, symbol.span, &scope, |_, diagnostic| {
            diagnostic.note(format!("`{name}` is first defined here"), Some(first))
        });
    }

    /// The definition of a name outside of routines.
    pub(super) fn find(&self, name: Name, stretch: StretchId) -> Option<u32> {
        if self.sources.names.is_local(name) {
            self.scopes.local(stretch, name)
        } else {
            self.globals.get(&name).copied()
        }
    }

    /// The definition of a name, wherever it is.
    fn find_anywhere(&self, name: Name, scope: &Scope) -> Option<u32> {
        match self.scopes.binding(scope.env, name) {
            Some(Binding::Inner(definition)) => Some(definition),
            _ => self.find(name, scope.stretch),
        }
    }

    /// The text of the name that a definition gives meaning to.
    pub(super) fn definition_name(&self, definition: u32) -> String {
        self.sources.names.text(self.definitions[definition as usize].name).to_owned()
    }

    /// The error that took the definition of a missing name away, if there was one.
    fn is_lost(&self, missing: &Missing) -> Option<Reported> {
        match missing.namespace {
            Namespace::Symbols => self.lost.symbol(missing.name),
            Namespace::Functions => self.lost.function(missing.name),
        }
    }

    /// The problem that a name has no definition at all.
    fn undefined(&self, missing: &Missing) -> Problem {
        let text = self.sources.names.text(missing.name).to_owned();
        match missing.namespace {
            Namespace::Symbols => Problem::Undefined(text),
            Namespace::Functions => Problem::UnknownFunction(text),
        }
    }

    /// A defined name that could have been meant.
    fn similar(&mut self, missing: &Missing) -> Option<String> {
        match missing.namespace {
            Namespace::Symbols => self.similar_symbol(missing),
            Namespace::Functions => self.similar_function(missing.name),
        }
    }

    /// Reports a name that has no definition now that all are known.
    pub(super) fn report_missing(&mut self, missing: &Missing) -> Reported {
        if let Some(reported) = self.is_lost(missing) {
            return reported;
        }
        let problem = self.undefined(missing);
        self.report_with(&problem, missing.location.span, &missing.scope, |this, diagnostic| {
            diagnostic.help(this.similar(missing))
        })
    }

    /// Reports a name that has no definition although it is needed now. That is an error whatever
    /// follows; only its wording has to [wait](Self::reword_needed) for the definitions below.
    pub(super) fn report_needed(&mut self, missing: Missing) -> Reported {
        let ticket = self.is_lost(&missing).map_or(Ok(()), Err).and_then(|()| {
            let problem = self.undefined(&missing);
            let (span, scope) = (missing.location.span, missing.scope);
            self.report_anew(&problem, span, &scope, |_, diagnostic| diagnostic)
        });
        let reported = ticket.as_ref().map_or_else(|reported| *reported, Ticket::reported);
        self.needed.push((ticket.ok(), missing));
        reported
    }

    /// Says of the names that were needed too early whether they are defined below, or what could
    /// have been meant.
    pub(super) fn reword_needed(&mut self) {
        for (ticket, missing) in std::mem::take(&mut self.needed) {
            let Missing { name, location, scope, needed_by, namespace } = &missing;
            let place = match namespace {
                Namespace::Symbols => self
                    .find_anywhere(*name, scope)
                    .map(|definition| self.definitions[definition as usize].location),
                Namespace::Functions => self.functions.get(name).map(|found| found.location()),
            };
            let Some((place, (what, needed_at))) = place.zip(*needed_by) else {
                if let Some(ticket) = ticket {
                    let help = self.similar(&missing);
                    self.reporter.reword(ticket, |diagnostic| diagnostic.help(help));
                }
                continue;
            };
            let problem =
                Problem::NotKnownYet { name: self.sources.names.text(*name).into(), what };
            let shows_both = needed_at.contains(*location) || *namespace == Namespace::Functions;
            let needed_at = (!shows_both).then_some(needed_at);
            self.report_later(ticket, &problem, location.span, scope, |diagnostic| {
                let diagnostic = diagnostic.note("it is defined here", Some(place));
                match needed_at {
                    Some(_) => diagnostic.note("it is needed here", needed_at),
                    None => diagnostic,
                }
            });
        }
    }

    /// Reports a problem in place of the one of the ticket, if that was reported.
    pub(super) fn report_later(
        &mut self,
        ticket: Option<Ticket>,
        problem: &Problem,
        span: Span,
        scope: &Scope,
        add: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        match ticket {
            Some(ticket) => {
                let diagnostic = add(self.diagnostic(problem, span, scope));
                self.reporter.reword(ticket, |_| diagnostic);
            }
            None => {
                self.report_with(problem, span, scope, |_, diagnostic| add(diagnostic));
            }
        }
    }

    /// Whether there is time to compare that many names.
    pub(super) fn may_compare(&mut self, candidates: usize) -> bool {
        self.candidates += candidates;
        self.candidates <= CANDIDATES_MAX
    }

    /// A name that could have been meant.
    fn similar_symbol(&mut self, missing: &Missing) -> Option<String> {
        if let Some(help) = self.routine_help(missing.name) {
            return Some(help);
        }
        if !self.may_compare(self.globals.len() + self.scopes.local_count()) {
            return None;
        }
        let globals = self.globals.keys().copied();
        let bound = self.scopes.bound(missing.scope.env);
        let locals = self.scopes.visible_locals(missing.scope.stretch);
        let inner = self.scopes.inner_names(missing.scope.env);
        let candidates = globals.chain(bound).chain(locals).chain(inner);
        let candidates = candidates.map(|name| self.sources.names.text(name));
        suggest::nearest(self.sources.names.text(missing.name), candidates)
    }
}

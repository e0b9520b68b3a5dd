//! Names: defining them, finding them, and saying so when they are not there.

use super::scope::{Binding, Scope, StretchId};
use super::value::{Missing, Namespace, State, Thunk, ThunkId};
use super::{At, Definition, Expander, Meaning};
use crate::names::Name;
use crate::problem::Problem;
use crate::source::Location;
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
        if self.is_misplaced(symbol.span, at) {
            return self.lose(symbol);
        }
        let Some(name) = self.defined_name(symbol, at) else { return };
        let index = self.layout.next();
        self.define(name, symbol, Meaning::Label(index), at);
        if !self.sources.names.is_local(name) {
            self.stretch = self.scopes.next_stretch(self.stretch);
        }
    }

    /// `name = value`
    pub(super) fn constant(&mut self, symbol: &Symbol, value: &Rc<Expr>, at: At) {
        let Some(name) = self.defined_name(symbol, at) else { return };
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
    pub(super) fn defined_name(&mut self, symbol: &Symbol, at: At) -> Option<Name> {
        let scope = self.scope(at);
        match self.known_name(&symbol.name, &scope) {
            Ok(name) => Some(name),
            Err(stop) => {
                let at = self.location(symbol.span, &scope);
                self.not_known(stop, "the number in a name", at);
                self.lost.everything = true;
                None
            }
        }
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

    /// Reports a name that has no definition, or had none when it was needed.
    pub(super) fn report_missing(&mut self, missing: &Missing) {
        let Missing { name, location, scope, needed_by, namespace } = missing;
        if *namespace == Namespace::Functions {
            return self.report_missing_function(missing);
        }
        let text = self.sources.names.text(*name).to_owned();
        let defined = self.find_anywhere(*name, scope);
        if let (Some(definition), Some((what, needed_at))) = (defined, *needed_by) {
            let place = self.definitions[definition as usize].location;
            let problem = Problem::NotKnownYet { name: text, what };
            self.report_with(&problem, location.span, scope, |_, diagnostic| {
                let diagnostic = diagnostic.note("it is defined here", Some(place));
                if needed_at.contains(*location) {
                    return diagnostic;
                }
                diagnostic.note("it is needed here", Some(needed_at))
            });
        } else if !self.lost.everything && !self.lost.symbols.contains(name) {
            let problem = Problem::Undefined(text);
            self.report_with(&problem, location.span, scope, |this, diagnostic| {
                diagnostic.help(this.similar_symbol(missing))
            });
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

//! Names: defining them, finding them, and saying so when they are not there.

use super::scope::StretchId;
use super::value::{Missing, State, Thunk, ThunkId};
use super::{At, Definition, Expander, Meaning};
use crate::names::Name;
use crate::problem::Problem;
use crate::source::Location;
use crate::suggest;
use crate::syntax::{Expr, Head, Item, Items, NameExpr, StatementKind, Symbol};
use std::rc::Rc;

/// How many names are compared to find what was meant, over all mistakes of a source.
const CANDIDATES_MAX: usize = 1 << 19;

impl Meaning {
    fn kind(&self) -> &'static str {
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
        let Some(name) = self.defined_name(symbol, at) else { return };
        let index = self.layout.next();
        self.define(name, symbol, Meaning::Label(index), at);
        if !self.names.is_local(name) {
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
        let before = if self.names.is_local(name) {
            self.scopes.define_local(self.stretch, name, number)
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
        let name = self.names.text(name).to_owned();
        let problem = Problem::DefinedTwice { kind: meaning.kind(), name: name.clone() };
        let scope = self.scope(at);
        self.report_with(&problem, symbol.span, &scope, |diagnostic| {
            diagnostic.note(format!("`{name}` is first defined here"), Some(first))
        });
    }

    /// The definition of a name.
    pub(super) fn find(&self, name: Name, stretch: StretchId) -> Option<u32> {
        if self.names.is_local(name) {
            self.scopes.local(stretch, name)
        } else {
            self.globals.get(&name).copied()
        }
    }

    /// The text of the name that a definition gives meaning to.
    pub(super) fn definition_name(&self, definition: u32) -> String {
        self.names.text(self.definitions[definition as usize].name).to_owned()
    }

    /// A definition that was lost to an error.
    pub(super) fn lose(&mut self, symbol: &Symbol) {
        match &symbol.name {
            NameExpr::Plain(name) => {
                self.lost.symbols.insert(*name);
            }
            NameExpr::Built(_) => self.lost.everything = true,
        }
    }

    /// Loses all that items would have defined.
    pub(super) fn lose_items(&mut self, items: &Items) {
        for item in items.iter() {
            match item {
                Item::Line(line) => {
                    line.labels.iter().for_each(|label| self.lose(label));
                    match line.statement.as_ref().map(|statement| &statement.kind) {
                        Some(
                            StatementKind::Assign { name, .. }
                            | StatementKind::Var { name, .. }
                            | StatementKind::Bad(Some(name)),
                        ) => self.lose(name),
                        Some(StatementKind::Include { .. }) => self.lost.everything = true,
                        _ => {}
                    }
                }
                Item::Block(block) => {
                    for branch in &block.branches {
                        match &branch.head {
                            Head::Macro(head) => self.lose_macro(&head.name),
                            Head::LostMacro(Some(name)) => self.lose_macro(name),
                            Head::LostMacro(None) => self.lost.everything = true,
                            _ => self.lose_items(&branch.body),
                        }
                    }
                }
            }
        }
    }

    /// A macro whose definition was lost to an error.
    pub(super) fn lose_macro(&mut self, symbol: &Symbol) {
        match &symbol.name {
            NameExpr::Plain(name) => {
                self.lost.macros.insert(*name);
            }
            NameExpr::Built(_) => self.lost.everything = true,
        }
    }

    /// Reports a name that has no definition, or had none when it was needed.
    pub(super) fn report_missing(&mut self, missing: &Missing) {
        let Missing { name, location, scope, needed_by } = missing;
        let text = self.names.text(*name).to_owned();
        let defined = self.find(*name, scope.stretch);
        if let (Some(definition), Some((what, needed_at))) = (defined, *needed_by) {
            let place = self.definitions[definition as usize].location;
            let problem = Problem::NotKnownYet { name: text, what };
            self.report_with(&problem, location.span, scope, |diagnostic| {
                let diagnostic = diagnostic.note("it is defined here", Some(place));
                if needed_at.contains(*location) {
                    return diagnostic;
                }
                diagnostic.note("it is needed here", Some(needed_at))
            });
        } else if !self.lost.everything && !self.lost.symbols.contains(name) {
            let help = self.similar_symbol(missing);
            let problem = Problem::Undefined(text);
            self.report_with(&problem, location.span, scope, |diagnostic| diagnostic.help(help));
        }
    }

    /// A name that could have been meant.
    fn similar_symbol(&mut self, missing: &Missing) -> Option<String> {
        self.candidates += self.globals.len();
        if self.candidates > CANDIDATES_MAX {
            return None;
        }
        let globals = self.globals.keys().copied();
        let bound = self.scopes.bound(missing.scope.env);
        let locals = self.scopes.visible_locals(missing.scope.stretch);
        let candidates = globals.chain(bound).chain(locals).map(|name| self.names.text(name));
        suggest::nearest(self.names.text(missing.name), candidates)
    }
}

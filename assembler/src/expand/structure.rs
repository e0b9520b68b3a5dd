//! Structures: `.struct` lays variables out without taking memory for them, and gives their offsets
//! and the size of it all as constants.

use super::value::{Known, State, Thunk, ThunkId};
use super::{At, Expander, Meaning};
use crate::names::Name;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::{Branch, Expr, ExprKind, StatementKind, Symbol};
use std::rc::Rc;

/// The largest structure: all of data memory.
const SIZE_MAX: i64 = 8192;

/// A structure whose fields are being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Structure {
    name: Name,
    /// The size of the fields so far: the offset of the next.
    size: i64,
}

impl Expander<'_> {
    /// `.struct name` … `.endstruct`
    pub(super) fn structure(&mut self, symbol: &Symbol, branch: &Branch, at: At) {
        let Some(name) = self.defined_name(symbol, at) else { return };
        if self.structure.is_some() {
            self.lost.everything = true;
            return self.report(&Problem::NotInStructure, branch.span, &self.scope(at));
        }
        self.structure = Some(Structure { name, size: 0 });
        self.items(&branch.body, At { depth: at.depth + 1, ..at });
        if let Some(Structure { size, .. }) = self.structure.take() {
            self.define_number(name, symbol, size, at);
        }
    }

    /// `.var` between `.struct` and `.endstruct`.
    pub(super) fn field(
        &mut self,
        structure: Structure,
        field: Name,
        symbol: &Symbol,
        size: u16,
        at: At,
    ) {
        let names = &mut self.sources.names;
        if names.is_local(field) {
            self.lost.everything = true;
            return self.report(&Problem::LocalField, symbol.span, &self.scope(at));
        }
        let text = format!("{}_{}", names.text(structure.name), names.text(field));
        let name = names.intern(&text);
        let end = structure.size + i64::from(size);
        if end > SIZE_MAX {
            let what = "the size of a structure";
            let problem = Problem::OutOfRange { what, value: end, min: 0, max: SIZE_MAX };
            self.lost.symbols.insert(name);
            return self.report(&problem, symbol.span, &self.scope(at));
        }
        // A field is there for its place, whether it has users or not.
        self.sources.names.mention(name);
        self.define_number(name, symbol, structure.size, at);
        self.structure = Some(Structure { size: end, ..structure });
    }

    /// Defines a constant of a value that is known.
    fn define_number(&mut self, name: Name, symbol: &Symbol, value: i64, at: At) {
        let expr = Rc::new(Expr { span: symbol.span, depth: 0, kind: ExprKind::Number(value) });
        let (scope, state) = (self.scope(at), State::Done(Known::number(value)));
        let thunk = ThunkId(self.thunks.len() as u32);
        self.thunks.push(Thunk { expr, scope, name, state });
        self.define(name, symbol, Meaning::Constant(thunk), at);
    }

    /// Whether something that has no place in a structure stands in one; reports it.
    pub(super) fn is_misplaced(&mut self, span: Span, at: At) -> bool {
        if self.structure.is_some() {
            self.report(&Problem::NotInStructure, span, &self.scope(at));
        }
        self.structure.is_some()
    }
}

/// Whether a statement places words, or sets where something is placed.
pub(super) fn places(statement: &StatementKind) -> bool {
    matches!(
        statement,
        StatementKind::Instruction { .. }
            | StatementKind::Halt
            | StatementKind::Word(_)
            | StatementKind::Pool
            | StatementKind::CallRoutine { .. }
            | StatementKind::Return
            | StatementKind::Org(_)
            | StatementKind::Ram(_)
            | StatementKind::Include { .. }
    )
}

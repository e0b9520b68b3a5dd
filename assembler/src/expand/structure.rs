//! Structures: `.struct` lays variables out without taking memory for them, and gives their offsets
//! and the size of it all as constants.

use super::value::{Known, State, Thunk, ThunkId};
use super::{At, Expander, Meaning};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
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
        let Ok(name) = self.defined_name(symbol, at) else { return };
        if let Err(reported) = self.in_place(branch.span, at) {
            return self.lost.lose_everything(reported);
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
            let reported = self.report(&Problem::LocalField, symbol.span, &self.scope(at));
            return self.lost.lose_everything(reported);
        }
        let text = format!("{}_{}", names.text(structure.name), names.text(field));
        let name = names.intern(&text);
        let end = structure.size + i64::from(size);
        if end > SIZE_MAX {
            let what = "the size of a structure";
            let problem = Problem::OutOfRange { what, value: end, min: 0, max: SIZE_MAX };
            let reported = self.report(&problem, symbol.span, &self.scope(at));
            return self.lost.lose_name(name, reported);
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

    /// Refuses what has no place in a structure if it stands in one.
    pub(super) fn in_place(&mut self, span: Span, at: At) -> Result<(), Reported> {
        if self.structure.is_none() {
            return Ok(());
        }
        Err(self.report(&Problem::NotInStructure, span, &self.scope(at)))
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

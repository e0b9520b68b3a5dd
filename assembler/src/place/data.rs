//! Places the contents of data memory: variables, the constants of the `.pool`, and structures,
//! which define a layout without taking memory.

use std::rc::Rc;

use gray1_isa::{RamAddr, panel};

use super::draft::{Draft, Outcome, Structure};
use super::placement::{PlacedPool, WordContent};
use crate::limits::VARIABLE_BYTES_MAX;
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};
use crate::symbols::{Meaning, Namespace};
use crate::syntax::{Branch, Expr, ExprKind, Symbol, Variable};

impl Draft<'_, '_> {
    /// Handles `.var` and `.seed`.
    pub(super) fn define_variable(&mut self, variable: &Variable) -> Outcome {
        let &Variable { name: ref symbol, ref size, is_seed } = variable;
        let name = self.known_name(symbol)?;
        // An image keeps only global names, and so only global seeds.
        if is_seed && (self.structure.is_some() || self.sources.names.is_local(name)) {
            let (scope, help) =
                (self.scope(), "reserve it outside `.struct`, with a name without `@`");
            let reported = self.evaluator().report_with(
                &Problem::LocalSeed,
                symbol.span,
                &scope,
                |diagnostic| diagnostic.help(Some(help)),
            );
            self.placed.symbols.lost.lose_everything(reported);
            return Err(reported);
        }
        let size = match size {
            Some(size) => {
                let (scope, range) = (self.scope(), (0, VARIABLE_BYTES_MAX));
                let what = "the size of a variable";
                let size = self.evaluator().known_in_range(size, &scope, what, range);
                size.map_err(|reported| self.lose(Namespace::Symbols, symbol, reported))?
            }
            None => 1,
        };
        if let Some(structure) = self.structure {
            return self.add_field(structure, name, symbol, size);
        }
        let routine = self.owning_routine(name);
        // A routine that is never called takes no data memory.
        let routines = &self.placed.routines;
        let is_left_out = routine.is_some_and(|it| routines[it as usize].called.is_none());
        let (address, size) = if is_left_out {
            (0, 0)
        } else {
            let what = format!("variable `{}`", self.sources.names.text(name));
            let address = self.reserve(what, size, symbol.span);
            (address.map_err(|reported| self.lose(Namespace::Symbols, symbol, reported))?, size)
        };
        let address = address.into();
        self.define(name, symbol, Meaning::Variable { address, size, routine, is_seed })
    }

    /// Reserves the next bytes of data memory. Returns the address of the first.
    pub(super) fn reserve(&mut self, what: String, size: u16, span: Span) -> Result<u32, Reported> {
        let (start, end) = (self.next_address, self.next_address + u32::from(size));
        if end > panel::RESERVED.get().into() {
            let problem = Problem::ReachesPanel { what, start, last: end - 1 };
            return Err(self.report(&problem, span));
        }
        self.next_address = end;
        Ok(start)
    }

    /// Handles `.pool`: reserves the constants that `#` refers to, and places the instructions that
    /// initialise them. Their number is known only at the end, so the plan has the number from the
    /// previous attempt.
    pub(super) fn place_pool(&mut self, span: Span) -> Outcome {
        self.refuse_in_structure(span)?;
        if let Some(PlacedPool { location, .. }) = self.placed.pool {
            let note = ("the first one is here", location);
            return Err(self.report_with_note(&Problem::PoolTwice, span, Some(note)));
        }
        let bytes = self.plan.pool_bytes;
        let start = self.next_address;
        let first = self.reserve("the bytes of `.pool`".to_owned(), bytes, span);
        // Continue after a failure, because there may be other errors.
        let first = RamAddr::truncate(first.unwrap_or(start) as u16);
        self.placed.pool =
            Some(PlacedPool { location: Location { file: self.at.file, span }, first });
        for number in 0..bytes {
            self.place(WordContent::PoolLoad(number), span)?;
            self.place(WordContent::PoolStore(number), span)?;
        }
        Ok(())
    }

    /// Handles `.struct name` … `.endstruct`: defines the offsets of its variables and its size as
    /// constants.
    pub(super) fn define_structure(&mut self, symbol: &Symbol, branch: &Branch) -> Outcome {
        let name = self.known_name(symbol)?;
        self.refuse_in_structure(branch.span)
            .inspect_err(|reported| self.placed.symbols.lost.lose_everything(*reported))?;
        self.structure = Some(Structure { name, size: 0 });
        self.place_items(&branch.body, self.at.nested());
        let size = self.structure.take().map_or(0, |structure| structure.size);
        self.define_number(name, symbol, size)
    }

    /// Handles `.var` inside a structure.
    fn add_field(&mut self, outer: Structure, field: Name, symbol: &Symbol, size: u16) -> Outcome {
        let names = &mut self.sources.names;
        if names.is_local(field) {
            let reported = self.report(&Problem::LocalField, symbol.span);
            self.placed.symbols.lost.lose_everything(reported);
            return Err(reported);
        }
        let text = format!("{}_{}", names.text(outer.name), names.text(field));
        let name = names.intern(&text);
        let end = outer.size + i64::from(size);
        if end > VARIABLE_BYTES_MAX {
            let what = "the size of a structure";
            let problem = Problem::OutOfRange { what, value: end, min: 0, max: VARIABLE_BYTES_MAX };
            let reported = self.report(&problem, symbol.span);
            self.placed.symbols.lost.lose_name(Namespace::Symbols, name, reported);
            return Err(reported);
        }
        // A field counts as used, because it also serves to make room.
        self.sources.names.mention(name);
        self.structure = Some(Structure { size: end, ..outer });
        self.define_number(name, symbol, outer.size)
    }

    /// Defines a constant whose value is known.
    fn define_number(&mut self, name: Name, symbol: &Symbol, value: i64) -> Outcome {
        let expr = Rc::new(Expr::new(symbol.span, 0, ExprKind::Number(value)));
        let thunk = self.keep(&expr, name);
        self.define(name, symbol, Meaning::Constant(thunk))
    }
}

//! Handles statements that define a name or a property of the program.

use std::rc::Rc;

use super::draft::{Draft, Outcome};
use crate::evaluate::Unknown;
use crate::keywords::Mnemonic;
use crate::limits::ADDRESSES;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};
use crate::symbols::{DefinedFunction, Meaning, Namespace};
use crate::syntax::{Assertion, Constant, Expr, FunctionHead, Symbol};

impl Draft<'_, '_> {
    /// Defines a label at the next instruction. A global label ends the local scope before it.
    pub(super) fn define_label(&mut self, symbol: &Symbol) -> Outcome {
        self.refuse_in_structure(symbol.span)
            .map_err(|reported| self.lose(Namespace::Symbols, symbol, reported))?;
        let name = self.known_name(symbol)?;
        let index = self.next_index;
        let outcome = self.define(name, symbol, Meaning::Label(index));
        if !self.sources.names.is_local(name) {
            // The name was a mistake, and the intended one may be local and not end a scope.
            let is_mnemonic = Mnemonic::from_name(self.sources.names.text(name)).is_some();
            let evidence = self.findings.reporter.evidence().filter(|_| is_mnemonic);
            if let Some(reported) = outcome.as_ref().err().copied().or(evidence) {
                self.placed.symbols.lost.lose_locals(reported);
            }
            self.locals = self.placed.symbols.scopes.add_next_local_scope(self.locals);
        }
        outcome
    }

    /// Handles `name = value`.
    pub(super) fn define_constant(&mut self, constant: &Constant) -> Outcome {
        let name = self.known_name(&constant.name)?;
        let thunk = self.keep(&constant.value, name);
        self.define(name, &constant.name, Meaning::Constant(thunk))
    }

    /// Handles `.default`. A value from the command line takes precedence.
    pub(super) fn define_default(&mut self, constant: &Constant) -> Outcome {
        let Constant { name: symbol, value } = constant;
        if self.placed.symbols.scopes.routine_around(self.at.env).is_some() {
            let reported = self.report(&Problem::DefaultInRoutine, symbol.span);
            return Err(self.lose(Namespace::Symbols, symbol, reported));
        }
        let name = self.known_name(symbol)?;
        let given = self.sources.defines.get(&name);
        let given = given.map(|define| Rc::new(Expr::new(symbol.span, 0, define.value())));
        self.placed.settings.defaults.push(name);
        let thunk = self.keep(given.as_ref().unwrap_or(value), name);
        self.define(name, symbol, Meaning::Constant(thunk))
    }

    /// Handles `.function`.
    pub(super) fn define_function(&mut self, head: &Rc<FunctionHead>) -> Outcome {
        let (name, scope) = (self.known_name(&head.name)?, self.scope());
        if let Some(first) = self.placed.symbols.functions.get(&name) {
            let (first, span) = (first.location(), head.name.span);
            return Err(self.evaluator().report_duplicate("function", name, span, first, &scope));
        }
        let function = DefinedFunction { head: head.clone(), scope };
        self.placed.symbols.functions.insert(name, Rc::new(function));
        Ok(())
    }

    /// Handles `.org`.
    pub(super) fn set_next_index(&mut self, index: &Expr, span: Span) -> Outcome {
        let index = self.read_address(index, "an index", span)?;
        self.next_index = index;
        self.refused = None;
        Ok(())
    }

    /// Handles `.ram`.
    pub(super) fn set_next_address(&mut self, address: &Expr, span: Span) -> Outcome {
        let address = self.read_address(address, "a data address", span)?;
        self.next_address = address;
        Ok(())
    }

    /// Evaluates an address in one of the memories, for the next instruction or variable.
    fn read_address(&mut self, expr: &Expr, what: &'static str, at: Span) -> Result<u32, Reported> {
        self.refuse_in_structure(at)?;
        let scope = self.scope();
        self.evaluator().known_in_range(expr, &scope, what, ADDRESSES)
    }

    /// Handles `.assert`. It is checked now if its value is known, or else at the end.
    pub(super) fn assert(&mut self, assertion: &Rc<Assertion>) -> Outcome {
        let scope = self.scope();
        match self.evaluator().assert(assertion, &scope) {
            Err(Unknown::Reported(reported)) => Err(reported),
            Err(Unknown::Missing(_) | Unknown::Waits(_)) => {
                self.placed.assertions.push((assertion.clone(), scope));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Handles `.title`.
    pub(super) fn set_title(&mut self, text: &Rc<str>, span: Span) -> Outcome {
        let first = self.placed.settings.title.as_ref().map(|(_, first)| *first);
        self.refuse_second("title", first, span)?;
        self.placed.settings.title = Some((text.clone(), Location { file: self.at.file, span }));
        Ok(())
    }

    /// Refuses a setting that the program has already made.
    pub(super) fn refuse_second(
        &mut self,
        what: &'static str,
        first: Option<Location>,
        span: Span,
    ) -> Outcome {
        let Some(first) = first else { return Ok(()) };
        let note = ("it is given here", first);
        Err(self.report_with_note(&Problem::SecondSetting(what), span, Some(note)))
    }

    /// Returns true if the condition of an `.if` or `.elseif` holds.
    pub(super) fn is_true(
        &mut self,
        condition: &Expr,
        what: &'static str,
    ) -> Result<bool, Reported> {
        let scope = self.scope();
        self.evaluator().known_number(condition, &scope, what).map(|number| number != 0)
    }

    /// Returns the evidence that the parser reported an error here.
    pub(super) fn find_parser_error(&mut self, span: Span) -> Reported {
        let scope = self.scope();
        self.evaluator().find_parser_error(span, &scope)
    }
}

//! The lines of routines: `.routine` and `.call`.

use std::rc::Rc;

use pest::iterators::{Pair, Pairs};

use super::{Parser, Rule};
use crate::problem::Problem;
use crate::syntax::{Head, NameExpr, RoutineHead, StatementKind, Symbol};

impl Parser<'_> {
    /// What stands behind `.routine`.
    pub(super) fn routine_head(&mut self, mut inner: Pairs<'_, Rule>) -> StatementKind {
        let name = self.definition(inner.next().expect("a routine has a name"));
        if name.is_local(self.names) {
            self.report(name.span, &Problem::LocalRoutine);
            return StatementKind::Open(Head::LostRoutine(Some(name)));
        }
        let mut parameters: Vec<Symbol> = Vec::new();
        let mut result = None;
        while let Some(pair) = inner.next() {
            match pair.as_rule() {
                Rule::plain_name => parameters.push(self.plain_symbol(&pair)),
                Rule::arrow => result = inner.next().map(|pair| self.plain_symbol(&pair)),
                _ => {}
            }
        }
        let head = RoutineHead { name, parameters, result };
        StatementKind::Open(Head::Routine(Rc::new(head)))
    }

    fn plain_symbol(&mut self, pair: &Pair<'_, Rule>) -> Symbol {
        let name = NameExpr::Plain(self.plain_definition(pair));
        Symbol { span: self.span_of(pair), name }
    }

    /// What stands behind `.call`.
    pub(super) fn routine_call(&mut self, mut inner: Pairs<'_, Rule>) -> StatementKind {
        let name = inner.next().expect("a call names its routine");
        let name = self.symbol(name);
        let arguments = inner.filter(|pair| pair.as_rule() == Rule::expression);
        let arguments = arguments.map(|pair| Rc::new(self.expression(pair))).collect();
        StatementKind::CallRoutine { name, arguments }
    }
}

//! Evaluates the expressions that other stages ask for. Constants and arguments are shared, so each
//! is evaluated once, before the expressions that depend on it.

use super::context::ExprContext;
use super::expression::{Expression, NUMBER_IN_NAME};
use super::findings::Findings;
use super::memo::ThunkState;
use super::unknown::Unknown;
use crate::names::{Name, Names};
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::Location;
use crate::symbols::{Known, Scope, Symbols, ThunkId};
use crate::syntax::{Assertion, Expr, NameExpr, Symbol};

/// Evaluates expressions, and reports each problem together with the calls that led to its place.
/// An evaluator borrows the state of a stage, so it is short-lived.
pub(crate) struct Evaluator<'a> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) names: &'a mut Names,
    pub(crate) findings: &'a mut Findings,
    /// True once everything is placed and no more names will be defined.
    pub(crate) is_complete: bool,
}

impl<'a> Evaluator<'a> {
    /// Starts the evaluation of an expression in a scope.
    fn in_scope(&mut self, scope: &Scope) -> Expression<'_, 'a, 'static> {
        Expression { evaluator: self, context: ExprContext::from(scope) }
    }

    /// Returns the value of an expression, or the reason why it is not known yet.
    pub(crate) fn evaluate(&mut self, expr: &Expr, scope: &Scope) -> Result<Known, Unknown> {
        self.settle(|this| this.in_scope(scope).evaluate(expr))
    }

    /// Returns a name that is defined or called here. It can only depend on definitions above.
    pub(crate) fn known_name(&mut self, symbol: &Symbol, scope: &Scope) -> Result<Name, Reported> {
        let pieces = match &symbol.name {
            NameExpr::Plain(name) => return Ok(*name),
            NameExpr::Missing => return Err(self.find_parser_error(symbol.span, scope)),
            NameExpr::Built(pieces) => pieces,
        };
        let at = Location { file: scope.file, span: symbol.span };
        self.settle(|this| this.in_scope(scope).build(pieces, symbol.span))
            .map_err(|unknown| self.report_unknown(unknown, NUMBER_IN_NAME, at))
    }

    /// Returns a value that must be known by now. Reports an error if it is not.
    pub(crate) fn known_value(
        &mut self,
        expr: &Expr,
        scope: &Scope,
        what: &'static str,
    ) -> Result<Known, Reported> {
        let at = Location { file: scope.file, span: expr.span() };
        self.evaluate(expr, scope).map_err(|unknown| self.report_unknown(unknown, what, at))
    }

    /// Returns a number that must be known by now. Reports an error if it is not.
    pub(crate) fn known_number(
        &mut self,
        expr: &Expr,
        scope: &Scope,
        what: &'static str,
    ) -> Result<i64, Reported> {
        let known = self.known_value(expr, scope, what)?;
        self.expect_number(&known, expr, scope.into()).map(|(value, _)| value)
    }

    /// Returns a number that must be known and in a range. The whole range must fit a `T`.
    pub(crate) fn known_in_range<T: TryFrom<i64>>(
        &mut self,
        expr: &Expr,
        scope: &Scope,
        what: &'static str,
        range: (i64, i64),
    ) -> Result<T, Reported> {
        let known = self.known_value(expr, scope, what)?;
        self.in_range(&known, expr, scope, what, range)
    }

    /// Converts a value to a number in a range, or reports an error.
    pub(crate) fn in_range<T: TryFrom<i64>>(
        &mut self,
        known: &Known,
        expr: &Expr,
        scope: &Scope,
        what: &'static str,
        (min, max): (i64, i64),
    ) -> Result<T, Reported> {
        let (value, _) = self.expect_number(known, expr, scope.into())?;
        match T::try_from(value) {
            Ok(number) if (min..=max).contains(&value) => Ok(number),
            _ => {
                let problem = Problem::OutOfRange { what, value, min, max };
                Err(self.report(&problem, expr.span(), scope))
            }
        }
    }

    /// Returns true if an expression is a known number other than 0.
    fn is_true(&mut self, expr: &Expr, scope: &Scope) -> Result<bool, Unknown> {
        let known = self.evaluate(expr, scope)?;
        let number = self.expect_number(&known, expr, scope.into());
        number.map(|(value, _)| value != 0).map_err(Unknown::Reported)
    }

    /// Reports an assertion that fails.
    ///
    /// # Errors
    /// Fails if the assertion does not hold or its value is unknown.
    pub(crate) fn assert(&mut self, assertion: &Assertion, scope: &Scope) -> Result<(), Unknown> {
        let Assertion { condition, text } = assertion;
        if self.is_true(condition, scope)? {
            return Ok(());
        }
        let problem = Problem::AssertionFailed(text.as_ref().map(ToString::to_string));
        Err(Unknown::Reported(self.report(&problem, condition.span(), scope)))
    }

    /// Returns the value of a constant.
    pub(crate) fn evaluate_constant(&mut self, thunk: ThunkId) -> Result<Known, Unknown> {
        self.settle(|this| this.findings.memo.value(thunk))
    }
}

/// Thunks: expressions whose values are shared.
impl Evaluator<'_> {
    /// Runs an attempt. Whenever it waits for a thunk, evaluates that thunk and runs the attempt
    /// again.
    fn settle<T>(
        &mut self,
        mut attempt: impl FnMut(&mut Self) -> Result<T, Unknown>,
    ) -> Result<T, Unknown> {
        loop {
            match attempt(self) {
                Err(Unknown::Waits(thunk)) => self.force(thunk)?,
                outcome => return outcome,
            }
        }
    }

    /// Evaluates a thunk after those that it waits for.
    fn force(&mut self, thunk: ThunkId) -> Result<(), Unknown> {
        let symbols = self.symbols;
        let mut waiting = vec![thunk];
        while let Some(&id) = waiting.last() {
            let thunk = symbols.thunk(id);
            self.findings.memo.set_state(id, ThunkState::Started);
            let state = match self.in_scope(&thunk.scope).evaluate(&thunk.expr) {
                Ok(known) => ThunkState::Done(known),
                Err(Unknown::Reported(reported)) => ThunkState::Failed(reported),
                Err(Unknown::Waits(next))
                    if matches!(self.findings.memo.state(next), ThunkState::Waiting) =>
                {
                    waiting.push(next);
                    continue;
                }
                Err(Unknown::Waits(next)) => ThunkState::Failed(self.report_cycle(&waiting, next)),
                Err(missing) => {
                    for id in waiting {
                        self.findings.memo.set_state(id, ThunkState::Waiting);
                    }
                    return Err(missing);
                }
            };
            self.findings.memo.set_state(id, state);
            waiting.pop();
        }
        Ok(())
    }

    /// Reports a thunk that depends on itself. The cycle consists of `first` and everything after
    /// it in `waiting`.
    fn report_cycle(&mut self, waiting: &[ThunkId], first: ThunkId) -> Reported {
        let symbols = self.symbols;
        let start = waiting.iter().position(|&id| id == first).unwrap_or(0);
        let cycle = waiting[start..].iter().chain([&first]);
        let names: Vec<&str> = cycle.map(|id| self.names.text(symbols.thunk(*id).name)).collect();
        let path = (names.len() > 2).then(|| names.join(" -> "));
        let thunk = symbols.thunk(first);
        let problem = Problem::Cycle(self.text(thunk.name));
        self.report_with(&problem, thunk.expr.span(), &thunk.scope, |diagnostic| match path {
            Some(path) => diagnostic.note(format!("the cycle is {path}"), None),
            None => diagnostic,
        })
    }
}

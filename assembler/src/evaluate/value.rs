//! The value of an expression in its scope.

use gray1_language::{ArithmeticError, Binary};

use super::evaluator::{Evaluator, Place};
use super::memo::State;
use super::unknown::{Missing, Stop, Unknown};
use crate::diagnostic::Diagnostic;
use crate::limits::{BUILT_BYTES_MAX, IMMEDIATES};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};
use crate::symbols::{Binding, DefinitionId, Known, Meaning, Namespace, Scope, ThunkId, Value};
use crate::syntax::{Call, Expr, ExprKind, Function, NameExpr, Piece, Symbol};

/// What needs the value of a number in a name.
const NUMBER_IN_NAME: &str = "the number in a name";

type Result<T = Known, E = Stop> = std::result::Result<T, E>;

/// What a name in an expression stands for.
enum Named<'f> {
    /// An argument of the function that the expression belongs to.
    Argument(&'f Known),
    /// A parameter, an index, or a name of a routine.
    Bound(Binding),
    Symbol(DefinitionId),
}

/// What is asked of the evaluator.
impl Evaluator<'_> {
    /// The value of an expression, as far as it is known by now.
    pub(crate) fn value(&mut self, expr: &Expr, scope: &Scope) -> Result<Known, Unknown> {
        self.settle(|this| this.evaluate(expr, scope.into()))
    }

    /// A name that is defined or called here; it can depend only on what is defined above.
    pub(crate) fn known_name(&mut self, symbol: &Symbol, scope: &Scope) -> Result<Name, Reported> {
        let pieces = match &symbol.name {
            NameExpr::Plain(name) => return Ok(*name),
            NameExpr::Built(pieces) => pieces,
        };
        let at = Location { file: scope.file, span: symbol.span };
        self.settle(|this| this.build(pieces, symbol.span, scope.into()))
            .map_err(|unknown| self.report_unknown(unknown, NUMBER_IN_NAME, at))
    }

    /// The value of an expression that must be known by now.
    pub(crate) fn known_value(
        &mut self,
        expr: &Expr,
        scope: &Scope,
        what: &'static str,
    ) -> Result<Known, Reported> {
        let at = Location { file: scope.file, span: expr.span() };
        self.value(expr, scope).map_err(|unknown| self.report_unknown(unknown, what, at))
    }

    /// The same for one that must be a number.
    pub(crate) fn known_number(
        &mut self,
        expr: &Expr,
        scope: &Scope,
        what: &'static str,
    ) -> Result<i64, Reported> {
        let known = self.known_value(expr, scope, what)?;
        self.expect_number(&known, expr, scope.into()).map(|(value, _)| value)
    }

    /// The same for a number that must be in a range, of which all fit in a `T`.
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

    /// The number that a value is, if it is in a range.
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
            Ok(fitting) if (min..=max).contains(&value) => Ok(fitting),
            _ => {
                let problem = Problem::OutOfRange { what, value, min, max };
                Err(self.report(&problem, expr.span(), scope))
            }
        }
    }

    /// Whether an expression is a number other than 0, as far as that is known by now.
    pub(crate) fn is_true(&mut self, expr: &Expr, scope: &Scope) -> Result<bool, Unknown> {
        let known = self.value(expr, scope)?;
        let number = self.expect_number(&known, expr, scope.into());
        number.map(|(value, _)| value != 0).map_err(Unknown::Reported)
    }

    /// The value of a constant.
    pub(crate) fn constant(&mut self, thunk: ThunkId) -> Result<Known, Unknown> {
        self.settle(|this| this.thunk_value(thunk))
    }
}

/// Thunks: expressions whose values are shared.
impl Evaluator<'_> {
    /// Attempts something again and again, until all the thunks that it waits for are worked out.
    fn settle<T>(
        &mut self,
        mut attempt: impl FnMut(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Unknown> {
        loop {
            match attempt(self) {
                Ok(value) => return Ok(value),
                Err(Stop::Unknown(unknown)) => return Err(unknown),
                Err(Stop::Waits(thunk)) => self.force(thunk)?,
            }
        }
    }

    /// Works a thunk out, and before it those that it waits for.
    fn force(&mut self, thunk: ThunkId) -> Result<(), Unknown> {
        let symbols = self.symbols;
        let mut waiting = vec![thunk];
        while let Some(&id) = waiting.last() {
            let thunk = symbols.thunk(id);
            self.memo.set_state(id, State::Started);
            let state = match self.evaluate(&thunk.expr, (&thunk.scope).into()) {
                Ok(known) => State::Done(known),
                Err(Stop::Unknown(Unknown::Reported(reported))) => State::Failed(reported),
                Err(Stop::Waits(next)) if matches!(self.memo.state(next), State::Waiting) => {
                    waiting.push(next);
                    continue;
                }
                Err(Stop::Waits(next)) => State::Failed(self.report_cycle(&waiting, next)),
                Err(Stop::Unknown(missing)) => {
                    for id in waiting {
                        self.memo.set_state(id, State::Waiting);
                    }
                    return Err(missing);
                }
            };
            self.memo.set_state(id, state);
            waiting.pop();
        }
        Ok(())
    }

    /// The value of a thunk, if it is worked out.
    fn thunk_value(&self, id: ThunkId) -> Result {
        match self.memo.state(id) {
            State::Done(known) => Ok(known.clone()),
            State::Failed(reported) => Err((*reported).into()),
            State::Waiting | State::Started => Err(Stop::Waits(id)),
        }
    }

    /// Reports that a thunk waits for itself, through all that stand behind it in `waiting`.
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

/// Expressions.
impl Evaluator<'_> {
    /// The value of an expression, if all the thunks that it needs are worked out.
    pub(super) fn evaluate(&mut self, expr: &Expr, place: Place<'_>) -> Result {
        match &expr.kind {
            ExprKind::Number(value) => Ok(Known::number(*value)),
            ExprKind::Text(text) => Ok(Known { value: Value::Text(text.clone()), newest: 0 }),
            ExprKind::Here => Ok(Known::number(i64::from(place.scope.here))),
            ExprKind::Name(name) => self.symbol(*name, expr.span(), place),
            ExprKind::Built(pieces) => {
                let name = self.build(pieces, expr.span(), place)?;
                self.names.mention(name);
                self.symbol(name, expr.span(), place)
            }
            ExprKind::Unary(operator, operand) => {
                let (operand, newest) = self.number(operand, place)?;
                let value = self.checked(operator.apply(operand), expr, place)?;
                Ok(Known { value: Value::Number(value), newest })
            }
            ExprKind::Binary(operator, operands) => self.binary(*operator, operands, expr, place),
            ExprKind::Conditional(parts) => self.conditional(parts, place),
            ExprKind::Call(call) => self.call(call, expr, place),
            ExprKind::Apply(call) => self.apply(call, expr.span(), place),
            ExprKind::Pooled(value) => self.pooled(value, place),
            ExprKind::Bad => Err(self.refused_by_parser(expr.span(), &place.scope).into()),
        }
    }

    /// The same for an expression that must be a number.
    fn number(&mut self, expr: &Expr, place: Place<'_>) -> Result<(i64, u32)> {
        let known = self.evaluate(expr, place)?;
        Ok(self.expect_number(&known, expr, place)?)
    }

    /// The number that a value is, if it is one.
    fn expect_number(
        &mut self,
        known: &Known,
        expr: &Expr,
        place: Place<'_>,
    ) -> Result<(i64, u32), Reported> {
        match known.value {
            Value::Number(value) => Ok((value, known.newest)),
            ref other => {
                let problem = Problem::ExpectedNumber { found: other.kind() };
                let ticket = self.report_new(&problem, expr.span(), place, |_, found| found);
                Err(ticket.map_or_else(|reported| reported, |ticket| ticket.reported()))
            }
        }
    }

    /// Reports a problem that leaves an expression without a value.
    pub(super) fn stop(&mut self, problem: &Problem, span: Span, place: Place<'_>) -> Stop {
        self.stop_with(problem, span, place, |diagnostic| diagnostic)
    }

    /// The same with something added to it.
    pub(super) fn stop_with(
        &mut self,
        problem: &Problem,
        span: Span,
        place: Place<'_>,
        add: impl FnOnce(Diagnostic) -> Diagnostic,
    ) -> Stop {
        match self.report_new(problem, span, place, |_, diagnostic| add(diagnostic)) {
            Ok(ticket) => ticket.reported().into(),
            Err(reported) => reported.into(),
        }
    }

    /// Reports what went wrong in arithmetic at the expression that did it.
    fn checked(
        &mut self,
        result: Result<i64, ArithmeticError>,
        expr: &Expr,
        place: Place<'_>,
    ) -> Result<i64> {
        result.map_err(|error| self.stop(&error.into(), expr.span(), place))
    }

    fn binary(
        &mut self,
        operator: Binary,
        operands: &[Expr; 2],
        expr: &Expr,
        place: Place<'_>,
    ) -> Result {
        let (left, newest_left) = self.number(&operands[0], place)?;
        if let Some(value) = operator.short_circuit(left) {
            self.check_names(&operands[1], place)?;
            return Ok(Known { value: Value::Number(value), newest: newest_left });
        }
        let (right, newest_right) = self.number(&operands[1], place)?;
        let result = operator.apply(left, right);
        let culprit = match result {
            Err(ArithmeticError::ShiftCount(_)) => &operands[1],
            _ => expr,
        };
        let value = self.checked(result, culprit, place)?;
        Ok(Known { value: Value::Number(value), newest: newest_left.max(newest_right) })
    }

    fn conditional(&mut self, parts: &[Expr; 3], place: Place<'_>) -> Result {
        let [condition, then, otherwise] = parts;
        let (condition, newest) = self.number(condition, place)?;
        let (chosen, other) = if condition == 0 { (otherwise, then) } else { (then, otherwise) };
        let mut known = self.evaluate(chosen, place)?;
        self.check_names(other, place)?;
        known.newest = known.newest.max(newest);
        Ok(known)
    }

    /// Reports names without a definition in a part whose value is not needed. The part is not
    /// evaluated: it may divide by zero, or end a recursion.
    fn check_names(&mut self, expr: &Expr, place: Place<'_>) -> Result<()> {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Here | ExprKind::Bad => Ok(()),
            ExprKind::Name(name) => self.defined(*name, expr.span(), place).map(|_| ()),
            // Which name it would be follows from numbers that are not evaluated.
            ExprKind::Built(pieces) => pieces.iter().try_for_each(|piece| match piece {
                Piece::Number(number) => self.check_names(number, place),
                Piece::Text(_) => Ok(()),
            }),
            ExprKind::Unary(_, operand) | ExprKind::Pooled(operand) => {
                self.check_names(operand, place)
            }
            ExprKind::Binary(_, operands) => self.check_all_names(&**operands, place),
            ExprKind::Conditional(parts) => self.check_all_names(&**parts, place),
            ExprKind::Call(call) => self.check_all_names(&call.arguments, place),
            ExprKind::Apply(call) => {
                self.function(call, place)?;
                self.check_all_names(&call.arguments, place)
            }
        }
    }

    fn check_all_names(&mut self, parts: &[Expr], place: Place<'_>) -> Result<()> {
        parts.iter().try_for_each(|part| self.check_names(part, place))
    }

    fn call(&mut self, call: &Call<Function>, expr: &Expr, place: Place<'_>) -> Result {
        let Call { function, arguments } = call;
        let Function::Number(function) = function else {
            return self.text_function(arguments, place);
        };
        let (mut numbers, mut newest) = ([0; 2], 0);
        for (number, argument) in numbers.iter_mut().zip(arguments) {
            let known = self.number(argument, place)?;
            *number = known.0;
            newest = newest.max(known.1);
        }
        let value = self.checked(function.apply(numbers), expr, place)?;
        Ok(Known { value: Value::Number(value), newest })
    }

    /// `len(text)` or `char(text, index)`. A text is its UTF-8 bytes: that is what is printed.
    fn text_function(&mut self, arguments: &[Expr], place: Place<'_>) -> Result {
        let known = self.evaluate(&arguments[0], place)?;
        let Value::Text(text) = known.value else {
            let problem = Problem::ExpectedText { found: known.value.kind() };
            return Err(self.stop(&problem, arguments[0].span(), place));
        };
        let Some(index_expr) = arguments.get(1) else {
            let value = Value::Number(i64::try_from(text.len()).unwrap_or(i64::MAX));
            return Ok(Known { value, newest: known.newest });
        };
        let (index, newest) = self.number(index_expr, place)?;
        let byte = usize::try_from(index).ok().and_then(|index| text.as_bytes().get(index));
        let Some(&byte) = byte else {
            let problem = Problem::NoSuchByte { length: text.len(), index };
            return Err(self.stop(&problem, index_expr.span(), place));
        };
        let value = Value::Number(i64::from(byte));
        Ok(Known { value, newest: known.newest.max(newest) })
    }

    /// `#value`
    fn pooled(&mut self, value: &Expr, place: Place<'_>) -> Result {
        let (number, newest) = self.number(value, place)?;
        let (min, max) = IMMEDIATES;
        if (min..=max).contains(&number) {
            return Ok(Known { value: Value::Pooled(number.cast_unsigned() as u8), newest });
        }
        let problem = Problem::OutOfRange { what: "a value after `#`", value: number, min, max };
        Err(self.stop(&problem, value.span(), place))
    }

    /// The value of a name.
    fn symbol(&mut self, name: Name, span: Span, place: Place<'_>) -> Result {
        match self.defined(name, span, place)? {
            Named::Argument(known) => Ok(known.clone()),
            Named::Bound(Binding::Number(value)) => Ok(Known::number(value)),
            Named::Bound(Binding::Thunk(thunk)) => self.thunk_value(thunk),
            Named::Bound(Binding::Inner(definition)) | Named::Symbol(definition) => {
                self.meaning(definition)
            }
        }
    }

    /// The definition of a name, or the report that there is none.
    fn defined<'f>(&mut self, name: Name, span: Span, place: Place<'f>) -> Result<Named<'f>> {
        let Scope { env, locals, .. } = place.scope;
        if let Some(known) = place.frame.and_then(|frame| frame.argument(name)) {
            return Ok(Named::Argument(known));
        }
        if let Some(binding) = self.symbols.scopes.binding(env, name) {
            return Ok(Named::Bound(binding));
        }
        if let Some(definition) = self.symbols.find(name, self.names, locals) {
            return Ok(Named::Symbol(definition));
        }
        let (location, namespace) = (place.location(span), Namespace::Symbols);
        let missing = Missing { namespace, name, location, scope: place.scope, needed: None };
        Err(self.missing(missing, place))
    }

    /// The value of a name that is defined.
    fn meaning(&self, definition: DefinitionId) -> Result {
        let order = definition.0 + 1;
        let value = match self.symbols.definition(definition).meaning {
            Meaning::Label(index) => i64::from(index),
            Meaning::Variable { address, .. } => address,
            Meaning::Constant(thunk) => {
                let known = self.thunk_value(thunk)?;
                return Ok(Known { newest: known.newest.max(order), ..known });
            }
        };
        Ok(Known { value: Value::Number(value), newest: order })
    }
}

/// Names that are built from numbers.
impl Evaluator<'_> {
    /// The name that is built from pieces.
    fn build(&mut self, pieces: &[Piece], span: Span, place: Place<'_>) -> Result<Name> {
        if self.memo.effort.built_bytes > BUILT_BYTES_MAX {
            return Err(self.stop(&Problem::TooManyBuiltBytes, span, place));
        }
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Number(number) => text.push_str(&self.number_in_name(number, place)?),
            }
        }
        self.memo.effort.built_bytes += text.len();
        Ok(self.names.intern(&text))
    }

    fn number_in_name(&mut self, expr: &Expr, place: Place<'_>) -> Result<String> {
        let at = place.location(expr.span());
        let (value, newest) =
            self.number(expr, place).map_err(|stop| stop.needed_by(NUMBER_IN_NAME, at))?;
        if newest > place.scope.defined {
            let name = self.text(self.symbols.definition(DefinitionId(newest - 1)).name);
            let problem = Problem::NotKnownYet { name, what: NUMBER_IN_NAME };
            return Err(self.stop(&problem, expr.span(), place));
        }
        if value < 0 {
            return Err(self.stop(&Problem::NegativeInName(value), expr.span(), place));
        }
        Ok(value.to_string())
    }
}

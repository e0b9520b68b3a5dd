//! The value of an expression in its scope.

use super::scope::{Binding, Scope};
use super::value::{Known, Missing, Namespace, State, Stop, Thunk, ThunkId, Value};
use super::{Expander, Meaning};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::Span;
use crate::syntax::{Binary, Expr, ExprKind, Function, NameExpr, Piece, Unary};

type Result<T = Known> = std::result::Result<T, Stop>;

impl Expander<'_> {
    /// The value of an expression, as far as it is known by now.
    pub(super) fn value(&mut self, expr: &Expr, scope: &Scope) -> Result {
        loop {
            match self.evaluate(expr, scope) {
                Err(Stop::Waits(thunk)) => self.force(thunk)?,
                result => return result,
            }
        }
    }

    /// The text of a name, with the numbers in it.
    pub(super) fn known_name(&mut self, name: &NameExpr, scope: &Scope) -> Result<Name> {
        loop {
            match self.name(name, scope) {
                Err(Stop::Waits(thunk)) => self.force(thunk)?,
                result => return result,
            }
        }
    }

    /// Works a thunk out, and before it those that it waits for.
    pub(super) fn force(&mut self, thunk: ThunkId) -> Result<()> {
        let mut waiting = vec![thunk];
        while let Some(&id) = waiting.last() {
            let Thunk { expr, scope, .. } = &self.thunks[id.0 as usize];
            let (expr, scope) = (expr.clone(), *scope);
            self.set_state(id, State::UnderWay);
            let state = match self.evaluate(&expr, &scope) {
                Ok(known) => State::Done(known),
                Err(Stop::Reported(reported)) => State::Failed(reported),
                Err(Stop::Waits(next)) if self.is_waiting(next) => {
                    waiting.push(next);
                    continue;
                }
                Err(Stop::Waits(next)) => State::Failed(self.report_cycle(&waiting, next)),
                Err(Stop::Missing(missing)) => {
                    for id in waiting {
                        self.set_state(id, State::Waiting);
                    }
                    return Err(Stop::Missing(missing));
                }
            };
            self.set_state(id, state);
            waiting.pop();
        }
        Ok(())
    }

    /// Whether a thunk has not been looked at yet.
    fn is_waiting(&self, id: ThunkId) -> bool {
        matches!(self.thunks[id.0 as usize].state, State::Waiting)
    }

    fn set_state(&mut self, id: ThunkId, state: State) {
        self.thunks[id.0 as usize].state = state;
    }

    /// What is known of an expression without working out what it waits for.
    pub(super) fn evaluate(&mut self, expr: &Expr, scope: &Scope) -> Result {
        match &expr.kind {
            ExprKind::Number(value) => Ok(Known::number(*value)),
            ExprKind::Text(text) => Ok(Known { value: Value::Text(text.clone()), newest: 0 }),
            ExprKind::Here => Ok(Known::number(i64::from(scope.here))),
            ExprKind::Symbol(name) => self.symbol(name, expr.span, scope),
            ExprKind::Unary(operator, operand) => {
                let (operand, newest) = self.number(operand, scope)?;
                let value = self.checked(unary(*operator, operand), expr, scope)?;
                Ok(Known { value: Value::Number(value), newest })
            }
            ExprKind::Binary(operator, operands) => self.binary(*operator, operands, expr, scope),
            ExprKind::Conditional(parts) => self.conditional(parts, scope),
            ExprKind::Call(function, arguments) => self.call(*function, arguments, expr, scope),
            ExprKind::Apply(name, arguments) => self.apply(*name, arguments, expr.span, scope),
            ExprKind::Pooled(value) => self.pooled(value, scope),
            ExprKind::Bad => Err(Stop::Reported(self.refused_by_parser(expr.span, scope))),
        }
    }

    /// The same for an expression that must be a number.
    fn number(&mut self, expr: &Expr, scope: &Scope) -> Result<(i64, u32)> {
        let known = self.evaluate(expr, scope)?;
        Ok(self.expect_number(&known, expr, scope)?)
    }

    /// The number that a value is, if it is one.
    pub(super) fn expect_number(
        &mut self,
        known: &Known,
        expr: &Expr,
        scope: &Scope,
    ) -> std::result::Result<(i64, u32), Reported> {
        match known.value {
            Value::Number(value) => Ok((value, known.newest)),
            ref other => {
                let problem = Problem::ExpectedNumber { found: other.kind() };
                Err(self.report(&problem, expr.span, scope))
            }
        }
    }

    /// Reports a problem that leaves an expression without a value.
    fn stop(&mut self, problem: &Problem, span: Span, scope: &Scope) -> Stop {
        Stop::Reported(self.report(problem, span, scope))
    }

    /// Reports what went wrong in arithmetic at the expression that did it.
    fn checked<T>(
        &mut self,
        result: std::result::Result<T, Problem>,
        expr: &Expr,
        scope: &Scope,
    ) -> Result<T> {
        result.map_err(|problem| self.stop(&problem, expr.span, scope))
    }

    fn binary(
        &mut self,
        operator: Binary,
        operands: &[Expr; 2],
        expr: &Expr,
        scope: &Scope,
    ) -> Result {
        let (left, newest_left) = self.number(&operands[0], scope)?;
        // The right side counts only if the left one does not decide.
        let decided = match operator {
            Binary::OrElse => left != 0,
            Binary::AndThen => left == 0,
            _ => false,
        };
        if decided {
            return Ok(Known { value: Value::Number(i64::from(left != 0)), newest: newest_left });
        }
        let (right, newest_right) = self.number(&operands[1], scope)?;
        let result = match operator {
            Binary::ShiftLeft | Binary::ShiftRight if !(0..64).contains(&right) => {
                let what = "the count of a shift";
                let problem = Problem::OutOfRange { what, value: right, min: 0, max: 63 };
                return Err(self.stop(&problem, operands[1].span, scope));
            }
            _ => binary(operator, left, right),
        };
        let value = self.checked(result, expr, scope)?;
        Ok(Known { value: Value::Number(value), newest: newest_left.max(newest_right) })
    }

    fn conditional(&mut self, parts: &[Expr; 3], scope: &Scope) -> Result {
        let [condition, then, otherwise] = parts;
        let (condition, newest) = self.number(condition, scope)?;
        let mut known = self.evaluate(if condition == 0 { otherwise } else { then }, scope)?;
        known.newest = known.newest.max(newest);
        Ok(known)
    }

    fn call(
        &mut self,
        function: Function,
        arguments: &[Expr],
        expr: &Expr,
        scope: &Scope,
    ) -> Result {
        if let Function::Len | Function::Char = function {
            return self.text_function(arguments, scope);
        }
        let (mut numbers, mut newest) = ([0; 2], 0);
        for (number, argument) in numbers.iter_mut().zip(arguments) {
            let known = self.number(argument, scope)?;
            *number = known.0;
            newest = newest.max(known.1);
        }
        let [first, second] = numbers;
        let value = match function {
            Function::Lo => first & 0xff,
            Function::Hi => first >> 8 & 0xff,
            Function::Min => first.min(second),
            Function::Max => first.max(second),
            _ => self.checked(log2(first), expr, scope)?,
        };
        Ok(Known { value: Value::Number(value), newest })
    }

    /// `len(text)` or `char(text, index)`. A text is its UTF-8 bytes: that is what is printed.
    fn text_function(&mut self, arguments: &[Expr], scope: &Scope) -> Result {
        let known = self.evaluate(&arguments[0], scope)?;
        let Value::Text(text) = known.value else {
            let problem = Problem::ExpectedText { found: known.value.kind() };
            return Err(self.stop(&problem, arguments[0].span, scope));
        };
        let Some(index_expr) = arguments.get(1) else {
            let value = Value::Number(i64::try_from(text.len()).unwrap_or(i64::MAX));
            return Ok(Known { value, newest: known.newest });
        };
        let (index, newest) = self.number(index_expr, scope)?;
        let byte = usize::try_from(index).ok().and_then(|index| text.as_bytes().get(index));
        let Some(&byte) = byte else {
            let problem = Problem::NoSuchByte { length: text.len(), index };
            return Err(self.stop(&problem, index_expr.span, scope));
        };
        let value = Value::Number(i64::from(byte));
        Ok(Known { value, newest: known.newest.max(newest) })
    }

    /// `#value`
    fn pooled(&mut self, value: &Expr, scope: &Scope) -> Result {
        let (number, newest) = self.number(value, scope)?;
        let (min, max) = super::link::IMMEDIATES;
        if (min..=max).contains(&number) {
            return Ok(Known { value: Value::Pooled(number.cast_unsigned() as u8), newest });
        }
        let problem = Problem::OutOfRange { what: "a value behind `#`", value: number, min, max };
        Err(self.stop(&problem, value.span, scope))
    }

    /// The value of a name.
    fn symbol(&mut self, name: &NameExpr, span: Span, scope: &Scope) -> Result {
        let is_built = matches!(name, NameExpr::Built(_));
        let name = self.name(name, scope)?;
        if is_built {
            self.sources.names.mention(name);
        }
        if let Some(binding) = self.scopes.binding(scope.env, name) {
            return match binding {
                Binding::Number(value) => Ok(Known::number(value)),
                Binding::Thunk(thunk) => self.thunk_value(thunk),
                Binding::Inner(definition) => self.meaning(definition),
            };
        }
        let Some(definition) = self.find(name, scope.stretch) else {
            let location = self.location(span, scope);
            let namespace = Namespace::Symbols;
            let missing = Missing { namespace, name, location, scope: *scope, needed_by: None };
            return Err(self.missing(missing));
        };
        self.meaning(definition)
    }

    /// The value of a name that is defined.
    fn meaning(&self, definition: u32) -> Result {
        let order = definition + 1;
        match self.definitions[definition as usize].meaning {
            Meaning::Label(index) => {
                Ok(Known { value: Value::Number(i64::from(index)), newest: order })
            }
            Meaning::Variable { address, .. } => {
                Ok(Known { value: Value::Number(address), newest: order })
            }
            Meaning::Constant(thunk) => {
                let known = self.thunk_value(thunk)?;
                Ok(Known { newest: known.newest.max(order), ..known })
            }
        }
    }

    /// While there is still something to come, a missing name is the asker's problem; at the end
    /// it is an error.
    pub(super) fn missing(&mut self, missing: Missing) -> Stop {
        if self.complete {
            Stop::Reported(self.report_missing(&missing))
        } else {
            Stop::Missing(Box::new(missing))
        }
    }

    /// The name that a plain name is, or that a built one comes to.
    fn name(&mut self, name: &NameExpr, scope: &Scope) -> Result<Name> {
        let pieces = match name {
            NameExpr::Plain(name) => return Ok(*name),
            NameExpr::Built(pieces) => pieces,
        };
        let mut text = String::new();
        for piece in pieces.iter() {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Number(number) => text.push_str(&self.number_in_name(number, scope)?),
            }
        }
        Ok(self.sources.names.intern(&text))
    }

    fn number_in_name(&mut self, expr: &Expr, scope: &Scope) -> Result<String> {
        const WHO: &str = "the number in a name";
        let at = self.location(expr.span, scope);
        let (value, newest) = self.number(expr, scope).map_err(|stop| stop.needed_by(WHO, at))?;
        if newest > scope.defined {
            let name = self.definition_name(newest - 1);
            return Err(self.stop(&Problem::NotKnownYet { name, what: WHO }, expr.span, scope));
        }
        if value < 0 {
            return Err(self.stop(&Problem::NegativeInName(value), expr.span, scope));
        }
        Ok(value.to_string())
    }

    /// The value of a thunk, if it is worked out.
    fn thunk_value(&self, id: ThunkId) -> Result {
        match &self.thunks[id.0 as usize].state {
            State::Done(known) => Ok(known.clone()),
            State::Failed(reported) => Err(Stop::Reported(*reported)),
            State::Waiting | State::UnderWay => Err(Stop::Waits(id)),
        }
    }

    /// Reports that a thunk waits for itself, through all that stand behind it in `waiting`.
    pub(super) fn report_cycle(&mut self, waiting: &[ThunkId], first: ThunkId) -> Reported {
        let start = waiting.iter().position(|&id| id == first).unwrap_or(0);
        let circle = waiting[start..].iter().chain([&first]);
        let names: Vec<&str> =
            circle.map(|id| self.sources.names.text(self.thunks[id.0 as usize].name)).collect();
        let path = (names.len() > 2).then(|| names.join(" -> "));
        let Thunk { expr, scope, name, .. } = &self.thunks[first.0 as usize];
        let (span, scope) = (expr.span, *scope);
        let problem = Problem::Cycle(self.sources.names.text(*name).to_owned());
        self.report_with(&problem, span, &scope, |_, diagnostic| match path {
            Some(path) => diagnostic.note(format!("the circle is {path}"), None),
            None => diagnostic,
        })
    }
}

fn unary(operator: Unary, operand: i64) -> std::result::Result<i64, Problem> {
    match operator {
        Unary::Negate => operand.checked_neg().ok_or(Problem::Overflow("-")),
        Unary::Not => Ok(i64::from(operand == 0)),
        Unary::Complement => Ok(!operand),
    }
}

/// The result of an operator; shift counts are in range.
fn binary(operator: Binary, left: i64, right: i64) -> std::result::Result<i64, Problem> {
    let value = match operator {
        Binary::OrElse => Some(i64::from(left != 0 || right != 0)),
        Binary::AndThen => Some(i64::from(left != 0 && right != 0)),
        Binary::Or => Some(left | right),
        Binary::Xor => Some(left ^ right),
        Binary::And => Some(left & right),
        Binary::Equal => Some(i64::from(left == right)),
        Binary::NotEqual => Some(i64::from(left != right)),
        Binary::Less => Some(i64::from(left < right)),
        Binary::LessEqual => Some(i64::from(left <= right)),
        Binary::Greater => Some(i64::from(left > right)),
        Binary::GreaterEqual => Some(i64::from(left >= right)),
        Binary::ShiftLeft => Some(left << right).filter(|shifted| shifted >> right == left),
        Binary::ShiftRight => Some(left >> right),
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide | Binary::Remainder if right == 0 => return Err(Problem::DivisionByZero),
        Binary::Divide => left.checked_div(right),
        Binary::Remainder => left.checked_rem(right),
    };
    value.ok_or(Problem::Overflow(operator.text()))
}

fn log2(number: i64) -> std::result::Result<i64, Problem> {
    match u64::try_from(number) {
        Ok(number) if number.is_power_of_two() => Ok(i64::from(number.ilog2())),
        _ => Err(Problem::NotAPowerOfTwo(number)),
    }
}

//! Evaluates an expression in its context, by recursion through its parts and the functions that it
//! calls. The recursion does not follow constants and arguments. If a constant or argument has no
//! value yet, the evaluation stops, and the caller evaluates that constant or argument first.

use gray1_language::{ArithmeticError, Binary};

use super::context::{CallFrame, ExprContext};
use super::evaluator::Evaluator;
use super::unknown::{MissingName, Unknown};
use crate::diagnostic::Diagnostic;
use crate::limits::{BUILT_BYTES_MAX, FUNCTION_CALLS_MAX, FUNCTION_DEPTH_MAX, IMMEDIATES};
use crate::names::Name;
use crate::problem::Problem;
use crate::source::Span;
use crate::symbols::{
    Binding, DefinedFunction, DefinitionId, Known, Meaning, Namespace, Scope, Value,
};
use crate::syntax::{Call, Expr, ExprKind, Function, Piece, PlainName};

/// Describes the use of a number in a name, for messages.
pub(super) const NUMBER_IN_NAME: &str = "the number in a name";

type Result<T = Known, E = Unknown> = std::result::Result<T, E>;

/// The meaning of a name in an expression.
enum Named<'f> {
    /// An argument of the function whose body contains the expression.
    Argument(&'f Known),
    /// A parameter, an index, or a name of a routine.
    Bound(Binding),
    Symbol(DefinitionId),
}

/// Evaluates an expression, or a part of one, in a context.
pub(super) struct Expression<'e, 'a, 'f> {
    pub(super) evaluator: &'e mut Evaluator<'a>,
    pub(super) context: ExprContext<'f>,
}

impl<'a, 'f> Expression<'_, 'a, 'f> {
    /// Evaluates an expression. Stops if it needs a thunk that has no value yet.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Result {
        match &expr.kind {
            ExprKind::Number(value) => Ok(Known::number(*value)),
            ExprKind::Text(text) => Ok(Known { value: Value::Text(text.clone()), newest: 0 }),
            ExprKind::Here => Ok(Known::number(i64::from(self.context.scope.here))),
            ExprKind::Name(name) => self.evaluate_name(*name, expr.span()),
            ExprKind::Built(pieces) => {
                let name = self.build(pieces, expr.span())?;
                self.evaluator.names.mention(name);
                self.evaluate_name(name, expr.span())
            }
            ExprKind::Unary(operator, operand) => {
                let (operand, newest) = self.evaluate_number(operand)?;
                let value = self.check_result(operator.apply(operand), expr)?;
                Ok(Known { value: Value::Number(value), newest })
            }
            ExprKind::Binary(operator, operands) => self.evaluate_binary(*operator, operands, expr),
            ExprKind::Conditional(parts) => self.evaluate_conditional(parts),
            ExprKind::Call(call) => self.evaluate_call(call, expr),
            ExprKind::Apply(call) => self.apply(call, expr.span()),
            ExprKind::Pooled(value) => self.evaluate_pooled(value),
            ExprKind::Bad => {
                Err(self.evaluator.find_parser_error(expr.span(), &self.context.scope).into())
            }
        }
    }

    /// Evaluates an expression that must be a number.
    fn evaluate_number(&mut self, expr: &Expr) -> Result<(i64, u32)> {
        let known = self.evaluate(expr)?;
        Ok(self.evaluator.expect_number(&known, expr, self.context)?)
    }

    fn missing(&mut self, namespace: Namespace, name: Name, span: Span) -> Unknown {
        let (location, scope) = (self.context.location(span), self.context.scope);
        let missing = MissingName { namespace, name, location, scope, needed: None };
        self.evaluator.missing(missing, self.context)
    }

    /// Reports a problem that leaves an expression without a value.
    fn stop(&mut self, problem: &Problem, span: Span) -> Unknown {
        self.stop_with(problem, span, |diagnostic| diagnostic)
    }

    /// Reports a problem that leaves an expression without a value. `add` can extend the
    /// diagnostic.
    fn stop_with(
        &mut self,
        problem: &Problem,
        span: Span,
        add: impl FnOnce(Diagnostic) -> Diagnostic,
    ) -> Unknown {
        self.evaluator.report_new(problem, span, self.context, |_, found| add(found)).0.into()
    }

    /// Reports an arithmetic error at its expression.
    fn check_result(&mut self, result: Result<i64, ArithmeticError>, expr: &Expr) -> Result<i64> {
        result.map_err(|error| self.stop(&error.into(), expr.span()))
    }

    fn evaluate_binary(&mut self, operator: Binary, operands: &[Expr; 2], expr: &Expr) -> Result {
        let (left, newest_left) = self.evaluate_number(&operands[0])?;
        if let Some(value) = operator.short_circuit(left) {
            self.check_names(&operands[1])?;
            return Ok(Known { value: Value::Number(value), newest: newest_left });
        }
        let (right, newest_right) = self.evaluate_number(&operands[1])?;
        let result = operator.apply(left, right);
        let culprit = match result {
            Err(ArithmeticError::ShiftCount(_)) => &operands[1],
            _ => expr,
        };
        let value = self.check_result(result, culprit)?;
        Ok(Known { value: Value::Number(value), newest: newest_left.max(newest_right) })
    }

    fn evaluate_conditional(&mut self, parts: &[Expr; 3]) -> Result {
        let [condition, then, otherwise] = parts;
        let (condition, newest) = self.evaluate_number(condition)?;
        let (chosen, other) = if condition == 0 { (otherwise, then) } else { (then, otherwise) };
        let mut known = self.evaluate(chosen)?;
        self.check_names(other)?;
        known.newest = known.newest.max(newest);
        Ok(known)
    }

    /// Reports undefined names in a part whose value is not needed. The part is not evaluated,
    /// because it may divide by zero or be the end of a recursion.
    fn check_names(&mut self, expr: &Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.resolve(*name, expr.span())?;
            }
            // The full name depends on numbers that are not evaluated.
            ExprKind::Built(pieces) => {
                for piece in pieces.iter() {
                    if let Piece::Number(number) = piece {
                        self.check_names(number)?;
                    }
                }
            }
            ExprKind::Apply(call) => {
                self.find_function(call)?;
            }
            _ => {}
        }
        expr.parts().iter().try_for_each(|part| self.check_names(part))
    }

    fn evaluate_call(&mut self, call: &Call<Function>, expr: &Expr) -> Result {
        let Call { function, arguments } = call;
        let Function::Number(function) = function else {
            return self.evaluate_text_function(arguments);
        };
        let (mut numbers, mut newest) = ([0; 2], 0);
        for (number, argument) in numbers.iter_mut().zip(arguments) {
            let known = self.evaluate_number(argument)?;
            *number = known.0;
            newest = newest.max(known.1);
        }
        let value = self.check_result(function.apply(numbers), expr)?;
        Ok(Known { value: Value::Number(value), newest })
    }

    /// Evaluates `len(text)` or `char(text, index)`. The length and the index count UTF-8 bytes.
    fn evaluate_text_function(&mut self, arguments: &[Expr]) -> Result {
        let known = self.evaluate(&arguments[0])?;
        let Value::Text(text) = known.value else {
            let problem = Problem::ExpectedText { found: known.value.kind() };
            return Err(self.stop(&problem, arguments[0].span()));
        };
        let Some(index_expr) = arguments.get(1) else {
            let value = Value::Number(i64::try_from(text.len()).unwrap_or(i64::MAX));
            return Ok(Known { value, newest: known.newest });
        };
        let (index, newest) = self.evaluate_number(index_expr)?;
        let byte = usize::try_from(index).ok().and_then(|index| text.as_bytes().get(index));
        let Some(&byte) = byte else {
            let problem = Problem::NoSuchByte { length: text.len(), index };
            return Err(self.stop(&problem, index_expr.span()));
        };
        let value = Value::Number(i64::from(byte));
        Ok(Known { value, newest: known.newest.max(newest) })
    }

    /// Evaluates `#value`.
    fn evaluate_pooled(&mut self, value: &Expr) -> Result {
        let (number, newest) = self.evaluate_number(value)?;
        let (min, max) = IMMEDIATES;
        if (min..=max).contains(&number) {
            return Ok(Known { value: Value::Pooled(number.cast_unsigned() as u8), newest });
        }
        let problem = Problem::OutOfRange { what: "a value after `#`", value: number, min, max };
        Err(self.stop(&problem, value.span()))
    }

    /// Returns the value of a name.
    fn evaluate_name(&mut self, name: Name, span: Span) -> Result {
        match self.resolve(name, span)? {
            Named::Argument(known) => Ok(known.clone()),
            Named::Bound(Binding::Number(value) | Binding::Argument(value, _)) => {
                Ok(Known::number(value))
            }
            Named::Bound(Binding::Thunk(thunk)) => self.evaluator.findings.memo.value(thunk),
            Named::Bound(Binding::Inner(definition)) | Named::Symbol(definition) => {
                self.evaluate_definition(definition)
            }
        }
    }

    /// Returns the definition of a name, or reports that there is none.
    fn resolve(&mut self, name: Name, span: Span) -> Result<Named<'f>> {
        let Scope { env, locals, .. } = self.context.scope;
        if let Some(known) = self.context.frame.and_then(|frame| frame.argument(name)) {
            return Ok(Named::Argument(known));
        }
        if let Some(binding) = self.evaluator.symbols.scopes.find_binding(env, name) {
            return Ok(Named::Bound(binding));
        }
        if let Some(definition) = self.evaluator.symbols.find(name, self.evaluator.names, locals) {
            return Ok(Named::Symbol(definition));
        }
        Err(self.missing(Namespace::Symbols, name, span))
    }

    /// Returns the value of a definition.
    fn evaluate_definition(&self, definition: DefinitionId) -> Result {
        let order = definition.0 + 1;
        let value = match self.evaluator.symbols.definition(definition).meaning {
            Meaning::Label(index) => i64::from(index),
            Meaning::Variable { address, .. } => address,
            Meaning::Constant(thunk) => {
                let known = self.evaluator.findings.memo.value(thunk)?;
                return Ok(Known { newest: known.newest.max(order), ..known });
            }
        };
        Ok(Known { value: Value::Number(value), newest: order })
    }

    // --- Names built from numbers ---

    /// Builds a name from pieces.
    pub(super) fn build(&mut self, pieces: &[Piece], span: Span) -> Result<Name> {
        if self.evaluator.findings.memo.built_bytes > BUILT_BYTES_MAX {
            return Err(self.stop(&Problem::TooManyBuiltBytes, span));
        }
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Number(number) => text.push_str(&self.evaluate_number_in_name(number)?),
            }
        }
        self.evaluator.findings.memo.built_bytes += text.len();
        Ok(self.evaluator.names.intern(&text))
    }

    fn evaluate_number_in_name(&mut self, expr: &Expr) -> Result<String> {
        let at = self.context.location(expr.span());
        let (value, newest) =
            self.evaluate_number(expr).map_err(|stop| stop.needed_by(NUMBER_IN_NAME, at))?;
        if newest > self.context.scope.defined {
            let name = self
                .evaluator
                .text(self.evaluator.symbols.definition(DefinitionId(newest - 1)).name);
            let problem = Problem::NotKnownYet { name, what: NUMBER_IN_NAME };
            return Err(self.stop(&problem, expr.span()));
        }
        if value < 0 {
            return Err(self.stop(&Problem::NegativeInName(value), expr.span()));
        }
        Ok(value.to_string())
    }

    // --- Functions ---

    /// Evaluates `name(arguments)` for a function that the program defines.
    fn apply(&mut self, applied: &Call<PlainName>, call: Span) -> Result<Known, Unknown> {
        let function = self.find_function(applied)?;
        let Call { function: PlainName { name, .. }, arguments } = applied;
        let name = *name;
        let (expected, found) = (function.head.parameters.len(), arguments.len());
        if found != expected {
            let problem =
                Problem::ArgumentCount { name: self.evaluator.text(name), expected, found };
            let note = "the function is defined here";
            let place = Some(function.location());
            return Err(self.stop_with(&problem, call, |diagnostic| diagnostic.note(note, place)));
        }
        let arguments =
            arguments.iter().map(|argument| self.evaluate(argument)).collect::<Result<_, _>>()?;
        let frame = CallFrame {
            function: name,
            call: self.context.location(call),
            parameters: &function.head.parameters,
            arguments,
            caller: self.context.frame,
        };
        self.evaluate_body(function, &frame, call)
    }

    /// Returns the function that is called, or reports that there is none.
    fn find_function(&mut self, applied: &Call<PlainName>) -> Result<&'a DefinedFunction> {
        let PlainName { name, span } = applied.function;
        let symbols = self.evaluator.symbols;
        let function = symbols.functions.get(&name).map(|function| &**function);
        function.ok_or_else(|| self.missing(Namespace::Functions, name, span))
    }

    /// Evaluates the body of a function.
    fn evaluate_body(
        &mut self,
        function: &DefinedFunction,
        frame: &CallFrame<'_>,
        call: Span,
    ) -> Result<Known, Unknown> {
        let levels = function.head.value.depth() + 1;
        if self.evaluator.findings.memo.function_depth + levels > FUNCTION_DEPTH_MAX {
            let problem = Problem::FunctionTooDeep(self.evaluator.text(frame.function));
            return Err(self.stop(&problem, call));
        }
        if self.evaluator.findings.memo.function_calls >= FUNCTION_CALLS_MAX {
            return Err(self.stop(&Problem::TooManyFunctionCalls, call));
        }
        // The body sees the names that its definition saw. `$` has its value at the call, and an
        // argument in a name that the body builds must be known there, not at the definition.
        let Scope { site, here, defined, .. } = self.context.scope;
        let scope = Scope { site, here, defined, ..function.scope };
        let inner = ExprContext { scope, frame: Some(frame) };
        self.evaluator.findings.memo.function_calls += 1;
        self.evaluator.findings.memo.function_depth += levels;
        let mut body = Expression { evaluator: self.evaluator, context: inner };
        let known = body.evaluate(&function.head.value);
        self.evaluator.findings.memo.function_depth -= levels;
        known.map(|known| Known { newest: known.newest.max(function.scope.defined), ..known })
    }
}

//! The value of a call of a function that the program defines.

use super::evaluator::{Evaluator, Place};
use super::frame::Frame;
use super::unknown::{Missing, Stop};
use crate::limits::{FUNCTION_CALLS_MAX, FUNCTION_DEPTH_MAX};
use crate::names::Name;
use crate::problem::Problem;
use crate::source::Span;
use crate::symbols::{DefinedFunction, Known, Namespace, Scope};
use crate::syntax::Call;

impl<'a> Evaluator<'a> {
    /// The value of `name(arguments)`, where the name is not that of a built-in function.
    pub(super) fn apply(
        &mut self,
        applied: &Call<(Name, Span)>,
        call: Span,
        place: Place<'_>,
    ) -> Result<Known, Stop> {
        let function = self.function(applied, place)?;
        let Call { function: (name, _), arguments } = applied;
        let name = *name;
        let (expected, found) = (function.head.parameters.len(), arguments.len());
        if found != expected {
            let problem = Problem::ArgumentCount { name: self.text(name), expected, found };
            let note = "the function is defined here";
            let add = |diagnostic: crate::diagnostic::Diagnostic| {
                diagnostic.note(note, Some(function.location()))
            };
            return Err(self.stop_with(&problem, call, place, add));
        }
        let arguments = arguments
            .iter()
            .map(|argument| self.evaluate(argument, place))
            .collect::<Result<_, _>>()?;
        let frame = Frame {
            function: name,
            call: place.location(call),
            parameters: &function.head.parameters,
            arguments,
            caller: place.frame,
        };
        self.body(function, &frame, call, place)
    }

    /// The function that is called, or the report that there is none.
    pub(super) fn function(
        &mut self,
        applied: &Call<(Name, Span)>,
        place: Place<'_>,
    ) -> Result<&'a DefinedFunction, Stop> {
        let (name, span) = applied.function;
        let symbols = self.symbols;
        symbols.functions.get(&name).map(|function| &**function).ok_or_else(|| {
            let (location, namespace) = (place.location(span), Namespace::Functions);
            let missing = Missing { namespace, name, location, scope: place.scope, needed: None };
            self.missing(missing, place)
        })
    }

    /// The value of a function's expression.
    fn body(
        &mut self,
        function: &DefinedFunction,
        frame: &Frame<'_>,
        call: Span,
        place: Place<'_>,
    ) -> Result<Known, Stop> {
        let levels = function.head.value.depth() + 1;
        if self.memo.effort.function_depth + levels > FUNCTION_DEPTH_MAX {
            let problem = Problem::FunctionTooDeep(self.text(frame.function));
            return Err(self.stop(&problem, call, place));
        }
        if self.memo.effort.function_calls >= FUNCTION_CALLS_MAX {
            return Err(self.stop(&Problem::TooManyFunctionCalls, call, place));
        }
        // The body sees what the definition saw; `$` is that of the call.
        let Scope { site, here, .. } = place.scope;
        let inner = Place { scope: Scope { site, here, ..function.scope }, frame: Some(frame) };
        self.memo.effort.function_calls += 1;
        self.memo.effort.function_depth += levels;
        let known = self.evaluate(&function.head.value, inner);
        self.memo.effort.function_depth -= levels;
        known.map(|known| Known { newest: known.newest.max(function.scope.defined), ..known })
    }
}

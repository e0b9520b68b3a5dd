//! Functions: what `.function` defines, and the value of a call.

use super::scope::{Binding, Scope, Site, SiteKind};
use super::value::{Known, Missing, Namespace, State, Stop, Thunk, ThunkId};
use super::{At, Expander};
use crate::names::Name;
use crate::problem::Problem;
use crate::source::{Location, Span};
use crate::suggest;
use crate::syntax::{Expr, Function, FunctionHead};
use std::rc::Rc;

/// How many levels of operators may be under way in functions that call each other: each costs
/// stack.
pub(crate) const FUNCTION_DEPTH_MAX: u32 = 512;
/// How many calls of functions a program may take, so that none takes for ever.
pub(crate) const FUNCTION_CALLS_MAX: u32 = 1 << 20;

/// A function that was defined.
#[derive(Debug)]
pub(super) struct DefinedFunction {
    head: Rc<FunctionHead>,
    /// Where it was defined: its expression sees what can be seen there.
    scope: Scope,
}

impl DefinedFunction {
    pub(super) fn location(&self) -> Location {
        Location { file: self.scope.file, span: self.head.span }
    }
}

/// How much work functions have made.
#[derive(Debug, Default)]
pub(super) struct Effort {
    depth: u32,
    calls: u32,
}

impl Expander<'_> {
    /// `.function`
    pub(super) fn define_function(&mut self, head: &Rc<FunctionHead>, at: At) {
        let scope = self.scope(at);
        if let Some(first) = self.functions.get(&head.name).map(|first| first.location()) {
            let name = self.sources.names.text(head.name).to_owned();
            let problem = Problem::DefinedTwice { kind: "function", name: name.clone() };
            self.report_with(&problem, head.span, &scope, |_, diagnostic| {
                diagnostic.note(format!("`{name}` is first defined here"), Some(first))
            });
            return;
        }
        let function = DefinedFunction { head: head.clone(), scope };
        self.functions.insert(head.name, Rc::new(function));
    }

    /// The value of `name(arguments)`, where the name is not that of a built-in function.
    pub(super) fn apply(
        &mut self,
        (name, place): (Name, Span),
        arguments: &[Expr],
        call: Span,
        scope: &Scope,
    ) -> Result<Known, Stop> {
        let Some(function) = self.functions.get(&name).cloned() else {
            let location = self.location(place, scope);
            let namespace = Namespace::Functions;
            let missing = Missing { namespace, name, location, scope: *scope, needed_by: None };
            return Err(self.missing(missing));
        };
        let (expected, found) = (function.head.parameters.len(), arguments.len());
        if found != expected {
            let name = self.sources.names.text(name).to_owned();
            let problem = Problem::ArgumentCount { name, expected, found };
            let reported = self.report_with(&problem, call, scope, |_, diagnostic| {
                diagnostic.note("the function is defined here", Some(function.location()))
            });
            return Err(reported.into());
        }
        let mut values = Vec::with_capacity(found);
        for argument in arguments {
            values.push(self.evaluate(argument, scope)?);
        }
        self.body(&function, values, call, scope)
    }

    /// The value of a function's expression for these arguments.
    fn body(
        &mut self,
        function: &DefinedFunction,
        values: Vec<Known>,
        call: Span,
        scope: &Scope,
    ) -> Result<Known, Stop> {
        let levels = function.head.value.depth + 1;
        let is_too_deep = self.effort.depth + levels > FUNCTION_DEPTH_MAX;
        if is_too_deep || self.effort.calls >= FUNCTION_CALLS_MAX {
            let name = self.sources.names.text(function.head.name).to_owned();
            let problem = if is_too_deep {
                Problem::FunctionTooDeep(name)
            } else {
                Problem::TooManyFunctionCalls
            };
            return Err(self.report(&problem, call, scope).into());
        }
        self.effort.depth += levels;
        self.effort.calls += 1;
        let known = self.body_in_scope(function, values, call, scope);
        self.effort.depth -= levels;
        known
    }

    /// Nothing but the value is left of a call: what it needs of scopes is given back.
    fn body_in_scope(
        &mut self,
        function: &DefinedFunction,
        values: Vec<Known>,
        call: Span,
        scope: &Scope,
    ) -> Result<Known, Stop> {
        let scopes = self.scopes.mark();
        let thunks = self.thunks.len();
        let head = &function.head;
        let first = ThunkId(thunks as u32);
        self.thunks.extend(head.parameters.iter().zip(values).map(|(&name, value)| Thunk {
            expr: head.value.clone(),
            scope: *scope,
            name,
            state: State::Done(value),
        }));
        let numbers = first.0..;
        let bindings = head.parameters.iter().zip(numbers);
        let bindings = bindings.map(|(&name, number)| (name, Binding::Thunk(ThunkId(number))));
        let env = self.scopes.env(function.scope.env, bindings);
        let call = self.location(call, scope);
        let site = Site { kind: SiteKind::Function(head.name), call, parent: scope.site };
        let site = self.scopes.site(site);
        // `$` is that of the call.
        let inner = Scope { env, site, here: scope.here, ..function.scope };
        let known = self.evaluate(&head.value, &inner);
        self.thunks.truncate(thunks);
        self.scopes.release(scopes);
        match known {
            Ok(known) => Ok(Known { newest: known.newest.max(function.scope.defined), ..known }),
            Err(Stop::Missing(mut missing)) => {
                // Its report comes when this call is long over.
                if missing.scope.env == env {
                    missing.scope.env = function.scope.env;
                }
                missing.scope.site = scope.site;
                Err(Stop::Missing(missing))
            }
            Err(stop) => Err(stop),
        }
    }

    /// A function that could have been meant.
    pub(super) fn similar_function(&self, name: Name) -> Option<String> {
        let names = &self.sources.names;
        let defined = self.functions.keys().map(|name| names.text(*name));
        let known = Function::TABLE.iter().map(|row| row.1).chain(defined);
        suggest::nearest(names.text(name), known)
    }
}

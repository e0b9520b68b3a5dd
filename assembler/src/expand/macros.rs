//! Macros: their definition, and what a call of one expands to.

use std::cell::Cell;
use std::rc::Rc;

use gray1_isa::Op;

use super::scope::{Binding, SiteKind};
use super::value::{State, Thunk, ThunkId};
use super::{At, DEPTH_MAX, Expander, Macro};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};
use crate::suggest;
use crate::syntax::{Argument, Branch, ExprKind, MacroHead, NameExpr, Symbol};

impl Expander<'_> {
    /// `.macro`
    pub(super) fn define_macro(&mut self, head: &Rc<MacroHead>, branch: &Branch, at: At) {
        let Ok(name) = self.defined_name(&head.name, at) else { return };
        let location = Location { file: at.file, span: head.name.span };
        if let Some(first) = self.macros.get(&name) {
            let first = first.location;
            let text = self.sources.names.text(name).to_owned();
            let problem = Problem::DefinedTwice { kind: "macro", name: text.clone() };
            let scope = self.scope(at);
            self.report_with(&problem, head.name.span, &scope, |_, diagnostic| {
                diagnostic.note(format!("`{text}` is first defined here"), Some(first))
            });
            return;
        }
        let (head, body) = (head.clone(), branch.body.clone());
        let defined = Macro {
            head,
            body,
            file: at.file,
            env: at.env,
            location,
            is_endless: Cell::new(false),
        };
        self.macros.insert(name, Rc::new(defined));
    }

    /// A call of a macro.
    pub(super) fn call_macro(
        &mut self,
        symbol: &Symbol,
        arguments: &[Argument],
        span: Span,
        at: At,
    ) {
        let Ok(name) = self.defined_name(symbol, at) else { return };
        let Some(called) = self.macros.get(&name).cloned() else {
            return self.unknown_call(name, symbol.span, at);
        };
        if called.is_endless.get() {
            return;
        }
        let is_inside_itself = |expander: &Self| {
            let mut sites = expander.scopes.sites_of(at.site);
            sites.any(|(_, site)| site.kind == SiteKind::Macro(name))
        };
        if at.depth >= DEPTH_MAX && is_inside_itself(self) {
            let problem = Problem::EndlessMacro(self.sources.names.text(name).to_owned());
            self.give_up(&problem, span, at);
        }
        if self.unwinding || !self.may_expand(called.body.len(), span, at) {
            return;
        }
        let bindings = match self.bind(&called, name, arguments, span, at) {
            Ok(bindings) => bindings,
            Err(reported) => return self.lost.lose_items(&called.body, reported),
        };
        let env = self.scopes.env(called.env, bindings);
        let site = self.site(SiteKind::Macro(name), span, at);
        self.expansion(&called.body, At { file: called.file, env, site, depth: at.depth + 1 });
        if self.unwinding
            && let Some(reported) = self.reporter.evidence()
        {
            called.is_endless.set(true);
            self.lost.lose_items(&called.body, reported);
        }
    }

    /// What each parameter stands for in a call; `None` if the call was refused.
    fn bind(
        &mut self,
        called: &Macro,
        name: Name,
        arguments: &[Argument],
        span: Span,
        at: At,
    ) -> Result<Vec<(Name, Binding)>, Reported> {
        let parameters = &called.head.parameters;
        let mut given: Vec<Option<Binding>> = vec![None; parameters.len()];
        for (number, argument) in arguments.iter().enumerate() {
            let index = match argument.parameter {
                None => self.positional(called, name, arguments, number, at)?,
                Some((parameter, place)) => self.named(called, name, (parameter, place), at)?,
            };
            if given[index].is_some() {
                let parameter = self.sources.names.text(parameters[index].name).to_owned();
                let place = argument.parameter.map_or(argument.value.span, |(_, place)| place);
                let problem = Problem::ArgumentTwice(parameter);
                return Err(self.report(&problem, place, &self.scope(at)));
            }
            given[index] = Some(self.argument(argument, parameters[index].name, at));
        }
        self.add_defaults(called, name, &given, span, at)
    }

    /// The parameter that an argument without a name is for.
    fn positional(
        &mut self,
        called: &Macro,
        name: Name,
        arguments: &[Argument],
        number: usize,
        at: At,
    ) -> Result<usize, Reported> {
        let place = arguments[number].value.span;
        if arguments[..number].iter().any(|argument| argument.parameter.is_some()) {
            return Err(self.report(&Problem::PositionalAfterNamed, place, &self.scope(at)));
        }
        let max = called.head.parameters.len();
        if number < max {
            return Ok(number);
        }
        let name = self.sources.names.text(name).to_owned();
        let problem = Problem::TooManyArguments { name, max, found: arguments.len() };
        Err(self.report_call(&problem, place, called, at))
    }

    /// The parameter that an argument with a name is for.
    fn named(
        &mut self,
        called: &Macro,
        name: Name,
        (parameter, place): (Name, Span),
        at: At,
    ) -> Result<usize, Reported> {
        let parameters = &called.head.parameters;
        if let Some(index) = parameters.iter().position(|known| known.name == parameter) {
            return Ok(index);
        }
        let known = parameters.iter().map(|known| self.sources.names.text(known.name));
        let parameter = self.sources.names.text(parameter).to_owned();
        let help = suggest::nearest(&parameter, known);
        let problem =
            Problem::UnknownParameter { name: self.sources.names.text(name).to_owned(), parameter };
        let scope = self.scope(at);
        Err(self.report_with(&problem, place, &scope, |_, diagnostic| {
            diagnostic.note("the macro is defined here", Some(called.location)).help(help)
        }))
    }

    /// An argument: an expression of the caller's scope.
    fn argument(&mut self, argument: &Argument, parameter: Name, at: At) -> Binding {
        match &argument.value.kind {
            ExprKind::Number(value) => return Binding::Number(*value),
            // A parameter that is passed on stays what it is, however deep it is passed.
            ExprKind::Symbol(NameExpr::Plain(name)) => {
                if let Some(binding) = self.scopes.binding(at.env, *name) {
                    return binding;
                }
            }
            _ => {}
        }
        Binding::Thunk(self.thunk(&argument.value, parameter, at))
    }

    /// Fills in the defaults, which may use the other parameters.
    fn add_defaults(
        &mut self,
        called: &Macro,
        name: Name,
        given: &[Option<Binding>],
        span: Span,
        at: At,
    ) -> Result<Vec<(Name, Binding)>, Reported> {
        let mut bindings = Vec::with_capacity(given.len());
        for (parameter, given) in called.head.parameters.iter().zip(given) {
            let binding = match (given, &parameter.default) {
                (Some(binding), _) => *binding,
                (None, Some(default)) => {
                    let scope = super::Scope {
                        file: called.file,
                        env: self.scopes.next_env(),
                        ..self.scope(at)
                    };
                    let id = ThunkId(self.thunks.len() as u32);
                    let (expr, name) = (default.clone(), parameter.name);
                    self.thunks.push(Thunk { expr, scope, name, state: State::Waiting });
                    Binding::Thunk(id)
                }
                (None, None) => {
                    let parameter = self.sources.names.text(parameter.name).to_owned();
                    let name = self.sources.names.text(name).to_owned();
                    let problem = Problem::MissingArgument { name, parameter };
                    return Err(self.report_call(&problem, span, called, at));
                }
            };
            bindings.push((parameter.name, binding));
        }
        Ok(bindings)
    }

    /// Reports a call that does not fit its macro, and shows the macro.
    fn report_call(&mut self, problem: &Problem, place: Span, called: &Macro, at: At) -> Reported {
        let scope = self.scope(at);
        self.report_with(problem, place, &scope, |_, diagnostic| {
            diagnostic.note("the macro is defined here", Some(called.location))
        })
    }

    /// Reports a call of what is not a macro above. That is an error whatever follows; only its
    /// wording has to [wait](Self::reword_unknown_calls) for the macros below.
    fn unknown_call(&mut self, name: Name, span: Span, at: At) {
        let scope = self.scope(at);
        let ticket = self.lost.macro_(name).map_or(Ok(()), Err).and_then(|()| {
            let problem = Problem::UnknownInstruction(self.sources.names.text(name).to_owned());
            self.report_anew(&problem, span, &scope, |_, diagnostic| diagnostic)
        });
        self.unknown_calls.push((ticket.ok(), name, span, scope));
    }

    /// Says of the calls of unknown macros whether these are defined below, or what could have been
    /// meant.
    pub(super) fn reword_unknown_calls(&mut self) {
        for (ticket, name, span, scope) in std::mem::take(&mut self.unknown_calls) {
            if let Some(place) = self.macros.get(&name).map(|later| later.location) {
                let problem = Problem::MacroDefinedLater(self.sources.names.text(name).to_owned());
                self.report_later(ticket, &problem, span, &scope, |diagnostic| {
                    diagnostic.note("it is defined here", Some(place))
                });
            } else if let Some(ticket) = ticket {
                let help = self.similar_instruction(name);
                self.reporter.reword(ticket, |diagnostic| diagnostic.help(help));
            }
        }
    }

    /// An instruction or a macro that could have been meant.
    fn similar_instruction(&mut self, name: Name) -> Option<String> {
        if let Some(help) = self.routine_help(name) {
            return Some(help);
        }
        if !self.may_compare(self.macros.len()) {
            return None;
        }
        let macros = self.macros.keys().map(|name| self.sources.names.text(*name));
        let mnemonics = Op::ALL.map(Op::mnemonic).into_iter().chain(["HALT"]);
        suggest::nearest(self.sources.names.text(name), mnemonics.chain(macros))
    }
}

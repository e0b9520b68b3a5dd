//! Macros: their definition, and what a call of one expands to.

use std::rc::Rc;

use super::placer::{At, Outcome, Placer};
use crate::evaluate::Missing;
use crate::limits::{ARGUMENTS_MAX, DEPTH_MAX};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};
use crate::suggest;
use crate::symbols::{Binding, Macro, Namespace, Scope, SiteId, SiteKind, Thunk};
use crate::syntax::{Argument, Branch, ExprKind, MacroCall, MacroHead};

impl Placer<'_, '_> {
    /// `.macro`
    pub(super) fn define_macro(
        &mut self,
        head: &Rc<MacroHead>,
        branch: &Branch,
        at: At,
    ) -> Outcome {
        let name = self.known_name(&head.name, at)?;
        if let Some(first) = self.symbols.macros.get(&name) {
            let (first, scope) = (first.location, self.scope(at));
            let mut evaluator = self.evaluator();
            return Err(evaluator.report_twice("macro", name, head.name.span, first, &scope));
        }
        let location = Location { file: at.file, span: head.name.span };
        let (head, body) = (head.clone(), branch.body.clone());
        let defined = Macro { head, body, file: at.file, env: at.env, location };
        self.symbols.macros.insert(name, Rc::new(defined));
        Ok(())
    }

    /// A call of a macro.
    pub(super) fn call_macro(&mut self, call: &MacroCall, span: Span, at: At) -> Outcome {
        let MacroCall { name: symbol, arguments } = call;
        let name = self.known_name(symbol, at)?;
        let Some(called) = self.symbols.macros.get(&name).cloned() else {
            return Err(self.report_unknown_macro(name, symbol.span, at));
        };
        if let Some(reported) = self.walk.endless.get(&name) {
            return Err(*reported);
        }
        self.refuse_endless(name, span, at)?;
        self.count_lines(&called.body, span, at)?;
        if self.symbols.scopes.binding_count() + called.head.parameters.len() > ARGUMENTS_MAX {
            return Err(self.use_up(&Problem::TooManyBindings, span, at));
        }
        let site = self.site(SiteKind::Macro(name), span, at);
        let bindings = self
            .bind(&called, name, arguments, (span, site), at)
            .inspect_err(|reported| self.symbols.lost.lose_items(&called.body, *reported))?;
        let env = self.symbols.scopes.env(called.env, bindings);
        self.expansion(&called.body, At { file: called.file, env, site, ..at.deeper() });
        if let Some(unwinding) = self.walk.unwinding {
            let reported = unwinding.reported();
            self.walk.endless.insert(name, reported);
            self.symbols.lost.lose_items(&called.body, reported);
        }
        Ok(())
    }

    /// Refuses a call that is nested too deep, if the macro has called itself.
    fn refuse_endless(&mut self, name: Name, span: Span, at: At) -> Outcome {
        let is_call = |kind| kind == SiteKind::Macro(name);
        let calls_itself =
            || self.symbols.scopes.sites_of(at.site).any(|(_, site)| is_call(site.kind));
        if at.depth < DEPTH_MAX || !calls_itself() {
            return Ok(());
        }
        let problem = Problem::EndlessMacro(self.sources.names.text(name).to_owned());
        Err(self.give_up(&problem, span, at))
    }

    /// Reports a call of what is not a macro above.
    fn report_unknown_macro(&mut self, name: Name, span: Span, at: At) -> Reported {
        let location = Location { file: at.file, span };
        let (namespace, scope) = (Namespace::Macros, self.scope(at));
        let missing = Missing { namespace, name, location, scope, needed: None };
        self.evaluator().report_early(missing)
    }

    /// What each parameter stands for in a call.
    fn bind(
        &mut self,
        called: &Macro,
        name: Name,
        arguments: &[Argument],
        call: (Span, SiteId),
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
                let place = argument.parameter.map_or(argument.value.span(), |(_, place)| place);
                let problem = Problem::ArgumentTwice(parameter);
                return Err(self.report(&problem, place, at));
            }
            given[index] = Some(self.argument(argument, parameters[index].name, at));
        }
        self.add_defaults(called, name, &given, call, at)
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
        let place = arguments[number].value.span();
        if arguments[..number].iter().any(|argument| argument.parameter.is_some()) {
            return Err(self.report(&Problem::PositionalAfterNamed, place, at));
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
        let at_name = Location { file: at.file, span: place };
        let help = suggest::nearest(&parameter, at_name, known);
        let problem =
            Problem::UnknownParameter { name: self.sources.names.text(name).to_owned(), parameter };
        let scope = self.scope(at);
        Err(self.evaluator().report_with(&problem, place, &scope, |diagnostic| {
            diagnostic.note("the macro is defined here", Some(called.location)).help(help)
        }))
    }

    /// An argument: an expression of the caller's scope.
    fn argument(&mut self, argument: &Argument, parameter: Name, at: At) -> Binding {
        match &argument.value.kind {
            ExprKind::Number(value) => return Binding::Number(*value),
            // A parameter that is passed on stays what it is, however deep it is passed.
            ExprKind::Name(name) => {
                if let Some(binding) = self.symbols.scopes.binding(at.env, *name) {
                    return binding;
                }
            }
            _ => {}
        }
        Binding::Thunk(self.keep(&argument.value, parameter, at))
    }

    /// Fills in the defaults, which may use the other parameters. What is wrong with one of them is
    /// told as a mistake inside of the macro.
    fn add_defaults(
        &mut self,
        called: &Macro,
        name: Name,
        given: &[Option<Binding>],
        (span, site): (Span, SiteId),
        at: At,
    ) -> Result<Vec<(Name, Binding)>, Reported> {
        let mut bindings = Vec::with_capacity(given.len());
        for (parameter, given) in called.head.parameters.iter().zip(given) {
            let binding = match (given, &parameter.default) {
                (Some(binding), _) => *binding,
                (None, Some(default)) => {
                    let scope = Scope {
                        file: called.file,
                        env: self.symbols.scopes.next_env(),
                        site,
                        ..self.scope(at)
                    };
                    let (expr, name) = (default.clone(), parameter.name);
                    Binding::Thunk(self.symbols.keep(Thunk { expr, scope, name }))
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
        let note = ("the macro is defined here", called.location);
        self.report_beside(problem, place, at, Some(note))
    }
}

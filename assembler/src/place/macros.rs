//! Defines macros, and matches the arguments of their calls to parameters.

use std::rc::Rc;

use super::draft::{Draft, Outcome};
use crate::evaluate::MissingName;
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};
use crate::suggest;
use crate::symbols::{Binding, Macro, Namespace, Scope, SiteId, Thunk};
use crate::syntax::{Argument, Branch, ExprKind, MacroHead, PlainName};

impl Draft<'_, '_> {
    /// Handles `.macro`.
    pub(super) fn define_macro(&mut self, head: &Rc<MacroHead>, branch: &Branch) -> Outcome {
        let name = self.known_name(&head.name)?;
        if let Some(first) = self.placed.symbols.macros.get(&name) {
            let (first, scope) = (first.location, self.scope());
            let mut evaluator = self.evaluator();
            return Err(evaluator.report_duplicate("macro", name, head.name.span, first, &scope));
        }
        let location = Location { file: self.at.file, span: head.name.span };
        let (head, body) = (head.clone(), branch.body.clone());
        let defined = Macro { head, body, file: self.at.file, env: self.at.env, location };
        self.placed.symbols.macros.insert(name, Rc::new(defined));
        Ok(())
    }

    /// Returns the macro with this name. `span` is the range of the name in the `call`.
    pub(super) fn find_macro(
        &mut self,
        name: Name,
        span: Span,
        call: Span,
    ) -> Result<Rc<Macro>, Reported> {
        self.placed.symbols.macros.get(&name).cloned().ok_or_else(|| {
            let [location, call] = [span, call].map(|span| Location { file: self.at.file, span });
            let (namespace, scope) = (Namespace::Macros, self.scope());
            let needed = Some(("a call", call));
            let missing = MissingName { namespace, name, location, scope, needed };
            self.evaluator().report_early(missing)
        })
    }
}

/// Gives the parameters of a macro the arguments of a call.
pub(super) struct ArgumentBinder<'c, 'd, 'a, 'l> {
    pub(super) draft: &'d mut Draft<'a, 'l>,
    pub(super) called: &'c Macro,
    pub(super) name: Name,
    /// The range of the calling statement.
    pub(super) span: Span,
    /// The site of this call.
    pub(super) site: SiteId,
}

impl ArgumentBinder<'_, '_, '_, '_> {
    /// Returns the argument of each parameter.
    pub(super) fn bind(
        &mut self,
        arguments: &[Argument],
    ) -> Result<Vec<(Name, Binding)>, Reported> {
        let parameters = &self.called.head.parameters;
        let mut given: Vec<Option<Binding>> = vec![None; parameters.len()];
        for (number, argument) in arguments.iter().enumerate() {
            let index = match argument.parameter {
                None => self.match_positional(arguments, number)?,
                Some(parameter) => self.match_named(parameter)?,
            };
            if given[index].is_some() {
                let parameter = self.text(parameters[index].name.name);
                let place =
                    argument.parameter.map_or(argument.value.span(), |parameter| parameter.span);
                let problem = Problem::ArgumentTwice(parameter);
                return Err(self.draft.report(&problem, place));
            }
            given[index] = Some(self.bind_argument(argument, parameters[index].name.name));
        }
        self.add_defaults(&given)
    }

    /// Returns the parameter for an argument without a name.
    fn match_positional(&mut self, arguments: &[Argument], at: usize) -> Result<usize, Reported> {
        let place = arguments[at].value.span();
        if arguments[..at].iter().any(|argument| argument.parameter.is_some()) {
            return Err(self.draft.report(&Problem::PositionalAfterNamed, place));
        }
        let max = self.called.head.parameters.len();
        if at < max {
            return Ok(at);
        }
        let name = self.text(self.name);
        let problem = Problem::TooManyArguments { name, max, found: arguments.len() };
        Err(self.report_call(&problem, place))
    }

    /// Returns the parameter for a named argument.
    fn match_named(&mut self, named: PlainName) -> Result<usize, Reported> {
        let parameters = &self.called.head.parameters;
        if let Some(index) = parameters.iter().position(|known| known.name.name == named.name) {
            return Ok(index);
        }
        let known = parameters.iter().map(|known| self.draft.sources.names.text(known.name.name));
        let (parameter, place) = (self.text(named.name), named.span);
        let at_name = Location { file: self.draft.at.file, span: place };
        let help = suggest::nearest(&parameter, at_name, known);
        let problem = Problem::UnknownParameter { name: self.text(self.name), parameter };
        let (scope, called) = (self.draft.scope(), self.called);
        Err(self.draft.evaluator().report_with(&problem, place, &scope, |diagnostic| {
            diagnostic.note("the macro is defined here", Some(called.location)).help(help)
        }))
    }

    /// Binds an argument, which is an expression in the caller's scope.
    fn bind_argument(&mut self, argument: &Argument, parameter: Name) -> Binding {
        let at = Location { file: self.draft.at.file, span: argument.value.span() };
        let scopes = &self.draft.placed.symbols.scopes;
        let known = match &argument.value.kind {
            ExprKind::Number(value) => Some(Binding::Argument(*value, at)),
            ExprKind::Name(name) => scopes.find_binding(self.draft.at.env, *name),
            _ => None,
        };
        match known {
            Some(Binding::Number(index)) => Binding::Argument(index, at),
            // A parameter that is passed on keeps its binding, so deep calls do not build chains.
            Some(binding) => binding,
            None => Binding::Thunk(self.draft.keep(&argument.value, parameter)),
        }
    }

    /// Fills in the defaults, which can use the other parameters. An error in a default is reported
    /// inside the macro.
    fn add_defaults(
        &mut self,
        given: &[Option<Binding>],
    ) -> Result<Vec<(Name, Binding)>, Reported> {
        let mut bindings = Vec::with_capacity(given.len());
        for (parameter, given) in self.called.head.parameters.iter().zip(given) {
            let binding = match (given, &parameter.default) {
                (Some(binding), _) => *binding,
                (None, Some(default)) => {
                    let scope = Scope {
                        file: self.called.file,
                        env: self.draft.placed.symbols.scopes.next_env(),
                        site: self.site,
                        ..self.draft.scope()
                    };
                    let (expr, name) = (default.clone(), parameter.name.name);
                    Binding::Thunk(self.draft.placed.symbols.keep(Thunk { expr, scope, name }))
                }
                (None, None) => {
                    let (name, parameter) = (self.text(self.name), self.text(parameter.name.name));
                    let problem = Problem::MissingArgument { name, parameter };
                    return Err(self.report_call(&problem, self.span));
                }
            };
            bindings.push((parameter.name.name, binding));
        }
        Ok(bindings)
    }

    /// Reports a call that does not fit its macro, and shows the macro's definition.
    fn report_call(&mut self, problem: &Problem, place: Span) -> Reported {
        let note = ("the macro is defined here", self.called.location);
        self.draft.report_with_note(problem, place, Some(note))
    }

    fn text(&self, name: Name) -> String {
        self.draft.sources.names.text(name).to_owned()
    }
}

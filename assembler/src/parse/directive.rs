//! The syntax of directives: reads the operands of each kind.

use std::rc::Rc;

use gray1_isa::panel::{Led, LedColor};
use gray1_isa::reason::{Reason, Sign};
use gray1_language::TokenKind;

use super::reader::{EQUALS, NAME, Reader};
use crate::diagnostic::Lint;
use crate::directives::Operands;
use crate::problem::Problem;
use crate::suggest;
use crate::syntax::{
    Argument, Assertion, Constant, Function, FunctionHead, Head, Inclusion, MacroHead, NameExpr,
    Parameter, PlainName, RoutineCall, RoutineHead, Shown, StatementKind, Symbol, Variable,
};

impl Reader<'_, '_, '_> {
    /// Reads the operands of a directive.
    pub(super) fn read_operands(&mut self, operands: Operands) -> StatementKind {
        match operands {
            Operands::Nothing(make) => make(),
            Operands::Value(make) => make(self.read_value()),
            Operands::Text(make) => make(self.read_string()),
            Operands::File => self.read_inclusion(),
            Operands::Assertion => {
                let condition = self.read_value();
                let text = self.read_optional_string();
                StatementKind::Assert(Rc::new(Assertion { condition, text }))
            }
            Operands::ValueShown => {
                let address = self.read_value();
                let caption = self.read_optional_string();
                show(Shown::Value { address, caption })
            }
            Operands::Grid => self.read_grid(),
            Operands::Legend => {
                let led = self.read_colour(&Led::ALL.map(|led| (led.name(), led)));
                self.require_comma();
                let meaning = self.read_string();
                led.map_or_else(nothing, |led| show(Shown::Legend(led, meaning)))
            }
            Operands::Count => {
                let colours = [("green", LedColor::Green), ("red", LedColor::Red)];
                let colour = self.read_colour(&colours);
                self.require_comma();
                let caption = self.read_string();
                colour.map_or_else(nothing, |colour| show(Shown::Count(colour, caption)))
            }
            Operands::Why => self.read_reason(),
            Operands::Lints => {
                let lints = self.read_list(Self::read_lint);
                StatementKind::Allow(lints.into_iter().flatten().collect())
            }
            Operands::Variable => {
                let name = self.read_definition();
                let size = self.take(",").then(|| self.read_value());
                StatementKind::Var(Box::new(Variable { name, size }))
            }
            Operands::Default => {
                let name = self.read_plain_symbol();
                self.require_equals();
                let value = Rc::new(self.read_value());
                StatementKind::Default(Box::new(Constant { name, value }))
            }
            Operands::Structure => open(Head::Struct(self.read_definition())),
            Operands::Repeat => {
                let count = self.read_value();
                let index = if self.take(",") { self.read_plain_definition() } else { None };
                open(Head::Repeat { count, index })
            }
            Operands::Macro => self.read_macro_head(),
            Operands::Routine => self.read_routine_head(),
            Operands::Function => self.read_function_head(),
            Operands::RoutineCall => self.read_routine_call(),
        }
    }

    /// Reads `.include "file"`.
    fn read_inclusion(&mut self) -> StatementKind {
        let token = self.read_text().filter(|_| self.rest.is_empty());
        let Some(token) = token else { return nothing() };
        // A path has no escapes. An apparent escape is a mistake in the path.
        let name = token.text[1..token.text.len() - 1].into();
        StatementKind::Include(Box::new(Inclusion { name, span: self.span_of(&token) }))
    }

    /// Reads `.grid first, size, "mark", rows = address, index = address`.
    fn read_grid(&mut self) -> StatementKind {
        let first = self.read_value();
        self.require_comma();
        let size = self.read_value();
        self.require_comma();
        let mark = self.read_mark();
        let (mut rows, mut index) = (None, None);
        while self.take(",") {
            let start = self.rest.first().map_or(self.end, |token| token.start);
            let Argument { parameter, value } = self.read_argument();
            match parameter.map(|parameter| self.parser.names.text(parameter.name)) {
                Some("rows") if rows.is_none() => rows = Some(value),
                Some("index") if index.is_none() => index = Some(value),
                _ => {
                    self.refuse(self.span(start, self.end), &Problem::GridSetting);
                    self.loose.push(Rc::unwrap_or_clone(value));
                }
            }
        }
        show(Shown::Grid { first, size, mark, rows, index })
    }

    /// Reads a string of one character.
    fn read_mark(&mut self) -> char {
        let token = self.read_text();
        let text = token.map(|token| self.unescape(&token)).unwrap_or_default();
        let mut characters = text.chars();
        if let (Some(mark), None) = (characters.next(), characters.next()) {
            return mark;
        }
        if let Some(token) = token {
            self.refuse(self.span_of(&token), &Problem::Mark(text));
        }
        ' '
    }

    /// Reads `.why colour, "reason", was = "sign"`.
    fn read_reason(&mut self) -> StatementKind {
        let led = self.read_colour(&Led::ALL.map(|led| (led.name(), led)));
        self.require_comma();
        let text = self.read_string().to_string();
        let was = if self.take(",") { self.read_earlier_sign() } else { None };
        led.map_or_else(nothing, |led| show(Shown::Why(Reason { led, text, was })))
    }

    /// Reads `was = "sign"`.
    fn read_earlier_sign(&mut self) -> Option<Sign> {
        let name = self.read_plain_name()?;
        self.require_equals();
        let token = self.read_text()?;
        let sign = Sign::from_name(&self.unescape(&token)).filter(|_| name.text == "was");
        if sign.is_none() {
            self.refuse(self.span(name.start, self.end), &Problem::ReasonCondition);
        }
        sign
    }

    /// Reads one of these colours.
    fn read_colour<T: Copy>(&mut self, colours: &[(&'static str, T)]) -> Option<T> {
        let word = self.read_plain_name()?;
        let known = colours.iter().find(|(name, _)| *name == word.text);
        if known.is_none() {
            let expected = colours.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            let problem = Problem::UnknownColour { word: word.text.to_owned(), expected };
            self.refuse(self.span_of(&word), &problem);
        }
        known.map(|(_, colour)| *colour)
    }

    /// Reads the name of a kind of warnings. An unknown one is an error.
    fn read_lint(&mut self) -> Option<Lint> {
        let name = self.read_plain_name()?;
        let lint = Lint::from_name(name.text);
        if lint.is_none() {
            let (span, known) = (self.span_of(&name), Lint::ALL.map(Lint::name));
            let help = suggest::nearest(name.text, self.parser.location(span), known);
            let problem = Problem::UnknownLint(name.text.to_owned());
            self.parser.report_with(span, &problem, |diagnostic| diagnostic.help(help));
        }
        lint
    }

    /// Reads `.macro name parameter = default, …`.
    fn read_macro_head(&mut self) -> StatementKind {
        let name = self.read_definition();
        if name.is_local(self.parser.names) {
            self.refuse(name.span, &Problem::LocalMacro);
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        if !self.is_at_end() {
            for parameter in self.read_list(Self::read_macro_parameter).into_iter().flatten() {
                let name = parameter.name;
                if parameters.iter().any(|known| known.name.name == name.name) {
                    self.parser.report(name.span, &self.duplicate(name));
                } else {
                    parameters.push(parameter);
                }
            }
        }
        open(Head::Macro(Rc::new(MacroHead { name, parameters })))
    }

    fn read_macro_parameter(&mut self) -> Option<Parameter> {
        let name = self.read_plain_definition()?;
        let default = self.take_expected("=", EQUALS).then(|| Rc::new(self.read_value()));
        Some(Parameter { name, default })
    }

    /// Reads `.function name(parameter, …) = expression`.
    fn read_function_head(&mut self) -> StatementKind {
        let name = self.read_plain_symbol();
        if let NameExpr::Plain(plain) = name.name {
            let text = self.parser.names.text(plain).to_owned();
            if Function::from_name(&text).is_some() {
                self.refuse(name.span, &Problem::BuiltIn(text));
            }
        }
        let parameters = self.read_parameters();
        for (at, parameter) in parameters.iter().enumerate() {
            if parameters[..at].iter().any(|known| known.name == parameter.name) {
                self.refuse(parameter.span, &self.duplicate(*parameter));
            }
        }
        self.require_equals();
        let value = Rc::new(self.read_value());
        StatementKind::Function(Rc::new(FunctionHead { name, parameters, value }))
    }

    fn duplicate(&self, parameter: PlainName) -> Problem {
        Problem::ParameterTwice(self.parser.names.text(parameter.name).to_owned())
    }

    /// Reads `.routine name(parameter, …) -> result`.
    fn read_routine_head(&mut self) -> StatementKind {
        let name = self.read_definition();
        if name.is_local(self.parser.names) {
            self.refuse(name.span, &Problem::LocalRoutine);
        }
        let parameters = self.read_parameters().into_iter().map(Symbol::from).collect();
        let has_result = self.take_expected("->", "`->`");
        let result = if has_result { self.read_plain_definition() } else { None };
        let result = result.map(Symbol::from);
        open(Head::Routine(Rc::new(RoutineHead { name, parameters, result })))
    }

    /// Reads `.call name(argument, …)`.
    fn read_routine_call(&mut self) -> StatementKind {
        let name = match self.take_kind(TokenKind::Name, NAME) {
            Some(token) => self.read_symbol(token),
            None => self.miss_name(),
        };
        let arguments = self.read_bracketed(Self::read_value);
        let arguments = arguments.into_iter().map(Rc::new).collect();
        StatementKind::CallRoutine(Box::new(RoutineCall { name, arguments }))
    }

    // --- Parts of directives -------------------------------------------------------------------

    /// Reads a string in double quotes.
    fn read_string(&mut self) -> Rc<str> {
        let token = self.read_text();
        token.map(|token| self.unescape(&token)).unwrap_or_default().into()
    }

    /// Reads a comma and a string, if a comma comes next.
    fn read_optional_string(&mut self) -> Option<Rc<str>> {
        self.take(",").then(|| self.read_string())
    }

    fn require_comma(&mut self) {
        self.require(",", "`,`");
    }

    fn require_equals(&mut self) {
        self.require("=", EQUALS);
    }
}

fn open(head: Head) -> StatementKind {
    StatementKind::Open(Box::new(head))
}

fn show(shown: Shown) -> StatementKind {
    StatementKind::Show(Box::new(shown))
}

/// Returns the statement of a line with an error from which nothing can be made.
pub(super) fn nothing() -> StatementKind {
    StatementKind::Bad(Box::default())
}

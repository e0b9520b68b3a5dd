//! Parses statements from the grammar's matches after the labels of a line.

use std::rc::Rc;

use gray1_isa::panel::{Led, LedColor};
use gray1_isa::reason::{Reason, Sign};

use super::grammar::{Match, MissingPart, Parts, Rule};
use super::parser::Parser;
use crate::diagnostic::Lint;
use crate::directives::{Directive, Operands};
use crate::habits;
use crate::keywords::Mnemonic;
use crate::problem::Problem;
use crate::source::Span;
use crate::suggest;
use crate::syntax::{
    Argument, Assertion, Constant, Expr, ExprKind, Function, FunctionHead, Head, Inclusion,
    MacroCall, MacroHead, NameExpr, Parameter, PlainName, RoutineCall, RoutineHead, Shown,
    StatementKind, Symbol, Variable,
};

type Parsed<T = StatementKind> = Result<T, MissingPart>;

impl Parser<'_> {
    /// Parses a directive and its operands.
    pub(super) fn parse_directive(&mut self, known: &Directive, parts: &mut Parts<'_>) -> Parsed {
        Ok(match known.operands {
            Operands::Nothing(make) => make(),
            Operands::Value(make) => {
                let value = parts.require("a directive has no value")?;
                make(self.parse_expression(value)?)
            }
            Operands::Text(make) => {
                let text = parts.require("a directive has no text")?;
                make(self.unescape(&text).into())
            }
            Operands::File => self.parse_include(parts)?,
            Operands::Assertion => {
                let condition = parts.require("an assertion has no condition")?;
                let condition = self.parse_expression(condition)?;
                let text = self.parse_optional_text(parts);
                StatementKind::Assert(Rc::new(Assertion { condition, text }))
            }
            Operands::ValueShown => {
                let address = self.parse_expression(parts.require("a value has no address")?)?;
                let caption = self.parse_optional_text(parts);
                StatementKind::Show(Box::new(Shown::Value { address, caption }))
            }
            Operands::Grid => self.parse_grid(parts)?,
            Operands::Legend => self.parse_legend(parts)?,
            Operands::Count => self.parse_count(parts)?,
            Operands::Why => self.parse_reason(parts)?,
            Operands::Lints => StatementKind::Allow(self.parse_lints(parts).into()),
            Operands::Variable { is_seed } => {
                let name = self.parse_definition(parts.require("a variable has no name")?)?;
                let size = self.parse_optional_expression(parts)?;
                StatementKind::Var(Box::new(Variable { name, size, is_seed }))
            }
            Operands::Default => self.parse_default(parts)?,
            Operands::Structure => {
                let name = parts.require("a structure has no name")?;
                StatementKind::Open(Box::new(Head::Struct(self.parse_definition(name)?)))
            }
            Operands::Repeat => {
                let count = self.parse_expression(parts.require("a repeat has no count")?)?;
                let index = parts.next_if(Rule::plain_name);
                let index = index.and_then(|index| self.parse_plain_definition(&index));
                StatementKind::Open(Box::new(Head::Repeat { count, index }))
            }
            Operands::Macro => StatementKind::Open(Box::new(self.parse_macro_head(parts)?)),
            Operands::Routine => StatementKind::Open(Box::new(self.parse_routine_head(parts)?)),
            Operands::Function => self.parse_function_head(parts)?,
            Operands::RoutineCall => {
                let name = self.parse_symbol(parts.require("a routine has no name")?)?;
                let arguments = parts.filter(|part| part.as_rule() == Rule::expression);
                let arguments = arguments.map(|part| self.parse_expression(part).map(Rc::new));
                let arguments = arguments.collect::<Parsed<_>>()?;
                StatementKind::CallRoutine(Box::new(RoutineCall { name, arguments }))
            }
        })
    }

    /// Parses `.include "file"`.
    fn parse_include(&mut self, parts: &mut Parts<'_>) -> Parsed {
        let name = parts.require("an include has no file name")?;
        // A path has no escapes. An apparent escape is a mistake in the path.
        let (text, span) = (name.as_str(), self.span_of(&name));
        let name = text[1..text.len() - 1].into();
        Ok(StatementKind::Include(Box::new(Inclusion { name, span })))
    }

    /// Parses `.default NAME = value`.
    fn parse_default(&mut self, parts: &mut Parts<'_>) -> Parsed {
        let name = self.parse_plain_symbol(&parts.require("a default has no name")?);
        parts.next_if(Rule::equals);
        let value = Rc::new(self.parse_expression(parts.require("a default has no value")?)?);
        Ok(StatementKind::Default(Box::new(Constant { name, value })))
    }

    fn parse_optional_expression(&mut self, parts: &mut Parts<'_>) -> Parsed<Option<Expr>> {
        parts.next_if(Rule::expression).map(|part| self.parse_expression(part)).transpose()
    }

    fn parse_optional_text(&mut self, parts: &mut Parts<'_>) -> Option<Rc<str>> {
        parts.next_if(Rule::string).map(|text| self.unescape(&text).into())
    }

    /// Parses `.grid first, size, "mark", rows = address, index = address`.
    fn parse_grid(&mut self, parts: &mut Parts<'_>) -> Parsed {
        let first = self.parse_expression(parts.require("a grid has no address")?)?;
        let size = self.parse_expression(parts.require("a grid has no size")?)?;
        let matched = parts.require("a grid has no mark")?;
        let text = self.unescape(&matched);
        let mut characters = text.chars();
        let (Some(mark), None) = (characters.next(), characters.next()) else {
            self.refuse(self.span_of(&matched), &Problem::Mark(text));
            return Ok(StatementKind::Bad);
        };
        let (mut rows, mut index) = (None, None);
        while let Some(setting) = parts.next_if(Rule::argument) {
            let span = self.span_of(&setting);
            let Argument { parameter, value } = self.parse_argument(setting)?;
            match parameter.map(|parameter| self.names.text(parameter.name)) {
                Some("rows") if rows.is_none() => rows = Some(value),
                Some("index") if index.is_none() => index = Some(value),
                _ => {
                    self.refuse(span, &Problem::GridSetting);
                    return Ok(StatementKind::Bad);
                }
            }
        }
        let grid = Shown::Grid { first, size, mark, rows, index };
        Ok(StatementKind::Show(Box::new(grid)))
    }

    /// Parses `.legend colour, "meaning"`.
    fn parse_legend(&mut self, parts: &mut Parts<'_>) -> Parsed {
        let colours = Led::ALL.map(|led| (led.name(), led));
        let found = self.parse_colour(parts, &colours)?;
        Ok(show(found.map(|(led, text)| Shown::Legend(led, text))))
    }

    /// Parses `.why colour, "reason", was = "sign"`.
    fn parse_reason(&mut self, parts: &mut Parts<'_>) -> Parsed {
        let colours = Led::ALL.map(|led| (led.name(), led));
        let found = self.parse_colour(parts, &colours)?;
        let mut was = None;
        if let Some(name) = parts.next_if(Rule::plain_name) {
            parts.next_if(Rule::equals);
            let sign = parts.require("a condition has no sign")?;
            was = Sign::from_name(&self.unescape(&sign)).filter(|_| name.as_str() == "was");
            if was.is_none() {
                self.report(self.span_of(&name).to(self.span_of(&sign)), &Problem::ReasonCondition);
            }
        }
        let reason = found.map(|(led, text)| Reason { led, text: text.to_string(), was });
        Ok(show(reason.map(Shown::Why)))
    }

    /// Parses `.count colour, "caption"`.
    fn parse_count(&mut self, parts: &mut Parts<'_>) -> Parsed {
        let colours = [("green", LedColor::Green), ("red", LedColor::Red)];
        let found = self.parse_colour(parts, &colours)?;
        Ok(show(found.map(|(color, text)| Shown::Count(color, text))))
    }

    /// Parses one of these colours, and a string.
    fn parse_colour<T: Copy>(
        &mut self,
        parts: &mut Parts<'_>,
        colours: &[(&'static str, T)],
    ) -> Parsed<Option<(T, Rc<str>)>> {
        let word = parts.require("a colour has no name")?;
        let text = self.unescape(&parts.require("a colour has no text")?);
        let known = colours.iter().find(|(name, _)| *name == word.as_str());
        if known.is_none() {
            let expected = colours.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            let problem = Problem::UnknownColour { word: word.as_str().to_owned(), expected };
            self.refuse(self.span_of(&word), &problem);
        }
        Ok(known.map(|(_, colour)| (*colour, text.into())))
    }

    /// Returns the kinds of warnings with these names, and reports unknown names.
    fn parse_lints(&mut self, names: &mut Parts<'_>) -> Vec<Lint> {
        let mut lints = Vec::new();
        for name in names.filter(|part| part.as_rule() == Rule::plain_name) {
            if let Some(lint) = Lint::from_name(name.as_str()) {
                lints.push(lint);
                continue;
            }
            let problem = Problem::UnknownLint(name.as_str().to_owned());
            let span = self.span_of(&name);
            let known = Lint::ALL.map(Lint::name);
            let help = suggest::nearest(name.as_str(), self.location(span), known);
            self.report_with(span, &problem, |diagnostic| diagnostic.help(help));
        }
        lints
    }

    fn parse_macro_head(&mut self, parts: &mut Parts<'_>) -> Parsed<Head> {
        let name = self.parse_definition(parts.require("a macro has no name")?)?;
        if name.is_local(self.names) {
            self.refuse(name.span, &Problem::LocalMacro);
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        while let Some(parameter) = parts.next_if(Rule::parameter) {
            let mut parts = Parts::new(parameter);
            let name = self.parse_plain_definition(&parts.require("a parameter has no name")?);
            parts.next_if(Rule::equals);
            let default = self.parse_optional_expression(&mut parts)?.map(Rc::new);
            let Some(name) = name else { continue };
            if parameters.iter().any(|known| known.name.name == name.name) {
                self.report(name.span, &self.duplicate(name));
            } else {
                parameters.push(Parameter { name, default });
            }
        }
        Ok(Head::Macro(Rc::new(MacroHead { name, parameters })))
    }

    fn parse_function_head(&mut self, parts: &mut Parts<'_>) -> Parsed {
        let matched = parts.require("a function has no name")?;
        let name = self.parse_plain_symbol(&matched);
        if Function::from_name(matched.as_str()).is_some() {
            self.refuse(name.span, &Problem::BuiltIn(matched.as_str().to_owned()));
        }
        let parameters = self.parse_parameters(parts);
        for (at, parameter) in parameters.iter().enumerate() {
            if parameters[..at].iter().any(|known| known.name == parameter.name) {
                self.refuse(parameter.span, &self.duplicate(*parameter));
            }
        }
        parts.next_if(Rule::equals);
        let value = Rc::new(self.parse_expression(parts.require("a function has no value")?)?);
        Ok(StatementKind::Function(Rc::new(FunctionHead { name, parameters, value })))
    }

    fn duplicate(&self, parameter: PlainName) -> Problem {
        Problem::ParameterTwice(self.names.text(parameter.name).to_owned())
    }

    fn parse_routine_head(&mut self, parts: &mut Parts<'_>) -> Parsed<Head> {
        let name = self.parse_definition(parts.require("a routine has no name")?)?;
        if name.is_local(self.names) {
            self.refuse(name.span, &Problem::LocalRoutine);
        }
        let parameters = self.parse_parameters(parts).into_iter().map(Symbol::from).collect();
        parts.next_if(Rule::arrow);
        let result = parts.next_if(Rule::plain_name).map(|result| self.parse_plain_symbol(&result));
        Ok(Head::Routine(Rc::new(RoutineHead { name, parameters, result })))
    }

    /// Parses the names of parameters in brackets.
    fn parse_parameters(&mut self, parts: &mut Parts<'_>) -> Vec<PlainName> {
        parts.next_if(Rule::open);
        let names = std::iter::from_fn(|| parts.next_if(Rule::plain_name));
        names.filter_map(|name| self.parse_plain_definition(&name)).collect()
    }

    fn parse_plain_symbol(&mut self, matched: &Match<'_>) -> Symbol {
        let name = self.parse_plain_definition(matched);
        name.map_or_else(|| self.missing_name(matched), Symbol::from)
    }

    /// Returns the symbol of a name that completes a line with an error.
    fn missing_name(&self, matched: &Match<'_>) -> Symbol {
        Symbol { span: self.span_of(matched), name: NameExpr::Missing }
    }

    /// Parses a constant, an instruction or a macro call.
    pub(super) fn parse_invocation(&mut self, matched: Match<'_>) -> Parsed {
        let span = self.span_of(&matched);
        let mut parts = Parts::new(matched);
        let name = parts.require("an instruction has no name")?;
        if parts.next_if(Rule::equals).is_some() {
            let value = Rc::new(self.parse_expression(parts.require("a constant has no value")?)?);
            let name = self.parse_definition(name)?;
            return Ok(StatementKind::Assign(Box::new(Constant { name, value })));
        }
        let word = name.as_str();
        let mut arguments: Vec<Argument> =
            parts.map(|argument| self.parse_argument(argument)).collect::<Parsed<_>>()?;
        let Some(mnemonic) = Mnemonic::from_name(word) else {
            let name = self.parse_symbol(name)?;
            name.name.mention(self.names);
            let call = MacroCall { name, arguments: arguments.into() };
            return Ok(StatementKind::Call(Box::new(call)));
        };
        if let Some(named) = arguments.iter().find_map(|argument| argument.parameter) {
            let expected = "a value".to_owned();
            let found = format!("the name of a parameter: `{word}` is not a macro");
            self.refuse(named.span, &Problem::Expected { expected, found });
            return Ok(StatementKind::Bad);
        }
        let help = match arguments.first().map(|first| &first.value.kind) {
            Some(ExprKind::Name(first)) => habits::explain_first_operand(self.names.text(*first)),
            _ => None,
        };
        let found = arguments.len();
        let operand = arguments.pop().filter(|_| found == 1).map(|argument| argument.value);
        let instruction = StatementKind::instruction(mnemonic, operand).filter(|_| found <= 1);
        Ok(instruction.unwrap_or_else(|| {
            let (name, expected) = (mnemonic.name(), mnemonic.operand_count());
            let problem = Problem::OperandCount { name, expected, found };
            self.is_refused = true;
            self.report_with(span, &problem, |diagnostic| diagnostic.help(help));
            StatementKind::Bad
        }))
    }

    fn parse_argument(&mut self, matched: Match<'_>) -> Parsed<Argument> {
        let mut parts = Parts::new(matched);
        let name = parts.next_if(Rule::assigned);
        let parameter = name.map(|name| self.plain_name(&name));
        parts.next_if(Rule::equals);
        let value = self.parse_expression(parts.require("an argument has no value")?)?;
        Ok(Argument { parameter, value: Rc::new(value) })
    }

    /// Parses a name that is being defined. It must not be a mnemonic.
    pub(super) fn parse_definition(&mut self, matched: Match<'_>) -> Parsed<Symbol> {
        if self.is_added(&matched) {
            return Ok(self.missing_name(&matched));
        }
        self.refuse_reserved(matched.as_str(), self.span_of(&matched));
        self.parse_symbol(matched)
    }

    /// Parses a name that is being defined and must not be built from numbers. Returns `None` for a
    /// name that completes a line with an error.
    fn parse_plain_definition(&mut self, matched: &Match<'_>) -> Option<PlainName> {
        if self.is_added(matched) {
            return None;
        }
        self.refuse_reserved(matched.as_str(), self.span_of(matched));
        Some(self.plain_name(matched))
    }

    /// Returns true for a part that is not in the file, but completes a line with an error.
    fn is_added(&self, matched: &Match<'_>) -> bool {
        self.span_of(matched).start == self.limit
    }

    pub(super) fn plain_name(&mut self, matched: &Match<'_>) -> PlainName {
        PlainName { span: self.span_of(matched), name: self.names.intern(matched.as_str()) }
    }

    fn refuse_reserved(&mut self, word: &str, span: Span) {
        if Mnemonic::from_name(word).is_some() {
            self.report(span, &Problem::Reserved(word.to_owned()));
        }
    }
}

/// The statement of a directive that shows something, if its operands were understood.
fn show(shown: Option<Shown>) -> StatementKind {
    shown.map_or(StatementKind::Bad, |shown| StatementKind::Show(Box::new(shown)))
}

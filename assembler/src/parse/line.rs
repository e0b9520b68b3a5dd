//! A line: labels, a statement, a comment.

use std::rc::Rc;

use gray1_isa::Op;
use pest::iterators::{Pair, Pairs};

use super::{Grammar, Parser, Rule};
use crate::diagnostic::Lint;
use crate::problem::Problem;
use crate::source::Span;
use crate::suggest;
use crate::syntax::{
    Argument, BlockKind, Expr, ExprKind, Function, FunctionHead, Head, Line, MacroHead, NameExpr,
    Parameter, Statement, StatementKind, Symbol,
};

/// All directives, in lower case.
pub(crate) const DIRECTIVES: [&str; 25] = [
    ".org",
    ".ram",
    ".word",
    ".var",
    ".pool",
    ".function",
    ".struct",
    ".endstruct",
    ".routine",
    ".endroutine",
    ".call",
    ".return",
    ".macro",
    ".endmacro",
    ".repeat",
    ".endrepeat",
    ".if",
    ".elseif",
    ".else",
    ".endif",
    ".include",
    ".assert",
    ".error",
    ".allow",
    ".title",
];

impl Parser<'_> {
    /// The line that the grammar took apart.
    pub(super) fn line_of(&mut self, mut pairs: Pairs<'_, Rule>) -> Line {
        let mut line = self.empty_line();
        for pair in pairs.next().expect("the grammar yields a line").into_inner() {
            match pair.as_rule() {
                Rule::label => {
                    let name = first(pair);
                    line.labels.push(self.definition(name));
                }
                Rule::EOI => {}
                _ => line.statement = Some(self.statement(pair)),
            }
        }
        line
    }

    /// What can still be told of a line with an error: the names it would have defined and the
    /// block it would have opened or closed.
    pub(super) fn salvage(&mut self, text: &str) -> Line {
        let mut line = Line { span: self.span(0..text.len()), ..self.empty_line() };
        let Ok(mut pairs) = <Grammar as pest::Parser<Rule>>::parse(Rule::salvage, text) else {
            return line;
        };
        let mut key = None;
        let mut name = None;
        let mut function = None;
        for pair in pairs.next().expect("the grammar yields a line").into_inner() {
            match pair.as_rule() {
                Rule::label => line.labels.push({
                    let label = first(pair);
                    self.symbol(label)
                }),
                Rule::name => name = Some(self.symbol(pair)),
                Rule::plain_name => function = Some(self.names.intern(pair.as_str())),
                Rule::equals => {}
                rule => key = Some(rule),
            }
        }
        let bad = |span| Expr { span, depth: 0, kind: ExprKind::Bad };
        let kind = match key {
            Some(Rule::key_macro) => StatementKind::Open(Head::LostMacro(name)),
            Some(Rule::key_repeat) => {
                StatementKind::Open(Head::Repeat { count: bad(line.span), index: None })
            }
            Some(Rule::key_if) => StatementKind::Open(Head::If(bad(line.span))),
            Some(Rule::key_elseif) => StatementKind::Open(Head::ElseIf(bad(line.span))),
            Some(Rule::key_else) => StatementKind::Open(Head::Else),
            Some(Rule::key_function) => StatementKind::LostFunction(function),
            Some(Rule::key_routine) => StatementKind::Open(Head::LostRoutine(name)),
            Some(Rule::key_endroutine) => StatementKind::Close(BlockKind::Routine),
            Some(Rule::key_struct) => StatementKind::Open(Head::LostStruct),
            Some(Rule::key_endstruct) => StatementKind::Close(BlockKind::Struct),
            Some(Rule::key_endmacro) => StatementKind::Close(BlockKind::Macro),
            Some(Rule::key_endrepeat) => StatementKind::Close(BlockKind::Repeat),
            Some(Rule::key_pool) => StatementKind::Pool,
            Some(Rule::key_endif) => StatementKind::Close(BlockKind::If),
            _ => StatementKind::Bad(name),
        };
        line.statement = Some(Statement { span: line.span, kind });
        line
    }

    fn statement(&mut self, pair: Pair<'_, Rule>) -> Statement {
        let span = self.span_of(&pair);
        let kind = match pair.as_rule() {
            Rule::invocation => self.invocation(pair, span),
            Rule::unknown_directive => {
                let name = first(pair);
                let help = || suggest::nearest(name.as_str(), DIRECTIVES);
                let problem = Problem::UnknownDirective(name.as_str().to_owned());
                let at = self.span_of(&name);
                self.report_with(at, &problem, |diagnostic| diagnostic.help(help()));
                StatementKind::Bad(None)
            }
            _ => self.directive(pair),
        };
        Statement { span, kind }
    }

    fn directive(&mut self, pair: Pair<'_, Rule>) -> StatementKind {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        inner.next(); // the keyword
        match rule {
            Rule::org => StatementKind::Org(self.only_expression(inner)),
            Rule::ram => StatementKind::Ram(self.only_expression(inner)),
            Rule::word => StatementKind::Word(Rc::new(self.only_expression(inner))),
            Rule::pool => StatementKind::Pool,
            Rule::var => {
                let name = self.definition(inner.next().expect("a variable has a name"));
                StatementKind::Var { name, size: self.last_expression(inner) }
            }
            Rule::macro_ => self.macro_head(inner),
            Rule::function_ => self.function(inner),
            Rule::struct_ => {
                let name = self.definition(inner.next().expect("a structure has a name"));
                StatementKind::Open(Head::Struct(name))
            }
            Rule::routine => self.routine_head(inner),
            Rule::endroutine => StatementKind::Close(BlockKind::Routine),
            Rule::call_ => self.routine_call(inner),
            Rule::return_ => StatementKind::Return,
            Rule::endstruct => StatementKind::Close(BlockKind::Struct),
            Rule::repeat => {
                let count = self.expression(inner.next().expect("a repeat has a count"));
                let index = inner.next().map(|pair| self.plain_definition(&pair));
                StatementKind::Open(Head::Repeat { count, index })
            }
            Rule::if_ => StatementKind::Open(Head::If(self.only_expression(inner))),
            Rule::elseif => StatementKind::Open(Head::ElseIf(self.only_expression(inner))),
            Rule::else_ => StatementKind::Open(Head::Else),
            Rule::endmacro => StatementKind::Close(BlockKind::Macro),
            Rule::endrepeat => StatementKind::Close(BlockKind::Repeat),
            Rule::endif => StatementKind::Close(BlockKind::If),
            Rule::include => {
                let name = inner.next().expect("an include names a file");
                StatementKind::Include { name: self.text(&name), span: self.span_of(&name) }
            }
            Rule::assert => {
                let condition = self.expression(inner.next().expect("a condition to assert"));
                let text = inner.next().map(|text| self.text(&text));
                StatementKind::Assert { condition: Rc::new(condition), text }
            }
            Rule::allow => StatementKind::Allow(self.lints(inner)),
            Rule::error => StatementKind::Error(self.only_text(inner)),
            _ => StatementKind::Title(self.only_text(inner)),
        }
    }

    /// The kinds of warnings that these names are of.
    fn lints(&mut self, names: Pairs<'_, Rule>) -> Vec<Lint> {
        let mut lints = Vec::new();
        for pair in names {
            if let Some(lint) = Lint::from_name(pair.as_str()) {
                lints.push(lint);
                continue;
            }
            let problem = Problem::UnknownLint(pair.as_str().to_owned());
            let help = || suggest::nearest(pair.as_str(), Lint::ALL.map(Lint::name));
            let at = self.span_of(&pair);
            self.report_with(at, &problem, |diagnostic| diagnostic.help(help()));
        }
        lints
    }

    fn only_expression(&mut self, mut pairs: Pairs<'_, Rule>) -> Expr {
        self.expression(pairs.next().expect("the directive has an expression"))
    }

    fn last_expression(&mut self, pairs: Pairs<'_, Rule>) -> Option<Expr> {
        pairs.last().map(|pair| self.expression(pair))
    }

    fn only_text(&mut self, mut pairs: Pairs<'_, Rule>) -> Rc<str> {
        self.text(&pairs.next().expect("the directive has a text"))
    }

    fn macro_head(&mut self, mut inner: Pairs<'_, Rule>) -> StatementKind {
        let name = self.definition(inner.next().expect("a macro has a name"));
        if name.is_local(self.names) {
            self.report(name.span, &Problem::LocalMacro);
            return StatementKind::Open(Head::LostMacro(Some(name)));
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        for pair in inner {
            let mut parts = pair.into_inner();
            let pair = parts.next().expect("a parameter has a name");
            let parameter = self.plain_definition(&pair);
            if parameters.iter().any(|known| known.name == parameter) {
                let problem = Problem::ParameterTwice(pair.as_str().to_owned());
                self.report(self.span_of(&pair), &problem);
                continue;
            }
            let default = self.last_expression(parts).map(Rc::new);
            parameters.push(Parameter { name: parameter, default });
        }
        StatementKind::Open(Head::Macro(Rc::new(MacroHead { name, parameters })))
    }

    fn function(&mut self, mut inner: Pairs<'_, Rule>) -> StatementKind {
        let pair = inner.next().expect("a function has a name");
        let (name, span) = (self.plain_definition(&pair), self.span_of(&pair));
        if Function::from_name(pair.as_str()).is_some() {
            self.report(span, &Problem::BuiltIn(pair.as_str().to_owned()));
            return StatementKind::Bad(None);
        }
        let mut parameters = Vec::new();
        let mut value = None;
        for pair in inner {
            match pair.as_rule() {
                Rule::plain_name => {
                    let parameter = self.plain_definition(&pair);
                    if parameters.contains(&parameter) {
                        let problem = Problem::ParameterTwice(pair.as_str().to_owned());
                        self.report(self.span_of(&pair), &problem);
                        return StatementKind::LostFunction(Some(name));
                    }
                    parameters.push(parameter);
                }
                Rule::open | Rule::equals => {}
                _ => value = Some(self.expression(pair)),
            }
        }
        let value = Rc::new(value.expect("a function has a value"));
        StatementKind::Function(Rc::new(FunctionHead { name, span, parameters, value }))
    }

    /// A constant, an instruction or a macro call.
    fn invocation(&mut self, pair: Pair<'_, Rule>, span: Span) -> StatementKind {
        let mut inner = pair.into_inner().peekable();
        let name = inner.next().expect("an invocation starts with a name");
        if inner.next_if(|pair| pair.as_rule() == Rule::equals).is_some() {
            let value = self.expression(inner.next().expect("a value to assign"));
            return StatementKind::Assign { name: self.definition(name), value: Rc::new(value) };
        }
        let word = name.as_str();
        let op = Op::from_mnemonic(word);
        let is_halt = is_halt(word);
        let mut arguments: Vec<Argument> = inner.map(|pair| self.argument(pair)).collect();
        if op.is_none() && !is_halt {
            let name = self.symbol(name);
            name.name.mention(self.names);
            return StatementKind::Call { name, arguments };
        }
        let named = arguments.iter().find_map(|argument| argument.parameter);
        if let Some((_, at)) = named {
            let expected = "a value".to_owned();
            let found = format!("the name of a parameter: `{word}` is no macro");
            self.report(at, &Problem::Expected { expected, found });
            return StatementKind::Bad(None);
        }
        let expected = usize::from(op.is_some_and(|op| op != Op::Shr));
        if arguments.len() != expected {
            let name = op.map_or("HALT", Op::mnemonic);
            let problem = Problem::OperandCount { name, expected, found: arguments.len() };
            self.report(span, &problem);
            return StatementKind::Bad(None);
        }
        match op {
            Some(op) => {
                StatementKind::Instruction { op, operand: arguments.pop().map(|a| a.value) }
            }
            None => StatementKind::Halt,
        }
    }

    fn argument(&mut self, pair: Pair<'_, Rule>) -> Argument {
        let mut parameter = None;
        let mut value = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => {
                    let span = self.span_of(&part);
                    parameter = Some((self.names.intern(part.as_str()), span));
                }
                Rule::equals => {}
                _ => value = Some(self.expression(part)),
            }
        }
        Argument { parameter, value: Rc::new(value.expect("an argument has a value")) }
    }

    /// A name that is defined: it must not be a mnemonic.
    pub(super) fn definition(&mut self, pair: Pair<'_, Rule>) -> Symbol {
        self.refuse_reserved(&pair);
        self.symbol(pair)
    }

    /// A name that is defined and cannot be built.
    pub(super) fn plain_definition(&mut self, pair: &Pair<'_, Rule>) -> crate::names::Name {
        self.refuse_reserved(pair);
        self.names.intern(pair.as_str())
    }

    fn refuse_reserved(&mut self, pair: &Pair<'_, Rule>) {
        let word = pair.as_str();
        if Op::from_mnemonic(word).is_some() || is_halt(word) {
            self.report(self.span_of(pair), &Problem::Reserved(word.to_owned()));
        }
    }
}

impl Symbol {
    /// Whether the name starts with `@`.
    pub(crate) fn is_local(&self, names: &crate::names::Names) -> bool {
        match &self.name {
            NameExpr::Plain(name) => names.is_local(*name),
            NameExpr::Built(pieces) => match pieces.first() {
                Some(crate::syntax::Piece::Text(text)) => text.starts_with('@'),
                _ => false,
            },
        }
    }
}

/// Whether a word is the pseudo-instruction `HALT`, in either case.
pub(super) fn is_halt(word: &str) -> bool {
    word.eq_ignore_ascii_case("HALT")
}

fn first(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    pair.into_inner().next().expect("the rule has a first part")
}

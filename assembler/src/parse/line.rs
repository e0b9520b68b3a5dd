//! Parses a line into labels, a statement and a comment.

use std::ops::Range;
use std::rc::Rc;

use gray1_language::{Lexer, Token, TokenKind};

use super::expected;
use super::grammar::{Match, MissingPart, Parts, Rule, read};
use super::guard;
use super::parser::Parser;
use crate::diagnostic::Help;
use crate::directives::{self, Directive, Operands};
use crate::habits;
use crate::limits::LINE_BYTES_MAX;
use crate::line_parts::LineParts;
use crate::problem::Problem;
use crate::source::Span;
use crate::suggest;
use crate::syntax::{Constant, Expr, ExprKind, NameExpr, Statement, StatementKind, Symbol};

/// The labels and the statement of a line.
#[derive(Debug, Default)]
pub(super) struct ParsedLine {
    pub(super) labels: Vec<Symbol>,
    pub(super) statement: Option<Statement>,
    /// True if an error makes the statement unusable.
    pub(super) is_lost: bool,
    /// The range that an error keeps out of the statement.
    pub(super) unread: Option<Span>,
}

impl ParsedLine {
    /// Returns true if the line is blank or a comment.
    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.statement.is_none() && !self.is_lost
    }
}

impl Parser<'_> {
    /// Parses a line without its line end. `tokens` are empty if the line is too long.
    pub(super) fn parse_line(&mut self, text: &str, tokens: &[Token<'_>]) -> ParsedLine {
        if text.len() > LINE_BYTES_MAX {
            self.report(self.span(0..0), &Problem::LineTooLong(text.len()));
            let prefix = guard::harmless_prefix(text);
            let tokens: Vec<_> = Lexer::new(prefix).collect();
            return self.salvage(prefix, &tokens, &[prefix.len()]);
        }
        let comment = tokens.last().filter(|last| last.kind == TokenKind::Comment);
        let code = &tokens[..tokens.len() - usize::from(comment.is_some())];
        match code.last() {
            Some(last) => self.parse_code(&text[..last.end()], code),
            None => ParsedLine::default(),
        }
    }

    /// Parses the code before the comment. It starts at the first token.
    fn parse_code(&mut self, text: &str, tokens: &[Token<'_>]) -> ParsedLine {
        if let Some(line) = self.parse_plain_line(tokens) {
            return line;
        }
        if let Err((at, problem)) = guard::check(tokens) {
            let help = match problem {
                Problem::OddCharacter(c) if c.is_whitespace() => {
                    Some(("use a space or a tab", " "))
                }
                Problem::OddCharacter(_) => Some(("it is invisible: remove it", "")),
                _ => None,
            };
            let place = self.location(self.span(at.clone()));
            let help = help.map(|(advice, new)| Help::edit(advice, place, &text[at.clone()], new));
            let end = if matches!(problem, Problem::Unclosed(_)) { text.len() } else { at.start };
            let ends = [end, at.start];
            self.report_with(self.span(at), &problem, |diagnostic| diagnostic.help(help));
            return self.salvage(text, tokens, &ends);
        }
        if let Some(label) = habits::label_without_colon(LineParts::new(tokens).statement) {
            return self.parse_unmarked_label(text, tokens, label);
        }
        self.apply_grammar(text, tokens)
    }

    /// Parses the code of a line by the grammar's rule for its directive.
    pub(super) fn apply_grammar(&mut self, text: &str, tokens: &[Token<'_>]) -> ParsedLine {
        self.is_refused = false;
        let (at, problem) = match self.read_code(text, tokens) {
            Ok(mut line) => {
                if self.is_refused {
                    self.keep_names(&mut line, tokens);
                }
                return line;
            }
            Err(failure) => failure,
        };
        let help = habits::help_with_line(tokens, |at| self.location(self.span(at)));
        let known = rule_for(tokens).1.filter(|known| known.word.usage != known.name());
        let usage = known.map(|known| format!("its form is `{}`", known.word.usage).into());
        let help = help.or(usage);
        let error = [at.start];
        self.report_with(self.span(at), &problem, |diagnostic| diagnostic.help(help));
        let mut line = self.salvage(text, tokens, &error);
        if let Some(name) = habits::defined_name(tokens) {
            line.unread = self.span_of_names(LineParts::new(tokens).statement, 1);
            let span = self.span(name.start..name.end());
            let name = Symbol { span, name: NameExpr::Plain(self.names.intern(name.text)) };
            let value = Rc::new(Expr::new(span, 0, ExprKind::Bad));
            let kind = StatementKind::Assign(Box::new(Constant { name, value }));
            line.statement = Some(Statement { span, kind });
        }
        line
    }

    /// Parses code that may have been completed. Returns the place and the problem of an error.
    pub(super) fn read_code(
        &mut self,
        text: &str,
        tokens: &[Token<'_>],
    ) -> Result<ParsedLine, (Range<usize>, Problem)> {
        let (rule, directive) = rule_for(tokens);
        // Skip leading blanks, which the grammar would otherwise report as unexpected.
        let start = tokens.first().map_or(0, |first| first.start);
        let parts = read(rule, &text[start..]).map_err(|error| {
            let (at, problem) = expected::explain(&error, &text[start..]);
            (start + at.start..start + at.end, problem)
        })?;
        let base = self.base;
        self.base += start as u32;
        let line = self.convert_line(parts, directive);
        self.base = base;
        line.map_err(|MissingPart { at, mistake }| {
            (start + at.start..start + at.end, Problem::Internal(mistake))
        })
    }

    /// Parses code as if the missing colon after this label were there.
    fn parse_unmarked_label(
        &mut self,
        text: &str,
        tokens: &[Token<'_>],
        label: &Token<'_>,
    ) -> ParsedLine {
        let span = self.span(label.start..label.end());
        let help = habits::help_with_label(label.text, self.location(span));
        let problem = Problem::MissingColon(label.text.to_owned());
        self.report_with(span, &problem, |d| d.help(Some(help)));
        let (labels, rest) = tokens.split_at(tokens.partition_point(|t| t.start <= label.start));
        let labels = self.apply_grammar(&format!("{}:", &text[..label.end()]), labels).labels;
        let mut line = self.parse_code(text, rest);
        line.labels.splice(0..0, labels);
        line
    }

    /// Converts a line that the grammar matched.
    fn convert_line(
        &mut self,
        mut parts: Parts<'_>,
        directive: Option<&Directive>,
    ) -> Result<ParsedLine, MissingPart> {
        let mut line = ParsedLine::default();
        while let Some(label) = parts.next_if(Rule::label) {
            let name = Parts::new(label).require("a label has no name")?;
            line.labels.push(self.parse_definition(name)?);
        }
        line.statement = match parts.next() {
            Some(part) if part.as_rule() == Rule::invocation => {
                let span = self.span_of(&part);
                Some(Statement { span, kind: self.parse_invocation(part)? })
            }
            Some(part) if part.as_rule() == Rule::directive => {
                let span = self.span(part.as_span().start()..part.get_input().len());
                let kind = match directive {
                    Some(directive) => self.parse_directive(directive, &mut parts)?,
                    None => self.report_unknown_directive(&part),
                };
                Some(Statement { span, kind })
            }
            _ => None,
        };
        Ok(line)
    }

    fn report_unknown_directive(&mut self, name: &Match<'_>) -> StatementKind {
        let (word, span) = (name.as_str(), self.span_of(name));
        let at = self.location(span);
        let problem = Problem::UnknownDirective(word.to_owned());
        self.report_with(span, &problem, |diagnostic| {
            let habit = habits::find_advice(word).map(Help::from);
            let known = directives::DIRECTIVES.iter().map(Directive::name);
            diagnostic.help(habit.or_else(|| suggest::nearest(word, at, known)))
        });
        self.is_refused = true;
        StatementKind::Bad
    }
}

/// Returns the grammar's rule for a line with these tokens, and its directive if it is known.
pub(super) fn rule_for(tokens: &[Token<'_>]) -> (Rule, Option<&'static Directive>) {
    let Some(name) = LineParts::new(tokens).directive() else { return (Rule::line, None) };
    let directive = directives::find(name.text);
    (directive.map_or(Rule::unknown, directive_rule), directive)
}

fn directive_rule(directive: &Directive) -> Rule {
    match directive.operands {
        Operands::Nothing(_) => Rule::nothing,
        Operands::Value(_) => Rule::value,
        Operands::Text(_) | Operands::File => Rule::quoted,
        Operands::Assertion | Operands::ValueShown => Rule::assertion,
        Operands::Grid => Rule::grid,
        Operands::Legend | Operands::Count => Rule::colour,
        Operands::Why => Rule::why,
        Operands::Lints => Rule::lints,
        Operands::Variable { .. } => Rule::variable,
        Operands::Structure => Rule::structure,
        Operands::Default => Rule::defaulted,
        Operands::Macro => Rule::macro_head,
        Operands::Function => Rule::function_head,
        Operands::Routine => Rule::routine_head,
        Operands::RoutineCall => Rule::routine_call,
        Operands::Repeat => Rule::repeat,
    }
}

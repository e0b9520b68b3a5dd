//! Parses a line into labels, a statement and a comment.

use std::ops::Range;

use gray1_language::{Token, TokenKind};

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
use crate::syntax::{NameExpr, Statement, StatementKind, Symbol};

/// The labels and the statement of a line.
#[derive(Debug, Default)]
pub(super) struct ParsedLine {
    pub(super) labels: Vec<Symbol>,
    pub(super) statement: Option<Statement>,
}

impl ParsedLine {
    /// Returns true if the line has no labels and no statement.
    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.statement.is_none()
    }
}

impl Parser<'_> {
    /// Parses a line without its line end. `tokens` are empty if the line is too long.
    pub(super) fn parse_line(&mut self, text: &str, tokens: &[Token<'_>]) -> ParsedLine {
        if text.len() > LINE_BYTES_MAX {
            self.report(self.span(0..0), &Problem::LineTooLong(text.len()));
            let prefix = guard::harmless_prefix(text);
            return self.salvage(prefix, self.span(0..prefix.len()));
        }
        let comment = tokens.last().filter(|last| last.kind == TokenKind::Comment);
        let code = &tokens[..tokens.len() - usize::from(comment.is_some())];
        match (code.first(), code.last()) {
            (Some(first), Some(last)) => self.parse_code(&text[..last.end()], first.start, code),
            _ => ParsedLine::default(),
        }
    }

    /// Parses the code before the comment, starting at `start`.
    fn parse_code(&mut self, text: &str, start: usize, tokens: &[Token<'_>]) -> ParsedLine {
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
            self.report_with(self.span(at), &problem, |diagnostic| diagnostic.help(help));
            let span = self.span(start..text.len());
            return self.salvage(guard::harmless_prefix(text), span);
        }
        if let Some(label) = habits::label_without_colon(LineParts::new(tokens).statement) {
            return self.parse_unmarked_label(text, start, tokens, label);
        }
        // Skip leading blanks, which the grammar would otherwise report as unexpected.
        self.base = self.span(start..start).start;
        self.apply_grammar(&text[start..], tokens)
    }

    /// Parses the code of a line, without surrounding blanks, by the grammar's rule for its
    /// directive.
    pub(super) fn apply_grammar(&mut self, text: &str, tokens: &[Token<'_>]) -> ParsedLine {
        let (rule, directive) = rule_for(tokens);
        let failure = match read(rule, text) {
            Ok(parts) => match self.convert_line(parts, directive) {
                Ok(line) => return line,
                Err(MissingPart { at, mistake }) => (at, Problem::Internal(mistake)),
            },
            Err(error) => expected::explain(&error, text),
        };
        // Token positions count from the start of the line, but `text` starts at the code.
        let line = self.base - (tokens.first().map_or(0, |first| first.start) as u32);
        let place = |at: Range<usize>| {
            self.location(Span { start: line + at.start as u32, end: line + at.end as u32 })
        };
        let help = habits::help_with_line(tokens, place);
        self.report_with(self.span(failure.0), &failure.1, |diagnostic| diagnostic.help(help));
        let span = self.span(0..text.len());
        let mut line = self.salvage(text, span);
        if let Some(name) = habits::defined_name(tokens) {
            let name = NameExpr::Plain(self.names.intern(name.text));
            let kind = StatementKind::Bad(Some(Box::new(Symbol { span, name })));
            line.statement = Some(Statement { span, kind });
        }
        line
    }

    /// Parses code as if the missing colon after this label were there.
    fn parse_unmarked_label(
        &mut self,
        text: &str,
        start: usize,
        tokens: &[Token<'_>],
        label: &Token<'_>,
    ) -> ParsedLine {
        let span = self.span(label.start..label.end());
        let fixed = format!("{}:", label.text);
        let advice = format!("write `{fixed}`");
        let help = Help::edit(advice, self.location(span), label.text, fixed);
        let problem = Problem::MissingColon(label.text.to_owned());
        self.report_with(span, &problem, |d| d.help(Some(help)));
        let (labels, rest) = tokens.split_at(tokens.partition_point(|t| t.start <= label.start));
        let base = self.base;
        self.base = self.span(start..start).start;
        let labels = self.apply_grammar(&format!("{}:", &text[start..label.end()]), labels).labels;
        self.base = base;
        let rest_start = rest.first().map_or(text.len(), |token| token.start);
        let mut line = self.parse_code(text, rest_start, rest);
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
        let known = || directives::DIRECTIVES.iter().map(Directive::name);
        let (word, span) = (name.as_str(), self.span_of(name));
        let at = self.location(span);
        let help = || {
            let habit = habits::find_advice(word).map(Help::from);
            habit.or_else(|| suggest::nearest(word, at, known()))
        };
        let problem = Problem::UnknownDirective(word.to_owned());
        self.report_with(span, &problem, |diagnostic| diagnostic.help(help()));
        StatementKind::Bad(None)
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
        Operands::Variable => Rule::variable,
        Operands::Structure => Rule::structure,
        Operands::Default => Rule::defaulted,
        Operands::Macro => Rule::macro_head,
        Operands::Function => Rule::function_head,
        Operands::Routine => Rule::routine_head,
        Operands::RoutineCall => Rule::routine_call,
        Operands::Repeat => Rule::repeat,
    }
}

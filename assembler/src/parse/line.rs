//! Parses a line into labels and a statement, and explains the error of a line that does not fit
//! the syntax.

use std::ops::Range;
use std::rc::Rc;

use gray1_language::{Lexer, Token, TokenKind};

use super::directive::nothing;
use super::guard;
use super::parser::Parser;
use super::reader::{END, Failure, NAME, Reader};
use crate::diagnostic::Help;
use crate::directives::{self, DIRECTIVES, Directive, Operands};
use crate::habits;
use crate::limits::LINE_BYTES_MAX;
use crate::line_parts::LineParts;
use crate::problem::Problem;
use crate::source::Span;
use crate::suggest;
use crate::syntax::{Constant, Expr, ExprKind, Statement, StatementKind, Symbol};

/// The labels and the statement of a line.
#[derive(Debug, Default)]
pub(super) struct ParsedLine {
    pub(super) labels: Vec<Symbol>,
    pub(super) statement: Option<Statement>,
    /// True if an error makes the statement unusable.
    pub(super) is_lost: bool,
    /// The names that an error keeps out of the statement.
    pub(super) loose: Vec<Expr>,
}

impl ParsedLine {
    /// Returns true if the line is blank or a comment.
    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.statement.is_none() && !self.is_lost
    }
}

impl Parser<'_> {
    /// Parses a line that starts at `base` in the file. `tokens` are empty if it is too long.
    pub(super) fn parse_line(&mut self, base: u32, text: &str, tokens: &[Token<'_>]) -> ParsedLine {
        if text.len() <= LINE_BYTES_MAX {
            let is_comment = |token: &&Token<'_>| token.kind == TokenKind::Comment;
            let count = tokens.len() - usize::from(tokens.last().is_some_and(|it| is_comment(&it)));
            return self.parse_code(base, &tokens[..count]);
        }
        let reported = self.diagnostics.len();
        let tokens: Vec<_> = Lexer::new(guard::harmless_prefix(text)).collect();
        let line = self.parse_code(base, &tokens);
        self.diagnostics.truncate(reported);
        self.report(Span { start: base, end: base }, &Problem::LineTooLong(text.len()));
        ParsedLine { is_lost: true, ..line }
    }

    /// Parses the tokens of a line without its comment.
    fn parse_code(&mut self, base: u32, code: &[Token<'_>]) -> ParsedLine {
        let before = self.diagnostics.len();
        let mut reader = Reader::new(self, base, code);
        let labels = reader.read_labels();
        let statement = reader.read_statement(!labels.is_empty());
        reader.require_end();
        let (is_lost, loose) = (reader.is_refused, reader.finish());
        let (failure, kept, tokens) = (reader.failure.take(), reader.kept, reader.line);
        let mut line = ParsedLine { labels, statement, is_lost, loose };
        if failure.is_none() && !is_lost {
            return line;
        }
        // A syntax error hides the other errors of the line, because it may be their cause.
        if let Err((at, problem)) = guard::check(code) {
            self.diagnostics.truncate(before);
            self.report_refusal(base, at, &problem);
        } else if let Some(failure) = failure {
            self.diagnostics.truncate(kept);
            self.report_failure(base, tokens, &failure);
        } else {
            return line;
        }
        self.salvage(base, tokens, &mut line);
        line
    }

    /// Reports an error that the guard found.
    fn report_refusal(&mut self, base: u32, at: Range<usize>, problem: &Problem) {
        let span = Span { start: base + at.start as u32, end: base + at.end as u32 };
        let help = match problem {
            Problem::OddCharacter(c) => {
                let (advice, new) = if c.is_whitespace() {
                    ("use a space or a tab", " ")
                } else {
                    ("it is invisible: remove it", "")
                };
                Some(Help::edit(advice, self.location(span), c.to_string(), new))
            }
            _ => None,
        };
        self.report_with(span, problem, |diagnostic| diagnostic.help(help));
    }

    fn report_failure(&mut self, base: u32, code: &[Token<'_>], failure: &Failure) {
        let help = habits::help_with_line(code, |at| {
            self.location(Span { start: base + at.start as u32, end: base + at.end as u32 })
        });
        self.report_with(failure.span, &failure.problem, |diagnostic| diagnostic.help(help));
    }

    /// Decides what remains of a line with a syntax error.
    fn salvage(&mut self, base: u32, code: &[Token<'_>], line: &mut ParsedLine) {
        let (Some(first), Some(last)) = (code.first(), code.last()) else { return };
        let directive = LineParts::new(code).directive();
        let directive = directive.and_then(|directive| directives::find(directive.text));
        // A directive without operands has its effect, because it may close a block.
        line.is_lost = !directive.is_some_and(|it| matches!(it.operands, Operands::Nothing(_)));
        let span = Span { start: base + first.start as u32, end: base + last.end() as u32 };
        if let Some(statement) = &mut line.statement {
            statement.span = span;
        }
        if let Some(name) = habits::defined_name(code) {
            let mut reader = Reader::new(self, base, code);
            let name = reader.read_symbol(*name);
            let value = Rc::new(Expr::new(span, 0, ExprKind::Bad));
            let kind = StatementKind::Assign(Box::new(Constant { name, value }));
            line.statement = Some(Statement { span, kind });
        }
    }
}

impl Reader<'_, '_, '_> {
    /// Reads the labels of a line. A label without its colon is an error.
    fn read_labels(&mut self) -> Vec<Symbol> {
        let mut labels = Vec::new();
        while let Some(&token) = self.rest.first() {
            if token.kind == TokenKind::Name && self.is_at(1, ":") {
                self.advance();
                let label = self.define(token);
                self.take(":");
                labels.extend((self.failure.is_none()).then_some(label));
            } else if habits::starts_with_label(self.rest) {
                self.report_missing_colon(&token);
                self.advance();
                (self.line, self.kept) = (self.rest, self.parser.diagnostics.len());
                labels.push(self.define(token));
            } else {
                break;
            }
        }
        labels
    }

    fn report_missing_colon(&mut self, label: &Token<'_>) {
        let span = self.span_of(label);
        let fixed = format!("{}:", label.text);
        let (advice, at) = (format!("write `{fixed}`"), self.parser.location(span));
        let help = Help::edit(advice, at, label.text, fixed);
        let problem = Problem::MissingColon(label.text.to_owned());
        self.parser.report_with(span, &problem, |diagnostic| diagnostic.help(Some(help)));
    }

    /// Reads the statement of a line.
    fn read_statement(&mut self, has_labels: bool) -> Option<Statement> {
        let token = *self.rest.first()?;
        if !matches!(token.kind, TokenKind::Directive | TokenKind::Name) {
            if has_labels {
                self.expect(NAME);
                self.expect(END);
            } else {
                self.expect("an instruction");
            }
            self.fail();
            return None;
        }
        self.advance();
        let kind = match token.kind {
            TokenKind::Directive => self.read_directive(&token),
            _ => self.read_invocation(token),
        };
        Some(Statement { span: self.span(token.start, self.end), kind })
    }

    fn read_directive(&mut self, token: &Token<'_>) -> StatementKind {
        if let Some(directive) = directives::find(token.text) {
            return self.read_operands(directive.operands);
        }
        let (word, span) = (token.text, self.span_of(token));
        let at = self.parser.location(span);
        let habit = habits::find_advice(word).map(Help::from);
        let known = || DIRECTIVES.iter().map(Directive::name);
        let help = habit.or_else(|| suggest::nearest(word, at, known()));
        self.refuse_with(span, &Problem::UnknownDirective(word.to_owned()), help);
        self.skip_rest();
        nothing()
    }
}

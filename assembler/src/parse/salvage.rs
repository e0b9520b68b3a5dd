//! Salvages a line with an error, so that editors know its names and no other line has errors
//! because of it.
//!
//! The start of the line, up to the error, is completed until the grammar reads it: `LD x +` is read
//! as `LD x + 0`. The names in the rest of the line are kept without a statement.

use gray1_language::{Lexer, Piece, Token, TokenKind, split_pieces};

use super::grammar::{Rule, read};
use super::guard;
use super::line::ParsedLine;
use super::parser::Parser;
use crate::directives::{self, Operands};
use crate::limits::{ERRORS_MAX, NESTING_MAX};
use crate::line_parts::LineParts;
use crate::syntax::{Call, Expr, ExprKind, Function, PlainName, StatementKind};

/// What can be missing at an error: before and after the brackets that are still open.
const ENDINGS: [(&str, &str); 12] = [
    ("", ""),
    (" 0", ""),
    (" : 0", ""),
    (" _", ""),
    (", \" \"", ""),
    ("", " = 0"),
    ("", "()"),
    ("", "() = 0"),
    ("", " _"),
    ("", " _()"),
    ("", " _() = 0"),
    ("", " _ = 0"),
];

impl Parser<'_> {
    /// Salvages a line that has been reported. It is read up to one of these positions of errors.
    pub(super) fn salvage(&mut self, text: &str, tokens: &[Token<'_>], at: &[usize]) -> ParsedLine {
        let parts = LineParts::new(tokens);
        let labels = tokens.len() - parts.statement.len();
        let before = |at: &usize| tokens.partition_point(|token| token.start < *at);
        // The token before the error can also be in the way.
        let ends = at.iter().map(before).flat_map(|end| [end, end.saturating_sub(1)]);
        let mut counts: Vec<usize> = ends.chain([labels + 2, labels + 1, labels, 0]).collect();
        // A garbage file is not worth the time.
        counts.retain(|count| *count <= tokens.len() && self.diagnostics.len() < ERRORS_MAX);
        counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
        counts.dedup();
        let completed =
            counts.iter().find_map(|&count| Some((self.complete(text, &tokens[..count])?, count)));
        let (mut line, read) = completed.unwrap_or_default();
        let directive = parts.directive().and_then(|name| directives::find(name.text));
        // A directive without operands has its effect, because it may close a block.
        line.is_lost = !directive.is_some_and(|it| matches!(it.operands, Operands::Nothing(_)));
        if let (Some(statement), Some(first), Some(last)) =
            (&mut line.statement, tokens.first(), tokens.last())
        {
            statement.span = self.span(first.start..last.end());
            // Nothing is lost with a file: the errors about its names say what is missing.
            if matches!(statement.kind, StatementKind::Include(_)) {
                statement.kind = StatementKind::Bad(Box::default());
            }
        }
        line.loose = self.find_loose_names(&tokens[read..]);
        self.loosen_bad_statement(&mut line, &tokens[..read]);
        line
    }

    /// Parses the start of a line, completed by one of the endings.
    fn complete(&mut self, text: &str, tokens: &[Token<'_>]) -> Option<ParsedLine> {
        let brackets = guard::closing_brackets(tokens)?;
        let end = tokens.last().map_or(0, Token::end);
        let reported = self.diagnostics.len();
        self.limit = self.base + end as u32;
        let line = ENDINGS.iter().find_map(|(inner, outer)| {
            let completed = format!("{}{inner}{brackets}{outer}", &text[..end]);
            self.read_code(&completed, tokens).ok()
        });
        self.limit = u32::MAX;
        self.diagnostics.truncate(reported);
        line
    }

    /// Adds the names of a statement from which nothing could be made.
    pub(super) fn loosen_bad_statement(&mut self, line: &mut ParsedLine, tokens: &[Token<'_>]) {
        let kind = line.statement.as_ref().map(|statement| &statement.kind);
        if let (Some(StatementKind::Bad(_)), [_, operands @ ..]) =
            (kind, LineParts::new(tokens).statement)
        {
            line.loose.extend(self.find_loose_names(operands));
        }
    }

    /// Returns the names among these tokens, without built-in functions.
    fn find_loose_names(&mut self, tokens: &[Token<'_>]) -> Vec<Expr> {
        let mut names = Vec::new();
        self.push_loose_names(tokens, 0, &mut names);
        names
    }

    fn push_loose_names(&mut self, tokens: &[Token<'_>], depth: usize, names: &mut Vec<Expr>) {
        let nexts = tokens.iter().skip(1).map(Some).chain([None]);
        let all = tokens.iter().zip(nexts).filter(|(token, _)| token.kind == TokenKind::Name);
        for (token, next) in all {
            let is_called = next.is_some_and(|next| next.is("(")) && !token.text.contains('{');
            if is_called && Function::from_name(token.text).is_some() {
                continue;
            }
            if let Some(name) = self.read_loose_name(token, is_called) {
                names.push(name);
            } else if depth < NESTING_MAX {
                for piece in split_pieces(token.text) {
                    if let Piece::Hole { start, text } = piece {
                        let tokens = Lexer::new(text)
                            .map(|it| Token { start: token.start + start + it.start, ..it });
                        self.push_loose_names(&tokens.collect::<Vec<_>>(), depth + 1, names);
                    }
                }
            }
        }
    }

    /// Returns a name as an expression, or `None` if its braces have an error.
    fn read_loose_name(&mut self, token: &Token<'_>, is_called: bool) -> Option<Expr> {
        let span = self.span(token.start..token.end());
        if !token.text.contains('{') {
            let name = self.names.intern(token.text);
            let call = || Call { function: PlainName { span, name }, arguments: Box::default() };
            let kind =
                if is_called { ExprKind::Apply(Box::new(call())) } else { ExprKind::Name(name) };
            return Some(Expr::new(span, 0, kind));
        }
        guard::check(&[*token]).ok()?;
        let mut parts = read(Rule::expression, token.text).ok()?;
        let name = parts.next().filter(|name| name.as_str().len() == token.text.len())?;
        let base = std::mem::replace(&mut self.base, span.start);
        let symbol = self.parse_symbol(name);
        self.base = base;
        Some(Expr::new(span, 0, symbol.ok()?.name.into_kind()))
    }
}

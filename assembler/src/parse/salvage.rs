//! Salvages a line with an error, so that editors know its names and no other line has errors
//! because of it.
//!
//! The start of the line, up to the error, is completed until the grammar reads it: `LD x +` is
//! read as `LD x + 0`. The rest of the line is kept as a range whose names editors know.

use gray1_language::Token;

use super::guard;
use super::line::ParsedLine;
use super::parser::Parser;
use crate::directives::{self, Operands};
use crate::limits::ERRORS_MAX;
use crate::line_parts::LineParts;
use crate::source::Span;
use crate::syntax::{Statement, StatementKind};

/// What can be missing at an error: before and after the brackets that are still open.
const ENDINGS: [(&str, &str); 14] = [
    ("", ""),
    (" 0", ""),
    (" : 0", ""),
    ("", " : 0"),
    (" 0", " : 0"),
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
        let ends = at.iter().map(|at| tokens.partition_point(|token| token.start < *at));
        // The token before the error can also be in the way.
        let ends = ends.flat_map(|end| [end, end.saturating_sub(1)]);
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
                statement.kind = StatementKind::Bad;
            }
        }
        let is_bad = matches!(&line.statement, Some(Statement { kind: StatementKind::Bad, .. }));
        let from = if is_bad { 1 } else { read.saturating_sub(labels) };
        line.unread = self.span_of_names(parts.statement, from);
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

    /// Keeps the names of a line whose statement was refused.
    pub(super) fn keep_names(&mut self, line: &mut ParsedLine, tokens: &[Token<'_>]) {
        line.is_lost = true;
        if let Some(Statement { kind: StatementKind::Bad, .. }) = line.statement {
            line.unread = self.span_of_names(LineParts::new(tokens).statement, 1);
        }
    }

    /// Returns the range of a statement's tokens from a number on, if they can be symbols.
    pub(super) fn span_of_names(&self, statement: &[Token<'_>], from: usize) -> Option<Span> {
        let directive = directives::find(statement.first()?.text);
        let can_be = directive.is_none_or(|directive| directive.operands.can_have_symbols());
        let (first, last) = (statement.get(from)?, statement.last()?);
        can_be.then(|| self.span(first.start..last.end()))
    }
}

//! Captions: comments that start with `;;` and describe the lines below them for viewers.
//!
//! Consecutive `;;` lines form one caption. Directly above the definition of a global name, they
//! document that name instead.

use std::rc::Rc;

use gray1_isa::presentation::check_caption_text;
use gray1_language::Token;

use super::line::ParsedLine;
use super::parser::Parser;
use crate::names::Names;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::{Head, Item, Statement, StatementKind};

/// Returns the contents of a line that has only a `;;` comment.
pub(super) fn text<'a>(tokens: &[Token<'a>]) -> Option<&'a str> {
    match tokens {
        [comment] => comment.text.strip_prefix(";;").map(str::trim),
        _ => None,
    }
}

/// A caption while its lines are read.
#[derive(Debug)]
pub(super) struct Caption {
    text: String,
    span: Span,
}

impl Caption {
    /// Starts a caption with its first line.
    pub(super) fn new(line: &str, span: Span) -> Self {
        Self { text: line.to_owned(), span }
    }

    /// Adds a line to the caption.
    pub(super) fn add(&mut self, line: &str, span: Span) {
        if !self.text.is_empty() && !line.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(line);
        self.span = self.span.to(span);
    }

    /// Returns the caption as a statement.
    pub(super) fn into_item(self, parser: &mut Parser<'_>) -> Item {
        let Self { text, span } = self;
        let kind = if text.is_empty() {
            StatementKind::Caption(None)
        } else if let Err(error) = check_caption_text(&text) {
            parser.report(span, &Problem::Presentation(error));
            StatementKind::Bad
        } else {
            StatementKind::Caption(Some(Rc::from(text)))
        };
        Item::Statement(Statement { span, kind })
    }
}

/// Returns true if a caption directly above this line documents the name that the line defines.
pub(super) fn is_about(line: &ParsedLine, names: &Names) -> bool {
    let is_plain = line.labels.is_empty() && !line.is_lost;
    let Some(statement) = line.statement.as_ref().filter(|_| is_plain) else { return false };
    match &statement.kind {
        StatementKind::Open(head) => matches!(**head, Head::Macro(_) | Head::Struct(_)),
        StatementKind::Function(_) | StatementKind::Default(_) => true,
        StatementKind::Var(variable) => !variable.name.is_local(names),
        StatementKind::Assign(constant) => !constant.name.is_local(names),
        _ => false,
    }
}

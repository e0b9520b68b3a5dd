//! Nests lines into blocks such as `.macro` … `.endmacro`.

use super::caption::{self, Caption};
use super::line::ParsedLine;
use super::parser::Parser;
use crate::directives::{closer, opener};
use crate::limits::NESTING_MAX;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::{
    Block, BlockKind, Branch, Expr, ExprKind, Head, Item, Items, Statement, StatementKind,
};

/// Nests lines into blocks, one line at a time.
#[derive(Default)]
pub(super) struct Builder {
    /// The items outside of all open blocks.
    outside: Vec<Item>,
    open: Vec<OpenBlock>,
    /// Blocks that are nested deeper than the limit. They are read but dropped.
    beyond: Vec<BlockKind>,
    caption: Option<Caption>,
}

/// A block whose end has not been read yet.
struct OpenBlock {
    done: Vec<Branch>,
    head: Head,
    span: Span,
    body: Vec<Item>,
}

impl OpenBlock {
    fn start_branch(&mut self, head: Head, span: Span) {
        let head = std::mem::replace(&mut self.head, head);
        let span = std::mem::replace(&mut self.span, span);
        let body = std::mem::take(&mut self.body);
        self.done.push(Branch { head, span, body: body.into() });
    }

    fn close(self, end: Span) -> Block {
        let mut branches = self.done;
        branches.push(Branch { head: self.head, span: self.span, body: self.body.into() });
        Block { branches, end }
    }
}

impl Builder {
    /// Adds a line of a caption.
    pub(super) fn add_caption_line(&mut self, text: &str, span: Span) {
        match &mut self.caption {
            Some(caption) => caption.add(text, span),
            None => self.caption = Some(Caption::new(text, span)),
        }
    }

    /// Ends a caption that does not document a name.
    pub(super) fn end_caption(&mut self, parser: &mut Parser<'_>) {
        if let Some(caption) = self.caption.take() {
            self.add(caption.into_item(parser));
        }
    }

    /// Adds a line.
    pub(super) fn push(&mut self, line: ParsedLine, parser: &mut Parser<'_>) {
        if line.is_empty() {
            return;
        }
        let caption = self.caption.take().filter(|_| !caption::is_about(&line, parser.names));
        let mut caption = caption.map(|caption| caption.into_item(parser));
        // The caption of a routine belongs to the lines inside it.
        let is_routine = line.statement.as_ref().is_some_and(|statement| match &statement.kind {
            StatementKind::Open(head) => matches!(**head, Head::Routine(_)),
            _ => false,
        });
        if !is_routine && let Some(caption) = caption.take() {
            self.add(caption);
        }
        // Labels on the opening line are outside of the block.
        line.labels.into_iter().for_each(|label| self.add(Item::Label(label)));
        let Some(Statement { span, kind }) = line.statement else { return };
        match kind {
            StatementKind::Open(head) if matches!(*head, Head::ElseIf(_) | Head::Else) => {
                self.start_branch(*head, span, parser);
            }
            StatementKind::Open(head) => {
                self.open_block(*head, span, parser);
                if let Some(caption) = caption {
                    self.add(caption);
                }
            }
            StatementKind::Close(kind) => self.close_block(kind, span, parser),
            kind => self.add(Item::Statement(Statement { span, kind })),
        }
    }

    /// Ends the file and returns its items.
    pub(super) fn finish(mut self, parser: &mut Parser<'_>) -> Items {
        // Closing lines may have been dropped along with the blocks that were too deep.
        let silent = !self.beyond.is_empty();
        let reported = parser.diagnostics.len();
        while !self.open.is_empty() {
            self.close_unfinished(parser);
        }
        if silent {
            parser.diagnostics.truncate(reported);
        }
        self.outside.into()
    }

    fn add(&mut self, item: Item) {
        if self.beyond.is_empty() {
            self.open.last_mut().map_or(&mut self.outside, |block| &mut block.body).push(item);
        }
    }

    fn open_block(&mut self, head: Head, span: Span, parser: &mut Parser<'_>) {
        if self.open.len() < NESTING_MAX {
            self.open.push(OpenBlock { done: Vec::new(), head, span, body: Vec::new() });
            return;
        }
        // Report only the first block that is too deep.
        if self.beyond.is_empty() {
            parser.report(span, &Problem::BlocksTooDeep);
        }
        self.beyond.push(head.kind());
    }

    fn start_branch(&mut self, head: Head, span: Span, parser: &mut Parser<'_>) {
        if !self.beyond.is_empty() {
            return;
        }
        let name = if matches!(head, Head::Else) { ".else" } else { ".elseif" };
        match self.open.last_mut() {
            Some(block) if matches!(block.head, Head::Else) => {
                parser.report(span, &Problem::AfterElse(name));
            }
            Some(block) if block.head.kind() == BlockKind::If => block.start_branch(head, span),
            _ => parser.report(span, &Problem::BlockUnopened(name)),
        }
    }

    fn close_block(&mut self, kind: BlockKind, span: Span, parser: &mut Parser<'_>) {
        if self.beyond.last() == Some(&kind) {
            self.beyond.pop();
            return;
        }
        if !self.open.iter().any(|block| block.head.kind() == kind) {
            parser.report(span, &Problem::BlockUnopened(closer(kind)));
            return;
        }
        self.beyond.clear();
        // The mistake is the unclosed block inside, not this line.
        while self.open.last().is_some_and(|block| block.head.kind() != kind) {
            self.close_unfinished(parser);
        }
        if let Some(block) = self.open.pop() {
            self.add(Item::Block(Box::new(block.close(span))));
        }
    }

    fn close_unfinished(&mut self, parser: &mut Parser<'_>) {
        self.beyond.clear();
        if let Some(block) = self.open.pop() {
            let kind = block.head.kind();
            let span = block.done.first().map_or(block.span, |branch| branch.span);
            let (opener, closer) = (opener(kind), closer(kind));
            parser.report(span, &Problem::BlockUnclosed { opener, closer });
            self.add_unfinished(block);
        }
    }

    /// Adds a block without an end. Its lines still have their errors and define their names, so it
    /// is kept as a block if possible. Otherwise its names count as lost.
    fn add_unfinished(&mut self, mut block: OpenBlock) {
        match block.head {
            Head::Repeat { index: None, .. } | Head::If(_) => {
                block.body.into_iter().for_each(|item| self.add(item));
                return;
            }
            Head::Macro(head) => {
                block.head = Head::Lost(BlockKind::Macro, Some(head.name.clone()));
            }
            Head::Routine(head) => {
                block.head = Head::Lost(BlockKind::Routine, Some(head.name.clone()));
            }
            // For an `.if` with several branches, this is the head of its last branch.
            _ => {
                let bad = Expr::new(block.span, 0, ExprKind::Bad);
                block.done.clear();
                block.head = Head::If(bad);
            }
        }
        let end = block.span;
        self.add(Item::Block(Box::new(block.close(end))));
    }
}

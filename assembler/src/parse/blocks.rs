//! Nests lines into blocks such as `.macro` … `.endmacro`.

use super::caption::{self, Caption};
use super::line::ParsedLine;
use super::parser::Parser;
use crate::directives::{closer, opener};
use crate::limits::NESTING_MAX;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::{Block, BlockKind, Branch, Head, Item, Items, Statement, StatementKind};

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
    /// At least one.
    branches: Vec<Branch>,
    /// The items of the last branch.
    body: Vec<Item>,
}

impl OpenBlock {
    fn new(first: Branch) -> Self {
        Self { branches: vec![first], body: Vec::new() }
    }

    fn first(&self) -> &Branch {
        &self.branches[0]
    }

    fn kind(&self) -> BlockKind {
        self.first().head.kind()
    }

    /// Returns true if the last branch is an `.else`.
    fn is_in_else(&self) -> bool {
        self.branches.last().is_some_and(|last| matches!(last.head, Head::Else))
    }

    fn start_branch(&mut self, branch: Branch) {
        self.end_branch();
        self.branches.push(branch);
    }

    fn end_branch(&mut self) {
        if let Some(last) = self.branches.last_mut() {
            last.body = std::mem::take(&mut self.body).into();
        }
    }

    fn close(mut self, end: Option<Span>) -> Block {
        self.end_branch();
        Block { branches: self.branches, end }
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
        if let Some(Statement { span, kind }) = line.statement {
            match kind {
                StatementKind::Open(head) => {
                    let (head, is_lost, body) = (*head, line.is_lost, Items::default());
                    self.open(Branch { head, span, body, is_lost }, parser);
                }
                StatementKind::Close(kind) => self.close_block(kind, span, parser),
                kind if line.is_lost => {
                    self.add_statement(span, StatementKind::Lost(Box::new(kind)));
                }
                kind => self.add_statement(span, kind),
            }
        }
        if let Some(caption) = caption {
            self.add(caption);
        }
        if let Some(span) = line.unread {
            self.add_statement(span, StatementKind::Bad);
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

    fn add_statement(&mut self, span: Span, kind: StatementKind) {
        self.add(Item::Statement(Statement { span, kind }));
    }

    fn add(&mut self, item: Item) {
        if self.beyond.is_empty() {
            self.open.last_mut().map_or(&mut self.outside, |block| &mut block.body).push(item);
        }
    }

    /// Opens a block, or a branch of the innermost block.
    fn open(&mut self, branch: Branch, parser: &mut Parser<'_>) {
        if branch.head.is_branch() {
            self.start_branch(branch, parser);
        } else if self.open.len() < NESTING_MAX {
            self.open.push(OpenBlock::new(branch));
        } else {
            // Report only the first block that is too deep.
            if self.beyond.is_empty() {
                parser.report(branch.span, &Problem::BlocksTooDeep);
            }
            self.beyond.push(branch.head.kind());
        }
    }

    fn start_branch(&mut self, branch: Branch, parser: &mut Parser<'_>) {
        if !self.beyond.is_empty() {
            return;
        }
        let name = if matches!(branch.head, Head::Else) { ".else" } else { ".elseif" };
        let problem = match self.open.last_mut() {
            Some(block) if block.is_in_else() => Problem::AfterElse(name),
            Some(block) if block.kind() == BlockKind::If => return block.start_branch(branch),
            _ => Problem::BlockUnopened(name),
        };
        parser.report(branch.span, &problem);
        if let Head::ElseIf(condition) = branch.head {
            self.add_statement(condition.span(), StatementKind::Bad);
        }
    }

    fn close_block(&mut self, kind: BlockKind, span: Span, parser: &mut Parser<'_>) {
        if self.beyond.last() == Some(&kind) {
            self.beyond.pop();
            return;
        }
        if !self.open.iter().any(|block| block.kind() == kind) {
            parser.report(span, &Problem::BlockUnopened(closer(kind)));
            return;
        }
        self.beyond.clear();
        // The mistake is the unclosed block inside, not this line.
        while self.open.last().is_some_and(|block| block.kind() != kind) {
            self.close_unfinished(parser);
        }
        self.add_block(Some(span));
    }

    fn close_unfinished(&mut self, parser: &mut Parser<'_>) {
        self.beyond.clear();
        if let Some(block) = self.open.last() {
            let (opener, closer) = (opener(block.kind()), closer(block.kind()));
            parser.report(block.first().span, &Problem::BlockUnclosed { opener, closer });
        }
        self.add_block(None);
    }

    /// Closes the innermost block.
    fn add_block(&mut self, end: Option<Span>) {
        if let Some(block) = self.open.pop() {
            self.add(Item::Block(Box::new(block.close(end))));
        }
    }
}

//! Reads the tokens of a line, one after another.
//!
//! Reading never stops halfway. The first token that does not fit is the failure of the line. After
//! it, the reader is at the end of the line, so every reading function still returns what it has
//! read. Editors need the names in a line that is being typed.

use gray1_language::{Token, TokenKind};

use super::parser::Parser;
use crate::diagnostic::Help;
use crate::limits::NESTING_MAX;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::Expr;

/// The end of the line in messages. It is always the last alternative.
pub(super) const END: &str = "the end of the line";
/// A `=` in messages. It is only worth naming if nothing else can be there.
pub(super) const EQUALS: &str = "`=`";
/// A value in messages. Names and strings are values as well.
pub(super) const VALUE: &str = "a value";
pub(super) const NAME: &str = "a name";
pub(super) const TEXT: &str = "a string in quotes";

/// The tokens of a line that have not been read.
pub(super) struct Reader<'l, 'p, 'n> {
    pub(super) parser: &'p mut Parser<'n>,
    /// The offset in the file of the string that the tokens come from.
    pub(super) base: u32,
    pub(super) rest: &'l [Token<'l>],
    /// The end of the last token that was read.
    pub(super) end: usize,
    /// The syntax error of the line, if there is one.
    pub(super) failure: Option<Failure>,
    /// The tokens that are left out, such as those from the failure on.
    unread: &'l [Token<'l>],
    /// The names that were read but are not part of a statement.
    pub(super) loose: Vec<Expr>,
    /// True after an error that makes the statement unusable.
    pub(super) is_refused: bool,
    /// The tokens of the statement and its labels, or those after a label without a colon.
    pub(super) line: &'l [Token<'l>],
    /// The number of diagnostics before the errors of these tokens.
    pub(super) kept: usize,
    /// The number of open brackets.
    depth: usize,
    /// The number of `?` so far.
    conditionals: usize,
}

/// A syntax error.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) span: Span,
    pub(super) problem: Problem,
}

impl<'l, 'p, 'n> Reader<'l, 'p, 'n> {
    /// Creates a reader of the tokens of a string that starts at `base` in the file.
    pub(super) fn new(parser: &'p mut Parser<'n>, base: u32, tokens: &'l [Token<'l>]) -> Self {
        parser.expected.clear();
        Self {
            line: tokens,
            kept: parser.diagnostics.len(),
            parser,
            base,
            rest: tokens,
            end: 0,
            failure: None,
            unread: &[],
            loose: Vec::new(),
            is_refused: false,
            depth: 0,
            conditionals: 0,
        }
    }

    /// Creates a reader of the tokens in the braces of a name that this reader has just read.
    pub(super) fn inside_braces<'h>(
        &mut self,
        base: u32,
        tokens: &'h [Token<'h>],
    ) -> Reader<'h, '_, 'n> {
        let (depth, conditionals) = (self.depth, self.conditionals);
        let mut inside = Reader::new(&mut *self.parser, base, tokens);
        (inside.depth, inside.conditionals) = (depth, conditionals);
        inside.enter();
        inside
    }

    // --- Tokens --------------------------------------------------------------------------------

    /// Takes the next token.
    pub(super) fn advance(&mut self) -> Option<Token<'l>> {
        let (token, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.end = token.end();
        self.parser.expected.clear();
        Some(*token)
    }

    /// Returns true if the token at a position after the next one is this symbol.
    pub(super) fn is_at(&self, position: usize, symbol: &str) -> bool {
        self.rest.get(position).is_some_and(|token| token.is(symbol))
    }

    /// Takes the next token if it is this symbol.
    pub(super) fn take(&mut self, symbol: &str) -> bool {
        self.is_at(0, symbol) && self.advance().is_some()
    }

    /// Takes the next token if it is this symbol, which messages call `description`.
    pub(super) fn take_expected(&mut self, symbol: &str, description: &'static str) -> bool {
        self.expect(description);
        self.take(symbol)
    }

    /// Takes the next token, which must be this symbol. Messages name it by its `description`,
    /// unless they can name something longer that could come first.
    pub(super) fn require(&mut self, symbol: &str, description: &'static str) {
        if !self.take(symbol) {
            if self.parser.expected.is_empty() {
                self.expect(description);
            }
            self.fail();
        }
    }

    /// Takes the next token if it is of this kind, which messages call `description`.
    pub(super) fn take_kind(
        &mut self,
        kind: TokenKind,
        description: &'static str,
    ) -> Option<Token<'l>> {
        self.expect(description);
        self.rest.first().filter(|token| token.kind == kind)?;
        self.advance()
    }

    /// Makes a token after the end of the statement the failure of the line.
    pub(super) fn require_end(&mut self) {
        if !self.is_at_end() {
            self.fail();
        }
    }

    /// Returns true if all tokens have been read.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.expect(END);
        self.rest.is_empty()
    }

    /// Adds a description of what the next token could be.
    pub(super) fn expect(&mut self, description: &'static str) {
        self.parser.expected.push(description);
    }

    // --- Brackets ------------------------------------------------------------------------------

    /// Takes an opening bracket.
    pub(super) fn open(&mut self) {
        self.require("(", "`(`");
        self.enter();
    }

    /// Takes the closing bracket.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.require(")", "`)`");
    }

    /// Reads items in brackets with commas between them.
    pub(super) fn read_bracketed<T>(&mut self, read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        self.open();
        let is_empty = self.rest.is_empty() || self.is_at(0, ")");
        let items = if is_empty { Vec::new() } else { self.read_list(read) };
        self.close();
        items
    }

    /// Reads items with commas between them.
    pub(super) fn read_list<T>(&mut self, mut read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut items = vec![read(self)];
        while self.take(",") {
            items.push(read(self));
        }
        items
    }

    /// Counts an opening bracket. Nesting is limited because each level takes stack. The guard
    /// explains the error.
    fn enter(&mut self) {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            self.fail();
        }
    }

    /// Takes a `?`. Their number in a line is limited in the same way.
    pub(super) fn take_question_mark(&mut self) -> bool {
        let is_next = self.take("?");
        self.conditionals += usize::from(is_next);
        if self.conditionals > NESTING_MAX {
            self.fail();
        }
        is_next
    }

    // --- Errors --------------------------------------------------------------------------------

    /// Makes the next token the failure of the line, unless it already has one.
    pub(super) fn fail(&mut self) {
        let next = self.rest.first();
        let span = next.map_or(self.span(self.end, self.end), |token| self.span_of(token));
        let found = next.map_or_else(|| END.to_owned(), |token| format!("`{}`", token.text));
        let expected = list_expected(&self.parser.expected);
        self.fail_with(Failure { span, problem: Problem::Expected { expected, found } });
    }

    /// Makes this the failure of the line, unless it already has one.
    pub(super) fn fail_with(&mut self, failure: Failure) {
        if self.failure.is_none() {
            self.failure = Some(failure);
            self.skip_rest();
        }
    }

    /// Reports an error that makes the statement unusable.
    pub(super) fn refuse(&mut self, span: Span, problem: &Problem) {
        self.refuse_with(span, problem, None);
    }

    pub(super) fn refuse_with(&mut self, span: Span, problem: &Problem, help: Option<Help>) {
        self.is_refused = true;
        self.parser.report_with(span, problem, |diagnostic| diagnostic.help(help));
    }

    /// Leaves the rest of the line unread.
    pub(super) fn skip_rest(&mut self) {
        self.unread = std::mem::take(&mut self.rest);
    }

    /// Returns the names that are not part of a statement, including those after the failure.
    pub(super) fn finish(&mut self) -> Vec<Expr> {
        self.rest = std::mem::take(&mut self.unread);
        while let Some(token) = self.advance() {
            if token.kind == TokenKind::Name {
                let name = self.read_loose_name(token);
                self.loose.extend(name);
            }
        }
        std::mem::take(&mut self.loose)
    }

    // --- Places --------------------------------------------------------------------------------

    /// Returns a range of the string that the tokens come from as a range of the file.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span { start: self.base + start as u32, end: self.base + end as u32 }
    }

    pub(super) fn span_of(&self, token: &Token<'_>) -> Span {
        self.span(token.start, token.end())
    }
}

/// Lists what a token could have been, in words.
fn list_expected(all: &[&'static str]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in all {
        if !words.contains(word) {
            words.push(word);
        }
    }
    if words.contains(&VALUE) {
        words.retain(|word| ![NAME, TEXT].contains(word));
    }
    if words.len() > 1 {
        words.retain(|word| *word != EQUALS);
    }
    words.sort_by_key(|word| *word == END);
    match words.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        only => only.concat(),
    }
}

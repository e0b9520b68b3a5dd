//! The check of a line before the grammar sees it: quotes and brackets that match, and bounded
//! nesting. So the grammar's recursion is bounded, and the error is about the bracket rather than
//! about the place where the grammar noticed.

use std::ops::Range;

use gray1_isa::text::is_harmful;
use gray1_language::{Lexer, Piece, Token, TokenKind, pieces};

use crate::limits::{LINE_BYTES_MAX, NESTING_MAX};
use crate::problem::Problem;

/// The reason why the grammar must not see a line, with its place.
pub(super) type Refusal = (Range<usize>, Problem);

/// Checks the tokens of a line.
pub(super) fn check(tokens: &[Token<'_>]) -> Result<(), Refusal> {
    let mut brackets = Brackets::default();
    for token in tokens {
        brackets.token(token, 0)?;
    }
    brackets.open.pop().map_or(Ok(()), |open| Err(unclosed(open)))
}

/// The part of a refused line that can be read without danger: nothing in it nests.
pub(super) fn harmless_prefix(text: &str) -> &str {
    let prefix = text.split(['(', '{', '?', '"', '\'', ';']).next().unwrap_or_default();
    if prefix.len() <= LINE_BYTES_MAX { prefix } else { "" }
}

/// The brackets that are open so far.
#[derive(Default)]
struct Brackets {
    /// Brackets and their places.
    open: Vec<(char, usize)>,
    conditionals: usize,
}

impl Brackets {
    /// Takes a token of a text that starts at `base` in the line.
    fn token(&mut self, token: &Token<'_>, base: usize) -> Result<(), Refusal> {
        let at = base + token.start;
        match (token.kind, token.text) {
            (TokenKind::Name, name) => self.name(name, at),
            (TokenKind::Symbol, "(") => self.open('(', at),
            (TokenKind::Symbol, ")") => self.close('(', ')', at),
            (TokenKind::Symbol, "{") => self.open('{', at),
            (TokenKind::Symbol, "}") => self.close('{', '}', at),
            (TokenKind::Symbol, "?") => {
                self.conditionals += 1;
                let is_too_many = self.conditionals > NESTING_MAX;
                if is_too_many { Err((at..at + 1, Problem::TooManyConditionals)) } else { Ok(()) }
            }
            (TokenKind::Damaged, text) => match text.chars().next() {
                Some(quote @ ('"' | '\'')) => Err(unclosed((quote, at))),
                Some(c) if is_odd(c) => Err((at..at + c.len_utf8(), Problem::OddCharacter(c))),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Takes the expressions in a name.
    fn name(&mut self, name: &str, at: usize) -> Result<(), Refusal> {
        for piece in pieces(name) {
            if let Piece::Hole { start, text } = piece {
                self.open('{', at + start - 1)?;
                for token in Lexer::new(text) {
                    self.token(&token, at + start)?;
                }
                // It closes what was opened above, unless something inside of it is still open.
                self.close('{', '}', at)?;
            }
        }
        Ok(())
    }

    fn open(&mut self, bracket: char, at: usize) -> Result<(), Refusal> {
        self.open.push((bracket, at));
        let is_too_deep = self.open.len() > NESTING_MAX;
        if is_too_deep { Err((at..at + 1, Problem::BracketsTooDeep)) } else { Ok(()) }
    }

    fn close(&mut self, opener: char, closer: char, at: usize) -> Result<(), Refusal> {
        match self.open.pop() {
            Some((bracket, _)) if bracket == opener => Ok(()),
            Some(other) => Err(unclosed(other)),
            None => Err((at..at + 1, Problem::ClosesNothing(closer))),
        }
    }
}

/// True if a character cannot be seen, or looks like a blank although it is none.
pub(super) fn is_odd(c: char) -> bool {
    c.is_whitespace() || is_harmful(c) || c == '\u{ad}'
}

fn unclosed((bracket, at): (char, usize)) -> Refusal {
    (at..at + 1, Problem::Unclosed(bracket))
}

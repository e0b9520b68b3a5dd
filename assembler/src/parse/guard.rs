//! Checks a line before the grammar sees it: quotes and brackets must match, and nesting is
//! limited. This bounds the grammar's recursion. It also puts the error at the bracket instead of
//! the place where the grammar noticed it.

use std::ops::Range;

use gray1_isa::text::is_harmful;
use gray1_language::{Lexer, Piece, Token, TokenKind, split_pieces};

use crate::limits::{LINE_BYTES_MAX, NESTING_MAX};
use crate::problem::Problem;

/// The reason why the grammar must not see a line, with its range.
pub(super) type Refusal = (Range<usize>, Problem);

/// Checks the tokens of a line.
pub(super) fn check(tokens: &[Token<'_>]) -> Result<(), Refusal> {
    let mut open = find_open(tokens)?;
    open.pop().map_or(Ok(()), |open| Err(unclosed(open)))
}

/// Returns the brackets that close what these tokens of a line have opened.
pub(super) fn closing_brackets(tokens: &[Token<'_>]) -> Option<String> {
    let open = find_open(tokens).ok()?;
    open.iter().map(|(bracket, _)| (*bracket == '(').then_some(')')).collect()
}

/// Returns the brackets that these tokens leave open, each with its position.
fn find_open(tokens: &[Token<'_>]) -> Result<Vec<(char, usize)>, Refusal> {
    let mut brackets = Brackets::default();
    for token in tokens {
        brackets.check_token(token, 0)?;
    }
    Ok(brackets.open)
}

/// Returns the start of a refused line, up to its first bracket or quote. It is safe to parse.
pub(super) fn harmless_prefix(text: &str) -> &str {
    let prefix = text.split(['(', '{', '?', '"', '\'', ';']).next().unwrap_or_default();
    if prefix.len() <= LINE_BYTES_MAX { prefix } else { "" }
}

/// The brackets that are currently open.
#[derive(Default)]
struct Brackets {
    /// Each open bracket with its position.
    open: Vec<(char, usize)>,
    conditionals: usize,
}

impl Brackets {
    /// Checks a token of a string that starts at `base` in the line.
    fn check_token(&mut self, token: &Token<'_>, base: usize) -> Result<(), Refusal> {
        let at = base + token.start;
        match (token.kind, token.text) {
            (TokenKind::Name, name) => self.check_name(name, at),
            (TokenKind::Symbol, "(") => self.open_bracket('(', at),
            (TokenKind::Symbol, ")") => self.close_bracket('(', ')', at),
            (TokenKind::Symbol, "{") => self.open_bracket('{', at),
            (TokenKind::Symbol, "}") => self.close_bracket('{', '}', at),
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

    /// Checks the braces and expressions in a name.
    fn check_name(&mut self, name: &str, at: usize) -> Result<(), Refusal> {
        for piece in split_pieces(name) {
            if let Piece::Hole { start, text } = piece {
                self.open_bracket('{', at + start - 1)?;
                for token in Lexer::new(text) {
                    self.check_token(&token, at + start)?;
                }
                // The brace matches the one opened above, unless a bracket inside is still open.
                self.close_bracket('{', '}', at)?;
            }
        }
        Ok(())
    }

    fn open_bracket(&mut self, bracket: char, at: usize) -> Result<(), Refusal> {
        self.open.push((bracket, at));
        let is_too_deep = self.open.len() > NESTING_MAX;
        if is_too_deep { Err((at..at + 1, Problem::BracketsTooDeep)) } else { Ok(()) }
    }

    fn close_bracket(&mut self, opener: char, closer: char, at: usize) -> Result<(), Refusal> {
        match self.open.pop() {
            Some((bracket, _)) if bracket == opener => Ok(()),
            Some(other) => Err(unclosed(other)),
            None => Err((at..at + 1, Problem::ClosesNothing(closer))),
        }
    }
}

/// Returns true if a character is invisible, or looks like a blank but is not one.
pub(super) fn is_odd(c: char) -> bool {
    c.is_whitespace() || is_harmful(c) || c == '\u{ad}'
}

fn unclosed((bracket, at): (char, usize)) -> Refusal {
    (at..at + 1, Problem::Unclosed(bracket))
}

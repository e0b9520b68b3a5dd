//! Semantic tokens: the meaning of each word of a file, for syntax colouring.

use std::ops::RangeInclusive;

use gray1_language::{Lexer, Piece, Token, TokenKind, split_pieces};

use super::index::{FileIndex, NameKind, Occurrence};
use super::program::Analysis;
use crate::directives;
use crate::keywords::Mnemonic;
use crate::limits::NESTING_MAX;
use crate::source::{FileId, Span};
use crate::syntax::Function;

/// A word with its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeaningfulToken {
    /// Its range, which is always within one line.
    pub span: Span,
    /// Its kind.
    pub class: TokenClass,
    /// True where a name is defined.
    pub defines: bool,
}

/// The kinds of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    /// A comment, from `;` to the end of the line.
    Comment,
    /// An instruction.
    Instruction,
    /// A directive.
    Directive,
    /// A number or a character in quotes.
    Number,
    /// A string in double quotes.
    Text,
    /// A built-in function.
    BuiltIn,
    /// A name that the program defines.
    Name(NameKind),
}

impl Analysis {
    /// Returns the words of these lines (counted from 1), sorted by position. They do not overlap:
    /// a name that is built from numbers is split into pieces. Undefined names are left out.
    pub fn tokens(&self, file: FileId, lines: RangeInclusive<u32>) -> Vec<MeaningfulToken> {
        let Some(index) = self.index.file(file) else { return Vec::new() };
        let mut reader = Reader { analysis: self, index, found: Vec::new() };
        for number in self.lines_in(file, lines) {
            let (tokens, start) = self.tokens_of_line(file, number);
            reader.read(&tokens, start, 0);
        }
        reader.found
    }
}

struct Reader<'a> {
    analysis: &'a Analysis,
    index: &'a FileIndex,
    found: Vec<MeaningfulToken>,
}

impl Reader<'_> {
    /// Adds the tokens of a piece of source that starts at `base` in the file.
    fn read(&mut self, tokens: &[Token<'_>], base: u32, depth: usize) {
        for (number, token) in tokens.iter().enumerate() {
            let start = base + token.start as u32;
            let class = match token.kind {
                TokenKind::Comment => TokenClass::Comment,
                TokenKind::Directive if directives::find(token.text).is_some() => {
                    TokenClass::Directive
                }
                TokenKind::Number | TokenKind::Character => TokenClass::Number,
                TokenKind::Text => TokenClass::Text,
                TokenKind::Name if Mnemonic::from_name(token.text).is_some() => {
                    TokenClass::Instruction
                }
                TokenKind::Name => {
                    let is_called = tokens.get(number + 1).is_some_and(|next| next.is("("));
                    self.name(token.text, start, is_called, depth);
                    continue;
                }
                TokenKind::Directive | TokenKind::Symbol | TokenKind::Damaged => continue,
            };
            self.push(start, token.text, class, false);
        }
    }

    fn name(&mut self, name: &str, start: u32, is_called: bool, depth: usize) {
        let span = Span { start, end: start + name.len() as u32 };
        let (class, defines) = match self.index.occurrence_at(span) {
            Some(Occurrence { entities, defines, .. }) if !entities.is_empty() => {
                let kind = self.analysis.index.entities[entities[0]].kind;
                (Some(TokenClass::Name(kind)), *defines)
            }
            None if is_called && Function::from_name(name).is_some() => {
                (Some(TokenClass::BuiltIn), false)
            }
            _ => (None, false),
        };
        let mut at = start;
        for piece in split_pieces(name) {
            match piece {
                Piece::Text(text) => {
                    if let Some(class) = class {
                        self.push(at, text, class, defines);
                    }
                    at += text.len() as u32;
                }
                Piece::Hole { text, .. } => {
                    if depth < NESTING_MAX {
                        self.read(&Lexer::new(text).collect::<Vec<_>>(), at + 1, depth + 1);
                    }
                    at += text.len() as u32 + 2;
                }
            }
        }
    }

    fn push(&mut self, start: u32, text: &str, class: TokenClass, defines: bool) {
        let span = Span { start, end: start + text.len() as u32 };
        if !text.is_empty() {
            self.found.push(MeaningfulToken { span, class, defines });
        }
    }
}

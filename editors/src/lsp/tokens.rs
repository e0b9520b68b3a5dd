//! Semantic tokens: the words of a document with their meanings.

use std::ops::RangeInclusive;

use gray1_asm::{MeaningfulToken, NameKind, TokenClass};
use serde_json::{Value, json};

use super::protocol::Position;
use super::view::View;

/// The types of tokens, by their numbers in the encoding. `label` is new in version 3.18.
const TYPES: [&str; 12] = [
    "comment",
    "keyword",
    "decorator",
    "number",
    "string",
    "function",
    "label",
    "variable",
    "struct",
    "property",
    "macro",
    "parameter",
];

/// The modifiers of tokens, by their bits in the encoding.
const MODIFIERS: [&str; 3] = ["definition", "readonly", "defaultLibrary"];
const DEFINITION: u32 = 1;
const READ_ONLY: u32 = 2;
const DEFAULT_LIBRARY: u32 = 4;

/// A word with its meaning.
pub struct SemanticToken {
    /// Its first character.
    pub start: Position,
    /// The length in UTF-16 code units. A token does not cross a line end.
    pub length: u32,
    /// Its type, one of those in the legend.
    pub token_type: &'static str,
    modifiers: u32,
}

/// The legend of the encoding.
pub(super) fn legend() -> Value {
    json!({ "tokenTypes": TYPES, "tokenModifiers": MODIFIERS })
}

impl View<'_> {
    /// The tokens of these lines, counted from 1, in order.
    pub fn tokens(&self, lines: RangeInclusive<u32>) -> impl Iterator<Item = SemanticToken> {
        self.program.tokens(self.file, lines).into_iter().map(|token| {
            let range = self.range(token.span);
            let (token_type, modifiers) = type_and_modifiers(token);
            let length = range.end.character - range.start.character;
            SemanticToken { start: range.start, length, token_type, modifiers }
        })
    }

    /// The tokens of these lines in the protocol's encoding: five numbers each, with positions
    /// relative to the previous token.
    pub(super) fn encoded_tokens(&self, lines: RangeInclusive<u32>) -> Value {
        let mut line = 0;
        let mut character = 0;
        let data = self.tokens(lines).flat_map(|token| {
            let SemanticToken { start, length, token_type, modifiers } = token;
            let delta_line = start.line - line;
            let delta_start = start.character - if delta_line == 0 { character } else { 0 };
            (line, character) = (start.line, start.character);
            let number = TYPES.iter().position(|known| *known == token_type);
            let number = number.expect("the legend is complete") as u32;
            [delta_line, delta_start, length, number, modifiers]
        });
        json!({ "data": data.collect::<Vec<u32>>() })
    }
}

/// The type and the modifiers of a token.
fn type_and_modifiers(token: MeaningfulToken) -> (&'static str, u32) {
    let (token_type, modifiers) = match token.class {
        TokenClass::Comment => ("comment", 0),
        TokenClass::Instruction => ("keyword", 0),
        TokenClass::Directive => ("decorator", 0),
        TokenClass::Number => ("number", 0),
        TokenClass::Text => ("string", 0),
        TokenClass::BuiltIn => ("function", DEFAULT_LIBRARY),
        TokenClass::Name(kind) => match kind {
            NameKind::Label => ("label", 0),
            NameKind::Constant => ("variable", READ_ONLY),
            NameKind::Variable => ("variable", 0),
            NameKind::Structure => ("struct", 0),
            NameKind::Field => ("property", 0),
            NameKind::Macro => ("macro", 0),
            NameKind::Routine | NameKind::Function => ("function", 0),
            NameKind::Parameter => ("parameter", 0),
        },
    };
    (token_type, if token.defines { modifiers | DEFINITION } else { modifiers })
}

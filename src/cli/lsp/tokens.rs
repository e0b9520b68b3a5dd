//! Semantic tokens: each word of a document with its meaning, as the protocol encodes them.

use std::ops::RangeInclusive;

use gray1_asm::{MeaningfulToken, NameKind, TokenClass};
use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
};

use super::view::View;

/// The types of tokens, which are sent as numbers. `label` is in the protocol from 3.18 on.
const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::COMMENT,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::DECORATOR,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::new("label"),
    SemanticTokenType::VARIABLE,
    SemanticTokenType::STRUCT,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::MACRO,
    SemanticTokenType::PARAMETER,
];

/// The modifiers of tokens, a bit each.
const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DEFINITION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

/// The meanings of the numbers in tokens.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.into(), token_modifiers: MODIFIERS.into() }
}

impl View<'_> {
    /// The tokens of these lines.
    pub(super) fn tokens(&self, lines: RangeInclusive<u32>) -> SemanticTokens {
        let (mut line, mut character) = (0, 0);
        let encode = |token: MeaningfulToken| {
            let range = self.range(token.span);
            let (start, length) = (range.start, range.end.character - range.start.character);
            let delta_line = start.line - line;
            let delta_start = start.character - if delta_line == 0 { character } else { 0 };
            (line, character) = (start.line, start.character);
            let (kind, modifiers) = meaning(token);
            SemanticToken {
                delta_line,
                delta_start,
                length,
                token_type: number(&TYPES, &kind),
                token_modifiers_bitset: modifiers.iter().map(|m| 1 << number(&MODIFIERS, m)).sum(),
            }
        };
        let data = self.program.tokens(self.file, lines).into_iter().map(encode).collect();
        SemanticTokens { result_id: None, data }
    }
}

/// The number of a thing in a table that has it.
fn number<T: PartialEq>(table: &[T], wanted: &T) -> u32 {
    table.iter().position(|known| known == wanted).expect("the legend is complete") as u32
}

/// Type and modifiers of a token.
fn meaning(token: MeaningfulToken) -> (SemanticTokenType, Vec<SemanticTokenModifier>) {
    let mut modifiers = Vec::new();
    let kind = match token.class {
        TokenClass::Comment => SemanticTokenType::COMMENT,
        TokenClass::Instruction => SemanticTokenType::KEYWORD,
        TokenClass::Directive => SemanticTokenType::DECORATOR,
        TokenClass::Number => SemanticTokenType::NUMBER,
        TokenClass::Text => SemanticTokenType::STRING,
        TokenClass::BuiltIn => {
            modifiers.push(SemanticTokenModifier::DEFAULT_LIBRARY);
            SemanticTokenType::FUNCTION
        }
        TokenClass::Name(kind) => match kind {
            NameKind::Label => SemanticTokenType::new("label"),
            NameKind::Constant => {
                modifiers.push(SemanticTokenModifier::READONLY);
                SemanticTokenType::VARIABLE
            }
            NameKind::Variable => SemanticTokenType::VARIABLE,
            NameKind::Structure => SemanticTokenType::STRUCT,
            NameKind::Field => SemanticTokenType::PROPERTY,
            NameKind::Macro => SemanticTokenType::MACRO,
            NameKind::Routine | NameKind::Function => SemanticTokenType::FUNCTION,
            NameKind::Parameter => SemanticTokenType::PARAMETER,
        },
    };
    if token.defines {
        modifiers.push(SemanticTokenModifier::DEFINITION);
    }
    (kind, modifiers)
}

//! Completion: the texts that fit at the cursor.

use gray1_asm::{Completion, CompletionKind, NameKind};

use super::protocol::{CompletionItem, Position, TextEdit};
use super::view::View;

impl View<'_> {
    /// The texts that fit at a position.
    #[must_use]
    pub fn completions(&self, at: Position) -> Vec<CompletionItem> {
        let found = self.program.completions(self.file, self.offset(at));
        let range = self.range(found.span);
        let item = |item: Completion| CompletionItem {
            kind: kind_of(item.kind),
            detail: item.detail,
            documentation: item.documentation.map(Into::into),
            // Clients differ in their definition of a word.
            text_edit: TextEdit { range, new_text: item.text.clone() },
            label: item.text,
        };
        found.items.into_iter().map(item).collect()
    }
}

/// The protocol's number of a kind (`CompletionItemKind`).
fn kind_of(kind: CompletionKind) -> u8 {
    const FUNCTION: u8 = 3;
    const FIELD: u8 = 5;
    const VARIABLE: u8 = 6;
    const PROPERTY: u8 = 10;
    const KEYWORD: u8 = 14;
    const ENUM_MEMBER: u8 = 20;
    const CONSTANT: u8 = 21;
    const STRUCT: u8 = 22;
    const EVENT: u8 = 23;
    match kind {
        CompletionKind::Instruction | CompletionKind::Directive => KEYWORD,
        CompletionKind::Warning => ENUM_MEMBER,
        CompletionKind::BuiltIn => FUNCTION,
        CompletionKind::Argument => PROPERTY,
        CompletionKind::Name(name) => match name {
            NameKind::Label => EVENT,
            NameKind::Constant => CONSTANT,
            NameKind::Variable | NameKind::Parameter => VARIABLE,
            NameKind::Structure => STRUCT,
            NameKind::Field => FIELD,
            NameKind::Macro | NameKind::Routine | NameKind::Function => FUNCTION,
        },
    }
}

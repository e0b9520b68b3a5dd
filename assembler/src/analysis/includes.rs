//! Finds the files that a source includes by reading only its text.

use gray1_isa::source_text::lines;
use gray1_language::{Lexer, Token, TokenKind};

use super::program::{Analysis, LineAt};
use crate::directives::{self, Operands};
use crate::limits::LINE_BYTES_MAX;
use crate::line_parts::LineParts;
use crate::source::FileId;

/// Returns the names of the files that a source includes, in order. This includes `.include` lines
/// in branches that are not taken and in macros that are not called. The source may have errors.
pub fn included_names(text: &str) -> impl Iterator<Item = &str> {
    let lines = lines(text).filter(|line| line.len() <= LINE_BYTES_MAX);
    lines.filter_map(|line| {
        let name = find_include(line).filter(|name| name.kind == TokenKind::Text)?;
        Some(&name.text[1..name.text.len() - 1])
    })
}

/// Returns the token with the file name of an `.include` line.
fn find_include(line: &str) -> Option<Token<'_>> {
    let tokens: Vec<Token<'_>> = Lexer::new(line).collect();
    let parts = LineParts::new(&tokens);
    let directive = directives::find(parts.directive()?.text)?;
    let is_include = matches!(directive.operands, Operands::File);
    parts.statement.get(1).copied().filter(|_| is_include)
}

impl Analysis {
    /// Returns the part of a file name that has been typed so far: the text between the opening
    /// quote of an `.include` and this byte offset.
    pub fn included_up_to(&self, file: FileId, offset: u32) -> Option<&str> {
        let LineAt { text, start, .. } = self.line(file, offset);
        let before = text.get(..(offset - start) as usize)?;
        let name = find_include(before).filter(|name| name.kind == TokenKind::Damaged)?;
        name.text.strip_prefix('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_found_without_a_program() {
        let text = ".include \"a.asm\" ; x\rx: .INCLUDE\"b c\"\r\n; .include \"no\"\n\
                    LDI len(\"no\")\n.include\n.include \"no\n.title \"no\"\n.include \"d\" )";
        assert_eq!(included_names(text).collect::<Vec<_>>(), ["a.asm", "b c", "d"]);
    }
}

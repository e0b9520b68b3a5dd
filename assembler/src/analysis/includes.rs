//! Which files a text includes, as far as the text alone tells.

use gray1_isa::source_text::lines;
use gray1_language::{Lexer, Token, TokenKind};

use crate::directives::{self, Operands};
use crate::limits::LINE_BYTES_MAX;
use crate::line_parts::LineParts;

/// The names of the files that a source includes, in order, untaken branches and uncalled macros
/// included. The text may have mistakes.
pub fn included_names(text: &str) -> impl Iterator<Item = &str> {
    let lines = lines(text).filter(|line| line.len() <= LINE_BYTES_MAX);
    lines.filter_map(|line| {
        let tokens: Vec<Token<'_>> = Lexer::new(line).collect();
        let parts = LineParts::new(&tokens);
        let directive = directives::find(parts.directive()?.text)?;
        let name = parts.statement.get(1).filter(|name| name.kind == TokenKind::Text)?;
        let is_include = matches!(directive.operands, Operands::File);
        is_include.then(|| &name.text[1..name.text.len() - 1])
    })
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

//! The parser: turns source into a syntax tree. It parses each line by the grammar, then nests
//! lines into blocks.
//!
//! A line with an error is reported. What can be salvaged of it stays in the tree, so that it
//! causes no errors in other lines.

mod blocks;
mod caption;
mod expected;
mod expression;
mod grammar;
mod guard;
mod line;
mod parser;
mod plain;
mod salvage;
mod statement;
#[cfg(test)]
mod tests;

use gray1_isa::SourceText;
use gray1_language::Lexer;

use self::parser::Parser;
use crate::diagnostic::Diagnostic;
use crate::limits::LINE_BYTES_MAX;
use crate::names::Names;
use crate::source::FileId;
use crate::syntax::Items;

/// Parses a file.
pub(crate) fn parse(
    file: FileId,
    lines: &SourceText,
    names: &mut Names,
) -> (Items, Vec<Diagnostic>) {
    let mut parser = Parser::new(file, names);
    let mut blocks = blocks::Builder::default();
    let mut tokens = Vec::new();
    for (start, line) in lines.iter_with_starts() {
        tokens.clear();
        if line.len() <= LINE_BYTES_MAX {
            tokens.extend(Lexer::new(line));
        }
        parser.base = start;
        if tokens.is_empty() && is_blank(line) {
            blocks.end_caption(&mut parser);
        } else if let Some(text) = caption::text(&tokens) {
            blocks.add_caption_line(text, parser.span(0..line.len()));
        } else {
            let line = parser.parse_line(line, &tokens);
            blocks.push(line, &mut parser);
        }
    }
    let items = blocks.finish(&mut parser);
    (items, parser.diagnostics)
}

/// Returns true if a line, taken separately, has no syntax error.
pub(crate) fn is_well_formed(line: &str) -> bool {
    let mut names = Names::default();
    let mut parser = Parser::new(FileId::ROOT, &mut names);
    let tokens: Vec<_> = Lexer::new(line).collect();
    parser.parse_line(line, &tokens);
    parser.diagnostics.is_empty()
}

/// Returns true if a line is blank. A line that is too long also has no tokens, but is not blank.
fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

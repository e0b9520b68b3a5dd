//! From text to syntax tree: line by line through the grammar, then lines into blocks.
//!
//! A line with an error is reported and replaced by what can still be told of it, so that it does
//! not drag others along.

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

use gray1_language::Lexer;

use self::parser::Parser;
use crate::diagnostic::Diagnostic;
use crate::limits::LINE_BYTES_MAX;
use crate::names::Names;
use crate::source::FileId;
use crate::syntax::Items;

/// Parses a file.
pub(crate) fn parse(file: FileId, text: &str, names: &mut Names) -> (Items, Vec<Diagnostic>) {
    let mut parser = Parser::new(file, names);
    let mut blocks = blocks::Builder::default();
    let mut tokens = Vec::new();
    let mut start = 0;
    for raw in text.split_inclusive('\n') {
        let line = raw.strip_suffix('\n').unwrap_or(raw);
        let line = line.strip_suffix('\r').unwrap_or(line);
        tokens.clear();
        if line.len() <= LINE_BYTES_MAX {
            tokens.extend(Lexer::new(line));
        }
        parser.base = start;
        match (line.trim_matches([' ', '\t']).is_empty(), caption::text(&tokens)) {
            (true, _) => blocks.end_caption(&mut parser),
            (_, Some(text)) => blocks.caption(text, parser.span(0..line.len())),
            _ => {
                let line = parser.line(line, &tokens);
                blocks.push(line, &mut parser);
            }
        }
        start += raw.len() as u32;
    }
    let items = blocks.finish(&mut parser);
    (items, parser.diagnostics)
}

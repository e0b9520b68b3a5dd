//! The symbol table. Each line has a name, a kind, a hexadecimal value and a size.

use std::fmt::Write as _;

use super::error::{LoadError, unexpected};
use crate::image::Image;
use crate::source_text::lines;
use crate::symbol::{Symbol, SymbolKind};
use crate::text::printable;

/// The kind of a variable that is a seed.
const SEED: &str = "seed";

pub(super) fn encode(image: &Image) -> String {
    let mut text = String::new();
    for symbol in image.symbols() {
        let sign = if symbol.value < 0 { "-" } else { "" };
        let Symbol { name, kind, value, size, is_seed } = symbol;
        let kind = if *is_seed { SEED } else { kind.name() };
        let name = printable(name);
        let value = value.unsigned_abs();
        writeln!(text, "{name} {kind} {sign}0x{value:04x} {size}").expect("a String takes all");
    }
    text
}

pub(super) fn decode(text: &str) -> Result<Vec<Symbol>, LoadError> {
    let lines = lines(text).zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let symbols = lines.map(|(line, number)| {
        let expected = "a symbol: name, kind, value and size";
        parse_symbol(line).ok_or_else(|| LoadError::on_line(number, unexpected(expected, line)))
    });
    symbols.collect()
}

fn parse_symbol(line: &str) -> Option<Symbol> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, kind, value, size] = *words.as_slice() else { return None };
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, value),
    };
    let magnitude = u64::from_str_radix(digits.strip_prefix("0x")?, 16).ok()?;
    let is_seed = kind == SEED;
    let kind = if is_seed { SymbolKind::Variable.name() } else { kind };
    Some(Symbol {
        name: name.to_owned(),
        is_seed,
        kind: SymbolKind::ALL.into_iter().find(|known| known.name() == kind)?,
        value: i64::try_from(sign * i128::from(magnitude)).ok()?,
        size: size.parse().ok()?,
    })
}

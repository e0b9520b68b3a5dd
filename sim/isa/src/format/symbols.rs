//! The symbol table, a line each: name, kind, value in hexadecimal, size.

use std::fmt::Write as _;

use crate::image::Image;
use crate::text::printable;

pub(super) fn encode(image: &Image) -> String {
    let mut text = String::new();
    for symbol in image.symbols() {
        let sign = if symbol.value < 0 { "-" } else { "" };
        let (name, kind) = (printable(&symbol.name), symbol.kind.name());
        let value = symbol.value.unsigned_abs();
        writeln!(text, "{name} {kind} {sign}0x{value:04x} {}", symbol.size)
            .expect("a String takes all");
    }
    text
}

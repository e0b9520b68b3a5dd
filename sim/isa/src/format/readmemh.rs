//! Hexadecimal bytes for Verilog's `$readmemh` (IEEE 1364-2005, 17.2.9): white space between
//! bytes, `@` before an address, comments as in Verilog.

use std::fmt::Write as _;

use super::hex::{self, Chip};
use super::{LoadError, Position, unexpected};
use crate::source_text::lines;

/// True if the first line that says anything holds nothing but bytes and addresses.
pub(super) fn is_readmemh(text: &str) -> bool {
    let mut lines = lines(text).map(without_comment);
    lines.find(|line| !line.trim().is_empty()).is_some_and(|line| {
        hex::words(line).all(|(_, word)| match word.strip_prefix('@') {
            Some(address) => hex::number(address, 16).is_some(),
            None => word.len() == 2 && hex::number(word, 2).is_some(),
        })
    })
}

fn without_comment(line: &str) -> &str {
    line.split_once("//").map_or(line, |(before, _)| before)
}

/// The contents of a chip, after a comment that says which.
#[must_use]
pub fn encode(chip: &str, contents: &[u8]) -> String {
    let mut text = format!("// Gray-1 {chip} chip, EPROM address order\n");
    for row in contents.chunks(16) {
        push_row(&mut text, row);
    }
    // The last newline is there for Verilator, which takes no file without one.
    text
}

fn push_row(text: &mut String, row: &[u8]) {
    for (column, byte) in row.iter().enumerate() {
        let separator = if column == 0 { "" } else { " " };
        write!(text, "{separator}{byte:02x}").expect("a String takes all");
    }
    text.push('\n');
}

/// The contents of a chip of this size in bytes. A file that gives addresses may leave some out,
/// which are FF; one that gives none fills the chip.
///
/// # Errors
/// If the text is not a memory file, gives an address that the chip does not have, or is too short.
pub fn decode(text: &str, size: usize) -> Result<Vec<u8>, LoadError> {
    let (chip, is_addressed) = read(text, size)?;
    if is_addressed { Ok(chip.contents()) } else { chip.full_contents(lines(text).count()) }
}

/// A chip of this size, as the file fills it, and whether the file gives addresses.
pub(super) fn read(text: &str, size: usize) -> Result<(Chip, bool), LoadError> {
    let mut chip = Chip::erased(size);
    let (mut address, mut is_addressed) = (0, false);
    for (line, bytes) in lines(text).enumerate().map(|(n, line)| (n + 1, without_comment(line))) {
        for (column, word) in hex::words(bytes) {
            let position = Position { line, column };
            if let Some(digits) = word.strip_prefix('@') {
                let problem = || unexpected("an address in hexadecimal", word);
                address =
                    hex::number(digits, 16).ok_or_else(|| LoadError::at(position, problem()))?;
                is_addressed = true;
                continue;
            }
            let byte = hex::number(word, 2).ok_or_else(|| {
                LoadError::at(position, unexpected("a byte of two hexadecimal digits", word))
            })?;
            chip.burn(address, byte as u8, position)?;
            address = address.saturating_add(1);
        }
    }
    Ok((chip, is_addressed))
}

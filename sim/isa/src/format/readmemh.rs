//! Hexadecimal bytes for Verilog's `$readmemh` (IEEE 1364-2005, 17.2.9).
//!
//! Numbers have any count of digits with `_` between them. White space or comments separate them,
//! and `@` marks an address.

use std::fmt::Write as _;

use super::error::{LoadError, Position, unexpected};
use super::hex::{self, Chip};
use crate::source_text::lines;

/// Returns true if the first line that is not blank has only bytes and addresses. `ADD` does not
/// fit into a byte, so it is not mistaken for one.
pub(super) fn is_readmemh(text: &str) -> bool {
    let (text, _) = without_comments(text);
    lines(&text).find(|line| !line.trim().is_empty()).is_some_and(|line| {
        hex::split_words(line).all(|(_, word)| match word.strip_prefix('@') {
            Some(address) => parse_hex(address).is_some(),
            // A single letter such as `a` is more likely the start of a source.
            None if word.len() == 1 => word.starts_with(|it: char| it.is_ascii_digit()),
            None => parse_byte(word).is_some() || is_unknown(word),
        })
    })
}

/// Parses a number as in Verilog, with `_` between its digits.
fn parse_hex(word: &str) -> Option<u64> {
    let digits = word.replace('_', "");
    if word.starts_with('_') { None } else { hex::parse(&digits, digits.len()) }
}

fn parse_byte(word: &str) -> Option<u8> {
    parse_hex(word).and_then(|number| u8::try_from(number).ok())
}

/// Returns true if a number has digits that an EPROM cannot hold: unknown or high-impedance ones.
fn is_unknown(word: &str) -> bool {
    word.contains(['x', 'X', 'z', 'Z', '?'])
        && word.chars().all(|it| it.is_ascii_hexdigit() || "xXzZ?_".contains(it))
}

/// Replaces comments with spaces, so that the columns of everything else stay the same. Also
/// returns the line of a comment that is not closed.
fn without_comments(text: &str) -> (String, Option<usize>) {
    let mut rest = text;
    let mut bare = String::new();
    while let Some(slash) = rest.find('/') {
        let (before, comment) = rest.split_at(slash);
        bare.push_str(before);
        let end = if comment.starts_with("//") {
            comment.find('\n').unwrap_or(comment.len())
        } else if let Some(inside) = comment.strip_prefix("/*") {
            let Some(end) = inside.find("*/") else {
                let line = bare.matches('\n').count() + 1;
                return (bare, Some(line));
            };
            end + 4
        } else {
            bare.push('/');
            rest = &comment[1..];
            continue;
        };
        bare.extend(comment[..end].chars().map(|it| if it == '\n' { it } else { ' ' }));
        rest = &comment[end..];
    }
    bare.push_str(rest);
    (bare, None)
}

/// Encodes the contents of a chip, after a comment that names the chip.
pub fn encode(chip: &str, contents: &[u8]) -> String {
    let mut text = format!("// Gray-1 {chip} chip, EPROM address order\n");
    for row in contents.chunks(16) {
        push_row(&mut text, row);
    }
    // Verilator needs the newline at the end of the file.
    text
}

fn push_row(text: &mut String, row: &[u8]) {
    for (column, byte) in row.iter().enumerate() {
        let separator = if column == 0 { "" } else { " " };
        write!(text, "{separator}{byte:02x}").expect("a String takes all");
    }
    text.push('\n');
}

/// Decodes the contents of a chip of `size` bytes.
///
/// A file with addresses may leave bytes out, which are then FF. A file without addresses must fill
/// the chip.
///
/// # Errors
/// If the text is not a memory file, gives an address that the chip does not have, or is too short.
pub fn decode(text: &str, size: usize) -> Result<Vec<u8>, LoadError> {
    let (chip, is_addressed) = read(text, size)?;
    if is_addressed { Ok(chip.contents()) } else { chip.full_contents(lines(text).count()) }
}

/// Reads a chip of `size` bytes. Also returns whether the file gives addresses.
pub(super) fn read(text: &str, size: usize) -> Result<(Chip, bool), LoadError> {
    let mut chip = Chip::erased(size);
    let mut address = 0;
    let mut is_addressed = false;
    let (text, unclosed) = without_comments(text);
    if let Some(line) = unclosed {
        return Err(LoadError::on_line(line, "a comment is not closed".to_owned()));
    }
    for (line, bytes) in lines(&text).enumerate().map(|(n, it)| (n + 1, it)) {
        for (column, word) in hex::split_words(bytes) {
            let refused =
                |expected| LoadError::at(Position { line, column }, unexpected(expected, word));
            if let Some(digits) = word.strip_prefix('@') {
                address = parse_hex(digits).ok_or_else(|| refused("an address in hexadecimal"))?;
                is_addressed = true;
                continue;
            }
            let byte = parse_byte(word).ok_or_else(|| refused("a byte in hexadecimal"))?;
            chip.burn(address, byte, Position { line, column })?;
            address = address.saturating_add(1);
        }
    }
    Ok((chip, is_addressed))
}

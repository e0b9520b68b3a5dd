//! Intel HEX, as EPROM programmers read it: `:` length, address, type, data, checksum.
//!
//! Format: Intel Hexadecimal Object File Format Specification, revision A, 1988.

use std::fmt::Write as _;

use super::error::{LoadError, Position, unexpected};
use super::hex::Chip;
use crate::source_text::lines;

/// The number of data bytes in a record.
const RECORD_BYTES: usize = 16;
/// The number of bytes that the 16-bit address in a record can select.
const BANK_BYTES: usize = 1 << 16;

/// The record types of data and of the last record.
const DATA: u8 = 0;
const END_OF_FILE: u8 = 1;
/// The type of a record that gives the upper 16 bits of the addresses in the records after it.
const EXTENDED_LINEAR_ADDRESS: u8 = 4;

/// Returns true if any line is a record, or if the first line looks like a damaged one.
pub(super) fn is_ihex(text: &str) -> bool {
    text.trim_start().starts_with(':')
        || lines(text).any(|line| {
            let digits = line.trim().strip_prefix(':').unwrap_or_default();
            digits.len() >= 10 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}

/// Encodes the contents of a chip of at most 4 GiB.
///
/// Leaves out records whose bytes all equal `blank`, because a blank chip already contains them.
pub fn encode(contents: &[u8], blank: Option<u8>) -> String {
    let mut text = String::new();
    for (bank, contents) in (0_u16..).zip(contents.chunks(BANK_BYTES)) {
        if bank > 0 {
            push_record(&mut text, EXTENDED_LINEAR_ADDRESS, 0, &bank.to_be_bytes());
        }
        for (address, data) in (0..).step_by(RECORD_BYTES).zip(contents.chunks(RECORD_BYTES)) {
            if data.iter().any(|&byte| Some(byte) != blank) {
                push_record(&mut text, DATA, address, data);
            }
        }
    }
    push_record(&mut text, END_OF_FILE, 0, &[]);
    text
}

fn push_record(text: &mut String, kind: u8, address: usize, data: &[u8]) {
    let [high, low] = (address as u16).to_be_bytes();
    let mut sum = 0_u8;
    text.push(':');
    for &byte in [data.len() as u8, high, low, kind].iter().chain(data) {
        sum = sum.wrapping_add(byte);
        write!(text, "{byte:02X}").expect("a String takes all");
    }
    writeln!(text, "{:02X}", sum.wrapping_neg()).expect("a String takes all");
}

/// Decodes the contents of a chip of `size` bytes. Bytes that the file does not give are FF.
///
/// Skips other text before the first record and after the last one.
///
/// # Errors
/// If the text is not Intel HEX, or names addresses that the chip does not have.
pub fn decode(text: &str, size: usize) -> Result<Vec<u8>, LoadError> {
    read(text, size).map(Chip::contents)
}

/// Reads a chip of `size` bytes, and records which bytes the file gives.
pub(super) fn read(text: &str, size: usize) -> Result<Chip, LoadError> {
    let mut chip = Chip::erased(size);
    // The base address from the last record of type 02 or 04. It applies to the records after it.
    let mut base = 0;
    let mut begun = false;
    let mut ended = false;
    for (line, record) in lines(text).enumerate().map(|(n, line)| (n + 1, line.trim())) {
        let is_around = (!begun || ended) && !record.starts_with(':') && !lacks_its_colon(record);
        if record.is_empty() || is_around {
            continue;
        }
        begun = true;
        if ended {
            return Err(LoadError::on_line(line, "unexpected text after the end-of-file record"));
        }
        let Record { kind, address, data } = Record::parse(record, line)?;
        match (kind, data.as_slice()) {
            (DATA, data) => {
                for (address, &byte) in (base + u64::from(address)..).zip(data) {
                    chip.burn(address, byte, Position { line, column: 4 })?;
                }
            }
            (END_OF_FILE, []) => ended = true,
            (2, &[high, low]) => base = u64::from(u16::from_be_bytes([high, low])) << 4,
            (EXTENDED_LINEAR_ADDRESS, &[high, low]) => {
                base = u64::from(u16::from_be_bytes([high, low])) << 16;
            }
            // Start addresses have no meaning for a memory chip.
            (3 | 5, &[_, _, _, _]) => {}
            (1..=5, data) => {
                let said = match kind {
                    1 => "no data in a record of type 01",
                    2 | 4 => "two data bytes in a record of type 02 or 04",
                    _ => "four data bytes in a record of type 03 or 05",
                };
                let held = format!("{} bytes", data.len());
                return Err(LoadError::on_line(line, unexpected(said, &held)));
            }
            (kind, _) => {
                let problem = format!(
                    "record type {kind:02x} is not supported (expected 00, 01, 02, 03, 04 or 05)"
                );
                return Err(LoadError::on_line(line, problem));
            }
        }
    }
    if ended {
        return Ok(chip);
    }
    let problem = "there is no end-of-file record (:00000001FF)";
    Err(LoadError::on_line(lines(text).count(), problem))
}

/// Returns true if a line looks like a record whose colon is missing or wrong, because its byte
/// count is right. Other text before or after the records is unlikely to pass this test.
fn lacks_its_colon(line: &str) -> bool {
    let mut rest = line.chars();
    rest.next();
    [line, rest.as_str()].into_iter().any(|digits| {
        let held = digits.get(..2).and_then(|length| u8::from_str_radix(length, 16).ok());
        digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            && held.is_some_and(|bytes| digits.len() == 10 + 2 * usize::from(bytes))
    })
}

struct Record {
    kind: u8,
    address: u16,
    data: Vec<u8>,
}

impl Record {
    fn parse(record: &str, line: usize) -> Result<Self, LoadError> {
        let Some(digits) = record.strip_prefix(':') else {
            let problem = unexpected("a record, which starts with ':'", record);
            return Err(LoadError::on_line(line, problem));
        };
        let refused = |column, problem| Err(LoadError::at(Position { line, column }, problem));
        if let Some(odd) = digits.chars().position(|c| !c.is_ascii_hexdigit()) {
            let rest: String = digits.chars().skip(odd).take(1).collect();
            return refused(odd + 2, unexpected("a hexadecimal digit", &rest));
        }
        let byte = |at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap_or_default();
        let bytes: Vec<u8> = (0..digits.len() / 2).map(byte).collect();
        let (&[said, high, low, kind], rest) = match bytes.split_first_chunk::<4>() {
            Some(split) if digits.len() % 2 == 0 => split,
            _ => {
                let expected = "two digits a byte and at least five bytes a record";
                let found = format!("{} digits", digits.len());
                return refused(1, unexpected(expected, &found));
            }
        };
        let Some((&found, data)) = rest.split_last() else {
            return refused(digits.len() + 2, unexpected("a checksum", ""));
        };
        if data.len() != usize::from(said) {
            let held = data.len();
            let problem =
                format!("the record says that it holds {said} data bytes, but holds {held}");
            return refused(2, problem);
        }
        let sum = bytes[..bytes.len() - 1].iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte));
        let expected = sum.wrapping_neg();
        if found != expected {
            let problem =
                format!("the checksum is {found:02x}, but the record adds up to {expected:02x}");
            return refused(digits.len(), problem);
        }
        Ok(Self { kind, address: u16::from_be_bytes([high, low]), data: data.to_vec() })
    }
}

//! Intel HEX, as EPROM programmers read it: `:` length, address, type, data, checksum.
//!
//! Format: Intel Hexadecimal Object File Format Specification, revision A, 1988.

use std::fmt::Write as _;

use super::hex::Chip;
use super::{LoadError, Position, Problem};
use crate::image::Image;

/// Data bytes a record.
const RECORD_BYTES: usize = 16;

pub(super) fn is_ihex(text: &str) -> bool {
    text.trim_start().starts_with(':')
}

pub(super) fn encode(image: &Image) -> String {
    let contents = image.to_eprom();
    let mut text = String::new();
    for (number, data) in contents.chunks_exact(RECORD_BYTES).enumerate() {
        if data.iter().any(|&byte| byte != 0xff) {
            let [high, low] = ((number * RECORD_BYTES) as u16).to_be_bytes();
            let head = [RECORD_BYTES as u8, high, low, 0];
            push_record(&mut text, head.iter().chain(data));
        }
    }
    push_record(&mut text, [0, 0, 0, 1].iter());
    text
}

fn push_record<'a>(text: &mut String, bytes: impl Iterator<Item = &'a u8>) {
    let mut sum = 0_u8;
    text.push(':');
    for &byte in bytes {
        sum = sum.wrapping_add(byte);
        write!(text, "{byte:02X}").expect("a String takes all");
    }
    writeln!(text, "{:02X}", sum.wrapping_neg()).expect("a String takes all");
}

pub(super) fn decode(text: &str) -> Result<Image, LoadError> {
    let mut chip = Chip::erased();
    // Where records of type 02 or 04 move the 16-bit addresses that follow.
    let mut base = 0;
    let mut ended = false;
    for (line, record) in text.lines().enumerate().map(|(n, line)| (n + 1, line.trim())) {
        if record.is_empty() {
            continue;
        }
        if ended {
            return Err(Problem::AfterEnd.on_line(line));
        }
        let Record { kind, address, data } = Record::parse(record, line)?;
        match (kind, data.as_slice()) {
            (0, data) => {
                for (address, &byte) in (base + u64::from(address)..).zip(data) {
                    chip.burn(address, byte, Position { line, column: 4 })?;
                }
            }
            (1, []) => ended = true,
            (2, &[high, low]) => base = u64::from(u16::from_be_bytes([high, low])) << 4,
            (4, &[high, low]) => base = u64::from(u16::from_be_bytes([high, low])) << 16,
            // Start addresses mean nothing to a memory chip.
            (3 | 5, &[_, _, _, _]) => {}
            (1..=5, data) => {
                let said = match kind {
                    1 => "no data in a record of type 01",
                    2 | 4 => "two data bytes in a record of type 02 or 04",
                    _ => "four data bytes in a record of type 03 or 05",
                };
                let held = format!("{} bytes", data.len());
                return Err(Problem::unexpected(said, &held).on_line(line));
            }
            (kind, _) => return Err(Problem::RecordType(kind).on_line(line)),
        }
    }
    if ended { Ok(chip.image()) } else { Err(Problem::NoEndRecord.on_line(text.lines().count())) }
}

struct Record {
    kind: u8,
    address: u16,
    data: Vec<u8>,
}

impl Record {
    fn parse(record: &str, line: usize) -> Result<Self, LoadError> {
        let Some(digits) = record.strip_prefix(':') else {
            return Err(
                Problem::unexpected("a record, which starts with ':'", record).on_line(line)
            );
        };
        let at = |column| Position { line, column };
        if let Some(odd) = digits.chars().position(|c| !c.is_ascii_hexdigit()) {
            let rest: String = digits.chars().skip(odd).take(1).collect();
            return Err(Problem::unexpected("a hexadecimal digit", &rest).at(at(odd + 2)));
        }
        let nibble = |digit: u8| (digit as char).to_digit(16).map_or(0, |value| value as u8);
        let bytes: Vec<u8> = digits
            .as_bytes()
            .chunks_exact(2)
            .map(|pair| nibble(pair[0]) << 4 | nibble(pair[1]))
            .collect();
        let (&[said, high, low, kind], rest) = match bytes.split_first_chunk::<4>() {
            Some(split) if digits.len() % 2 == 0 => split,
            _ => {
                let expected = "two digits a byte and at least five bytes a record";
                let found = format!("{} digits", digits.len());
                return Err(Problem::unexpected(expected, &found).on_line(line));
            }
        };
        let Some((&found, data)) = rest.split_last() else {
            return Err(Problem::unexpected("a checksum", "").at(at(digits.len() + 2)));
        };
        if data.len() != usize::from(said) {
            return Err(Problem::RecordLength { said, held: data.len() }.at(at(2)));
        }
        let sum = bytes[..bytes.len() - 1].iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte));
        let expected = sum.wrapping_neg();
        if found != expected {
            return Err(Problem::Checksum { expected, found }.at(at(digits.len())));
        }
        Ok(Self { kind, address: u16::from_be_bytes([high, low]), data: data.to_vec() })
    }
}

//! Logisim's memory image, `v2.0 raw`: hexadecimal bytes, with a run of equal bytes as
//! `count*byte`.

use std::fmt::Write as _;

use super::error::{LoadError, Position, address_beyond, unexpected};
use super::hex::{self, Chip};
use crate::address::ROM_BYTES;
use crate::image::Image;
use crate::source_text::lines;

const HEADER: &str = "v2.0 raw";

pub(super) fn is_logisim(text: &str) -> bool {
    text.starts_with(HEADER)
}

pub(super) fn encode(image: &Image) -> String {
    let contents = image.to_eprom();
    let mut text = format!("{HEADER}\n");
    for run in contents.chunk_by(|a, b| a == b) {
        if run.len() == 1 {
            writeln!(text, "{:x}", run[0]).expect("a String takes all");
        } else {
            writeln!(text, "{}*{:x}", run.len(), run[0]).expect("a String takes all");
        }
    }
    text
}

pub(super) fn decode(text: &str) -> Result<Vec<u8>, LoadError> {
    let mut chip = Chip::erased(ROM_BYTES);
    let mut address = 0;
    for (line, bytes) in lines(text).enumerate().map(|(n, line)| (n + 1, line)) {
        if line == 1 {
            if bytes.trim_end() != HEADER {
                return Err(LoadError::on_line(line, unexpected(HEADER, bytes)));
            }
            continue;
        }
        let bytes = bytes.split_once('#').map_or(bytes, |(before, _)| before);
        for (column, word) in hex::split_words(bytes) {
            let position = Position { line, column };
            let (count, byte) = parse_run(word).ok_or_else(|| {
                let expected = "a byte in hexadecimal, or count*byte";
                LoadError::at(position, unexpected(expected, word))
            })?;
            if count > ROM_BYTES as u64 - address {
                let address = address.saturating_add(count) - 1;
                return Err(LoadError::at(position, address_beyond(address, ROM_BYTES)));
            }
            for address in address..address + count {
                chip.burn(address, byte, position)?;
            }
            address += count;
        }
    }
    chip.full_contents(lines(text).count())
}

/// Parses `count*byte`, or a single byte.
fn parse_run(word: &str) -> Option<(u64, u8)> {
    let (count, byte) = match word.split_once('*') {
        Some((count, byte)) => (count.parse().ok().filter(|&count| count > 0)?, byte),
        None => (1, word),
    };
    Some((count, hex::parse(byte, 2)? as u8))
}

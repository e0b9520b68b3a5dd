//! Program images as files: the formats, how each is recognised, and the errors of bad files.
//!
//! This module only converts between bytes and images. Callers read and write the files.

mod bin;
mod error;
mod hex;
pub mod ihex;
mod listing;
mod logisim;
pub mod readmemh;
mod ron;
mod symbols;
mod table;

pub use error::{FILE_BYTES_MAX, LoadError, Position};
pub use ron::document_name;

use self::bin::CHIP_BYTES_MAX;
use self::hex::{Chip, ERASED};
use crate::address::ROM_BYTES;
use crate::image::Image;
use crate::op::Op;
use crate::source_text::lines;
use crate::symbol::Symbol;

/// The maximum length of a source line in bytes. Real ones are far shorter.
const SOURCE_LINE_BYTES_MAX: usize = 4096;

/// A file format for images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The 16,384 bytes of the PROG chip in the order of its addresses.
    Bin,
    /// The bytes of the PROG chip as Intel HEX.
    Ihex,
    /// The bytes of the PROG chip for Verilog's `$readmemh`.
    Readmemh,
    /// The bytes of the PROG chip in Logisim's format `v2.0 raw`.
    Logisim,
    /// All that is known about a program, in Rusty Object Notation.
    Ron,
    /// The index, word and source line of every instruction, for people to read.
    Listing,
    /// The name, kind, value and size of every symbol.
    Symbols,
    /// The bytes of the PROG chip as a memory of AMD's tools for FPGAs.
    Coe,
    /// The bytes of the PROG chip as a memory of Intel's tools for FPGAs.
    Mif,
    /// The bytes of the PROG chip as an array in C.
    C,
}

impl Format {
    /// All formats, in the order in which help and messages list them.
    pub const ALL: [Self; 10] = [
        Self::Bin,
        Self::Ihex,
        Self::Readmemh,
        Self::Logisim,
        Self::Ron,
        Self::Listing,
        Self::Symbols,
        Self::Coe,
        Self::Mif,
        Self::C,
    ];

    /// Returns the name of the format on the command line.
    pub const fn name(self) -> &'static str {
        self.name_and_suffix().0
    }

    /// Returns the suffix of the format's file names, without the dot.
    pub const fn suffix(self) -> &'static str {
        self.name_and_suffix().1
    }

    const fn name_and_suffix(self) -> (&'static str, &'static str) {
        match self {
            Self::Bin => ("bin", "bin"),
            Self::Ihex => ("ihex", "hex"),
            Self::Readmemh => ("readmemh", "mem"),
            Self::Logisim => ("logisim", "lhex"),
            Self::Ron => ("ron", "ron"),
            Self::Listing => ("listing", "lst"),
            Self::Symbols => ("symbols", "sym"),
            Self::Coe => ("coe", "coe"),
            Self::Mif => ("mif", "mif"),
            Self::C => ("c", "c"),
        }
    }

    /// Returns the format with this suffix, in upper or lower case.
    pub fn from_suffix(suffix: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.suffix().eq_ignore_ascii_case(suffix))
    }

    /// Returns true if files of this format can be loaded. The others are for people and for other
    /// tools.
    pub const fn loads(self) -> bool {
        !matches!(self, Self::Listing | Self::Symbols | Self::Coe | Self::Mif | Self::C)
    }

    /// Encodes an image in this format.
    pub fn encode(self, image: &Image) -> Vec<u8> {
        match self {
            Self::Bin => bin::encode(image),
            Self::Ihex => ihex::encode(&*image.to_eprom(), Some(ERASED)).into_bytes(),
            Self::Readmemh => readmemh::encode("PROG", &*image.to_eprom()).into_bytes(),
            Self::Logisim => logisim::encode(image).into_bytes(),
            Self::Ron => ron::encode(image).into_bytes(),
            Self::Listing => listing::encode(image).into_bytes(),
            Self::Symbols => symbols::encode(image).into_bytes(),
            Self::Coe => table::encode_coe(&*image.to_eprom()).into_bytes(),
            Self::Mif => table::encode_mif(&*image.to_eprom()).into_bytes(),
            Self::C => table::encode_c(&*image.to_eprom()).into_bytes(),
        }
    }
}

/// The contents of a file, with the kind that was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents<'a> {
    /// A program image, in any of the formats that can be loaded.
    Image(Box<Image>),
    /// Assembly source: text in none of the image formats.
    Source(&'a str),
}

/// Reads a program file of any kind.
///
/// A file of exactly 16,384 bytes is the contents of the PROG chip, unless it is text with an
/// instruction or a directive. A larger chip also counts as PROG if one of its blocks holds a
/// program.
///
/// # Errors
/// If the file is an image with a mistake in it, or neither text nor an image.
pub fn load(bytes: &[u8]) -> Result<Contents<'_>, LoadError> {
    if bytes.len() > FILE_BYTES_MAX {
        let size = FILE_BYTES_MAX >> 20;
        let problem = format!("the file is larger than {size} MiB, too large for a program");
        return Err(LoadError::anywhere(problem));
    }
    if bytes.len() == ROM_BYTES && !is_source(bytes) {
        return bin::decode(bytes).map(image);
    }
    let text = match decode_text(bytes) {
        Ok(text) => text,
        Err(_) if bin::is_chip(bytes.len()) => return bin::decode(bytes).map(image),
        Err(LoadError { problem: why, position }) => {
            let [one, two, four] = [1, 2, 4].map(|chips| chips * ROM_BYTES);
            let problem = format!(
                "{why}; it is not an EPROM image either: those have {one}, {two}, {four}, … bytes, \
                 this file has {}",
                bytes.len()
            );
            return Err(LoadError { problem, position });
        }
    };
    let contents = if ron::is_ron(text) {
        return ron::decode(text).map(image);
    } else if ihex::is_ihex(text) {
        ihex::decode(text, ROM_BYTES)
            .or_else(|error| if_larger(ihex::read(text, CHIP_BYTES_MAX)).ok_or(error))
    } else if logisim::is_logisim(text) {
        logisim::decode(text)
    } else if readmemh::is_readmemh(text) {
        readmemh::decode(text, ROM_BYTES).or_else(|error| {
            let larger = readmemh::read(text, CHIP_BYTES_MAX);
            if_larger(larger.map(|(chip, _)| chip)).ok_or(error)
        })
    } else if let Some(error) = recognise_other(text) {
        return Err(error);
    } else {
        return Ok(Contents::Source(text));
    };
    bin::decode(&contents?).map(image)
}

/// Returns the contents if the chip is larger than PROG and the file gives every byte.
fn if_larger(chip: Result<Chip, LoadError>) -> Option<Vec<u8>> {
    chip.ok()?.if_complete().filter(|contents| contents.len() > ROM_BYTES)
}

/// Recognises formats of other tools. The error has the name of the format, and advice.
fn recognise_other(text: &str) -> Option<LoadError> {
    if text.starts_with("v3.0 ") {
        let advice = "this is Logisim-evolution's format v3.0: save the memory as `v2.0 raw`";
        return Some(LoadError::on_line(1, advice));
    }
    if let Some(error) = table::recognise(text) {
        return Some(error);
    }
    let digits = lines(text).find(|line| !line.is_empty())?.trim().strip_prefix('S')?;
    let held = digits.get(1..3).and_then(|length| hex::parse(length, 2))?;
    let is_srecord = digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && digits.len() >= 8
        && digits.len() as u64 == 3 + 2 * held;
    let advice = "these are Motorola S-records: convert them to Intel HEX";
    is_srecord.then(|| LoadError::on_line(1, advice))
}

/// Reads symbols from a symbol file.
///
/// # Errors
/// If it is not text, or a line is not a symbol.
pub fn load_symbols(bytes: &[u8]) -> Result<Vec<Symbol>, LoadError> {
    symbols::decode(decode_text(bytes)?)
}

fn image<'a>(image: Image) -> Contents<'a> {
    Contents::Image(Box::new(image))
}

/// Returns true if a file of the size of the PROG chip is really source text.
///
/// It must have no control characters, only short lines, and an instruction or a directive on one
/// of them. Chip contents can happen to be text, but are very unlikely to meet these conditions.
fn is_source(bytes: &[u8]) -> bool {
    let Ok(text) = decode_text(bytes) else { return false };
    !text.contains(|c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c'))
        && lines(text).all(|line| line.len() <= SOURCE_LINE_BYTES_MAX)
        && lines(text).any(has_statement)
}

/// Returns true if a line begins with an instruction or a directive, possibly after labels.
fn has_statement(line: &str) -> bool {
    let code = line.split(';').next().unwrap_or_default();
    code.split(':').filter_map(|part| part.split_whitespace().next()).any(|word| {
        word.eq_ignore_ascii_case("HALT")
            || Op::from_mnemonic(word).is_some()
            || word.starts_with('.') && word.len() > 1
    })
}

/// Decodes UTF-8 and drops a byte order mark at the start.
fn decode_text(bytes: &[u8]) -> Result<&str, LoadError> {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    if let Some(nul) = text.find('\0') {
        return Err(LoadError::at(Position::new(bytes, nul), "a NUL byte is not text"));
    }
    if text.len() < bytes.len() {
        let problem = "this byte is not UTF-8 (save the file as UTF-8)";
        return Err(LoadError::at(Position::new(bytes, text.len()), problem));
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Decodes a source file. It must be UTF-8 without NUL bytes. A byte order mark at its start is
/// dropped.
///
/// # Errors
/// If it is not text. The error gives the position of the first bad byte.
pub fn into_text(mut bytes: Vec<u8>) -> Result<String, LoadError> {
    let dropped = bytes.len() - decode_text(&bytes)?.len();
    bytes.drain(..dropped);
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

#[cfg(test)]
mod tests;

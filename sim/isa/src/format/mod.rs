//! Program images as files: the formats, how each is recognised, and what is wrong with a bad one.
//!
//! Everything here turns bytes into images and back; reading and writing files is the caller's.

mod bin;
mod hex;
pub mod ihex;
mod listing;
mod logisim;
pub mod readmemh;
mod ron;
mod symbols;

use std::borrow::Cow;
use std::fmt;

use crate::address::ROM_BYTES;
use crate::image::{Image, ImageError};
use crate::source_map::SourceMapError;

/// The largest file that can be a program, in bytes: far above what 8192 instructions need in any
/// format, far below what would strain a machine. Callers need not read more than one byte beyond.
pub const FILE_BYTES_MAX: usize = 16 << 20;

/// What an erased EPROM reads.
const ERASED: u8 = 0xff;

/// A way to write an image down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The 16,384 bytes of the PROG chip in EPROM address order.
    Bin,
    /// The same bytes as Intel HEX.
    Ihex,
    /// The same bytes for Verilog's `$readmemh`.
    Readmemh,
    /// The same bytes as Logisim's `v2.0 raw`.
    Logisim,
    /// Everything that is known of a program, in Rusty Object Notation.
    Ron,
    /// Index, word and source line of every instruction, for people.
    Listing,
    /// Name, kind, value and size of every symbol.
    Symbols,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Bin,
        Self::Ihex,
        Self::Readmemh,
        Self::Logisim,
        Self::Ron,
        Self::Listing,
        Self::Symbols,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bin => "bin",
            Self::Ihex => "ihex",
            Self::Readmemh => "readmemh",
            Self::Logisim => "logisim",
            Self::Ron => "ron",
            Self::Listing => "listing",
            Self::Symbols => "symbols",
        }
    }

    /// What a file name of this format ends in, without the dot.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Bin => "bin",
            Self::Ihex => "hex",
            Self::Readmemh => "mem",
            Self::Logisim => "lhex",
            Self::Ron => "ron",
            Self::Listing => "lst",
            Self::Symbols => "sym",
        }
    }

    /// The format of a file name's suffix.
    #[must_use]
    pub fn from_suffix(suffix: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.suffix().eq_ignore_ascii_case(suffix))
    }

    /// Writes an image down.
    #[must_use]
    pub fn encode(self, image: &Image) -> Vec<u8> {
        match self {
            Self::Bin => bin::encode(image),
            Self::Ihex => ihex::encode(&*image.to_eprom(), Some(ERASED)).into_bytes(),
            Self::Readmemh => readmemh::encode("PROG", &*image.to_eprom()).into_bytes(),
            Self::Logisim => logisim::encode(image).into_bytes(),
            Self::Ron => ron::encode(image).into_bytes(),
            Self::Listing => listing::encode(image).into_bytes(),
            Self::Symbols => symbols::encode(image).into_bytes(),
        }
    }
}

/// What a file is, judged by its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents<'a> {
    /// A program image.
    Image(Box<Image>),
    /// Text that is none of the image formats, and so assembly source.
    Source(&'a str),
}

/// Reads a program file of any kind.
///
/// # Errors
/// If the file is an image with a mistake in it, or neither text nor an image.
pub fn load(bytes: &[u8]) -> Result<Contents<'_>, LoadError> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(Problem::TooLarge.anywhere());
    }
    let text = match text(bytes) {
        Ok(text) => text,
        Err(why) if bytes.len() == ROM_BYTES => {
            debug_assert!(matches!(why.problem, Problem::InvalidUtf8 | Problem::Nul));
            return bin::decode(bytes).map(image);
        }
        Err(why) => {
            let problem =
                Problem::NeitherTextNorEprom { length: bytes.len(), why: Box::new(why.problem) };
            return Err(LoadError { problem, position: why.position });
        }
    };
    let contents = if ihex::is_ihex(text) {
        ihex::decode(text, ROM_BYTES)
    } else if logisim::is_logisim(text) {
        logisim::decode(text)
    } else if ron::is_ron(text) {
        return ron::decode(text).map(image);
    } else if readmemh::is_readmemh(text) {
        readmemh::decode(text, ROM_BYTES)
    } else {
        return Ok(Contents::Source(text));
    };
    bin::decode(&contents?).map(image)
}

fn image<'a>(image: Image) -> Contents<'a> {
    Contents::Image(Box::new(image))
}

/// The text of a source file: UTF-8 without NUL bytes; a byte order mark at its start is dropped.
///
/// # Errors
/// If it is not text, with the place of the first byte that is not.
pub fn text(bytes: &[u8]) -> Result<&str, LoadError> {
    let (valid, problem) = match std::str::from_utf8(bytes) {
        Ok(_) => (bytes.len(), None),
        Err(error) => (error.valid_up_to(), Some(Problem::InvalidUtf8)),
    };
    let nul = bytes[..valid].iter().position(|&byte| byte == 0);
    let bad = nul.map(|at| (at, Problem::Nul)).or(problem.map(|problem| (valid, problem)));
    if let Some((at, problem)) = bad {
        return Err(problem.at(Position::of(bytes, at)));
    }
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// A place in a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
}

impl Position {
    /// The position of the byte at `offset`.
    fn of(bytes: &[u8], offset: usize) -> Self {
        let before = &bytes[..offset];
        let line = before.split(|&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        Self { line, column: String::from_utf8_lossy(&before[start..]).chars().count() + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a file cannot be loaded, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct LoadError {
    /// What is wrong.
    pub problem: Problem,
    /// Where, if it is in one place.
    pub position: Option<Position>,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Longer than any program.
    #[error("the file is larger than {} MiB, which no program is", FILE_BYTES_MAX >> 20)]
    TooLarge,
    /// A byte that is no UTF-8.
    #[error("this byte is not valid UTF-8")]
    InvalidUtf8,
    /// A zero byte.
    #[error("a NUL byte is not text")]
    Nul,
    /// No text, and not of the length of the PROG chip.
    #[error("this is no program: an EPROM image has {ROM_BYTES} bytes, this file has {length}; \
        and source is text, but {}", not_text(.why))]
    NeitherTextNorEprom {
        /// The length of the file.
        length: usize,
        /// Why it is not text.
        why: Box<Problem>,
    },
    /// A character that has no business there.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What should stand there.
        expected: Cow<'static, str>,
        /// What stands there, printable.
        found: String,
    },
    /// An address that the chip does not have.
    #[error("address {address:#x} is beyond the chip, whose last is {last:#x}")]
    AddressBeyond {
        /// The address.
        address: u64,
        /// The chip's last one.
        last: usize,
    },
    /// Two bytes for one address.
    #[error("address {0:#x} is given twice")]
    AddressTwice(usize),
    /// An Intel HEX record whose length byte and length differ.
    #[error("the record says that it holds {said} data bytes, but holds {held}")]
    RecordLength {
        /// The length byte.
        said: u8,
        /// How many data bytes there are.
        held: usize,
    },
    /// An Intel HEX record whose sum is not zero.
    #[error("the checksum is {found:02x}, but the record adds up to {expected:02x}")]
    Checksum {
        /// What it should be.
        expected: u8,
        /// What it is.
        found: u8,
    },
    /// An Intel HEX record of a type that a chip of 16 KiB does not need.
    #[error("record type {0:02x} is not known here (expected 00, 01, 02, 03, 04 or 05)")]
    RecordType(u8),
    /// Intel HEX that just stops.
    #[error("there is no end-of-file record (:00000001FF)")]
    NoEndRecord,
    /// Something after the end of the data.
    #[error("the data ends before this")]
    AfterEnd,
    /// RON that is not of the expected form.
    #[error("{0}")]
    Ron(String),
    /// A RON file that is not a program.
    #[error("this is a {found}; expected an Image")]
    OtherDocument {
        /// What it calls itself.
        found: String,
    },
    /// A file of a later or an unknown version.
    #[error("version {found} of Image is not known here (expected version {expected})")]
    Version {
        /// What the file says.
        found: u64,
        /// What can be read.
        expected: u64,
    },
    /// Parts that make no image.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// A source map that contradicts itself.
    #[error(transparent)]
    SourceMap(#[from] SourceMapError),
}

fn not_text(why: &Problem) -> &'static str {
    match why {
        Problem::Nul => "there is a NUL byte here",
        _ => "this byte is not valid UTF-8",
    }
}

impl Problem {
    fn at(self, position: Position) -> LoadError {
        LoadError { problem: self, position: Some(position) }
    }

    fn on_line(self, line: usize) -> LoadError {
        self.at(Position { line, column: 1 })
    }

    fn anywhere(self) -> LoadError {
        LoadError { problem: self, position: None }
    }

    /// "Expected this, found that", with what was found shortened and made printable.
    fn unexpected(expected: impl Into<Cow<'static, str>>, found: &str) -> Self {
        let shown: String = found.chars().take(20).flat_map(char::escape_debug).collect();
        let found = if found.is_empty() { "nothing".to_owned() } else { format!("'{shown}'") };
        Self::Unexpected { expected: expected.into(), found }
    }
}

#[cfg(test)]
mod tests;

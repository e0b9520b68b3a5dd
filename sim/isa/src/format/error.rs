//! Mistakes in program files, and their places.

use std::borrow::Cow;
use std::fmt;

use crate::address::ROM_BYTES;
use crate::image::ImageError;
use crate::source_map::SourceMapError;
use crate::source_text::line_starts;

/// The largest file that can be a program, in bytes: far above what 8192 instructions need in any
/// format, far below what would strain a machine. Callers need not read more than one byte beyond.
pub const FILE_BYTES_MAX: usize = 16 << 20;

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
    #[must_use]
    pub fn of(bytes: &[u8], offset: usize) -> Self {
        let before = &bytes[..offset];
        let starts = || line_starts(bytes).take_while(|start| *start <= offset);
        let (line, start) = (starts().count() + 1, starts().last().unwrap_or(0));
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
    /// The mistake.
    pub problem: Problem,
    /// Its place, if it is in one.
    pub position: Option<Position>,
}

/// The kinds of mistakes in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Longer than any program.
    #[error("the file is larger than {} MiB, which no program is", FILE_BYTES_MAX >> 20)]
    TooLarge,
    /// A byte that is not UTF-8.
    #[error("this byte is not UTF-8 (save the file as UTF-8)")]
    InvalidUtf8,
    /// A zero byte.
    #[error("a NUL byte is not text")]
    Nul,
    /// No text, and not of the length of the PROG chip.
    #[error(
        "{why}; it is no EPROM image either: those have {}, {}, {}, … bytes, this file has {length}",
        ROM_BYTES,
        2 * ROM_BYTES,
        4 * ROM_BYTES
    )]
    NeitherTextNorEprom {
        /// The length of the file.
        length: usize,
        /// Why it is not text.
        why: Box<Problem>,
    },
    /// A larger chip of which several blocks hold something.
    #[error(
        "several blocks of {ROM_BYTES} bytes hold something, at {0}: cut out the one with the program"
    )]
    SeveralBlocks(String),
    /// A file for another tool, with what to do about it.
    #[error("{0}")]
    Foreign(&'static str),
    /// Something unexpected.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// The text that should stand there.
        expected: Cow<'static, str>,
        /// The text that stands there, printable.
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
    /// A file that ends before the chip is full.
    #[error("the data ends after {given} bytes; the chip has {size}")]
    TooShort {
        /// The number of bytes.
        given: usize,
        /// The right number.
        size: usize,
    },
    /// Two words for one index, or two origins.
    #[error("index {0:#06x} is given twice")]
    IndexTwice(usize),
    /// An Intel HEX record whose length byte and length differ.
    #[error("the record says that it holds {said} data bytes, but holds {held}")]
    RecordLength {
        /// The length byte.
        said: u8,
        /// The number of data bytes.
        held: usize,
    },
    /// An Intel HEX record whose sum is not zero.
    #[error("the checksum is {found:02x}, but the record adds up to {expected:02x}")]
    Checksum {
        /// The sum of the record.
        expected: u8,
        /// The one in the file.
        found: u8,
    },
    /// An Intel HEX record of a type that a chip of 16 KiB does not need.
    #[error("record type {0:02x} is not supported (expected 00, 01, 02, 03, 04 or 05)")]
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
    #[error("this describes a board ({found}); expected a program (Image)")]
    OtherDocument {
        /// Its own name for itself.
        found: String,
    },
    /// A file of a later or an unknown version.
    #[error("version {found} of Image is not supported (expected version {expected})")]
    Version {
        /// The one in the file.
        found: u64,
        /// The one that can be read.
        expected: u64,
    },
    /// Parts that make no image.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// A source map that contradicts itself.
    #[error(transparent)]
    SourceMap(#[from] SourceMapError),
}

impl Problem {
    pub(super) fn at(self, position: Position) -> LoadError {
        LoadError { problem: self, position: Some(position) }
    }

    pub(super) fn on_line(self, line: usize) -> LoadError {
        self.at(Position { line, column: 1 })
    }

    pub(super) fn anywhere(self) -> LoadError {
        LoadError { problem: self, position: None }
    }

    /// "Expected this, found that", with what was found shortened and made printable.
    pub(super) fn unexpected(expected: impl Into<Cow<'static, str>>, found: &str) -> Self {
        let shown: String = found.chars().take(20).flat_map(char::escape_debug).collect();
        let found = if found.is_empty() { "nothing".to_owned() } else { format!("'{shown}'") };
        Self::Unexpected { expected: expected.into(), found }
    }
}

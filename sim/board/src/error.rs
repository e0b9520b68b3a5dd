//! The errors of a board's description, which name chip and pin.

use std::fmt;

use gray1_isa::format::Position;

use super::document::VERSION;
use super::part::ACCESS_NS_MAX;

/// A pin of a chip, by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pin {
    /// An address pin; A0 is the lowest.
    Address(u8),
    /// A data pin; D0 is the lowest.
    Data(u8),
    /// The chip drives its data pins while this one is low.
    OutputEnableLow,
    /// The chip takes what its data pins carry while this one is low.
    WriteEnableLow,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(n) => write!(f, "A{n}"),
            Self::Data(n) => write!(f, "D{n}"),
            Self::OutputEnableLow => f.write_str("nOE"),
            Self::WriteEnableLow => f.write_str("nWE"),
        }
    }
}

/// Why a text does not describe a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Far longer than any board.
    #[error("a description of {length} bytes is longer than any board's (at most {max})")]
    TooLong {
        /// Its length in bytes.
        length: usize,
        /// What is accepted.
        max: usize,
    },
    /// No RON, or RON of another shape.
    #[error("{message}")]
    Syntax {
        /// Where.
        position: Position,
        /// The expected text.
        message: String,
    },
    /// RON, but of another kind.
    #[error("this describes {found}; expected a board (Board)")]
    OtherDocument {
        /// What it calls itself.
        found: String,
    },
    /// A later or unknown version of the format.
    #[error("unknown Board version {found} (expected version {VERSION})")]
    Version {
        /// What the text says.
        found: u64,
    },
    /// More chips or wires than the engines' tables are made for.
    #[error("the board has {found} {what}; at most {max} are supported")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The number found.
        found: usize,
        /// The most that are allowed.
        max: usize,
    },
    /// A name with other characters than letters, digits and `_`.
    #[error("invalid name '{}' (expected letters, digits and '_', a letter first)",
        .0.escape_debug())]
    BadName(String),
    /// One name for two things.
    #[error("the name '{0}' is used twice")]
    DuplicateName(String),
    /// A text that does not name wires.
    #[error("{place}: invalid wire '{}' (expected NAME, NAME.3 or NAME.0-7; \
        an address pin may also be tied to 0 or 1)",
        .text.escape_debug())]
    BadWire {
        /// The chip and the pin, or the group.
        place: String,
        /// What stands there.
        text: String,
    },
    /// A wire that nothing drives and that is not the oscillator or reset.
    #[error("{place}: there is no wire '{}'", .net.escape_debug())]
    UnknownNet {
        /// The chip and the pin, or the group.
        place: String,
        /// The name.
        net: String,
    },
    /// A part that is not in the table.
    #[error("{chip}: the part '{}' is not known (expected {known})", .part.escape_debug())]
    UnknownPart {
        /// The chip.
        chip: String,
        /// What it is said to be.
        part: String,
        /// The names of the parts that are known.
        known: String,
    },
    /// A part for a chip that the board does not have.
    #[error("the board has no chip called '{}'", .0.escape_debug())]
    UnknownChip(String),
    /// An access time of zero, or one that no memory has.
    #[error("{chip}: an access time of {found} ns (expected 1 to {ACCESS_NS_MAX} ns)")]
    AccessTime {
        /// The chip.
        chip: String,
        /// The time, in ns.
        found: u32,
    },
    /// More wires than pins.
    #[error("{chip}: the part {part} has {has} {pins} pins, {listed} wires are listed")]
    TooWide {
        /// The chip.
        chip: String,
        /// Its part.
        part: String,
        /// Address or data.
        pins: &'static str,
        /// The number that the part has.
        has: usize,
        /// The number that the board lists.
        listed: usize,
    },
    /// An input that is wired to nothing.
    #[error("{chip}: pin {pin} of the {part} floats; connect it to a wire, \"0\" or \"1\"")]
    Floating {
        /// The chip.
        chip: String,
        /// Its part.
        part: String,
        /// The pin.
        pin: Pin,
    },
    /// An input on a wire that nothing drives at times.
    #[error("{chip}: pin {pin} floats: while {select} is {}, nothing drives {net}",
        if *.level { "high" } else { "low" })]
    FloatsAtTimes {
        /// The chip with the input.
        chip: String,
        /// The input.
        pin: Pin,
        /// The wire it is wired to.
        net: String,
        /// The wire that switches the only driver.
        select: String,
        /// The level of `select` at which there is no driver.
        level: bool,
    },
    /// Two outputs on one wire that can be on at the same time.
    #[error(
        "{net}: {first} and {second} can both drive this wire (two chips may share a wire \
        only if one drives it while a third wire is low and the other while it is high)"
    )]
    DriversMeet {
        /// The wire.
        net: String,
        /// The one output.
        first: String,
        /// The other one.
        second: String,
    },
    /// A filter where none can be.
    #[error("the filter of {net}: {reason}")]
    Filter {
        /// The wire.
        net: String,
        /// What is expected.
        reason: &'static str,
    },
    /// A pin that the part or the role does not have.
    #[error("{chip}: {reason}")]
    Pins {
        /// The chip.
        chip: String,
        /// The mismatch.
        reason: String,
    },
    /// A role that does not fit the wires.
    #[error("{chip}: {field} of what it does: {reason}")]
    Role {
        /// The chip.
        chip: String,
        /// The part of the role.
        field: &'static str,
        /// The mismatch.
        reason: String,
    },
    /// Not exactly one program or one data memory.
    #[error("a board has exactly one chip that is the {what}, this one has {found}")]
    Count {
        /// Program or data memory.
        what: &'static str,
        /// The number found.
        found: usize,
    },
    /// A probe or a panel with the wrong number of wires.
    #[error("{of}: {found} wires are listed, expected {expected}")]
    Width {
        /// Which wires.
        of: &'static str,
        /// How many there have to be.
        expected: usize,
        /// The number listed.
        found: usize,
    },
    /// A contents file that cannot be had.
    #[error("{chip}: the contents '{}': {why}", .file.escape_debug())]
    ContentsMissing {
        /// The chip.
        chip: String,
        /// The file, as the board names it.
        file: String,
        /// The caller's reason.
        why: String,
    },
    /// Contents of another size than the chip's.
    #[error("{chip}: the contents have {found} bytes, the part {part} has {expected}{}",
        if *.reached == *.expected { String::new() }
        else { format!(" ({reached} where its tied pins leave it)") })]
    ContentsSize {
        /// The chip.
        chip: String,
        /// Its part.
        part: String,
        /// The chip's size in bytes.
        expected: usize,
        /// The number of bytes that its tied address pins leave.
        reached: usize,
        /// The contents' size in bytes.
        found: usize,
    },
    /// A chip that no rule fills, and no file.
    #[error("{chip}: a table comes from a file, but no contents are named")]
    NoContents {
        /// The chip.
        chip: String,
    },
    /// Contents for a RAM.
    #[error("{chip}: a RAM cannot be burned")]
    RamContents {
        /// The chip.
        chip: String,
    },
}

impl BoardError {
    /// Where in the text, if it is in one known place.
    #[must_use]
    pub const fn position(&self) -> Option<Position> {
        match self {
            Self::Syntax { position, .. } => Some(*position),
            _ => None,
        }
    }
}

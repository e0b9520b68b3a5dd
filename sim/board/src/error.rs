//! Errors in the description of a board. They name chip and pin.

use std::fmt;

use gray1_isa::format::Position;

/// An input pin of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pin {
    /// An address pin, 0 for A0.
    Address(u8),
    /// An output enable, active low.
    OutputEnableLow,
    /// A write enable, active low.
    WriteEnableLow,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(n) => write!(f, "A{n}"),
            Self::OutputEnableLow => f.write_str("nOE"),
            Self::WriteEnableLow => f.write_str("nWE"),
        }
    }
}

/// The reason that a description is not a valid board. The message names chip and pin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BoardError {
    /// The position in the description, if the error has one.
    pub position: Option<Position>,
    message: String,
}

impl BoardError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { position: None, message: message.into() }
    }

    /// Creates an error at a chip, a pin, a group or another place.
    pub fn at(place: &str, wrong: impl fmt::Display) -> Self {
        Self::new(format!("{place}: {wrong}"))
    }

    pub(super) fn syntax(position: Position, message: String) -> Self {
        Self { position: Some(position), message }
    }

    /// Creates the error for two things with the same name.
    pub(super) fn duplicate_name(name: &str) -> Self {
        Self::new(format!("the name '{name}' is used twice"))
    }

    /// Creates the error for a part that is not in the catalogue.
    pub(super) fn unknown_part<'a>(
        chip: &str,
        part: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let (part, known) = (part.escape_debug(), known.collect::<Vec<_>>().join(", "));
        Self::at(chip, format!("the part '{part}' is not known (expected {known})"))
    }

    /// Creates the error for an input that is not connected.
    pub(super) fn floating(chip: &str, part: &str, pin: Pin) -> Self {
        let wrong = format!("pin {pin} of the {part} floats; connect it to a wire, \"0\" or \"1\"");
        Self::at(chip, wrong)
    }

    /// Creates the error for two outputs on one wire that can be on at the same time.
    pub fn drivers_meet(net: &str, first: &str, second: &str) -> Self {
        let wrong = format!(
            "{first} and {second} can both drive this wire (two chips may share a wire \
             only if one drives it while a third wire is low and the other while it is high)"
        );
        Self::at(net, wrong)
    }
}

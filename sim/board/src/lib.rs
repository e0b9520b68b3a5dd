//! Board descriptions: the chips, their wires and their contents, read and checked.
//!
//! [`Board::load`] reads a [`Board`] from RON. A loaded board is electrically valid: every input is
//! always driven, two outputs never drive one wire at the same time, and the contents of each chip
//! have the right size. [`burn`] computes the contents and is the only module that knows what an
//! instruction means. [`schematic`] has the positions of the chips in drawings.
//!
//! Start reading at [`Board`]. This crate does not simulate (`gray1-circuit` does) and does no
//! input or output.

#![warn(missing_docs)]

mod around;
mod board;
pub mod burn;
pub mod buses;
mod chip;
mod document;
pub mod drawing;
mod error;
mod load;
mod names;
mod net;
pub mod part;
mod parts;
pub mod phase;
mod pins;
pub mod registers;
pub mod role;
mod roles;
pub mod schematic;
mod sentences;
mod sources;
pub mod table;
mod text;
mod wired_part;

#[cfg(test)]
mod boards_for_tests;

pub use board::{Board, CHIPS_MAX, Panel, Probes, number};
pub use chip::{Chip, FixedPins};
pub use error::{BoardError, Pin};
pub use load::PartChoice;
pub use net::{ChipId, DataPin, Driver, Filter, Net, NetId, Output, Source};
pub use part::{ACCESS_NS_MAX, ElectricalLevels, Logic, Part, PartKind};
pub use parts::Parts;
pub use phase::{Phase, PhaseSentence};
pub use pins::{PanelPin, PartPin, PinUse, WiredPin};
pub use role::{Code, Role};
pub use sources::FactSources;
pub use text::DESCRIPTION_BYTES_MAX;
pub use wired_part::{AroundPart, FlipFlop, WiredPart, WiredRole};

#[cfg(test)]
mod tests;

//! The board: chips, wires and contents, checked.
//!
//! A [`Board`] is read from a description in RON ([`Board::load`]) and is right by construction:
//! every input is driven at every moment, no two outputs meet, every chip holds contents of its
//! size. It is data only: crate `gray1-circuit` puts it under power. [`burn`] fills its chips, and
//! is the one place where a board learns what an instruction means. [`schematic`] says where its
//! chips lie in pictures.
//!
//! Start reading at [`Board`]. This crate runs nothing, and does no input or output.

#![warn(missing_docs)]

mod around;
pub mod burn;
pub mod buses;
mod checked;
mod document;
pub mod drawing;
mod error;
mod filter;
mod load;
mod margins;
mod names;
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
mod support_parts;
pub mod table;
mod text;
mod wired_part;

#[cfg(test)]
mod boards_for_tests;

pub use checked::{
    Board, CHIPS_MAX, Chip, ChipId, DataPin, Driver, Net, NetId, Output, Panel, Probes, Source,
    number,
};
pub use error::{BoardError, Pin};
pub use filter::Filter;
pub use margins::{Margin, margins};
pub use part::{ACCESS_NS_MAX, Levels, Logic, Part, PartKind};
pub use parts::Parts;
pub use phase::Phase;
pub use pins::{PanelPin, PartPin, PinUse, WiredPin};
pub use role::{Code, Role};
pub use sentences::PhaseSentence;
pub use sources::Sources;
pub use support_parts::{Connection, Sheet, SupportPart};
pub use text::DESCRIPTION_BYTES_MAX;
pub use wired_part::{FlipFlop, WiredPart, WiredRole};

#[cfg(test)]
mod tests;

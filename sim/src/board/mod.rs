//! The board: chips, wires and contents, checked.
//!
//! A [`Board`] is read from a description in RON ([`Board::load`]) and is right by construction:
//! every input is driven at every moment, no two outputs meet, every chip holds contents of its
//! size. It is data only; the engines bring it to life, and run any board.

mod around;
pub(crate) mod buses;
pub(crate) mod checked;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod load;
mod names;
pub mod part;
pub(crate) mod parts;
mod pins;
pub(crate) mod registers;
pub mod role;
mod roles;
mod sources;
mod text;
mod wired;
mod wired_part;

pub use checked::{
    Board, CHIPS_MAX, Chip, ChipId, DataPin, Driver, Net, NetId, Output, Panel, Probes, Source,
    number,
};
pub use error::{BoardError, Pin, Position};
pub use part::{ACCESS_NS_MAX, Levels, Logic, Part, PartKind};
pub use parts::Parts;
pub use pins::{PanelPin, PartPin, PinUse, WiredPin};
pub use role::{Code, Role};
pub use sources::Sources;
pub use text::DESCRIPTION_BYTES_MAX;
pub use wired::{End, Sheet, Wired};
pub use wired_part::{FlipFlop, WiredPart, WiredRole};

#[cfg(test)]
mod tests;

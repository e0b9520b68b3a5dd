//! Code that all front ends of the Gray-1 share: built-in programs, libraries, lessons, links to
//! moments, and tests of programs. This crate does not do input or output.

use gray1_sim::StockBoards;

mod as_string;
mod classroom;
mod files;
mod link;
mod profile;
mod sources;
mod text_style;

pub use classroom::{lessons, testing};
pub use files::{
    BuiltIn, BuiltInFile, FILES, GROUPS, LESSONS, built_in_path, file, group, identity, libraries,
    programs, source,
};
pub use link::{
    FittedMessage, Link, LinkError, LinkInput, LinkedBoard, OpenError, decode_contents,
    fit_message, format_board_error,
};
pub use profile::profile_json;
pub use sources::{Sources, resolve_path};
pub use text_style::TextStyle;

/// The built-in boards, for the choice of a machine.
pub const STOCK: StockBoards = StockBoards {
    name: gray1_roms::DEFAULT,
    load: gray1_roms::stock,
    reference: gray1_roms::nearest,
};

//! The panes: each shows one aspect of the machine.
//!
//! A pane is a file here, which holds its state, its key table and its drawing, and a line in
//! [`all`].

pub(crate) mod board;
pub(crate) mod breaks;
pub(crate) mod display;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod output;
mod pane;
pub(crate) mod source;
pub(crate) mod timeline;
pub(crate) mod waves;

use crate::session::Snapshot;
pub(crate) use pane::{Context, Cursor, Kind, Pane, Station};

/// All panes in the order of `tab` and of the keys from `1` on. Each starts with this program.
#[must_use]
pub(crate) fn all(snapshot: &Snapshot) -> Vec<Box<dyn Pane>> {
    vec![
        Box::new(display::Display),
        Box::new(source::Source::new(snapshot)),
        Box::new(machine::Machine),
        Box::new(memory::Memory::default()),
        Box::new(board::Board::default()),
        Box::new(output::Output),
        Box::new(timeline::Timeline),
        Box::new(breaks::Breaks::default()),
        Box::new(waves::Waves::default()),
    ]
}

//! The panes: each shows one aspect of the machine.
//!
//! A pane is a file here, with its state, its key table and its drawing, and an entry in [`all`].

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

use gray1_session::Snapshot;
pub(crate) use pane::{Context, Cursor, Pane, PaneSpec, Placement};

/// All panes in the order of `tab` and of the keys from `1` on, set up for this snapshot.
pub(crate) fn all(snapshot: &Snapshot) -> Vec<Box<dyn Pane>> {
    vec![
        Box::new(display::DisplayPane),
        Box::new(source::SourcePane::new(snapshot)),
        Box::new(machine::MachinePane),
        Box::new(memory::MemoryPane::default()),
        Box::new(board::BoardPane::default()),
        Box::new(output::OutputPane),
        Box::new(timeline::TimelinePane),
        Box::new(breaks::BreaksPane::default()),
        Box::new(waves::WavesPane::default()),
    ]
}

//! The Gray-1 as WebAssembly for a page in a browser: a session, and the panes that show it.
//!
//! The page sends a request as JSON and gets an answer as JSON ([`Page::ask`]). Only time and the
//! cells of the panes have separate functions (`exports.rs`), because they are passed sixty times a
//! second.

mod answer;
mod board;
mod cells;
mod comparison;
mod editor;
mod exports;
mod jobs;
mod learning;
mod lines;
mod link;
mod machine;
mod page;
mod panes;
mod sources;
mod state;
mod test_machines;

pub use page::Page;

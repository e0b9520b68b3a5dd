//! The Gray-1 for a page in a browser: a session and the panes that show it, behind functions with
//! plain data.
//!
//! The page asks with a JSON text and gets a JSON text back ([`Page::ask`]). Only time and the
//! cells of the panes, which come and go sixty times a second, have functions of their own
//! (`exports.rs`).

mod ahead;
mod answer;
mod board;
mod cells;
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

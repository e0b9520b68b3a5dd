//! Captures of a real machine: a logic analyser's record of some wires, which is compared with the
//! board.
//!
//! Each chip is a table, so a capture is checked chip by chip, without a second machine to compare
//! it with. Once the captured address wires of a chip have been stable for its access time, its
//! data wires must carry the contents of that address. If some address wires are not captured, the
//! contents of any possible address are accepted. A [`Checker`] does this, and its [`Report`] names
//! the faulty chip or wires.
//!
//! `format` reads the files of analysers, and `channels` finds the board's wires in them.

mod capture_evidence;
mod channels;
mod checker;
mod clock;
mod diagnosis;
mod evidence;
mod explanation;
pub mod format;
mod hypothesis;
mod memory;
mod model;
mod report;
mod run;
mod sentences;
mod suspicion;
mod transition;
mod values;
mod watched;

pub use capture_evidence::CaptureConditions;
pub use channels::{ChannelName, match_wires};
pub use checker::Checker;
pub use report::{ChipCoverage, Finding, Report, Statement, Verdict};
pub use run::{CapturedRun, CapturedStep, Difference};

//! Captures of a real machine: a logic analyser's record of some wires, held against the board.
//!
//! Each chip is a table. So a capture is judged chip by chip, without a second machine to compare
//! it with: once the captured address wires of a chip have been still for its access time, its data
//! wires must carry the contents of that address, or of one of those that the wires which were not
//! captured leave open. A [`Checker`] does that; its [`Report`] names the chip or the wires.
//!
//! `format` reads the files of analysers, `channels` finds the board's wires in them.

mod case;
mod channels;
mod checker;
mod clock;
mod diagnosis;
mod evidence;
pub mod format;
mod journey;
mod memory;
mod nets;
mod report;
mod suspicion;
mod values;
mod watched;
mod words;

pub use case::Circumstances;
pub use channels::{ChannelError, wires};
pub use checker::Checker;
pub use report::{Coverage, Finding, Report, Verdict};

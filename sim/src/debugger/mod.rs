//! A debugger that goes forwards and backwards. It knows no screen and, behind
//! [`Engine`](crate::Engine), no engine.
//!
//! - [`History`] is a machine with its past: any moment can be returned to.
//! - [`Condition`] is what a run can stop at: an instruction, a byte read or written, an LED, a
//!   printed byte, a line that moves, an [`Expression`] that turns true. Several of them make a
//!   [`WatchSet`].
//! - [`History::run`] runs to the next hit, a [`Search`] finds the last one.
//! - [`Counting`] is how often each instruction was executed, [`Tally`] how often conditions came
//!   true.
//! - [`Waves`] is what the lines of a board do over the last and the next edges of the oscillator;
//!   a [`Signal`] is lines by their name.
//! - [`Breaks`] is the user's list of conditions to stop at, kept as text so that it can be bound
//!   to another version of the program.

mod backward_search;
mod breaks;
mod checkpoints;
mod condition;
mod counting;
mod expression;
mod history;
mod inputs;
mod lines;
mod parse;
mod printed;
mod replay;
mod scope;
mod signal;
mod tally;
mod units;
mod watch_set;
mod waves;

pub use backward_search::{Found, Search};
pub use breaks::{Break, Breaks, TooMany, reason};
pub use condition::{Access, Condition, Event};
pub use counting::Counting;
pub use expression::{Expression, View};
pub use history::{History, Progress};
pub use inputs::Input;
pub use lines::LineEvent;
pub use parse::{ParseError, Problem};
pub use scope::{Lines, Scope};
pub use signal::Signal;
pub use tally::Tally;
pub use watch_set::{CONDITIONS_MAX, Hit, Matches, WatchSet};
pub use waves::{WaveEdge, Waves};

#[cfg(test)]
mod tests;

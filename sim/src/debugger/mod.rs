//! A debugger that goes both ways, and knows no screen.
//!
//! - [`History`] is a machine with its past: any moment can be gone back to.
//! - [`Condition`] is what one can wait for: an instruction, a byte read or written, an LED, a
//!   printed byte, an [`Expression`] that turns true. Several together make a [`Lookout`].
//! - [`History::run`] goes on to the next hit, a [`Search`] back to the last one.
//! - [`Breaks`] is the list of what a person wants to stop at, kept as text, so that it can be
//!   bound to another version of the program.
//!
//! What drives the machine is behind [`Replay`]: [`crate::Machine`], or a board with all its
//! [`Chips`].

mod breaks;
mod chips;
mod condition;
mod expression;
mod history;
mod inputs;
mod lookout;
mod parse;
mod printed;
mod replay;
mod search;
mod snapshots;
mod walk;

pub use breaks::{Break, Breaks, TooMany, reason};
pub use chips::{Chips, SavedChips};
pub use condition::{Access, Condition, Event};
pub use expression::{Expression, View};
pub use history::{History, Progress};
pub use inputs::Input;
pub use lookout::{CONDITIONS_MAX, Done, Hit, Lookout, Which};
pub use parse::{ParseError, Problem};
pub use replay::Replay;
pub use search::{Found, Search};

#[cfg(test)]
mod tests;

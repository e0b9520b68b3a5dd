//! A debugger that goes forward and backward, on any [`Engine`](gray1_sim::Engine) and for any
//! front end.
//!
//! - [`Debugger`] is the controller: a machine with its past and its breakpoints, and its way from
//!   one stop to the next, forward and backward, to a [`Goal`]. Front ends drive it.
//! - [`History`] is a machine with its past: any moment can be returned to.
//! - [`Run`] is a machine without a past, which goes in one of five ways, as a [`Stretch`] says.
//! - [`Condition`] is what a run can stop at: an instruction, a byte read or written, an LED, a
//!   printed byte, a wire that moves, an [`Expression`] that turns true. Several of them make a
//!   [`WatchSet`]. [`History::run`] runs to the next hit, a [`Search`] finds the last one.
//! - [`Breakpoints`] are the user's requests for conditions to stop at or to log, kept so that they
//!   can be bound to another version of the program; [`Hits`] are their counts.
//! - [`SourceLines`] are the lines of the program's sources, by which steps go.
//! - [`Value`] and [`Changeable`] are what people read, and what they change.
//! - [`Debugger::ask`] is why a value is what it is: a [`why::Question`], and the
//!   [`why::Story`] that answers it.
//! - [`Debugger::press`] and [`Debugger::release`] are the panel's buttons, as fingers use them.
//! - [`ExecutionCounter`] is how often each instruction was executed.
//! - [`Levels`] are the levels of a board's wires at the present, [`Waves`] those over the last and
//!   the next edges of the oscillator; a [`Signal`] is wires by their name. An engine without wires
//!   has a replica of its board beside it.

#![warn(missing_docs)]

mod backward_search;
mod breakpoints;
mod checkpoints;
mod condition;
mod control_flow;
mod controller;
mod execution_counts;
mod expression;
mod goal;
mod history;
mod hit_condition;
mod hits;
mod inputs;
mod levels;
mod line_change;
mod log_message;
mod motion;
mod parse;
mod parse_error;
mod presses;
mod printed;
mod reason;
mod recorder;
mod replay;
mod replica;
mod run;
mod running;
mod scope;
mod seek;
mod signal;
mod source_lines;
mod steps;
mod trail;
pub mod values;
mod watch_set;
mod waves;
pub mod why;
mod wires;

pub use backward_search::{Search, SearchResult};
pub use breakpoints::{
    BindingContext, BoundBreakpoint, Breakpoint, BreakpointRequest, BreakpointTarget, Breakpoints,
};
pub use condition::{Access, Condition, Event};
pub use controller::Debugger;
pub use execution_counts::ExecutionCounter;
pub use expression::{Expression, MachineView};
pub use goal::{Goal, GoalError};
pub use history::{History, RunResult};
pub use hit_condition::HitCondition;
pub use hits::Hits;
pub use inputs::Input;
pub use levels::Levels;
pub use line_change::LineChange;
pub use log_message::{LogMessage, LogMessageError};
pub use motion::{Activity, Stop};
pub use parse::parse_byte;
pub use parse_error::{ParseError, ParseProblem};
pub use reason::StopReason;
pub use recorder::{RecentSteps, RecordedStep, WaveEdge};
pub use replay::{Replay, Stretch};
pub use replica::BoardLoader;
pub use run::Run;
pub use scope::{Scope, Wires};
pub use signal::Signal;
pub use source_lines::{InstructionLine, SourceLines};
pub use values::{ChangeError, Changeable, Value};
pub use watch_set::{CONDITIONS_MAX, Hit, Matches, WatchSet};
pub use waves::Waves;
pub use wires::WireEvent;

#[cfg(test)]
mod tests;

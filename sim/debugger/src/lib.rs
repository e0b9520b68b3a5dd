//! A debugger that runs forward and backward, on any [`Engine`](gray1_sim::Engine) and for any
//! front end.
//!
//! - [`Debugger`] is the controller. It has a machine with its history and breakpoints, and runs it
//!   forward or backward to a [`Goal`]. Front ends use it.
//! - [`History`] is a machine that can return to any earlier moment.
//! - [`Run`] is a machine that only runs forward. A [`Watch`] says what its caller wants to see.
//! - [`Condition`] is an event to stop at: an instruction, a byte that is read or written, an LED,
//!   a printed byte, a wire that changes, or an [`Expression`] that becomes true. A [`WatchSet`]
//!   contains several conditions. [`History::run`] runs to the next hit of such a set, and a
//!   [`Search`] finds the last hit before the present.
//! - [`Breakpoints`] are the user's requests to stop or to log. They can be bound again to a
//!   changed program. [`Hits`] are their hit counts.
//! - [`SourceLines`] are the source lines of the program, which steps use.
//! - [`Value`] formats a value for people, and [`Changeable`] is a register or byte that they can
//!   change.
//! - [`Debugger::ask`] finds the causes of a value. It takes a [`why::Question`], and a
//!   [`why::Explanation`] is the answer.
//! - [`Debugger::press`] and [`Debugger::release`] operate the buttons of the panel.
//! - [`ExecutionCounter`] counts how often each instruction was executed.
//! - [`power_up::PowerUpProof`] proves what a run does for all contents of memory at power-up.
//! - [`Levels`] are the present levels of a board's wires, and [`Waves`] are their levels over some
//!   edges before and after the present. A [`Signal`] is a named group of wires. For an engine
//!   without wires, the levels come from a replica: a board that is set to the engine's state.

#![warn(missing_docs)]

mod backward_search;
mod breakpoints;
mod checkpoints;
mod condition;
mod control_flow;
mod controller;
mod execution_counts;
mod expression;
mod first_writes;
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
mod parser;
mod position;
pub mod power_up;
mod presses;
mod printed;
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
mod stop_reason;
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
pub use first_writes::FirstWrites;
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
pub use position::Position;
pub use recorder::{RecentSteps, RecordedStep, WaveEdge};
pub use replay::{Happened, Watch};
pub use replica::BoardLoader;
pub use run::Run;
pub use scope::{Scope, Wires};
pub use signal::Signal;
pub use source_lines::{InstructionLine, SourceLines};
pub use stop_reason::StopReason;
pub use values::{ChangeError, Changeable, Value};
pub use watch_set::{CONDITIONS_MAX, Hit, Matches, NO_CONDITIONS, WatchSet};
pub use waves::Waves;
pub use wires::WireEvent;

#[cfg(test)]
mod tests;

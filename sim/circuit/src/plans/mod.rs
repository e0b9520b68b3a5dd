//! Moving a board by plans: which nodes are looked up on an edge of the oscillator, in which order.
//!
//! `sequencer` says which strobes an edge moves, `sensitivity` what each node then sees, `planner`
//! makes the plan, and `compiled` executes it.

pub mod compiled;
pub mod planner;
pub mod sensitivity;
pub mod sequencer;

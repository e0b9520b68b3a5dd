//! Steps a board by plans. A plan lists the lookups for an edge of the oscillator, in order.
//!
//! `sequencer` computes the strobes that an edge changes. `sensitivity` finds the inputs that each
//! node then depends on. `planner` makes the plan, and `compiled` executes it.

pub mod compiled;
pub mod planner;
pub mod sensitivity;
pub mod sequencer;

//! Simulation of boards. A circuit does not know instructions. It sees address pins, data pins and
//! wires.
//!
//! [`Settled`] steps from one settled state to the next. In [`Timed`], every wire changes at its
//! own time. A settled circuit has three methods of stepping that give the same results. The first
//! one defines the result, and the others are faster:
//!
//! | module | how it steps | when it is used |
//! |---|---|---|
//! | `definition` | tries all orders in which chips can respond | on edges without a plan |
//! | `plans` | executes the lookups of an edge in order | edge by edge |
//! | `cycles` | executes tables composed from plans | instruction by instruction |
//!
//! All of them work on a `nodes::powered::PoweredBoard`. Each module uses only those above it.
//!
//! [`nodes`] and [`plans`] are public for the proofs, which enumerate them. They may change with
//! every version. Start reading at [`Circuit`]. This crate does no input or output.

#![cfg_attr(test, allow(clippy::disallowed_types, reason = "tests burn programs"))]

mod cycles;
mod definition;
mod interface;
pub mod nodes;
pub mod panel;
pub mod plans;
mod power_up_state;
mod probe;
pub mod quick_hash;
pub mod registers;
mod settled;
mod timed;
mod unsettled;

#[cfg(test)]
mod testing;

pub use cycles::RunsCycles;
pub use interface::{ChipState, Circuit, CircuitState};
pub use power_up_state::power_up_state;
pub use probe::Probe;
pub use settled::Settled;
pub use timed::state::{Change, TimedState};
pub use timed::{Noise, PULSE_PS, Timed, Timing};
pub use unsettled::Unsettled;

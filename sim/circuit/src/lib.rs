//! Boards under power. A circuit does not know instructions: it sees address pins, data pins and
//! wires.
//!
//! [`Settled`] goes from one state of rest to the next, [`Timed`] lets every wire move at an
//! instant of its own. A settled circuit can be moved on in three ways, which all end alike; the
//! first one says what that end is, the others are faster:
//!
//! | room | a board is moved on by | where |
//! |---|---|---|
//! | `definition` | all orders in which its chips can answer | on every edge without a plan |
//! | `plans` | the look-ups that an edge needs, in their order | edge by edge |
//! | `cycles` | tables that are composed of plans | instruction by instruction |
//!
//! All of them work on a `nodes::powered::Powered`. Each room uses those above it only.
//!
//! [`nodes`] and [`plans`] are public for the proofs, which enumerate what they describe, and may
//! change with every version. Start reading at [`Circuit`]. This crate does no input or output.

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

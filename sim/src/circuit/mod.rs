//! Boards under power. A circuit does not know instructions: it sees address pins, data pins and
//! wires.
//!
//! [`Settled`] goes from one state of rest to the next, [`Timed`] lets every wire move at an
//! instant of its own. A settled circuit can be moved on in four ways, which all end alike; the
//! first one says what that end is, the others are faster:
//!
//! | room | a board is moved on by | where |
//! |---|---|---|
//! | `definition` | all orders in which its chips can answer | on every edge without a plan |
//! | `plans` | the look-ups that an edge needs, in their order | edge by edge |
//! | `cycles` | tables that are composed of plans | instruction by instruction |
//! | `faulty` | the plans of a right board with the same wires | on boards with wrong bits |
//!
//! All of them work on a `nodes::powered::Powered`. Each room uses those above it only.

pub(crate) mod cycles;
pub(crate) mod definition;
mod faulty;
pub(crate) mod interface;
pub(crate) mod nodes;
pub(crate) mod plans;
pub(crate) mod probe;
pub(crate) mod quick_hash;
pub(crate) mod settled;
pub(crate) mod timed;
pub(crate) mod unsettled;

pub use interface::{Change, ChipState, Circuit};
pub use probe::Probe;
pub use settled::Settled;
pub use timed::{Noise, Timed, Timing};
pub use unsettled::{Instability, Unsettled};

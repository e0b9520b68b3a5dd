//! Boards under power. A circuit does not know instructions: it sees address lines, data lines and
//! wires.

pub(crate) mod abreast;
pub(crate) mod compiled;
pub(crate) mod composed;
pub(crate) mod cycles;
pub(crate) mod interface;
pub(crate) mod interleavings;
pub(crate) mod memory_image;
pub(crate) mod model;
pub(crate) mod plan;
pub(crate) mod possible;
mod powered;
pub(crate) mod probe;
pub(crate) mod quick_hash;
pub(crate) mod recording;
pub(crate) mod sensitivity;
pub(crate) mod sequencer;
pub(crate) mod settled;
pub(crate) mod timed;
pub(crate) mod unsettled;
pub(crate) mod wiring;

pub use interface::{Change, ChipState, Circuit};
pub use probe::Probe;
pub use settled::Settled;
pub use timed::{Timed, Timing};
pub use unsettled::{Instability, Unsettled};

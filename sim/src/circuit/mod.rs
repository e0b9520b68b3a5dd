//! Boards brought to life. The circuit does not know instructions: it sees address lines, data
//! lines and wires.

mod chance;
mod orders;
mod panel;
pub(crate) mod plan;
mod planned;
mod probe;
mod seat;
pub(crate) mod sequencer;
mod settled;
pub(crate) mod sight;
mod store;
mod timed;
mod unsettled;
pub(crate) mod wiring;

pub use panel::{Executed, Panel, PanelError, Saved};
pub use probe::Probe;
pub use seat::{Moment, NoSeat, Seat};
pub use settled::Settled;
pub use timed::{Change, Timed, Timing};
pub use unsettled::{Trouble, Unsettled};

use gray1_isa::RamAddr;
use gray1_isa::address::RAM_BYTES;

use crate::board::{Board, ChipId, NetId};

/// A byte that data memory took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Write {
    /// Where.
    pub address: RamAddr,
    /// What.
    pub byte: u8,
}

/// What the chips hold when the power comes up: anything.
#[derive(Debug, Clone)]
pub struct PowerUp {
    /// Data memory.
    pub memory: Box<[u8; RAM_BYTES]>,
    /// What each chip shows before it has looked at its address lines, by [`ChipId::index`].
    pub outputs: Vec<u8>,
}

impl PowerUp {
    /// What the chips of a board hold that is at rest with its oscillator and its reset low: the
    /// same state for another engine.
    #[must_use]
    pub fn like(circuit: &impl Circuit) -> Self {
        let outputs = circuit.board().chip_ids().map(|chip| circuit.shown(chip)).collect();
        Self { memory: Box::new(*circuit.memory()), outputs }
    }
}

/// A board under power, as an observer sees it from outside.
pub trait Circuit {
    /// The board.
    fn board(&self) -> &Board;

    /// Turns the oscillator over, to the other level.
    ///
    /// # Errors
    /// If the board's answer is not a matter of its contents alone.
    fn edge(&mut self) -> Result<(), Box<Unsettled>>;

    /// Brings the reset line to a level.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>>;

    /// Turns the oscillator over several times.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    #[inline]
    fn edges(&mut self, count: u32) -> Result<(), Box<Unsettled>> {
        (0..count).try_for_each(|_| self.edge())
    }

    /// The level of a line.
    fn level(&self, net: NetId) -> bool;

    /// Clips a probe to lines, low bit first, at most 32.
    fn probe(&self, nets: &[NetId]) -> Probe;

    /// The number that a probe's lines carry.
    fn read(&self, probe: &Probe) -> u32;

    /// What a chip shows on its data pins, driven or not.
    fn shown(&self, chip: ChipId) -> u8;

    /// Data memory, as the panel's port sees it.
    fn memory(&self) -> &[u8; RAM_BYTES];

    /// Writes a byte through the panel's port of data memory.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    fn poke(&mut self, write: Write) -> Result<(), Box<Unsettled>>;

    /// The bytes that data memory took from the board's side since they were last forgotten.
    fn writes(&self) -> &[Write];

    /// Forgets the bytes that data memory took.
    fn forget_writes(&mut self);

    /// The bytes that data memory took, which are then forgotten.
    fn take_writes(&mut self) -> Vec<Write> {
        let writes = self.writes().to_vec();
        self.forget_writes();
        writes
    }
}

#[cfg(test)]
pub(crate) mod reference;
#[cfg(test)]
mod tests;

//! The outside of every circuit: an oscillator and a reset wire to drive, wires and data
//! memory to look at.

use std::fmt;

use gray1_board::{Board, ChipId, NetId};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{RamAddr, Write};

use super::nodes::wiring::Outputs;
use super::probe::Probe;
use super::timed::state::{Change, TimedState};
use super::unsettled::Unsettled;

/// The bytes that the chips hold when the power comes up: anything.
#[derive(Debug, Clone)]
pub struct ChipState {
    /// Data memory.
    pub memory: Box<[u8; RAM_BYTES]>,
    /// The byte that each chip shows before it has looked at its address pins, by
    /// [`ChipId::index`].
    pub outputs: Vec<u8>,
}

impl ChipState {
    /// The contents of the chips of a board that is at rest with its oscillator and its reset low:
    /// the same state for another engine.
    #[must_use]
    pub fn of(circuit: &dyn Circuit) -> Self {
        let outputs = circuit.board().chip_ids().map(|chip| circuit.shown(chip)).collect();
        Self { memory: Box::new(*circuit.memory()), outputs }
    }
}

/// Everything that a circuit remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CircuitState {
    /// A circuit that goes from one state of rest to the next.
    Settled {
        /// The bytes that its nodes show.
        shown: Outputs,
        /// Data memory.
        memory: Box<[u8; RAM_BYTES]>,
        /// The bytes that the board has written since they were last forgotten.
        writes: Vec<Write>,
    },
    /// A circuit in time.
    Timed(Box<TimedState>),
}

impl CircuitState {
    /// The bytes of memory that it takes besides itself, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Settled { .. } => RAM_BYTES,
            Self::Timed(state) => state.bytes(),
        }
    }
}

/// The message of a panic: a snapshot was mistaken for one of this circuit.
pub(crate) const OTHER_KIND: &str = "the state is of a circuit of another kind";

/// A board under power.
pub trait Circuit: fmt::Debug + Send {
    /// The board.
    fn board(&self) -> &Board;

    /// Turns the oscillator over, to the other level.
    ///
    /// # Errors
    /// If the board's answer does not follow from its contents alone.
    fn edge(&mut self) -> Result<(), Box<Unsettled>>;

    /// Turns the oscillator over several times.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    #[inline]
    fn edges(&mut self, count: u32) -> Result<(), Box<Unsettled>> {
        (0..count).try_for_each(|_| self.edge())
    }

    /// Brings the reset wire to a level.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>>;

    /// Writes a byte through the panel's port of data memory.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    fn poke(&mut self, address: RamAddr, byte: u8) -> Result<(), Box<Unsettled>>;

    /// The level of a wire.
    fn level(&self, net: NetId) -> bool;

    /// The levels of all wires, by [`NetId::index`].
    fn levels(&self) -> Vec<bool> {
        self.board().net_ids().map(|net| self.level(net)).collect()
    }

    /// A probe on wires, low bit first, at most 32.
    fn probe(&self, nets: &[NetId]) -> Probe;

    /// The number on the wires of a probe.
    fn read(&self, probe: &Probe) -> u32;

    /// The byte that a chip shows on its data pins, driven or not.
    fn shown(&self, chip: ChipId) -> u8;

    /// Data memory, as the panel's port sees it.
    fn memory(&self) -> &[u8; RAM_BYTES];

    /// The bytes that the board has written to data memory since they were last forgotten.
    fn writes(&self) -> &[Write];

    /// Forgets the bytes that the board has written.
    fn forget_writes(&mut self);

    /// The movements of wires during the last edge or other call that moved wires, in order: more
    /// than one of a wire is a glitch. Empty on a circuit that goes from one state of rest to the
    /// next.
    fn changes(&self) -> &[Change] {
        &[]
    }

    /// Whether a chip made a glitch that the timing asks for during the last edge or other call
    /// that moved wires: outputs pulsed that should have stayed stable.
    fn has_glitched(&self, _chip: ChipId) -> bool {
        false
    }

    /// The time since the power came up, in ps, on a circuit that has a clock.
    fn time_ps(&self) -> Option<u64> {
        None
    }

    /// The state of the circuit.
    fn save(&self) -> CircuitState;

    /// Restores what was saved from a circuit of the same kind and board.
    ///
    /// # Panics
    /// If the state is of a circuit of another kind.
    fn restore(&mut self, state: &CircuitState);

    /// Gives remembered wires other levels, between two edges. Returns false, changing nothing, if
    /// wires may still be moving then.
    fn set_levels(&mut self, _levels: &[(&Probe, u32)]) -> bool {
        false
    }

    /// The number of edges that take some milliseconds.
    fn slice_edges(&self) -> u64;
}

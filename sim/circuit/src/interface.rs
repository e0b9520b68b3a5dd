//! The interface of every circuit: inputs for the oscillator and the reset wire, and access to
//! wires and data memory.

use std::fmt;

use gray1_board::{Board, ChipId, NetId};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{RamAddr, Write};

use super::nodes::wiring::Outputs;
use super::probe::Probe;
use super::timed::state::{Change, TimedState};
use super::unsettled::Unsettled;

/// The bytes that the chips hold at power-up. They are arbitrary.
#[derive(Debug, Clone)]
pub struct ChipState {
    /// Data memory.
    pub memory: Box<[u8; RAM_BYTES]>,
    /// The output of each chip before it first responds to its address pins, indexed by
    /// [`ChipId::index`].
    pub outputs: Vec<u8>,
}

impl ChipState {
    /// Copies the state of a circuit for use in another engine. The board must be settled, with its
    /// oscillator and reset low.
    pub fn from_circuit(circuit: &dyn Circuit) -> Self {
        let outputs = circuit.board().chip_ids().map(|chip| circuit.shown(chip)).collect();
        Self { memory: Box::new(*circuit.memory()), outputs }
    }
}

/// A snapshot of a circuit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CircuitState {
    /// A circuit that steps between settled states.
    Settled {
        /// The outputs of its nodes.
        shown: Outputs,
        /// Data memory.
        memory: Box<[u8; RAM_BYTES]>,
        /// The stores to data memory since [`Circuit::clear_writes`].
        writes: Vec<Write>,
    },
    /// A circuit with delays.
    Timed(Box<TimedState>),
}

impl CircuitState {
    /// Returns the approximate memory that the snapshot uses on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Settled { .. } => RAM_BYTES,
            Self::Timed(state) => state.bytes(),
        }
    }
}

/// The panic message for restoring a snapshot of another kind of circuit.
pub(crate) const OTHER_KIND: &str = "the state is of a circuit of another kind";

/// A simulated board.
pub trait Circuit: fmt::Debug + Send {
    /// The board.
    fn board(&self) -> &Board;

    /// Toggles the oscillator.
    ///
    /// # Errors
    /// If the result does not follow from the contents of the chips alone.
    fn edge(&mut self) -> Result<(), Box<Unsettled>>;

    /// Toggles the oscillator `count` times.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    #[inline]
    fn edges(&mut self, count: u32) -> Result<(), Box<Unsettled>> {
        (0..count).try_for_each(|_| self.edge())
    }

    /// Sets the level of the reset wire.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>>;

    /// Writes a byte through the panel's port of data memory.
    ///
    /// # Errors
    /// As for [`Circuit::edge`].
    fn poke(&mut self, address: RamAddr, byte: u8) -> Result<(), Box<Unsettled>>;

    /// Returns the level of a wire.
    fn level(&self, net: NetId) -> bool;

    /// Returns the levels of all wires, indexed by [`NetId::index`].
    fn levels(&self) -> Vec<bool> {
        self.board().net_ids().map(|net| self.level(net)).collect()
    }

    /// Creates a probe on up to 32 wires, low bit first.
    fn probe(&self, nets: &[NetId]) -> Probe;

    /// Returns the number that the levels of a probe's wires form.
    fn read(&self, probe: &Probe) -> u32;

    /// Returns the byte that a chip would drive on its data pins, even while its outputs are off.
    fn shown(&self, chip: ChipId) -> u8;

    /// Returns data memory as the panel's port sees it.
    fn memory(&self) -> &[u8; RAM_BYTES];

    /// Returns the stores to data memory since [`Circuit::clear_writes`].
    fn writes(&self) -> &[Write];

    /// Clears the list of stores.
    fn clear_writes(&mut self);

    /// Returns the level changes of wires during the last call that changed a wire, in order. If a
    /// wire changes more than once, that is a glitch. Empty for circuits that step between settled
    /// states.
    fn changes(&self) -> &[Change] {
        &[]
    }

    /// Returns whether a chip made a glitch that the timing injects, during the last call that
    /// changed a wire. Such a glitch is a pulse on outputs that should have stayed constant.
    fn has_glitched(&self, _chip: ChipId) -> bool {
        false
    }

    /// Returns the time since power-up in ps, if the circuit has delays.
    fn time_ps(&self) -> Option<u64> {
        None
    }

    /// Returns a snapshot of the circuit.
    fn save(&self) -> CircuitState;

    /// Restores a snapshot of a circuit of the same kind and board.
    ///
    /// # Panics
    /// If the snapshot is from a circuit of another kind.
    fn restore(&mut self, state: &CircuitState);

    /// Sets the levels of stored wires between two edges. Returns false and changes nothing if
    /// wires may still be changing.
    fn set_levels(&mut self, _levels: &[(&Probe, u32)]) -> bool {
        false
    }

    /// Returns the number of edges that take a few milliseconds to simulate.
    fn slice_edges(&self) -> u64;
}

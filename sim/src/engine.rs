//! The one interface of all engines: the instruction engine, and boards of chips.
//!
//! What is above the engines (history, breakpoints, searches, commands, panes) drives a machine
//! through this trait, whichever engine it has. Only what shows wires beside an engine without any
//! makes a [`BoardEngine`](crate::BoardEngine) of its own: the debugger's replica, and the waveforms
//! of `gray1 run`.

use std::fmt;

use gray1_board::phase::Phase;
use gray1_circuit::{Circuit, CircuitState, Unsettled};
pub use gray1_isa::Registers;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{Buttons, Display};
use gray1_isa::{Executed, Indexes, RamAddr, RomIndex, Word, Write};

use crate::profile::ExecutionCounts;

/// A machine with a program.
///
/// A run is a function of the program, the power-up contents, the seed of the delays, if there are
/// any, and what is done at the panel between instructions: what is restored from a [`Snapshot`]
/// runs on as before. A clone is a machine of its own; snapshots of one can be restored on the
/// other.
pub trait Engine: fmt::Debug + Send {
    /// The same machine in the same state, as a machine of its own.
    fn boxed_clone(&self) -> Box<dyn Engine>;

    /// Lets the instruction under way complete and starts the program from index 0. A, C and data
    /// memory keep their values, except for the buttons: none is held. The count of instructions
    /// starts again, and output that was not taken is dropped.
    fn reset(&mut self);

    /// Holds these buttons from now on.
    fn hold(&mut self, buttons: Buttons);

    /// Changes a byte of data memory through the panel's port; nothing is printed.
    fn poke(&mut self, address: RamAddr, byte: u8);

    /// Gives the registers other contents, between two instructions. A machine whose program has
    /// ended goes on. Returns false, changing nothing, if unsupported.
    fn load(&mut self, registers: Registers) -> bool;

    /// Completes the next instruction; `None` if the machine has [halted](Self::halted).
    fn step(&mut self) -> Option<Executed>;

    /// Turns the oscillator over once, into the next phase; the instruction that this completed, if
    /// it did. On an engine without wires all of an instruction happens at its last edge.
    fn edge(&mut self) -> Option<Executed>;

    /// Executes up to `limit` instructions, as fast as possible, and returns how many were
    /// executed.
    fn run(&mut self, limit: u64) -> u64;

    /// The same, but stops before a watched instruction; at once if one comes next.
    fn run_to_watched(&mut self, limit: u64) -> u64;

    /// The same as [`Self::run`], and counts how often each instruction is executed.
    fn run_counting(&mut self, limit: u64, counts: &mut ExecutionCounts) -> u64 {
        let start = self.executed();
        for _ in 0..limit {
            let Some(executed) = self.step() else { break };
            counts.note(executed.index, 1);
        }
        self.executed() - start
    }

    /// Watches these instructions instead of those watched so far.
    fn watch(&mut self, indexes: &Indexes);

    /// The bytes that were written to the mailbox since the last call.
    fn take_output(&mut self) -> Vec<u8>;

    /// Everything that the machine remembers.
    fn save(&self) -> Snapshot;

    /// Restores what was saved on this machine or on a clone; output that was not taken is dropped.
    ///
    /// # Panics
    /// If the snapshot is of a machine of another kind.
    fn restore(&mut self, snapshot: &Snapshot);

    /// The registers. Within an instruction, A and C are the levels of their wires.
    fn registers(&self) -> Registers;

    /// The accumulator.
    fn a(&self) -> u8 {
        self.registers().a
    }

    /// The carry.
    fn carry(&self) -> bool {
        self.registers().carry
    }

    /// The index of the instruction that comes next, or is under way.
    fn pc(&self) -> RomIndex {
        self.registers().pc
    }

    /// Data memory, as the CPU and the panel see it.
    fn ram(&self) -> &[u8; RAM_BYTES];

    /// The word at an index of program memory.
    fn word(&self, index: RomIndex) -> Word;

    /// True if an instruction does here what [`Op`](gray1_isa::Op) says. The arithmetic unit of a
    /// board may compute something else, and where buttons answer in place of their cell, a store
    /// there changes nothing.
    fn keeps_to_op(&self, _word: Word) -> bool {
        true
    }

    /// True if the machine may do something else than its program says. Then only observation shows
    /// which registers and bytes an instruction changes, and which instruction comes next. False
    /// for the instruction engine, and for a stock board whose chips settle in each phase.
    fn can_deviate(&self) -> bool {
        false
    }

    /// The bytes that the last instruction wrote before the one in [`Executed::write`]. Only a
    /// machine that [can deviate](Self::can_deviate) writes more than one.
    fn stray_writes(&self) -> &[Write] {
        &[]
    }

    /// The number of instructions executed since the reset, a halting `JMP` included.
    fn executed(&self) -> u64;

    /// True if the machine cannot go on: its program has ended by a `JMP` to itself, or there is an
    /// [error](Self::error).
    fn halted(&self) -> bool;

    /// Why the machine cannot go on, if not because its program has ended.
    fn error(&self) -> Option<&EngineError> {
        None
    }

    /// The phase.
    fn phase(&self) -> Phase;

    /// The number of edges of the oscillator that have passed since the instruction under way
    /// began; 0 between instructions.
    fn edges(&self) -> u32;

    /// The wires of the board, on an engine that has wires.
    fn circuit(&self) -> Option<&dyn Circuit> {
        None
    }

    /// The number of instructions that take a few milliseconds at most: what is executed between
    /// two looks at the clock, the keys and the output.
    fn slice(&self) -> u64;

    /// The display: the LEDs.
    fn display(&self) -> Display {
        Display::of(self.ram())
    }

    /// Executes up to `limit` instructions, but stops after one that changes an LED; whether one
    /// did.
    fn run_to_led_change(&mut self, limit: u64) -> bool {
        (0..limit)
            .map_while(|_| self.step())
            .any(|executed| executed.write.as_ref().is_some_and(Write::changes_led))
    }
}

impl Clone for Box<dyn Engine> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// The state of a machine at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub(crate) executed: u64,
    pub(crate) halted: bool,
    pub(crate) state: MachineState,
}

/// The states of machines, by kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MachineState {
    Instruction { registers: Registers, ram: Box<[u8; RAM_BYTES]>, edges: u32 },
    Board { circuit: CircuitState, under_way: UnderWay, error: Option<EngineError> },
}

/// The instruction of a board that comes next, or is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct UnderWay {
    /// The address of its first byte in the program chip.
    pub(crate) address: u32,
    /// The number of edges that have passed since it began.
    pub(crate) edges: u32,
    /// The number of edges that it takes on a board whose phases follow one another as they should.
    pub(crate) length: u32,
}

impl Snapshot {
    /// The bytes of memory that it takes, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let elsewhere = match &self.state {
            MachineState::Instruction { .. } => RAM_BYTES,
            MachineState::Board { circuit, .. } => circuit.bytes(),
        };
        size_of::<Self>() + elsewhere
    }
}

/// Why a board cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// Its behaviour does not follow from its contents alone.
    #[error(transparent)]
    Unsettled(#[from] Box<Unsettled>),
    /// The phase does not return to T0.
    #[error("the phase does not return to T0 within {EDGES_MAX} edges of the oscillator")]
    NoPhase,
}

/// The number of edges that an instruction may take on a board whose phases do not follow one
/// another as they should.
pub(crate) const EDGES_MAX: u32 = 64;

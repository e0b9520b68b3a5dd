//! The interface of all engines: the instruction engine and the boards of chips.
//!
//! History, breakpoints, searches, commands and panes drive a machine only through this trait, so
//! they work with every engine. Only the debugger's replica makes a
//! [`BoardEngine`](crate::BoardEngine) itself, to show wires for an engine without any.

use std::fmt;

use gray1_board::phase::Phase;
use gray1_circuit::{Circuit, CircuitState, Unsettled};
pub use gray1_isa::Registers;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{Buttons, Display};
use gray1_isa::{Executed, Indexes, PartialState, RamAddr, RomIndex, Word, Write};

use crate::profile::ExecutionCounts;

/// A machine with a program.
///
/// The program, the power-up contents, the seed of the delays (if any) and the actions at the panel
/// between instructions determine a run completely. So a machine that was restored from a
/// [`Snapshot`] runs exactly as before.
///
/// A clone is independent, and a snapshot of one machine can be restored on the other.
pub trait Engine: fmt::Debug + Send {
    /// Clones the machine with its state.
    fn boxed_clone(&self) -> Box<dyn Engine>;

    /// Lets the current instruction complete and restarts the program at index 0.
    ///
    /// A, C and data memory keep their values, except that no button is held. The count of
    /// instructions restarts, and output that was not taken is dropped.
    fn reset(&mut self);

    /// Holds these buttons, and only these, until the next call.
    fn hold(&mut self, buttons: Buttons);

    /// Writes a byte of data memory through the panel's port. This does not print, even in the
    /// mailbox.
    fn poke(&mut self, address: RamAddr, byte: u8);

    /// Loads new contents into the registers, between two instructions. A machine whose program has
    /// ended continues.
    ///
    /// Returns false and changes nothing if the engine does not support this.
    fn load(&mut self, registers: Registers) -> bool;

    /// Completes the next instruction. Returns `None` if the machine has [halted](Self::halted).
    fn step(&mut self) -> Option<Executed>;

    /// Moves the oscillator by one edge, into the next phase. Returns the instruction if this edge
    /// completed it.
    ///
    /// On an engine without wires, the whole instruction takes effect at its last edge.
    fn edge(&mut self) -> Option<Executed>;

    /// Executes up to `limit` instructions as fast as possible. Returns the number that were
    /// executed.
    fn run(&mut self, limit: u64) -> u64 {
        let mut executed = 0;
        loop {
            executed += self.run_to_watched(limit - executed);
            if executed >= limit || self.step().is_none() {
                return executed;
            }
            executed += 1;
        }
    }

    /// Like [`Self::run`], but stops before a watched instruction, even if it is the very next one.
    fn run_to_watched(&mut self, limit: u64) -> u64;

    /// Like [`Self::run`], but also counts the executions of each instruction.
    fn run_counting(&mut self, limit: u64, counts: &mut ExecutionCounts) -> u64 {
        let start = self.executed();
        for _ in 0..limit {
            let Some(executed) = self.step() else { break };
            counts.add(executed.index, 1);
        }
        self.executed() - start
    }

    /// Replaces the set of watched instructions.
    fn watch(&mut self, indexes: &Indexes);

    /// Returns the bytes that were written to the mailbox since the last call.
    fn take_output(&mut self) -> Vec<u8>;

    /// Saves the complete state.
    fn save(&self) -> Snapshot;

    /// Restores a state of this machine or of a clone. Output that was not taken is dropped.
    ///
    /// # Panics
    /// If the snapshot is from another kind of machine.
    fn restore(&mut self, snapshot: &Snapshot);

    /// Returns the registers. Within an instruction, A and C are the current levels of their wires.
    fn registers(&self) -> Registers;

    /// Returns the accumulator.
    fn a(&self) -> u8 {
        self.registers().a
    }

    /// Returns the carry.
    fn carry(&self) -> bool {
        self.registers().carry
    }

    /// Returns the index of the next instruction, or of the one that is being executed.
    fn pc(&self) -> RomIndex {
        self.registers().pc
    }

    /// Returns data memory. The CPU and the panel see the same bytes.
    fn ram(&self) -> &[u8; RAM_BYTES];

    /// Returns the state with its unknown bits, on a machine that may hold anything at power-up.
    fn partial_state(&self) -> Option<&PartialState> {
        None
    }

    /// Returns the word at an index of program memory.
    fn word(&self, index: RomIndex) -> Word;

    /// Returns true if this machine executes an instruction exactly as [`Op`](gray1_isa::Op)
    /// defines it.
    ///
    /// A board can deviate in two ways. Its arithmetic unit may compute something else, and its
    /// buttons may respond directly to reads of their address, so that a store there has no effect.
    fn keeps_to_op(&self, _word: Word) -> bool {
        true
    }

    /// Returns true if the machine may deviate from its program. Then only observation shows which
    /// registers and bytes an instruction changes, and which instruction is next.
    ///
    /// It is false for the instruction engine, and for a stock board whose chips settle in each
    /// phase.
    fn can_deviate(&self) -> bool {
        false
    }

    /// Returns the bytes that the last instruction wrote before the one in [`Executed::write`].
    /// Only a machine that [can deviate](Self::can_deviate) writes more than one.
    fn stray_writes(&self) -> &[Write] {
        &[]
    }

    /// Returns the number of instructions executed since the reset, including a `JMP` that halts.
    fn executed(&self) -> u64;

    /// Returns true if the machine cannot continue, because its program ended with a `JMP` to
    /// itself or because of an [error](Self::error).
    fn halted(&self) -> bool;

    /// Returns the error that stopped the machine, or `None` if its program ended or is still
    /// running.
    fn error(&self) -> Option<&EngineError> {
        None
    }

    /// Returns the current phase of the sequencer.
    fn phase(&self) -> Phase;

    /// Returns the number of oscillator edges since the current instruction began. It is 0 between
    /// instructions.
    fn edges(&self) -> u32;

    /// Returns the circuit of the board, on an engine that has wires.
    fn circuit(&self) -> Option<&dyn Circuit> {
        None
    }

    /// Returns a number of instructions that take at most a few milliseconds. Callers run this many
    /// before they check the clock, the keys and the output again.
    fn slice(&self) -> u64;

    /// Returns the LEDs of the display.
    fn display(&self) -> Display {
        Display::from_ram(self.ram())
    }
}

impl Clone for Box<dyn Engine> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// The state of a machine at one instant. It can be restored later, on the machine or on a clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub(crate) executed: u64,
    pub(crate) halted: bool,
    pub(crate) state: MachineState,
}

/// The state of each kind of machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MachineState {
    Instruction {
        registers: Registers,
        ram: Box<[u8; RAM_BYTES]>,
        partial: Option<PartialState>,
        edges: u32,
    },
    Board {
        circuit: CircuitState,
        current: CurrentInstruction,
        error: Option<EngineError>,
    },
}

/// The current instruction of a board: the one that is next or is being executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CurrentInstruction {
    /// The address of its first byte in the PROG chip.
    pub(crate) address: u32,
    /// The number of edges since it began.
    pub(crate) edges: u32,
    /// The number of edges that it takes on a board whose phases have the correct order.
    pub(crate) length: u32,
}

impl Snapshot {
    /// Returns the approximate size in bytes of memory.
    pub fn bytes(&self) -> usize {
        let elsewhere = match &self.state {
            MachineState::Instruction { partial: None, .. } => RAM_BYTES,
            MachineState::Instruction { partial: Some(_), .. } => 3 * RAM_BYTES,
            MachineState::Board { circuit, .. } => circuit.bytes(),
        };
        size_of::<Self>() + elsewhere
    }
}

/// The reason why a machine cannot continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The board has no settled state that follows from its contents.
    #[error(transparent)]
    Unsettled(#[from] Box<Unsettled>),
    /// The phases do not return to T0.
    #[error("the phase does not return to T0 within {EDGES_MAX} edges of the oscillator")]
    NoPhase,
    /// The next instruction jumps or not, depending on what the machine held at power-up.
    #[error("this jump depends on what memory, A and C held at power-up")]
    UnknownJump,
    /// The next instruction prints a byte that depends on what the machine held at power-up.
    #[error("this printed byte depends on what memory, A and C held at power-up")]
    UnknownOutput,
}

/// Returns the phase in which the current instruction begins, on an engine without wires that has
/// executed this many instructions since the reset.
pub(crate) fn first_phase(executed: u64) -> Phase {
    if executed == 0 { Phase::AFTER_RESET } else { Phase::T0 }
}

/// The maximum number of edges in an instruction, for boards whose phases have a wrong order.
pub(crate) const EDGES_MAX: u32 = 64;

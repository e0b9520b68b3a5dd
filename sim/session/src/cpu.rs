//! The machine as a programmer sees it.

use gray1_debugger::{Debugger, FirstWrites, RecentSteps};
use gray1_isa::RomIndex;
use gray1_isa::address::RAM_BYTES;

/// The registers and memory of the machine, and the last instructions.
#[derive(Debug, Clone)]
pub struct Cpu {
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// The index of the next instruction.
    pub pc: RomIndex,
    /// The phase of that instruction, 0 for T0.
    pub phase: u8,
    /// Instructions executed since the reset.
    pub executed: u64,
    /// Data memory.
    pub ram: Box<[u8; RAM_BYTES]>,
    /// The instructions executed last.
    pub recent: RecentSteps,
    /// The first write to each byte, unless the machine can deviate from its program.
    pub first_writes: Option<FirstWrites>,
}

impl Cpu {
    /// The current state of the machine.
    pub(super) fn from_debugger(debugger: &mut Debugger) -> Self {
        let recent = debugger.recent();
        let machine = debugger.engine();
        Self {
            a: machine.a(),
            carry: machine.carry(),
            pc: machine.pc(),
            phase: machine.phase().number() as u8,
            executed: machine.executed(),
            ram: Box::new(*machine.ram()),
            recent,
            first_writes: debugger.history().first_writes().cloned(),
        }
    }
}

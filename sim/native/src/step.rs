//! Executes single instructions without generated code.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Registers, Word, panel};

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NativeRun {
    /// The number of executed instructions, including a halting `JMP`.
    pub executed: u64,
    /// Whether a `JMP` to itself was executed. Otherwise the limit was reached, or the next
    /// instruction is watched.
    pub has_halted: bool,
}

/// Executes the instruction at the program counter.
pub(crate) fn step(
    word: Word,
    registers: &mut Registers,
    ram: &mut [u8; RAM_BYTES],
    output: &mut Vec<u8>,
) -> NativeRun {
    let (op, address, index) = (word.op(), word.address(), registers.pc);
    let data = &mut ram[address.to_usize()];
    let result = op.alu(registers.a, *data, word.immediate());
    if op.writes_memory() {
        *data = registers.a;
        if address == panel::MAILBOX {
            output.push(registers.a);
        }
    }
    registers.pc = word.next(index, registers.carry);
    registers.apply(op, result);
    NativeRun { executed: 1, has_halted: word.halts_at(index) }
}

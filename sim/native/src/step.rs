//! Executes single instructions without generated code.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Registers, Word, panel};

/// Executes the instruction at the program counter. Returns whether it halts the program.
pub(crate) fn step(
    word: Word,
    registers: &mut Registers,
    ram: &mut [u8; RAM_BYTES],
    output: &mut Vec<u8>,
) -> bool {
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
    word.halts_at(index)
}

//! Executes single instructions without generated code.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Word, panel};

use crate::run::Cpu;

/// Executes the instruction at the program counter. Returns whether it halts the program.
pub(crate) fn step(
    word: Word,
    cpu: &mut Cpu,
    ram: &mut [u8; RAM_BYTES],
    output: &mut Vec<u8>,
) -> bool {
    let (op, address, index) = (word.op(), word.address(), cpu.pc);
    let data = &mut ram[address.to_usize()];
    let result = op.alu(cpu.a, *data, word.immediate());
    if op.writes_memory() {
        *data = cpu.a;
        if address == panel::MAILBOX {
            output.push(cpu.a);
        }
    }
    cpu.pc = if op.jumps(cpu.carry) { word.target() } else { index.next() };
    if op.writes_a() {
        cpu.a = result.value;
    }
    if op.writes_carry() {
        cpu.carry = result.carry;
    }
    word.halts_at(index)
}

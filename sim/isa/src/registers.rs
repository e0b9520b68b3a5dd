//! The registers that a programmer sees: A, C and the program counter.

use crate::{Alu, Op, RomIndex};

/// The contents of the registers that a programmer sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Registers {
    /// The accumulator A.
    pub a: u8,
    /// The carry C.
    pub carry: bool,
    /// The index of the next instruction, or of the one that is being executed.
    pub pc: RomIndex,
}

impl Registers {
    /// Sets A and C to the outputs of the arithmetic unit, if the operation writes them.
    #[inline]
    pub const fn apply(&mut self, op: Op, result: Alu) {
        if op.writes_a() {
            self.a = result.value;
        }
        if op.writes_carry() {
            self.carry = result.carry;
        }
    }
}

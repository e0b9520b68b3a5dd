//! The registers that a programmer sees.

use crate::{Alu, Op, RomIndex};

/// The registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Registers {
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// The index of the instruction that comes next, or is under way.
    pub pc: RomIndex,
}

impl Registers {
    /// Takes the answer of the arithmetic unit, as far as the operation writes A and C.
    #[inline]
    pub const fn take(&mut self, op: Op, answer: Alu) {
        if op.writes_a() {
            self.a = answer.value;
        }
        if op.writes_carry() {
            self.carry = answer.carry;
        }
    }
}

//! An instruction as a 16-bit word of program memory: `oooxxxxx xxxxxxxx`.

use std::fmt;

use crate::address::{RamAddr, RomIndex};
use crate::gray::GrayCode;
use crate::op::{Op, Operand};

/// An instruction word: three bits of opcode and 13 bits of operand. Every pattern is a valid
/// instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Word(u16);

impl Word {
    /// The word of an erased EPROM, `JMP 0x1555`. Unused program words hold it.
    ///
    /// A program that runs off its end therefore halts at 0x1555, where an erased word jumps to
    /// itself.
    pub const ERASED: Self = Self(0xffff);

    /// Returns the word with these 16 bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Returns the 16 bits of the word.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the instruction `LDI n`.
    pub const fn ldi(n: u8) -> Self {
        Self(n as u16)
    }

    /// Returns an instruction whose operand is the address of a data byte: `LD`, `ST`, `ADD` or
    /// `NAND`.
    ///
    /// # Panics
    /// If `op` takes another kind of operand.
    pub const fn data(op: Op, address: RamAddr) -> Self {
        assert!(matches!(op.operand(), Operand::Data), "the operation takes no data address");
        Self::pack(op, address.get())
    }

    /// Returns the instruction `SHR`.
    pub const fn shr() -> Self {
        Self::pack(Op::Shr, 0)
    }

    /// Returns a jump, `JC` or `JMP`. Its operand field holds the Gray code of the target.
    ///
    /// # Panics
    /// If `op` takes another kind of operand.
    pub const fn jump(op: Op, target: RomIndex) -> Self {
        assert!(matches!(op.operand(), Operand::Target), "the operation takes no jump target");
        Self::pack(op, target.gray().get())
    }

    const fn pack(op: Op, field: u16) -> Self {
        Self((op.code() as u16) << 13 | field)
    }

    /// Returns the operation, which the three bits of the opcode select.
    pub const fn op(self) -> Op {
        Op::from_code((self.0 >> 13) as u8)
    }

    /// Returns the 13 bits of the operand field.
    pub const fn field(self) -> u16 {
        self.0 & 0x1fff
    }

    /// Returns the operand as `LDI` uses it: the low byte of the field.
    pub const fn immediate(self) -> u8 {
        self.0 as u8
    }

    /// Returns the operand as a data address.
    pub const fn address(self) -> RamAddr {
        RamAddr::truncate(self.0)
    }

    /// Returns the operand as a jump target, decoded from Gray code.
    pub const fn target(self) -> RomIndex {
        GrayCode::truncate(self.0).index()
    }

    /// Returns the operand as people read it: the target index of a jump, otherwise the field
    /// itself.
    pub const fn operand(self) -> u16 {
        match self.op().operand() {
            Operand::Target => self.target().get(),
            Operand::Immediate | Operand::Data | Operand::None => self.field(),
        }
    }

    /// Returns the indexes that can follow this word at `index`. For `JC`, they are the next
    /// instruction and the target.
    pub const fn successors(self, index: RomIndex) -> [Option<RomIndex>; 2] {
        match self.op() {
            Op::Jmp => [None, Some(self.target())],
            Op::Jc => [Some(index.next()), Some(self.target())],
            _ => [Some(index.next()), None],
        }
    }

    /// Returns the index that follows this word at `index`, given C before the instruction.
    #[inline]
    pub const fn next(self, index: RomIndex, carry: bool) -> RomIndex {
        if self.op().jumps(carry) { self.target() } else { index.next() }
    }

    /// Returns true if this word at `index` halts the program: it is a `JMP` to itself.
    pub const fn halts_at(self, index: RomIndex) -> bool {
        matches!(self.op(), Op::Jmp) && self.target().get() == index.get()
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x} ({} {:04x})", self.0, self.op(), self.operand())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_erased_word_jumps_to_1555_and_halts_there() {
        assert_eq!(Word::ERASED.op(), Op::Jmp);
        assert_eq!(Word::ERASED.target().get(), 0x1555);
        assert!(Word::ERASED.halts_at(Word::ERASED.target()));
        assert!(!Word::ERASED.halts_at(RomIndex::default()));
        assert_eq!(format!("{:?}", Word::ERASED), "ffff (JMP 1555)");
    }

    #[test]
    fn only_a_jc_has_two_successors() {
        let [last, first, target] = [0x1fff, 0, 5].map(RomIndex::truncate);
        assert_eq!(Word::shr().successors(last), [Some(first), None]);
        assert_eq!(Word::jump(Op::Jc, target).successors(last), [Some(first), Some(target)]);
        assert_eq!(Word::jump(Op::Jmp, target).successors(last), [None, Some(target)]);
    }

    #[test]
    fn every_word_can_be_taken_apart_and_rebuilt() {
        for bits in 0..=u16::MAX {
            let word = Word::from_bits(bits);
            let again = match word.op() {
                Op::Ldi => Word::ldi(word.immediate()).bits() | word.field() & 0x1f00,
                Op::Shr => Word::shr().bits() | word.field(),
                op if op.operand() == Operand::Target => Word::jump(op, word.target()).bits(),
                op => Word::data(op, word.address()).bits(),
            };
            assert_eq!(again, bits);
        }
    }
}

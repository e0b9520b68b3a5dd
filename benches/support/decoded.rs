//! Decoded instructions, for the interpreters that are baselines.

use gray1_isa::{Op, RomIndex, Word, panel};

/// An instruction with its operand ready for use.
#[derive(Clone, Copy)]
pub(crate) enum Decoded {
    Ldi(u8),
    Ld(u16),
    St(u16),
    StMailbox,
    Add(u16),
    Nand(u16),
    Shr,
    Jc(u16),
    Jmp(u16),
    Halt,
}

impl Decoded {
    /// Decodes the instruction at an index.
    pub(crate) fn decode(word: Word, index: RomIndex) -> Self {
        let operand = word.operand();
        match word.op() {
            Op::Ldi => Self::Ldi(word.immediate()),
            Op::Ld => Self::Ld(operand),
            Op::St if word.address() == panel::MAILBOX => Self::StMailbox,
            Op::St => Self::St(operand),
            Op::Add => Self::Add(operand),
            Op::Nand => Self::Nand(operand),
            Op::Shr => Self::Shr,
            Op::Jc => Self::Jc(operand),
            Op::Jmp if word.halts_at(index) => Self::Halt,
            Op::Jmp => Self::Jmp(operand),
        }
    }
}

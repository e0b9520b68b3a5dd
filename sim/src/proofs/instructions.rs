//! The cases of proof 5: instructions, each with what it starts from.
//!
//! Every list is exhaustive in what it is about; the rest varies without a visible order, so that
//! an instruction that depends on what it does not name shows it.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Op, RomIndex, Word};

use crate::circuit::abreast::STATES_MAX;

/// What an instruction starts from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(super) word: Word,
    pub(super) a: u8,
    pub(super) carry: bool,
    /// The data byte at the operand.
    pub(super) byte: u8,
    /// What the instruction register still holds.
    pub(super) left: Word,
}

// What the lists go through.
pub(super) const ARITHMETIC: &str = "every instruction, A, C and byte";
pub(super) const ADDRESSES: &str = "every address of data memory";
pub(super) const JUMPS: &str = "every jump target";
pub(super) const TARGETS: &str = "the instruction at every jump target";
pub(super) const SUCCESSION: &str = "the instruction after every instruction";
pub(super) const LEFTOVERS: &str = "every instruction after everything that another one left";
pub(super) const RESETS: &str = "reset in every phase in which it can rise";

impl Case {
    /// Whether the two differ only in A and in the operand that the instruction register still
    /// holds: the sequencer and data memory are the same for both.
    fn goes_with(self, other: Self) -> bool {
        let shared = |case: Self| (case.word, case.carry, case.byte, case.left.op());
        shared(self) == shared(other)
    }

    /// Which one of all opcodes, carries, A and bytes: 20 bits.
    pub(super) fn arithmetic(self) -> u32 {
        let op = self.word.op();
        let names_address = op.reads_memory() || op.writes_memory();
        let byte = if names_address { self.byte } else { self.word.immediate() };
        let kind = u32::from(op.code()) << 1 | u32::from(self.carry);
        kind << 16 | u32::from(byte) << 8 | u32::from(self.a)
    }

    /// Which one of all words with either carry: 17 bits.
    pub(super) fn executed(self) -> u32 {
        u32::from(self.word.bits()) << 1 | u32::from(self.carry)
    }

    /// Which one of all words left, and of all opcodes after it: 19 bits.
    pub(super) fn leftover(self) -> u32 {
        u32::from(self.left.bits()) << 3 | u32::from(self.word.op().code())
    }

    /// Which one of all opcodes after all others, with either carry: 7 bits.
    pub(super) fn pair(self) -> u32 {
        let [left, op] = [self.left, self.word].map(|word| u32::from(word.op().code()));
        left << 4 | op << 1 | u32::from(self.carry)
    }
}

/// Neighbours of a list that can be executed together, a group at a time.
pub(super) fn groups(list: impl Iterator<Item = Case>) -> impl Iterator<Item = Vec<Case>> {
    let mut list = list.peekable();
    std::iter::from_fn(move || {
        let first = list.next()?;
        let mut group = vec![first];
        while group.len() < STATES_MAX
            && let Some(case) = list.next_if(|case| case.goes_with(first))
        {
            group.push(case);
        }
        Some(group)
    })
}

/// Every opcode, A, byte at the operand's address or low byte of the operand, and C.
pub(super) fn arithmetic() -> impl Iterator<Item = Case> {
    let cases = Op::ALL.into_iter().flat_map(|op| (0..1_u32 << 17).map(move |n| (op, n)));
    cases.map(|(op, n)| {
        let (a, byte, carry) = (n as u8, (n >> 8) as u8, n >> 16 == 1);
        // What the instruction does not name: the same for every A.
        let other = n >> 8;
        let names_address = op.reads_memory() || op.writes_memory();
        let word = if names_address {
            word(op, scatter(other) as u16)
        } else {
            word(op, u16::from(byte) | scatter(other) as u16 & 0x1f00)
        };
        // What an instruction does not name may be anything.
        let byte = if names_address { byte } else { scatter(other ^ 0x55) as u8 };
        Case { word, a, carry, byte, left: left(other) }
    })
}

/// A byte of data memory that tells addresses apart.
pub(super) fn numbered_byte(address: usize) -> u8 {
    (scatter(address as u32) >> 8) as u8
}

/// Every address of data memory, for each instruction that names one.
pub(super) fn addresses() -> impl Iterator<Item = Case> {
    let ops = [Op::Ld, Op::St, Op::Add, Op::Nand].into_iter();
    let cases = ops.flat_map(|op| (0..RAM_BYTES).map(move |address| (op, address)));
    cases.map(|(op, address)| {
        let (word, byte) = (word(op, address as u16), numbered_byte(address));
        Case { word, a: !byte, carry: false, byte, left: Word::ERASED }
    })
}

/// Every jump target, for jumps that are taken and jumps that are not.
pub(super) fn jumps() -> impl Iterator<Item = Case> {
    let kinds = [(Op::Jmp, false), (Op::Jmp, true), (Op::Jc, true), (Op::Jc, false)];
    let cases = RomIndex::all().flat_map(move |target| kinds.map(|kind| (target, kind)));
    cases.map(|(target, (op, carry))| {
        let n = u32::from(target.get());
        Case { word: Word::jump(op, target), a: scatter(n) as u8, carry, byte: 0, left: left(n) }
    })
}

/// Everything that the instruction register can still hold, before one instruction of each kind,
/// with either carry.
pub(super) fn leftovers() -> impl Iterator<Item = Case> {
    let kinds = (0..1_u32 << 12).map(|n| (n, (n >> 4) as u8, Op::from_code((n >> 1) as u8)));
    // The carry is the lowest bit left: low bytes with one and the same go together.
    let lows = |carry: u32| (carry as u8..=u8::MAX).step_by(2);
    let cases = kinds.flat_map(move |(n, high, op)| lows(n & 1).map(move |low| (n, high, op, low)));
    cases.map(|(n, high, op, low)| Case {
        word: word(op, scatter(n >> 1) as u16),
        a: (scatter(n << 8 | u32::from(low)) >> 8) as u8,
        carry: n & 1 == 1,
        byte: (scatter(n) >> 4) as u8,
        left: Word::from_bits(u16::from_be_bytes([high, low])),
    })
}

/// Every opcode after every other, with either carry, several times each.
pub(super) fn pairs() -> impl Iterator<Item = Case> {
    (0..1_u32 << 10).map(|n| {
        let (op, left) = (Op::from_code((n >> 1) as u8), Op::from_code((n >> 4) as u8));
        Case {
            word: word(op, scatter(n) as u16),
            a: (scatter(n) >> 5) as u8,
            carry: n & 1 == 1,
            byte: (scatter(n) >> 9) as u8,
            left: word(left, (scatter(n) >> 3) as u16),
        }
    })
}

/// An LDI of a number that tells places in the program apart.
pub(super) fn numbered_word(index: RomIndex) -> Word {
    Word::ldi((scatter(u32::from(index.get())) >> 3) as u8)
}

pub(super) fn word(op: Op, field: u16) -> Word {
    Word::from_bits(u16::from(op.code()) << 13 | field & 0x1fff)
}

/// Something that the instruction register may still hold.
fn left(n: u32) -> Word {
    Word::from_bits((scatter(n) >> 2) as u16)
}

/// Numbers without a visible order.
fn scatter(n: u32) -> u32 {
    let mixed = n.wrapping_add(1).wrapping_mul(0x9e37_79b9);
    mixed ^ mixed >> 15
}

//! The cases of proof 5: instructions, each with what it starts from.
//!
//! Every list is exhaustive in what it is about; the rest varies without a visible order, so that
//! an instruction that depends on what it does not name shows it.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Op, RomIndex, Word};

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

/// Every opcode, A, byte at the operand's address or low byte of the operand, and C.
pub(super) fn arithmetic() -> impl Iterator<Item = Case> {
    let cases = Op::ALL.into_iter().flat_map(|op| (0..1_u32 << 17).map(move |n| (op, n)));
    cases.map(|(op, n)| {
        let (a, byte, carry) = (n as u8, (n >> 8) as u8, n >> 16 == 1);
        let word = if op.reads_memory() || op.writes_memory() {
            word(op, scatter(n) as u16)
        } else {
            word(op, u16::from(byte) | scatter(n) as u16 & 0x1f00)
        };
        // What an instruction does not name may be anything.
        let byte = if op.reads_memory() { byte } else { scatter(n ^ 0x55) as u8 };
        Case { word, a, carry, byte, left: left(n) }
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
    let cases = (0..=u16::MAX).flat_map(|bits| Op::ALL.map(|op| (bits, op)));
    cases.map(|(bits, op)| {
        let n = u32::from(bits) << 3 | u32::from(op.code());
        Case {
            word: word(op, scatter(n) as u16),
            a: (scatter(n) >> 8) as u8,
            carry: bits & 1 == 1,
            byte: (scatter(n) >> 4) as u8,
            left: Word::from_bits(bits),
        }
    })
}

/// Reset after so many edges of an instruction, every second one, for every opcode and C, before
/// and after the fetch.
pub(super) fn resets() -> impl Iterator<Item = (u32, Case)> {
    (0..1_u32 << 12).map(|n| {
        let (op, left) = (Op::from_code((n >> 3) as u8), Op::from_code((n >> 6) as u8));
        let case = Case {
            word: word(op, scatter(n) as u16),
            a: (scatter(n) >> 5) as u8,
            carry: n & 1 == 1,
            byte: (scatter(n) >> 9) as u8,
            left: word(left, (scatter(n) >> 3) as u16),
        };
        (2 * (n >> 1 & 3), case)
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// How many of these there are, and how many that differ.
    fn counts<T: Eq + std::hash::Hash>(all: impl Iterator<Item = T> + Clone) -> (usize, usize) {
        (all.clone().count(), all.collect::<HashSet<T>>().len())
    }

    #[test]
    fn every_instruction_meets_every_operand_and_carry() {
        let named = arithmetic().collect::<Vec<Case>>();
        let named = named.iter().map(|case| {
            let op = case.word.op();
            let byte = if op.reads_memory() { case.byte } else { case.word.immediate() };
            // The byte that ST's operand names is the one that it replaces.
            (op, case.a, if op.writes_memory() { case.a } else { byte }, case.carry)
        });
        // Of ST the operand has any low byte; A and C are all that matters.
        assert_eq!(counts(named), (8 << 17, 7 * (256 * 256 * 2) + 256 * 2));
    }

    #[test]
    fn every_address_is_read_and_written() {
        let cases = addresses().collect::<Vec<Case>>();
        let named = cases.iter().map(|case| (case.word.op(), case.word.address()));
        assert_eq!(counts(named), (4 * RAM_BYTES, 4 * RAM_BYTES));
        assert!(cases.iter().all(|case| case.a != case.byte), "a byte that is not written shows");
    }

    #[test]
    fn every_jump_is_taken_and_not_taken() {
        let cases = jumps().collect::<Vec<Case>>();
        let named = cases.iter().map(|case| (case.word.op(), case.carry, case.word.target()));
        assert_eq!(counts(named), (2 * 2 * 8192, 2 * 2 * 8192));
        assert!(cases.iter().all(|case| matches!(case.word.op(), Op::Jmp | Op::Jc)));
    }

    #[test]
    fn every_instruction_follows_all_that_can_be_left() {
        let cases = leftovers().collect::<Vec<Case>>();
        assert_eq!(
            counts(cases.iter().map(|case| (case.left, case.word.op()))),
            (8 << 16, 8 << 16)
        );
        let kinds = cases.iter().map(|case| (case.left.op(), case.word.op(), case.carry));
        assert_eq!(counts(kinds), (8 << 16, 8 * 8 * 2));
        assert_eq!(cases.iter().filter(|case| case.carry).count(), 8 << 15);
    }

    #[test]
    fn reset_meets_every_instruction_in_four_phases() {
        let cases = resets().collect::<Vec<(u32, Case)>>();
        let kinds =
            cases.iter().map(|(edges, case)| (*edges, case.word.op(), case.left.op(), case.carry));
        assert_eq!(counts(kinds.clone()), (1 << 12, 4 * 8 * 8 * 2));
        let edges: HashSet<u32> = kinds.map(|(edges, ..)| edges).collect();
        assert_eq!(edges, HashSet::from([0, 2, 4, 6]), "reset rises while the oscillator is high");
    }
}

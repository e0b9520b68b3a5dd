//! The cases of proof 5: instructions, each with an initial state.
//!
//! Every list is exhaustive in one property. The other values vary without an obvious pattern, so
//! that a wrong dependency on them is likely to be detected.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Op, Operand, RomIndex, Word};

/// An instruction and its initial state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(super) word: Word,
    pub(super) a: u8,
    pub(super) carry: bool,
    /// The data byte at the operand's address.
    pub(super) byte: u8,
    /// The word that is still in the instruction register.
    pub(super) stale: Word,
}

impl Case {
    /// Returns whether the instruction uses the byte in data memory. Otherwise it may use the low
    /// byte of its operand.
    fn uses_data(self) -> bool {
        self.word.op().operand() == Operand::Data
    }

    /// Returns a key that distinguishes cases by A and by the byte that the instruction may use.
    pub(super) fn arithmetic_key(self) -> u16 {
        let byte = if self.uses_data() { self.byte } else { self.word.immediate() };
        u16::from_be_bytes([byte, self.a])
    }

    /// Returns a key that distinguishes cases by their operation and operand.
    pub(super) fn word_key(self) -> u16 {
        self.word.bits()
    }

    /// Returns a key that distinguishes cases by the old word in the instruction register.
    pub(super) fn stale_key(self) -> u16 {
        self.stale.bits()
    }

    /// Returns a key that distinguishes cases by the opcode of the old word in the instruction
    /// register.
    pub(super) fn opcodes_key(self) -> u16 {
        self.stale.op().code().into()
    }
}

/// Returns a case for every combination of opcode, A, C and one byte. The byte is in data memory at
/// the operand's address, or it is the low byte of the operand.
pub(super) fn arithmetic() -> impl Iterator<Item = Case> {
    let cases = Op::ALL.into_iter().flat_map(|op| (0..1_u32 << 17).map(move |n| (op, n)));
    cases.map(|(op, n)| {
        let (a, byte, carry) = (n as u8, (n >> 8) as u8, n >> 16 == 1);
        // The other values may be anything. They are the same for every A.
        let [operand, anything, stale] = scatter(n >> 8);
        let case = Case { word: word(op, operand), a, carry, byte, stale: Word::from_bits(stale) };
        if case.uses_data() {
            return case;
        }
        let [high, _] = case.word.bits().to_be_bytes();
        let word = Word::from_bits(u16::from_be_bytes([high, byte]));
        Case { word, byte: anything as u8, ..case }
    })
}

/// Returns a byte of data memory that depends on its address.
pub(super) fn numbered_byte(address: usize) -> u8 {
    let [number] = scatter(address as u32);
    number as u8
}

/// Returns a case for every address of data memory, for each instruction with a data address.
pub(super) fn addresses() -> impl Iterator<Item = Case> {
    let ops = [Op::Ld, Op::St, Op::Add, Op::Nand].into_iter();
    let cases = ops.flat_map(|op| (0..RAM_BYTES).map(move |address| (op, address)));
    cases.map(|(op, address)| {
        let (word, byte) = (word(op, address as u16), numbered_byte(address));
        Case { word, a: !byte, carry: false, byte, stale: Word::ERASED }
    })
}

/// Returns cases for every jump target, with jumps that are taken and jumps that are not taken.
pub(super) fn jumps() -> impl Iterator<Item = Case> {
    let kinds = [(Op::Jmp, false), (Op::Jmp, true), (Op::Jc, true), (Op::Jc, false)];
    let cases = RomIndex::all().flat_map(move |target| kinds.map(|kind| (target, kind)));
    cases.map(|(target, (op, carry))| {
        let [_, stale] = scatter(target.get().into());
        let (word, stale) = (Word::jump(op, target), Word::from_bits(stale));
        Case { word, a: !numbered_word(target).immediate(), carry, byte: 0, stale }
    })
}

/// Returns cases for every word that the instruction register can still hold, before one
/// instruction of each kind, with either carry.
pub(super) fn stale_words() -> impl Iterator<Item = Case> {
    let kinds = (0..1_u32 << 11).flat_map(|n| [false, true].map(|carry| (n, carry)));
    kinds.flat_map(|(n, carry)| {
        let [operand, byte] = scatter(n);
        let word = word(Op::from_code(n as u8), operand);
        // The carry is the lowest bit of the old word.
        (u8::from(carry)..=u8::MAX).step_by(2).map(move |low| {
            let stale = Word::from_bits(u16::from_be_bytes([(n >> 3) as u8, low]));
            let [a] = scatter(stale.bits().into());
            Case { word, a: a as u8, carry, byte: byte as u8, stale }
        })
    })
}

/// Returns several cases for every pair of consecutive opcodes, with either carry.
pub(super) fn pairs() -> impl Iterator<Item = Case> {
    (0..1_u32 << 10).map(|n| {
        let (op, stale_op) = (Op::from_code((n >> 1) as u8), Op::from_code((n >> 4) as u8));
        let [operand, a, byte, stale] = scatter(n);
        let (word, stale) = (word(op, operand), word(stale_op, stale));
        Case { word, a: a as u8, carry: n & 1 == 1, byte: byte as u8, stale }
    })
}

/// Returns an LDI of a number that depends on its index in the program.
pub(super) fn numbered_word(index: RomIndex) -> Word {
    Word::ldi(numbered_byte(index.get().into()))
}

pub(super) fn word(op: Op, field: u16) -> Word {
    Word::from_bits(u16::from(op.code()) << 13 | field & 0x1fff)
}

/// Returns numbers without an obvious pattern or relation.
fn scatter<const N: usize>(n: u32) -> [u16; N] {
    let mut state = n;
    std::array::from_fn(|_| {
        let mixed = state.wrapping_add(1).wrapping_mul(0x9e37_79b9);
        state = mixed ^ mixed >> 15;
        state as u16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of wires that a case sets: the operand, A, the carry, the data byte and the old
    /// word.
    const WIRES: usize = 13 + 8 + 1 + 8 + 16;

    fn wires(case: Case) -> u64 {
        let Case { word, a, carry, byte, stale } = case;
        let operand = u64::from(word.bits() % (1 << 13));
        let a_to_byte = u64::from(a) + u64::from(carry) * (1 << 8) + u64::from(byte) * (1 << 9);
        operand + a_to_byte * (1 << 13) + u64::from(stale.bits()) * (1 << 30)
    }

    /// Returns pairs of wires that are never both high, never both low, or never differ in one of
    /// the two directions. If an instruction used one instead of the other, the cases might not
    /// detect it.
    fn linked(list: impl Iterator<Item = Case>) -> Vec<(usize, usize)> {
        // For each wire and its level: the wires that are high at the same time, and those that are
        // low.
        let mut with = [[(0_u64, 0_u64); 2]; WIRES];
        for wires in list.map(wires) {
            for (wire, with) in with.iter_mut().enumerate() {
                let (high, low) = &mut with[(wires >> wire) as usize % 2];
                *high |= wires;
                *low |= !wires;
            }
        }
        let pairs = (0..WIRES).flat_map(|one| (0..one).map(move |other| (one, other)));
        let misses = |other: usize, (high, low): (u64, u64)| (high & low) >> other & 1 == 0;
        pairs
            .filter(|&(one, other)| with[one].into_iter().any(|with| misses(other, with)))
            .collect()
    }

    #[test]
    fn every_value_that_an_instruction_could_use_varies_independently() {
        for op in Op::ALL {
            let of_op = |case: &Case| case.word.op() == op;
            assert_eq!(linked(arithmetic().filter(of_op).step_by(7)), [], "{op}: arithmetic");
            // Except that the carry is the lowest bit of the old word.
            assert_eq!(linked(stale_words().filter(of_op).step_by(7)), [(30, 21)], "{op}: stale");
            assert_eq!(linked(pairs().filter(of_op)), [], "{op}: pairs");
        }
    }

    /// Before ST writes its cell, the cell holds a different value. Before the instruction at a
    /// jump's target loads A, A holds a different value. With a wrong address, the byte that is
    /// read or loaded is almost always different.
    #[test]
    fn a_wrong_address_gives_a_different_byte() {
        let mut same = [0; 13];
        for case in addresses() {
            let address = case.word.address().to_usize();
            assert_eq!(case.byte, numbered_byte(address));
            assert_ne!(case.a, case.byte);
            for (pin, same) in same.iter_mut().enumerate() {
                *same += usize::from(numbered_byte(address ^ 1 << pin) == case.byte);
            }
        }
        for case in jumps() {
            assert_ne!(case.a, numbered_word(case.word.target()).immediate());
        }
        for (pin, same) in same.into_iter().enumerate() {
            assert!(same < addresses().count() / 100, "pin {pin}: {same} neighbours are the same");
        }
    }
}

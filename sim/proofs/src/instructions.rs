//! The cases of proof 5: instructions, each with what it starts from.
//!
//! Every list is exhaustive in what it is about; the rest varies without a visible order, so that
//! an instruction that depends on what it does not name shows it.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Op, Operand, RomIndex, Word};

/// The start of an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(super) word: Word,
    pub(super) a: u8,
    pub(super) carry: bool,
    /// The data byte at the operand.
    pub(super) byte: u8,
    /// The word that the instruction register still holds.
    pub(super) left: Word,
}

impl Case {
    /// True if the instruction finds its byte in data memory. Otherwise the byte that it may look
    /// at is the low one of its operand.
    fn names_address(self) -> bool {
        self.word.op().operand() == Operand::Data
    }

    /// Which one of all values of A and of the byte that the instruction may look at.
    pub(super) fn arithmetic(self) -> u16 {
        let byte = if self.names_address() { self.byte } else { self.word.immediate() };
        u16::from_be_bytes([byte, self.a])
    }

    /// Which one of all operands.
    pub(super) fn executed(self) -> u16 {
        self.word.bits()
    }

    /// Which one of all words left.
    pub(super) fn leftover(self) -> u16 {
        self.left.bits()
    }

    /// Which one of all opcodes left.
    pub(super) fn pair(self) -> u16 {
        self.left.op().code().into()
    }
}

/// Every opcode, A, byte at the operand's address or low byte of the operand, and C.
pub(super) fn arithmetic() -> impl Iterator<Item = Case> {
    let cases = Op::ALL.into_iter().flat_map(|op| (0..1_u32 << 17).map(move |n| (op, n)));
    cases.map(|(op, n)| {
        let (a, byte, carry) = (n as u8, (n >> 8) as u8, n >> 16 == 1);
        // What the instruction does not name may be anything: the same for every A.
        let [operand, anything, left] = scattered(n >> 8);
        let case = Case { word: word(op, operand), a, carry, byte, left: Word::from_bits(left) };
        if case.names_address() {
            return case;
        }
        let [high, _] = case.word.bits().to_be_bytes();
        let word = Word::from_bits(u16::from_be_bytes([high, byte]));
        Case { word, byte: anything as u8, ..case }
    })
}

/// A byte of data memory that tells addresses apart.
pub(super) fn numbered_byte(address: usize) -> u8 {
    let [number] = scattered(address as u32);
    number as u8
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
        let [_, left] = scattered(target.get().into());
        let (word, left) = (Word::jump(op, target), Word::from_bits(left));
        Case { word, a: !numbered_word(target).immediate(), carry, byte: 0, left }
    })
}

/// Everything that the instruction register can still hold, before one instruction of each kind,
/// with either carry.
pub(super) fn leftovers() -> impl Iterator<Item = Case> {
    let kinds = (0..1_u32 << 11).flat_map(|n| [false, true].map(|carry| (n, carry)));
    kinds.flat_map(|(n, carry)| {
        let [operand, byte] = scattered(n);
        let word = word(Op::from_code(n as u8), operand);
        // The carry is the lowest bit left.
        (u8::from(carry)..=u8::MAX).step_by(2).map(move |low| {
            let left = Word::from_bits(u16::from_be_bytes([(n >> 3) as u8, low]));
            let [a] = scattered(left.bits().into());
            Case { word, a: a as u8, carry, byte: byte as u8, left }
        })
    })
}

/// Every opcode after every other, with either carry, several times each.
pub(super) fn pairs() -> impl Iterator<Item = Case> {
    (0..1_u32 << 10).map(|n| {
        let (op, op_left) = (Op::from_code((n >> 1) as u8), Op::from_code((n >> 4) as u8));
        let [operand, a, byte, left] = scattered(n);
        let (word, left) = (word(op, operand), word(op_left, left));
        Case { word, a: a as u8, carry: n & 1 == 1, byte: byte as u8, left }
    })
}

/// An LDI of a number that tells places in the program apart.
pub(super) fn numbered_word(index: RomIndex) -> Word {
    Word::ldi(numbered_byte(index.get().into()))
}

pub(super) fn word(op: Op, field: u16) -> Word {
    Word::from_bits(u16::from(op.code()) << 13 | field & 0x1fff)
}

/// Numbers without a visible order or connection.
fn scattered<const N: usize>(n: u32) -> [u16; N] {
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

    /// All wires that a case sets: the operand, A, the carry, the data byte, the word left.
    const WIRES: usize = 13 + 8 + 1 + 8 + 16;

    fn wires(case: Case) -> u64 {
        let Case { word, a, carry, byte, left } = case;
        let operand = u64::from(word.bits() % (1 << 13));
        let a_to_byte = u64::from(a) + u64::from(carry) * (1 << 8) + u64::from(byte) * (1 << 9);
        operand + a_to_byte * (1 << 13) + u64::from(left.bits()) * (1 << 30)
    }

    /// Wires that are never high, or never low, together, or never differ in one of the two ways:
    /// an instruction that takes one for the other might not be noticed.
    fn linked(list: impl Iterator<Item = Case>) -> Vec<(usize, usize)> {
        // By wire and its level: the wires that are high with it, and those that are low.
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
    fn whatever_an_instruction_could_depend_on_varies_by_itself() {
        for op in Op::ALL {
            let of_op = |case: &Case| case.word.op() == op;
            assert_eq!(linked(arithmetic().filter(of_op).step_by(7)), [], "{op}: arithmetic");
            // But the carry is the lowest bit left.
            assert_eq!(linked(leftovers().filter(of_op).step_by(7)), [(30, 21)], "{op}: leftovers");
            assert_eq!(linked(pairs().filter(of_op)), [], "{op}: pairs");
        }
    }

    /// Where ST writes A, something else stands before, and so does A before the instruction at the
    /// target of a jump loads it. What a wrong address would read or load is mostly another byte.
    #[test]
    fn bytes_tell_addresses_apart() {
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

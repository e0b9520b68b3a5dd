//! Three-valued simulation: each bit of a byte is 0, 1 or unknown.
//!
//! Its meaning of an instruction is not a second definition. It comes from [`Op::alu`], which is
//! asked about some of the values that the unknown bits may have.

use crate::address::RAM_BYTES;
use crate::operand_bits::CARRY;
use crate::{Op, Word};

/// A byte of which some bits may be unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialByte {
    /// The values of the known bits. An unknown bit is 0 here.
    bits: u8,
    /// The known bits, as a mask.
    known: u8,
}

impl PartialByte {
    /// A byte without a known bit.
    pub const UNKNOWN: Self = Self { bits: 0, known: 0 };

    /// Returns the byte with these known bits. `known` is a mask, and other bits of `bits` are
    /// ignored.
    #[inline]
    pub const fn new(bits: u8, known: u8) -> Self {
        Self { bits: bits & known, known }
    }

    /// Returns the values of the known bits. An unknown bit is 0 here.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.bits
    }

    /// Returns the mask of the known bits.
    #[inline]
    pub const fn known(self) -> u8 {
        self.known
    }

    /// Returns the byte in which the unknown bits are those of another byte.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self::new(self.bits | other.bits & !self.known, self.known | other.known)
    }

    /// Returns the byte if all of its bits are known.
    #[inline]
    pub fn whole(self) -> Option<u8> {
        (self.known == u8::MAX).then_some(self.bits)
    }
}

impl From<u8> for PartialByte {
    fn from(bits: u8) -> Self {
        Self { bits, known: u8::MAX }
    }
}

/// The outputs of the arithmetic unit for operands that are partly known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialAlu {
    /// The byte for A.
    pub value: PartialByte,
    /// The bit for C, or `None` if it is unknown.
    pub carry: Option<bool>,
}

impl Op {
    /// Returns the outputs of the arithmetic unit if A and the data byte are partly known. A bit of
    /// the result is known if and only if it is the same for all values of the unknown bits.
    #[inline]
    pub fn partial_alu(self, a: PartialByte, data: PartialByte, immediate: u8) -> PartialAlu {
        let low = self.outputs(a.bits, data.bits, immediate);
        let changing = if a.known & data.known == u8::MAX {
            0
        } else {
            self.changing_outputs(low, a, data, immediate)
        };
        PartialAlu {
            value: PartialByte::new(low as u8, !changing as u8),
            carry: (changing & CARRY == 0).then_some(low & CARRY != 0),
        }
    }

    /// Returns the outputs as nine bits, with the carry as the highest.
    #[inline]
    fn outputs(self, a: u8, data: u8, immediate: u8) -> u16 {
        let alu = self.alu(a, data, immediate);
        u16::from(alu.value) | u16::from(alu.carry) << 8
    }

    /// Returns the outputs that the unknown bits can change. `low` are those for unknown bits that
    /// are all 0.
    ///
    /// The other values to ask about are these: all unknown bits 1, and one of them 1. That is
    /// enough because every output is a bit of the operands, or rises or falls with each of them,
    /// or is the sum of two bits and a carry that does so. The tests compare all values of four
    /// bits.
    fn changing_outputs(self, low: u16, a: PartialByte, data: PartialByte, immediate: u8) -> u16 {
        let (of_a, of_data) = (!a.known, !data.known);
        let high = self.outputs(a.bits | of_a, data.bits | of_data, immediate);
        let mut changing = low ^ high;
        for bit in (0..8).map(|place| 1_u8 << place) {
            changing |= low ^ self.outputs(a.bits | bit & of_a, data.bits, immediate);
            changing |= low ^ self.outputs(a.bits, data.bits | bit & of_data, immediate);
        }
        changing
    }
}

/// A, C and data memory, of which some bits may be unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialState {
    /// The accumulator.
    pub a: PartialByte,
    /// The carry, or `None` if it is unknown.
    pub carry: Option<bool>,
    /// Data memory.
    pub ram: Box<[PartialByte; RAM_BYTES]>,
}

impl PartialState {
    /// The state at power-up: nothing is known.
    pub fn unknown() -> Self {
        let ram = Box::new([PartialByte::UNKNOWN; RAM_BYTES]);
        Self { a: PartialByte::UNKNOWN, carry: None, ram }
    }

    /// Changes A, C and data memory as an instruction does.
    #[inline]
    pub fn execute(&mut self, word: Word) {
        let (op, data) = (word.op(), &mut self.ram[word.address().to_usize()]);
        if op.writes_memory() {
            *data = self.a;
        }
        let result = op.partial_alu(self.a, *data, word.immediate());
        if op.writes_a() {
            self.a = result.value;
        }
        if op.writes_carry() {
            self.carry = result.carry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RamAddr, SplitMix64};

    /// All bytes whose unknown bits are completed, for a byte with these known bits.
    fn completions(byte: PartialByte) -> impl Iterator<Item = u8> + Clone {
        (0..=u8::MAX).filter(move |value| value & byte.known == byte.bits)
    }

    /// The result by definition: the bits on which all completions agree.
    fn expected(op: Op, a: PartialByte, data: PartialByte, immediate: u8) -> PartialAlu {
        let (mut ones, mut zeros) = (u16::MAX, u16::MAX);
        for a in completions(a) {
            for data in completions(data) {
                let alu = op.alu(a, data, immediate);
                let outputs = u16::from(alu.value) | u16::from(alu.carry) << 8;
                (ones, zeros) = (ones & outputs, zeros & !outputs);
            }
        }
        PartialAlu {
            value: PartialByte::new(ones as u8, (ones | zeros) as u8),
            carry: match (ones & CARRY != 0, zeros & CARRY != 0) {
                (false, false) => None,
                (carry, _) => Some(carry),
            },
        }
    }

    #[test]
    fn a_result_is_known_exactly_where_all_completions_agree() {
        // Four bits of each operand at the low end and at the high end of the byte, where the carry
        // leaves it. The other bits let a carry pass, or are unknown.
        let nibbles = || (0..=u8::MAX).filter(|n| n >> 4 & !n == 0).map(|n| (n >> 4, n & 15));
        for op in Op::ALL {
            for shift in [0, 4] {
                for ((a, a_known), (data, data_known)) in
                    nibbles().flat_map(|a| nibbles().map(move |data| (a, data)))
                {
                    let rest = 15 << (4 - shift);
                    let a = PartialByte::new(a << shift | rest, a_known << shift | rest);
                    let data = PartialByte::new(data << shift, data_known << shift | rest);
                    let result = op.partial_alu(a, data, 0xa5);
                    assert_eq!(result, expected(op, a, data, 0xa5), "{op} {a:?} {data:?}");
                }
            }
        }
    }

    #[test]
    fn random_bytes_agree_with_all_of_their_completions() {
        let random = &mut SplitMix64::new(65);
        for round in 0..2000 {
            let op = Op::ALL[round % 8];
            let a = PartialByte::new(random.byte(), random.byte() | random.byte());
            let data = PartialByte::new(random.byte(), random.byte() | random.byte());
            let result = op.partial_alu(a, data, 0x5a);
            assert_eq!(result, expected(op, a, data, 0x5a), "{op} {a:?} {data:?}");
        }
    }

    #[test]
    fn a_store_and_a_load_keep_exactly_the_known_bits() {
        let address = RamAddr::truncate(5);
        for known in [0x6b, !0x6b] {
            let byte = PartialByte::new(0x35, known);
            let mut state = PartialState { a: byte, ..PartialState::unknown() };
            state.execute(Word::data(Op::St, address));
            assert_eq!((state.ram[5], state.ram[6]), (byte, PartialByte::UNKNOWN));
            state.execute(Word::ldi(0xff));
            assert_eq!((state.a.whole(), state.carry), (Some(0xff), None));
            state.execute(Word::data(Op::Ld, address));
            assert_eq!((state.a, state.ram[5], state.carry), (byte, byte, None));
        }
    }
}

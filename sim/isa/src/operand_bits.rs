//! The operand bits that determine a result.
//!
//! They are bits of A and of the data byte that fix some bits of an instruction's result, whatever
//! the other bits are. Explanations use them to find causes.

use crate::Op;

/// The bits of an instruction's operands that determine some bits of its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OperandBits {
    /// The bits of A, as a mask.
    pub a: u8,
    /// The bits of the byte at the operand's address, as a mask.
    pub data: u8,
    /// True if the instruction itself fixes a bit of the result. This is so for `LDI` and for the
    /// highest bit of `SHR`.
    pub instruction: bool,
}

/// The carry as a bit of a result, one position above the highest bit of the byte.
pub const CARRY: u16 = 1 << 8;

impl Op {
    /// Finds a minimal set of operand bits that fixes some bits of the result.
    ///
    /// `result` is a mask of bits of A, or for `ST` of the stored byte, and possibly [`CARRY`]. `a`
    /// and `data` are the values of the operands. If either of two bits is enough, as for a 1 from
    /// `NAND` with two zeros, the result names the bit of A.
    pub const fn operand_bits(self, result: u16, a: u8, data: u8) -> OperandBits {
        const NONE: OperandBits = OperandBits { a: 0, data: 0, instruction: false };
        let byte = result as u8;
        match self {
            Self::Ldi => OperandBits { instruction: byte != 0, ..NONE },
            Self::Ld => OperandBits { data: byte, ..NONE },
            Self::St => OperandBits { a: byte, ..NONE },
            Self::Nand => OperandBits { a: byte & (!a | data), data: byte & a, ..NONE },
            Self::Shr => {
                let shifted_out = (result & CARRY != 0) as u8;
                OperandBits { a: byte << 1 | shifted_out, data: 0, instruction: byte & 0x80 != 0 }
            }
            Self::Add => bits_of_sum(result, a, data),
            Self::Jc | Self::Jmp => NONE,
        }
    }
}

/// Finds the operand bits for bits of a sum.
///
/// A bit of the sum follows from both operand bits and the carry into it. A carry follows from both
/// operand bits if they are equal. Otherwise it follows from the carry below and the operand bit
/// that equals that carry.
const fn bits_of_sum(result: u16, a: u8, data: u8) -> OperandBits {
    let mut bits = OperandBits { a: 0, data: 0, instruction: false };
    let mut asks_carry = result & CARRY != 0;
    let mut place = 8;
    while place > 0 {
        place -= 1;
        let bit = 1_u8 << place;
        let is_a = a & bit != 0;
        let is_data = data & bit != 0;
        let is_carry = {
            let below = bit - 1;
            (a & below) as u16 + (data & below) as u16 > below as u16
        };
        let asks_bit = result as u8 & bit != 0;
        if asks_bit || asks_carry && (is_a == is_data || is_a == is_carry) {
            bits.a |= bit;
        }
        if asks_bit || asks_carry && (is_a == is_data || is_data == is_carry) {
            bits.data |= bit;
        }
        asks_carry = asks_bit || asks_carry && is_a != is_data;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bits of the result in the mask `asked`.
    fn result(op: Op, asked: u16, a: u8, data: u8) -> u16 {
        let alu = op.alu(a, data, 0x5a);
        (u16::from(alu.value) | u16::from(alu.carry) << 8) & asked
    }

    #[test]
    fn operand_bits_determine_the_result_and_all_are_needed() {
        // Four bits are enough, because a position only depends on itself and its neighbours.
        let bits = |bits: u8| (0..8).map(|n| 1 << n).filter(move |bit| bits & bit != 0);
        for op in [Op::Ldi, Op::Ld, Op::St, Op::Nand, Op::Shr, Op::Add] {
            for (a, data) in (0..16).flat_map(|a| (0..16).map(move |data| (a, data))) {
                for asked in (0..3).map(|place| 1 << place) {
                    let OperandBits { a: of_a, data: of_data, .. } =
                        op.operand_bits(asked, a, data);
                    let fixes = |of_a: u8, of_data: u8| {
                        let agree =
                            |(x, y): &(u8, u8)| (x ^ a) & of_a == 0 && (y ^ data) & of_data == 0;
                        let all = (0..16).flat_map(|x| (0..16).map(move |y| (x, y)));
                        let wanted = result(op, asked, a, data);
                        all.filter(agree).all(|(x, y)| result(op, asked, x, y) == wanted)
                    };
                    let what = format!("{op} bit {asked:#x} of {a:02x} and {data:02x}");
                    assert!(fixes(of_a, of_data), "{what}");
                    // The lowest position of a sum has no carry into it.
                    let lowest = u8::from(op == Op::Add);
                    let of_a_higher = of_a & !lowest;
                    assert!(bits(of_a_higher).all(|bit| !fixes(of_a & !bit, of_data)), "{what}");
                    let of_data_higher = of_data & !lowest;
                    assert!(bits(of_data_higher).all(|bit| !fixes(of_a, of_data & !bit)), "{what}");
                }
            }
        }
    }

    #[test]
    fn operand_bits_of_known_results() {
        let bits = |op: Op, asked, a, data| {
            let OperandBits { a, data, instruction } = op.operand_bits(asked, a, data);
            (a, data, instruction)
        };
        for (op, asked, a, data, expected) in [
            (Op::Nand, 0x10, 0x10, 0x10, (0x10, 0x10, false)),
            (Op::Nand, 0x10, 0x00, 0x10, (0x10, 0x00, false)),
            (Op::Nand, 0x10, 0x10, 0x00, (0x00, 0x10, false)),
            (Op::Nand, 0x10, 0x00, 0x00, (0x10, 0x00, false)),
            (Op::Shr, 0x81, 0xff, 0x00, (0x02, 0x00, true)),
            (Op::Shr, CARRY, 0xff, 0x00, (0x01, 0x00, false)),
            (Op::Shr, 0x80, 0xff, 0x00, (0x00, 0x00, true)),
            (Op::Ldi, 0x80, 0xff, 0x00, (0x00, 0x00, true)),
            (Op::St, 0x42, 0xff, 0x00, (0x42, 0x00, false)),
            (Op::Ld, 0x42, 0xff, 0x00, (0x00, 0x42, false)),
            // Two ones produce a carry. At each position above, an operand bit that is 1 passes it
            // on.
            (Op::Add, CARRY, 0x80, 0x80, (0x80, 0x80, false)),
            (Op::Add, CARRY, 0xff, 0x01, (0xff, 0x01, false)),
            (Op::Add, 0x04, 0x04, 0x02, (0x07, 0x05, false)),
            (Op::Add, 0x01, 0x01, 0x00, (0x01, 0x01, false)),
            (Op::Jc, 0xff, 0xff, 0xff, (0, 0, false)),
        ] {
            assert_eq!(bits(op, asked, a, data), expected, "{op} {asked:#x} {a:02x} {data:02x}");
        }
    }
}

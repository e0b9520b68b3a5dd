//! The eight instructions and their meanings.
//!
//! This defines what an opcode means. The instruction engine executes the definition, the
//! function chips are burned from it, and the assembler and disassembler take names and operands
//! from it.

use std::fmt;

/// The operation of an instruction. The discriminants are the opcodes, bits 13–15 of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Op {
    /// `LDI n`: A <- low byte of the operand.
    Ldi = 0,
    /// `LD a`: A <- \[a\].
    Ld = 1,
    /// `ST a`: \[a\] <- A.
    St = 2,
    /// `ADD a`: A <- A + \[a\], C <- carry out.
    Add = 3,
    /// `NAND a`: A <- not (A and \[a\]).
    Nand = 4,
    /// `SHR`: A <- A / 2, C <- the bit shifted out.
    Shr = 5,
    /// `JC t`: PC <- t if C is set.
    Jc = 6,
    /// `JMP t`: PC <- t.
    Jmp = 7,
}

/// The meaning of the 13-bit operand field of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// A byte to load. The high five bits of the field are ignored.
    Immediate,
    /// The address of a data byte.
    Data,
    /// The Gray code of an instruction index.
    Target,
    /// No operand. The machine ignores the field, and the assembler writes 0.
    None,
}

/// The outputs of the arithmetic unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alu {
    /// The byte for A. Some instructions do not write it to A.
    pub value: u8,
    /// The bit for C. It is clear for instructions that do not write C.
    pub carry: bool,
}

impl Op {
    /// All operations in the order of their opcodes.
    pub const ALL: [Self; 8] =
        [Self::Ldi, Self::Ld, Self::St, Self::Add, Self::Nand, Self::Shr, Self::Jc, Self::Jmp];

    /// Returns the operation of an opcode. Only the low three bits of `code` count.
    pub const fn from_code(code: u8) -> Self {
        Self::ALL[(code & 7) as usize]
    }

    /// Returns the opcode, 0 ..= 7.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the name in assembly language, in capitals.
    pub const fn mnemonic(self) -> &'static str {
        match self {
            Self::Ldi => "LDI",
            Self::Ld => "LD",
            Self::St => "ST",
            Self::Add => "ADD",
            Self::Nand => "NAND",
            Self::Shr => "SHR",
            Self::Jc => "JC",
            Self::Jmp => "JMP",
        }
    }

    /// Returns the operation with this mnemonic, in either case.
    pub fn from_mnemonic(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.mnemonic().eq_ignore_ascii_case(name))
    }

    /// Returns the meaning of the operand field for this operation.
    pub const fn operand(self) -> Operand {
        match self {
            Self::Ldi => Operand::Immediate,
            Self::Ld | Self::St | Self::Add | Self::Nand => Operand::Data,
            Self::Shr => Operand::None,
            Self::Jc | Self::Jmp => Operand::Target,
        }
    }

    /// Returns the outputs of the arithmetic unit. Its inputs are A, the data byte at the operand's
    /// address, and the low byte of the operand.
    ///
    /// For an operation that does not write A, the value is A.
    pub const fn alu(self, a: u8, data: u8, immediate: u8) -> Alu {
        let (value, carry) = match self {
            Self::Ldi => (immediate, false),
            Self::Ld => (data, false),
            Self::Add => a.overflowing_add(data),
            Self::Nand => (!(a & data), false),
            Self::Shr => (a >> 1, a & 1 == 1),
            Self::St | Self::Jc | Self::Jmp => (a, false),
        };
        Alu { value, carry }
    }

    /// Returns true if the operation writes A.
    pub const fn writes_a(self) -> bool {
        matches!(self, Self::Ldi | Self::Ld | Self::Add | Self::Nand | Self::Shr)
    }

    /// Returns true if the operation writes C.
    pub const fn writes_carry(self) -> bool {
        matches!(self, Self::Add | Self::Shr)
    }

    /// Returns true if the operation stores A at the operand's address.
    pub const fn writes_memory(self) -> bool {
        matches!(self, Self::St)
    }

    /// Returns true if the result depends on the byte at the operand's address.
    pub const fn reads_memory(self) -> bool {
        matches!(self, Self::Ld | Self::Add | Self::Nand)
    }

    /// Returns true if the operation jumps to its target, given C.
    pub const fn jumps(self, carry: bool) -> bool {
        match self {
            Self::Jmp => true,
            Self::Jc => carry,
            _ => false,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.mnemonic())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The instruction table, written by hand from the description of the machine. The columns are
    /// opcode, mnemonic, writes A, writes C, writes memory, reads memory, jumps with C = 0, jumps
    /// with C = 1.
    const TABLE: [(u8, &str, [bool; 6]); 8] = {
        const T: bool = true;
        const F: bool = false;
        [
            (0, "LDI", [T, F, F, F, F, F]),
            (1, "LD", [T, F, F, T, F, F]),
            (2, "ST", [F, F, T, F, F, F]),
            (3, "ADD", [T, T, F, T, F, F]),
            (4, "NAND", [T, F, F, T, F, F]),
            (5, "SHR", [T, T, F, F, F, F]),
            (6, "JC", [F, F, F, F, F, T]),
            (7, "JMP", [F, F, F, F, T, T]),
        ]
    };

    #[test]
    fn opcodes_names_and_effects_are_those_of_the_table() {
        for (code, name, effects) in TABLE {
            let op = Op::from_code(code);
            assert_eq!((op.code(), op.mnemonic()), (code, name));
            assert_eq!(Op::from_mnemonic(&name.to_lowercase()), Some(op));
            assert_eq!(
                effects,
                [
                    op.writes_a(),
                    op.writes_carry(),
                    op.writes_memory(),
                    op.reads_memory(),
                    op.jumps(false),
                    op.jumps(true),
                ],
                "{name}"
            );
        }
    }

    #[test]
    fn arithmetic_is_right_for_all_operands() {
        for a in 0..=u8::MAX {
            assert_eq!(Op::Shr.alu(a, 0x55, 0xaa), Alu { value: a / 2, carry: a % 2 == 1 });
            for m in 0..=u8::MAX {
                let sum = u16::from(a) + u16::from(m);
                assert_eq!(
                    Op::Add.alu(a, m, !m),
                    Alu { value: (sum % 256) as u8, carry: sum > 255 }
                );
                assert_eq!(Op::Nand.alu(a, m, !m), Alu { value: 255 - (a & m), carry: false });
                assert_eq!(Op::Ld.alu(a, m, !m).value, m);
                assert_eq!(Op::Ldi.alu(a, !m, m).value, m);
                for op in [Op::St, Op::Jc, Op::Jmp] {
                    assert_eq!(op.alu(a, m, !m), Alu { value: a, carry: false });
                }
            }
        }
    }

    #[test]
    fn no_other_word_is_a_mnemonic() {
        for word in ["", "L", "LDA", "HALT", "NOP", "ADD "] {
            assert_eq!(Op::from_mnemonic(word), None);
        }
    }
}

//! Encodes the x86-64 instructions that compiled programs consist of.
//!
//! One function for each instruction; the types of the operands admit what can be encoded only.
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.

use crate::code::operations::Position;

/// A general-purpose register, all but the stack pointer. The discriminant is its number in
/// encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::code) enum Register {
    Rax = 0,
    Rcx = 1,
    Rdx = 2,
    Rbx = 3,
    Rbp = 5,
    Rsi = 6,
    Rdi = 7,
    R8 = 8,
    R9 = 9,
    R10 = 10,
    R11 = 11,
    R12 = 12,
    R13 = 13,
    R14 = 14,
    R15 = 15,
}

/// A place in memory: a base register and a displacement in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Memory {
    /// Not `R12`, which needs a longer encoding.
    pub(super) base: Register,
    pub(super) offset: i32,
}

/// The operand that a byte operation reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOperand {
    Register(Register),
    Memory(Memory),
    Constant(u8),
}

/// The operand that a `ModRM` byte encodes beside a register.
#[derive(Clone, Copy)]
enum ModRmOperand {
    Register(Register),
    Memory(Memory),
}

/// The byte operations that may read a constant, by their numbers in encodings.
#[derive(Clone, Copy)]
enum ByteOperation {
    Add = 0,
    Or = 1,
    And = 4,
}

/// The condition of a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Always,
    /// CF is set: a carry, or a borrow (unsigned below).
    Carry,
    /// CF is clear.
    NoCarry,
    /// ZF is set.
    Zero,
    /// ZF is clear.
    NotZero,
}

/// A jump whose destination is to be set.
#[derive(Debug)]
#[must_use]
pub(in crate::code) struct Jump {
    /// Where the next instruction starts; the displacement is the four bytes before.
    end: Position,
}

/// How many bits of the registers an instruction works on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    /// The low byte. The others keep what they hold.
    Byte,
    /// The low half. The upper half becomes 0.
    Double,
    /// All 64 bits.
    Quad,
}

/// Collects machine code.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    code: Vec<u8>,
}

impl Assembler {
    /// The finished code.
    pub(super) fn into_code(self) -> Vec<u8> {
        self.code
    }

    /// Where the next instruction will start.
    pub(super) fn position(&self) -> Position {
        Position(self.code.len())
    }

    /// `movzx to, byte from`.
    pub(super) fn load_byte(&mut self, to: Register, from: Memory) {
        self.instruction(Width::Double, &[0x0f, 0xb6], to as u8, ModRmOperand::Memory(from));
    }

    /// `mov byte to, from`.
    pub(super) fn store_byte(&mut self, to: Memory, from: Register) {
        self.instruction(Width::Byte, &[0x88], from as u8, ModRmOperand::Memory(to));
    }

    /// `mov to, qword from`.
    pub(super) fn load(&mut self, to: Register, from: Memory) {
        self.instruction(Width::Quad, &[0x8b], to as u8, ModRmOperand::Memory(from));
    }

    /// `mov qword to, from`.
    pub(super) fn store(&mut self, to: Memory, from: Register) {
        self.instruction(Width::Quad, &[0x89], from as u8, ModRmOperand::Memory(to));
    }

    /// `mov to, from`: 64 bits; nothing if they are the same. Preserves the flags.
    pub(super) fn copy(&mut self, to: Register, from: Register) {
        if to == from {
            return;
        }
        self.instruction(Width::Quad, &[0x8b], to as u8, ModRmOperand::Register(from));
    }

    /// `mov to, value`: the upper half becomes 0. Preserves the flags.
    pub(super) fn set(&mut self, to: Register, value: u32) {
        self.prefix(Width::Double, 0, 0, to as u8);
        self.code.push(0xb8 | to as u8 & 7);
        self.code.extend(value.to_le_bytes());
    }

    /// `and to, from`: bytes.
    pub(super) fn and_byte(&mut self, to: Register, from: ByteOperand) {
        self.byte_operation(ByteOperation::And, to, from);
    }

    /// `or to, from`: bytes.
    pub(super) fn or_byte(&mut self, to: Register, from: ByteOperand) {
        self.byte_operation(ByteOperation::Or, to, from);
    }

    /// `add to, from`: bytes. CF takes the carry.
    pub(super) fn add_byte(&mut self, to: Register, from: ByteOperand) {
        self.byte_operation(ByteOperation::Add, to, from);
    }

    /// `not of`: 32 bits. Preserves the flags.
    pub(super) fn not(&mut self, of: Register) {
        self.instruction(Width::Double, &[0xf7], 2, ModRmOperand::Register(of));
    }

    /// `shr of, 1`: a byte. CF takes the bit that is shifted out.
    pub(super) fn shift_byte_right(&mut self, of: Register) {
        self.instruction(Width::Byte, &[0xd0], 5, ModRmOperand::Register(of));
    }

    /// `setc to`: the byte becomes CF. Preserves the flags.
    pub(super) fn set_to_carry(&mut self, to: Register) {
        self.instruction(Width::Byte, &[0x0f, 0x92], 0, ModRmOperand::Register(to));
    }

    /// `test of, of`: a byte. ZF is set if it is 0.
    pub(super) fn test_byte(&mut self, of: Register) {
        self.instruction(Width::Byte, &[0x84], of as u8, ModRmOperand::Register(of));
    }

    /// `cmp a, b`: 64 bits. ZF is set if they are equal.
    pub(super) fn compare(&mut self, a: Register, b: Memory) {
        self.instruction(Width::Quad, &[0x3b], a as u8, ModRmOperand::Memory(b));
    }

    /// `cmp a, value`: 64 bits, unsigned. CF is set if a is below.
    pub(super) fn compare_with(&mut self, a: Register, value: u16) {
        self.instruction(Width::Quad, &[0x81], 7, ModRmOperand::Register(a));
        self.code.extend(u32::from(value).to_le_bytes());
    }

    /// `lea to, [from]`: the address, 64 bits. Preserves the flags.
    pub(super) fn address(&mut self, to: Register, from: Memory) {
        self.instruction(Width::Quad, &[0x8d], to as u8, ModRmOperand::Memory(from));
    }

    /// `lea to, [a + b]`: the sum, 32 bits. Preserves the flags.
    pub(super) fn sum(&mut self, to: Register, a: Register, b: Register) {
        let (to, a, b) = (to as u8, a as u8, b as u8);
        self.prefix(Width::Double, to, b, a);
        // The displacement, one byte of 0, is there because some bases have no encoding without.
        self.code.extend([0x8d, 0b01 << 6 | (to & 7) << 3 | 0b100, (b & 7) << 3 | a & 7, 0]);
    }

    /// `push of`.
    pub(super) fn push(&mut self, of: Register) {
        self.prefix(Width::Double, 0, 0, of as u8);
        self.code.push(0x50 | of as u8 & 7);
    }

    /// `pop to`.
    pub(super) fn pop(&mut self, to: Register) {
        self.prefix(Width::Double, 0, 0, to as u8);
        self.code.push(0x58 | to as u8 & 7);
    }

    /// `ret`.
    pub(super) fn ret(&mut self) {
        self.code.push(0xc3);
    }

    /// `jmp to`.
    pub(super) fn jump_to_register(&mut self, to: Register) {
        self.instruction(Width::Double, &[0xff], 4, ModRmOperand::Register(to));
    }

    /// `jmp` or `jcc`; [`Self::patch`] sets its destination.
    pub(super) fn jump(&mut self, condition: Condition) -> Jump {
        match condition {
            Condition::Always => self.code.push(0xe9),
            Condition::Carry => self.code.extend([0x0f, 0x82]),
            Condition::NoCarry => self.code.extend([0x0f, 0x83]),
            Condition::Zero => self.code.extend([0x0f, 0x84]),
            Condition::NotZero => self.code.extend([0x0f, 0x85]),
        }
        self.code.extend([0; 4]);
        Jump { end: self.position() }
    }

    /// Makes a jump lead to a position.
    pub(super) fn patch(&mut self, jump: &Jump, at: Position) {
        let offset = |position: Position| {
            i32::try_from(position.0).expect("the code of 8192 instructions is less than 2 GiB")
        };
        let displacement = offset(at) - offset(jump.end);
        let Position(end) = jump.end;
        self.code[end - 4..end].copy_from_slice(&displacement.to_le_bytes());
    }

    fn byte_operation(&mut self, operation: ByteOperation, to: Register, from: ByteOperand) {
        let number = operation as u8;
        let place = match from {
            ByteOperand::Constant(value) => {
                self.instruction(Width::Byte, &[0x80], number, ModRmOperand::Register(to));
                return self.code.push(value);
            }
            ByteOperand::Register(register) => ModRmOperand::Register(register),
            ByteOperand::Memory(memory) => ModRmOperand::Memory(memory),
        };
        self.instruction(Width::Byte, &[number << 3 | 2], to as u8, place);
    }

    /// An instruction with a `ModRM` byte: `field` is the number in its middle, a register or an
    /// extension of the opcode; `operand` is the rest.
    fn instruction(&mut self, width: Width, opcode: &[u8], field: u8, operand: ModRmOperand) {
        let (ModRmOperand::Register(base) | ModRmOperand::Memory(Memory { base, .. })) = operand;
        self.prefix(width, field, 0, base as u8);
        self.code.extend(opcode);
        let numbers = (field & 7) << 3 | base as u8 & 7;
        match operand {
            ModRmOperand::Register(_) => self.code.push(0b11 << 6 | numbers),
            ModRmOperand::Memory(Memory { offset, .. }) => {
                if let Ok(offset) = i8::try_from(offset) {
                    self.code.push(0b01 << 6 | numbers);
                    self.code.extend(offset.to_le_bytes());
                } else {
                    self.code.push(0b10 << 6 | numbers);
                    self.code.extend(offset.to_le_bytes());
                }
            }
        }
    }

    /// The REX prefix, where it is needed: for 64 bits, for registers from `R8` on, and for the low
    /// bytes of `Rbp`, `Rsi` and `Rdi`. For simplicity all byte operations have it.
    fn prefix(&mut self, width: Width, field: u8, index: u8, base: u8) {
        let bits =
            u8::from(width == Width::Quad) << 3 | field >> 3 << 2 | index >> 3 << 1 | base >> 3;
        if bits != 0 || width == Width::Byte {
            self.code.push(0x40 | bits);
        }
    }
}

//! Encodes the x86-64 instructions used in compiled programs.
//!
//! Each instruction has one function. The types of its operands allow only operands that can be
//! encoded. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.

use crate::code::operations::Position;

/// A general-purpose register, except the stack pointer. The discriminant is its number in
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

/// A memory operand: a base register and a displacement in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Memory {
    /// Not `R12`, which needs a longer encoding.
    pub(super) base: Register,
    pub(super) offset: i32,
}

/// The source operand of a byte operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOperand {
    Register(Register),
    Memory(Memory),
    Constant(u8),
}

/// The operand of a `ModRM` byte other than its register field.
#[derive(Clone, Copy)]
enum ModRmOperand {
    Register(Register),
    Memory(Memory),
}

/// The byte operations that may read a constant. The discriminants are their numbers in encodings.
#[derive(Clone, Copy)]
pub(super) enum ByteOperation {
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

/// A jump whose destination has not been set yet.
#[derive(Debug)]
#[must_use]
pub(in crate::code) struct Jump {
    /// The start of the next instruction. The displacement is in the four bytes before it.
    end: Position,
}

/// The part of the registers that an instruction works on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    /// The low byte. The other bytes do not change.
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
    pub(super) fn into_code(self) -> Vec<u8> {
        self.code
    }

    /// Returns the position of the next instruction.
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

    /// `mov to, from`: 64 bits. Emits nothing if they are the same. Preserves the flags.
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

    /// `not of`: 32 bits. Preserves the flags.
    pub(super) fn not(&mut self, of: Register) {
        self.instruction(Width::Double, &[0xf7], 2, ModRmOperand::Register(of));
    }

    /// `shr of, 1`: a byte. Sets CF to the bit that is shifted out.
    pub(super) fn shift_byte_right(&mut self, of: Register) {
        self.instruction(Width::Byte, &[0xd0], 5, ModRmOperand::Register(of));
    }

    /// `setc to`: sets the byte to CF. Preserves the flags.
    pub(super) fn set_to_carry(&mut self, to: Register) {
        self.instruction(Width::Byte, &[0x0f, 0x92], 0, ModRmOperand::Register(to));
    }

    /// `test of, of`: a byte. Sets ZF if it is 0.
    pub(super) fn test_byte(&mut self, of: Register) {
        self.instruction(Width::Byte, &[0x84], of as u8, ModRmOperand::Register(of));
    }

    /// `cmp a, b`: 64 bits. Sets ZF if they are equal.
    pub(super) fn compare(&mut self, a: Register, b: Memory) {
        self.instruction(Width::Quad, &[0x3b], a as u8, ModRmOperand::Memory(b));
    }

    /// `cmp a, value`: 64 bits, unsigned. Sets CF if `a` is below.
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
        // Some bases cannot be encoded without a displacement, so there is one, a byte of 0.
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

    /// `jmp` or `jcc`. [`Self::patch`] sets the destination.
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

    /// Sets the destination of a jump.
    pub(super) fn patch(&mut self, jump: &Jump, at: Position) {
        let offset = |position: Position| {
            i32::try_from(position.0).expect("the code of 8192 instructions is less than 2 GiB")
        };
        let displacement = offset(at) - offset(jump.end);
        let Position(end) = jump.end;
        self.code[end - 4..end].copy_from_slice(&displacement.to_le_bytes());
    }

    /// `add`, `or` or `and to, from`: bytes. An addition sets CF to the carry.
    pub(super) fn byte_operation(
        &mut self,
        operation: ByteOperation,
        to: Register,
        from: ByteOperand,
    ) {
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

    /// Emits an instruction with a `ModRM` byte. `field` is the middle field of that byte: a
    /// register, or an extension of the opcode. `operand` gives its other fields.
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

    /// Adds the REX prefix if needed: for 64 bits, for registers from `R8` on, and for the low
    /// bytes of `Rbp`, `Rsi` and `Rdi`. For simplicity all byte operations have it.
    fn prefix(&mut self, width: Width, field: u8, index: u8, base: u8) {
        let bits =
            u8::from(width == Width::Quad) << 3 | field >> 3 << 2 | index >> 3 << 1 | base >> 3;
        if bits != 0 || width == Width::Byte {
            self.code.push(0x40 | bits);
        }
    }
}

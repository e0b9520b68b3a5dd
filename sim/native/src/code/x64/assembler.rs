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

#[cfg(test)]
mod tests {
    use super::Register::*;
    use super::*;

    fn at(base: Register, offset: i32) -> Memory {
        Memory { base, offset }
    }

    /// What one or more instructions are encoded as, in hexadecimal.
    fn encoded(assemble: impl Fn(&mut Assembler)) -> String {
        let mut assembler = Assembler::default();
        assemble(&mut assembler);
        let bytes: Vec<String> =
            assembler.into_code().iter().map(|byte| format!("{byte:02x}")).collect();
        bytes.join(" ")
    }

    /// GNU objdump disassembles the encodings to the text beside them.
    #[test]
    fn instructions_are_encoded_as_the_manual_says() {
        type Assemble = fn(&mut Assembler);
        let cases: &[(&str, Assemble, &str)] = &[
            ("movzx eax,BYTE PTR [rdi-0x80]", |a| a.load_byte(Rax, at(Rdi, -128)), "0f b6 47 80"),
            (
                "movzx r9d,BYTE PTR [rdi+0x1f7f]",
                |a| a.load_byte(R9, at(Rdi, 0x1f7f)),
                "44 0f b6 8f 7f 1f 00 00",
            ),
            ("mov BYTE PTR [rdi+0x7f],dl", |a| a.store_byte(at(Rdi, 127), Rdx), "40 88 57 7f"),
            (
                "mov BYTE PTR [rdi+0x80],r15b",
                |a| a.store_byte(at(Rdi, 128), R15),
                "44 88 bf 80 00 00 00",
            ),
            ("mov rsi,QWORD PTR [rbp+0x8]", |a| a.load(Rsi, at(Rbp, 8)), "48 8b 75 08"),
            ("mov QWORD PTR [rbp+0x10],rdx", |a| a.store(at(Rbp, 16), Rdx), "48 89 55 10"),
            ("mov rbp,rdi", |a| a.copy(Rbp, Rdi), "48 8b ef"),
            ("mov r12,rax", |a| a.copy(R12, Rax), "4c 8b e0"),
            ("", |a| a.copy(Rax, Rax), ""),
            ("mov eax,0xff", |a| a.set(Rax, 0xff), "b8 ff 00 00 00"),
            ("mov r8d,0x12345678", |a| a.set(R8, 0x1234_5678), "41 b8 78 56 34 12"),
            (
                "and al,BYTE PTR [rdi+0x0]",
                |a| a.and_byte(Rax, ByteOperand::Memory(at(Rdi, 0))),
                "40 22 47 00",
            ),
            ("and r10b,bl", |a| a.and_byte(R10, ByteOperand::Register(Rbx)), "44 22 d3"),
            ("and bl,r10b", |a| a.and_byte(Rbx, ByteOperand::Register(R10)), "41 22 da"),
            ("or r10b,bl", |a| a.or_byte(R10, ByteOperand::Register(Rbx)), "44 0a d3"),
            ("add dl,dl", |a| a.add_byte(Rdx, ByteOperand::Register(Rdx)), "40 02 d2"),
            (
                "add r14b,BYTE PTR [rdi-0x1]",
                |a| a.add_byte(R14, ByteOperand::Memory(at(Rdi, -1))),
                "44 02 77 ff",
            ),
            ("not ebx", |a| a.not(Rbx), "f7 d3"),
            ("not r13d", |a| a.not(R13), "41 f7 d5"),
            ("shr al,1", |a| a.shift_byte_right(Rax), "40 d0 e8"),
            ("shr r11b,1", |a| a.shift_byte_right(R11), "41 d0 eb"),
            ("setb cl", |a| a.set_to_carry(Rcx), "40 0f 92 c1"),
            ("test cl,cl", |a| a.test_byte(Rcx), "40 84 c9"),
            ("cmp rdx,QWORD PTR [rbp+0x18]", |a| a.compare(Rdx, at(Rbp, 24)), "48 3b 55 18"),
            ("cmp rsi,0x514", |a| a.compare_with(Rsi, 1300), "48 81 fe 14 05 00 00"),
            ("lea rsi,[rsi-0x7]", |a| a.address(Rsi, at(Rsi, -7)), "48 8d 76 f9"),
            ("lea eax,[rbx+rdx*1+0x0]", |a| a.sum(Rax, Rbx, Rdx), "8d 44 13 00"),
            ("lea r9d,[r12+r8*1+0x0]", |a| a.sum(R9, R12, R8), "47 8d 4c 04 00"),
            ("lea ebx,[r13+rdx*1+0x0]", |a| a.sum(Rbx, R13, Rdx), "41 8d 5c 15 00"),
            ("lea edx,[rax+r12*1+0x0]", |a| a.sum(Rdx, Rax, R12), "42 8d 54 20 00"),
            ("push rbp", |a| a.push(Rbp), "55"),
            ("push r15", |a| a.push(R15), "41 57"),
            ("pop rbx", |a| a.pop(Rbx), "5b"),
            ("pop r12", |a| a.pop(R12), "41 5c"),
            ("ret", Assembler::ret, "c3"),
            ("jmp rdx", |a| a.jump_to_register(Rdx), "ff e2"),
        ];
        for (text, assemble, expected) in cases {
            assert_eq!(encoded(assemble), *expected, "{text}");
        }
    }

    #[test]
    fn constants_are_encoded_as_the_manual_says() {
        let constant = ByteOperand::Constant;
        assert_eq!(encoded(|a| a.add_byte(R12, constant(0x80))), "41 80 c4 80", "add r12b,0x80");
        assert_eq!(encoded(|a| a.or_byte(Rbx, constant(1))), "40 80 cb 01", "or bl,0x1");
        assert_eq!(encoded(|a| a.and_byte(Rax, constant(0x7f))), "40 80 e0 7f", "and al,0x7f");
    }

    #[test]
    fn jumps_lead_forward_and_back() {
        let conditions = [
            (Condition::Always, "e9"),
            (Condition::Carry, "0f 82"),
            (Condition::NoCarry, "0f 83"),
            (Condition::Zero, "0f 84"),
            (Condition::NotZero, "0f 85"),
        ];
        for (condition, opcode) in conditions {
            let forward = encoded(|a| {
                let jump = a.jump(condition);
                a.ret();
                a.patch(&jump, a.position());
            });
            assert_eq!(forward, format!("{opcode} 01 00 00 00 c3"));
        }
        let back = encoded(|a| {
            let start = a.position();
            a.ret();
            let jump = a.jump(Condition::Always);
            a.patch(&jump, start);
        });
        assert_eq!(back, "c3 e9 fa ff ff ff");
    }
}

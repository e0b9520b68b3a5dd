//! The operations of compiled programs as A64 instructions for 64-bit Arm processors.
//!
//! The carry is never in the flags, because A64 has no addition of bytes that would set one. It is
//! bit 8 of the sum of two zero-extended bytes, and is copied to the register of C at once.

mod assembler;

use gray1_isa::RamAddr;

use super::context::Context;
use super::operations::{Operations, Position, Source};
use assembler::{Assembler, Condition, Immediate, Memory};
pub(super) use assembler::{Jump, Register};

/// Points to the context, which is the first argument.
const CONTEXT: Register = Register::X0;
/// Points to the first byte of data memory.
const RAM: Register = Register::X1;
/// Points to the second half of data memory, which is too far for offsets from the first byte.
const UPPER_RAM: Register = Register::X2;
/// Holds the number of instructions that may still be executed.
const REMAINING: Register = Register::X3;
/// Holds C, 0 or 1.
const C: Register = Register::X4;
/// Holds operands within an operation, and the result of the function.
const SCRATCH: Register = Register::X5;
/// The home register of A.
const A: Register = Register::X6;
/// A second scratch register. It can also cache cells, but not at the start of a block where
/// execution may stop.
const OUTPUT_END: Register = Register::X7;

const ONE: Immediate = Immediate::new(1);

/// Appends operations to A64 machine code.
#[derive(Debug, Default)]
pub(super) struct Emitter(Assembler);

impl Operations<Register> for Emitter {
    type Jump = Jump;

    const HOME: Register = A;
    const CACHE: &'static [Register] = {
        use Register::{X7, X8, X9, X10, X11, X12, X13, X14, X15, X16, X17};
        &[A, X7, X8, X9, X10, X11, X12, X13, X14, X15, X16, X17]
    };

    fn into_code(self) -> Vec<u8> {
        self.0.into_code()
    }

    fn position(&self) -> Position {
        self.0.position()
    }

    fn enter(&mut self) {
        // The second argument. Its register is needed for something else.
        self.0.copy(SCRATCH, Register::X1);
        self.0.load(RAM, pointer(Context::RAM));
        self.0.add_pages_to_address(UPPER_RAM, RAM, ONE);
        self.0.load(REMAINING, pointer(Context::REMAINING));
        self.0.load_byte(A, byte(Context::A));
        self.0.load_byte(C, byte(Context::CARRY));
        self.0.jump_to_register(SCRATCH);
    }

    fn set_result(&mut self, number: u32) {
        self.0.set(SCRATCH, number as u16);
        self.0.set_upper(SCRATCH, (number >> 16) as u16);
    }

    fn leave(&mut self) {
        self.0.store(pointer(Context::REMAINING), REMAINING);
        self.0.store_byte(byte(Context::A), A);
        self.0.store_byte(byte(Context::CARRY), C);
        self.0.copy(Register::X0, SCRATCH);
        self.0.ret();
    }

    fn set(&mut self, to: Register, value: u8) {
        self.0.set(to, u16::from(value));
    }

    fn load(&mut self, to: Register, from: RamAddr) {
        self.0.load_byte(to, cell(from));
    }

    fn store(&mut self, to: RamAddr, from: Register) {
        self.0.store_byte(cell(to), from);
    }

    fn copy(&mut self, to: Register, from: Register) {
        self.0.copy(to, from);
    }

    fn complement(&mut self, of: Register) {
        self.0.not(of, of);
    }

    fn add(&mut self, to: Register, a: Register, b: Source<Register>, carry_is_live: bool) {
        if carry_is_live {
            match b {
                Source::Register(b) => self.0.extract(SCRATCH, b, 0, 8),
                Source::Memory(_) | Source::Constant(_) => _ = self.operand(b),
            }
            self.0.add_low_byte(to, SCRATCH, a);
            self.0.extract(C, to, 8, 1);
        } else if let Source::Constant(b) = b {
            self.0.add_constant(to, a, Immediate::new(u16::from(b)));
        } else {
            let b = self.operand(b);
            self.0.add(to, a, b);
        }
    }

    fn and(&mut self, to: Register, a: Register, b: Source<Register>) {
        let b = self.operand(b);
        self.0.and(to, a, b);
    }

    fn or(&mut self, to: Register, a: Register, b: Source<Register>) {
        let b = self.operand(b);
        self.0.or(to, a, b);
    }

    fn shift_right(&mut self, to: Register, from: Register, carry_is_live: bool) {
        if carry_is_live {
            self.0.extract(C, from, 0, 1);
        }
        self.0.extract(to, from, 1, 7);
    }

    fn clear_carry(&mut self) {
        self.0.set(C, 0);
    }

    fn save_carry(&mut self) {}

    fn jump_if_carry(&mut self, is_set: bool, _: bool) -> Jump {
        self.0.jump(if is_set { Condition::NotZero(C) } else { Condition::Zero(C) })
    }

    fn jump(&mut self) -> Jump {
        self.0.jump(Condition::Always)
    }

    fn jump_if_fewer_remain(&mut self, limit_min: u16) -> Jump {
        self.0.compare_with(REMAINING, Immediate::new(limit_min));
        self.0.jump(Condition::Lower)
    }

    fn count(&mut self, executed: i32) {
        let number = Immediate::new(executed.unsigned_abs() as u16);
        if executed < 0 {
            self.0.add_to_address(REMAINING, REMAINING, number);
        } else {
            self.0.subtract(REMAINING, REMAINING, number);
        }
    }

    fn print(&mut self) -> Jump {
        let output = pointer(Context::OUTPUT);
        self.0.load(SCRATCH, output);
        self.0.load(OUTPUT_END, pointer(Context::OUTPUT_END));
        self.0.compare(SCRATCH, OUTPUT_END);
        let full = self.0.jump(Condition::Equal);
        self.0.store_byte(Memory { base: SCRATCH, offset: Immediate::new(0) }, A);
        self.0.add_to_address(SCRATCH, SCRATCH, ONE);
        self.0.store(output, SCRATCH);
        full
    }

    fn patch(&mut self, jump: &Jump, to: Position) {
        self.0.patch(jump, to);
    }
}

impl Emitter {
    /// Returns a register that contains only the byte of an operand: the operand's own register, or
    /// `SCRATCH`.
    fn operand(&mut self, source: Source<Register>) -> Register {
        match source {
            Source::Register(register) => return register,
            Source::Memory(address) => self.load(SCRATCH, address),
            Source::Constant(value) => self.set(SCRATCH, value),
        }
        SCRATCH
    }
}

/// Returns the address of a cell in the host's memory.
fn cell(address: RamAddr) -> Memory {
    let base = if address.get() < 1 << 12 { RAM } else { UPPER_RAM };
    Memory { base, offset: Immediate::new(address.get() & 0xfff) }
}

/// Returns the address of a byte of the context.
const fn byte(offset: usize) -> Memory {
    Memory { base: CONTEXT, offset: Immediate::new(offset as u16) }
}

/// Returns the address of a pointer or another 64-bit field of the context.
const fn pointer(offset: usize) -> Memory {
    assert!(offset.is_multiple_of(8), "offsets of such fields are counted in units of 8 bytes");
    byte(offset / 8)
}

//! The operations of compiled programs as x86-64 instructions.

mod assembler;

use gray1_isa::RamAddr;

use super::context::Context;
use super::operations::{Operations, Position, Source};
use assembler::{Assembler, ByteOperand, ByteOperation, Condition, Memory};
pub(super) use assembler::{Jump, Register};

/// The home register of A. Only the low byte counts.
const A: Register = Register::Rax;
/// Holds C, 0 or 1. Only the low byte counts.
const C: Register = Register::Rcx;
/// Points `RAM_BIAS` bytes after the first byte of data memory.
const RAM: Register = Register::Rdi;
/// Holds the number of instructions that may still be executed.
const REMAINING: Register = Register::Rsi;
/// Points to the context.
const CONTEXT: Register = Register::Rbp;
/// A scratch register. It caches nothing at blocks where execution may stop.
const SCRATCH: Register = Register::Rdx;

/// The registers that a function must preserve in the System V calling convention.
const PRESERVED: [Register; 6] = {
    use Register::{R12, R13, R14, R15, Rbp, Rbx};
    [Rbx, Rbp, R12, R13, R14, R15]
};

/// With this bias, displacements in the short encoding (one signed byte) cover the first 256 bytes
/// of data memory, where most variables are.
const RAM_BIAS: i32 = 128;

/// Appends operations to x86-64 machine code. The carry may be in the flag CF.
#[derive(Debug, Default)]
pub(super) struct Emitter(Assembler);

impl Operations<Register> for Emitter {
    type Jump = Jump;

    const HOME: Register = A;
    const CACHE: &'static [Register] = {
        use Register::{R8, R9, R10, R11, R12, R13, R14, R15, Rbx, Rdx};
        &[A, Rdx, Rbx, R8, R9, R10, R11, R12, R13, R14, R15]
    };

    fn into_code(self) -> Vec<u8> {
        self.0.into_code()
    }

    fn position(&self) -> Position {
        self.0.position()
    }

    fn enter(&mut self) {
        // The first two arguments in the System V calling convention.
        let (context, entry) = (Register::Rdi, Register::Rsi);
        for register in PRESERVED {
            self.0.push(register);
        }
        self.0.copy(CONTEXT, context);
        self.0.copy(SCRATCH, entry);
        self.0.load(RAM, field(Context::RAM));
        self.0.address(RAM, Memory { base: RAM, offset: RAM_BIAS });
        self.0.load(REMAINING, field(Context::REMAINING));
        self.0.load_byte(A, field(Context::A));
        self.0.load_byte(C, field(Context::CARRY));
        self.0.jump_to_register(SCRATCH);
    }

    fn set_result(&mut self, number: u32) {
        self.0.set(SCRATCH, number);
    }

    fn leave(&mut self) {
        self.0.store(field(Context::REMAINING), REMAINING);
        self.0.store_byte(field(Context::A), A);
        self.0.store_byte(field(Context::CARRY), C);
        self.0.copy(Register::Rax, SCRATCH);
        for register in PRESERVED.into_iter().rev() {
            self.0.pop(register);
        }
        self.0.ret();
    }

    fn set(&mut self, to: Register, value: u8) {
        self.0.set(to, u32::from(value));
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
        self.0.not(of);
    }

    fn add(&mut self, to: Register, a: Register, b: Source<Register>, carry_is_live: bool) {
        match b {
            Source::Register(b) if !carry_is_live => self.0.sum(to, a, b),
            _ => {
                self.0.copy(to, a);
                self.0.byte_operation(ByteOperation::Add, to, operand(b));
            }
        }
    }

    fn and(&mut self, to: Register, a: Register, b: Source<Register>) {
        self.0.copy(to, a);
        self.0.byte_operation(ByteOperation::And, to, operand(b));
    }

    fn or(&mut self, to: Register, a: Register, b: Source<Register>) {
        self.0.copy(to, a);
        self.0.byte_operation(ByteOperation::Or, to, operand(b));
    }

    fn shift_right(&mut self, to: Register, from: Register, _: bool) {
        self.0.copy(to, from);
        self.0.shift_byte_right(to);
    }

    fn clear_carry(&mut self) {
        self.0.test_byte(C);
    }

    fn save_carry(&mut self) {
        self.0.set_to_carry(C);
    }

    fn jump_if_carry(&mut self, is_set: bool, flags_hold_carry: bool) -> Jump {
        if !flags_hold_carry {
            self.0.test_byte(C);
        }
        self.0.jump(match (flags_hold_carry, is_set) {
            (true, true) => Condition::Carry,
            (true, false) => Condition::NoCarry,
            (false, true) => Condition::NotZero,
            (false, false) => Condition::Zero,
        })
    }

    fn jump(&mut self) -> Jump {
        self.0.jump(Condition::Always)
    }

    fn jump_if_fewer_remain(&mut self, limit_min: u16) -> Jump {
        self.0.compare_with(REMAINING, limit_min);
        self.0.jump(Condition::Carry)
    }

    fn count(&mut self, executed: i32) {
        // A subtraction would not preserve the flags.
        self.0.address(REMAINING, Memory { base: REMAINING, offset: -executed });
    }

    fn print(&mut self) -> Jump {
        let output = field(Context::OUTPUT);
        self.0.load(SCRATCH, output);
        self.0.compare(SCRATCH, field(Context::OUTPUT_END));
        let full = self.0.jump(Condition::Zero);
        self.0.store_byte(Memory { base: SCRATCH, offset: 0 }, A);
        self.0.address(SCRATCH, Memory { base: SCRATCH, offset: 1 });
        self.0.store(output, SCRATCH);
        full
    }

    fn patch(&mut self, jump: &Jump, to: Position) {
        self.0.patch(jump, to);
    }
}

fn operand(source: Source<Register>) -> ByteOperand {
    match source {
        Source::Register(register) => ByteOperand::Register(register),
        Source::Memory(address) => ByteOperand::Memory(cell(address)),
        Source::Constant(value) => ByteOperand::Constant(value),
    }
}

/// Returns the address of a cell in the host's memory.
fn cell(address: RamAddr) -> Memory {
    Memory { base: RAM, offset: i32::from(address.get()) - RAM_BIAS }
}

/// Returns the address of a field of the context.
fn field(offset: usize) -> Memory {
    Memory { base: CONTEXT, offset: i32::try_from(offset).expect("the context is small") }
}

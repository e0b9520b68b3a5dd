//! Encodes the A64 instructions used in compiled programs.
//!
//! Each instruction has one function. The types of its operands allow only operands that can be
//! encoded. Source: Arm Architecture Reference Manual for A-profile architecture (DDI 0487),
//! chapter C6.

use crate::code::operations::Position;

/// A general-purpose register that a function may overwrite, except X18, which some systems
/// reserve. The discriminant is its number in encodings. Instructions on 32 bits use the low half,
/// W, and set the upper half to 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::code) enum Register {
    X0,
    X1,
    X2,
    X3,
    X4,
    X5,
    X6,
    X7,
    X8,
    X9,
    X10,
    X11,
    X12,
    X13,
    X14,
    X15,
    X16,
    X17,
}

/// The number of the register that reads as 0. Callers cannot pass it, because it is not a
/// [`Register`].
const ZERO: u32 = 31;

/// An unsigned constant of 12 bits in an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Immediate(u16);

impl Immediate {
    /// Panics if the value has more than 12 bits.
    pub(super) const fn new(value: u16) -> Self {
        assert!(value < 1 << 12, "an immediate operand has 12 bits");
        Self(value)
    }
}

/// A memory operand: a base register and an offset, in units of the size of the access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) base: Register,
    pub(super) offset: Immediate,
}

/// The condition of a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Always,
    /// The compared numbers are equal.
    Equal,
    /// The first compared number is lower than the second one, unsigned.
    Lower,
    /// The low half of a register is 0.
    Zero(Register),
    /// The low half of a register is not 0.
    NotZero(Register),
}

/// A jump whose destination has not been set yet.
#[derive(Debug)]
#[must_use]
pub(in crate::code) struct Jump {
    start: Position,
    has_condition: bool,
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

    /// `ldrb wto, [from]`: the upper bits become 0.
    pub(super) fn load_byte(&mut self, to: Register, from: Memory) {
        self.memory(0x3940_0000, to, from);
    }

    /// `strb wfrom, [to]`.
    pub(super) fn store_byte(&mut self, to: Memory, from: Register) {
        self.memory(0x3900_0000, from, to);
    }

    /// `ldr xto, [from]`.
    pub(super) fn load(&mut self, to: Register, from: Memory) {
        self.memory(0xf940_0000, to, from);
    }

    /// `str xfrom, [to]`.
    pub(super) fn store(&mut self, to: Memory, from: Register) {
        self.memory(0xf900_0000, from, to);
    }

    /// `mov xto, xfrom`; nothing if they are the same.
    pub(super) fn copy(&mut self, to: Register, from: Register) {
        if to != from {
            self.registers(0xaa00_0000, to as u32, ZERO, from);
        }
    }

    /// `mov wto, #value`.
    pub(super) fn set(&mut self, to: Register, value: u16) {
        self.word(0x5280_0000 | u32::from(value) << 5 | to as u32);
    }

    /// `movk wto, #value, lsl #16`: the low 16 bits do not change.
    pub(super) fn set_upper(&mut self, to: Register, value: u16) {
        self.word(0x72a0_0000 | u32::from(value) << 5 | to as u32);
    }

    /// `and wto, wa, wb`.
    pub(super) fn and(&mut self, to: Register, a: Register, b: Register) {
        self.registers(0x0a00_0000, to as u32, a as u32, b);
    }

    /// `orr wto, wa, wb`.
    pub(super) fn or(&mut self, to: Register, a: Register, b: Register) {
        self.registers(0x2a00_0000, to as u32, a as u32, b);
    }

    /// `mvn wto, wfrom`.
    pub(super) fn not(&mut self, to: Register, from: Register) {
        self.registers(0x2a20_0000, to as u32, ZERO, from);
    }

    /// `add wto, wa, wb`.
    pub(super) fn add(&mut self, to: Register, a: Register, b: Register) {
        self.registers(0x0b00_0000, to as u32, a as u32, b);
    }

    /// `add wto, wa, wb, uxtb`: adds only the low byte of `b`.
    pub(super) fn add_low_byte(&mut self, to: Register, a: Register, b: Register) {
        self.registers(0x0b20_0000, to as u32, a as u32, b);
    }

    /// `add wto, wa, #b`.
    pub(super) fn add_constant(&mut self, to: Register, a: Register, b: Immediate) {
        self.immediate(0x1100_0000, to as u32, a, b);
    }

    /// `add xto, xa, #b`.
    pub(super) fn add_to_address(&mut self, to: Register, a: Register, b: Immediate) {
        self.immediate(0x9100_0000, to as u32, a, b);
    }

    /// `add xto, xa, #b, lsl #12`: adds 4096 times the constant.
    pub(super) fn add_pages_to_address(&mut self, to: Register, a: Register, b: Immediate) {
        self.immediate(0x9140_0000, to as u32, a, b);
    }

    /// `sub xto, xa, #b`.
    pub(super) fn subtract(&mut self, to: Register, a: Register, b: Immediate) {
        self.immediate(0xd100_0000, to as u32, a, b);
    }

    /// `cmp xa, xb`.
    pub(super) fn compare(&mut self, a: Register, b: Register) {
        self.registers(0xeb00_0000, ZERO, a as u32, b);
    }

    /// `cmp xa, #b`.
    pub(super) fn compare_with(&mut self, a: Register, b: Immediate) {
        self.immediate(0xf100_0000, ZERO, a, b);
    }

    /// `ubfx wto, wfrom, #shift, #bits`: copies `bits` bits, starting at bit `shift`. The others
    /// become 0.
    pub(super) fn extract(&mut self, to: Register, from: Register, shift: u32, bits: u32) {
        let last = shift + bits - 1;
        self.word(0x5300_0000 | shift << 16 | last << 10 | (from as u32) << 5 | to as u32);
    }

    /// `ret`.
    pub(super) fn ret(&mut self) {
        self.word(0xd65f_03c0);
    }

    /// `br xto`.
    pub(super) fn jump_to_register(&mut self, to: Register) {
        self.word(0xd61f_0000 | (to as u32) << 5);
    }

    /// `b`, `b.cond`, `cbz` or `cbnz`. [`Self::patch`] sets the destination.
    pub(super) fn jump(&mut self, condition: Condition) -> Jump {
        let start = self.position();
        self.word(match condition {
            Condition::Always => 0x1400_0000,
            Condition::Equal => 0x5400_0000,
            Condition::Lower => 0x5400_0003,
            Condition::Zero(register) => 0x3400_0000 | register as u32,
            Condition::NotZero(register) => 0x3500_0000 | register as u32,
        });
        Jump { start, has_condition: condition != Condition::Always }
    }

    /// Sets the destination of a jump.
    pub(super) fn patch(&mut self, jump: &Jump, to: Position) {
        let Jump { start: Position(start), has_condition } = *jump;
        // The bit field of the displacement.
        let (shift, bits) = if has_condition { (5, 19) } else { (0, 26) };
        let offset = |position: usize| {
            i32::try_from(position).expect("the code of 8192 instructions is less than 2 GiB")
        };
        let instructions = (offset(to.0) - offset(start)) / 4;
        // The shortest field reaches 1 MiB. There are 8192 instructions, and each one compiles to
        // at most 32 instructions of the host, including checks, exits and entry stubs.
        let reach = 1 << (bits - 1);
        assert!((-reach..reach).contains(&instructions), "jumps reach through the code");
        let field = (instructions.cast_unsigned() & ((1 << bits) - 1)) << shift;
        for (byte, bits) in self.code[start..].iter_mut().zip(field.to_le_bytes()) {
            *byte |= bits;
        }
    }

    /// Emits an instruction that reads or writes memory.
    fn memory(&mut self, opcode: u32, register: Register, memory: Memory) {
        self.immediate(opcode, register as u32, memory.base, memory.offset);
    }

    /// Emits an instruction with a register and a 12-bit constant.
    fn immediate(&mut self, opcode: u32, to: u32, a: Register, b: Immediate) {
        self.word(opcode | u32::from(b.0) << 10 | (a as u32) << 5 | to);
    }

    /// Emits an instruction with two source registers.
    fn registers(&mut self, opcode: u32, to: u32, a: u32, b: Register) {
        self.word(opcode | (b as u32) << 16 | a << 5 | to);
    }

    fn word(&mut self, word: u32) {
        self.code.extend(word.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::Register::*;
    use super::*;

    fn at(base: Register, offset: u16) -> Memory {
        Memory { base, offset: Immediate::new(offset) }
    }

    fn constant(value: u16) -> Immediate {
        Immediate::new(value)
    }

    /// Returns the words of the encoded instructions.
    fn encoded(assemble: impl Fn(&mut Assembler)) -> Vec<u32> {
        let mut assembler = Assembler::default();
        assemble(&mut assembler);
        let code = assembler.into_code();
        code.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    /// GNU as gives these words for these instructions.
    #[test]
    fn instructions_are_encoded_as_gnu_as_encodes_them() {
        type Assemble = fn(&mut Assembler);
        let cases: &[(&str, Assemble, u32)] = &[
            ("ldrb w6, [x1]", |a| a.load_byte(X6, at(X1, 0)), 0x3940_0026),
            ("ldrb w17, [x2, #4095]", |a| a.load_byte(X17, at(X2, 4095)), 0x397f_fc51),
            ("strb w0, [x16, #1]", |a| a.store_byte(at(X16, 1), X0), 0x3900_0600),
            ("ldr x3, [x0, #8]", |a| a.load(X3, at(X0, 1)), 0xf940_0403),
            ("str x5, [x0, #32760]", |a| a.store(at(X0, 4095), X5), 0xf93f_fc05),
            ("mov x5, x1", |a| a.copy(X5, X1), 0xaa01_03e5),
            ("mov w9, #255", |a| a.set(X9, 255), 0x5280_1fe9),
            ("mov w5, #8191", |a| a.set(X5, 8191), 0x5283_ffe5),
            ("movk w5, #3, lsl #16", |a| a.set_upper(X5, 3), 0x72a0_0065),
            ("and w7, w6, w8", |a| a.and(X7, X6, X8), 0x0a08_00c7),
            ("orr w17, w16, w15", |a| a.or(X17, X16, X15), 0x2a0f_0211),
            ("mvn w10, w10", |a| a.not(X10, X10), 0x2a2a_03ea),
            ("mvn w6, w11", |a| a.not(X6, X11), 0x2a2b_03e6),
            ("add w6, w7, w8", |a| a.add(X6, X7, X8), 0x0b08_00e6),
            ("add w12, w5, w13, uxtb", |a| a.add_low_byte(X12, X5, X13), 0x0b2d_00ac),
            ("add w14, w6, #200", |a| a.add_constant(X14, X6, constant(200)), 0x1103_20ce),
            ("add x5, x5, #1", |a| a.add_to_address(X5, X5, constant(1)), 0x9100_04a5),
            (
                "add x2, x1, #1, lsl #12",
                |a| a.add_pages_to_address(X2, X1, constant(1)),
                0x9140_0422,
            ),
            ("sub x3, x3, #513", |a| a.subtract(X3, X3, constant(513)), 0xd108_0463),
            ("cmp x5, x7", |a| a.compare(X5, X7), 0xeb07_00bf),
            ("cmp x3, #4095", |a| a.compare_with(X3, constant(4095)), 0xf13f_fc7f),
            ("ubfx w4, w9, #8, #1", |a| a.extract(X4, X9, 8, 1), 0x5308_2124),
            ("ubfx w9, w6, #1, #7", |a| a.extract(X9, X6, 1, 7), 0x5301_1cc9),
            ("ubfx w5, w17, #0, #8", |a| a.extract(X5, X17, 0, 8), 0x5300_1e25),
            ("ret", Assembler::ret, 0xd65f_03c0),
            ("br x5", |a| a.jump_to_register(X5), 0xd61f_00a0),
        ];
        for (text, assemble, expected) in cases {
            assert_eq!(encoded(assemble), [*expected], "{text}");
        }
        assert!(encoded(|a| a.copy(X6, X6)).is_empty());
    }

    #[test]
    fn jumps_lead_forward_and_back() {
        let cases = [
            ("b", Condition::Always, 0x1400_0002, 0x17ff_ffff),
            ("b.eq", Condition::Equal, 0x5400_0040, 0x54ff_ffe0),
            ("b.lo", Condition::Lower, 0x5400_0043, 0x54ff_ffe3),
            ("cbz w4", Condition::Zero(X4), 0x3400_0044, 0x34ff_ffe4),
            ("cbnz w17", Condition::NotZero(X17), 0x3500_0051, 0x35ff_fff1),
        ];
        for (text, condition, forward, back) in cases {
            let over_one = encoded(|a| {
                let jump = a.jump(condition);
                a.ret();
                a.patch(&jump, a.position());
            });
            assert_eq!(over_one, [forward, 0xd65f_03c0], "{text}");
            let to_one_before = encoded(|a| {
                let start = a.position();
                a.ret();
                let jump = a.jump(condition);
                a.patch(&jump, start);
            });
            assert_eq!(to_one_before, [0xd65f_03c0, back], "{text}");
        }
    }

    #[test]
    fn a_jump_with_a_condition_reaches_through_the_longest_code() {
        let words = encoded(|a| {
            let jump = a.jump(Condition::Lower);
            a.patch(&jump, Position((1 << 20) - 4));
        });
        assert_eq!(words, [0x547f_ffe3], "b.lo .+0xffffc");
    }
}

//! The macros of `lib/std.asm`, each with all operands: their results, their effects on A, C and
//! memory, and their instruction counts. Programs rely on all of these.

use gray1_isa::PowerUp;
use gray1_isa::panel::Buttons;
use gray1_sim::{Engine as _, Machine};

use crate::support;

/// The state before a macro.
#[derive(Debug, Clone, Copy)]
struct Before {
    a: u8,
    b: u8,
    carry: bool,
}

/// The effect of a macro.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct After {
    /// The value of A, if the macro's documentation defines it.
    accumulator: Option<u8>,
    /// The value of C, if the macro's documentation defines it.
    carry: Option<bool>,
    /// The two operands in memory.
    memory: [u8; 2],
    /// Whether it jumps to its target.
    jumps: bool,
    instructions: u32,
}

/// Returns the expected result of a macro that computes a value and preserves C.
fn result(before: Before, value: u8, instructions: u32) -> After {
    After {
        accumulator: Some(value),
        carry: Some(before.carry),
        memory: [before.a, before.b],
        jumps: false,
        instructions,
    }
}

/// Returns the expected result of a conditional jump. C holds the result of its test, or the
/// opposite.
fn branch(before: Before, jumps: bool, carry: bool, taken: u32, straight: u32) -> After {
    let instructions = if jumps { taken } else { straight };
    let memory = [before.a, before.b];
    After { accumulator: None, carry: Some(carry), memory, jumps, instructions }
}

/// The number of operands of which all values are tried.
#[derive(Clone, Copy)]
enum Operands {
    One,
    Two,
}

/// Runs a call with all operands and both carries, and checks the effect.
#[track_caller]
fn check(call: &str, operands: Operands, expected: impl Fn(Before) -> After) {
    let mut bench = CallBench::new(call);
    let last_b = if let Operands::Two = operands { u8::MAX } else { 0 };
    for a in 0..=u8::MAX {
        for b in 0..=last_b {
            for carry in [false, true] {
                let before = Before { a, b, carry };
                let expected = expected(before);
                let mut found = bench.run(before);
                found.accumulator = expected.accumulator.and(found.accumulator);
                found.carry = expected.carry.and(found.carry);
                assert_eq!(found, expected, "`{call}` on {before:?}");
            }
        }
    }
}

/// A machine that repeats one call, with operands that it reads from the buttons.
struct CallBench {
    machine: Machine,
    begin: u16,
    straight: u16,
    taken: u16,
    variables: [usize; 2],
}

impl CallBench {
    fn new(call: &str) -> Self {
        let source = format!(
            "\
.include \"lib/panel.asm\"
.include \"lib/std.asm\"
.var a
.var b
.pool
again:  copy BUTTONS, a
        copy BUTTONS, b
        halve BUTTONS
begin:  {call}
straight: JMP again
taken:  JMP again
"
        );
        let image = support::image_of_source(&source);
        let value = |name: &str| usize::try_from(image.symbol(name).unwrap().value).unwrap();
        let mut machine = Machine::new(&image, PowerUp::Random(3));
        machine.run(value("again") as u64);
        Self {
            machine,
            begin: value("begin") as u16,
            straight: value("straight") as u16,
            taken: value("taken") as u16,
            variables: [value("a"), value("b")],
        }
    }

    fn run(&mut self, before: Before) -> After {
        for byte in [before.a, before.b, u8::from(before.carry)] {
            self.machine.hold(Buttons(byte));
            self.machine.run(2);
        }
        assert_eq!(self.machine.pc().get(), self.begin);
        let mut instructions = 0;
        while ![self.straight, self.taken].contains(&self.machine.pc().get()) {
            assert!(self.machine.step().is_some() && instructions < 100, "the word never ends");
            instructions += 1;
        }
        let after = After {
            accumulator: Some(self.machine.a()),
            carry: Some(self.machine.carry()),
            memory: self.variables.map(|variable| self.machine.ram()[variable]),
            jumps: self.machine.pc().get() == self.taken,
            instructions,
        };
        self.machine.step();
        after
    }
}

#[test]
fn macros_that_move_bytes() {
    check("copy a, b", Operands::Two, |x| After { memory: [x.a, x.a], ..result(x, x.a, 2) });
    check("set b, 0x92", Operands::Two, |x| After { memory: [x.a, 0x92], ..result(x, 0x92, 2) });
}

#[test]
fn macros_for_bitwise_logic() {
    check("not a", Operands::One, |x| result(x, !x.a, 2));
    check("and a, b", Operands::Two, |x| result(x, x.a & x.b, 3));
    check("or a, b", Operands::Two, |x| result(x, x.a | x.b, 5));
    check("xor a, b", Operands::Two, |x| result(x, x.a ^ x.b, 7));
}

#[test]
fn macros_that_shift() {
    check("double a", Operands::One, |x| {
        let (value, carry) = x.a.overflowing_add(x.a);
        After { carry: Some(carry), ..result(x, value, 2) }
    });
    check("halve a", Operands::One, |x| After {
        carry: Some(x.a & 1 == 1),
        ..result(x, x.a / 2, 2)
    });
    for (call, value) in [
        ("rotate_left a", u8::rotate_left as fn(u8, u32) -> u8),
        ("rotate_right a", u8::rotate_right),
    ] {
        check(call, Operands::One, |x| After { carry: Some(false), ..result(x, value(x.a, 1), 4) });
    }
}

#[test]
fn macros_that_add() {
    check("subtract a, b", Operands::Two, |x| {
        let (value, borrow) = x.a.overflowing_sub(x.b);
        After { carry: Some(borrow), ..result(x, value, 4) }
    });
    check("increment a", Operands::One, |x| {
        let (value, wraps) = x.a.overflowing_add(1);
        After { carry: Some(wraps), memory: [value, x.b], ..result(x, value, 3) }
    });
    check("decrement a", Operands::One, |x| {
        let (value, wraps) = x.a.overflowing_sub(1);
        After { carry: Some(!wraps), memory: [value, x.b], ..result(x, value, 3) }
    });
}

#[test]
fn macros_that_branch() {
    check("bnc taken", Operands::Two, |x| branch(x, !x.carry, x.carry, 2, 1));
    check("bz a, taken", Operands::One, |x| branch(x, x.a == 0, x.a != 0, 4, 3));
    check("bnz a, taken", Operands::One, |x| branch(x, x.a != 0, x.a != 0, 3, 3));
    check("compare a, b", Operands::Two, |x| After {
        carry: Some(x.a < x.b),
        ..result(x, x.b.wrapping_sub(x.a).wrapping_sub(1), 3)
    });
    check("blt a, b, taken", Operands::Two, |x| branch(x, x.a < x.b, x.a < x.b, 4, 4));
    check("bge a, b, taken", Operands::Two, |x| branch(x, x.a >= x.b, x.a < x.b, 5, 4));
    check("beq a, b, taken", Operands::Two, |x| branch(x, x.a == x.b, x.a == x.b, 5, 5));
    check("bne a, b, taken", Operands::Two, |x| branch(x, x.a != x.b, x.a == x.b, 6, 5));
}

/// Runs a dispatch on this value. Returns the case that it reaches and the number of instructions.
fn dispatch(bench: &mut CallBench, value: u8) -> (u16, u32) {
    let before = Before { a: value, b: 0, carry: false };
    let instructions = bench.run(before).instructions;
    (u16::from(bench.machine.ram()[bench.variables[1]]), instructions)
}

#[test]
fn a_dispatch_jumps_to_its_case() {
    for count in (1..=17).chain([64, 256]) {
        let mut bench = CallBench::new(&format!(
            "dispatch a, cases, {count}, stride = 3
cases:
.repeat {count}, i
        set  b, i
        JMP  taken
.endrepeat"
        ));
        let halvings = u32::next_power_of_two(count).ilog2();
        for value in 0..count {
            let (case, instructions) = dispatch(&mut bench, value as u8);
            assert_eq!(u32::from(case), value, "of {count}");
            let found = instructions - 3;
            assert!(found <= 3 * halvings + 1, "{found} for {value} of {count}");
            if count == 8 {
                assert_eq!(found, 9 + u32::from(value % 2 == 0), "{value} of 8");
            }
        }
    }
}

/// A linear map of 24 bits. Element n is the image of bit n.
type Map = [u32; 24];

/// Applies `a`, then `b`.
fn then(a: &Map, b: &Map) -> Map {
    a.map(|image| (0..24).filter(|bit| image >> bit & 1 == 1).fold(0, |sum, bit| sum ^ b[bit]))
}

fn power(map: &Map, exponent: u32) -> Map {
    let mut result: Map = std::array::from_fn(|bit| 1 << bit);
    for bit in (0..32).rev() {
        result = then(&result, &result);
        if exponent >> bit & 1 == 1 {
            result = then(&result, map);
        }
    }
    result
}

/// A step of the shift register is linear, so its images of single bits give the cycle's length.
/// The length must be the number of states except zero.
#[test]
fn the_random_register_goes_through_all_its_states() {
    let source = "\
.include \"lib/panel.asm\"
.include \"lib/std.asm\"
.include \"lib/random.asm\"
.pool
again:  copy BUTTONS, random
        copy BUTTONS, random + 1
        copy BUTTONS, random + 2
        step_random random, random + 1
        JMP again
";
    let image = support::image_of_source(source);
    let random = usize::try_from(image.symbol("random").unwrap().value).unwrap();
    let mut machine = Machine::new(&image, PowerUp::Zero);
    machine.run(u64::try_from(image.symbol("again").unwrap().value).unwrap());
    let step: Map = std::array::from_fn(|bit| {
        for byte in (1_u32 << bit).to_le_bytes().into_iter().take(3) {
            machine.hold(Buttons(byte));
            machine.run(2);
        }
        machine.run(27 + 1);
        let [new, y, z] = [0, 1, 2].map(|i| u32::from(machine.ram()[random + i]));
        y | z << 8 | new << 16
    });
    let identity = power(&step, 0);
    let states = (1 << 24) - 1;
    assert_eq!(power(&step, states), identity);
    for prime in [3, 5, 7, 13, 17, 241] {
        assert_ne!(power(&step, states / prime), identity, "it repeats itself too early");
    }
}

#[test]
fn a_generator_is_seeded_only_if_it_is_zero() {
    let source = "\
.include \"lib/std.asm\"
.include \"lib/random.asm\"
.pool
        wake_random
        HALT
";
    let image = support::image_of_source(source);
    let random = usize::try_from(image.symbol("random").unwrap().value).unwrap();
    for (power_up, seed) in [(PowerUp::Zero, [1, 0, 0]), (PowerUp::Ones, [0xff; 3])] {
        let mut machine = Machine::new(&image, power_up);
        machine.run(100);
        assert_eq!(machine.ram()[random..random + 3], seed);
    }
}

//! The role of a chip in terms of its pins: latch, counter, function, program or memory.
//!
//! A role is a claim about the contents of a chip. The contents are generated from it unless the
//! board names a file. The proofs check the contents against the role in both cases. The engines do
//! not use roles.

use serde::Deserialize;

/// The order in which a counter steps through its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Code {
    /// The reflected Gray code. Adjacent codes differ in one bit.
    Gray,
    /// Binary.
    Binary,
}

impl Code {
    /// Returns the code of a number of at most 16 bits.
    pub const fn encode(self, number: u16) -> u16 {
        match self {
            Self::Gray => gray1_isa::gray::encode(number),
            Self::Binary => number,
        }
    }

    /// Returns the number of a code.
    pub const fn decode(self, code: u16) -> u16 {
        match self {
            Self::Gray => gray1_isa::gray::decode(code),
            Self::Binary => code,
        }
    }
}

/// A number on some of a chip's address pins or data pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Pin numbers, low bit first.
    pins: Vec<u8>,
    /// The pins as runs of adjacent pins, for fast extraction.
    runs: Vec<PinRun>,
}

/// Adjacent pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PinRun {
    pin: u8,
    bit: u8,
    mask: u32,
}

impl Field {
    /// Creates a field from these pins, low bit first.
    pub fn new(pins: Vec<u8>) -> Self {
        let mut runs: Vec<PinRun> = Vec::new();
        for (bit, &pin) in (0..).zip(&pins) {
            match runs.last_mut() {
                Some(run) if run.pin + (bit - run.bit) == pin => run.mask = run.mask << 1 | 1,
                _ => runs.push(PinRun { pin, bit, mask: 1 }),
            }
        }
        Self { pins, runs }
    }

    /// The pins, low bit first.
    pub fn pins(&self) -> &[u8] {
        &self.pins
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.pins.len() as u32
    }

    /// Extracts this field from the levels of all the chip's pins of this kind.
    pub fn extract(&self, all: u32) -> u32 {
        self.runs.iter().fold(0, |value, run| value | (all >> run.pin & run.mask) << run.bit)
    }

    /// Returns the levels of the chip's pins when this field has `value` and all other pins are
    /// low.
    pub fn put(&self, value: u32) -> u32 {
        self.runs.iter().fold(0, |all, run| all | (value >> run.bit & run.mask) << run.pin)
    }

    /// The pins of the field as a bit mask.
    pub fn mask(&self) -> u32 {
        self.put(u32::MAX)
    }
}

/// What a chip does. Inputs are address pins of the chip, outputs are its data pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Advances on each edge of its clock.
    Counter(Counter),
    /// Transparent latches. Each follows its input while its enable is high and holds its output
    /// while the enable is low.
    Latches(Vec<Latch>),
    /// A combinational table.
    Function(Function),
    /// The program, one byte per address, in the counting order of the program counter.
    Program(Code),
    /// Data memory.
    Memory,
}

impl Role {
    /// Returns whether this is the table of the strobes.
    pub fn is_control(&self) -> bool {
        matches!(self, Self::Function(Function::Control(_)))
    }

    /// Returns a mask of data pins for each output of the role, such as a count, a latch or a
    /// strobe.
    pub fn filled_pins(&self) -> Vec<u32> {
        match self {
            Self::Counter(counter) => {
                let others = counter.others.iter().map(|(pin, _)| 1 << pin);
                [counter.count.out.mask()].into_iter().chain(others).collect()
            }
            Self::Latches(latches) => latches.iter().map(|latch| latch.q.out.mask()).collect(),
            Self::Function(Function::Control(control)) => {
                control.strobes.pins().map(|pin| 1 << pin).to_vec()
            }
            Self::Function(Function::AluLow(slice) | Function::AluHigh(slice)) => {
                vec![slice.result.mask(), 1 << slice.carry_out]
            }
            Self::Function(Function::Buffer { to, .. }) => vec![to.mask()],
            Self::Function(Function::Select(select)) => {
                select.outputs.iter().map(|output| 1 << output.pin).collect()
            }
            Self::Function(Function::Choose(choose)) => vec![choose.to.mask()],
            Self::Function(Function::Decode(decode)) => vec![decode.to.mask()],
            Self::Function(Function::Table) | Self::Program(_) | Self::Memory => Vec::new(),
        }
    }
}

/// A counter that advances on each edge of its clock: `parity(count) = clock ? count :
/// next(count)`. In a binary counter, the lowest bit replaces the parity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// The order of the count.
    pub code: Code,
    /// The address pin of the clock.
    pub clock: u8,
    /// The data pins of the count, and the address pins they are fed back to.
    pub count: FedBack,
    /// How it is loaded, if at all.
    pub load: Option<Load>,
    /// The address pin that sets the count to 0 while high. It has priority over loading.
    pub clear: Option<u8>,
    /// The code at which it parks, if any.
    pub park: Option<Park>,
    /// Data pins that are not part of the count. Each shows the parity of some address pins.
    pub others: Vec<(u8, Parity)>,
}

/// Data pins, and the address pins they are fed back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FedBack {
    /// The data pins.
    pub out: Field,
    /// The address pins, in the same order.
    pub back: Field,
}

/// The load input of a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// The address pin that loads while high.
    pub on: u8,
    /// The Gray code of the value to load, low bit first. It is in Gray code even if the counter is
    /// binary.
    pub gray: Vec<Parity>,
}

/// A code at which a counter stops. While the pin `during` is high, the counter advances until it
/// reaches `at` and stays there. In a description, `during` is the name of a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Park<Pin = u8> {
    /// The pin that makes the counter stop at `at`.
    pub during: Pin,
    /// The code at which the counter stops.
    pub at: u32,
}

/// The parity of some address pins, given as a mask. For one pin, this is its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parity(pub u32);

impl Parity {
    /// Returns whether an odd number of these pins is high at this address.
    pub const fn is_odd(self, address: u32) -> bool {
        (address & self.0).count_ones() % 2 == 1
    }
}

/// A latch: `out = enable ? d : q`, where q is `out` fed back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latch {
    /// The address pin that makes it transparent while high.
    pub enable: u8,
    /// The address pins that it copies.
    pub d: Field,
    /// The output and its feedback.
    pub q: FedBack,
}

/// The tables that are neither latches nor counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Function {
    /// The strobes of each phase.
    Control(Control),
    /// The low four bits of the arithmetic unit.
    AluLow(AluSlice),
    /// The high four bits of the arithmetic unit.
    AluHigh(AluSlice),
    /// Copies its input.
    Buffer {
        /// The address pins.
        from: Field,
        /// The data pins.
        to: Field,
    },
    /// An address decoder.
    Select(Select),
    /// A multiplexer with two inputs.
    Choose(Choose),
    /// A decoder: at most one output is high.
    Decode(Decode),
    /// Any contents, read from a file.
    Table,
}

/// The pins of an address decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Select {
    /// The address pins of the address.
    pub address: Field,
    /// The outputs.
    pub outputs: Vec<Selected>,
}

/// A data pin that is high in a range of addresses. In a description, `Pin` is the name of a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selected<Pin = u8> {
    /// The data pin.
    #[serde(rename = "line")]
    pub pin: Pin,
    /// The first address of the range.
    pub from: u32,
    /// The last address of the range.
    pub to: u32,
}

/// The pins of a multiplexer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choose {
    /// The address pin that selects.
    pub by: u8,
    /// The address pins that are copied while the selecting pin is high.
    pub high: Field,
    /// The address pins that are copied while the selecting pin is low.
    pub low: Field,
    /// The data pins.
    pub to: Field,
}

/// The pins of a decoder. The output with the number on its inputs is high while all enables are
/// on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decode {
    /// The address pins of the number.
    pub number: Field,
    /// The active-low enables, as a mask of address pins.
    pub low: u32,
    /// The active-high enables, as a mask of address pins.
    pub high: u32,
    /// The data pins.
    pub to: Field,
}

/// The pins of the control table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The address pins of the phase, a Gray code of three bits.
    pub phase: Field,
    /// The address pins of the opcode.
    pub opcode: Field,
    /// The address pin of the carry.
    pub carry: u8,
    /// The address pin of the reset wire.
    pub reset: u8,
    /// The data pins of the strobes.
    pub strobes: Strobes,
}

/// The data pins of the control table's strobes. All are active high except `write_low`. In a
/// description, `Pin` is the name of a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strobes<Pin = u8> {
    /// Opens the latch of the opcode and the high operand bits.
    pub fetch_high: Pin,
    /// Opens the latch of the low operand byte.
    pub fetch_low: Pin,
    /// Opens the master latch of the accumulator.
    pub take_a: Pin,
    /// Opens the master latch of the carry.
    pub take_carry: Pin,
    /// Writes data memory while low.
    pub write_low: Pin,
    /// Opens the slave latches of the accumulator and the carry.
    pub show: Pin,
    /// Loads the program counter.
    pub jump: Pin,
    /// Clears the program counter.
    pub clear: Pin,
}

impl Strobes {
    /// The data pins of all strobes, in the order of the fields.
    pub const fn pins(&self) -> [u8; 8] {
        [
            self.fetch_high,
            self.fetch_low,
            self.take_a,
            self.take_carry,
            self.write_low,
            self.show,
            self.jump,
            self.clear,
        ]
    }
}

/// The pins of one half of the arithmetic unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AluSlice {
    /// The address pins of the opcode.
    pub opcode: Field,
    /// The address pins of four bits of the accumulator.
    pub a: Field,
    /// The address pins of four bits of the data byte.
    pub data: Field,
    /// The address pins of four bits of the operand's low byte.
    pub operand: Field,
    /// The address pin for the other half's signal. The low half reads bit 4 of the accumulator,
    /// which a shift moves down. The high half reads the carry out of the low half.
    pub joint: u8,
    /// The data pins of the result.
    pub result: Field,
    /// The data pin of the carry out: the carry of a sum, or the bit that a shift drops.
    pub carry_out: u8,
}

//! The purpose of a chip: latch, counter, function, program or memory, in terms of its own pins.
//!
//! A role is a claim about a chip's contents. Contents are burned from it unless the board names
//! a file, and the proofs hold the contents to it in either case. The engines never look at it.

use serde::Deserialize;

/// An order in which a counter walks through its codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Code {
    /// The reflected Gray code: neighbours differ in one wire.
    Gray,
    /// Plain binary numbers.
    Binary,
}

impl Code {
    /// The code of a number of at most 16 bits.
    #[must_use]
    pub const fn encode(self, number: u16) -> u16 {
        match self {
            Self::Gray => gray1_isa::gray::encode(number),
            Self::Binary => number,
        }
    }

    /// The number of a code.
    #[must_use]
    pub const fn decode(self, code: u16) -> u16 {
        match self {
            Self::Gray => gray1_isa::gray::decode(code),
            Self::Binary => code,
        }
    }
}

/// Some of a chip's pins of one kind (address or data) that together carry a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Pin numbers, low bit first.
    pins: Vec<u8>,
    /// The same as runs of neighbouring pins, to gather quickly.
    runs: Vec<PinRun>,
}

/// Neighbouring pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PinRun {
    pin: u8,
    bit: u8,
    mask: u32,
}

impl Field {
    /// The field of these pins, low bit first.
    #[must_use]
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
    #[must_use]
    pub fn pins(&self) -> &[u8] {
        &self.pins
    }

    /// The number of bits that the number has.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.pins.len() as u32
    }

    /// The number that all the chip's pins of this kind, taken together, carry in this field.
    #[must_use]
    pub fn of(&self, all: u32) -> u32 {
        self.runs.iter().fold(0, |value, run| value | (all >> run.pin & run.mask) << run.bit)
    }

    /// The pins' levels when this field carries `value` and all others are low.
    #[must_use]
    pub fn put(&self, value: u32) -> u32 {
        self.runs.iter().fold(0, |all, run| all | (value >> run.bit & run.mask) << run.pin)
    }

    /// The field's pins as a set of bits.
    #[must_use]
    pub fn mask(&self) -> u32 {
        self.put(u32::MAX)
    }
}

/// The purpose of a chip. Pins are the chip's own: inputs are address pins, outputs are data pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// One step on each edge of its clock.
    Counter(Counter),
    /// Each shows its input while its enable is high, and keeps what it showed while it is low.
    Latches(Vec<Latch>),
    /// A table of its inputs.
    Function(Function),
    /// The program, one byte an address, in the order in which the program counter walks.
    Program(Code),
    /// Data memory.
    Memory,
}

impl Role {
    /// Whether it is the table of the strobes.
    #[must_use]
    pub fn is_control(&self) -> bool {
        matches!(self, Self::Function(Function::Control(_)))
    }

    /// The sets of data pins that its rules fill, one set a rule.
    #[must_use]
    pub fn shows(&self) -> Vec<u32> {
        match self {
            Self::Counter(counter) => {
                let beside = counter.beside.iter().map(|(pin, _)| 1 << pin);
                [counter.count.out.mask()].into_iter().chain(beside).collect()
            }
            Self::Latches(latches) => latches.iter().map(|latch| latch.q.out.mask()).collect(),
            Self::Function(Function::Control(control)) => {
                control.strobes.pins().map(|pin| 1 << pin).to_vec()
            }
            Self::Function(Function::AluLow(slice) | Function::AluHigh(slice)) => {
                vec![slice.result.mask(), 1 << slice.carry_out]
            }
            Self::Function(Function::Buffer(_, to)) => vec![to.mask()],
            Self::Function(Function::Select(select)) => {
                select.outputs.iter().map(|output| 1 << output.pin).collect()
            }
            Self::Function(Function::Choose(choose)) => vec![choose.to.mask()],
            Self::Function(Function::Decode(decode)) => vec![decode.to.mask()],
            Self::Function(Function::Table) | Self::Program(_) | Self::Memory => Vec::new(),
        }
    }
}

/// `parity(count) = clock ? count : next(count)`: a step on each edge of the clock. In plain
/// binary the lowest wire takes the place of the parity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// The order of its codes.
    pub code: Code,
    /// The address pin of the clock.
    pub clock: u8,
    /// The count's data pins, and the address pins to which they are fed back.
    pub count: FedBack,
    /// How it is loaded, if it can be.
    pub load: Option<Load>,
    /// The address pin that, while high, makes the count 0; it wins over loading.
    pub clear: Option<u8>,
    /// The code at which it waits, if it does.
    pub park: Option<Park>,
    /// Data pins that are not part of the count.
    pub beside: Vec<(u8, Parity)>,
}

/// Data pins and the address pins to which they are fed back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FedBack {
    /// The data pins.
    pub out: Field,
    /// The address pins, in the same order.
    pub back: Field,
}

/// While the pin `on` is high the count takes what other wires say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// The address pin that loads while high.
    pub on: u8,
    /// The Gray code of the count to load, low bit first, whatever code the counter counts in.
    pub gray: Vec<Parity>,
}

/// While the pin `during` is high the counter walks on until it stands at `at`, and stays. In a
/// description, `during` is the name of a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Park<Pin = u8> {
    /// The address pin.
    pub during: Pin,
    /// The code at which the counter waits.
    pub at: u32,
}

/// The parity of some address pins; of a single one, its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parity(pub u32);

impl Parity {
    /// The parity of those of the pins that are high at this address.
    #[must_use]
    pub const fn of(self, address: u32) -> bool {
        (address & self.0).count_ones() % 2 == 1
    }
}

/// `out = enable ? d : q`, where q is `out` fed back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latch {
    /// The address pin that opens it while high.
    pub enable: u8,
    /// The address pins it follows while open.
    pub d: Field,
    /// What it shows, and reads back.
    pub q: FedBack,
}

/// The tables that are neither latch nor counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Function {
    /// Which strobe is on in which phase.
    Control(Control),
    /// The low four bits of the arithmetic unit.
    AluLow(AluSlice),
    /// The high four bits of the arithmetic unit.
    AluHigh(AluSlice),
    /// Shows its input: (address pins, data pins).
    Buffer(Field, Field),
    /// Which wire is high at which addresses.
    Select(Select),
    /// Shows one of two inputs.
    Choose(Choose),
    /// One output is high at most.
    Decode(Decode),
    /// Anything, burned from a file.
    Table,
}

/// The pins of a table of addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Select {
    /// Address pins of the address.
    pub address: Field,
    /// Its outputs.
    pub outputs: Vec<Selected>,
}

/// A data pin that is high at some addresses. In a description it is a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selected<Pin = u8> {
    /// The data pin.
    #[serde(rename = "line")]
    pub pin: Pin,
    /// The first of the addresses.
    pub from: u32,
    /// The last of the addresses.
    pub to: u32,
}

/// The pins of a table that shows one of two inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choose {
    /// The address pin that decides.
    pub by: u8,
    /// The address pins that it shows while that one is high.
    pub high: Field,
    /// The address pins that it shows while that one is low.
    pub low: Field,
    /// The data pins.
    pub to: Field,
}

/// The pins of a decoder: the output whose number it reads is high while all enables are on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decode {
    /// The address pins of the number.
    pub number: Field,
    /// The address pins that are enables and on while low, as a set.
    pub low: u32,
    /// The address pins that are enables and on while high, as a set.
    pub high: u32,
    /// The data pins.
    pub to: Field,
}

/// The pins of the control table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// Address pins of the phase, a Gray code of three bits.
    pub phase: Field,
    /// Address pins of the opcode.
    pub opcode: Field,
    /// The address pin of the carry.
    pub carry: u8,
    /// The address pin of the reset wire.
    pub reset: u8,
    /// Data pins of the strobes.
    pub strobes: Strobes,
}

/// The data pins of the control table's strobes. All are on while high but `write_low`.
/// A description names their wires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strobes<Pin = u8> {
    /// Opens the latch of opcode and high operand bits.
    pub fetch_high: Pin,
    /// Opens the latch of the low operand byte.
    pub fetch_low: Pin,
    /// Opens the accumulator's master.
    pub take_a: Pin,
    /// Opens the carry's master.
    pub take_carry: Pin,
    /// Writes data memory while low.
    pub write_low: Pin,
    /// Opens the slaves of accumulator and carry.
    pub show: Pin,
    /// Loads the program counter.
    pub jump: Pin,
    /// Clears the program counter.
    pub clear: Pin,
}

impl Strobes {
    /// All of them.
    #[must_use]
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
    /// Address pins of the opcode.
    pub opcode: Field,
    /// Address pins of four bits of the accumulator.
    pub a: Field,
    /// Address pins of four bits of the data byte.
    pub data: Field,
    /// Address pins of four bits of the operand's low byte.
    pub operand: Field,
    /// The address pin that joins it to the other half: to the low half the accumulator's bit 4,
    /// which a shift brings down; to the high half the carry out of the low one.
    pub joint: u8,
    /// Data pins of the result.
    pub result: Field,
    /// The data pin of the carry: of the sum, or the bit that a shift drops.
    pub carry_out: u8,
}

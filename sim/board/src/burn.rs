//! The contents of the chips. Three rules (latch, Gray counter and function) generate every ROM.
//!
//! Among the modules that describe or simulate a board, only this one knows what an instruction
//! means. The others see address pins, data pins and wires.

use std::sync::Arc;

use gray1_isa::address::ROM_BYTES;
use gray1_isa::{Half, Image, Op, RomIndex, gray};

use crate::board::Board;
use crate::chip::Chip;
use crate::document::ContentsSource;
use crate::error::BoardError;
use crate::load::{self, PartChoice};
use crate::parts::Parts;
use crate::phase::Phase;
use crate::role::{
    AluSlice, Choose, Code, Control, Counter, Decode, Function, Latch, Role, Select,
};

/// The value of an erased byte. It is also stored at addresses that tied pins make unreachable.
const ERASED: u8 = 0xff;

impl Board {
    /// Loads a board from its description and burns its chips. The description may use its own
    /// parts and those of a catalogue; its own take precedence. `file` returns the bytes of a
    /// contents file, or the reason that it cannot. It is called only with names in the
    /// description.
    ///
    /// # Errors
    /// If the text does not describe a valid board. The error names chip and pin.
    pub fn load(
        text: &str,
        parts: &Parts,
        file: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, BoardError> {
        Self::load_with(text, parts, &[], file)
    }

    /// Loads a board like [`Board::load`], but with other parts for some chips. Address pins that
    /// only the new part has are tied to the level they get in the socket of the described part, or
    /// low if the packages differ. The contents are burned at the addresses that these levels
    /// select.
    ///
    /// # Errors
    /// If [`Board::load`] fails, if the board has no chip with a name in `instead`, or if the wires
    /// of such a chip do not fit its new part.
    pub fn load_with(
        text: &str,
        parts: &Parts,
        instead: &[PartChoice],
        mut file: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, BoardError> {
        let (mut board, contents) = load::wire(text, parts, instead)?;
        for (id, source) in board.chip_ids().zip(contents) {
            let chip = board.chip(id);
            let (bytes, name) = match source {
                ContentsSource::Rule if *chip.role() == Role::Memory => continue,
                ContentsSource::Rule => (burn_by_rule(&board, chip)?, None),
                ContentsSource::File(_) if chip.part().logic.is_some() => {
                    let reason = format!("the contents of the {} are fixed", chip.part().name);
                    return Err(BoardError::at(chip.name(), reason));
                }
                ContentsSource::File(name) => match file(&name) {
                    Ok(bytes) => (spread(chip, bytes).into(), Some(name)),
                    Err(why) => {
                        let reason = format!("the contents '{}': {why}", name.escape_debug());
                        return Err(BoardError::at(chip.name(), reason));
                    }
                },
            };
            board.burn(id, bytes, name)?;
        }
        Ok(board)
    }

    /// Returns a copy of the board with this program, burned in the counting order of its program
    /// counter.
    #[expect(clippy::missing_panics_doc, reason = "the program chip of every board has this size")]
    #[must_use]
    pub fn with_program(&self, image: &Image) -> Self {
        let burned = self.with_contents(self.program(), self.program_contents(image));
        burned.expect("the contents have the size of the chip")
    }

    /// Returns the contents of the program chip with this program.
    pub fn program_contents(&self, image: &Image) -> Vec<u8> {
        let mut contents = self.chip(self.program()).contents().to_vec();
        contents[self.program_bytes()].copy_from_slice(&encode_program(self.code(), image));
        contents
    }

    /// Returns a copy of the board with the same program, and with the contents of all other chips
    /// generated from their rules. A table without a rule keeps its contents.
    #[expect(clippy::missing_panics_doc, reason = "a rule has a byte for each address")]
    #[must_use]
    pub fn with_generated_contents(&self) -> Self {
        let mut board = self.clone();
        for id in self.chip_ids() {
            let chip = self.chip(id);
            let has_rule = !matches!(chip.role(), Role::Memory | Role::Program(_));
            if let Some(contents) = generate_contents(chip).ok().filter(|_| has_rule)
                && contents != chip.contents()
            {
                let burned = board.with_contents(id, contents);
                board = burned.expect("the contents have the size of the chip");
            }
        }
        board
    }
}

/// Converts the bytes of a file to the contents of a chip. The file has all bytes, or only those at
/// the addresses that the tied pins allow.
fn spread(chip: &Chip, bytes: Vec<u8>) -> Vec<u8> {
    let size = chip.part().bytes();
    if bytes.len() == size || bytes.len() != chip.addresses().count() {
        return bytes;
    }
    let mut contents = vec![ERASED; size];
    for (address, byte) in chip.addresses().zip(bytes) {
        contents[address as usize] = byte;
    }
    contents
}

/// Returns the generated contents of a chip. Shares them with an identical chip of the board if
/// there is one.
fn burn_by_rule(board: &Board, chip: &Chip) -> Result<Arc<[u8]>, BoardError> {
    let burned = board.chips().iter().filter(|it| it.file().is_none() && !it.contents().is_empty());
    let mut same = burned.filter(|it| it.role() == chip.role() && it.part() == chip.part());
    match same.find(|it| it.tied() == chip.tied()) {
        Some(other) => Ok(other.contents_shared()),
        None => Ok(generate_contents(chip)?.into()),
    }
}

/// Generates the contents of a chip from its role. A RAM has none.
///
/// Data pins that the rule does not cover hold 0 at the reachable addresses.
///
/// # Errors
/// If the role has no rule.
pub(crate) fn generate_contents(chip: &Chip) -> Result<Vec<u8>, BoardError> {
    let rule: Box<dyn Fn(u32) -> u32> = match chip.role() {
        Role::Memory => return Ok(Vec::new()),
        Role::Program(_) => return Ok(vec![ERASED; chip.part().bytes()]),
        Role::Function(Function::Table) => {
            let reason = "a table comes from a file, but no contents are named";
            return Err(BoardError::at(chip.name(), reason));
        }
        Role::Counter(role) => Box::new(|address| counter(role, address)),
        Role::Latches(latches) => {
            Box::new(|address| latches.iter().fold(0, |data, one| data | latch(one, address)))
        }
        Role::Function(Function::Control(role)) => Box::new(|address| control(role, address)),
        Role::Function(Function::AluLow(role)) => Box::new(|address| alu_low(role, address)),
        Role::Function(Function::AluHigh(role)) => Box::new(|address| alu_high(role, address)),
        Role::Function(Function::Buffer { from, to }) => Box::new(|at| to.put(from.extract(at))),
        Role::Function(Function::Select(role)) => Box::new(|address| select(role, address)),
        Role::Function(Function::Choose(role)) => Box::new(|address| choose(role, address)),
        Role::Function(Function::Decode(role)) => Box::new(|address| decode(role, address)),
    };
    let mut contents = vec![ERASED; chip.part().bytes()];
    // The table of a logic part is fixed in the part, so it covers all addresses.
    let all = 0..contents.len() as u32 * u32::from(chip.part().logic.is_some());
    for address in chip.addresses().chain(all) {
        contents[address as usize] = rule(address) as u8;
    }
    Ok(contents)
}

/// Returns the bytes of the program chip. Each byte is stored at the code of its index in the
/// image.
fn encode_program(code: Code, image: &Image) -> Vec<u8> {
    let in_gray_order = image.to_eprom();
    let mut contents = vec![ERASED; ROM_BYTES];
    for (place, index) in (0..).step_by(2).zip(RomIndex::all()) {
        for (byte, half) in [(0, Half::High), (1, Half::Low)] {
            let address = usize::from(code.encode(place + byte));
            contents[address] = in_gray_order[index.eprom_address(half)];
        }
    }
    contents
}

/// Returns the data pins of a latch: `out = enable ? d : q`.
fn latch(role: &Latch, address: u32) -> u32 {
    let open = address >> role.enable & 1 == 1;
    role.q.out.put(if open { role.d.extract(address) } else { role.q.back.extract(address) })
}

/// Returns the data pins of a counter: `parity(count) = clock ? count : next(count)`. Clear has
/// priority over load, load over parking, and parking over counting.
fn counter(role: &Counter, address: u32) -> u32 {
    let high = |pin: u8| address >> pin & 1 == 1;
    let count = role.count.back.extract(address);
    let next = if role.clear.is_some_and(high) {
        0
    } else if let Some(load) = role.load.as_ref().filter(|load| high(load.on)) {
        let bits = (0..).zip(&load.gray);
        let gray = bits.fold(0, |code, (bit, wire)| code | u16::from(wire.is_odd(address)) << bit);
        u32::from(role.code.encode(gray::decode(gray)))
    } else if role.park.is_some_and(|park| high(park.during) && count == park.at) {
        count
    } else if steps_are_even(role.code, count) == high(role.clock) {
        next_code(role.code, count, role.count.out.width())
    } else {
        count
    };
    let others = role.others.iter();
    others.fold(role.count.out.put(next), |data, (pin, parity)| {
        data | u32::from(parity.is_odd(address)) << pin
    })
}

/// Returns whether this code is an even number of steps from 0. For the Gray code that is its
/// parity, because every step inverts it. For the binary code it is the inverse of the lowest bit.
fn steps_are_even(code: Code, count: u32) -> bool {
    match code {
        Code::Gray => count.count_ones().is_multiple_of(2),
        Code::Binary => count & 1 == 0,
    }
}

fn next_code(code: Code, count: u32, width: u32) -> u32 {
    let number = u32::from(code.decode(count as u16)) + 1;
    u32::from(code.encode((number & ((1 << width) - 1)) as u16))
}

/// Returns the levels of the control table's strobes, given phase, opcode, carry and reset.
fn control(role: &Control, address: u32) -> u32 {
    let op = Op::from_code(role.opcode.extract(address) as u8);
    let carry = address >> role.carry & 1 == 1;
    let reset = address >> role.reset & 1 == 1;
    let phase = Phase::from_code(role.phase.extract(address));
    let pins = role.strobes;
    // A drives the bus while a write ends, so a store must not change it.
    let shows = phase == Phase::T7 && !op.writes_memory();
    let strobe = |pin: u8, on: bool| u32::from(on) << pin;
    strobe(pins.fetch_high, phase == Phase::T2)
        | strobe(pins.fetch_low, phase == Phase::T4)
        | strobe(pins.take_a, phase == Phase::T5 && op.writes_a())
        | strobe(pins.take_carry, phase == Phase::T5 && op.writes_carry())
        | strobe(pins.write_low, !(phase == Phase::T6 && op.writes_memory()))
        | strobe(pins.show, shows || phase == Phase::T1 && reset)
        | strobe(pins.jump, (phase == Phase::T7 || phase == Phase::T0) && op.jumps(carry))
        | strobe(pins.clear, phase == Phase::T1 && reset)
}

/// Computes the low half of the arithmetic unit by running the operation on whole bytes with
/// assumed high bits. For the result, bit 4 is the bit that a shift moves down. For the carry, all
/// high bits are ones, so that a carry out of the low half ripples to the top.
fn alu_low(role: &AluSlice, address: u32) -> u32 {
    let nibble = Nibble::from_address(role, address);
    let value = nibble.op.alu(nibble.a | u8::from(nibble.joint) << 4, nibble.data, nibble.operand);
    let carry = nibble.op.alu(0xf0 | nibble.a, nibble.data, nibble.operand).carry;
    combine(role, value.value & 0xf, carry)
}

/// Computes the high half of the arithmetic unit by running the operation on whole bytes with low
/// bits that recreate the carry in: for an addition they are 15 + 1, and for a shift the lowest bit
/// is 1.
fn alu_high(role: &AluSlice, address: u32) -> u32 {
    let nibble = Nibble::from_address(role, address);
    let (ones, one) = if nibble.joint { (0x0f, 0x01) } else { (0x00, 0x00) };
    let whole = nibble.op.alu(nibble.a << 4 | ones, nibble.data << 4 | one, nibble.operand << 4);
    combine(role, whole.value >> 4, whole.carry)
}

/// Returns the data pins of an address decoder that are high at this address.
fn select(role: &Select, address: u32) -> u32 {
    let at = role.address.extract(address);
    let high = role.outputs.iter().filter(|output| (output.from..=output.to).contains(&at));
    high.fold(0, |data, output| data | 1 << output.pin)
}

/// Returns the data pins of a multiplexer, which copies one of two inputs.
fn choose(role: &Choose, address: u32) -> u32 {
    let from = if address >> role.by & 1 == 1 { &role.high } else { &role.low };
    role.to.put(from.extract(address))
}

/// Returns the data pins of a decoder. The one that the inputs select is high while all enables are
/// on.
fn decode(role: &Decode, address: u32) -> u32 {
    let is_on = address & role.low == 0 && address & role.high == role.high;
    role.to.put(u32::from(is_on) << role.number.extract(address))
}

/// The inputs of one half of the arithmetic unit.
struct Nibble {
    op: Op,
    a: u8,
    data: u8,
    operand: u8,
    joint: bool,
}

impl Nibble {
    fn from_address(role: &AluSlice, address: u32) -> Self {
        Self {
            op: Op::from_code(role.opcode.extract(address) as u8),
            a: role.a.extract(address) as u8,
            data: role.data.extract(address) as u8,
            operand: role.operand.extract(address) as u8,
            joint: address >> role.joint & 1 == 1,
        }
    }
}

fn combine(role: &AluSlice, result: u8, carry: bool) -> u32 {
    role.result.put(u32::from(result)) | u32::from(carry) << role.carry_out
}

#[cfg(test)]
mod tests;

//! Converts the description of a chip's function to its [`Role`]. The names of wires become pins of
//! the chip.

use std::fmt;

use super::chip::Chip;
use super::document::{self, Does, ShownBits};
use super::error::BoardError;
use super::names::Names;
use super::net::NetId;
use super::part::Logic;
use super::role::{
    AluSlice, Choose, Control, Counter, Decode, FedBack, Field, Function, Latch, Load, Parity,
    Park, Role, Select, Selected, Strobes,
};

/// The maximum number of bits of a counter. No part has more data pins.
const COUNT_BITS_MAX: u32 = 8;

/// Returns the role of a chip whose wires are known.
pub(super) fn resolve_role(
    chip: &Chip,
    does: Option<&Does>,
    names: &Names,
) -> Result<Role, BoardError> {
    let pins = ChipPins { chip, names };
    let role = match (does, chip.part.logic) {
        (Some(does), None) => role(&pins, does)?,
        (None, Some(logic)) => return Ok(role_of_part(chip, logic)),
        (None, None) => {
            let reason = "the field `does` is missing".to_owned();
            return Err(BoardError::at(&chip.name, reason));
        }
        (Some(_), Some(_)) => {
            let part = &chip.part.name;
            let reason = format!("the function of a {part} is fixed; leave out `does`");
            return Err(BoardError::at(&chip.name, reason));
        }
    };
    let mut shown = 0_u32;
    for part in role.filled_pins() {
        if shown & part != 0 {
            let reason = format!("two rules say what D{} shows", (shown & part).trailing_zeros());
            return Err(pins.error("data", reason));
        }
        shown |= part;
    }
    Ok(role)
}

fn role(pins: &ChipPins<'_>, does: &Does) -> Result<Role, BoardError> {
    Ok(match does {
        Does::Counter { code, clock, count, load, clear, park, beside } => {
            let count = pins.fed_back("count", count)?;
            let width = count.out.width();
            Role::Counter(Counter {
                code: *code,
                clock: pins.input("clock", clock)?,
                load: load.as_ref().map(|load| pins.load(load, width)).transpose()?,
                clear: clear.as_ref().map(|wire| pins.input("clear", wire)).transpose()?,
                park: park.as_ref().map(|park| pins.park(park, width)).transpose()?,
                others: beside.iter().map(|it| pins.other(it)).collect::<Result<_, _>>()?,
                count,
            })
        }
        Does::Latches(latches) => {
            Role::Latches(latches.iter().map(|latch| pins.latch(latch)).collect::<Result<_, _>>()?)
        }
        Does::Control { phase, opcode, carry, reset, strobes } => {
            Role::Function(Function::Control(Control {
                phase: pins.inputs("phase", phase, 3)?,
                opcode: pins.inputs("opcode", opcode, 3)?,
                carry: pins.input("carry", carry)?,
                reset: pins.input("reset", reset)?,
                strobes: pins.strobes(strobes)?,
            }))
        }
        Does::AluLow { opcode, a, data, operand, from_above, result, carry_out } => {
            let joint = pins.input("from_above", from_above)?;
            let slice = pins.slice(joint, [opcode, a, data, operand, result], carry_out)?;
            Role::Function(Function::AluLow(slice))
        }
        Does::AluHigh { opcode, a, data, operand, carry_in, result, carry_out } => {
            let joint = pins.input("carry_in", carry_in)?;
            let slice = pins.slice(joint, [opcode, a, data, operand, result], carry_out)?;
            Role::Function(Function::AluHigh(slice))
        }
        Does::Buffer { from } => {
            let from = pins.inputs("from", from, pins.chip.data.len())?;
            Role::Function(Function::Buffer { from, to: pins.all_outputs() })
        }
        Does::Select { address, lines } => {
            Role::Function(Function::Select(pins.select(address, lines)?))
        }
        Does::Choose { by, high, low } => {
            let width = pins.chip.data.len();
            Role::Function(Function::Choose(Choose {
                by: pins.input("by", by)?,
                high: pins.inputs("high", high, width)?,
                low: pins.inputs("low", low, width)?,
                to: pins.all_outputs(),
            }))
        }
        Does::Table => Role::Function(Function::Table),
        Does::Program { code } => Role::Program(*code),
        Does::Memory => Role::Memory,
    })
}

/// Returns the role of a logic part, whose pins are fixed.
fn role_of_part(chip: &Chip, logic: Logic) -> Role {
    let pins = |first: u8, count: u8| Field::new((first..first + count).collect());
    // Data pins that are not listed are not connected.
    let wired = chip.data.len() as u8;
    let to = pins(0, wired);
    match logic {
        Logic::Decoder { low, high } => {
            let number = chip.part.address_bits - low - high;
            Role::Function(Function::Decode(Decode {
                number: pins(0, number),
                low: pins(number, low).mask(),
                high: pins(number + low, high).mask(),
                to,
            }))
        }
        Logic::Latch => {
            let width = chip.part.data_bits;
            let back = pins(width + 1, wired);
            let q = FedBack { out: to, back };
            Role::Latches(vec![Latch { enable: width, d: pins(0, wired), q }])
        }
    }
}

/// A chip, for looking up its pins by wire.
struct ChipPins<'a> {
    chip: &'a Chip,
    names: &'a Names,
}

impl ChipPins<'_> {
    fn error(&self, field: &str, reason: impl fmt::Display) -> BoardError {
        BoardError::at(&self.chip.name, format!("{field} of `does`: {reason}"))
    }

    fn wires(&self, field: &str, texts: &[String]) -> Result<Vec<NetId>, BoardError> {
        self.names.wires(&format!("{}: {field}", self.chip.name), texts)
    }

    /// Returns the address pin that is connected to a wire. More than one is an error.
    fn address_pin(&self, field: &str, net: NetId, text: &str) -> Result<u8, BoardError> {
        let mut pins = self.chip.pins_reading(net);
        match (pins.next(), pins.next()) {
            (Some(pin), None) => Ok(pin),
            (None, _) => Err(self.error(field, format!("no address pin is wired to {text}"))),
            _ => Err(self.error(field, format!("two address pins are wired to {text}"))),
        }
    }

    fn data_pin(&self, field: &str, net: NetId, text: &str) -> Result<u8, BoardError> {
        let pin = self.chip.data.iter().position(|&data| data == net);
        let pin = pin.ok_or_else(|| self.error(field, format!("no data pin drives {text}")))?;
        Ok(pin as u8)
    }

    fn input(&self, field: &str, text: &str) -> Result<u8, BoardError> {
        let net = self.names.wire(&format!("{}: {field}", self.chip.name), text)?;
        self.address_pin(field, net, text)
    }

    fn output(&self, field: &str, text: &str) -> Result<u8, BoardError> {
        let net = self.names.wire(&format!("{}: {field}", self.chip.name), text)?;
        self.data_pin(field, net, text)
    }

    /// Returns the address pins of `width` wires.
    fn inputs(&self, field: &str, texts: &[String], width: usize) -> Result<Field, BoardError> {
        let field_of = self.some_inputs(field, texts)?;
        self.check_width(field, &field_of, width)?;
        Ok(field_of)
    }

    fn some_inputs(&self, field: &str, texts: &[String]) -> Result<Field, BoardError> {
        let wires = self.wires(field, texts)?;
        let list = texts.join(", ");
        let pins = wires.into_iter().map(|net| self.address_pin(field, net, &list));
        Ok(Field::new(pins.collect::<Result<_, _>>()?))
    }

    fn outputs(&self, field: &str, texts: &[String], width: usize) -> Result<Field, BoardError> {
        let wires = self.wires(field, texts)?;
        let list = texts.join(", ");
        let pins = wires.into_iter().map(|net| self.data_pin(field, net, &list));
        let field_of = Field::new(pins.collect::<Result<_, _>>()?);
        self.check_width(field, &field_of, width)?;
        Ok(field_of)
    }

    fn all_outputs(&self) -> Field {
        Field::new((0..self.chip.data.len() as u8).collect())
    }

    fn select(&self, address: &[String], lines: &[Selected<String>]) -> Result<Select, BoardError> {
        let address = self.some_inputs("address", address)?;
        let mut outputs = Vec::new();
        for Selected { pin: line, from, to } in lines {
            if from > to || to >> address.width() != 0 {
                let reason = format!("{line}: {from:#x} to {to:#x} is not a range of addresses");
                return Err(self.error("lines", reason));
            }
            outputs.push(Selected { pin: self.output("lines", line)?, from: *from, to: *to });
        }
        Ok(Select { address, outputs })
    }

    fn check_width(&self, field: &str, found: &Field, width: usize) -> Result<(), BoardError> {
        let found = found.width() as usize;
        if found == width {
            return Ok(());
        }
        Err(self.error(field, format!("{found} wires are listed, expected {width}")))
    }

    /// Returns the pins of wires that the chip drives and also reads.
    fn fed_back(&self, field: &str, texts: &[String]) -> Result<FedBack, BoardError> {
        let back = self.some_inputs(field, texts)?;
        if back.width() == 0 || back.width() > COUNT_BITS_MAX {
            let reason = format!("{} wires are listed, expected 1 to 8", back.width());
            return Err(self.error(field, reason));
        }
        let out = self.outputs(field, texts, back.width() as usize)?;
        Ok(FedBack { out, back })
    }

    fn parities(&self, field: &str, shows: &ShownBits) -> Result<Vec<Parity>, BoardError> {
        Ok(match shows {
            ShownBits::Parity(texts) => vec![Parity(self.some_inputs(field, texts)?.mask())],
            ShownBits::Lines(texts) => {
                let wires = self.some_inputs(field, texts)?;
                wires.pins().iter().map(|pin| Parity(1 << pin)).collect()
            }
        })
    }

    fn load(&self, load: &document::Load, width: u32) -> Result<Load, BoardError> {
        let mut gray = Vec::new();
        for shows in &load.gray {
            gray.extend(self.parities("load", shows)?);
        }
        if gray.len() != width as usize {
            let reason = format!("{} wires are loaded into {width}", gray.len());
            return Err(self.error("load", reason));
        }
        Ok(Load { on: self.input("load", &load.on)?, gray })
    }

    fn park(&self, park: &Park<String>, width: u32) -> Result<Park, BoardError> {
        if park.at >> width != 0 {
            let reason = format!("{} does not fit into {width} wires", park.at);
            return Err(self.error("park", reason));
        }
        Ok(Park { during: self.input("park", &park.during)?, at: park.at })
    }

    fn other(&self, beside: &document::Beside) -> Result<(u8, Parity), BoardError> {
        match self.parities("beside", &beside.shows)?[..] {
            [parity] => Ok((self.output("beside", &beside.line)?, parity)),
            _ => Err(self.error("beside", "one wire cannot show several")),
        }
    }

    fn latch(&self, latch: &document::Latch) -> Result<Latch, BoardError> {
        let q = self.fed_back("q", &latch.q)?;
        let d = self.inputs("d", &latch.d, q.out.width() as usize)?;
        Ok(Latch { enable: self.input("enable", &latch.enable)?, d, q })
    }

    fn strobes(&self, strobes: &Strobes<String>) -> Result<Strobes, BoardError> {
        Ok(Strobes {
            fetch_high: self.output("fetch_high", &strobes.fetch_high)?,
            fetch_low: self.output("fetch_low", &strobes.fetch_low)?,
            take_a: self.output("take_a", &strobes.take_a)?,
            take_carry: self.output("take_carry", &strobes.take_carry)?,
            write_low: self.output("write_low", &strobes.write_low)?,
            show: self.output("show", &strobes.show)?,
            jump: self.output("jump", &strobes.jump)?,
            clear: self.output("clear", &strobes.clear)?,
        })
    }

    /// Returns the pins of half an arithmetic unit. `wires` has the wires of the opcode, A, the
    /// data byte, the operand and the result, in this order.
    fn slice(
        &self,
        joint: u8,
        wires: [&[String]; 5],
        carry_out: &str,
    ) -> Result<AluSlice, BoardError> {
        let [opcode, a, data, operand, result] = wires;
        Ok(AluSlice {
            opcode: self.inputs("opcode", opcode, 3)?,
            a: self.inputs("a", a, 4)?,
            data: self.inputs("data", data, 4)?,
            operand: self.inputs("operand", operand, 4)?,
            joint,
            result: self.outputs("result", result, 4)?,
            carry_out: self.output("carry_out", carry_out)?,
        })
    }
}

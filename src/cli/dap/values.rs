//! Values in words, and places that can be given another value.

use gray1_isa::{RamAddr, RomIndex, Symbol, SymbolKind};
use gray1_sim::Registers;
use gray1_sim::debugger::{Expression, Input, Signal};

use super::debuggee::Debuggee;
use super::protocol::Refusal;

/// Something whose value can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changeable {
    A,
    Carry,
    Pc,
    Byte(RamAddr),
}

/// What a text stands for.
#[derive(Debug)]
pub(super) enum Meaning<'a> {
    /// The bytes of a variable.
    Variable(&'a Symbol),
    /// A number.
    Number(i64),
    /// The level of a line, or what several lines carry, with the number of hexadecimal digits.
    Lines(u32, usize),
}

/// A byte: `0x2a (42)`.
pub(super) fn byte(byte: u8) -> String {
    format!("{byte:#04x} ({byte})")
}

/// A number: in hexadecimal, too, if it may be a byte or an address.
pub(super) fn number(number: i64) -> String {
    match (u8::try_from(number), u16::try_from(number)) {
        (Ok(number), _) => byte(number),
        (_, Ok(word)) => format!("{word:#06x} ({word})"),
        _ => number.to_string(),
    }
}

/// The first address of a variable.
pub(super) fn address(variable: &Symbol) -> RamAddr {
    // An image has no variable outside data memory.
    u16::try_from(variable.value).map_or(RamAddr::MAX, RamAddr::truncate)
}

/// The bytes of a variable.
pub(super) fn bytes<'a>(debuggee: &'a Debuggee, variable: &Symbol) -> &'a [u8] {
    let first = address(variable).to_usize();
    let bytes = &debuggee.engine().ram()[first..];
    &bytes[..usize::from(variable.size).min(bytes.len())]
}

/// What a text stands for at an instruction: a variable, a line or a register of the board, or an
/// expression.
pub(super) fn meaning<'a>(
    debuggee: &'a Debuggee,
    text: &str,
    at: RomIndex,
) -> Result<Meaning<'a>, Refusal> {
    let text = text.trim();
    if let Some(symbol) = debuggee.image().symbol_at(text, at)
        && symbol.kind == SymbolKind::Variable
    {
        return Ok(Meaning::Variable(symbol));
    }
    match value(debuggee, text, at) {
        Ok(number) => Ok(Meaning::Number(number)),
        Err(refusal) => lines(debuggee, text).ok_or(refusal),
    }
}

/// What lines of the board carry.
fn lines<'a>(debuggee: &Debuggee, name: &str) -> Option<Meaning<'a>> {
    let circuit = debuggee.engine().circuit()?;
    let signal = Signal::named(name, circuit.board())?;
    Some(Meaning::Lines(signal.value(|net| circuit.level(net)), signal.digits()))
}

/// The value of an expression at an instruction.
pub(super) fn value(debuggee: &Debuggee, text: &str, at: RomIndex) -> Result<i64, Refusal> {
    let expression = Expression::parse(text, debuggee.scope(at));
    let expression = expression.map_err(|error| Refusal::new(error.to_string()))?;
    let value = expression.value(debuggee.view());
    value.ok_or_else(|| Refusal::new("this has no value"))
}

/// What a text names that can be changed: a register, `[address]`, or a byte of a variable as in
/// `stack + 3`.
pub(super) fn changeable(
    debuggee: &Debuggee,
    text: &str,
    at: RomIndex,
) -> Result<Changeable, Refusal> {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match text {
        "A" => return Ok(Changeable::A),
        "C" => return Ok(Changeable::Carry),
        "PC" => return Ok(Changeable::Pc),
        _ => {}
    }
    let address = value(debuggee, inner.unwrap_or(text), at)?;
    data_byte(address).map(Changeable::Byte)
}

/// The byte of data memory at a place.
pub(super) fn data_byte(place: i64) -> Result<RamAddr, Refusal> {
    let address = u16::try_from(place).ok().and_then(RamAddr::new);
    address.ok_or_else(|| Refusal::new("this is outside data memory 0 to 8191"))
}

/// Gives something the value of an expression; what it is then, in words.
pub(super) fn change(
    debuggee: &mut Debuggee,
    what: Changeable,
    text: &str,
    at: RomIndex,
) -> Result<String, Refusal> {
    let value = value(debuggee, text, at)?;
    let out_of = |range: &str| Refusal::new(format!("expected {range}, this is {value}"));
    let as_byte = || {
        let byte = u8::try_from(value).or_else(|_| i8::try_from(value).map(i8::cast_unsigned));
        byte.map_err(|_| out_of("a byte, -128 to 255"))
    };
    let engine = debuggee.engine();
    let now = engine.registers();
    let registers = match what {
        Changeable::A => Registers { a: as_byte()?, ..now },
        Changeable::Carry => match value {
            0 | 1 => Registers { carry: value == 1, ..now },
            _ => return Err(out_of("0 or 1")),
        },
        Changeable::Pc => {
            let pc = u16::try_from(value).ok().and_then(RomIndex::new);
            Registers { pc: pc.ok_or_else(|| out_of("an index, 0 to 8191"))?, ..now }
        }
        Changeable::Byte(address) => {
            let value = as_byte()?;
            debuggee.give(Input::Poke(address, value));
            return Ok(byte(value));
        }
    };
    load(debuggee, registers)?;
    Ok(match what {
        Changeable::A => byte(registers.a),
        Changeable::Carry => u8::from(registers.carry).to_string(),
        _ => index(debuggee, registers.pc),
    })
}

/// Gives the registers other contents.
pub(super) fn load(debuggee: &mut Debuggee, registers: Registers) -> Result<(), Refusal> {
    if !debuggee.engine().boxed_clone().load(registers) {
        return Err(Refusal::new("on this board only data memory can be changed"));
    }
    debuggee.give(Input::Load(registers));
    Ok(())
}

/// The index of an instruction, and its place: `0x0012 row3+4`.
pub(super) fn index(debuggee: &Debuggee, index: RomIndex) -> String {
    let place = debuggee.image().names().place(index);
    let number = format!("{:#06x}", index.get());
    if place == number { number } else { format!("{number} {place}") }
}

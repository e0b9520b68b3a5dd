//! Formats values, and changes them.

use gray1_debugger::why::{Asked, Question};
use gray1_debugger::{ChangeError, Changeable, Debugger, Expression, Signal, Value, values};
use gray1_isa::{Image, RamAddr, RomIndex, Symbol, SymbolKind};
use serde_json::json;

use super::protocol::{Refusal, reference};

/// Formats a byte: `0x2a (42)`.
pub(super) fn format_byte(byte: u8) -> String {
    format!("{byte:#04x} ({byte})")
}

/// Formats a value: an address with the byte there, or a number. A number that may be a byte or an
/// address is also in hexadecimal.
pub(super) fn format_value(debugger: &Debugger, value: Value) -> String {
    match value {
        Value::Number(it) => format_number(it),
        Value::Data(address, it) => format_at_address(debugger, address, 1, &format_byte(it)),
    }
}

/// Formats bytes of data memory, with the first address in front. A remark follows if nothing has
/// written any of them.
pub(super) fn format_at_address(
    debugger: &Debugger,
    first: RamAddr,
    size: u16,
    what: &str,
) -> String {
    let mut addresses = (0..size.max(1)).map(|n| RamAddr::truncate(first.get() + n));
    let is_unwritten = addresses.all(|address| debugger.is_unwritten(address));
    let remark = if is_unwritten { ", never written" } else { "" };
    format!("{}: {what}{remark}", reference(first.get()))
}

fn format_number(number: i64) -> String {
    match (u8::try_from(number), u16::try_from(number)) {
        (Ok(number), _) => format_byte(number),
        (_, Ok(word)) => format!("{word:#06x} ({word})"),
        _ => number.to_string(),
    }
}

/// The first address of a variable.
pub(super) fn address(variable: &Symbol) -> RamAddr {
    // In an image, all variables are inside data memory.
    u16::try_from(variable.value).map_or(RamAddr::MAX, RamAddr::truncate)
}

/// The bytes of a variable.
pub(super) fn bytes<'a>(debugger: &'a Debugger, variable: &Symbol) -> &'a [u8] {
    let first = address(variable).to_usize();
    let bytes = &debugger.engine().ram()[first..];
    &bytes[..usize::from(variable.size).min(bytes.len())]
}

/// The number of steps of an explanation in the console.
const CONSOLE_DEPTH: usize = 4;

/// Asks for the cause of a value. Names are those visible at the instruction `at`.
pub(super) fn ask(debugger: &mut Debugger, question: &str, at: RomIndex) -> Result<(), Refusal> {
    let asked = Asked::parse(question, debugger.scope(Some(at)), debugger.engine().pc());
    let asked = asked.map_err(|error| Refusal::new(error.to_string()))?;
    debugger
        .ask(Question { asked, depth: CONSOLE_DEPTH, is_folded: true }, debugger.position().moment);
    Ok(())
}

/// The answer to the last question, as the console shows it.
pub(super) fn format_explanation(debugger: &Debugger) -> serde_json::Value {
    let image = debugger.image();
    let explanation = debugger.explanation().map(|it| it.text(it.lines(image), usize::MAX));
    json!({ "result": explanation, "variablesReference": 0 })
}

/// The variable with this name at an instruction.
pub(super) fn variable<'a>(debugger: &'a Debugger, name: &str, at: RomIndex) -> Option<&'a Symbol> {
    let symbol = debugger.image().symbol_at(name.trim(), at);
    symbol.filter(|symbol| symbol.kind == SymbolKind::Variable)
}

/// The value of an expression at an instruction.
pub(super) fn evaluate(debugger: &Debugger, text: &str, at: RomIndex) -> Result<Value, Refusal> {
    let expression = Expression::parse(text.trim(), debugger.scope(Some(at)))?;
    Ok(Value::evaluate(&expression, debugger.view()).ok_or(ChangeError::NoValue)?)
}

/// The number on a wire, a bus or a register of the board.
pub(super) fn read_wires(debugger: &mut Debugger, name: &str) -> Option<String> {
    let levels = debugger.levels()?;
    let signal = Signal::named(name, &levels.board)?;
    let width = signal.digits() + 2;
    Some(format!("{:#0width$x}", signal.value(|net| levels.level(net))))
}

/// Parses the name of a register or byte that can be changed.
pub(super) fn parse_changeable(
    debugger: &Debugger,
    text: &str,
    at: RomIndex,
) -> Result<Changeable, Refusal> {
    Ok(Changeable::parse(text, debugger.scope(Some(at)), debugger.view())?)
}

/// Sets a register or a byte to the value of an expression. Returns the new value, formatted.
pub(super) fn change(
    debugger: &mut Debugger,
    what: Changeable,
    text: &str,
    at: RomIndex,
) -> Result<String, Refusal> {
    let value = values::value(text, debugger.scope(Some(at)), debugger.view())?;
    debugger.change(what.input(value, debugger.engine().registers())?)?;
    let registers = debugger.engine().registers();
    Ok(match what {
        Changeable::A => format_byte(registers.a),
        Changeable::Carry => u8::from(registers.carry).to_string(),
        Changeable::Pc => format_index(debugger.image(), registers.pc),
        Changeable::Byte(address) => format_byte(debugger.engine().ram()[address.to_usize()]),
    })
}

/// The index of an instruction, and its place: `0x0012 row3+4`.
pub(super) fn format_index(image: &Image, index: RomIndex) -> String {
    let place = image.names().place(index);
    let number = reference(index.get());
    if place == number { number } else { format!("{number} {place}") }
}

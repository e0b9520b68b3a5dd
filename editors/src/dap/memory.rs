//! Lets a client read and write data memory and program memory.
//!
//! A memory reference is a hexadecimal address. It is the address of a byte in requests that read
//! and write bytes, and the index of an instruction in requests that show instructions.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use gray1_debugger::{Debugger, Input, values};
use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::{RamAddr, RomIndex, SourceLine};
use serde_json::{Value, json};

use super::protocol::{Answer, Refusal, Request, reference, with};
use super::run::DebugRun;

/// The maximum number of instructions to disassemble at once.
const INSTRUCTIONS_MAX: u64 = 2 * ROM_WORDS as u64;

/// Parses a memory reference, and adds an offset to its number.
pub(super) fn parse_reference(reference: &str, offset: i64) -> Result<i64, Refusal> {
    let digits = reference.trim().strip_prefix("0x");
    let number = match digits {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => reference.trim().parse(),
    };
    let place = number.ok().and_then(|number| number.checked_add(offset));
    place.ok_or_else(|| Refusal::new("expected an address such as 0x1fe0"))
}

/// Parses a memory reference, adds an offset, and returns the result as the index of an
/// instruction.
pub(super) fn parse_instruction(reference: &str, offset: i64) -> Result<RomIndex, Refusal> {
    let index = u16::try_from(parse_reference(reference, offset)?).ok().and_then(RomIndex::new);
    index.ok_or_else(|| Refusal::new("this is outside program memory 0 to 8191"))
}

/// The address that a request gives as a reference plus an offset.
fn get_reference(request: &Request) -> Result<i64, Refusal> {
    parse_reference(request.get("memoryReference")?, request.get_or_default("offset")?)
}

pub(super) fn read(debugger: &Debugger, request: &Request) -> Answer {
    let first = get_reference(request)?;
    let wanted: u64 = request.get("count")?;
    let address = format!("{first:#06x}");
    let start = usize::try_from(first).ok().filter(|start| *start < RAM_BYTES);
    let Some(start) = start else {
        return Ok(json!({ "address": address, "unreadableBytes": wanted }));
    };
    let count = usize::try_from(wanted).unwrap_or(usize::MAX).min(RAM_BYTES - start);
    let data = BASE64_STANDARD.encode(&debugger.engine().ram()[start..start + count]);
    let body = json!({ "address": address, "data": data });
    let missing = wanted - count as u64;
    Ok(if missing == 0 { body } else { with(body, "unreadableBytes", missing.into()) })
}

pub(super) fn write(debugger: &mut Debugger, request: &Request) -> Answer {
    let first = get_reference(request)?;
    let Ok(bytes) = BASE64_STANDARD.decode(request.get::<&str>("data")?) else {
        return Err(Refusal::new("the data is not valid base64"));
    };
    let address = |number: usize| {
        let address = first.checked_add(i64::try_from(number).ok()?)?;
        values::data_address(address).ok()
    };
    let writes: Vec<(RamAddr, u8)> =
        bytes.iter().enumerate().map_while(|(n, byte)| Some((address(n)?, *byte))).collect();
    if writes.len() < bytes.len() && !request.get_or_default::<bool>("allowPartial")? {
        return Err(Refusal::new("these bytes do not fit into data memory 0 to 8191"));
    }
    for (address, byte) in &writes {
        // Writing the value that a byte already has does not count as an input, so the recorded
        // future is kept.
        if debugger.engine().ram()[address.to_usize()] != *byte {
            debugger.give(Input::Poke(*address, *byte));
        }
    }
    Ok(json!({ "offset": 0, "bytesWritten": writes.len() }))
}

pub(super) fn disassemble(run: &DebugRun, request: &Request) -> Answer {
    let first = get_reference(request)?.checked_add(request.get_or_default("instructionOffset")?);
    let count: u64 = request.get("instructionCount")?;
    let first = first.ok_or_else(|| Refusal::new("this is outside program memory 0 to 8191"))?;
    if count > INSTRUCTIONS_MAX {
        return Err(Refusal::new(format!("at most {INSTRUCTIONS_MAX} instructions at once")));
    }
    let places = (0..).take(count as usize).map(|n| first.saturating_add(n));
    let instructions: Vec<Value> = places.map(|place| disassemble_one(run, place)).collect();
    Ok(json!({ "instructions": instructions }))
}

/// Returns one disassembled instruction. A place outside program memory is marked as invalid.
fn disassemble_one(run: &DebugRun, place: i64) -> Value {
    let image = run.debugger.image();
    let Some(index) = u16::try_from(place).ok().and_then(RomIndex::new) else {
        let address = place.to_string();
        return json!({ "address": address, "instruction": "", "presentationHint": "invalid" });
    };
    let word = image.word(index);
    let mut shown = json!({
        "address": reference(index.get()),
        "instructionBytes": format!("{:04x}", word.bits()),
        "instruction": image.instruction(index),
    });
    if let Some(label) = image.names().label(index) {
        shown["symbol"] = label.into();
    }
    if let Some(SourceLine { file, line }) = run.shown_line(index).map(|it| run.current_line(it)) {
        shown["location"] = run.source(file);
        shown["line"] = run.numbering.line(line).into();
    }
    shown
}

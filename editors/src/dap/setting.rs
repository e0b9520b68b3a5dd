//! The requests that set breakpoints of every kind, and what the client is told of these.

use gray1_debugger::values::data_address;
use gray1_debugger::{Access, Breakpoint, BreakpointRequest, Changeable, Debugger, Target};
use gray1_isa::RamAddr;
use serde::Deserialize;
use serde_json::{Value, json};

use super::memory;
use super::protocol::{Answer, Numbering, Refusal, reference};
use super::run::Run;
use super::sources::SourceArgument;
use super::values::{self, Meaning};
use super::variables::{self, Container};

/// The breakpoints of one kind that there are to be.
#[derive(Deserialize)]
pub(super) struct SetBreakpoints<T> {
    breakpoints: Vec<Wanted<T>>,
}

/// The breakpoints of a source that there are to be.
#[derive(Deserialize)]
pub(super) struct SetLines {
    source: SourceArgument,
    #[serde(default)]
    breakpoints: Vec<Wanted<AtLine>>,
}

/// A breakpoint, with what one of any kind may have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted<T> {
    #[serde(flatten)]
    at: T,
    condition: Option<String>,
    hit_condition: Option<String>,
    log_message: Option<String>,
}

#[derive(Deserialize)]
struct AtLine {
    line: u32,
}

#[derive(Deserialize)]
pub(super) struct AtName {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AtInstruction {
    instruction_reference: String,
    #[serde(default)]
    offset: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AtData {
    data_id: String,
    #[serde(default)]
    access_type: AccessType,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
enum AccessType {
    Read,
    #[default]
    Write,
    ReadWrite,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DataInfo {
    #[serde(default)]
    variables_reference: i64,
    name: String,
    frame_id: Option<i64>,
    bytes: Option<u16>,
    #[serde(default)]
    as_address: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Locations {
    source: SourceArgument,
    line: u32,
    end_line: Option<u32>,
}

/// How the display is named among data.
const DISPLAY_ID: &str = "leds";

/// Sets the breakpoints of a source.
pub(super) fn lines(run: &mut Run, arguments: SetLines, numbering: Numbering) -> Answer {
    let SetLines { source, breakpoints } = arguments;
    let name = run.sources.name(&source);
    let target = |AtLine { line }| {
        Ok(Target::Line { source: name.clone(), line: numbering.read_line(line)? })
    };
    let are_replaced =
        |target: &Target| matches!(target, Target::Line { source, .. } if *source == name);
    set(run, breakpoints, target, are_replaced, numbering)
}

/// Sets the breakpoints on names, and on anything else that the debugger has words for.
pub(super) fn functions(
    run: &mut Run,
    arguments: SetBreakpoints<AtName>,
    numbering: Numbering,
) -> Answer {
    let target = |AtName { name }| Ok(Target::Text(name));
    let are_replaced = |target: &Target| matches!(target, Target::Text(_));
    set(run, arguments.breakpoints, target, are_replaced, numbering)
}

/// Sets the breakpoints on instructions.
pub(super) fn instructions(
    run: &mut Run,
    arguments: SetBreakpoints<AtInstruction>,
    numbering: Numbering,
) -> Answer {
    let target = |AtInstruction { instruction_reference, offset }| {
        memory::instruction(&instruction_reference, offset).map(Target::Instruction)
    };
    let are_replaced = |target: &Target| matches!(target, Target::Instruction(_));
    set(run, arguments.breakpoints, target, are_replaced, numbering)
}

/// Sets the breakpoints on data.
pub(super) fn data(
    run: &mut Run,
    arguments: SetBreakpoints<AtData>,
    numbering: Numbering,
) -> Answer {
    let target = |AtData { data_id, access_type }| {
        if data_id == DISPLAY_ID {
            return Ok(Target::Display);
        }
        let access = match access_type {
            AccessType::Read => Access::Read,
            AccessType::Write => Access::Write,
            AccessType::ReadWrite => Access::Any,
        };
        bytes_of_id(&data_id).map(|(first, last)| Target::Bytes(access, first, last))
    };
    let are_replaced = |target: &Target| matches!(target, Target::Bytes(..) | Target::Display);
    set(run, arguments.breakpoints, target, are_replaced, numbering)
}

/// Sets breakpoints in place of those at such targets.
fn set<T>(
    run: &mut Run,
    wanted: Vec<Wanted<T>>,
    target: impl Fn(T) -> Result<Target, Refusal>,
    are_replaced: impl Fn(&Target) -> bool,
    numbering: Numbering,
) -> Answer {
    // An editor may send what a user has emptied.
    let some = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let request = |wanted: Wanted<T>| {
        Ok(BreakpointRequest {
            target: target(wanted.at)?,
            condition: some(wanted.condition),
            hit_condition: some(wanted.hit_condition),
            log_message: some(wanted.log_message),
        })
    };
    let requests = wanted.into_iter().map(request).collect::<Result<Vec<_>, Refusal>>()?;
    let count = requests.len();
    run.debugger.change_breakpoints(|breakpoints, program| {
        breakpoints.retain(|breakpoint| !are_replaced(&breakpoint.request.target));
        // There may be room again for those that were too many.
        breakpoints.bind(program);
        for request in requests {
            breakpoints.add(request, program);
        }
    });
    let told = told_again(run, numbering);
    Ok(json!({ "breakpoints": told[told.len() - count..] }))
}

/// How bytes are named.
fn id_of_bytes(first: RamAddr, size: u16) -> String {
    format!("{}+{size}", reference(first.get()))
}

/// The first and the last of the bytes of a name.
fn bytes_of_id(id: &str) -> Result<(RamAddr, RamAddr), Refusal> {
    let none = || Refusal::new("expected the dataId of a dataBreakpointInfo");
    let (first, size) = id.split_once('+').ok_or_else(none)?;
    let first = data_address(memory::place(first, 0)?).map_err(|_| none())?;
    let size: u16 = size.parse().ok().filter(|size| *size > 0).ok_or_else(none)?;
    let last = first.get().checked_add(size - 1).and_then(RamAddr::new);
    Ok((first, last.ok_or_else(none)?))
}

/// Says how a data breakpoint on something is asked for.
pub(super) fn data_info(run: &mut Run, arguments: &DataInfo) -> Answer {
    let DataInfo { name, bytes, .. } = arguments;
    let info = |id: String, description: String, accesses: &[&str]| {
        json!({
            "dataId": id, "description": description, "accessTypes": accesses, "canPersist": true,
        })
    };
    let container = run.containers.get(arguments.variables_reference);
    if container == Ok(Container::Panel) && name == "LEDs" {
        return Ok(info(DISPLAY_ID.to_owned(), "LEDs".to_owned(), &["write"]));
    }
    match data_bytes(run, arguments) {
        Ok((first, size)) => {
            let id = id_of_bytes(first, bytes.unwrap_or(size).max(1));
            bytes_of_id(&id)?;
            let description = run.debugger.image().names().byte(first);
            Ok(info(id, description, &["read", "write", "readWrite"]))
        }
        Err(refusal) => Ok(json!({ "dataId": null, "description": refusal.to_string() })),
    }
}

/// The bytes that a name or an address stands for.
fn data_bytes(run: &mut Run, arguments: &DataInfo) -> Result<(RamAddr, u16), Refusal> {
    let DataInfo { variables_reference, name, frame_id, as_address, .. } = arguments;
    let at = run.at(*frame_id)?;
    let debugger = &run.debugger;
    if *as_address {
        return Ok((data_address(memory::place(name, 0)?)?, 1));
    }
    let (changeable, full) = if *variables_reference == 0 {
        (values::changeable(debugger, name, at)?, name.clone())
    } else {
        let container = run.containers.get(*variables_reference)?;
        let full = variables::full_name(&container, name);
        (variables::changeable(debugger, &container, name)?, full)
    };
    let Changeable::Byte(address) = changeable else {
        return Err(Refusal::new(
            "registers have no data breakpoints; the function breakpoint `when A == 5` waits for one",
        ));
    };
    let size = match values::meaning(debugger, &full, at) {
        Ok(Meaning::Variable(symbol)) => symbol.size,
        _ => 1,
    };
    Ok((address, size))
}

/// The lines at which a breakpoint can stand.
pub(super) fn locations(run: &Run, arguments: &Locations, numbering: Numbering) -> Answer {
    let file = run.sources.find(&arguments.source)?;
    let first = numbering.read_line(arguments.line)?;
    let last = arguments.end_line.map_or(Ok(first), |line| numbering.read_line(line))?;
    let lines = run.debugger.source_lines().executed_lines(file, first, last);
    let lines = lines.map(|line| json!({ "line": numbering.line(line) }));
    Ok(json!({ "breakpoints": lines.collect::<Vec<Value>>() }))
}

/// What the client is told of all breakpoints.
pub(super) fn told_again(run: &Run, numbering: Numbering) -> Vec<Value> {
    let breakpoints = run.debugger.breakpoints().list().iter();
    breakpoints.map(|breakpoint| told(breakpoint, run, numbering)).collect()
}

fn told(breakpoint: &Breakpoint, run: &Run, numbering: Numbering) -> Value {
    let id = breakpoint.id;
    let bound = match &breakpoint.bound {
        Ok(bound) => bound,
        Err(why) => return json!({ "id": id, "verified": false, "message": why }),
    };
    let mut told = json!({ "id": id, "verified": true });
    if let Some(index) = bound.index {
        told["instructionReference"] = reference(index.get()).into();
    }
    run.placed(told, bound.place, numbering)
}

/// The protocol's word for the kind of the first of these breakpoints.
pub(super) fn kind(debugger: &Debugger, ids: &[i64]) -> &'static str {
    let first = debugger.breakpoints().list().iter().find(|it| Some(&it.id) == ids.first());
    match first.map(|breakpoint| &breakpoint.request.target) {
        Some(Target::Text(_)) => "function breakpoint",
        Some(Target::Instruction(_)) => "instruction breakpoint",
        Some(Target::Bytes(..) | Target::Display) => "data breakpoint",
        Some(Target::Line { .. }) | None => "breakpoint",
    }
}

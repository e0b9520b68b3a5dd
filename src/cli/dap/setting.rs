//! The requests that set breakpoints of every kind, and what the client is told of these.

use gray1_isa::{Place, RamAddr};
use gray1_sim::debugger::values::data_address;
use gray1_sim::debugger::{Access, Breakpoint, BreakpointRequest, Changeable, Debugger, Target};
use serde::Deserialize;
use serde_json::{Value, json};

use super::memory;
use super::protocol::{Answer, Numbering, Refusal, with};
use super::run::Run;
use super::sources::SourceArgument;
use super::values::{self, Meaning};
use super::variables::{self, Container};

/// What breakpoints of all kinds may have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Refinement {
    condition: Option<String>,
    hit_condition: Option<String>,
    log_message: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetBreakpoints {
    source: SourceArgument,
    #[serde(default)]
    breakpoints: Vec<AtLine>,
}

#[derive(Deserialize)]
struct AtLine {
    line: u32,
    #[serde(flatten)]
    refinement: Refinement,
}

#[derive(Deserialize)]
pub(super) struct SetFunctionBreakpoints {
    breakpoints: Vec<AtName>,
}

#[derive(Deserialize)]
struct AtName {
    name: String,
    #[serde(flatten)]
    refinement: Refinement,
}

#[derive(Deserialize)]
pub(super) struct SetInstructionBreakpoints {
    breakpoints: Vec<AtInstruction>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AtInstruction {
    instruction_reference: String,
    #[serde(default)]
    offset: i64,
    #[serde(flatten)]
    refinement: Refinement,
}

#[derive(Deserialize)]
pub(super) struct SetDataBreakpoints {
    breakpoints: Vec<AtData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AtData {
    data_id: String,
    #[serde(default)]
    access_type: AccessType,
    #[serde(flatten)]
    refinement: Refinement,
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

impl Refinement {
    fn request(self, target: Target) -> BreakpointRequest {
        // An editor may send what a user has emptied.
        let some = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let Self { condition, hit_condition, log_message } = self;
        let (condition, hit_condition) = (some(condition), some(hit_condition));
        BreakpointRequest { target, condition, hit_condition, log_message: some(log_message) }
    }
}

/// Sets the breakpoints of a source.
pub(super) fn lines(run: &mut Run, arguments: SetBreakpoints, numbering: Numbering) -> Answer {
    let SetBreakpoints { source, breakpoints } = arguments;
    let name = source.name();
    let request = |AtLine { line, refinement }| {
        let target = Target::Line { source: name.clone(), line: numbering.read_line(line)? };
        Ok(refinement.request(target))
    };
    let requests = breakpoints.into_iter().map(request).collect::<Result<Vec<_>, Refusal>>()?;
    let are_replaced =
        |target: &Target| matches!(target, Target::Line { source, .. } if *source == name);
    Ok(replaced(run, are_replaced, requests, numbering))
}

/// Sets the breakpoints on names, and on anything else that the debugger has words for.
pub(super) fn functions(
    run: &mut Run,
    arguments: SetFunctionBreakpoints,
    numbering: Numbering,
) -> Value {
    let request = |AtName { name, refinement }| refinement.request(Target::Text(name));
    let requests = arguments.breakpoints.into_iter().map(request).collect();
    replaced(run, |target| matches!(target, Target::Text(_)), requests, numbering)
}

/// Sets the breakpoints on instructions.
pub(super) fn instructions(
    run: &mut Run,
    arguments: SetInstructionBreakpoints,
    numbering: Numbering,
) -> Answer {
    let request = |AtInstruction { instruction_reference, offset, refinement }| {
        let index = memory::instruction(&instruction_reference, offset)?;
        Ok(refinement.request(Target::Instruction(index)))
    };
    let requests = arguments.breakpoints.into_iter().map(request);
    let requests = requests.collect::<Result<Vec<_>, Refusal>>()?;
    let are_replaced = |target: &Target| matches!(target, Target::Instruction(_));
    Ok(replaced(run, are_replaced, requests, numbering))
}

/// Sets the breakpoints on data.
pub(super) fn data(run: &mut Run, arguments: SetDataBreakpoints, numbering: Numbering) -> Answer {
    let request = |AtData { data_id, access_type, refinement }| {
        if data_id == DISPLAY_ID {
            return Ok(refinement.request(Target::Display));
        }
        let access = match access_type {
            AccessType::Read => Access::Read,
            AccessType::Write => Access::Write,
            AccessType::ReadWrite => Access::Any,
        };
        let (first, last) = bytes_of_id(&data_id)?;
        Ok(refinement.request(Target::Bytes(access, first, last)))
    };
    let requests = arguments.breakpoints.into_iter().map(request);
    let requests = requests.collect::<Result<Vec<_>, Refusal>>()?;
    let are_replaced = |target: &Target| matches!(target, Target::Bytes(..) | Target::Display);
    Ok(replaced(run, are_replaced, requests, numbering))
}

/// How bytes are named.
fn id_of_bytes(first: RamAddr, size: u16) -> String {
    format!("{:#06x}+{size}", first.get())
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
        return {
            let address = data_address(memory::place(name, 0)?);
            Ok((address.map_err(|error| Refusal::new(error.to_string()))?, 1))
        };
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

fn replaced(
    run: &mut Run,
    are_replaced: impl Fn(&Target) -> bool,
    requests: Vec<BreakpointRequest>,
    numbering: Numbering,
) -> Value {
    let count = requests.len();
    run.debugger.change_breakpoints(|breakpoints, program| {
        breakpoints.retain(|breakpoint| !are_replaced(&breakpoint.request.target));
        // There may be room again for those that were too many.
        breakpoints.bind(program);
        for request in requests {
            // One that is too many says so itself.
            let _ = breakpoints.add(request, program);
        }
    });
    let told = told_again(run, numbering);
    json!({ "breakpoints": told[told.len() - count..] })
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
        told["instructionReference"] = format!("{:#06x}", index.get()).into();
    }
    let Some(Place { file, line }) = bound.place else { return told };
    let told = with(told, "source", run.sources.source(file));
    with(told, "line", numbering.line(line).into())
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

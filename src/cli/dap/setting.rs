//! The requests that set breakpoints of every kind, and what the client is told of these.

use gray1_isa::{Place, RamAddr};
use gray1_sim::debugger::Access;
use serde::Deserialize;
use serde_json::{Value, json};

use super::breakpoints::{Breakpoint, Kind, Target, Wish};
use super::debuggee::Debuggee;
use super::memory;
use super::protocol::{Answer, Numbering, Refusal, with};
use super::run::Run;
use super::sources::SourceArgument;
use super::values::{self, Changeable, Meaning};
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
    fn wish(self, target: Target) -> Wish {
        // An editor may send what a user has emptied.
        let some = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let Self { condition, hit_condition, log_message } = self;
        let (condition, hit_condition) = (some(condition), some(hit_condition));
        Wish { target, condition, hit_condition, log_message: some(log_message) }
    }
}

/// Sets the breakpoints of a source.
pub(super) fn lines(run: &mut Run, arguments: SetBreakpoints, numbering: Numbering) -> Answer {
    let SetBreakpoints { source, breakpoints } = arguments;
    let file = run.debuggee.sources.find(&source).ok();
    let wish = |AtLine { line, refinement }| {
        let target = Target::Line(source.clone(), numbering.read_line(line)?);
        Ok(refinement.wish(target))
    };
    let wishes = breakpoints.into_iter().map(wish).collect::<Result<Vec<Wish>, Refusal>>()?;
    let count = wishes.len();
    run.debuggee.change_breakpoints(|breakpoints, program| {
        let are_replaced = |target: &Target| match target {
            Target::Line(other, _) => match file {
                Some(_) => program.sources.find(other).ok() == file,
                None => other.path == source.path,
            },
            _ => false,
        };
        breakpoints.replace(are_replaced, wishes, program);
    });
    Ok(told_last(run, count, numbering))
}

/// Sets the breakpoints on names, and on anything else that the debugger has words for.
pub(super) fn functions(
    run: &mut Run,
    arguments: SetFunctionBreakpoints,
    numbering: Numbering,
) -> Value {
    let wish = |AtName { name, refinement }| refinement.wish(Target::Text(name));
    let wishes = arguments.breakpoints.into_iter().map(wish).collect();
    replaced(run, Kind::Function, wishes, numbering)
}

/// Sets the breakpoints on instructions.
pub(super) fn instructions(
    run: &mut Run,
    arguments: SetInstructionBreakpoints,
    numbering: Numbering,
) -> Answer {
    let wish = |AtInstruction { instruction_reference, offset, refinement }| {
        let index = memory::instruction(&instruction_reference, offset)?;
        Ok(refinement.wish(Target::Instruction(index)))
    };
    let wishes = arguments.breakpoints.into_iter().map(wish);
    let wishes = wishes.collect::<Result<Vec<Wish>, Refusal>>()?;
    Ok(replaced(run, Kind::Instruction, wishes, numbering))
}

/// Sets the breakpoints on data.
pub(super) fn data(run: &mut Run, arguments: SetDataBreakpoints, numbering: Numbering) -> Answer {
    let wish = |AtData { data_id, access_type, refinement }| {
        if data_id == DISPLAY_ID {
            return Ok(refinement.wish(Target::Display));
        }
        let access = match access_type {
            AccessType::Read => Access::Read,
            AccessType::Write => Access::Write,
            AccessType::ReadWrite => Access::Any,
        };
        let (first, last) = bytes_of_id(&data_id)?;
        Ok(refinement.wish(Target::Bytes(access, first, last)))
    };
    let wishes = arguments.breakpoints.into_iter().map(wish);
    let wishes = wishes.collect::<Result<Vec<Wish>, Refusal>>()?;
    Ok(replaced(run, Kind::Data, wishes, numbering))
}

/// How bytes are named.
fn id_of_bytes(first: RamAddr, size: u16) -> String {
    format!("{:#06x}+{size}", first.get())
}

/// The first and the last of the bytes of a name.
fn bytes_of_id(id: &str) -> Result<(RamAddr, RamAddr), Refusal> {
    let none = || Refusal::new("expected the dataId of a dataBreakpointInfo");
    let (first, size) = id.split_once('+').ok_or_else(none)?;
    let first = values::data_byte(memory::place(first, 0)?).map_err(|_| none())?;
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
            let description = run.debuggee.image().names().byte(first);
            Ok(info(id, description, &["read", "write", "readWrite"]))
        }
        Err(refusal) => Ok(json!({ "dataId": null, "description": refusal.to_string() })),
    }
}

/// The bytes that a name or an address stands for.
fn data_bytes(run: &mut Run, arguments: &DataInfo) -> Result<(RamAddr, u16), Refusal> {
    let DataInfo { variables_reference, name, frame_id, as_address, .. } = arguments;
    let at = run.at(*frame_id)?;
    let debuggee = &run.debuggee;
    if *as_address {
        return Ok((values::data_byte(memory::place(name, 0)?)?, 1));
    }
    let (changeable, full) = if *variables_reference == 0 {
        (values::changeable(debuggee, name, at)?, name.clone())
    } else {
        let container = run.containers.get(*variables_reference)?;
        let full = variables::full_name(&container, name);
        (variables::changeable(debuggee, &container, name)?, full)
    };
    let Changeable::Byte(address) = changeable else {
        return Err(Refusal::new(
            "registers have no data breakpoints; the function breakpoint `when A == 5` waits for one",
        ));
    };
    let size = match values::meaning(debuggee, &full, at) {
        Ok(Meaning::Variable(symbol)) => symbol.size,
        _ => 1,
    };
    Ok((address, size))
}

/// The lines at which a breakpoint can stand.
pub(super) fn locations(run: &Run, arguments: &Locations, numbering: Numbering) -> Answer {
    let file = run.debuggee.sources.find(&arguments.source)?;
    let first = numbering.read_line(arguments.line)?;
    let last = arguments.end_line.map_or(Ok(first), |line| numbering.read_line(line))?;
    let lines = run.debuggee.sources.lines(file, first, last);
    let lines = lines.map(|line| json!({ "line": numbering.line(line) }));
    Ok(json!({ "breakpoints": lines.collect::<Vec<Value>>() }))
}

fn replaced(run: &mut Run, kind: Kind, wishes: Vec<Wish>, numbering: Numbering) -> Value {
    let count = wishes.len();
    run.debuggee.change_breakpoints(|breakpoints, program| {
        breakpoints.replace_kind(kind, wishes, program);
    });
    told_last(run, count, numbering)
}

/// What the client is told of the breakpoints that were set last.
fn told_last(run: &Run, count: usize, numbering: Numbering) -> Value {
    let told = told_again(run, numbering);
    json!({ "breakpoints": told[told.len() - count..] })
}

/// What the client is told of all breakpoints.
pub(super) fn told_again(run: &Run, numbering: Numbering) -> Vec<Value> {
    let breakpoints = run.debuggee.breakpoints().iter();
    breakpoints.map(|breakpoint| told(breakpoint, &run.debuggee, numbering)).collect()
}

fn told(breakpoint: &Breakpoint, debuggee: &Debuggee, numbering: Numbering) -> Value {
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
    let told = with(told, "source", debuggee.sources.source(file));
    with(told, "line", numbering.line(line).into())
}

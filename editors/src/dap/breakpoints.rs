//! The requests that set breakpoints of every kind.

use gray1_debugger::values::data_address;
use gray1_debugger::{
    Access, Breakpoint, BreakpointRequest, BreakpointTarget, Changeable, Debugger,
};
use gray1_isa::RamAddr;
use serde_json::{Value, json};

use super::memory;
use super::protocol::{Answer, Refusal, Request, reference};
use super::run::DebugRun;
use super::sources::SourceArgument;
use super::values;
use super::variables::{self, Container};

/// The data identifier of the display.
const DISPLAY_ID: &str = "leds";

/// Sets the breakpoints of a source, by line numbers of its current text. A file that the client
/// opens under two names has separate breakpoints under each.
pub(super) fn set_on_lines(run: &mut DebugRun, request: &Request) -> Answer {
    let name = request.get::<SourceArgument>("source")?.name();
    if let Some(file) = run.sources.find_by_name(&name) {
        run.debugger.name_source(&name, file);
        run.debugger.set_line_change(file, run.sources.line_change(run.debugger.image(), file));
    }
    let numbering = run.numbering;
    let target = |wanted: &Request| {
        Ok(BreakpointTarget::Line {
            source: name.clone(),
            line: numbering.read_line(wanted.get("line")?)?,
        })
    };
    replace(run, request, target, |target| match target {
        BreakpointTarget::Line { source, .. } => *source == name,
        _ => false,
    })
}

/// Sets function breakpoints. The name of each is a condition, as typed in the terminal, such as
/// the name of a routine.
pub(super) fn set_on_functions(run: &mut DebugRun, request: &Request) -> Answer {
    let target = |wanted: &Request| Ok(BreakpointTarget::Text(wanted.get("name")?));
    replace(run, request, target, |target| matches!(target, BreakpointTarget::Text(_)))
}

/// Sets the breakpoints on instructions.
pub(super) fn set_on_instructions(run: &mut DebugRun, request: &Request) -> Answer {
    let target = |wanted: &Request| {
        let at = wanted.get("instructionReference")?;
        let index = memory::parse_instruction(at, wanted.get_or_default("offset")?)?;
        Ok(BreakpointTarget::Instruction(index))
    };
    replace(run, request, target, |target| matches!(target, BreakpointTarget::Instruction(_)))
}

/// Sets the breakpoints on data.
pub(super) fn set_on_data(run: &mut DebugRun, request: &Request) -> Answer {
    let target = |wanted: &Request| {
        let id = wanted.get("dataId")?;
        if id == DISPLAY_ID {
            return Ok(BreakpointTarget::Display);
        }
        let access = match wanted.get::<Option<&str>>("accessType")? {
            Some("read") => Access::Read,
            None | Some("write") => Access::Write,
            Some("readWrite") => Access::Any,
            Some(_) => {
                return Err(Refusal::new("expected the accessType read, write or readWrite"));
            }
        };
        parse_data_id(id).map(|(first, last)| BreakpointTarget::Bytes(access, first, last))
    };
    replace(run, request, target, |target| {
        matches!(target, BreakpointTarget::Bytes(..) | BreakpointTarget::Display)
    })
}

/// Replaces all breakpoints whose target matches `are_replaced` with the breakpoints of a request.
/// If a breakpoint cannot be parsed, it is returned as unverified, and the others are still set.
fn replace(
    run: &mut DebugRun,
    request: &Request,
    target: impl Fn(&Request) -> Result<BreakpointTarget, Refusal>,
    are_replaced: impl Fn(&BreakpointTarget) -> bool,
) -> Answer {
    let wanted: Vec<Value> = request.get_or_default("breakpoints")?;
    let added = run.debugger.change_breakpoints(|breakpoints, program| {
        breakpoints.retain(|breakpoint| !are_replaced(&breakpoint.request.target));
        // Breakpoints that exceeded the limit may fit now.
        breakpoints.bind(program);
        let places = wanted.into_iter().map(|arguments| {
            let wanted = request.with_arguments(arguments);
            breakpoints.add(read_request(&wanted, target(&wanted)?)?, program);
            Ok::<_, Refusal>(breakpoints.list().len() - 1)
        });
        places.collect::<Vec<_>>()
    });
    let bodies = describe_all(run);
    let added = added.into_iter().map(|added| match added {
        Ok(place) => bodies[place].clone(),
        Err(why) => json!({ "verified": false, "message": why.to_string() }),
    });
    Ok(json!({ "breakpoints": added.collect::<Vec<Value>>() }))
}

/// Reads the conditions of a breakpoint and its log message.
fn read_request(wanted: &Request, target: BreakpointTarget) -> Result<BreakpointRequest, Refusal> {
    // If the user clears a field, editors send an empty string.
    let text = |name| {
        let text: Option<String> = wanted.get(name)?;
        Ok::<_, Refusal>(text.filter(|text| !text.trim().is_empty()))
    };
    let (condition, hit_condition) = (text("condition")?, text("hitCondition")?);
    let log_message = text("logMessage")?;
    Ok(BreakpointRequest { target, condition, hit_condition, log_message })
}

/// Parses a data identifier. Returns the addresses of its first and last byte.
fn parse_data_id(id: &str) -> Result<(RamAddr, RamAddr), Refusal> {
    let error = || Refusal::new("expected the dataId of a dataBreakpointInfo");
    let (first, size) = id.split_once('+').ok_or_else(error)?;
    let first = data_address(memory::parse_reference(first, 0)?)?;
    let size: u32 = size.parse().ok().filter(|size| *size > 0).ok_or_else(error)?;
    Ok((first, data_address(i64::from(first.get()) + i64::from(size) - 1)?))
}

/// Responds with the data identifier of a variable or an address.
pub(super) fn describe_data(run: &mut DebugRun, request: &Request) -> Answer {
    let (name, bytes): (&str, Option<u32>) = (request.get("name")?, request.get("bytes")?);
    let container: i64 = request.get_or_default("variablesReference")?;
    let info = |id: String, description: String, accesses: &[&str]| {
        json!({
            "dataId": id, "description": description, "accessTypes": accesses, "canPersist": true,
        })
    };
    if run.containers.get(container) == Ok(Container::Panel) && name == "LEDs" {
        return Ok(info(DISPLAY_ID.to_owned(), "LEDs".to_owned(), &["write"]));
    }
    let found = find_data(run, request, name, container).and_then(|(first, size)| {
        let size = bytes.unwrap_or(size.into()).max(1);
        let id = format!("{}+{size}", reference(first.get()));
        parse_data_id(&id).map(|_| (first, id))
    });
    match found {
        Ok((first, id)) => {
            let description = run.debugger.image().names().byte(first);
            Ok(info(id, description, &["read", "write", "readWrite"]))
        }
        Err(refusal) => Ok(json!({ "dataId": null, "description": refusal.to_string() })),
    }
}

/// Finds the bytes with a name or at an address. Returns the first address and the size.
fn find_data(
    run: &mut DebugRun,
    request: &Request,
    name: &str,
    container: i64,
) -> Result<(RamAddr, u16), Refusal> {
    let at = run.frame_index(request.get("frameId")?)?;
    let debugger = &run.debugger;
    if request.get_or_default("asAddress")? {
        return Ok((data_address(memory::parse_reference(name, 0)?)?, 1));
    }
    let (changeable, full) = if container == 0 {
        (values::parse_changeable(debugger, name, at)?, name.to_owned())
    } else {
        let container = run.containers.get(container)?;
        let full = variables::full_name(&container, name);
        (variables::find_changeable(debugger, &container, name)?, full)
    };
    let Changeable::Byte(address) = changeable else {
        return Err(Refusal::new(
            "registers have no data breakpoints; use a function breakpoint such as `when A == 5`",
        ));
    };
    let size = values::variable(debugger, &full, at).map_or(1, |variable| variable.size);
    Ok((address, size))
}

/// The lines at which a breakpoint can be set.
pub(super) fn list_locations(run: &DebugRun, request: &Request) -> Answer {
    let file = run.sources.find(&request.get("source")?)?;
    let first = run.numbering.read_line(request.get("line")?)?;
    let last: Option<u32> = request.get("endLine")?;
    let last = last.map_or(Ok(first), |line| run.numbering.read_line(line))?;
    let lines = run.debugger.source_lines().executed_lines(file, first, last);
    let lines = lines.map(|line| json!({ "line": run.numbering.line(line) }));
    Ok(json!({ "breakpoints": lines.collect::<Vec<Value>>() }))
}

/// All breakpoints in the protocol's format.
pub(super) fn describe_all(run: &DebugRun) -> Vec<Value> {
    let breakpoints = run.debugger.breakpoints().list().iter();
    breakpoints.map(|breakpoint| describe_one(breakpoint, run)).collect()
}

fn describe_one(breakpoint: &Breakpoint, run: &DebugRun) -> Value {
    let id = breakpoint.id;
    let bound = match &breakpoint.bound {
        Ok(bound) => bound,
        Err(why) => return json!({ "id": id, "verified": false, "message": why }),
    };
    let mut body = json!({ "id": id, "verified": true });
    if let Some(index) = bound.index {
        body["instructionReference"] = reference(index.get()).into();
    }
    let mut body = run.with_line(body, bound.place);
    if let (Some(name), Some(place)) = (breakpoint.source(), bound.place) {
        body["source"] = run.sources.source(place.file, Some(name));
    }
    body
}

/// The reason to report for a stop at these breakpoints: the kind of the first one.
pub(super) fn stop_reason(debugger: &Debugger, ids: &[i64]) -> &'static str {
    let first = debugger.breakpoints().list().iter().find(|it| Some(&it.id) == ids.first());
    match first.map(|breakpoint| &breakpoint.request.target) {
        Some(BreakpointTarget::Text(_)) => "function breakpoint",
        Some(BreakpointTarget::Instruction(_)) => "instruction breakpoint",
        Some(BreakpointTarget::Bytes(..) | BreakpointTarget::Display) => "data breakpoint",
        Some(BreakpointTarget::Line { .. }) | None => "breakpoint",
    }
}

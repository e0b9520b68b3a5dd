//! Dispatches the client's requests.

use std::time::Duration;

use gray1_debugger::{Changeable, Goal, Input, values::sides};
use gray1_isa::panel::Buttons;
use gray1_isa::text::printable;
use gray1_isa::{RomIndex, SourceLine};
use gray1_sim::Registers;
use serde_json::{Value, json};

use super::adapter::{Adapter, Stage, THREAD};
use super::profile::ProfileRequest;
use super::protocol::{Answer, Refusal, Request, reference, with};
use super::run::DebugRun;
use super::sources::SourceArgument;
use super::{breakpoints, memory, values, variables};

/// The number of slices, each of a few milliseconds, spent on a question before other requests are
/// read.
const SLICES_AT_ONCE: usize = 20;

/// Returns one of two goals for a step, according to its granularity, which is a line by default.
fn step_goal(request: &Request, instruction: Goal, line: Goal) -> Result<Goal, Refusal> {
    match request.get::<Option<&str>>("granularity")? {
        Some("instruction") => Ok(instruction),
        None | Some("statement" | "line") => Ok(line),
        Some(other) => Err(Refusal::new(format!(
            "{}: granularity: expected statement, line or instruction, not {}",
            request.command,
            printable(other)
        ))),
    }
}

impl Adapter {
    /// Handles a message that was received from the client at `time`. `bytes` is a JSON document.
    pub fn receive(&mut self, bytes: &[u8], time: Duration) {
        match Request::parse(bytes) {
            Ok(Some(request)) => self.handle(request, time),
            // A response or an event.
            Ok(None) => {}
            Err(refusal) => self.refuse(refusal.to_string()),
        }
    }

    /// Handles a request received at `time`.
    pub(super) fn handle(&mut self, request: Request, time: Duration) {
        self.set_time(time);
        let was_asking = self.question.is_some();
        let answer = match request.command.as_str() {
            "gray1/profile" if self.profile.is_some() => {
                Err(Refusal::new("the previous answer is still being computed"))
            }
            "gray1/profile" => match self.stopped_run() {
                // The response follows when the work is done.
                Ok(run) => {
                    self.profile = Some(ProfileRequest::new(request, &run.debugger));
                    return;
                }
                Err(refusal) => Err(refusal),
            },
            _ => self.answer(&request),
        };
        if !was_asking && self.question.is_some() {
            return;
        }
        self.respond(request.response(answer));
    }

    /// Responds to a request if the stage of the session permits it.
    fn answer(&mut self, request: &Request) -> Answer {
        match (self.stage, request.command.as_str()) {
            (_, "disconnect") => {
                self.disconnect();
                Ok(Value::Null)
            }
            (_, "cancel") => {
                self.cancel(request.get("requestId")?, request.get("progressId")?);
                Ok(Value::Null)
            }
            (Stage::New, "initialize") => self.initialize(request),
            (Stage::New, _) => Err(Refusal::new("expected initialize first")),
            (Stage::Initialized, "launch") => self.launch(request),
            (Stage::Initialized, "attach") => {
                Err(Refusal::new("there is nothing to attach to: launch a program"))
            }
            (_, "initialize" | "launch" | "attach") => {
                Err(Refusal::new("the session has already begun"))
            }
            (Stage::Initialized, _) => Err(Refusal::new("no program was launched")),
            (Stage::Launched, "configurationDone") => {
                self.finish_configuration();
                Ok(Value::Null)
            }
            (_, "terminate") => {
                self.terminate();
                Ok(Value::Null)
            }
            (Stage::Launched | Stage::Configured, "restart") => self.restart(request),
            _ => self.answer_about_program(request),
        }
    }

    /// Responds to a request about a loaded program.
    fn answer_about_program(&mut self, request: &Request) -> Answer {
        match request.command.as_str() {
            "setBreakpoints" => breakpoints::set_on_lines(self.run()?, request),
            "setFunctionBreakpoints" => breakpoints::set_on_functions(self.run()?, request),
            "setInstructionBreakpoints" => breakpoints::set_on_instructions(self.run()?, request),
            "setDataBreakpoints" => breakpoints::set_on_data(self.run()?, request),
            "setExceptionBreakpoints" => Ok(json!({ "breakpoints": [] })),
            "dataBreakpointInfo" => breakpoints::describe_data(self.run()?, request),
            "breakpointLocations" => breakpoints::list_locations(self.run()?, request),
            "threads" => Ok(json!({ "threads": [{ "id": THREAD, "name": "CPU" }] })),
            "stackTrace" => stack_trace(self.stopped_run()?, request),
            "scopes" => {
                let run = self.stopped_run()?;
                let at = run.frame_index(Some(request.get("frameId")?))?;
                Ok(json!({ "scopes": run.containers.scopes(&run.debugger, at) }))
            }
            "variables" => list_variables(self.stopped_run()?, request),
            "setVariable" => self.set_variable(request),
            "setExpression" => self.set_expression(request),
            "evaluate" => self.evaluate(request),
            "completions" => completions(self.run()?, request),
            "source" => source(self.run()?, request),
            "loadedSources" => Ok(json!({ "sources": self.run()?.sources.all() })),
            "readMemory" => memory::read(&self.run()?.debugger, request),
            "writeMemory" => {
                let answer = memory::write(&mut self.stopped_run()?.debugger, request)?;
                self.report_change();
                Ok(answer)
            }
            "disassemble" => memory::disassemble(self.run()?, request),
            "gotoTargets" => goto_targets(self.run()?, request),
            "gray1/leds" => Ok(self.run()?.watch_leds()),
            "gray1/pace" => {
                self.run()?.set_pace(request.get("instructionsPerSecond")?);
                Ok(Value::Null)
            }
            "gray1/press" => self.press(request),
            _ => self.answer_move(request),
        }
    }

    /// Responds to a request that moves the machine.
    fn answer_move(&mut self, request: &Request) -> Answer {
        match request.command.as_str() {
            "continue" => return self.continue_run(),
            "next" => {
                self.step(step_goal(request, Goal::OverInstruction, Goal::Over)?)?;
            }
            "stepIn" => {
                self.step(step_goal(request, Goal::Instructions(1), Goal::Into)?)?;
            }
            "stepOut" => self.step(Goal::Out)?,
            "stepBack" => {
                self.step_back(step_goal(request, Goal::Instructions(1), Goal::Over)?)?;
            }
            "reverseContinue" => {
                let run = self.stopped_run()?;
                run.begin_move("pause");
                run.debugger.go_back(Goal::Run)?;
            }
            "pause" => {
                let is_asking = self.question.is_some();
                let run = self.run()?;
                if run.debugger.is_busy() && !is_asking {
                    run.debugger.pause();
                    self.send_stopped("pause", "paused", &[]);
                }
            }
            "goto" => self.go_to(request.get("targetId")?)?,
            command => {
                let command = printable(command);
                return Err(Refusal::new(format!("unknown request {command}")));
            }
        }
        Ok(Value::Null)
    }

    // ---- Movements

    /// Continues the program. If it has already ended, ends the session with its status.
    fn continue_run(&mut self) -> Answer {
        let run = self.stopped_run()?;
        if let Some(is_success) = run.ended() {
            self.exit(u8::from(!is_success));
        } else {
            run.debugger.go(Goal::Run)?;
            run.begin_move("pause");
        }
        Ok(json!({ "allThreadsContinued": true }))
    }

    fn step(&mut self, goal: Goal) -> Result<(), Refusal> {
        let run = self.stopped_run()?;
        run.debugger.go(goal)?;
        run.begin_move("step");
        Ok(())
    }

    fn step_back(&mut self, goal: Goal) -> Result<(), Refusal> {
        let run = self.stopped_run()?;
        match run.debugger.go_back(goal) {
            Ok(()) => run.begin_move("step"),
            Err(error) => self.send_stopped("entry", &error.to_string(), &[]),
        }
        Ok(())
    }

    fn go_to(&mut self, target: i64) -> Result<(), Refusal> {
        let run = self.stopped_run()?;
        let index = target.checked_sub(1).and_then(|index| u16::try_from(index).ok());
        let pc = index.and_then(RomIndex::new);
        let pc = pc.ok_or_else(|| Refusal::new("there is no such target"))?;
        let now = run.debugger.engine().registers();
        run.debugger.change(Input::Load(Registers { pc, ..now }))?;
        run.begin_move("goto");
        self.send_stopped("goto", "goto", &[]);
        Ok(())
    }

    // ---- Values

    fn set_variable(&mut self, request: &Request) -> Answer {
        let run = self.stopped_run()?;
        let container = run.containers.get(request.get("variablesReference")?)?;
        let what = variables::find_changeable(&run.debugger, &container, request.get("name")?)?;
        let at = run.debugger.engine().pc();
        self.set(what, request.get("value")?, at)
    }

    fn set_expression(&mut self, request: &Request) -> Answer {
        let run = self.stopped_run()?;
        let at = run.frame_index(request.get("frameId")?)?;
        let what = values::parse_changeable(&run.debugger, request.get("expression")?, at)?;
        self.set(what, request.get("value")?, at)
    }

    fn set(&mut self, what: Changeable, value: &str, at: RomIndex) -> Answer {
        let run = self.stopped_run()?;
        let value = values::change(&mut run.debugger, what, value, at)?;
        self.report_change();
        Ok(json!({ "value": value }))
    }

    fn evaluate(&mut self, request: &Request) -> Answer {
        let run = self.run()?;
        let at = run.frame_index(request.get("frameId")?)?;
        let text: &str = request.get("expression")?;
        let context: Option<&str> = request.get("context")?;
        if let (Some(question), Some("repl")) = (text.trim_start().strip_prefix("why "), context) {
            let debugger = &mut self.stopped_run()?.debugger;
            values::ask(debugger, question, at)?;
            if (0..SLICES_AT_ONCE).any(|_| debugger.advance(0).is_some()) {
                return Ok(values::format_explanation(debugger));
            }
            // The response follows later.
            self.question = Some(request.with_arguments(request.arguments.clone()));
            return Ok(Value::Null);
        }
        if let (Some((place, value)), Some("repl")) = (sides(text), context) {
            let what = values::parse_changeable(&run.debugger, place, at)?;
            let set = self.set(what, value, at)?;
            return Ok(json!({ "result": set["value"], "variablesReference": 0 }));
        }
        let variable = variables::evaluate(&mut run.debugger, text, at)?;
        let variable = run.containers.encode(variable);
        let result = variable["value"].clone();
        Ok(with(variable, "result", result))
    }

    fn press(&mut self, request: &Request) -> Answer {
        let down = match request.get::<Vec<String>>("buttons")?.as_slice() {
            [] => Ok(Buttons::NONE),
            buttons => buttons.join("+").parse(),
        };
        let down = down.map_err(Refusal::new)?;
        let debugger = &mut self.run()?.debugger;
        let before = debugger.held();
        debugger.hold_down(down);
        let held = debugger.held();
        if held != before {
            self.report_change();
        }
        Ok(json!({ "buttons": held.names().collect::<Vec<_>>() }))
    }
}

fn stack_trace(run: &mut DebugRun, request: &Request) -> Answer {
    let start_frame: usize = request.get_or_default("startFrame")?;
    let levels = get_count(request, "levels")?;
    let frames = run.frames().to_vec();
    let shown = frames.iter().zip(1..).skip(start_frame).take(levels).map(|(frame, id)| {
        let column = frame.origin.map_or(0, |_| run.numbering.first_column);
        let body = json!({
            "id": id, "name": frame.name, "line": 0, "column": column,
            "instructionPointerReference": reference(frame.index.get()),
        });
        let body = run.with_line(body, frame.origin.map(|origin| origin.place));
        if frame.is_known { body } else { with(body, "presentationHint", "label".into()) }
    });
    let shown: Vec<Value> = shown.collect();
    Ok(json!({ "stackFrames": shown, "totalFrames": frames.len() }))
}

/// The count in a request, where 0 means no limit.
fn get_count(request: &Request, name: &str) -> Result<usize, Refusal> {
    let count = request.get_or_default(name)?;
    Ok(if count == 0 { usize::MAX } else { count })
}

fn list_variables(run: &mut DebugRun, request: &Request) -> Answer {
    let container = run.containers.get(request.get("variablesReference")?)?;
    let is_shown = match request.get::<Option<&str>>("filter")? {
        None => true,
        Some("indexed") => container.is_indexed(),
        Some("named") => !container.is_indexed(),
        Some(_) => return Err(Refusal::new("expected the filter indexed or named")),
    };
    let found = variables::list_variables(&mut run.debugger, &container).into_iter();
    let found = found.filter(|_| is_shown);
    let found = found.skip(request.get_or_default("start")?).take(get_count(request, "count")?);
    let variables: Vec<Value> = found.map(|variable| run.containers.encode(variable)).collect();
    Ok(json!({ "variables": variables }))
}

/// The names that complete the text before the cursor.
fn completions(run: &mut DebugRun, request: &Request) -> Answer {
    let at = run.frame_index(request.get("frameId")?)?;
    let first = run.numbering.first_column;
    let column = request.get::<u32>("column")?.saturating_sub(first) as usize;
    let units: Vec<u16> = request.get::<&str>("text")?.encode_utf16().take(column).collect();
    let before = String::from_utf16_lossy(&units);
    let word = before.rsplit(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'));
    let word = word.into_iter().next().unwrap_or_default();
    let image = run.debugger.image();
    let inside: Vec<String> = image.routines_at(at).map(|name| format!("{name}.")).collect();
    let names = image.symbols().iter().flat_map(|symbol| {
        let short = inside.iter().find_map(|routine| symbol.name.strip_prefix(routine.as_str()));
        short.into_iter().chain([symbol.name.as_str()])
    });
    let length = word.encode_utf16().count();
    let targets = names.filter(|name| name.starts_with(word)).take(COMPLETIONS_MAX).map(|name| {
        json!({
            "label": printable(name), "type": "variable", "length": length,
            "start": units.len() - length + first as usize,
        })
    });
    Ok(json!({ "targets": targets.collect::<Vec<Value>>() }))
}

/// The maximum number of names to offer.
const COMPLETIONS_MAX: usize = 200;

fn source(run: &DebugRun, request: &Request) -> Answer {
    let mut source: SourceArgument = request.get_or_default("source")?;
    if source.source_reference == 0 {
        source.source_reference = request.get_or_default("sourceReference")?;
    }
    run.sources.read(run.debugger.image(), &source)
}

fn goto_targets(run: &DebugRun, request: &Request) -> Answer {
    let file = run.sources.find(&request.get("source")?)?;
    let line = run.numbering.read_line(request.get("line")?)?;
    let found = run.debugger.source_lines().starts(SourceLine { file, line });
    let (place, starts) = found.unwrap_or((SourceLine { file, line }, &[]));
    let place = run.current_line(place);
    let targets = starts.iter().map(|index| {
        json!({
            "id": i64::from(index.get()) + 1, "line": run.numbering.line(place.line),
            "label": values::format_index(run.debugger.image(), *index),
            "instructionPointerReference": reference(index.get()),
        })
    });
    Ok(json!({ "targets": targets.collect::<Vec<Value>>() }))
}

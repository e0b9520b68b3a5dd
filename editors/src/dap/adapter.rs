//! The debug adapter: the stages of a session, and the events that report the state of the machine.
//!
//! It does no I/O, and has no thread and no clock. Its driver passes in requests
//! ([`super::requests`]), calls it to work for a slice of time, and takes its messages. Times are
//! durations since some fixed instant, such as the start of the session.

use std::rc::Rc;
use std::time::Duration;

use gray1_debugger::{Goal, Stop};
use gray1_isa::run_off;
use gray1_isa::text::{is_harmful, printable};
use serde_json::{Value, json};

use super::launch::{LaunchArguments, Launched, Launcher};
use super::profile::ProfileRequest;
use super::protocol::{Answer, Numbering, Refusal, Request, event, refuse_message, with};
use super::run::Run;
use super::sources::Sources;
use super::{breakpoints, values};

/// The identifier of the only thread.
pub(super) const THREAD: i64 = 1;

/// A debug adapter with its client.
pub struct Adapter {
    launcher: Rc<dyn Launcher>,
    pub(super) stage: Stage,
    pub(super) client: Client,
    run: Option<Run>,
    /// A request for a profile that is still being counted.
    pub(super) profile: Option<ProfileRequest>,
    /// An unanswered question in the console about the cause of a value.
    pub(super) question: Option<Request>,
    /// Messages that the driver has not taken yet.
    outbox: Vec<Value>,
    /// Events to send after the response to the current request.
    events: Vec<Value>,
    /// The number of messages that the driver has taken.
    taken: u64,
    /// The time of the last call.
    time: Duration,
}

/// The stages of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    New,
    Initialized,
    /// A program is loaded, and the client is setting breakpoints.
    Launched,
    /// The client has finished its configuration, so the program can run.
    Configured,
    /// The program has ended.
    Terminated,
    /// The client has disconnected.
    Disconnected,
}

/// The client's capabilities and conventions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Client {
    pub(super) numbering: Numbering,
    /// Whether it supports the event `invalidated`.
    supports_invalidated: bool,
    /// Whether it supports progress events.
    supports_progress: bool,
}

/// The optional parts of the protocol that the adapter supports.
const CAPABILITIES: [&str; 23] = [
    "supportsBreakpointLocationsRequest",
    "supportsCancelRequest",
    "supportsCompletionsRequest",
    "supportsConditionalBreakpoints",
    "supportsConfigurationDoneRequest",
    "supportsDataBreakpoints",
    "supportsDataBreakpointBytes",
    "supportsDisassembleRequest",
    "supportsEvaluateForHovers",
    "supportsFunctionBreakpoints",
    "supportsGotoTargetsRequest",
    "supportsHitConditionalBreakpoints",
    "supportsInstructionBreakpoints",
    "supportsLoadedSourcesRequest",
    "supportsLogPoints",
    "supportsReadMemoryRequest",
    "supportsRestartRequest",
    "supportsSetExpression",
    "supportsSetVariable",
    "supportsStepBack",
    "supportsSteppingGranularity",
    "supportsTerminateRequest",
    "supportsWriteMemoryRequest",
];

impl Adapter {
    /// An adapter that uses this launcher to make machines.
    #[must_use]
    pub fn new(launcher: Box<dyn Launcher>) -> Self {
        Self {
            launcher: launcher.into(),
            stage: Stage::New,
            client: Client {
                numbering: Numbering { first_line: 1, first_column: 1 },
                supports_invalidated: false,
                supports_progress: false,
            },
            run: None,
            profile: None,
            question: None,
            outbox: Vec::new(),
            events: Vec::new(),
            taken: 0,
            time: Duration::ZERO,
        }
    }

    /// Responds to a message that could not be read, with the reason.
    pub fn refuse(&mut self, why: impl Into<String>) {
        self.outbox.push(refuse_message(Refusal::new(why)));
    }

    /// The time until there is more work. `None` if there is no work before the next request.
    #[must_use]
    pub fn wait(&self, time: Duration) -> Option<Duration> {
        if self.profile.is_some() {
            return Some(Duration::ZERO);
        }
        let run = self.run.as_ref().filter(|run| run.debugger.is_busy())?;
        Some(run.wait(time))
    }

    /// Sends a response, then the events that the request has caused.
    pub(super) fn respond(&mut self, response: Value) {
        self.outbox.push(response);
        self.send_output();
        self.outbox.append(&mut self.events);
    }

    /// Sets the time of the current call.
    pub(super) fn set_time(&mut self, time: Duration) {
        self.time = time;
        if let Some(run) = &mut self.run {
            run.time = time;
        }
    }

    /// Works for a slice of time that begins at `time`.
    pub fn work(&mut self, time: Duration) {
        self.set_time(time);
        self.continue_profile();
        let Some(run) = &mut self.run else { return };
        let stop = run.advance();
        if self.client.supports_progress {
            self.events.extend(run.report_progress());
        }
        self.send_output();
        match stop {
            Some(stop) => self.report_stop(&stop),
            None => self.send_leds(false),
        }
        self.outbox.append(&mut self.events);
    }

    fn continue_profile(&mut self) {
        let Some(request) = &mut self.profile else { return };
        let response = match &self.run {
            Some(run) => request.advance(&run.debugger),
            None => Some(request.refuse("the program has ended")),
        };
        match response {
            Some(response) => self.end_profile(response),
            None if self.client.supports_progress => self.outbox.extend(request.report()),
            None => {}
        }
    }

    /// Cancels the unanswered request with this number, or the work whose progress has this
    /// identifier.
    pub(super) fn cancel(&mut self, request: Option<i64>, progress: Option<&str>) {
        let is_named = |profile: &&ProfileRequest| profile.is_named_by(request, progress);
        if let Some(request) = self.profile.as_ref().filter(is_named) {
            // The protocol prescribes this word.
            let response = request.refuse("cancelled");
            return self.end_profile(response);
        }
        let Some(run) = &mut self.run else { return };
        let is_progress = progress.is_some_and(|id| run.is_progress(id));
        if self.question.as_ref().is_some_and(|it| is_progress || request == Some(it.seq)) {
            self.end_question(Err(Refusal::new("cancelled")));
        } else if is_progress {
            run.debugger.pause();
            self.events.extend(run.report_progress());
            self.send_stopped("pause", "cancelled", &[]);
        }
    }

    fn end_profile(&mut self, response: Value) {
        let request = self.profile.take();
        self.outbox.extend(request.and_then(|request| request.progress.end()));
        self.outbox.push(response);
    }

    /// Responds to the question in the console, if there is one.
    fn end_question(&mut self, answer: Answer) {
        let Some(request) = self.question.take() else { return };
        if let Some(run) = &mut self.run {
            run.debugger.pause();
            self.events.extend(run.report_progress());
        }
        self.outbox.push(request.response(answer));
    }

    /// Whether the session is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Disconnected
    }

    /// The messages since the last call, with their sequence numbers.
    pub fn take_messages(&mut self) -> Vec<Value> {
        let taken = self.taken;
        let messages: Vec<Value> = (taken + 1..)
            .zip(self.outbox.drain(..))
            .map(|(seq, message)| with(message, "seq", seq.into()))
            .collect();
        self.taken += messages.len() as u64;
        messages
    }

    // ---- The stages of a session

    pub(super) fn initialize(&mut self, request: &Request) -> Answer {
        if request.get::<Option<&str>>("pathFormat")?.is_some_and(|format| format != "path") {
            return Err(Refusal::new("expected `path` as the pathFormat"));
        }
        let from_1 = |name| Ok::<_, Refusal>(request.get::<Option<bool>>(name)?.unwrap_or(true));
        self.client = Client {
            numbering: Numbering {
                first_line: from_1("linesStartAt1")?.into(),
                first_column: from_1("columnsStartAt1")?.into(),
            },
            supports_invalidated: request.get_or_default("supportsInvalidatedEvent")?,
            supports_progress: request.get_or_default("supportsProgressReporting")?,
        };
        self.stage = Stage::Initialized;
        let capabilities = CAPABILITIES.iter().map(|name| ((*name).to_owned(), Value::Bool(true)));
        Ok(Value::Object(capabilities.collect()))
    }

    pub(super) fn launch(&mut self, request: &Request) -> Answer {
        self.power_up(launch_arguments(&request.arguments)?)?;
        self.stage = Stage::Launched;
        self.events.push(event("initialized", Value::Null));
        Ok(Value::Null)
    }

    /// Powers up a machine with the program. Returns the previous run.
    fn power_up(&mut self, arguments: LaunchArguments) -> Result<Option<Run>, Refusal> {
        let Launched { debugger, files, notes } =
            self.launcher.launch(&arguments).map_err(Refusal::new)?;
        let sources = Sources::new(files, Rc::clone(&self.launcher));
        let numbering = self.client.numbering;
        let run = Run::new(debugger, sources, arguments, numbering, self.time);
        let before = self.run.replace(run);
        if !notes.is_empty() {
            self.print("console", &notes);
        }
        Ok(before)
    }

    pub(super) fn finish_configuration(&mut self) {
        self.stage = Stage::Configured;
        self.start();
    }

    /// Runs the program, or stops before its first instruction.
    fn start(&mut self) {
        let Some(run) = &mut self.run else { return };
        let hit = run.debugger.hit_breakpoints();
        if run.arguments.stop_on_entry {
            self.send_stopped("entry", "before the first instruction", &[]);
        } else if let (Some(stop), false) = (hit, run.arguments.no_debug) {
            self.report_stop(&stop);
        } else {
            run.begin_move("pause");
            // Running is always possible.
            let _ = run.debugger.go(Goal::Run);
        }
    }

    /// Assembles the program again and starts it, with new arguments or the previous ones.
    /// Breakpoints stay.
    pub(super) fn restart(&mut self, request: &Request) -> Answer {
        let arguments = match request.get::<Option<Value>>("arguments")? {
            Some(arguments) => launch_arguments(&arguments)?,
            None => self.run()?.arguments.clone(),
        };
        self.end_question(Err(Refusal::new("cancelled")));
        if let Some(before) = self.power_up(arguments)? {
            let run = self.run()?;
            run.take_over(&before);
            let bodies = breakpoints::describe_all(run);
            let changed =
                |it| event("breakpoint", json!({ "reason": "changed", "breakpoint": it }));
            self.events.extend(bodies.into_iter().map(changed));
        }
        if self.stage == Stage::Configured {
            self.start();
        }
        Ok(Value::Null)
    }

    /// Ends the session.
    pub(super) fn disconnect(&mut self) {
        self.end_question(Err(Refusal::new("cancelled")));
        self.stage = Stage::Disconnected;
        self.run = None;
    }

    /// Ends the program if it is still running.
    pub(super) fn terminate(&mut self) {
        if self.stage == Stage::Terminated {
            return;
        }
        self.end_question(Err(Refusal::new("cancelled")));
        self.stage = Stage::Terminated;
        if let Some(run) = &mut self.run {
            run.debugger.pause();
        }
        self.events.push(event("terminated", Value::Null));
    }

    /// Ends the program with this status.
    pub(super) fn exit(&mut self, status: u8) {
        self.events.push(event("exited", json!({ "exitCode": status })));
        self.terminate();
    }

    // ---- The program

    /// The run of the program.
    pub(super) fn run(&mut self) -> Result<&mut Run, Refusal> {
        self.run.as_mut().ok_or_else(|| Refusal::new("there is no program"))
    }

    /// Returns the run if its machine is stopped.
    ///
    /// # Errors
    /// While the machine runs, before the first run, and after the program has ended.
    pub(super) fn stopped_run(&mut self) -> Result<&mut Run, Refusal> {
        if self.stage != Stage::Configured {
            return Err(Refusal::new("the program has not started, or has ended"));
        }
        if self.question.is_some() {
            return Err(Refusal::new("the previous request is still being answered"));
        }
        let run = self.run()?;
        if run.debugger.is_busy() { Err(Refusal::new("the program is running")) } else { Ok(run) }
    }

    /// Reports a stop of the machine.
    fn report_stop(&mut self, stop: &Stop) {
        let Some(run) = &mut self.run else { return };
        let purpose = run.purpose;
        let ends = run.arguments.no_debug || !run.arguments.stop_on_halt;
        match stop {
            Stop::Goal => self.send_stopped(purpose, purpose, &[]),
            Stop::Answered => {
                let answer = values::format_explanation(&run.debugger);
                self.end_question(Ok(answer));
            }
            Stop::Breakpoints(ids) => {
                let text = run.debugger.reason().map_or(String::new(), |reason| reason.text);
                let reason = breakpoints::stop_reason(&run.debugger, ids);
                self.send_stopped(reason, &text, ids);
            }
            Stop::Beginning | Stop::Nothing => {
                self.send_stopped("entry", "already at the beginning", &[]);
            }
            Stop::Halted => {
                let (engine, count) = (run.debugger.engine(), run.debugger.history().moment());
                let at = engine.pc();
                let halted = format!("halted at {:#06x} after {count} instructions", at.get());
                let text = match run_off(run.debugger.image(), at) {
                    Some(cause) => format!("{halted}: {cause}"),
                    None => halted,
                };
                self.print("console", &format!("{text}\n"));
                if ends {
                    self.exit(0);
                } else {
                    let text = format!("{text}; continuing ends the session");
                    self.send_stopped("halted", &text, &[]);
                }
            }
            Stop::Failed => {
                let error = run.debugger.engine().error().map(ToString::to_string);
                let text = error.unwrap_or_default();
                self.print("important", &format!("{text}\n"));
                if ends {
                    self.exit(1);
                } else {
                    self.send_stopped("exception", &text, &[]);
                }
            }
        }
    }

    /// Sends the event `stopped`.
    pub(super) fn send_stopped(&mut self, reason: &str, text: &str, breakpoints: &[i64]) {
        let text = printable(text);
        let body = json!({
            "reason": reason, "description": text, "text": text, "threadId": THREAD,
            "allThreadsStopped": true, "hitBreakpointIds": breakpoints,
        });
        self.events.push(event("stopped", body));
        self.send_leds(true);
    }

    /// Tells the client that its request has changed the state of the machine.
    pub(super) fn report_change(&mut self) {
        if let Some(run) = &mut self.run {
            run.discard_frames();
        }
        if self.client.supports_invalidated {
            self.events.push(event("invalidated", json!({ "areas": ["all"] })));
        }
        self.send_leds(true);
    }

    // ---- Output

    /// Sends the new output of the program and of log points.
    fn send_output(&mut self) {
        let Some(run) = &mut self.run else { return };
        let logged = run.debugger.take_logged();
        let printed = run.take_output();
        for (at, text) in logged {
            let body = json!({ "category": "console", "output": escape_output(&text) + "\n" });
            let body = run.with_line(body, run.shown_line(at));
            self.events.push(event("output", body));
        }
        if !printed.is_empty() {
            self.print("stdout", &printed);
        }
    }

    fn print(&mut self, category: &str, text: &str) {
        let body = json!({ "category": category, "output": escape_output(text) });
        self.events.push(event("output", body));
    }

    /// Sends the state of the LEDs if it has changed and the client has asked for it. Unless
    /// `at_once` is set, as it is at a stop, there is a minimum interval between reports.
    fn send_leds(&mut self, at_once: bool) {
        let Some(run) = &mut self.run else { return };
        self.events.extend(run.take_led_report(at_once).map(|body| event("gray1/leds", body)));
    }
}

fn launch_arguments(given: &Value) -> Result<LaunchArguments, Refusal> {
    LaunchArguments::from_json(given).map_err(|why| Refusal::new(format!("launch: {why}")))
}

/// Escapes the control characters in output of several lines.
fn escape_output(text: &str) -> String {
    let mut clean = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\t' => clean.push(c),
            c if is_harmful(c) => clean.extend(c.escape_default()),
            c => clean.push(c),
        }
    }
    clean
}

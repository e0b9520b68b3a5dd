//! The debug adapter: the stages of a session.
//!
//! It does no I/O, and has no thread and no clock. Its driver passes in requests
//! ([`super::requests`]), calls it to work for a slice of time, and takes its messages. Times are
//! durations since some fixed instant, such as the start of the session.

mod events;

use std::rc::Rc;
use std::time::Duration;

use gray1_debugger::Goal;
use serde_json::{Value, json};

use super::breakpoints;
use super::launch::{LaunchArguments, Launched, Launcher};
use super::profile::ProfileRequest;
use super::protocol::{Answer, Numbering, Refusal, Request, event, refuse_message, with};
use super::run::DebugRun;
use super::sources::SourceFiles;

/// The identifier of the only thread.
pub(super) const THREAD: i64 = 1;

/// A debug adapter with its client.
pub struct Adapter {
    launcher: Rc<dyn Launcher>,
    pub(super) stage: Stage,
    pub(super) client: Client,
    run: Option<DebugRun>,
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

    /// Whether the session is over.
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
    fn power_up(&mut self, arguments: LaunchArguments) -> Result<Option<DebugRun>, Refusal> {
        let Launched { debugger, files, notes } =
            self.launcher.launch(&arguments).map_err(Refusal::new)?;
        let sources = SourceFiles::new(files, Rc::clone(&self.launcher));
        let numbering = self.client.numbering;
        let run = DebugRun::new(debugger, sources, arguments, numbering, self.time);
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
            let bodies =
                bodies.into_iter().map(|it| json!({ "reason": "changed", "breakpoint": it }));
            self.events.extend(bodies.map(|body| event("breakpoint", body)));
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
    pub(super) fn run(&mut self) -> Result<&mut DebugRun, Refusal> {
        self.run.as_mut().ok_or_else(|| Refusal::new("there is no program"))
    }

    /// Returns the run if its machine is stopped.
    ///
    /// # Errors
    /// While the machine runs, before the first run, and after the program has ended.
    pub(super) fn stopped_run(&mut self) -> Result<&mut DebugRun, Refusal> {
        if self.stage != Stage::Configured {
            return Err(Refusal::new("the program has not started, or has ended"));
        }
        if self.question.is_some() {
            return Err(Refusal::new("the previous request is still being answered"));
        }
        let run = self.run()?;
        if run.debugger.is_busy() { Err(Refusal::new("the program is running")) } else { Ok(run) }
    }
}

fn launch_arguments(given: &Value) -> Result<LaunchArguments, Refusal> {
    LaunchArguments::from_json(given).map_err(|why| Refusal::new(format!("launch: {why}")))
}

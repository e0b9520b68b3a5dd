//! An in-process client, and a program for it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::dap::adapter::Adapter;
use crate::dap::protocol::Request;

use super::launcher::InMemory;

/// Counts `n` up to 5 in a routine that is called from two places through a macro.
pub(super) const PROGRAM: &str = "\
.pool
.var n
.var pair, 2
.macro twice
        .call bump()
        .call bump()
.endmacro

        LDI  3
        ST   pair
again:  twice
        ADD  #-5
        JC   done
        JMP  again
done:   ST   0x1fff
        HALT

.routine bump() -> n2
        LD   n
        ADD  #1
        ST   n
        ST   n2
.endroutine
";

/// The first line of the program that contains this string.
pub(super) fn line(text: &str) -> usize {
    PROGRAM.lines().position(|line| line.contains(text)).expect("it is there") + 1
}

pub(super) const PATH: &str = "/programs/a.asm";

/// A client connected directly to an adapter.
pub(super) struct Client {
    pub(super) adapter: Adapter,
    /// The simulated time, which advances by a millisecond in each slice of work.
    pub(super) time: Duration,
    pub(super) programs: InMemory,
    pub(super) requests: i64,
    /// The events since the last stop.
    pub(super) events: Vec<Value>,
    /// The complete output.
    pub(super) printed: Vec<String>,
}

impl Client {
    pub(super) fn new() -> Self {
        let programs = InMemory::default();
        programs.write(PATH, PROGRAM);
        Self {
            adapter: Adapter::new(Box::new(programs.clone())),
            time: Duration::ZERO,
            programs,
            requests: 0,
            events: Vec::new(),
            printed: Vec::new(),
        }
    }

    /// A client that has launched the program and stopped before its first instruction.
    pub(super) fn at_entry(arguments: &Value) -> Self {
        Self::at_entry_of(PROGRAM, arguments)
    }

    /// A client that has launched a program with this source and stopped before its first
    /// instruction.
    pub(super) fn at_entry_of(text: &str, arguments: &Value) -> Self {
        let mut client = Self::new();
        client.write(text);
        client.ask("initialize", &json!({ "adapterID": "gray1" }));
        let mut all = json!({ "program": PATH, "stopOnEntry": true });
        for (name, value) in arguments.as_object().unwrap() {
            all[name] = value.clone();
        }
        client.ask("launch", &all);
        client.ask("configurationDone", &json!({}));
        assert_eq!(client.stop()["reason"], "entry");
        client
    }

    pub(super) fn send(&mut self, request: Request) {
        self.adapter.handle(request, self.time);
    }

    /// Lets the adapter work for a slice of time.
    pub(super) fn work(&mut self) {
        self.time += Duration::from_millis(1);
        self.adapter.work(self.time);
    }

    /// The time until the adapter has more work.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.adapter.wait(self.time)
    }

    /// Replaces the source of the program.
    pub(super) fn write(&self, text: &str) {
        self.programs.write(PATH, text);
    }

    pub(super) fn take(&mut self) -> Option<Value> {
        let mut response = None;
        for message in self.adapter.take_messages() {
            match message["type"].as_str() {
                Some("response") => response = Some(message),
                _ if message["event"] == "output" => {
                    self.printed.push(message["body"]["output"].as_str().unwrap().to_owned());
                }
                _ => self.events.push(message),
            }
        }
        response
    }

    /// Takes the response. If a profile is being counted, works until it is complete.
    pub(super) fn take_response(&mut self) -> Option<Value> {
        let mut response = self.take();
        while response.is_none() && self.adapter.profile.is_some() {
            self.work();
            response = self.take();
        }
        response
    }

    /// The response to a request, which may be a refusal.
    pub(super) fn response(&mut self, command: &str, arguments: &Value) -> Value {
        self.requests += 1;
        let (seq, command) = (self.requests, command.to_owned());
        self.send(Request { seq, command, arguments: arguments.clone() });
        let response = self.take_response().expect("every request has a response");
        assert_eq!(response["request_seq"], seq);
        response
    }

    #[track_caller]
    pub(super) fn ask(&mut self, command: &str, arguments: &Value) -> Value {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], true, "{command}: {}", response["message"]);
        response["body"].clone()
    }

    /// The reason why a request is refused.
    #[track_caller]
    pub(super) fn refusal(&mut self, command: &str, arguments: &Value) -> String {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], false, "{command}");
        response["message"].as_str().unwrap().to_owned()
    }

    /// Works until the machine stops or the program ends. Returns the event that reports it.
    pub(super) fn stop(&mut self) -> Value {
        while self.wait().is_some() {
            self.work();
            self.take();
        }
        let is_end = |event: &Value| event["event"] == "stopped" || event["event"] == "exited";
        let place = self.events.iter().position(is_end).expect("it stops");
        self.events.drain(..=place).next_back().unwrap()["body"].clone()
    }

    /// Moves, and returns the reason and the place of the stop: `breakpoint at 20 19 11`.
    pub(super) fn go(&mut self, command: &str, arguments: &Value) -> String {
        self.events.clear();
        self.ask(command, arguments);
        let reason = self.stop()["reason"].as_str().unwrap_or("end").to_owned();
        format!("{reason} at {}", self.lines())
    }

    /// The lines of the stack frames.
    pub(super) fn lines(&mut self) -> String {
        let frames = self.ask("stackTrace", &json!({ "threadId": 1 }))["stackFrames"].clone();
        let lines = frames.as_array().unwrap().iter().map(|frame| frame["line"].to_string());
        lines.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn value(&mut self, text: &str) -> String {
        let answer = self.ask("evaluate", &json!({ "expression": text }));
        answer["result"].as_str().unwrap().to_owned()
    }

    /// The number of a scope of a frame.
    pub(super) fn scope(&mut self, frame: i64, name: &str) -> Value {
        let scopes = self.ask("scopes", &json!({ "frameId": frame }))["scopes"].take();
        let scope = scopes.as_array().unwrap().iter().find(|scope| scope["name"] == name);
        scope.expect("there is such a scope")["variablesReference"].clone()
    }

    /// The variables in a container.
    pub(super) fn inside(&mut self, number: &Value) -> Value {
        let arguments = json!({ "variablesReference": number });
        self.ask("variables", &arguments)["variables"].take()
    }

    pub(super) fn set_breakpoints(&mut self, breakpoints: &Value) -> Value {
        let arguments = json!({ "source": { "path": PATH }, "breakpoints": breakpoints });
        self.ask("setBreakpoints", &arguments)["breakpoints"].clone()
    }
}

//! The events that report the state of the machine, and the requests that are answered later.

use gray1_debugger::Stop;
use gray1_isa::run_off;
use gray1_isa::text::{is_harmful, plural, printable};
use serde_json::{Value, json};

use super::{Adapter, THREAD};
use crate::dap::protocol::{Answer, Refusal, event};
use crate::dap::{breakpoints, values};

impl Adapter {
    /// Reports a stop of the machine.
    pub(super) fn report_stop(&mut self, stop: &Stop) {
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
                let instructions = plural(count, "instruction");
                let halted = format!("halted at {:#06x} after {count} {instructions}", at.get());
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
    pub(in crate::dap) fn send_stopped(&mut self, reason: &str, text: &str, breakpoints: &[i64]) {
        let text = printable(text);
        let body = json!({
            "reason": reason, "description": text, "text": text, "threadId": THREAD,
            "allThreadsStopped": true, "hitBreakpointIds": breakpoints,
        });
        self.events.push(event("stopped", body));
        self.send_leds(true);
    }

    /// Tells the client that its request has changed the state of the machine.
    pub(in crate::dap) fn report_change(&mut self) {
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
    pub(super) fn send_output(&mut self) {
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

    pub(super) fn print(&mut self, category: &str, text: &str) {
        let body = json!({ "category": category, "output": escape_output(text) });
        self.events.push(event("output", body));
    }

    /// Sends the state of the LEDs if it has changed and the client has asked for it. Unless
    /// `at_once` is set, as it is at a stop, there is a minimum interval between reports.
    pub(super) fn send_leds(&mut self, at_once: bool) {
        let Some(run) = &mut self.run else { return };
        self.events.extend(run.take_led_report(at_once).map(|body| event("gray1/leds", body)));
    }

    // ---- Requests whose answer takes time

    /// Cancels the unanswered request with this number, or the work whose progress has this
    /// identifier.
    pub(in crate::dap) fn cancel(&mut self, request: Option<i64>, progress: Option<&str>) {
        let profile = self.profile.as_ref();
        if let Some(request) = profile.filter(|it| it.is_named_by(request, progress)) {
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

    pub(super) fn end_profile(&mut self, response: Value) {
        let request = self.profile.take();
        self.outbox.extend(request.and_then(|request| request.progress.end()));
        self.outbox.push(response);
    }

    /// Responds to the question in the console, if there is one.
    pub(super) fn end_question(&mut self, answer: Answer) {
        let Some(request) = self.question.take() else { return };
        if let Some(run) = &mut self.run {
            run.debugger.pause();
            self.events.extend(run.report_progress());
        }
        self.outbox.push(request.response(answer));
    }
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

//! The run of a launched program, and the part of its state that the client has received.

use std::sync::Arc;
use std::time::Duration;

use gray1_debugger::{Activity, Breakpoint, Debugger, Stop};
use gray1_isa::panel::{Buttons, Display};
use gray1_isa::{RomIndex, SourceLine};
use serde_json::{Value, json};

use super::call_stack::{self, Frame};
use super::launch::LaunchArguments;
use super::profile::WorkProgress;
use super::protocol::{Numbering, Refusal, with};
use super::sources::SourceFiles;
use super::variables::Containers;

/// The minimum time between two reports of the LEDs of a running machine.
const LEDS_EVERY: Duration = Duration::from_millis(33);

/// Progress is reported only after this delay.
const PROGRESS_DELAY: Duration = Duration::from_millis(500);

/// The time to wait if no instruction is due.
const WAIT: Duration = Duration::from_millis(5);

/// The run of a launched program.
pub(super) struct DebugRun {
    pub(super) debugger: Debugger,
    pub(super) sources: SourceFiles,
    pub(super) arguments: LaunchArguments,
    /// The client's numbering of lines and columns.
    pub(super) numbering: Numbering,
    /// The reason to report for the next stop, unless something else stops the machine.
    pub(super) purpose: &'static str,
    /// The stack frames, which are valid until the machine moves.
    frames: Option<Vec<Frame>>,
    /// The numbers of containers of variables, which are valid until the machine moves.
    pub(super) containers: Containers,
    /// The number of printed bytes that the client has received.
    printed: u64,
    /// Whether the client has asked for reports of the LEDs.
    are_leds_wanted: bool,
    /// The LEDs and the held buttons in the last report. `reported_leds_at` is the time of that
    /// report.
    reported_leds: Option<(Display, Buttons)>,
    reported_leds_at: Option<Duration>,
    /// The time and the moment from which the pace is measured.
    paced_from: (Duration, u64),
    /// The progress of a replay of the past, and the time at which the replay began.
    progress: Option<(WorkProgress, Duration)>,
    /// The time up to which the machine has run.
    ran_until: Duration,
    /// The time of the current call.
    pub(super) time: Duration,
}

impl DebugRun {
    pub(super) fn new(
        debugger: Debugger,
        sources: SourceFiles,
        arguments: LaunchArguments,
        numbering: Numbering,
        time: Duration,
    ) -> Self {
        Self {
            debugger,
            sources,
            paced_from: (time, 0),
            arguments,
            numbering,
            purpose: "pause",
            frames: None,
            containers: Containers::default(),
            printed: 0,
            are_leds_wanted: false,
            reported_leds: None,
            reported_leds_at: None,
            progress: None,
            ran_until: time,
            time,
        }
    }

    /// Takes over the state that survives a restart.
    pub(super) fn take_over(&mut self, before: &Self) {
        self.are_leds_wanted = before.are_leds_wanted;
        let breakpoints = Arc::clone(before.debugger.breakpoints());
        for name in breakpoints.list().iter().filter_map(Breakpoint::source) {
            if let Some(file) = self.sources.find_by_name(name) {
                self.debugger.name_source(name, file);
            }
        }
        self.debugger.change_breakpoints(|own, program| {
            *own = Arc::unwrap_or_clone(breakpoints);
            own.bind(program);
        });
    }

    /// Records the start of a movement. `purpose` is the reason to report for its stop.
    pub(super) fn begin_move(&mut self, purpose: &'static str) {
        self.purpose = purpose;
        self.discard_frames();
        self.containers = Containers::default();
        self.ran_until = self.time;
        self.paced_from = (self.time, self.now());
    }

    /// Lets the debugger work for a slice of time. Returns the stop if the machine stops during the
    /// slice.
    pub(super) fn advance(&mut self) -> Option<Stop> {
        let limit = self.due(self.time).saturating_sub(self.now());
        let stop = self.debugger.advance(limit);
        let elapsed = self.time.saturating_sub(std::mem::replace(&mut self.ran_until, self.time));
        if self.debugger.activity() == Activity::Running {
            self.debugger.pass_time(elapsed);
        }
        stop
    }

    /// The time until a moving machine has more to do.
    pub(super) fn wait(&self, time: Duration) -> Duration {
        match self.debugger.activity() {
            Activity::Running if self.due(time) <= self.now() => WAIT,
            _ => Duration::ZERO,
        }
    }

    /// The moment that a paced machine may have reached by `time`.
    fn due(&self, time: Duration) -> u64 {
        let (since, moment) = self.paced_from;
        let per_second = self.arguments.instructions_per_second;
        per_second.map_or(u64::MAX, |it| due(moment, it, time.saturating_sub(since)))
    }

    fn now(&self) -> u64 {
        self.debugger.history().moment()
    }

    /// The completed percentage of a replay of the past, and the title of the progress report.
    fn percentage(&self) -> Option<(u64, &'static str)> {
        let now = self.now().max(1);
        match self.debugger.activity() {
            Activity::Idle | Activity::Running => None,
            Activity::Counting(moment) => {
                Some((moment * 100 / now, "Counting hits of breakpoints"))
            }
            Activity::Searching(moment) => Some(((now - moment) * 100 / now, "Searching the past")),
            Activity::Seeking { reached, target } => {
                Some((reached * 100 / target.max(1), "Going back"))
            }
        }
    }

    /// The event that reports the progress of a long replay of the past, or its end.
    pub(super) fn report_progress(&mut self) -> Option<Value> {
        let Some((percentage, title)) = self.percentage() else {
            return self.progress.take().and_then(|(progress, _)| progress.end());
        };
        let time = self.time;
        let (progress, since) =
            self.progress.get_or_insert_with(|| (WorkProgress::new("past", title), time));
        if time < *since + PROGRESS_DELAY { None } else { progress.report(percentage, None) }
    }

    /// Whether the progress has this identifier.
    pub(super) fn is_progress(&self, id: &str) -> bool {
        self.progress.as_ref().is_some_and(|(progress, _)| progress.id == id)
    }

    /// Sets the maximum speed of the machine.
    pub(super) fn set_pace(&mut self, per_second: Option<u64>) {
        self.arguments.instructions_per_second = per_second;
        self.paced_from = (self.time, self.now());
    }

    /// Discards the stack frames, because the state of the machine has changed.
    pub(super) fn discard_frames(&mut self) {
        self.frames = None;
    }

    /// The frames, innermost first.
    pub(super) fn frames(&mut self) -> &[Frame] {
        self.frames.get_or_insert_with(|| call_stack::find_frames(&self.debugger))
    }

    /// The instruction of a frame. `None` stands for the innermost frame.
    pub(super) fn frame_index(&mut self, frame: Option<i64>) -> Result<RomIndex, Refusal> {
        let Some(frame) = frame else { return Ok(self.debugger.engine().pc()) };
        let place = usize::try_from(frame).ok().and_then(|frame| frame.checked_sub(1));
        let frame = place.and_then(|place| self.frames().get(place));
        frame.map(|frame| frame.index).ok_or_else(|| Refusal::new("there is no such frame"))
    }

    /// Whether the program has ended without an error. `None` if it has not ended.
    pub(super) fn ended(&self) -> Option<bool> {
        let engine = self.debugger.engine();
        engine.halted().then(|| engine.error().is_none())
    }

    /// Returns the LEDs and the held buttons, and begins to report changes.
    pub(super) fn watch_leds(&mut self) -> Value {
        self.are_leds_wanted = true;
        self.reported_leds = Some(self.panel());
        self.leds_body()
    }

    /// The report of the LEDs, if they have changed and the client has asked for reports. Unless
    /// `at_once` is set, there is a minimum interval between reports.
    pub(super) fn take_led_report(&mut self, at_once: bool) -> Option<Value> {
        let is_due = self.reported_leds_at.is_none_or(|at| self.time >= at + LEDS_EVERY);
        let now = self.panel();
        if !self.are_leds_wanted || !at_once && !is_due || self.reported_leds == Some(now) {
            return None;
        }
        self.reported_leds = Some(now);
        self.reported_leds_at = Some(self.time);
        Some(self.leds_body())
    }

    fn panel(&self) -> (Display, Buttons) {
        (self.debugger.engine().display(), self.debugger.held())
    }

    fn leds_body(&self) -> Value {
        let (display, buttons) = self.panel();
        let picture = display.to_string().replace(' ', "");
        json!({
            "rows": picture.lines().collect::<Vec<_>>(),
            "buttons": buttons.names().collect::<Vec<_>>(),
            "moment": self.now(),
        })
    }

    /// The line that is shown for an instruction.
    pub(super) fn shown_line(&self, index: RomIndex) -> Option<SourceLine> {
        let map = self.debugger.image().source_map();
        Some(self.debugger.source_lines().shown(map, index)?.place)
    }

    /// The current position of a line in the changed source. If the line no longer exists, its old
    /// position.
    pub(super) fn current_line(&self, place: SourceLine) -> SourceLine {
        self.debugger.source_lines().present(place).unwrap_or(place)
    }

    /// A file in the protocol's format. If the client has set breakpoints in the file, it has the
    /// path that the client used for the last one.
    pub(super) fn source(&self, file: u16) -> Value {
        let breakpoints = self.debugger.breakpoints().list().iter().rev();
        let called = breakpoints.filter_map(|breakpoint| breakpoint.source());
        let mut called = called.filter(|name| self.debugger.source_named(name) == Some(file));
        self.sources.source(file, called.next())
    }

    /// Adds the members for a line to an object, if there is a line.
    pub(super) fn with_line(&self, object: Value, place: Option<SourceLine>) -> Value {
        let Some(place) = place else { return object };
        let SourceLine { file, line } = self.current_line(place);
        let object = with(object, "source", self.source(file));
        with(object, "line", self.numbering.line(line).into())
    }

    /// The output that the client does not have yet. A byte is sent once, even if the machine goes
    /// back and executes the instruction that printed the byte again.
    pub(super) fn take_output(&mut self) -> String {
        let history = self.debugger.history();
        let (first, bytes) = history.all_output();
        // After a change in the past, there may be less output.
        self.printed = self.printed.min(first + bytes.len() as u64);
        let now = history.printed_before_reset() + history.printed();
        let place = |number: u64| number.saturating_sub(first).min(bytes.len() as u64) as usize;
        let fresh = &bytes[place(self.printed)..place(now).max(place(self.printed))];
        let is_busy = self.debugger.is_busy();
        let end = match str::from_utf8(fresh) {
            // The rest of the UTF-8 character has not been printed yet.
            Err(error) if error.error_len().is_none() && is_busy => error.valid_up_to(),
            _ => fresh.len(),
        };
        let text = String::from_utf8_lossy(&fresh[..end]).into_owned();
        self.printed = self.printed.max(now - (fresh.len() - end) as u64);
        text
    }
}

fn due(moment: u64, per_second: u64, elapsed: Duration) -> u64 {
    let instructions = u128::from(per_second).saturating_mul(elapsed.as_micros()) / 1_000_000;
    moment.saturating_add(u64::try_from(instructions).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_decides_how_many_instructions_are_due() {
        assert_eq!(due(7, 1000, Duration::from_millis(250)), 257);
        assert_eq!(due(7, u64::MAX, Duration::MAX), u64::MAX);
        assert_eq!(due(7, 0, Duration::from_secs(9)), 7);
    }
}

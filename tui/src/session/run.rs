//! The run of a program: the machine with its past, the breaks that stop it, and the moments worth
//! finding again. It knows no pace: it runs as fast as it can, as far as it is told.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_isa::run_off;
use gray1_sim::debugger::{Event, History, Hit, Input, Lines, Matches, Scope, WatchSet, reason};
use gray1_sim::{Engine, EngineError, Phase, Setup};

use super::breaks::BreakTable;
use super::recorder::Recorder;
use super::{Album, BreakChange, Cpu, Marks, Program, Reason, Time, marks};

/// A program that is executed.
pub(super) struct Run {
    pub(super) program: Arc<Program>,
    pub(super) recorder: Recorder,
    pub(super) stops: BreakTable,
    /// The lines of the engine, if it has lines.
    pub(super) lines: Option<Arc<Lines>>,
    marks: Marks,
}

/// What stopped a run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stopped {
    pub(super) at_break: bool,
    pub(super) at_goal: bool,
    /// Whether a line ended, here or before.
    pub(super) ended_line: bool,
}

/// What the ends of printed lines do to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// They stop it.
    Stop,
    /// They are noted.
    Pass,
}

impl Run {
    /// Powers a machine up with this program. The breaks and watches of the run before stay.
    ///
    /// # Errors
    /// If the board does not come to rest.
    pub(super) fn new(
        program: Program,
        setup: &Setup,
        stops: BreakTable,
    ) -> Result<Self, EngineError> {
        let engine = setup.engine(&program.image)?;
        Ok(Self::of(program, History::new(engine), stops))
    }

    /// Takes a machine on where its history stands.
    pub(super) fn of(program: Program, history: History, mut stops: BreakTable) -> Self {
        let lines = Lines::of(history.engine()).map(Arc::new);
        stops.bind(Scope { image: &program.image, lines: lines.as_deref(), at: None });
        Self {
            lines,
            recorder: Recorder::new(history),
            program: Arc::new(program),
            stops,
            marks: Marks::default(),
        }
    }

    /// The machine.
    pub(super) fn engine(&self) -> &dyn Engine {
        self.recorder.history().engine()
    }

    /// The present moment.
    pub(super) fn now(&self) -> u64 {
        self.recorder.history().moment()
    }

    /// The past and what is known of the future, while the past is searched down to a moment.
    pub(super) fn time(&self, searched: Option<u64>) -> Time {
        let history = self.recorder.history();
        Time {
            now: history.moment(),
            start: history.start(),
            end: history.end(),
            marks: self.marks.clone(),
            searched,
        }
    }

    /// What a programmer sees of the machine.
    pub(super) fn cpu(&self) -> Cpu {
        self.recorder.cpu()
    }

    /// The moments at which the lines ended that are known.
    pub(super) fn line_ends(&self) -> &[u64] {
        &self.marks.lines
    }

    /// What the LEDs showed at the ends of lines.
    pub(super) fn album(&self) -> &Album {
        &self.marks.album
    }

    /// The phase. Reset ends in T1.
    pub(super) fn phase(&self) -> Phase {
        self.engine().phase()
    }

    /// What the last instruction did, and the breaks that are met here: both follow from where the
    /// machine is, not from how it got there.
    pub(super) fn reason(&self) -> Option<Reason> {
        if let Some(error) = self.engine().error() {
            return Some(Reason { met: Vec::new(), text: error.to_string() });
        }
        let image = &self.program.image;
        let halted = self.engine().halted().then(|| self.recorder.pc());
        if let Some(text) = halted.and_then(|at| run_off(image, at)) {
            return Some(Reason { met: Vec::new(), text });
        }
        let breaks = &self.stops.breaks;
        let watch_set = breaks.watch_set(&[], |index| image.word(index));
        let hit = self.recorder.history().hit_now(&watch_set);
        if let Some(hit) = hit {
            let met = breaks.met_by(&hit).map(|met| met.text.clone()).collect();
            let text = self.line_story(&hit).unwrap_or_else(|| reason(&hit, image));
            return Some(Reason { met, text });
        }
        let executed = Some(self.recorder.recent().newest()?.executed());
        let next = self.recorder.pc();
        let hit = Hit { moment: self.now(), edges: 0, matches: Matches::default(), executed, next };
        Some(Reason { met: Vec::new(), text: reason(&hit, image) })
    }

    /// What the lines of a break did that a hit meets, and where.
    fn line_story(&self, hit: &Hit) -> Option<String> {
        let mut met = self.stops.breaks.met_by(hit).filter_map(|met| met.condition.as_ref().ok());
        let event = met.find_map(|condition| match condition.event() {
            Event::Lines(lines) => Some(lines),
            _ => None,
        })?;
        let story = event.story(&self.recorder.levels_before()?, self.engine().circuit()?);
        let place = reason(&Hit { executed: None, ..*hit }, &self.program.image);
        Some(format!("{story}, in {} {place}", self.phase()))
    }

    /// Executes instructions, `limit` at most, and says what stopped it.
    pub(super) fn run(&mut self, watch_set: &WatchSet, limit: u64, line_ends: LineEnds) -> Stopped {
        let Self { recorder, stops, marks, .. } = self;
        let mut stopped = Stopped::default();
        recorder.run(watch_set, limit, |hit, history| {
            let at_line_end = stops.is_line_end(hit);
            if at_line_end {
                marks.add_line(history);
                stopped.ended_line = true;
            }
            stopped.at_goal = stops.is_goal(hit);
            if stopped.at_goal && hit.changes_led() {
                marks::add(&mut marks.leds, hit.moment);
            }
            stopped.at_break = stops.count(hit);
            if stopped.at_break {
                marks::add(&mut marks.stops, hit.moment);
            }
            let stops_here = at_line_end && line_ends == LineEnds::Stop;
            stopped.at_goal || stopped.at_break || stops_here
        });
        stopped
    }

    /// Executes one instruction. Breaks are for what runs: here they count nothing.
    pub(super) fn step(&mut self) {
        let Self { recorder, stops, marks, .. } = self;
        recorder.run(&stops.running, 1, |hit, history| {
            if stops.is_line_end(hit) {
                marks.add_line(history);
            }
            false
        });
    }

    /// Lets one phase pass.
    pub(super) fn step_phase(&mut self) {
        let lines = self.recorder.history().printed_lines();
        self.recorder.edge();
        if self.recorder.history().printed_lines() > lines {
            self.marks.add_line(self.recorder.history());
        }
    }

    /// Goes back by one phase. Says no if the past begins here.
    pub(super) fn step_phase_back(&mut self) -> bool {
        self.recorder.edge_back()
    }

    /// Goes back by one instruction, or to the start of the one under way. Says no if the past
    /// begins here.
    pub(super) fn step_back(&mut self) -> bool {
        let now = self.now();
        let edges = self.engine().edges();
        let is_later = edges > 0 || now > self.recorder.history().start();
        if is_later {
            self.seek(now - u64::from(edges == 0));
        }
        is_later
    }

    /// Goes to a moment, or the nearest one that is known.
    pub(super) fn seek(&mut self, moment: u64) {
        self.recorder.seek(moment, 0);
    }

    /// Goes to an edge of the oscillator after a moment; executes what leads there where nothing is
    /// known yet.
    pub(super) fn go_to_edge(&mut self, moment: u64, edges: u32) {
        if moment <= self.recorder.history().end() {
            return self.recorder.seek(moment, edges);
        }
        while self.recorder.history().position() < (moment, edges) {
            if self.recorder.halted() {
                return;
            }
            self.step_phase();
        }
    }

    /// Goes to where a condition was met.
    pub(super) fn seek_hit(&mut self, hit: &Hit) {
        self.recorder.seek(hit.moment, hit.edges);
    }

    /// Counts a hit in the past with the breaks it meets. Says whether it meets one.
    pub(super) fn count_earlier(&mut self, hit: &Hit) -> bool {
        let at_break = self.stops.count(hit);
        if at_break {
            marks::add(&mut self.marks.stops, hit.moment);
        }
        at_break
    }

    /// Changes breaks or watches, and says what was done.
    pub(super) fn change_breaks(&mut self, change: BreakChange) -> Cow<'static, str> {
        let Self { program, lines, stops, .. } = self;
        stops.apply(change, Scope { image: &program.image, lines: lines.as_deref(), at: None })
    }

    /// Presses reset.
    pub(super) fn reset(&mut self) {
        self.give(Input::Reset);
    }

    /// Does something to the machine from outside; another future begins. A search in the past goes
    /// on: what lies before now has not changed.
    pub(super) fn give(&mut self, input: Input) {
        self.recorder.give(input);
        self.marks.forget_after(self.now());
    }
}

//! The run of a program: the machine with its past, the breaks that stop it, and the moments worth
//! finding again. It knows no pace: it runs as fast as it can, as far as it is told.

use std::sync::Arc;

use gray1_sim::PowerUp;
use gray1_sim::debugger::{Hit, Input, Matches, WatchSet, reason};

use super::breaks::BreakTable;
use super::recorder::Recorder;
use super::{BreakChange, Cpu, Marks, Program, Reason, Time, engine, marks};

/// How many phases an instruction takes.
const PHASES: u8 = 8;

/// A program that is executed.
pub(super) struct Run {
    pub(super) program: Arc<Program>,
    pub(super) recorder: Recorder,
    pub(super) stops: BreakTable,
    marks: Marks,
    /// How many phases of the next instruction have passed; all else is as it was before it.
    phases: u8,
}

/// What stopped a run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stopped {
    pub(super) at_break: bool,
    pub(super) at_goal: bool,
}

impl Run {
    /// Powers a machine up with this program. The breaks and watches of the run before stay.
    pub(super) fn new(program: Program, power_up: PowerUp, mut stops: BreakTable) -> Self {
        stops.bind(&program.image);
        Self {
            recorder: Recorder::new(engine::power_up(&program.image, power_up)),
            program: Arc::new(program),
            stops,
            marks: Marks::default(),
            phases: 0,
        }
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
        self.recorder.cpu(self.phase())
    }

    /// The phase of the next instruction that the board is in, 0 for T0. Reset ends in T1.
    pub(super) fn phase(&self) -> u8 {
        self.first_phase() + self.phases
    }

    fn first_phase(&self) -> u8 {
        u8::from(self.recorder.executed() == 0)
    }

    /// What the last instruction did, and the breaks that are met here: both follow from where the
    /// machine is, not from how it got there.
    pub(super) fn reason(&self) -> Option<Reason> {
        let image = &self.program.image;
        let breaks = &self.stops.breaks;
        let watch_set = breaks.watch_set(&[], |index| image.word(index));
        let hit = self.recorder.history().hit_now(&watch_set).filter(|_| self.phases == 0);
        if let Some(hit) = hit {
            let met = breaks.met_by(&hit).map(|met| met.text.clone()).collect();
            return Some(Reason { met, text: reason(&hit, image) });
        }
        let executed = Some(self.recorder.recent().newest()?.executed());
        let next = self.recorder.pc();
        let hit = Hit { moment: self.now(), matches: Matches::default(), executed, next };
        Some(Reason { met: Vec::new(), text: reason(&hit, image) })
    }

    /// Executes instructions, `limit` at most, and says what stopped it.
    pub(super) fn run(&mut self, watch_set: &WatchSet, limit: u64) -> Stopped {
        self.phases = 0;
        let Self { recorder, stops, marks, .. } = self;
        let mut stopped = Stopped::default();
        recorder.run(watch_set, limit, |hit| {
            if stops.is_line_end(hit) {
                marks::add(&mut marks.lines, hit.moment);
            }
            stopped.at_goal = stops.is_goal(hit);
            if stopped.at_goal && hit.changes_led() {
                marks::add(&mut marks.leds, hit.moment);
            }
            stopped.at_break = stops.count(hit);
            if stopped.at_break {
                marks::add(&mut marks.stops, hit.moment);
            }
            stopped.at_goal || stopped.at_break
        });
        stopped
    }

    /// Executes one instruction. Breaks are for what runs: here they count nothing.
    pub(super) fn step(&mut self) {
        self.phases = 0;
        let Self { recorder, stops, marks, .. } = self;
        recorder.run(&stops.running, 1, |hit| {
            if stops.is_line_end(hit) {
                marks::add(&mut marks.lines, hit.moment);
            }
            false
        });
    }

    /// Lets one phase pass.
    pub(super) fn step_phase(&mut self) {
        if self.recorder.halted() {
            return;
        }
        self.phases += 1;
        if self.phase() == PHASES {
            self.step();
        }
    }

    /// Goes back by one phase. Says no if the past begins here.
    pub(super) fn step_phase_back(&mut self) -> bool {
        if self.phases > 0 {
            self.phases -= 1;
            return true;
        }
        let is_later = self.step_back();
        if is_later {
            self.phases = PHASES - 1 - self.first_phase();
        }
        is_later
    }

    /// Goes back by one instruction, or to the start of the one under way. Says no if the past
    /// begins here.
    pub(super) fn step_back(&mut self) -> bool {
        let now = self.now();
        let is_later = self.phases > 0 || now > self.recorder.history().start();
        if is_later {
            self.seek(now - u64::from(self.phases == 0));
        }
        is_later
    }

    /// Goes to a moment, or the nearest one that is known.
    pub(super) fn seek(&mut self, moment: u64) {
        self.phases = 0;
        self.recorder.seek(moment);
    }

    /// Counts a hit in the past with the breaks it meets. Says whether it meets one.
    pub(super) fn count_earlier(&mut self, hit: &Hit) -> bool {
        let at_break = self.stops.count(hit);
        if at_break {
            marks::add(&mut self.marks.stops, hit.moment);
        }
        at_break
    }

    /// Changes breaks or watches. Says no if there are too many breaks.
    pub(super) fn change_breaks(&mut self, change: BreakChange) -> bool {
        self.stops.apply(change, &self.program.image)
    }

    /// Presses reset.
    pub(super) fn reset(&mut self) {
        self.phases = 0;
        self.give(Input::Reset);
    }

    /// Does something at the panel; another future begins. A search in the past goes on: what lies
    /// before now has not changed.
    pub(super) fn give(&mut self, input: Input) {
        self.recorder.give(input);
        self.marks.forget_after(self.now());
    }
}

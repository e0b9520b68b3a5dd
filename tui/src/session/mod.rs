//! A session: a machine with its past, its pace, breaks and output.
//!
//! It knows no screen and no clock: the caller says how much time has passed
//! ([`Session::advance`]), and gets control back within a few milliseconds.

mod breaks;
mod clock;
mod command;
mod engine;
mod goal;
mod held;
mod levels;
mod marks;
mod output;
mod pace;
mod program;
mod recent;
mod recorder;
mod snapshot;
mod speed;
mod travel;

use std::sync::Arc;
use std::time::Duration;

use gray1_isa::panel::Buttons;
use gray1_sim::debugger::{Breaks, Hit, Input, Lookout, Which, reason};
use gray1_sim::{Board, PowerUp};

pub use clock::Due;
pub use command::Command;
pub use goal::Goal;
pub use levels::Levels;
pub use marks::Marks;
pub use output::Output;
pub use pace::{Pace, Rate};
pub use program::Program;
pub use recent::{RecentSteps, Step};
pub use snapshot::{Cpu, Reason, Snapshot, Status, Stops, Time};

use breaks::BreakTable;
use clock::Clock;
use held::Held;
use levels::Replica;
use recorder::Recorder;
use travel::BackwardSearch;

/// A machine and its controls.
pub struct Session {
    program: Arc<Program>,
    power_up: PowerUp,
    recorder: Recorder,
    stops: BreakTable,
    marks: Marks,
    /// What the last command came to, if there is something to say.
    remark: Option<&'static str>,
    /// How many phases of the next instruction have passed; all else is as it was before it.
    phases: u8,
    mode: Mode,
    clock: Clock,
    held: Held,
    replica: Replica,
}

/// What the session is about.
enum Mode {
    Paused,
    Running,
    /// On the way to something, however far that is.
    Seeking(Arc<Lookout>),
    /// Looking for something in the past; the machine stays where it is meanwhile.
    Searching(Box<BackwardSearch>),
}

/// What stopped a run.
#[derive(Debug, Clone, Copy, Default)]
struct Stopped {
    at_break: bool,
    at_goal: bool,
}

/// The most instructions between two looks at the commands: half a millisecond of an optimised
/// build, some ten of a debug one.
const SLICE: u64 = 1 << 18;
/// How many phases an instruction takes.
const PHASES: u8 = 8;

impl Session {
    /// Powers a machine up with this program. `board` loads the board whose lines are shown, when
    /// they are wanted for the first time.
    #[must_use]
    pub fn new(program: Program, power_up: PowerUp, paused: bool, board: fn() -> Board) -> Self {
        let mut stops = BreakTable::default();
        stops.bind(&program.image);
        Self {
            recorder: Recorder::new(engine::power_up(&program.image, power_up)),
            program: Arc::new(program),
            power_up,
            stops,
            marks: Marks::default(),
            remark: None,
            phases: 0,
            mode: if paused { Mode::Paused } else { Mode::Running },
            clock: Clock::default(),
            held: Held::default(),
            replica: Replica::new(board),
        }
    }

    /// Obeys; [`Self::advance`] then does what there is to do.
    pub fn command(&mut self, command: Command) {
        self.remark = None;
        match command {
            Command::RunOrPause if matches!(self.mode, Mode::Paused) => {
                self.set_mode(Mode::Running);
            }
            Command::RunOrPause | Command::Cancel => self.set_mode(Mode::Paused),
            Command::Step => self.step(),
            Command::StepBack => self.step_back(),
            Command::StepPhase => self.step_phase(),
            Command::StepPhaseBack => self.step_phase_back(),
            Command::Go(goal) => self.go(goal),
            Command::GoBack(goal) => self.go_back(goal),
            Command::WhoWrote { first, last } => self.find_writer(Goal::Write { first, last }),
            Command::Seek(moment) => self.seek(moment),
            Command::ScrubBack => self.seek(self.now().saturating_sub(self.scrub_step())),
            Command::ScrubForward => self.seek(self.now() + self.scrub_step()),
            Command::ToggleBreak(index) => {
                let program = Arc::clone(&self.program);
                let fits = self.stops.toggle(index, &program.image);
                self.refuse_unless(fits);
            }
            Command::AddBreak(text) => {
                let program = Arc::clone(&self.program);
                let fits = self.stops.add(&text, &program.image);
                self.refuse_unless(fits);
            }
            Command::RemoveBreak(number) => self.change_breaks(|breaks| breaks.remove(number)),
            Command::SwitchBreak(number) => self.change_breaks(|breaks| {
                if let Some(entry) = breaks.get_mut(number) {
                    entry.enabled = !entry.enabled;
                }
            }),
            Command::AddWatch(text) => Arc::make_mut(&mut self.stops.watches).push(text),
            Command::RemoveWatch(number) => {
                Arc::make_mut(&mut self.stops.watches).remove(number);
            }
            Command::Faster => self.clock.pace = self.clock.pace.faster(),
            Command::Slower => self.clock.pace = self.clock.pace.slower(),
            Command::PaceEvenly => self.clock.pace = self.clock.pace.even(),
            Command::Hold(buttons) => self.hold(buttons),
            Command::Reset => self.restart(),
            Command::Load(program) => self.load(*program),
            Command::ShowLevels(wanted) => self.replica.wanted = wanted,
        }
    }

    /// Lets this much time pass: does the work that is due by then, or a slice of it.
    pub fn advance(&mut self, elapsed: Duration) -> Due {
        let before = self.now();
        match self.status() {
            Status::Paused | Status::Halted => {}
            Status::Seeking => self.go_on(),
            Status::Searching => self.search_on(),
            Status::Running => self.play(elapsed),
        }
        self.clock.speed.note(elapsed, self.now().saturating_sub(before));
        if self.held.pass(elapsed) {
            self.give(Input::Hold(self.held.buttons()));
        }
        self.due()
    }

    /// Lets a running machine execute so many instructions, whatever its pace.
    pub fn advance_by(&mut self, instructions: u64) {
        let end = self.now() + instructions;
        while self.status() == Status::Running && self.now() < end {
            self.run(SLICE.min(end - self.now()));
        }
    }

    /// What the machine is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.mode {
            Mode::Searching(_) => Status::Searching,
            _ if self.recorder.halted() => Status::Halted,
            Mode::Paused => Status::Paused,
            Mode::Running => Status::Running,
            Mode::Seeking(_) => Status::Seeking,
        }
    }

    /// What tells a snapshot from the one before without a command between them: the moment, the
    /// status, how far a search is, and the buttons held.
    #[must_use]
    pub fn progress(&self) -> (u64, Status, Option<u64>, Buttons) {
        (self.now(), self.status(), self.searched(), self.held.buttons())
    }

    /// What there is to see.
    pub fn snapshot(&mut self) -> Snapshot {
        let status = self.status();
        let stands = matches!(status, Status::Paused | Status::Halted);
        let cpu = self.recorder.cpu(self.phase());
        Snapshot {
            program: Arc::clone(&self.program),
            status,
            pace: self.clock.pace,
            speed: self.clock.speed.per_second().filter(|_| status == Status::Running),
            time: self.time(),
            stops: Stops {
                breaks: Arc::clone(&self.stops.breaks),
                watches: Arc::clone(&self.stops.watches),
                reason: if stands { self.reason() } else { None },
            },
            remark: self.remark,
            buttons: self.held.buttons(),
            output: Arc::clone(self.recorder.output()),
            levels: self.replica.levels(&self.program, &cpu),
            cpu,
        }
    }

    fn now(&self) -> u64 {
        self.recorder.history().moment()
    }

    fn time(&self) -> Time {
        let history = self.recorder.history();
        Time {
            now: history.moment(),
            start: history.start(),
            end: history.end(),
            marks: self.marks.clone(),
            searched: self.searched(),
        }
    }

    fn searched(&self) -> Option<u64> {
        match &self.mode {
            Mode::Searching(search) => Some(search.down_to),
            _ => None,
        }
    }

    /// What the last instruction did, and the breaks that are met here: both follow from where the
    /// machine is, not from how it got there.
    fn reason(&self) -> Option<Reason> {
        let image = &self.program.image;
        let breaks = &self.stops.breaks;
        let lookout = breaks.lookout(&[], |index| image.word(index));
        let hit = self.recorder.history().hit_now(&lookout).filter(|_| self.phases == 0);
        if let Some(hit) = hit {
            let met = breaks.met_by(&hit).map(|met| met.text.clone()).collect();
            return Some(Reason { met, text: reason(&hit, image) });
        }
        let done = self.recorder.recent().newest()?.done();
        let next = self.recorder.pc();
        let hit = Hit { moment: self.now(), which: Which::default(), done: Some(done), next };
        Some(Reason { met: Vec::new(), text: reason(&hit, image) })
    }

    fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.clock.restart();
    }

    /// The phase of the next instruction that the board is in, 0 for T0. Reset ends in T1.
    fn phase(&self) -> u8 {
        self.first_phase() + self.phases
    }

    fn first_phase(&self) -> u8 {
        u8::from(self.recorder.executed() == 0)
    }

    /// Executes instructions, `limit` at most, and says what stopped it.
    fn run_with(&mut self, lookout: &Lookout, limit: u64) -> Stopped {
        self.phases = 0;
        let Self { recorder, stops, marks, .. } = self;
        let mut stopped = Stopped::default();
        recorder.run(lookout, limit, |hit| {
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
        if stopped.at_break {
            self.set_mode(Mode::Paused);
        }
        stopped
    }

    /// Executes instructions, `limit` at most, and pauses at a break.
    fn run(&mut self, limit: u64) {
        self.run_with(&Arc::clone(&self.stops.running), limit);
    }

    /// Executes up to `limit` instructions; says whether the last one changed an LED.
    fn run_to_led_change(&mut self, limit: u64) -> bool {
        self.run_with(&Arc::clone(&self.stops.to_led_change), limit).at_goal
    }

    /// Executes one instruction. Breaks are for what runs: here they count nothing.
    fn step(&mut self) {
        self.set_mode(Mode::Paused);
        self.phases = 0;
        let Self { recorder, stops, marks, .. } = self;
        recorder.run(&stops.running, 1, |hit| {
            if stops.is_line_end(hit) {
                marks::add(&mut marks.lines, hit.moment);
            }
            false
        });
    }

    fn refuse_unless(&mut self, fits: bool) {
        self.remark = (!fits).then_some("too many breaks: remove one first");
    }

    fn change_breaks(&mut self, change: impl FnOnce(&mut Breaks)) {
        self.stops.change(&self.program.image, change);
    }

    /// Does something at the panel; another future begins. A search in the past goes on: what lies
    /// before now has not changed.
    fn give(&mut self, input: Input) {
        self.recorder.give(input);
        self.marks.forget_after(self.recorder.history().moment());
    }

    fn hold(&mut self, buttons: Buttons) {
        self.held.hold(buttons);
        self.give(Input::Hold(self.held.buttons()));
    }

    fn restart(&mut self) {
        // Reset lets the instruction under way complete; in T2 it has begun.
        if self.phase() > 1 {
            self.run(1);
        }
        // A search that was under way belongs to the run that ended.
        let mode = if let Mode::Running = self.mode { Mode::Running } else { Mode::Paused };
        self.set_mode(mode);
        self.held = Held::default();
        self.phases = 0;
        self.give(Input::Reset);
    }

    /// Starts another program; pace, breaks and watches stay.
    fn load(&mut self, program: Program) {
        self.recorder = Recorder::new(engine::power_up(&program.image, self.power_up));
        self.stops.bind(&program.image);
        self.program = Arc::new(program);
        self.marks = Marks::default();
        self.held = Held::default();
        self.phases = 0;
        let mode = if let Mode::Running = self.mode { Mode::Running } else { Mode::Paused };
        self.set_mode(mode);
    }

    fn play(&mut self, elapsed: Duration) {
        match self.clock.pace.rate() {
            Rate::Unlimited => self.run(SLICE),
            Rate::Instructions(per_second) => {
                self.clock.credit.earn(elapsed, per_second);
                let units = self.clock.credit.units().min(SLICE);
                self.clock.credit.spend(units);
                self.run(units);
            }
            Rate::LedChanges(per_second) => {
                self.clock.credit.earn(elapsed, per_second);
                if self.clock.credit.units() > 0 && self.run_to_led_change(SLICE) {
                    self.clock.credit.spend(1);
                }
            }
        }
    }

    /// When there is more to do: for the machine, or a button to let go of.
    fn due(&self) -> Due {
        let machine = match self.status() {
            Status::Paused | Status::Halted => Due::Never,
            Status::Seeking | Status::Searching => Due::Now,
            Status::Running => self.clock.due(),
        };
        machine.or_after(self.held.wait())
    }
}

#[cfg(test)]
mod tests;

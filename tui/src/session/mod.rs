//! A session: a machine with its past, its pace, breaks and output.
//!
//! It knows no screen and no clock: the caller says how much time has passed
//! ([`Session::advance`]), and gets control back within a few milliseconds.

mod album;
mod backward;
mod breaks;
mod clock;
mod command;
mod cpu;
mod dwell;
mod goal;
mod held;
mod jumps;
mod levels;
mod marks;
mod mode;
mod output;
mod pace;
mod profile;
mod program;
mod recent;
mod recorder;
mod run;
mod snapshot;
mod speed;
mod wave_source;
mod waves;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use gray1_isa::panel::Buttons;
use gray1_sim::debugger::{Event, History, Input, WatchSet};
use gray1_sim::{EngineError, Phase, Registers, Setup};

pub use album::{Album, AlbumEntry};
pub use clock::Due;
pub use command::{BreakChange, Command, Destination, Kept};
pub use cpu::Cpu;
pub use goal::Goal;
pub use levels::{BoardLoader, Levels};
pub use marks::Marks;
pub use output::Output;
pub use pace::{Pace, Rate};
pub use profile::Profile;
pub use program::Program;
pub use recent::{RecentSteps, Step};
pub use snapshot::{Reason, Remark, Snapshot, Status, Stops, Time};
pub use waves::{LineDetail, Waves};

use breaks::BreakTable;
use clock::Clock;
use goal::BEGINNING;
use held::Held;
use jumps::Jumps;
use levels::LevelSource;
use mode::{Mode, Until};
use profile::Profiler;
use run::{LineEnds, Run, Stopped};
use wave_source::WaveSource;

/// A machine and its controls.
pub struct Session {
    run: Run,
    mode: Mode,
    clock: Clock,
    held: Held,
    /// How many commands there were.
    commands: u64,
    /// What the last command came to, if there is something to say.
    remark: Option<Cow<'static, str>>,
    jumps: Jumps,
    line_detail: LineDetail,
    level_source: LevelSource,
    wave_source: WaveSource,
    /// Counts what is executed, if that is wanted.
    profiler: Option<Profiler>,
    setup: Setup,
    /// Whether the machine dwells on printed lines at a pace that the eye can follow.
    dwells: bool,
}

const DWELLS: &str = "dwells on printed lines";
const DWELLS_NOT: &str = "does not dwell on printed lines";
const ENDED_BEFORE: &str = "the program ended before that";
const NO_EARLIER_PICTURE: &str = "no earlier picture in the album";
const NO_LATER_PICTURE: &str = "no later picture yet: ] runs to the next line end";
const NO_BREAKS: &str = "no breaks: press b to set one here, B for any other";

impl Session {
    /// Powers a machine up with this program. `board` loads the board whose lines are shown if the
    /// engine has none, when they are wanted for the first time.
    ///
    /// # Errors
    /// If the board does not come to rest.
    pub fn new(
        program: Program,
        setup: Setup,
        paused: bool,
        board: BoardLoader,
    ) -> Result<Self, EngineError> {
        let run = Run::new(program, &setup, BreakTable::default())?;
        let mode = if paused { Mode::Paused } else { Mode::Running };
        Ok(Self::of(run, mode, setup, board))
    }

    /// Takes a machine on where its history stands, paused. It was made by this setup; `board` is
    /// as for [`Self::new`].
    #[must_use]
    pub fn resumed(program: Program, setup: Setup, history: History, board: BoardLoader) -> Self {
        Self::of(Run::of(program, history, BreakTable::default()), Mode::Paused, setup, board)
    }

    fn of(run: Run, mode: Mode, setup: Setup, board: BoardLoader) -> Self {
        Self {
            run,
            mode,
            clock: Clock::default(),
            held: Held::default(),
            commands: 0,
            remark: None,
            line_detail: LineDetail::default(),
            jumps: Jumps::default(),
            level_source: LevelSource::new(board),
            wave_source: WaveSource::default(),
            profiler: None,
            setup,
            dwells: true,
        }
    }

    /// Obeys; [`Self::advance`] then does what there is to do.
    pub fn command(&mut self, command: Command) {
        self.commands += 1;
        self.remark = None;
        match command {
            Command::RunOrPause if matches!(self.mode, Mode::Paused) => {
                self.set_mode(Mode::Running);
            }
            Command::RunOrPause | Command::Cancel => self.set_mode(Mode::Paused),
            Command::Step => self.step_with(Run::step),
            Command::StepPhase => self.step_with(Run::step_phase),
            Command::StepBack => self.step_back_with(Run::step_back),
            Command::StepPhaseBack => self.step_back_with(Run::step_phase_back),
            Command::Go(goal) => self.go(goal),
            Command::GoBack(goal) => self.go_back(goal),
            Command::WhoWrote { first, last } => self.find_writer(Goal::Write { first, last }),
            Command::Seek(moment) => self.seek(moment),
            Command::SeekEdge(moment, edges) => self.seek_with(|run| run.go_to_edge(moment, edges)),
            Command::RunTo(destination) => self.run_to(destination),
            Command::JumpBack => self.jump(Jumps::back, "no earlier jump"),
            Command::JumpForward => self.jump(Jumps::forward, "no later jump"),
            Command::PictureBack => self.turn_album(Album::before, NO_EARLIER_PICTURE),
            Command::PictureForward => self.turn_album(Album::after, NO_LATER_PICTURE),
            Command::ScrubBack => self.seek(self.run.now().saturating_sub(self.scrub_step())),
            Command::ScrubForward => self.seek(self.run.now() + self.scrub_step()),
            Command::Faster => self.clock.pace = self.clock.pace.faster(),
            Command::Slower => self.clock.pace = self.clock.pace.slower(),
            Command::PaceEvenly => self.clock.pace = self.clock.pace.even(),
            Command::SetDwelling(dwells) => {
                self.set_dwelling(dwells);
                self.remark = Some(if dwells { DWELLS.into() } else { DWELLS_NOT.into() });
            }
            Command::Hold(buttons) => self.hold(buttons),
            Command::Reset => self.reset(),
            Command::Load(program) => self.load(*program),
            Command::Poke { address, byte } => self.change_state(Input::Poke(address, byte)),
            Command::SetRegisters(registers) => self.set_registers(registers),
            Command::ShowLines(detail) => self.line_detail = detail,
            Command::ShowProfile(shown) => {
                self.profiler = shown.then(|| Profiler::new(&self.run.recorder));
            }
            Command::Change(BreakChange::Restore(kept)) => {
                self.run.change_breaks(BreakChange::Restore(kept));
            }
            Command::Change(change) => self.remark = Some(self.run.change_breaks(change)),
        }
    }

    /// Sets whether the machine dwells on printed lines, at a pace that the eye can follow.
    pub fn set_dwelling(&mut self, dwells: bool) {
        self.dwells = dwells;
    }

    /// Lets this much time pass: does the work that is due by then, or a slice of it.
    pub fn advance(&mut self, elapsed: Duration) -> Due {
        let before = self.run.now();
        match self.status() {
            Status::Paused | Status::Halted => {}
            Status::Seeking => self.seek_on(),
            Status::Searching => self.search_on(),
            Status::Running => self.play(elapsed),
        }
        if matches!(self.status(), Status::Paused | Status::Halted) {
            let slice = self.slice();
            if let Some(profiler) = &mut self.profiler {
                profiler.advance(&self.run.recorder, slice);
            }
        }
        if self.clock.dwell.wait().is_none() {
            self.clock.speed.note(elapsed, self.run.now().saturating_sub(before));
        }
        if self.held.pass(elapsed) {
            self.run.give(Input::Hold(self.held.buttons()));
        }
        self.due()
    }

    /// Lets a running machine execute so many instructions, whatever its pace.
    pub fn advance_by(&mut self, instructions: u64) {
        let end = self.run.now() + instructions;
        while self.status() == Status::Running && self.run.now() < end {
            let before = self.run.recorder.history().position();
            self.run_to_break(self.slice().min(end - before.0));
            debug_assert!(self.run.recorder.history().position() > before, "it would run for ever");
        }
    }

    /// What the machine is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.mode {
            Mode::Searching(_) => Status::Searching,
            _ if self.run.recorder.halted() => Status::Halted,
            Mode::Paused => Status::Paused,
            Mode::Running => Status::Running,
            Mode::Seeking(..) => Status::Seeking,
        }
    }

    /// What tells a snapshot from the one before without a command between them: the moment, the
    /// status, how far a search and a count are, and the buttons held.
    #[must_use]
    pub fn progress(&self) -> (u64, Status, [Option<u64>; 2], Buttons) {
        let counted = self.profiler.as_ref().map(Profiler::moment);
        (self.run.now(), self.status(), [self.searched(), counted], self.held.buttons())
    }

    /// What there is to see.
    pub fn snapshot(&mut self) -> Snapshot {
        let (levels, waves) = (self.levels(), self.waves());
        let (run, status, cpu) = (&self.run, self.status(), self.run.cpu());
        let stands = matches!(status, Status::Paused | Status::Halted);
        Snapshot {
            program: Arc::clone(&run.program),
            status,
            pace: self.clock.pace,
            speed: self.clock.speed.per_second().filter(|_| status == Status::Running),
            time: run.time(self.searched()),
            stops: Stops {
                breaks: Arc::clone(&run.stops.breaks),
                watches: Arc::clone(&run.stops.watches),
                reason: if stands { run.reason() } else { None },
            },
            remark: self.remark.clone().map(|text| Remark { text, command: self.commands }),
            buttons: self.held.buttons(),
            lines: run.lines.clone(),
            output: Arc::clone(run.recorder.output()),
            levels,
            waves,
            profile: self.profiler.as_ref().map(Profiler::profile),
            cpu,
        }
    }

    /// The levels of the board's lines, if they are wanted.
    fn levels(&mut self) -> Option<Arc<Levels>> {
        let Run { program, lines, recorder, .. } = &self.run;
        let is_wanted = self.line_detail == LineDetail::Levels;
        let levels = || self.level_source.levels(program, lines.as_deref(), recorder);
        is_wanted.then(levels).map(Arc::new)
    }

    /// What the lines do around the present, if that is wanted; not while the machine runs fast.
    fn waves(&mut self) -> Option<Waves> {
        let is_slow = match self.status() {
            Status::Paused | Status::Halted | Status::Searching => true,
            Status::Running => WaveSource::follows(self.clock.pace.rate()),
            Status::Seeking => false,
        };
        let is_wanted = self.line_detail == LineDetail::Waves && is_slow;
        is_wanted.then(|| self.wave_source.waves(&self.run, &mut self.level_source))
    }

    /// The most instructions between two looks at the commands.
    fn slice(&self) -> u64 {
        self.run.engine().slice()
    }

    /// Whether all that is wanted was counted.
    fn has_counted(&self) -> bool {
        self.profiler.as_ref().is_none_or(|it| it.is_complete(&self.run.recorder))
    }

    fn searched(&self) -> Option<u64> {
        match &self.mode {
            Mode::Searching(search) => Some(search.down_to),
            _ => None,
        }
    }

    fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.clock.restart();
    }

    fn pause_with(&mut self, remark: &'static str) {
        self.set_mode(Mode::Paused);
        self.remark = Some(remark.into());
    }

    fn step_with(&mut self, step: fn(&mut Run)) {
        self.set_mode(Mode::Paused);
        step(&mut self.run);
    }

    fn step_back_with(&mut self, step: fn(&mut Run) -> bool) {
        self.set_mode(Mode::Paused);
        self.let_go();
        if !step(&mut self.run) {
            self.pause_with(BEGINNING);
        }
    }

    /// Goes to a moment that is known.
    fn seek(&mut self, moment: u64) {
        self.seek_with(|run| run.seek(moment));
    }

    fn seek_with(&mut self, seek: impl FnOnce(&mut Run)) {
        self.set_mode(Mode::Paused);
        self.let_go();
        seek(&mut self.run);
    }

    /// Goes to a moment or a line; where that is not known yet, by running there.
    fn run_to(&mut self, destination: Destination) {
        self.jumps.note(self.run.now());
        let known = match destination {
            Destination::Moment(moment) => {
                Some(moment).filter(|moment| *moment <= self.run.recorder.history().end())
            }
            Destination::Line(line) => self.run.line_ends().get(line.saturating_sub(1)).copied(),
        };
        if let Some(moment) = known {
            return self.seek(moment);
        }
        self.seek(self.run.recorder.history().end());
        if self.run.recorder.halted() {
            return self.pause_with(ENDED_BEFORE);
        }
        let image = &self.run.program.image;
        let watch_set = match destination {
            Destination::Moment(_) => Arc::clone(&self.run.stops.running),
            Destination::Line(_) => {
                Arc::new(self.run.stops.watch_set([Event::Prints(Some(b'\n'))], image))
            }
        };
        self.set_mode(Mode::Seeking(watch_set, Until::There(destination)));
    }

    /// Goes along the list of jumps.
    fn jump(&mut self, step: fn(&mut Jumps, u64) -> Option<u64>, none: &'static str) {
        match step(&mut self.jumps, self.run.now()) {
            Some(moment) => self.seek(moment),
            None => self.pause_with(none),
        }
    }

    /// Goes to a picture of the album, if the history reaches that far.
    fn turn_album(&mut self, step: fn(&Album, u64) -> Option<&AlbumEntry>, none: &'static str) {
        let moment = step(self.run.album(), self.run.now()).map(|entry| entry.moment);
        match moment.filter(|moment| *moment >= self.run.recorder.history().start()) {
            Some(moment) => self.seek(moment),
            None if self.run.album().entries().len() == 0 => {}
            None => self.remark = Some(none.into()),
        }
    }

    /// Changes the state of the machine from outside; another future begins.
    fn change_state(&mut self, input: Input) {
        self.set_mode(Mode::Paused);
        self.run.give(input);
        self.jumps.forget_after(self.run.now());
        self.remark = Some("changed; the known future is discarded".into());
    }

    fn set_registers(&mut self, registers: Registers) {
        if self.run.engine().boxed_clone().load(registers) {
            self.change_state(Input::Load(registers));
        } else {
            self.pause_with("on this board only data memory can be changed");
        }
    }

    fn scrub_step(&self) -> u64 {
        let history = self.run.recorder.history();
        (history.end() - history.start()).div_ceil(50)
    }

    fn hold(&mut self, buttons: Buttons) {
        self.held.hold(buttons);
        self.run.give(Input::Hold(self.held.buttons()));
        self.jumps.forget_after(self.run.now());
    }

    /// Lets go of the buttons before a way back: doing so later would begin another future.
    fn let_go(&mut self) {
        if self.held.wait().is_some() {
            self.held = Held::default();
            self.run.give(Input::Hold(Buttons::NONE));
        }
    }

    /// Starts the program again. It runs if it ran; a search belongs to the run that has ended.
    fn reset(&mut self) {
        // Reset lets the instruction under way complete; in T2 it has begun.
        if self.run.phase() > Phase::T1 {
            self.run_to_break(1);
        }
        self.held = Held::default();
        self.run.reset();
        self.start_again();
    }

    /// Starts another program; pace, breaks and watches stay. It runs if the one before ran.
    fn load(&mut self, program: Program) {
        match Run::new(program, &self.setup, self.run.stops.clone()) {
            Ok(run) => self.run = run,
            Err(_) => return self.pause_with("with that program the board does not come to rest"),
        }
        self.held = Held::default();
        self.jumps = Jumps::default();
        self.profiler = self.profiler.take().map(|_| Profiler::new(&self.run.recorder));
        self.start_again();
    }

    fn start_again(&mut self) {
        let runs = matches!(self.mode, Mode::Running);
        self.set_mode(if runs { Mode::Running } else { Mode::Paused });
    }

    /// Executes instructions, `limit` at most, and pauses at a break.
    fn execute(&mut self, watch_set: &WatchSet, limit: u64, line_ends: LineEnds) -> Stopped {
        let stopped = self.run.run(watch_set, limit, line_ends);
        if stopped.at_break {
            self.set_mode(Mode::Paused);
        }
        stopped
    }

    /// Executes up to `limit` instructions, whatever they print.
    fn run_to_break(&mut self, limit: u64) {
        self.execute(&Arc::clone(&self.run.stops.running), limit, LineEnds::Pass);
    }

    /// Executes up to `limit` instructions, or to the end of a line that is worth dwelling on.
    fn play_on(&mut self, watch_set: &WatchSet, limit: u64) -> Stopped {
        let dwells =
            self.dwells && self.clock.pace.is_watchable() && self.clock.dwell.is_worthwhile();
        let line_ends = if dwells { LineEnds::Stop } else { LineEnds::Pass };
        let stopped = self.execute(watch_set, limit, line_ends);
        match stopped.ended_line {
            true if dwells => self.clock.dwell.begin(),
            true => self.clock.dwell.pass_line(),
            false => {}
        }
        stopped
    }

    fn play(&mut self, elapsed: Duration) {
        let Some(elapsed) = self.clock.dwell.pass(elapsed) else { return };
        let running = Arc::clone(&self.run.stops.running);
        match self.clock.pace.rate() {
            Rate::Unlimited => {
                self.play_on(&running, self.slice());
            }
            Rate::Instructions(per_second) => {
                self.clock.credit.earn(elapsed, per_second);
                let units = self.clock.credit.units().min(self.slice());
                self.clock.credit.spend(units);
                self.play_on(&running, units);
            }
            Rate::LedChanges(per_second) => {
                self.clock.credit.earn(elapsed, per_second);
                let to_change = Arc::clone(&self.run.stops.to_led_change);
                if self.clock.credit.units() > 0 && self.play_on(&to_change, self.slice()).at_goal {
                    self.clock.credit.spend(1);
                }
            }
        }
    }

    /// Runs to something, however far that is.
    fn go(&mut self, goal: Goal) {
        let event = goal.event(&self.run.program.image, self.run.recorder.pc());
        if let Some(events) = self.events(event) {
            self.note_jump(goal);
            let watch_set = self.run.stops.watch_set(events, &self.run.program.image);
            self.set_mode(Mode::Seeking(Arc::new(watch_set), Until::Goal));
        }
    }

    fn seek_on(&mut self) {
        let Mode::Seeking(watch_set, until) = &self.mode else { return };
        let (watch_set, until) = (Arc::clone(watch_set), *until);
        let limit = match until {
            Until::There(Destination::Moment(moment)) => moment.saturating_sub(self.run.now()),
            _ => u64::MAX,
        };
        let stopped = self.execute(&watch_set, self.slice().min(limit), LineEnds::Pass);
        let is_there = match until {
            Until::Goal => stopped.at_goal,
            Until::There(Destination::Moment(moment)) => self.run.now() >= moment,
            Until::There(Destination::Line(line)) => self.run.line_ends().len() >= line,
        };
        if is_there {
            self.set_mode(Mode::Paused);
        } else if self.run.recorder.halted() && matches!(until, Until::There(_)) {
            self.pause_with(ENDED_BEFORE);
        }
    }

    /// Remembers where the machine is before it goes far.
    fn note_jump(&mut self, goal: Goal) {
        if goal != Goal::Over {
            self.jumps.note(self.run.now());
        }
    }

    /// What to look for besides the breaks; pauses with a remark if there is nothing to look for.
    fn events(&mut self, event: Result<Option<Event>, &'static str>) -> Option<Vec<Event>> {
        match event {
            Err(remark) => self.pause_with(remark),
            Ok(None) if self.run.stops.breaks.list().is_empty() => self.pause_with(NO_BREAKS),
            Ok(event) => return Some(event.into_iter().collect()),
        }
        None
    }

    /// When there is more to do: for the machine, or a button to let go of.
    fn due(&self) -> Due {
        let machine = match self.status() {
            Status::Paused | Status::Halted if self.has_counted() => Due::Never,
            Status::Running => self.clock.due(),
            // On the way to something, or counting.
            _ => Due::Now,
        };
        machine.or_after(self.held.wait())
    }
}

#[cfg(test)]
mod tests;

//! A session: a debugger with a pace, marks and output, for a front end.
//!
//! It has no screen and no clock. The caller passes the elapsed time to [`Session::advance`], which
//! returns within a few milliseconds.

mod album;
pub mod board;
mod change;
mod clock;
mod command;
mod cpu;
pub mod instructions;
mod jumps;
mod marks;
pub mod named;
mod output;
mod pace;
mod profile;
mod program;
mod run_state;
mod running;
mod snapshot;
mod tour;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use gray1_board::Phase;
use gray1_debugger::{Activity, Debugger, Event, ExecutionCounter, History, Input};
use gray1_isa::panel::Buttons;
use gray1_sim::{EngineError, Setup};

pub use album::{Album, AlbumEntry};
pub use clock::Due;
pub use command::{
    BreakChange, Command, Destination, EXPECTED_LINE, SavedBreakpoints, WireDetail, parse_line,
};
pub use cpu::Cpu;
pub use gray1_debugger::{BoardLoader, Goal, Levels, Position, StopReason, Waves};
pub use marks::Marks;
pub use output::Output;
pub use pace::{GAME_RATE, Pace, Rate};
pub use profile::Profile;

pub use program::{PRINTED_LINE, Program, RESULT};
pub use run_state::RunState;
pub use snapshot::{Remark, Snapshot, Stops, Time};

use clock::Clock;
use jumps::Jumps;

/// A machine under debugging, with its controls.
pub struct Session {
    program: Arc<Program>,
    debugger: Debugger,
    /// Never [`RunState::Halted`], because the engine reports that itself. A machine that ran to
    /// the end of its program runs again after a reset.
    run_state: RunState,
    clock: Clock,
    /// The number of commands so far.
    commands: u64,
    /// A remark about the last command, if there is one.
    remark: Option<Remark>,
    /// The messages of log points since the last command or slice of time.
    logged: Vec<String>,
    has_short_slices: bool,
    jumps: Jumps,
    marks: Marks,
    output: Arc<Output>,
    /// The watched expressions as the user wrote them, because their meaning depends on the
    /// program.
    watches: Arc<Vec<String>>,
    wire_detail: WireDetail,
    /// Counts executions while a pane shows them.
    executions: Option<ExecutionCounter>,
    setup: Setup,
    /// The moment of a tour, and its values in each phase.
    tour: Option<(u64, [String; 8])>,
}

/// The values of a session that change without a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionProgress {
    /// What the machine is doing.
    pub run_state: RunState,
    /// The current moment.
    pub moment: u64,
    /// The edges of the oscillator since that moment.
    pub edges: u32,
    /// The earliest moment that a search has reached.
    searched: Option<u64>,
    /// The moment up to which executions are counted, while they are.
    counted_executions: Option<u64>,
    /// The moment up to which hits are counted, while they are.
    counted_hits: Option<u64>,
    /// The held buttons.
    buttons: Buttons,
}

/// The maximum number of edges of waves on each side of the current one.
const WAVES_REACH: usize = 128;

const DWELLS: &str = "pauses at printed lines";
const DWELLS_NOT: &str = "does not pause at printed lines";
const NO_EARLIER_PICTURE: &str = "no earlier picture in the album";
const NO_LATER_PICTURE: &str = "no later picture yet: ] runs to the next {result}";

impl Session {
    /// Powers up a machine with a program. If the engine has no board, `board` loads the one whose
    /// wires are shown. It is called on first use.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn new(
        program: Program,
        setup: Setup,
        paused: bool,
        board: BoardLoader,
    ) -> Result<Self, EngineError> {
        let history = History::with_first_writes(setup.engine(&program.image)?);
        let mut session = Self::resume(program, setup, history, board);
        if !paused {
            session.run_state = RunState::Running;
        }
        Ok(session)
    }

    /// Starts at the current moment of a history, paused. `setup` describes the machine of the
    /// history. For `board`, see [`Self::new`].
    pub fn resume(program: Program, setup: Setup, history: History, board: BoardLoader) -> Self {
        let line_end = Event::Prints(Some(b'\n'));
        let debugger = Debugger::new(Arc::clone(&program.image), history);
        let debugger = debugger.notice(line_end).with_board(board);
        let mut output = Arc::default();
        Output::update(&mut output, debugger.history());
        let mut clock = Clock::default();
        clock.set_pace(Pace::for_program(&program));
        Self {
            output,
            debugger,
            program: Arc::new(program),
            run_state: RunState::Paused,
            clock,
            commands: 0,
            remark: None,
            logged: Vec::new(),
            has_short_slices: false,
            jumps: Jumps::default(),
            marks: Marks::default(),
            watches: Arc::default(),
            wire_detail: WireDetail::default(),
            executions: None,
            setup,
            tour: None,
        }
    }

    /// Makes names and sentences show bytes in decimal, for people who listen.
    #[must_use]
    pub fn with_decimal_bytes(mut self) -> Self {
        self.debugger = self.debugger.with_decimal_bytes();
        Arc::make_mut(&mut self.program).image = Arc::clone(self.debugger.image());
        self
    }

    /// Shows a remark until the next command.
    #[must_use]
    pub fn with_remark(mut self, remark: String) -> Self {
        self.note(remark);
        self
    }

    /// Ends each slice of a run at the end of a printed line, so that a caller can report lines and
    /// logged messages in their order.
    #[must_use]
    pub fn with_short_slices(mut self) -> Self {
        self.has_short_slices = true;
        self
    }

    /// Executes a command, or leaves it to [`Self::advance`] if it takes time.
    pub fn command(&mut self, command: Command) {
        self.commands += 1;
        self.remark = None;
        self.logged.clear();
        match command {
            Command::RunOrPause if self.run_state == RunState::Paused => {
                self.set_run_state(RunState::Running);
            }
            Command::Play => self.set_run_state(RunState::Running),
            Command::RunOrPause => self.set_run_state(RunState::Paused),
            Command::Cancel => {
                self.debugger.cancel_counting();
                self.set_run_state(RunState::Paused);
            }
            Command::Step => self.step(false),
            Command::StepPhase => {
                self.set_run_state(RunState::Paused);
                self.step_phase();
            }
            Command::StepBack => self.step(true),
            Command::StepPhaseBack => self.step_phase_back(),
            Command::Go(goal) => self.go(goal, false),
            Command::GoBack(goal) => self.go(goal, true),
            Command::Ask(asked) => self.ask(asked),
            Command::Seek(moment) => self.seek(moment),
            Command::SeekEdge(to) => self.seek_edge(to),
            Command::RunTo(destination) => self.run_to(destination),
            Command::JumpBack => self.jump(Jumps::back, "no earlier jump"),
            Command::JumpForward => self.jump(Jumps::forward, "no later jump"),
            Command::PictureBack => self.go_to_picture(Album::before, NO_EARLIER_PICTURE),
            Command::PictureForward => self.go_to_picture(Album::after, NO_LATER_PICTURE),
            Command::ScrubBack => self.seek(self.now().saturating_sub(self.scrub_step())),
            Command::ScrubForward => self.seek(self.now() + self.scrub_step()),
            Command::Faster => self.change_pace(1),
            Command::Slower => self.change_pace(-1),
            Command::PlayPhases => self.play_phases(),
            Command::ToggleTour => self.toggle_tour(),
            Command::SetDwelling(dwells) => {
                self.set_dwelling(dwells);
                self.note(if dwells { DWELLS } else { DWELLS_NOT });
            }
            Command::Tap(buttons) => {
                self.press(|debugger| debugger.press(buttons));
                self.debugger.release(buttons);
            }
            Command::Hold(buttons) => self.press(|debugger| debugger.hold_down(buttons)),
            Command::Reset => self.reset(),
            Command::Load(program) => self.load(*program),
            Command::ChangeState(input) => self.change_state(input),
            Command::ShowWires(detail) => self.wire_detail = detail,
            Command::ShowProfile(shown) => {
                self.executions = shown.then(|| ExecutionCounter::new(self.debugger.history()));
            }
            Command::Change(change) => match self.change(change) {
                Ok(remark) => remark.into_iter().for_each(|remark| self.note(remark)),
                Err(problem) => self.refuse(problem),
            },
        }
    }

    /// How many steps the pace is faster than the program's default.
    pub fn pace_steps(&self) -> i8 {
        self.clock.pace.steps_from(Pace::for_program(&self.program))
    }

    /// Sets the pace, in steps from the program's default.
    pub fn set_pace_steps(&mut self, steps: i8) {
        self.set_pace(Pace::for_program(&self.program).changed(steps));
    }

    /// Sets whether the machine pauses at printed lines, at a pace that the eye can follow.
    pub fn set_dwelling(&mut self, dwells: bool) {
        self.clock.dwells = dwells;
    }

    /// Lets time pass, and does the due work or a slice of it.
    pub fn advance(&mut self, elapsed: Duration) -> Due {
        self.logged.clear();
        let (before, run_state) = (self.now(), self.run_state());
        match run_state {
            RunState::Paused | RunState::Halted => self.count_past(),
            RunState::Seeking(destination) => self.continue_seek(destination),
            RunState::Searching => self.continue_search(),
            RunState::Running => self.play(elapsed),
        }
        Output::update(&mut self.output, self.debugger.history());
        if !self.clock.is_dwelling() {
            self.clock.measure(elapsed, self.now().saturating_sub(before));
        }
        // Also if a break has stopped it, because it ran until then.
        if matches!(run_state, RunState::Running | RunState::Seeking(_)) {
            self.debugger.pass_time(elapsed);
        }
        self.due()
    }

    /// Lets a running machine execute this many instructions, whatever its pace.
    pub fn advance_by(&mut self, instructions: u64) {
        let end = self.now() + instructions;
        while self.run_state() == RunState::Running && self.now() < end {
            let before = self.debugger.position();
            self.set_goal(Goal::Run);
            self.run_slice(self.slice().min(end - before.moment), |_, _| false);
            debug_assert!(self.debugger.position() > before, "it would run for ever");
        }
        Output::update(&mut self.output, self.debugger.history());
    }

    /// Adopts the history of another session as the future of this one. The other session must have
    /// run ahead from power-up, with the same program on the same machine and with the same inputs.
    /// Does nothing while this session is seeking or searching, because that would be interrupted.
    pub fn adopt_lookahead(&mut self, ahead: Self) {
        if !matches!(self.run_state, RunState::Paused | RunState::Running) {
            return;
        }
        let Position { moment, edges } = self.debugger.position();
        let breakpoints = Arc::clone(self.debugger.breakpoints());
        self.debugger = ahead.debugger.with_breakpoints(breakpoints);
        self.debugger.seek(moment, edges);
        while self.debugger.is_busy() {
            self.debugger.advance(0);
        }
        self.marks = Marks { stops: Arc::clone(&self.marks.stops), ..ahead.marks };
        Output::update(&mut self.output, self.debugger.history());
        let history = self.debugger.history();
        self.executions = self.executions.take().map(|_| ExecutionCounter::new(history));
    }

    /// The inputs since power-up with their moments. `None` if some have been forgotten.
    pub fn inputs(&self) -> Option<&[(u64, Input)]> {
        let history = self.debugger.history();
        (history.start() == 0).then(|| history.given())
    }

    /// Returns the levels that all wires will have after this many edges, without moving the
    /// machine.
    pub fn levels_after(&mut self, edges: u32) -> Option<Levels> {
        self.debugger.levels_after(edges)
    }

    /// The number of inputs so far. While it is unchanged, a session that runs ahead stays valid.
    pub fn revision(&self) -> u64 {
        self.debugger.history().revision()
    }

    /// The current position.
    pub fn position(&self) -> Position {
        self.debugger.position()
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The output so far.
    pub fn output(&mut self) -> &Arc<Output> {
        Output::update(&mut self.output, self.debugger.history());
        &self.output
    }

    /// The messages of log points since the last command or slice of time. The last one is also a
    /// remark.
    pub fn logged(&self) -> &[String] {
        &self.logged
    }

    /// What the machine is doing.
    pub fn run_state(&self) -> RunState {
        let has_halted = self.debugger.engine().halted();
        if has_halted && self.run_state != RunState::Searching {
            RunState::Halted
        } else {
            self.run_state
        }
    }

    /// The values that can change between two snapshots without a command.
    pub fn progress(&self) -> SessionProgress {
        let Position { moment, edges } = self.debugger.position();
        SessionProgress {
            run_state: self.run_state(),
            moment,
            edges,
            searched: self.searched(),
            counted_executions: self.executions.as_ref().map(ExecutionCounter::moment),
            counted_hits: self.debugger.counted(),
            buttons: self.debugger.held(),
        }
    }

    /// Everything that can be shown of the current state.
    pub fn snapshot(&mut self) -> Snapshot {
        Output::update(&mut self.output, self.debugger.history());
        let run_state = self.run_state();
        let is_slow = match run_state {
            RunState::Paused | RunState::Halted | RunState::Searching => true,
            RunState::Running => self.clock.pace.shows_waves(),
            RunState::Seeking(_) => false,
        };
        let (levels, waves) = match self.wire_detail {
            WireDetail::Levels => (self.debugger.levels().map(Arc::new), None),
            WireDetail::Waves if is_slow => (None, self.debugger.waves(WAVES_REACH)),
            WireDetail::Waves | WireDetail::Nothing => (None, None),
        };
        Snapshot {
            run_state,
            pace: self.clock.pace,
            speed: self.clock.speed.filter(|_| run_state == RunState::Running),
            cpu: Cpu::from_debugger(&mut self.debugger),
            time: self.time(),
            stops: self.stops(run_state.is_stopped()),
            remark: self.remark.clone(),
            buttons: self.debugger.held(),
            wires: self.debugger.wires().cloned(),
            output: Arc::clone(&self.output),
            levels,
            tour: self.tour(),
            waves,
            profile: self.executions.as_ref().map(|it| self.profile(it)),
            program: Arc::clone(&self.program),
        }
    }

    /// The counts, once they reach the current moment.
    fn profile(&self, executions: &ExecutionCounter) -> Option<Arc<Profile>> {
        let is_complete = executions.is_complete(self.debugger.history());
        is_complete.then(|| Arc::new(Profile::new(executions.by_index())))
    }

    /// The known history.
    fn time(&self) -> Time {
        let history = self.debugger.history();
        Time {
            now: history.moment(),
            start: history.start(),
            end: history.end(),
            marks: self.marks.clone(),
            searched: self.searched(),
            can_jump_back: self.jumps.can_go_back(history.moment()),
        }
    }

    fn stops(&mut self, is_stopped: bool) -> Stops {
        let breaks = Arc::clone(self.debugger.breakpoints());
        let reason = if is_stopped { self.debugger.reason() } else { None };
        let (hits, explanation) = (self.debugger.hits(), self.debugger.explanation().cloned());
        Stops { breaks, hits, watches: Arc::clone(&self.watches), reason, explanation }
    }

    /// The maximum number of instructions that the machine executes before the session handles the
    /// next command.
    fn slice(&self) -> u64 {
        self.debugger.engine().slice()
    }

    fn now(&self) -> u64 {
        self.debugger.history().moment()
    }

    fn searched(&self) -> Option<u64> {
        match self.debugger.activity() {
            Activity::Searching(down_to) => Some(down_to),
            _ => None,
        }
    }

    /// Reports about the last command, which was carried out.
    fn note(&mut self, text: impl Into<Cow<'static, str>>) {
        let command = self.commands;
        self.remark = Some(Remark { text: text.into(), is_error: false, command });
    }

    /// Reports why the last command cannot be carried out.
    fn refuse(&mut self, problem: impl Into<Cow<'static, str>>) {
        let command = self.commands;
        self.remark = Some(Remark { text: problem.into(), is_error: true, command });
    }

    /// Pauses, and refuses the last command.
    fn pause_with(&mut self, problem: &'static str) {
        self.set_run_state(RunState::Paused);
        self.refuse(self.program.name_results(problem));
    }

    fn set_pace(&mut self, pace: Pace) {
        self.clock.set_pace(pace);
        if self.run_state == RunState::Running {
            self.debugger.pause();
        }
    }

    /// Changes the pace by steps. If the machine is stopped, a remark reports the new pace.
    fn change_pace(&mut self, steps: i8) {
        self.set_pace(self.clock.pace.changed(steps));
        if self.run_state != RunState::Running {
            self.note(format!("pace: {}", self.clock.pace));
        }
    }

    /// Moves along the jump list.
    fn jump(&mut self, step: fn(&mut Jumps, u64) -> Option<u64>, none: &'static str) {
        let now = self.now();
        match step(&mut self.jumps, now) {
            Some(moment) => self.seek(moment),
            None => self.pause_with(none),
        }
    }

    /// Goes to a picture of the album, if its moment can be reached.
    fn go_to_picture(&mut self, step: fn(&Album, u64) -> Option<&AlbumEntry>, none: &'static str) {
        let moment = step(&self.marks.album, self.now()).map(|entry| entry.moment);
        match moment.filter(|moment| *moment >= self.debugger.history().start()) {
            Some(moment) => self.seek(moment),
            None if self.marks.album.entries().len() == 0 => {}
            None => self.refuse(self.program.name_results(none)),
        }
    }

    fn scrub_step(&self) -> u64 {
        let history = self.debugger.history();
        (history.end() - history.start()).div_ceil(50)
    }

    // ---- The panel

    /// Gives the machine an input, which starts a new future.
    pub fn give(&mut self, input: Input) {
        self.debugger.give(input);
        self.forget_future();
    }

    /// Removes later marks and jumps and a tour, because a new future begins.
    fn forget_future(&mut self) {
        self.tour = None;
        self.marks.forget_after(self.now());
        self.jumps.forget_after(self.now());
    }

    /// Presses or releases buttons. If the current moment is before the end of the known history,
    /// this starts a new future. A search continues, because the past does not change.
    fn press(&mut self, press: impl FnOnce(&mut Debugger)) {
        let end = self.debugger.history().end();
        press(&mut self.debugger);
        if self.debugger.history().end() < end {
            self.forget_future();
        }
    }

    /// Starts the program again, and ends a search. The program runs if the machine was running.
    fn reset(&mut self) {
        // An instruction that is past T1 is completed before the reset.
        if self.debugger.engine().phase() > Phase::T1 {
            self.set_goal(Goal::Run);
            self.run_slice(1, |_, _| false);
        }
        self.give(Input::Reset);
        self.restart();
    }

    /// Loads another program, or a new version of this one. Breakpoints and watches stay, and a new
    /// version keeps the pace. The program runs if the previous one was running.
    fn load(&mut self, program: Program) {
        let Ok(engine) = self.setup.engine(&program.image) else {
            return self.pause_with("the board does not settle with that program");
        };
        self.debugger.load(Arc::clone(&program.image), History::with_first_writes(engine));
        if program.name != self.program.name {
            self.clock.set_pace(Pace::for_program(&program));
        }
        self.program = Arc::new(program);
        Output::update(&mut self.output, self.debugger.history());
        self.marks = Marks::default();
        self.jumps = Jumps::default();
        let history = self.debugger.history();
        self.executions = self.executions.take().map(|_| ExecutionCounter::new(history));
        self.restart();
    }

    fn restart(&mut self) {
        let ran = self.run_state == RunState::Running;
        self.set_run_state(if ran { RunState::Running } else { RunState::Paused });
    }

    /// Counts hits and executions in the past while the machine is stopped.
    fn count_past(&mut self) {
        let slice = self.slice();
        if let Some(executions) = &mut self.executions {
            executions.advance(self.debugger.history(), slice);
        }
        let hits = self.debugger.hits();
        if hits.counted.is_some() {
            self.debugger.count_hits();
        }
    }

    /// The time at which to advance next: for the machine, or to release a button.
    fn due(&self) -> Due {
        let history = self.debugger.history();
        let executions = self.executions.as_ref();
        let has_counted = executions.is_none_or(|it| it.is_complete(history))
            && self.debugger.counted().is_none();
        match (self.run_state(), self.clock.due()) {
            (RunState::Paused | RunState::Halted, _) if has_counted => Due::Never,
            (RunState::Running, Due::After(wait)) => {
                Due::After(self.debugger.time_to_release().map_or(wait, |time| time.min(wait)))
            }
            // Running without a limit, seeking, searching or counting.
            _ => Due::Now,
        }
    }
}

#[cfg(test)]
extern crate self as gray1_session;
#[cfg(test)]
mod tests;

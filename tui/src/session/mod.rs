//! A session: a debugger with a pace, an album and the output, as a screen shows them.
//!
//! It knows no screen and no clock: the caller says how much time has passed
//! ([`Session::advance`]), and gets control back within a few milliseconds.

mod album;
mod change;
mod clock;
mod command;
mod cpu;
mod dwell;
mod held_buttons;
mod jumps;
mod marks;
mod output;
mod pace;
mod profile;
mod program;
mod run_state;
mod snapshot;
mod speed;
mod way;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use gray1_board::Phase;
use gray1_debugger::{Activity, Debugger, Event, History, Input};
use gray1_isa::panel::Buttons;
use gray1_sim::{EngineError, Setup};

pub use album::{Album, AlbumEntry};
pub use clock::Due;
pub use command::{BreakChange, Command, Destination, SavedBreakpoints, WireDetail};
pub use cpu::Cpu;
pub use gray1_debugger::{BoardLoader, Goal, Levels, StopReason, Waves};
pub use marks::Marks;
pub use output::Output;
pub use pace::{Pace, Rate};
pub use profile::Profile;
pub(crate) use program::PRINTED_LINE;
pub use program::Program;
pub use run_state::RunState;
pub use snapshot::{Remark, Snapshot, Stops, Time};

use clock::Clock;
use held_buttons::HeldButtons;
use jumps::Jumps;
use output::ShownOutput;
use profile::Profiler;

/// A machine and its controls.
pub struct Session {
    program: Arc<Program>,
    debugger: Debugger,
    /// Never [`RunState::Halted`]: the engine knows that, and a machine that ran to the end of its
    /// program runs again after a reset.
    run_state: RunState,
    clock: Clock,
    held: HeldButtons,
    /// How many commands there were.
    commands: u64,
    /// The result of the last command, if there is something to say.
    remark: Option<Cow<'static, str>>,
    jumps: Jumps,
    marks: Marks,
    output: ShownOutput,
    /// Expressions as they were written; in another program they may mean something else.
    watches: Arc<Vec<String>>,
    wire_detail: WireDetail,
    /// Counts executed instructions, while that is wanted.
    profiler: Option<Profiler>,
    setup: Setup,
}

/// How many edges there are in waves on each side of the present, as far as there are any.
pub(crate) const WAVES_REACH: usize = 128;

const DWELLS: &str = "dwells on printed lines";
const DWELLS_NOT: &str = "no pause at printed lines";
const NO_EARLIER_PICTURE: &str = "no earlier picture in the album";
const NO_LATER_PICTURE: &str = "no later picture yet: ] runs to the next printed line";
const CHANGED: &str = "Changed. Running from here gives a new future.";

impl Session {
    /// Powers a machine up with this program. `board` loads the board whose wires are shown if the
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
        let history = History::new(setup.engine(&program.image)?);
        let state = if paused { RunState::Paused } else { RunState::Running };
        Ok(Self::of(program, setup, history, state, board))
    }

    /// Takes a machine on where its history stands, paused. It was made by this setup; `board` is
    /// as for [`Self::new`].
    #[must_use]
    pub fn resumed(program: Program, setup: Setup, history: History, board: BoardLoader) -> Self {
        Self::of(program, setup, history, RunState::Paused, board)
    }

    fn of(
        program: Program,
        setup: Setup,
        history: History,
        run_state: RunState,
        board: BoardLoader,
    ) -> Self {
        let line_end = Event::Prints(Some(b'\n'));
        let debugger = Debugger::new(Arc::clone(&program.image), history);
        let debugger = debugger.notice(line_end).with_board(board);
        Self {
            output: ShownOutput::of(debugger.history()),
            debugger,
            program: Arc::new(program),
            run_state,
            clock: Clock::default(),
            held: HeldButtons::default(),
            commands: 0,
            remark: None,
            jumps: Jumps::default(),
            marks: Marks::default(),
            watches: Arc::default(),
            wire_detail: WireDetail::default(),
            profiler: None,
            setup,
        }
    }

    /// Obeys; [`Self::advance`] then does what there is to do.
    pub fn command(&mut self, command: Command) {
        self.commands += 1;
        self.remark = None;
        match command {
            Command::RunOrPause if self.run_state == RunState::Paused => {
                self.set_run_state(RunState::Running);
            }
            Command::RunOrPause => self.set_run_state(RunState::Paused),
            Command::Cancel => {
                self.debugger.cancel_counting();
                self.set_run_state(RunState::Paused);
            }
            Command::Step => self.step(false),
            Command::StepPhase => {
                self.set_run_state(RunState::Paused);
                self.edge();
            }
            Command::StepBack => self.step(true),
            Command::StepPhaseBack => self.edge_back(),
            Command::Go(goal) => self.go(goal, false),
            Command::GoBack(goal) => self.go(goal, true),
            Command::Seek(moment) => self.seek(moment),
            Command::SeekEdge(moment, edges) => self.seek_edge(moment, edges),
            Command::RunTo(destination) => self.run_to(destination),
            Command::JumpBack => self.jump(Jumps::back, "no earlier jump"),
            Command::JumpForward => self.jump(Jumps::forward, "no later jump"),
            Command::PictureBack => self.turn_album(Album::before, NO_EARLIER_PICTURE),
            Command::PictureForward => self.turn_album(Album::after, NO_LATER_PICTURE),
            Command::ScrubBack => self.seek(self.now().saturating_sub(self.scrub_step())),
            Command::ScrubForward => self.seek(self.now() + self.scrub_step()),
            Command::Faster => self.set_pace(self.clock.pace.faster()),
            Command::Slower => self.set_pace(self.clock.pace.slower()),
            Command::PaceEvenly => self.set_pace(self.clock.pace.even()),
            Command::SetDwelling(dwells) => {
                self.set_dwelling(dwells);
                self.remark = Some(if dwells { DWELLS.into() } else { DWELLS_NOT.into() });
            }
            Command::Hold(buttons) => self.hold(buttons),
            Command::Reset => self.reset(),
            Command::Load(program) => self.load(*program),
            Command::ChangeState(input) => self.change_state(input),
            Command::ShowWires(detail) => self.wire_detail = detail,
            Command::ShowProfile(shown) => {
                self.profiler = shown.then(|| Profiler::new(self.debugger.history()));
            }
            Command::Change(change) => self.remark = self.change(change),
        }
    }

    /// Sets whether the machine dwells on printed lines, at a pace that the eye can follow.
    pub fn set_dwelling(&mut self, dwells: bool) {
        self.clock.dwells = dwells;
    }

    /// Lets this much time pass: does the work that is due by then, or a slice of it.
    pub fn advance(&mut self, elapsed: Duration) -> Due {
        let before = self.now();
        match self.run_state() {
            RunState::Paused | RunState::Halted => self.count(),
            RunState::Seeking(destination) => self.seek_on(destination),
            RunState::Searching => self.search_on(),
            RunState::Running => self.play(elapsed),
        }
        self.output.update(self.debugger.history());
        if self.clock.dwell.wait().is_none() {
            self.clock.speed.note(elapsed, self.now().saturating_sub(before));
        }
        if self.held.pass(elapsed) {
            self.give(Input::Hold(self.held.buttons()));
        }
        self.due()
    }

    /// Lets a running machine execute so many instructions, whatever its pace.
    pub fn advance_by(&mut self, instructions: u64) {
        let end = self.now() + instructions;
        while self.run_state() == RunState::Running && self.now() < end {
            let before = self.debugger.position();
            self.set_out(Goal::Run);
            self.run_on(self.slice().min(end - before.0), |_, _| false);
            debug_assert!(self.debugger.position() > before, "it would run for ever");
        }
        self.output.update(self.debugger.history());
    }

    /// Takes over the past of another session that ran ahead from power-up with the same program on
    /// the same machine. As long as neither gets any input, that is the future of this one. It goes
    /// on with what it is doing. One that is on its way somewhere learns nothing: it would lose its
    /// way.
    pub fn adopt_lookahead(&mut self, ahead: Self) {
        if !matches!(self.run_state, RunState::Paused | RunState::Running) {
            return;
        }
        let (moment, edges) = self.debugger.position();
        let breakpoints = Arc::clone(self.debugger.breakpoints());
        self.debugger = ahead.debugger.with_breakpoints(breakpoints);
        self.debugger.seek(moment, edges);
        while self.debugger.moves() {
            self.debugger.advance(0);
        }
        self.marks = Marks { stops: Arc::clone(&self.marks.stops), ..ahead.marks };
        self.output = ShownOutput::of(self.debugger.history());
        let history = self.debugger.history();
        self.profiler = self.profiler.take().map(|_| Profiler::new(history));
    }

    /// What was done to the machine from outside since power-up, with the moments; `None` if some
    /// of it is forgotten.
    #[must_use]
    pub fn inputs(&self) -> Option<&[(u64, Input)]> {
        let history = self.debugger.history();
        (history.start() == 0).then(|| history.given())
    }

    /// What the machine is doing.
    #[must_use]
    pub fn run_state(&self) -> RunState {
        let has_halted = self.debugger.engine().halted();
        if has_halted && self.run_state != RunState::Searching {
            RunState::Halted
        } else {
            self.run_state
        }
    }

    /// What tells a snapshot from the one before without a command between them: the moment, the
    /// state, how far a search and counts are, and the buttons held.
    #[must_use]
    pub fn progress(&self) -> (u64, RunState, [Option<u64>; 3], Buttons) {
        let counted = self.profiler.as_ref().map(Profiler::moment);
        let hits = self.debugger.counted();
        (self.now(), self.run_state(), [self.searched(), counted, hits], self.held.buttons())
    }

    /// What there is to see.
    pub fn snapshot(&mut self) -> Snapshot {
        self.output.update(self.debugger.history());
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
            speed: self.clock.speed.per_second().filter(|_| run_state == RunState::Running),
            cpu: Cpu::of(&mut self.debugger),
            time: self.time(),
            stops: self.stops(run_state.stands()),
            remark: self.remark.clone().map(|text| Remark { text, command: self.commands }),
            buttons: self.held.buttons(),
            lines: self.debugger.wires().cloned(),
            output: Arc::clone(self.output.shown()),
            levels,
            waves,
            profile: self.profiler.as_ref().map(Profiler::profile),
            program: Arc::clone(&self.program),
        }
    }

    /// The past and what is known of the future.
    fn time(&self) -> Time {
        let history = self.debugger.history();
        Time {
            now: history.moment(),
            start: history.start(),
            end: history.end(),
            marks: self.marks.clone(),
            searched: self.searched(),
        }
    }

    fn stops(&mut self, stands: bool) -> Stops {
        let breaks = Arc::clone(self.debugger.breakpoints());
        let reason = if stands { self.debugger.reason() } else { None };
        Stops { breaks, hits: self.debugger.hits(), watches: Arc::clone(&self.watches), reason }
    }

    /// The most instructions between two looks at the commands.
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

    fn pause_with(&mut self, remark: &'static str) {
        self.set_run_state(RunState::Paused);
        self.remark = Some(remark.into());
    }

    fn set_pace(&mut self, pace: Pace) {
        self.clock.pace = pace;
        if self.run_state == RunState::Running {
            self.debugger.pause();
        }
    }

    /// Goes along the list of jumps.
    fn jump(&mut self, step: fn(&mut Jumps, u64) -> Option<u64>, none: &'static str) {
        let now = self.now();
        match step(&mut self.jumps, now) {
            Some(moment) => self.seek(moment),
            None => self.pause_with(none),
        }
    }

    /// Goes to a picture of the album, if the history reaches that far.
    fn turn_album(&mut self, step: fn(&Album, u64) -> Option<&AlbumEntry>, none: &'static str) {
        let moment = step(&self.marks.album, self.now()).map(|entry| entry.moment);
        match moment.filter(|moment| *moment >= self.debugger.history().start()) {
            Some(moment) => self.seek(moment),
            None if self.marks.album.entries().len() == 0 => {}
            None => self.remark = Some(none.into()),
        }
    }

    /// Changes the state of the machine from outside; another future begins.
    fn change_state(&mut self, input: Input) {
        self.set_run_state(RunState::Paused);
        if let Err(error) = self.debugger.change(input) {
            self.remark = Some(error.to_string().into());
            return;
        }
        self.marks.forget_after(self.now());
        self.jumps.forget_after(self.now());
        self.remark = Some(CHANGED.into());
    }

    fn scrub_step(&self) -> u64 {
        let history = self.debugger.history();
        (history.end() - history.start()).div_ceil(50)
    }

    // ---- The panel

    /// Does something to the machine from outside; another future begins. A search in the past goes
    /// on: what lies before now has not changed.
    fn give(&mut self, input: Input) {
        self.debugger.give(input);
        self.marks.forget_after(self.now());
    }

    fn hold(&mut self, buttons: Buttons) {
        self.held.hold(buttons);
        self.give(Input::Hold(self.held.buttons()));
        self.jumps.forget_after(self.now());
    }

    /// Lets go of the buttons before a way back: doing so later would begin another future.
    fn let_go(&mut self) {
        if self.held.wait().is_some() {
            self.held = HeldButtons::default();
            self.give(Input::Hold(Buttons::NONE));
        }
    }

    /// Starts the program again. It runs if it ran; a search belongs to the run that has ended.
    fn reset(&mut self) {
        // Reset lets the instruction under way complete; in T2 it has begun.
        if self.debugger.engine().phase() > Phase::T1 {
            self.set_out(Goal::Run);
            self.run_on(1, |_, _| false);
        }
        self.held = HeldButtons::default();
        self.give(Input::Reset);
        self.start_again();
    }

    /// Starts another program; pace, breaks and watches stay. It runs if the one before ran.
    fn load(&mut self, program: Program) {
        let Ok(engine) = self.setup.engine(&program.image) else {
            return self.pause_with("with that program the board does not come to rest");
        };
        self.debugger.load(Arc::clone(&program.image), History::new(engine));
        self.program = Arc::new(program);
        self.output = ShownOutput::of(self.debugger.history());
        self.marks = Marks::default();
        self.held = HeldButtons::default();
        self.jumps = Jumps::default();
        let history = self.debugger.history();
        self.profiler = self.profiler.take().map(|_| Profiler::new(history));
        self.start_again();
    }

    fn start_again(&mut self) {
        let ran = self.run_state == RunState::Running;
        self.set_run_state(if ran { RunState::Running } else { RunState::Paused });
    }

    /// Counts the past, while the machine stands.
    fn count(&mut self) {
        let slice = self.slice();
        if let Some(profiler) = &mut self.profiler {
            profiler.advance(self.debugger.history(), slice);
        }
        let hits = self.debugger.hits();
        if hits.counted.is_some() {
            self.debugger.count_hits();
        }
    }

    /// When there is more to do: for the machine, or a button to let go of.
    fn due(&self) -> Due {
        let history = self.debugger.history();
        let profiler = self.profiler.as_ref();
        let has_counted =
            profiler.is_none_or(|it| it.is_complete(history)) && self.debugger.counted().is_none();
        let machine = match self.run_state() {
            RunState::Paused | RunState::Halted if has_counted => Due::Never,
            RunState::Running => self.clock.due(),
            // On the way to something, or counting.
            _ => Due::Now,
        };
        machine.or_after(self.held.wait())
    }
}

#[cfg(test)]
mod tests;

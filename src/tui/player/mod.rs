//! The tape deck: a machine with a program in it that runs, pauses and steps at a chosen pace.
//!
//! It knows no screen and no clock: whoever holds it says how much time has passed
//! ([`Player::advance`]), and gets control back within a few milliseconds.

mod goal;
mod held;
mod output;
mod pace;
mod speed;
mod tape;
mod trail;

use std::sync::Arc;
use std::time::Duration;

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{self, Buttons, Display};
use gray1_isa::{Image, RamAddr, RomIndex, SymbolKind};
use gray1_sim::debugger::{
    Breaks, Condition, Event, Found, Hit, Input, Lookout, Search, Which, place_name, reason,
};
use gray1_sim::{Machine, PowerUp};

pub(crate) use goal::Goal;
pub(crate) use output::Output;
pub(crate) use pace::{Pace, Rate};
pub(crate) use trail::Trail;

use held::Held;
use pace::Credit;
use speed::Speedometer;
use tape::Tape;

/// A program with the name under which it was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    /// The name of a built-in program, or a path.
    pub(crate) name: String,
    /// The program.
    pub(crate) image: Image,
}

/// The machine and its controls.
pub(crate) struct Player {
    program: Arc<Opened>,
    power_up: PowerUp,
    tape: Tape,
    breaks: Arc<Breaks>,
    /// What to look out for while it runs: breaks and line ends, ...
    lookout: Arc<Lookout>,
    /// ... and LED changes too.
    lookout_for_leds: Arc<Lookout>,
    /// The moments at which lines were ended, as far as they are known.
    lines: Arc<Vec<u64>>,
    /// What became of the last command, if there is something to say.
    remark: Option<&'static str>,
    /// How many phases of the next instruction have passed; all else is as it was before it.
    phases: u8,
    mode: Mode,
    pace: Pace,
    credit: Credit,
    speed: Speedometer,
    held: Held,
    reads_buttons: bool,
}

/// Which key was pressed last, so to speak.
enum Mode {
    Paused,
    Running,
    /// On the way to something, however far that is.
    Seeking(Arc<Lookout>),
    /// Looking for something in the past; the machine stays where it is meanwhile.
    Searching(Box<Quest>),
}

/// What stopped a run.
#[derive(Debug, Clone, Copy, Default)]
struct Stopped {
    at_break: bool,
    at_goal: bool,
}

/// A search in the past.
struct Quest {
    goal: Goal,
    search: Search<Machine>,
    /// Down to where nothing was found.
    down_to: u64,
}

/// What the machine is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Waiting for a command.
    Paused,
    /// Executing at its pace.
    Running,
    /// Executing as fast as it can, to something.
    Seeking,
    /// Looking for something in its past.
    Searching,
    /// At the end of its program.
    Halted,
}

/// What the deck can be told.
#[derive(Debug, Clone)]
pub(crate) enum Command {
    /// Run if it does not, else pause.
    RunOrPause,
    /// Execute one instruction, and pause.
    Step,
    /// Let one phase pass, and pause.
    StepPhase,
    /// Go back by one phase of the instruction under way, and pause.
    StepPhaseBack,
    /// Go back by one instruction, or to the start of the one under way, and pause.
    StepBack,
    /// Run to something or to a break, and pause.
    Go(Goal),
    /// Go back to something or to a break, and pause.
    GoBack(Goal),
    /// Go behind the last instruction that has written one of these bytes, and pause.
    WhoWrote { first: RamAddr, last: RamAddr },
    /// Go to a moment, or the nearest one that is known, and pause.
    Seek(u64),
    /// Give up a search.
    Cancel,
    /// Set a break on an instruction, or take it away.
    BreakHere(RomIndex),
    /// Set a break.
    AddBreak(String),
    /// Take the break of this number away.
    RemoveBreak(usize),
    /// Switch the break of this number off or on.
    SwitchBreak(usize),
    /// One rung up the ladder of paces.
    Faster,
    /// One rung down.
    Slower,
    /// No longer count LED changes: time goes on, whether or not the display moves.
    PaceEvenly,
    /// Hold these buttons for a moment.
    Hold(Buttons),
    /// Start the program again; memory keeps what it holds.
    Reset,
    /// Put another program in, and run it.
    Load(Box<Opened>),
    /// Put the same program in, assembled anew, and start it; run only if the machine does.
    Reload(Box<Opened>),
}

/// When there is more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// Now.
    Now,
    /// After this time.
    After(Duration),
    /// Not before a command.
    Never,
}

/// Everything a screen may want to know, at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    pub(crate) program: Arc<Opened>,
    pub(crate) status: Status,
    pub(crate) pace: Pace,
    /// Instructions a second, while it runs.
    pub(crate) speed: Option<u64>,
    pub(crate) executed: u64,
    pub(crate) time: Time,
    pub(crate) breaks: Arc<Breaks>,
    /// Why it stands here, while it stands.
    pub(crate) reason: Option<Reason>,
    /// What became of the last command, if there is something to say.
    pub(crate) remark: Option<&'static str>,
    /// Whether the program looks at the panel's buttons ...
    pub(crate) reads_buttons: bool,
    /// ... and which are held.
    pub(crate) buttons: Buttons,
    pub(crate) trail: Trail,
    /// The phase of the next instruction that the board is in, 0 for T0.
    pub(crate) phase: u8,
    pub(crate) a: u8,
    pub(crate) carry: bool,
    pub(crate) pc: RomIndex,
    pub(crate) ram: Box<[u8; RAM_BYTES]>,
    pub(crate) output: Arc<Output>,
}

/// The past and what is known of the future. Moments count instructions over all resets.
#[derive(Debug, Clone)]
pub(crate) struct Time {
    pub(crate) now: u64,
    /// The earliest moment that can be gone back to.
    pub(crate) start: u64,
    /// The latest that is known.
    pub(crate) end: u64,
    /// When lines were ended.
    pub(crate) lines: Arc<Vec<u64>>,
    /// Down to where a search has found nothing.
    pub(crate) searched: Option<u64>,
}

/// What the last instruction did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reason {
    /// The breaks that are met here, as they are written.
    pub(crate) met: Vec<String>,
    /// In words.
    pub(crate) text: String,
}

/// The places of what is looked for besides the breaks.
const LINE_END: usize = 0;
const GOAL: usize = 1;
const NO_BREAKS: &str = "there are no breaks: b sets one here, B any other";
/// How many line ends are remembered with their moments.
const LINES_MAX: usize = 1 << 16;

/// The longest stretch between two looks at the commands, in instructions: half a millisecond of
/// an optimised build, some ten of a debug one.
const SLICE: u64 = 1 << 18;
/// How many phases an instruction takes.
const PHASES: u8 = 8;
/// Waking up more often than this would cost more than it shows.
const WAIT_MIN: Duration = Duration::from_millis(4);

impl Player {
    /// Powers a machine up with this program.
    pub(crate) fn new(program: Opened, power_up: PowerUp, paused: bool) -> Self {
        let mut player = Self {
            tape: Tape::new(Machine::new(&program.image, power_up)),
            reads_buttons: reads_buttons(&program.image),
            program: Arc::new(program),
            power_up,
            breaks: Arc::default(),
            lookout: Arc::default(),
            lookout_for_leds: Arc::default(),
            lines: Arc::default(),
            remark: None,
            phases: 0,
            mode: if paused { Mode::Paused } else { Mode::Running },
            pace: Pace::default(),
            credit: Credit::ONE,
            speed: Speedometer::default(),
            held: Held::default(),
        };
        player.look_out();
        player
    }

    /// Obeys; [`Self::advance`] then does what there is to do.
    pub(crate) fn command(&mut self, command: Command) {
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
            Command::BreakHere(index) => self.break_here(index),
            Command::AddBreak(text) => self.add_break(&text),
            Command::RemoveBreak(number) => self.change_breaks(|breaks| breaks.remove(number)),
            Command::SwitchBreak(number) => self.change_breaks(|breaks| {
                if let Some(entry) = breaks.get_mut(number) {
                    entry.enabled = !entry.enabled;
                }
            }),
            Command::Faster => self.pace = self.pace.faster(),
            Command::Slower => self.pace = self.pace.slower(),
            Command::PaceEvenly => self.pace = self.pace.even(),
            Command::Hold(buttons) => self.hold(buttons),
            Command::Reset => self.restart(),
            Command::Load(program) => self.load(*program, false),
            Command::Reload(program) => self.load(*program, !matches!(self.mode, Mode::Running)),
        }
    }

    /// Lets this much time pass: does the work that is due by then, or a slice of it.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> Due {
        let before = self.tape.history().moment();
        match self.status() {
            Status::Paused | Status::Halted => {}
            Status::Seeking => self.go_on(),
            Status::Searching => self.search_on(),
            Status::Running => self.play(elapsed),
        }
        let executed = self.tape.history().moment().saturating_sub(before);
        self.speed.note(elapsed, executed);
        if self.held.pass(elapsed) {
            self.give(Input::Hold(self.held.buttons()));
        }
        self.due()
    }

    /// Lets a running machine execute so many instructions, whatever its pace.
    pub(crate) fn advance_by(&mut self, instructions: u64) {
        let end = self.tape.history().moment() + instructions;
        while self.status() == Status::Running && self.tape.history().moment() < end {
            self.run(SLICE.min(end - self.tape.history().moment()));
        }
    }

    /// What the machine is doing.
    pub(crate) fn status(&self) -> Status {
        match self.mode {
            Mode::Searching(_) => Status::Searching,
            _ if self.tape.machine().halted() => Status::Halted,
            Mode::Paused => Status::Paused,
            Mode::Running => Status::Running,
            Mode::Seeking(_) => Status::Seeking,
        }
    }

    /// How many instructions were executed since the reset.
    #[cfg(test)]
    pub(crate) fn executed(&self) -> u64 {
        self.tape.machine().executed()
    }

    /// What tells a snapshot from the one before without a command between them: the moment, the
    /// status, how far a search is, and the buttons held.
    pub(crate) fn moment(&self) -> (u64, Status, Option<u64>, Buttons) {
        (self.tape.history().moment(), self.status(), self.searched(), self.held.buttons())
    }

    /// What there is to see.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let (status, machine) = (self.status(), self.tape.machine());
        let stands = matches!(status, Status::Paused | Status::Halted);
        Snapshot {
            program: Arc::clone(&self.program),
            status,
            pace: self.pace,
            speed: self.speed.per_second().filter(|_| status == Status::Running),
            executed: machine.executed(),
            time: self.time(),
            breaks: Arc::clone(&self.breaks),
            reason: if stands { self.reason() } else { None },
            remark: self.remark,
            reads_buttons: self.reads_buttons,
            buttons: self.held.buttons(),
            trail: self.tape.trail().clone(),
            phase: self.phase(),
            a: machine.a(),
            carry: machine.carry(),
            pc: machine.pc(),
            ram: Box::new(*machine.ram()),
            output: Arc::clone(self.tape.output()),
        }
    }

    fn time(&self) -> Time {
        let history = self.tape.history();
        Time {
            now: history.moment(),
            start: history.start(),
            end: history.end(),
            lines: Arc::clone(&self.lines),
            searched: self.searched(),
        }
    }

    fn searched(&self) -> Option<u64> {
        match &self.mode {
            Mode::Searching(quest) => Some(quest.down_to),
            _ => None,
        }
    }

    /// What the last instruction did, and the breaks that are met here: both follow from where the
    /// machine is, not from how it got there.
    fn reason(&self) -> Option<Reason> {
        let image = &self.program.image;
        let machine = self.tape.machine();
        let lookout = self.breaks.lookout(&[], |index| machine.word(index));
        let hit = self.tape.history().hit_now(&lookout).filter(|_| self.phases == 0);
        if let Some(hit) = hit {
            let met = self.breaks.met_by(&hit).map(|met| met.text.clone()).collect();
            return Some(Reason { met, text: reason(&hit, image) });
        }
        let done = self.tape.trail().newest()?.done(machine.ram());
        let moment = self.tape.history().moment();
        let hit = Hit { moment, which: Which::default(), done: Some(done), next: machine.pc() };
        Some(Reason { met: Vec::new(), text: reason(&hit, image) })
    }

    fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.credit = Credit::ONE;
        self.speed = Speedometer::default();
    }

    /// The phase of the next instruction that the board is in, 0 for T0. Reset ends in T1.
    fn phase(&self) -> u8 {
        self.first_phase() + self.phases
    }

    fn first_phase(&self) -> u8 {
        u8::from(self.tape.machine().executed() == 0)
    }

    /// Finds out what to look out for while the machine runs.
    fn look_out(&mut self) {
        self.lookout = Arc::new(self.lookout_for(None));
        self.lookout_for_leds = Arc::new(self.lookout_for(Some(Event::Display)));
    }

    /// Breaks, line ends, and perhaps something to go to.
    fn lookout_for(&self, goal: Option<Event>) -> Lookout {
        let besides = std::iter::once(Event::Prints(Some(b'\n'))).chain(goal);
        let besides: Vec<Event> = besides.collect();
        self.breaks.lookout(&besides, |index| self.tape.machine().word(index))
    }

    /// Executes instructions, `limit` at most, and says what stopped it.
    fn run_with(&mut self, lookout: &Lookout, limit: u64) -> Stopped {
        self.phases = 0;
        let Self { tape, breaks, lines, .. } = self;
        let mut stopped = Stopped::default();
        tape.run(lookout, limit, |hit| {
            if breaks.is_besides(hit, LINE_END) {
                note_line(lines, hit.moment);
            }
            stopped.at_goal = breaks.is_besides(hit, GOAL);
            let met = breaks.met_by(hit).next().is_some();
            stopped.at_break = met && Arc::make_mut(breaks).count(hit);
            stopped.at_goal || stopped.at_break
        });
        if stopped.at_break {
            self.set_mode(Mode::Paused);
        }
        stopped
    }

    /// Executes instructions, `limit` at most, and pauses at a break.
    fn run(&mut self, limit: u64) {
        self.run_with(&Arc::clone(&self.lookout), limit);
    }

    /// Executes up to `limit` instructions; says whether the last one changed an LED.
    fn run_to_led_change(&mut self, limit: u64) -> bool {
        self.run_with(&Arc::clone(&self.lookout_for_leds), limit).at_goal
    }

    /// Executes one instruction. Breaks are for what runs: here they count nothing.
    fn step(&mut self) {
        self.set_mode(Mode::Paused);
        self.phases = 0;
        let Self { tape, breaks, lines, lookout, .. } = self;
        tape.run(lookout, 1, |hit| {
            if breaks.is_besides(hit, LINE_END) {
                note_line(lines, hit.moment);
            }
            false
        });
    }

    fn step_back(&mut self) {
        let now = self.tape.history().moment();
        match (self.phases, now > self.tape.history().start()) {
            (0, true) => self.seek(now - 1),
            (0, false) => self.pause_with("this is the beginning"),
            _ => self.seek(now),
        }
    }

    fn step_phase(&mut self) {
        self.set_mode(Mode::Paused);
        if self.tape.machine().halted() {
            return;
        }
        self.phases += 1;
        if self.phase() == PHASES {
            self.step();
        }
    }

    fn step_phase_back(&mut self) {
        self.set_mode(Mode::Paused);
        if self.phases > 0 {
            self.phases -= 1;
            return;
        }
        self.step_back();
        if self.remark.is_none() {
            self.phases = PHASES - 1 - self.first_phase();
        }
    }

    /// Goes to a moment that is known.
    fn seek(&mut self, moment: u64) {
        self.set_mode(Mode::Paused);
        self.phases = 0;
        if self.held.wait().is_some() {
            // To let go of the buttons later would begin another future.
            self.held = Held::default();
            self.give(Input::Hold(Buttons::NONE));
        }
        self.tape.seek(moment);
    }

    fn pause_with(&mut self, remark: &'static str) {
        self.set_mode(Mode::Paused);
        self.remark = Some(remark);
    }

    /// Runs to something, however far that is.
    fn go(&mut self, goal: Goal) {
        match goal.event(&self.program.image, self.tape.machine().pc()) {
            Err(remark) => self.pause_with(remark),
            Ok(None) if self.breaks.list().is_empty() => self.pause_with(NO_BREAKS),
            Ok(event) => {
                let lookout = Arc::new(self.lookout_for(event));
                self.set_mode(Mode::Seeking(lookout));
            }
        }
    }

    fn go_on(&mut self) {
        let Mode::Seeking(lookout) = &self.mode else { return };
        let lookout = Arc::clone(lookout);
        if self.run_with(&lookout, SLICE).at_goal {
            self.set_mode(Mode::Paused);
        }
    }

    /// Looks for something in the past.
    fn go_back(&mut self, goal: Goal) {
        match goal.event(&self.program.image, self.tape.machine().pc()) {
            Err(remark) => self.pause_with(remark),
            Ok(None) if self.breaks.list().is_empty() => self.pause_with(NO_BREAKS),
            Ok(event) => {
                let besides: Vec<Event> = event.into_iter().collect();
                let word = |index| self.tape.machine().word(index);
                let lookout = self.breaks.lookout(&besides, word);
                let search = Search::new(self.tape.history(), lookout);
                self.search(goal, search);
            }
        }
    }

    fn find_writer(&mut self, goal: Goal) {
        let word = |index| self.tape.machine().word(index);
        let event = goal.event(&self.program.image, self.tape.machine().pc());
        let conditions = event.ok().flatten().into_iter().map(Condition::from);
        let search =
            Search::up_to_now(self.tape.history(), Lookout::new(conditions.collect(), word));
        self.search(goal, search);
    }

    fn search(&mut self, goal: Goal, search: Search<Machine>) {
        let down_to = self.tape.history().moment();
        self.set_mode(Mode::Searching(Box::new(Quest { goal, search, down_to })));
    }

    fn search_on(&mut self) {
        let Mode::Searching(quest) = &mut self.mode else { return };
        let goal = quest.goal;
        match quest.search.advance(self.tape.history(), SLICE) {
            Found::DownTo(moment) => quest.down_to = moment,
            Found::Nothing => self.pause_with(goal.none_before()),
            Found::Hit(hit) => {
                let is_wanted = match goal {
                    Goal::Write { .. } => true,
                    Goal::Break => Arc::make_mut(&mut self.breaks).count(&hit),
                    _ => {
                        Arc::make_mut(&mut self.breaks).count(&hit)
                            || self.breaks.is_besides(&hit, 0)
                    }
                };
                if is_wanted {
                    self.seek(hit.moment);
                }
            }
        }
    }

    fn break_here(&mut self, index: RomIndex) {
        match self.breaks.at(index) {
            Some(number) => self.change_breaks(|breaks| breaks.remove(number)),
            None => self.add_break(&place_name(index, &Arc::clone(&self.program).image)),
        }
    }

    fn add_break(&mut self, text: &str) {
        let program = Arc::clone(&self.program);
        let added = Arc::make_mut(&mut self.breaks).add(text, &program.image);
        self.remark = added.is_err().then_some("there are as many breaks as there can be");
        self.look_out();
    }

    fn change_breaks(&mut self, change: impl FnOnce(&mut Breaks)) {
        change(Arc::make_mut(&mut self.breaks));
        self.look_out();
    }

    /// Does something at the panel; another future begins.
    fn give(&mut self, input: Input) {
        self.tape.give(input);
        let now = self.tape.history().moment();
        if self.lines.last().is_some_and(|last| *last > now) {
            Arc::make_mut(&mut self.lines).retain(|moment| *moment <= now);
        }
        // A search in the past goes on; what lies before now has not changed.
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

    fn load(&mut self, program: Opened, paused: bool) {
        let (pace, mut breaks) = (self.pace, std::mem::take(&mut self.breaks));
        Arc::make_mut(&mut breaks).bind(&program.image);
        *self = Self { pace, breaks, ..Self::new(program, self.power_up, paused) };
        self.look_out();
    }

    fn play(&mut self, elapsed: Duration) {
        match self.pace.rate() {
            Rate::Unlimited => self.run(SLICE),
            Rate::Instructions(per_second) => {
                self.credit.earn(elapsed, per_second);
                let units = self.credit.units().min(SLICE);
                self.credit.spend(units);
                self.run(units);
            }
            Rate::LedChanges(per_second) => {
                self.credit.earn(elapsed, per_second);
                if self.credit.units() > 0 && self.run_to_led_change(SLICE) {
                    self.credit.spend(1);
                }
            }
        }
    }

    /// When there is more to do: for the machine, or a button to let go of.
    fn due(&self) -> Due {
        match (self.machine_due(), self.held.wait()) {
            (Due::After(work), Some(hold)) => Due::After(work.min(hold)),
            (Due::Never, Some(hold)) => Due::After(hold),
            (due, _) => due,
        }
    }

    fn machine_due(&self) -> Due {
        match (self.status(), self.pace.rate()) {
            (Status::Paused | Status::Halted, _) => Due::Never,
            (Status::Seeking | Status::Searching, _) | (_, Rate::Unlimited) => Due::Now,
            _ if self.credit.units() > 0 => Due::Now,
            (_, Rate::Instructions(per_second) | Rate::LedChanges(per_second)) => {
                Due::After(self.credit.wait(per_second).max(WAIT_MIN))
            }
        }
    }
}

/// Notes when a line was ended, unless that is known.
fn note_line(lines: &mut Arc<Vec<u64>>, moment: u64) {
    if lines.last().is_none_or(|last| *last < moment) && lines.len() < LINES_MAX {
        Arc::make_mut(lines).push(moment);
    }
}

impl Snapshot {
    /// What the LEDs show.
    pub(crate) fn display(&self) -> Display {
        Display::of(&self.ram)
    }

    /// The byte of a variable that has this name.
    pub(crate) fn variable(&self, name: &str) -> Option<u8> {
        let symbol = self.program.image.symbol(name)?;
        let address = usize::try_from(symbol.value).ok()?;
        (symbol.kind == SymbolKind::Variable).then(|| self.ram.get(address).copied())?
    }
}

/// Whether an instruction of the program looks at the panel's buttons.
fn reads_buttons(image: &Image) -> bool {
    let words = image.words().iter();
    words.filter(|word| word.op().reads_memory()).any(|word| word.address() == panel::BUTTONS)
}

#[cfg(test)]
mod tests;

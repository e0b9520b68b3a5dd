//! The tape deck: a machine with a program in it that runs, pauses and steps at a chosen pace.
//!
//! It knows no screen and no clock: whoever holds it says how much time has passed
//! ([`Player::advance`]), and gets control back within a few milliseconds.

mod command;
mod goal;
mod held;
mod output;
mod pace;
mod snapshot;
mod speed;
mod tape;
mod trail;
mod travel;

use std::sync::Arc;
use std::time::Duration;

use gray1_isa::panel::{self, Buttons};
use gray1_isa::{Image, RomIndex};
use gray1_sim::debugger::{Breaks, Event, Hit, Input, Matches, WatchSet, reason};
use gray1_sim::{Machine, PowerUp};

pub(crate) use command::Command;
pub(crate) use goal::Goal;
pub(crate) use output::Output;
pub(crate) use pace::{Pace, Rate};
pub(crate) use snapshot::{Reason, Snapshot, Status, Time};
pub(crate) use trail::Trail;

use held::Held;
use pace::Credit;
use speed::Speedometer;
use tape::Tape;
use travel::Quest;

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
    watch_set: Arc<WatchSet>,
    /// ... and LED changes too.
    watch_set_for_leds: Arc<WatchSet>,
    /// The moments at which lines were ended, as far as they are known.
    lines: Arc<Vec<u64>>,
    /// The moments at which a break stopped it.
    stops: Arc<Vec<u64>>,
    /// When LEDs changed that it went to, or went by at a pace that counts them.
    leds: Arc<Vec<u64>>,
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
    Seeking(Arc<WatchSet>),
    /// Looking for something in the past; the machine stays where it is meanwhile.
    Searching(Box<Quest>),
}

/// What stopped a run.
#[derive(Debug, Clone, Copy, Default)]
struct Stopped {
    at_break: bool,
    at_goal: bool,
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

/// The places of what is looked for besides the breaks.
const LINE_END: usize = 0;
const GOAL: usize = 1;
/// How many line ends are remembered with their moments, and how many stops.
const MOMENTS_MAX: usize = 1 << 16;

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
            tape: Tape::new(Box::new(Machine::new(&program.image, power_up))),
            reads_buttons: reads_buttons(&program.image),
            program: Arc::new(program),
            power_up,
            breaks: Arc::default(),
            watch_set: Arc::default(),
            watch_set_for_leds: Arc::default(),
            lines: Arc::default(),
            stops: Arc::default(),
            leds: Arc::default(),
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
            Command::ScrubBack => self.seek(self.time().now.saturating_sub(self.scrub_step())),
            Command::ScrubForward => self.seek(self.time().now + self.scrub_step()),
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
            stops: Arc::clone(&self.stops),
            leds: Arc::clone(&self.leds),
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
        let watch_set = self.breaks.watch_set(&[], |index| machine.word(index));
        let hit = self.tape.history().hit_now(&watch_set).filter(|_| self.phases == 0);
        if let Some(hit) = hit {
            let met = self.breaks.met_by(&hit).map(|met| met.text.clone()).collect();
            return Some(Reason { met, text: reason(&hit, image) });
        }
        let executed = Some(self.tape.trail().newest()?.executed(machine.ram()));
        let moment = self.tape.history().moment();
        let hit = Hit { moment, matches: Matches::default(), executed, next: machine.pc() };
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
        self.watch_set = Arc::new(self.watch_set_for(None));
        self.watch_set_for_leds = Arc::new(self.watch_set_for(Some(Event::Display)));
    }

    /// Breaks, line ends, and perhaps something to go to.
    fn watch_set_for(&self, goal: Option<Event>) -> WatchSet {
        let besides = std::iter::once(Event::Prints(Some(b'\n'))).chain(goal);
        let besides: Vec<Event> = besides.collect();
        self.breaks.watch_set(&besides, |index| self.tape.machine().word(index))
    }

    /// Executes instructions, `limit` at most, and says what stopped it.
    fn run_with(&mut self, watch_set: &WatchSet, limit: u64) -> Stopped {
        self.phases = 0;
        let Self { tape, breaks, lines, stops, leds, .. } = self;
        let mut stopped = Stopped::default();
        tape.run(watch_set, limit, |hit| {
            if breaks.is_besides(hit, LINE_END) {
                note(lines, hit.moment);
            }
            stopped.at_goal = breaks.is_besides(hit, GOAL);
            if stopped.at_goal && hit.changes_led() {
                note(leds, hit.moment);
            }
            let met = breaks.met_by(hit).next().is_some();
            stopped.at_break = met && Arc::make_mut(breaks).count(hit);
            if stopped.at_break {
                note(stops, hit.moment);
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
        self.run_with(&Arc::clone(&self.watch_set), limit);
    }

    /// Executes up to `limit` instructions; says whether the last one changed an LED.
    fn run_to_led_change(&mut self, limit: u64) -> bool {
        self.run_with(&Arc::clone(&self.watch_set_for_leds), limit).at_goal
    }

    /// Executes one instruction. Breaks are for what runs: here they count nothing.
    fn step(&mut self) {
        self.set_mode(Mode::Paused);
        self.phases = 0;
        let Self { tape, breaks, lines, watch_set, .. } = self;
        tape.run(watch_set, 1, |hit| {
            if breaks.is_besides(hit, LINE_END) {
                note(lines, hit.moment);
            }
            false
        });
    }

    fn break_here(&mut self, index: RomIndex) {
        match self.breaks.at(index) {
            Some(number) => self.change_breaks(|breaks| breaks.remove(number)),
            None => self.add_break(&self.program.image.names().place(index)),
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
        for moments in [&mut self.lines, &mut self.stops, &mut self.leds] {
            if moments.last().is_some_and(|last| *last > now) {
                Arc::make_mut(moments).retain(|moment| *moment <= now);
            }
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
        *self = Self { breaks, pace, ..Self::new(program, self.power_up, paused) };
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

/// Notes a moment among others, which are in order, unless it is known.
fn note(moments: &mut Arc<Vec<u64>>, moment: u64) {
    if let Err(place) = moments.binary_search(&moment)
        && moments.len() < MOMENTS_MAX
    {
        Arc::make_mut(moments).insert(place, moment);
    }
}

/// Whether an instruction of the program looks at the panel's buttons.
fn reads_buttons(image: &Image) -> bool {
    let words = image.words().iter();
    words.filter(|word| word.op().reads_memory()).any(|word| word.address() == panel::BUTTONS)
}

#[cfg(test)]
mod tests;

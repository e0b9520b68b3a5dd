//! The tape deck: a machine with a program in it that runs, pauses and steps at a chosen pace.
//!
//! It knows no screen and no clock: whoever holds it says how much time has passed
//! ([`Player::advance`]), and gets control back within a few milliseconds.

mod held;
mod output;
mod pace;
mod speed;
mod trail;

use std::sync::Arc;
use std::time::Duration;

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{self, Buttons, Display};
use gray1_isa::{Image, RomIndex, SymbolKind};
use gray1_sim::{Machine, PowerUp};

pub(crate) use output::Output;
pub(crate) use pace::{Pace, Rate};
pub(crate) use trail::Trail;

use held::Held;
use pace::Credit;
use speed::Speedometer;

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
    machine: Machine,
    /// How the machine came here.
    trail: Trail,
    /// How many phases of the next instruction have passed; all else is as it was before it.
    phases: u8,
    mode: Mode,
    pace: Pace,
    credit: Credit,
    speed: Speedometer,
    held: Held,
    reads_buttons: bool,
    output: Arc<Output>,
}

/// Which key was pressed last, so to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Paused,
    Running,
    /// On the way to the next LED change, however far that is.
    Seeking,
}

/// What the machine is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Waiting for a command.
    Paused,
    /// Executing at its pace.
    Running,
    /// Executing as fast as it can until an LED changes.
    Seeking,
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
    /// Run until an LED changes, and pause.
    NextLedChange,
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
        Self {
            machine: Machine::new(&program.image, power_up),
            reads_buttons: reads_buttons(&program.image),
            program: Arc::new(program),
            power_up,
            trail: Trail::default(),
            phases: 0,
            mode: if paused { Mode::Paused } else { Mode::Running },
            pace: Pace::default(),
            credit: Credit::ONE,
            speed: Speedometer::default(),
            held: Held::default(),
            output: Arc::default(),
        }
    }

    /// Obeys; [`Self::advance`] then does what there is to do.
    pub(crate) fn command(&mut self, command: Command) {
        match command {
            Command::RunOrPause if self.mode == Mode::Paused => self.set_mode(Mode::Running),
            Command::RunOrPause => self.set_mode(Mode::Paused),
            Command::Step => self.step(),
            Command::StepPhase => self.step_phase(),
            Command::StepPhaseBack => self.step_phase_back(),
            Command::NextLedChange => self.set_mode(Mode::Seeking),
            Command::Faster => self.pace = self.pace.faster(),
            Command::Slower => self.pace = self.pace.slower(),
            Command::PaceEvenly => self.pace = self.pace.even(),
            Command::Hold(buttons) => self.hold(buttons),
            Command::Reset => self.restart(),
            Command::Load(program) => self.load(*program),
        }
    }

    /// Lets this much time pass: does the work that is due by then, or a slice of it.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> Due {
        let before = self.machine.executed();
        match self.status() {
            Status::Paused | Status::Halted => {}
            Status::Seeking => self.seek(),
            Status::Running => self.play(elapsed),
        }
        self.speed.note(elapsed, self.machine.executed() - before);
        if self.held.pass(elapsed) {
            self.machine.hold(self.held.buttons());
        }
        self.collect_output();
        self.due()
    }

    /// Lets a running machine execute so many instructions, whatever its pace.
    pub(crate) fn advance_by(&mut self, instructions: u64) {
        let mut left = instructions;
        while left > 0 && self.status() == Status::Running {
            let slice = left.min(SLICE);
            self.run(slice);
            self.collect_output();
            left -= slice;
        }
    }

    /// What the machine is doing.
    pub(crate) fn status(&self) -> Status {
        match self.mode {
            _ if self.machine.halted() => Status::Halted,
            Mode::Paused => Status::Paused,
            Mode::Running => Status::Running,
            Mode::Seeking => Status::Seeking,
        }
    }

    /// How many instructions were executed since the reset.
    pub(crate) fn executed(&self) -> u64 {
        self.machine.executed()
    }

    /// What tells a snapshot from the one before without a command between them: the count of
    /// instructions executed, and the buttons held.
    pub(crate) fn moment(&self) -> (u64, Buttons) {
        (self.executed(), self.held.buttons())
    }

    /// What there is to see.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let running = self.status() == Status::Running;
        Snapshot {
            program: Arc::clone(&self.program),
            status: self.status(),
            pace: self.pace,
            speed: self.speed.per_second().filter(|_| running),
            executed: self.machine.executed(),
            reads_buttons: self.reads_buttons,
            buttons: self.held.buttons(),
            trail: self.trail.clone(),
            phase: self.phase(),
            a: self.machine.a(),
            carry: self.machine.carry(),
            pc: self.machine.pc(),
            ram: Box::new(*self.machine.ram()),
            output: Arc::clone(&self.output),
        }
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
        u8::from(self.machine.executed() == 0)
    }

    /// Executes instructions, `limit` at most.
    fn run(&mut self, limit: u64) {
        self.trail.run(&mut self.machine, limit);
        self.phases = 0;
    }

    /// Executes up to `limit` instructions; says whether the last one changed an LED.
    fn run_to_led_change(&mut self, limit: u64) -> bool {
        self.phases = 0;
        (0..limit).map_while(|_| self.trail.step(&mut self.machine)).any(|step| step.changes_led())
    }

    fn step(&mut self) {
        self.set_mode(Mode::Paused);
        self.run(1);
    }

    fn step_phase(&mut self) {
        self.set_mode(Mode::Paused);
        if self.machine.halted() {
            return;
        }
        self.phases += 1;
        if self.phase() == PHASES {
            self.run(1);
        }
    }

    fn step_phase_back(&mut self) {
        self.set_mode(Mode::Paused);
        self.phases = self.phases.saturating_sub(1);
    }

    fn hold(&mut self, buttons: Buttons) {
        self.held.hold(buttons);
        self.machine.hold(self.held.buttons());
    }

    fn restart(&mut self) {
        // Reset lets the instruction under way complete; in T2 it has begun.
        if self.phase() > 1 {
            self.run(1);
        }
        self.machine.reset();
        self.held = Held::default();
        self.trail.reset();
        self.phases = 0;
        self.output = Arc::default();
        // A search that was under way belongs to the run that ended.
        let mode = if self.mode == Mode::Running { Mode::Running } else { Mode::Paused };
        self.set_mode(mode);
    }

    fn load(&mut self, program: Opened) {
        let pace = self.pace;
        *self = Self { pace, ..Self::new(program, self.power_up, false) };
    }

    fn seek(&mut self) {
        if self.run_to_led_change(SLICE) {
            self.set_mode(Mode::Paused);
        }
    }

    fn play(&mut self, elapsed: Duration) {
        match self.pace.rate() {
            Rate::Unlimited => self.run(SLICE),
            Rate::Instructions(per_second) => {
                self.credit.earn(elapsed, per_second);
                let units = self.credit.units().min(SLICE);
                self.run(units);
                self.credit.spend(units);
            }
            Rate::LedChanges(per_second) => {
                self.credit.earn(elapsed, per_second);
                if self.credit.units() > 0 && self.run_to_led_change(SLICE) {
                    self.credit.spend(1);
                }
            }
        }
    }

    fn collect_output(&mut self) {
        let bytes = self.machine.take_output();
        if !bytes.is_empty() {
            Arc::make_mut(&mut self.output).push(&bytes);
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
            (Status::Seeking, _) | (_, Rate::Unlimited) => Due::Now,
            _ if self.credit.units() > 0 => Due::Now,
            (_, Rate::Instructions(per_second) | Rate::LedChanges(per_second)) => {
                Due::After(self.credit.wait(per_second).max(WAIT_MIN))
            }
        }
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

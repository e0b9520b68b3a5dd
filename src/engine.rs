//! The engines that a program can run on, side by side: instructions, or chips.

use gray1_isa::panel::{Buttons, MAILBOX};
use gray1_isa::{Image, RomIndex, Word};
use gray1_sim::circuit::{self, Change, Circuit as _, Panel, PanelError, Settled, Timed, Timing};
use gray1_sim::{Board, BurnedUnit, Machine, PowerUp};

/// Which engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum EngineKind {
    /// What a programmer sees, fast
    #[default]
    Instruction,
    /// The board, chip by chip
    Chips,
}

/// A machine with a program, on one of the engines.
pub(crate) enum Engine {
    Instruction(Box<Machine>),
    Chips(Box<Chips>),
}

/// A board with a program, and what it printed.
pub(crate) struct Chips {
    stage: Stage,
    /// Instructions of earlier stages.
    executed_before: u64,
    output: Vec<u8>,
}

/// How the chips are run.
enum Stage {
    /// From one state of rest to the next.
    Settled(Box<Panel<Settled>>),
    /// In time, with every movement of a line recorded.
    Timed(Box<Panel<Timed>>),
}

/// Does the same with the panel of either stage.
macro_rules! with_panel {
    ($chips:expr, $panel:ident => $do:expr) => {
        match &$chips.stage {
            Stage::Settled($panel) => $do,
            Stage::Timed($panel) => $do,
        }
    };
    (mut $chips:expr, $panel:ident => $do:expr) => {
        match &mut $chips.stage {
            Stage::Settled($panel) => $do,
            Stage::Timed($panel) => $do,
        }
    };
}

/// What an instruction was, and what it left: a line of a trace.
pub(crate) struct Traced {
    pub(crate) index: RomIndex,
    pub(crate) word: Word,
    pub(crate) a: u8,
    pub(crate) carry: bool,
}

impl Engine {
    /// A machine at the instruction level.
    pub(crate) fn instruction(image: &Image, power_up: PowerUp) -> Self {
        Self::Instruction(Box::new(Machine::new(image, power_up)))
    }

    /// A machine at the instruction level with an arithmetic unit of its own.
    pub(crate) fn burned(image: &Image, power_up: PowerUp, unit: BurnedUnit) -> Self {
        Self::Instruction(Box::new(Machine::new(image, power_up).with_unit(unit)))
    }

    /// A board with the program burned in.
    pub(crate) fn chips(
        board: &Board,
        image: &Image,
        power_up: PowerUp,
    ) -> Result<Self, PanelError> {
        let board = board.with_program(image);
        let held = power_up.contents();
        let power_up = circuit::PowerUp::holding(&board, held.ram, held.a, held.carry);
        let stage = Stage::Settled(Box::new(Panel::new(Settled::power_up(&board, &power_up)?)?));
        Ok(Self::Chips(Box::new(Chips { stage, executed_before: 0, output: Vec::new() })))
    }

    /// Executes up to `limit` instructions.
    pub(crate) fn run(&mut self, limit: u64) -> Result<(), PanelError> {
        match self {
            Self::Instruction(machine) => {
                machine.run(limit);
            }
            Self::Chips(chips) => {
                let Chips { stage, output, .. } = chips.as_mut();
                let print = |byte| output.push(byte);
                match stage {
                    Stage::Settled(panel) => panel.run(limit, print)?,
                    Stage::Timed(panel) => panel.run(limit, print)?,
                };
            }
        }
        Ok(())
    }

    /// Executes one instruction; `None` if the machine has halted.
    pub(crate) fn step(&mut self) -> Result<Option<Traced>, PanelError> {
        match self {
            Self::Instruction(machine) => Ok(machine.step().map(|executed| Traced {
                index: executed.index,
                word: executed.word,
                a: machine.a(),
                carry: machine.carry(),
            })),
            Self::Chips(_) if self.halted() => Ok(None),
            Self::Chips(chips) => {
                let circuit::Executed { index, word, a, carry, writes } =
                    with_panel!(mut chips, panel => panel.step()?);
                let printed = writes.iter().filter(|write| write.address == MAILBOX);
                chips.output.extend(printed.map(|write| write.byte));
                Ok(Some(Traced { index, word, a, carry }))
            }
        }
    }

    /// Tells the program which buttons are held from now on.
    pub(crate) fn hold(&mut self, buttons: Buttons) -> Result<(), PanelError> {
        match self {
            Self::Instruction(machine) => {
                machine.hold(buttons);
                Ok(())
            }
            Self::Chips(chips) => with_panel!(mut chips, panel => panel.press(buttons)),
        }
    }

    /// The bytes that were written to the mailbox since the last call.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        match self {
            Self::Instruction(machine) => machine.take_output(),
            Self::Chips(chips) => std::mem::take(&mut chips.output),
        }
    }

    /// The index of the instruction that comes next.
    pub(crate) fn pc(&self) -> RomIndex {
        match self {
            Self::Instruction(machine) => machine.pc(),
            Self::Chips(chips) => with_panel!(chips, panel => panel.index()),
        }
    }

    /// How many instructions were executed, a halting `JMP` included.
    pub(crate) fn executed(&self) -> u64 {
        match self {
            Self::Instruction(machine) => machine.executed(),
            Self::Chips(chips) => {
                chips.executed_before + with_panel!(chips, panel => panel.executed())
            }
        }
    }

    /// Whether the program has come to its end.
    pub(crate) fn halted(&self) -> bool {
        match self {
            Self::Instruction(machine) => machine.halted(),
            Self::Chips(chips) => with_panel!(chips, panel => panel.halted()),
        }
    }
}

impl Chips {
    /// Goes on in time, from the state of rest between two instructions, and records how lines
    /// move. Gives the levels of all lines at the start, by net.
    pub(crate) fn start_recording(&mut self) -> Result<Vec<bool>, PanelError> {
        let Stage::Settled(panel) = &self.stage else { return Ok(Vec::new()) };
        let (circuit, executed) = (panel.circuit(), panel.executed());
        let board = circuit.board();
        let levels = board.net_ids().map(|net| circuit.level(net)).collect();
        let timing = Timing { mixes: false, ..Timing::of(board, phase_ps(board), SEED) };
        let mut timed = Timed::power_up(board, &circuit::PowerUp::like(circuit), &timing)?;
        timed.record(true);
        self.executed_before += executed;
        self.stage = Stage::Timed(Box::new(Panel::at(timed)));
        Ok(levels)
    }

    /// Goes on from one state of rest to the next again.
    pub(crate) fn stop_recording(&mut self) -> Result<(), PanelError> {
        let Stage::Timed(panel) = &self.stage else { return Ok(()) };
        let (circuit, executed) = (panel.circuit(), panel.executed());
        let settled = Settled::power_up(circuit.board(), &circuit::PowerUp::like(circuit))?;
        self.executed_before += executed;
        self.stage = Stage::Settled(Box::new(Panel::at(settled)));
        Ok(())
    }

    /// The movements that were recorded since the last call, and the time until which they are all.
    pub(crate) fn take_changes(&mut self) -> (Vec<Change>, u64) {
        match &mut self.stage {
            Stage::Settled(_) => (Vec::new(), 0),
            Stage::Timed(panel) => {
                let now_ps = panel.circuit().now_ps();
                (panel.take_changes(), now_ps)
            }
        }
    }

    /// The board.
    pub(crate) fn board(&self) -> &Board {
        with_panel!(self, panel => panel.circuit().board())
    }
}

/// The same waveforms every time.
const SEED: u64 = 1;

/// How long a phase lasts: long enough for every chip on any path, and round.
fn phase_ps(board: &Board) -> u64 {
    let all_chips_ns: u64 = board.chips().iter().map(|chip| u64::from(chip.access_ns())).sum();
    all_chips_ns.next_multiple_of(100) * 1000
}

//! The engines that a program can run on, side by side: instructions, or chips.

use gray1_isa::panel::{Buttons, MAILBOX};
use gray1_isa::{Image, RomIndex, Word};
use gray1_sim::circuit::{self, Panel, PanelError, Settled};
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
    Instruction(Machine),
    Chips(Box<Chips>),
}

/// A board with a program, and what it printed.
pub(crate) struct Chips {
    panel: Panel<Settled>,
    output: Vec<u8>,
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
        Self::Instruction(Machine::new(image, power_up))
    }

    /// A machine at the instruction level with an arithmetic unit of its own.
    pub(crate) fn burned(image: &Image, power_up: PowerUp, unit: BurnedUnit) -> Self {
        Self::Instruction(Machine::new(image, power_up).with_unit(unit))
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
        let panel = Panel::new(Settled::power_up(&board, &power_up)?)?;
        Ok(Self::Chips(Box::new(Chips { panel, output: Vec::new() })))
    }

    /// Executes up to `limit` instructions.
    pub(crate) fn run(&mut self, limit: u64) -> Result<(), PanelError> {
        match self {
            Self::Instruction(machine) => {
                machine.run(limit);
            }
            Self::Chips(chips) => {
                let Chips { panel, output } = chips.as_mut();
                panel.run(limit, |byte| output.push(byte))?;
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
            Self::Chips(chips) if chips.panel.halted() => Ok(None),
            Self::Chips(chips) => {
                let circuit::Executed { index, word, a, carry, writes } = chips.panel.step()?;
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
            Self::Chips(chips) => chips.panel.press(buttons),
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
            Self::Chips(chips) => chips.panel.index(),
        }
    }

    /// How many instructions were executed, a halting `JMP` included.
    pub(crate) fn executed(&self) -> u64 {
        match self {
            Self::Instruction(machine) => machine.executed(),
            Self::Chips(chips) => chips.panel.executed(),
        }
    }

    /// Whether the program has come to its end.
    pub(crate) fn halted(&self) -> bool {
        match self {
            Self::Instruction(machine) => machine.halted(),
            Self::Chips(chips) => chips.panel.halted(),
        }
    }
}

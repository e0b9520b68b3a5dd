//! The options that say what a program runs on, the same for all commands.

use std::sync::Arc;

use gray1_isa::Image;
use gray1_sim::{Board, BurnedUnit, Engine, Hardware, PowerUp, Setup, Unrecognised};
use gray1_tui::{BoardLoader, Program, Session};

use super::messages::Messages;
use super::{Failure, failure};
use crate::board;

/// The engines by their names on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum EngineKind {
    /// What a programmer sees, fast
    #[default]
    Instruction,
    /// The board, chip by chip
    Chips,
    /// The board in time: every line moves after a random delay
    Timed,
}

#[derive(Debug, Clone, clap::Args)]
pub(super) struct MachineOptions {
    /// What to run it on
    #[arg(long, value_enum, default_value_t)]
    pub(super) engine: EngineKind,
    /// The board: a path or a built-in name
    #[arg(long, value_name = "BOARD", default_value = board::DEFAULT, add = super::complete::boards())]
    board: String,
    /// What data memory, A and C hold at power-up: zero, ones or random:SEED
    #[arg(long, value_name = "CONTENTS", default_value_t, add = super::complete::power_ups())]
    ram: PowerUp,
    /// What the delays of `--engine timed` follow from; the same seed gives the same run
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

impl MachineOptions {
    /// What the options ask for. A board that the instruction engine refuses is run chip by chip,
    /// which a note says.
    pub(super) fn setup(&self, messages: &mut Messages) -> Result<Setup, Failure> {
        if self.seed.is_some() && self.engine != EngineKind::Timed {
            return Err(failure("--seed chooses delays, which only --engine timed has"));
        }
        let hardware = match self.hardware(self.engine)? {
            Ok(hardware) => hardware,
            Err(why) => {
                messages.note(&format!("running the chips one by one: {why}"));
                Hardware::Chips(Arc::new(self.board()?))
            }
        };
        Ok(Setup { hardware, power_up: self.ram })
    }

    /// The machine that the options ask for, with a program.
    pub(super) fn engine(
        &self,
        image: &Image,
        messages: &mut Messages,
    ) -> Result<Box<dyn Engine>, Failure> {
        power_up(&self.setup(messages)?, image)
    }

    /// A session with a program on the machine that the options ask for.
    pub(super) fn session(
        &self,
        program: Program,
        paused: bool,
        messages: &mut Messages,
    ) -> Result<Session, Failure> {
        let setup = self.setup(messages)?;
        let beside: BoardLoader = match setup.hardware {
            Hardware::Instruction(Some(_)) => {
                let board = self.board()?;
                Box::new(move || board.clone())
            }
            // Boards that run show lines of their own.
            _ => Box::new(board::stock),
        };
        Session::new(program, setup, paused, beside).map_err(|error| failure(error.to_string()))
    }

    /// The board with power-up contents on an engine, unless that engine refuses the board.
    pub(super) fn setup_on(&self, engine: EngineKind) -> Result<Option<Setup>, Failure> {
        let hardware = self.hardware(engine)?.ok();
        Ok(hardware.map(|hardware| Setup { hardware, power_up: self.ram }))
    }

    /// The board.
    pub(super) fn board(&self) -> Result<Board, Failure> {
        board::load(&self.board).map_err(failure)
    }

    /// What an engine needs of the board, or why it refuses the board.
    fn hardware(&self, engine: EngineKind) -> Result<Result<Hardware, Unrecognised>, Failure> {
        Ok(Ok(match engine {
            // To load the stock board would take longer than most programs do.
            EngineKind::Instruction if self.board == board::DEFAULT => Hardware::default(),
            EngineKind::Instruction => {
                let stock = board::load(board::DEFAULT).map_err(failure)?;
                return Ok(BurnedUnit::of(&self.board()?, &stock)
                    .map(|unit| Hardware::Instruction(Some(unit))));
            }
            EngineKind::Chips => Hardware::Chips(Arc::new(self.board()?)),
            EngineKind::Timed => {
                Hardware::Timed(Arc::new(self.board()?), self.seed.unwrap_or_default())
            }
        }))
    }
}

/// A machine with a program.
pub(super) fn power_up(setup: &Setup, image: &Image) -> Result<Box<dyn Engine>, Failure> {
    setup.engine(image).map_err(|error| failure(error.to_string()))
}

/// The failure of a machine that cannot go on although its program has not ended.
pub(super) fn check(engine: &dyn Engine) -> Result<(), Failure> {
    engine.error().map_or(Ok(()), |error| Err(failure(error.to_string())))
}

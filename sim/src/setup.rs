//! The settings that determine a machine apart from its program, and the engine made from them.

use std::sync::Arc;

use gray1_board::Board;
use gray1_circuit::{Noise, Timing};
use gray1_isa::{Image, PowerUp};

use crate::board_engine::BoardEngine;
use crate::engine::{Engine, EngineError};
use crate::instruction::{BurnedUnit, Machine};

/// Everything that determines a machine, except its program.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// The engine that runs the program.
    pub hardware: Hardware,
    /// The contents of memory and registers at power-up.
    pub power_up: PowerUp,
}

/// Returns the board with which a board is compared. That board is known to work.
pub type FindReference = fn(&Board) -> &'static Board;

/// A choice of engine.
#[derive(Debug, Clone)]
pub enum Hardware {
    /// The instruction engine, possibly with the arithmetic unit of a board.
    Instruction(Option<BurnedUnit>),
    /// A board whose chips settle after each edge, without delays.
    Chips(Arc<Board>, FindReference),
    /// A board whose chips have delays and possibly glitches, chosen by a seed.
    Timed(Arc<Board>, Noise),
}

impl Default for Hardware {
    fn default() -> Self {
        Self::Instruction(None)
    }
}

impl Setup {
    /// Creates the engine with this program, powered up and reset.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn engine(&self, image: &Image) -> Result<Box<dyn Engine>, EngineError> {
        let power_up = self.power_up;
        Ok(match &self.hardware {
            Hardware::Instruction(None) => Box::new(Machine::new(image, power_up)),
            Hardware::Instruction(Some(unit)) => {
                Box::new(Machine::new(image, power_up).with_unit(unit.clone()))
            }
            Hardware::Chips(board, reference) => {
                let engine = BoardEngine::settled(&board.with_program(image), power_up)?;
                Box::new(engine.with_reference(*reference))
            }
            Hardware::Timed(board, noise) => {
                let timing = Timing::with_noise(board, *noise);
                Box::new(BoardEngine::timed(&board.with_program(image), power_up, timing)?)
            }
        })
    }
}

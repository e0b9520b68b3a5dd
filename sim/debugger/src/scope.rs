//! The names that conditions and expressions can use: symbols of the program and wires of the
//! engine.

use std::sync::Arc;

use gray1_board::Board;
use gray1_isa::{Image, RomIndex, Symbol};
use gray1_sim::engine::Engine;

/// The program and the wires in which names are looked up.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The program with its symbols.
    pub image: &'a Image,
    /// The wires of the engine, if it has any.
    pub wires: Option<&'a Wires>,
    /// The instruction at which names are looked up, if there is one. Names of the routine that
    /// contains it take precedence over those of the whole program.
    pub at: Option<RomIndex>,
}

impl<'a> Scope<'a> {
    /// Returns the symbol with this name.
    pub(super) fn symbol(&self, name: &str) -> Option<&'a Symbol> {
        match self.at {
            Some(index) => self.image.symbol_at(name, index),
            None => self.image.symbol(name),
        }
    }
}

impl<'a> From<&'a Image> for Scope<'a> {
    fn from(image: &'a Image) -> Self {
        Self { image, wires: None, at: None }
    }
}

/// The wires that conditions can name.
#[derive(Debug, Clone)]
pub struct Wires {
    /// The board that has these wires.
    pub board: Arc<Board>,
    /// True if the circuit has delays, so that there are glitches.
    pub in_time: bool,
}

impl Wires {
    /// Returns the wires of an engine, if it has any.
    pub fn from_engine(engine: &dyn Engine) -> Option<Self> {
        engine.circuit().map(|circuit| Self {
            board: Arc::new(circuit.board().clone()),
            in_time: circuit.time_ps().is_some(),
        })
    }
}

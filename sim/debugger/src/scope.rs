//! The names that conditions can use: symbols of the program and wires of the engine.

use std::sync::Arc;

use gray1_board::Board;
use gray1_isa::{Image, RomIndex, Symbol};
use gray1_sim::engine::Engine;

/// What names can refer to.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The program and its symbols.
    pub image: &'a Image,
    /// The wires of the engine, if it has wires.
    pub wires: Option<&'a Wires>,
    /// An instruction; names of its routine take precedence.
    pub at: Option<RomIndex>,
}

impl<'a> Scope<'a> {
    /// The symbol that a name refers to.
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
    /// The board that they belong to.
    pub board: Arc<Board>,
    /// Whether the circuit is timed, so that there are glitches.
    pub in_time: bool,
}

impl Wires {
    /// The wires of an engine, if it has wires.
    #[must_use]
    pub fn of(engine: &dyn Engine) -> Option<Self> {
        engine.circuit().map(|circuit| Self {
            board: Arc::new(circuit.board().clone()),
            in_time: circuit.time_ps().is_some(),
        })
    }
}

//! The actions of the front panel on a board: reset and buttons.

use gray1_isa::panel::{BUTTONS, Buttons};

use crate::circuit::interface::Circuit;
use crate::circuit::unsettled::Unsettled;
use crate::phase::RESET_PHASES;

/// Holds reset long enough; ends in [`Phase::AFTER_RESET`](crate::phase::Phase::AFTER_RESET). Reset
/// moves only while the oscillator is high, clear of its edges.
pub(crate) fn press_reset(circuit: &mut impl Circuit) -> Result<(), Box<Unsettled>> {
    if !circuit.level(circuit.board().oscillator()) {
        circuit.edge()?;
    }
    circuit.set_reset(true)?;
    circuit.edges(RESET_PHASES)?;
    circuit.set_reset(false)
}

/// Tells the program which buttons are held.
pub(crate) fn hold(circuit: &mut impl Circuit, buttons: Buttons) -> Result<(), Box<Unsettled>> {
    circuit.poke(BUTTONS, buttons.0)
}

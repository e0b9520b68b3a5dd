//! Actions of the front panel on a board: reset and buttons.

use gray1_board::phase::RESET_PHASES;
use gray1_isa::panel::{BUTTONS, Buttons};

use crate::interface::Circuit;
use crate::unsettled::Unsettled;

/// Presses reset. Ends in [`Phase::AFTER_RESET`](gray1_board::phase::Phase::AFTER_RESET). Reset
/// changes only while the oscillator is high, away from its edges.
///
/// # Errors
/// If the board does not settle.
pub fn press_reset(circuit: &mut impl Circuit) -> Result<(), Box<Unsettled>> {
    if !circuit.level(circuit.board().oscillator()) {
        circuit.edge()?;
    }
    circuit.set_reset(true)?;
    circuit.edges(RESET_PHASES)?;
    circuit.set_reset(false)
}

/// Sets the buttons that the program sees as pressed.
///
/// # Errors
/// If the board does not settle.
pub fn set_buttons(circuit: &mut impl Circuit, buttons: Buttons) -> Result<(), Box<Unsettled>> {
    circuit.poke(BUTTONS, buttons.0)
}

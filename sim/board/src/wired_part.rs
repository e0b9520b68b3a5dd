//! Parts that are soldered around the chips and that no engine runs: the clock, LEDs, resistors,
//! buttons, modules. A board needs them; what a program does is not affected by them.

use serde::Deserialize;

use super::pins::{PartPin, PinUse};
use super::sources::Sources;

/// A part that is wired, not simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WiredPart {
    /// The name that a board calls it by, and its value in schematics.
    pub name: String,
    /// What it is, for a buyer.
    pub description: String,
    /// The letters that schematics call such parts by: `R`, `D`, `U`.
    pub letter: String,
    /// The package.
    pub package: String,
    /// The distance of the two rows of a DIP, in µm. Such a part gets a socket.
    pub row_um: Option<u32>,
    /// Its pins, from pin 1 on.
    pub pins: Vec<PartPin>,
    /// Its part in making clock and reset.
    pub does: WiredRole,
    /// The current that it takes from the supply, in µA; of an LED's resistor, while it is lit.
    pub supply_ua: u32,
    /// A name under which it can be ordered.
    pub order: Option<String>,
    /// Traps for a buyer.
    pub notes: Vec<String>,
    /// The origin of these facts.
    pub sources: Sources,
}

/// What a wired part does to the wires of clock and reset. Pins are given by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum WiredRole {
    /// Nothing that a proof has to know.
    #[default]
    Nothing,
    /// A square wave, whose halves need not be equal.
    Oscillator {
        /// The output.
        out: String,
        /// Its frequency.
        hz: u32,
    },
    /// Flip-flops in one package.
    FlipFlops(Vec<FlipFlop>),
    /// Pulls a wire low while the supply comes up, and after its button was pressed.
    Supervisor {
        /// The wire.
        out: String,
        /// The shortest time for which it is low, in ms.
        low_ms: u32,
    },
}

/// A flip-flop that takes D as its clock rises.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlipFlop {
    /// The pin of its input D.
    pub d: String,
    /// The pin of its clock.
    pub clock: String,
    /// The pin that sets it while low.
    pub set_low: String,
    /// The pin that clears it while low.
    pub clear_low: String,
    /// The pin of its output.
    pub q: String,
    /// The pin of its inverted output.
    pub not_q: String,
}

impl WiredPart {
    /// The place of the pin of this name.
    #[must_use]
    pub fn pin(&self, name: &str) -> Option<usize> {
        self.pins.iter().position(|pin| pin.name == name)
    }

    /// Refuses pins that a wired part does not have, and roles of pins that it lacks.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_wired = |what: &PinUse| {
            let fixed = [PinUse::Supply, PinUse::Ground, PinUse::NotConnected];
            matches!(what, PinUse::Wired(_)) || fixed.contains(what)
        };
        for (at, pin) in self.pins.iter().enumerate() {
            let name = &pin.name;
            if !is_wired(&pin.what) {
                return Err(format!(
                    "the pin '{name}': expected VCC, GND, NC or NAME=input|output|both|passive|pull"
                ));
            }
            if matches!(pin.what, PinUse::Wired(_)) && self.pin(name) != Some(at) {
                return Err(format!("two pins are called '{name}'"));
            }
        }
        let names = match &self.does {
            WiredRole::Nothing => vec![],
            WiredRole::Oscillator { out, .. } | WiredRole::Supervisor { out, .. } => vec![out],
            WiredRole::FlipFlops(all) => all
                .iter()
                .flat_map(|it| [&it.d, &it.clock, &it.set_low, &it.clear_low, &it.q, &it.not_q])
                .collect(),
        };
        match names.into_iter().find(|name| self.pin(name).is_none()) {
            Some(unknown) => Err(format!("there is no pin '{}'", unknown.escape_debug())),
            None => Ok(()),
        }
    }
}

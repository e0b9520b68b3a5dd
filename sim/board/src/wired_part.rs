//! Parts that are soldered around the chips but not simulated: the clock, LEDs, resistors, buttons
//! and modules. A board needs them, but they do not affect what a program does.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::pins::{PartPin, PinUse};
use super::sources::FactSources;

/// A part that is wired but not simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WiredPart {
    /// The name that boards use for it. Schematics show it as the value.
    pub name: String,
    /// A description for buyers.
    pub description: String,
    /// The letters of its reference designator: `R`, `D`, `U`.
    pub letter: String,
    /// The package.
    pub package: String,
    /// The distance between the two rows of a DIP, in µm. A part with a distance gets a socket.
    pub row_um: Option<u32>,
    /// The pins, pin 1 first.
    pub pins: Vec<PartPin>,
    /// What it does for clock and reset.
    pub does: WiredRole,
    /// The supply current, in µA. For the resistor of an LED, the current while the LED is on.
    pub supply_ua: u32,
    /// An orderable part number.
    pub order: Option<String>,
    /// Pitfalls when buying.
    pub notes: Vec<String>,
    /// The sources of these facts.
    pub sources: FactSources,
}

/// A part that is soldered around the chips, as a description wires it. `gray1-hardware` checks
/// whether its pins exist and its wires make sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AroundPart {
    /// The name on the board.
    pub name: String,
    /// The kind of part that is used.
    pub part: Arc<WiredPart>,
    /// The wire of each pin, by the name of the pin: `0` is ground, `1` the supply. A wire may
    /// belong to the board, or connect only parts around it.
    pub pins: BTreeMap<String, String>,
}

/// What a wired part does to the wires of clock and reset. The fields have the names of its pins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum WiredRole {
    /// Nothing that affects a proof.
    #[default]
    Nothing,
    /// A square wave. Its duty cycle may differ from 50 %.
    Oscillator {
        /// The output.
        out: String,
        /// The frequency in hertz.
        hz: u32,
    },
    /// Flip-flops in one package.
    FlipFlops(Vec<FlipFlop>),
    /// Pulls a wire low while the supply rises and after the button on that wire is pressed.
    Supervisor {
        /// The wire.
        out: String,
        /// The minimum duration of the low level, in ms.
        low_ms: u32,
    },
}

/// A flip-flop that samples D at the rising edge of its clock.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlipFlop {
    /// The data input.
    pub d: String,
    /// The clock input.
    pub clock: String,
    /// The active-low set input.
    pub set_low: String,
    /// The active-low clear input.
    pub clear_low: String,
    /// The output.
    pub q: String,
    /// The inverted output.
    pub not_q: String,
}

impl WiredPart {
    /// Returns the index of the pin with this name.
    pub fn pin(&self, name: &str) -> Option<usize> {
        self.pins.iter().position(|pin| pin.name == name)
    }

    /// Checks that its pins are allowed and that the pins of its role exist.
    pub(super) fn check(&self) -> Result<(), String> {
        let fixed = [PinUse::Supply, PinUse::Ground, PinUse::NotConnected];
        for (at, pin) in self.pins.iter().enumerate() {
            let name = &pin.name;
            let is_wired = matches!(pin.usage, PinUse::Wired(_));
            if !is_wired && !fixed.contains(&pin.usage) {
                return Err(format!(
                    "the pin '{name}': expected VCC, GND, NC or NAME=input|output|both|passive|pull"
                ));
            }
            if is_wired && self.pin(name) != Some(at) {
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

//! The parts that are soldered around the chips, connected by the names of their pins. They are not
//! simulated.

use gray1_board::{AroundPart, BoardError, PinUse, WiredPart, WiredPin};

/// A support part of a board, for example a resistor, a button, an LED or part of the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportPart<'a> {
    /// The name on the board.
    pub name: &'a str,
    /// The kind of part that is used.
    pub part: &'a WiredPart,
    /// The connections of its pins, pin 1 first.
    pub connections: Vec<Connection<'a>>,
}

/// The connection of a pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connection<'a> {
    /// Not connected.
    Open,
    /// Tied to ground (`false`) or to the supply (`true`).
    Tied(bool),
    /// Connected to the wire with this name. The wire belongs to the board or connects only support
    /// parts.
    Wire(&'a str),
}

impl<'a> SupportPart<'a> {
    pub(super) fn new(described: &'a AroundPart) -> Result<Self, BoardError> {
        let AroundPart { name, part, pins } = described;
        let refuse = |wrong: String| Err(BoardError::at(name, wrong));
        for key in pins.keys() {
            let usage = part.pin(key).map(|at| &part.pins[at].usage);
            if !matches!(usage, Some(PinUse::Wired(_))) {
                let (key, part) = (key.escape_debug(), &part.name);
                return refuse(format!("the {part} has no pin '{key}' to wire"));
            }
        }
        let mut connections = Vec::new();
        for pin in &part.pins {
            let connection = match (&pin.usage, pins.get(&pin.name).map(String::as_str)) {
                (PinUse::Supply, _) | (PinUse::Wired(_), Some("1")) => Connection::Tied(true),
                (PinUse::Ground, _) | (PinUse::Wired(_), Some("0")) => Connection::Tied(false),
                (PinUse::Wired(_), Some(wire)) => Connection::Wire(wire),
                (PinUse::Wired(WiredPin::Input | WiredPin::Both | WiredPin::Passive), None) => {
                    let (pin, part) = (&pin.name, &part.name);
                    return refuse(format!("pin {pin} of the {part} is not connected"));
                }
                _ => Connection::Open,
            };
            connections.push(connection);
        }
        Ok(Self { name, part, connections })
    }

    /// Finds the connection of a pin by the name of the pin.
    pub fn connection(&self, pin: &str) -> Option<Connection<'a>> {
        self.part.pin(pin).map(|at| self.connections[at])
    }
}

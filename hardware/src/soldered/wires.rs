//! Checks the wires of the parts that are soldered around the chips.

use std::collections::BTreeMap;

use gray1_board::{Board, BoardError, Driver, NetId, PinUse, WiredPin};

use super::support_part::{Connection, SupportPart};

/// The pins that are connected to one wire.
#[derive(Default)]
struct PinsOnWire {
    /// Pins that always drive the wire.
    drivers: Vec<String>,
    input: Option<String>,
    /// The number of pins through which something else can drive the wire: pins of resistors, LEDs
    /// and buttons, bidirectional pins, and open-drain outputs.
    passive: usize,
    pins: usize,
}

/// Rejects wires that end at one pin, float, or have two drivers.
pub(super) fn check(board: &Board, all: &[SupportPart<'_>]) -> Result<(), BoardError> {
    let mut wires: BTreeMap<&str, PinsOnWire> = BTreeMap::new();
    for wired in all {
        for (pin, connection) in wired.part.pins.iter().zip(&wired.connections) {
            let (Connection::Wire(wire), PinUse::Wired(what)) = (*connection, &pin.usage) else {
                continue;
            };
            let on = wires.entry(wire).or_default();
            let name = format!("{}.{}", wired.name, pin.name);
            on.pins += 1;
            match what {
                WiredPin::Input => _ = on.input.get_or_insert(name),
                WiredPin::Output => on.drivers.push(name),
                WiredPin::Both | WiredPin::Passive | WiredPin::Pull => on.passive += 1,
            }
        }
    }
    for (wire, on) in &wires {
        let net = board.net_named(wire);
        let mut drivers = on.drivers.clone();
        drivers.extend(net.and_then(|net| chip_driving(board, net)));
        if let [first, second, ..] = &drivers[..] {
            return Err(BoardError::drivers_meet(wire, first, second));
        }
        let refuse = |what: &str| {
            let part = all.iter().find(|it| it.connections.contains(&Connection::Wire(wire)));
            let place = part.map_or("", |part| part.name);
            Err(BoardError::at(place, format!("the wire '{wire}' {what}")))
        };
        if net.is_none() && on.pins == 1 {
            return refuse("ends at this pin");
        }
        if drivers.is_empty() && on.passive == 0 {
            return refuse("is driven by nothing");
        }
    }
    // A board that has its own clock must also drive all other wires that usually come from
    // outside.
    let mut outside = board.nets().iter().filter(|net| net.driver == Driver::Outside);
    match outside.find(|net| !all.is_empty() && !wires.contains_key(net.name())) {
        Some(net) => {
            let net = net.name();
            let wrong = format!("no part drives the wire '{net}', which comes from outside");
            Err(BoardError::at("around", wrong))
        }
        None => Ok(()),
    }
}

/// Returns the name of the data pin that drives a wire.
fn chip_driving(board: &Board, net: NetId) -> Option<String> {
    let pin = board.net(net).driver.pins().next()?;
    Some(format!("{}.D{}", board.chip(pin.chip).name(), pin.pin))
}

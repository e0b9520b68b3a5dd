//! Adds what a board has in addition to its chips: support parts, and filters on wires.

use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::board::Board;
use super::chip::Chip;
use super::document::{FilterEntry, SupportEntry};
use super::error::BoardError;
use super::filter::Filter;
use super::names::{self, Names, check_count};
use super::net::{Driver, NetId, Output};
use super::parts::Parts;
use super::pins::{PartPin, PinUse, WiredPin};
use super::support_parts::{Connection, SupportPart};

/// The maximum number of support parts on a board.
const PARTS_MAX: usize = 1024;
/// The allowed values: resistances in ohms, and capacitances in pF.
const VALUES: RangeInclusive<u32> = 1..=100_000;

/// Creates the support parts that a description lists under `around`.
pub(super) fn create_parts(
    board: &Board,
    entries: &[SupportEntry],
    parts: &Parts,
) -> Result<Vec<SupportPart>, BoardError> {
    let mut all = Vec::new();
    for entry in entries {
        all.extend(entry.create(parts)?);
        check_count("support parts", all.len(), PARTS_MAX)?;
    }
    let mut seen: HashSet<&str> = board.chips().iter().map(Chip::name).collect();
    if let Some(twice) = all.iter().find(|wired: &&SupportPart| !seen.insert(&wired.name)) {
        return Err(BoardError::duplicate_name(&twice.name));
    }
    check_wires(board, &all)?;
    Ok(all)
}

impl SupportEntry {
    fn create(&self, parts: &Parts) -> Result<Vec<SupportPart>, BoardError> {
        let part = parts.wired_named(&self.part).ok_or_else(|| {
            let known = parts.wired().map(|part| part.name.as_str());
            BoardError::unknown_part(&self.name, &self.part, known)
        })?;
        let names = names::expand_names(&self.name, &self.name)?;
        let mut all: Vec<SupportPart> = names
            .into_iter()
            .enumerate()
            .map(|(at, name)| {
                let (part, connections) =
                    (Arc::clone(part), part.pins.iter().map(default_connection).collect());
                SupportPart { name, part, sheet: self.sheet, connections, is_first: at == 0 }
            })
            .collect();
        for (key, wires) in &self.pins {
            self.connect(&mut all, key, wires)?;
        }
        for wired in &all {
            for (pin, connection) in part.pins.iter().zip(&wired.connections) {
                let may_be_open = [WiredPin::Output, WiredPin::Pull].map(PinUse::Wired);
                let is_open =
                    matches!(pin.usage, PinUse::Wired(_)) && *connection == Connection::Open;
                if is_open && !may_be_open.contains(&pin.usage) {
                    let reason = format!("pin {} of the {} is not connected", pin.name, part.name);
                    return Err(BoardError::at(&wired.name, reason));
                }
            }
        }
        Ok(all)
    }

    /// Connects the pins that a key of `pins` names.
    fn connect(
        &self,
        all: &mut [SupportPart],
        key: &str,
        wires: &[String],
    ) -> Result<(), BoardError> {
        let refuse = |reason: String| BoardError::at(&self.name, reason);
        let place = format!("{}: {key}", self.name);
        let part = Arc::clone(&all[0].part);
        let is_wired = |at: &usize| matches!(part.pins[*at].usage, PinUse::Wired(_));
        let pins: Option<Vec<usize>> =
            pin_names(key).iter().map(|name| part.pin(name).filter(is_wired)).collect();
        let pins = pins.ok_or_else(|| {
            refuse(format!("the {} has no pin '{}' to wire", part.name, key.escape_debug()))
        })?;
        let mut connections = Vec::new();
        for text in wires {
            match text.as_str() {
                "0" => connections.push(Connection::Tied(false)),
                "1" => connections.push(Connection::Tied(true)),
                _ => connections
                    .extend(names::expand_names(&place, text)?.into_iter().map(Connection::Wire)),
            }
        }
        let (found, wanted) = (connections.len(), all.len() * pins.len());
        if ![1, wanted].contains(&found) {
            let one = if wanted == 1 { "" } else { "1 or " };
            return Err(refuse(format!("{key}: {found} wires are listed, expected {one}{wanted}")));
        }
        let mut connections = connections.iter().cycle();
        for wired in all {
            for (&pin, connection) in pins.iter().zip(&mut connections) {
                wired.connections[pin] = connection.clone();
            }
        }
        Ok(())
    }
}

/// Returns the connection of a pin that the description does not mention.
const fn default_connection(pin: &PartPin) -> Connection {
    match pin.usage {
        PinUse::Supply => Connection::Tied(true),
        PinUse::Ground => Connection::Tied(false),
        _ => Connection::Open,
    }
}

/// Expands a key to pin names, so `A0-3` becomes `A0`, `A1`, `A2`, `A3`.
fn pin_names(key: &str) -> Vec<String> {
    let range = key.split_once('-').and_then(|(first, last)| {
        let name = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let [first, last]: [u8; 2] = [first[name.len()..].parse().ok()?, last.parse().ok()?];
        Some((first..=last).map(|n| format!("{name}{n}")).collect())
    });
    range.unwrap_or_else(|| vec![key.to_owned()])
}

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
fn check_wires(board: &Board, all: &[SupportPart]) -> Result<(), BoardError> {
    let mut wires: BTreeMap<&str, PinsOnWire> = BTreeMap::new();
    for wired in all {
        for (pin, connection) in wired.part.pins.iter().zip(&wired.connections) {
            let (Connection::Wire(wire), PinUse::Wired(what)) = (connection, &pin.usage) else {
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
        let place =
            || all.iter().find(|it| it.connections.contains(&Connection::Wire((*wire).to_owned())));
        let refuse = |what: &str| {
            let chip = place().map_or("", |wired| &wired.name);
            Err(BoardError::at(chip, format!("the wire '{wire}' {what}")))
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
    let mut outside = board.nets().iter().filter(|net| net.driver() == Driver::Outside);
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
    let pin = board.net(net).driver().pins().next()?;
    Some(format!("{}.D{}", board.chip(pin.chip).name(), pin.pin))
}

/// Adds the filters that a description lists.
pub(super) fn add_filters(
    board: &mut Board,
    entries: &[FilterEntry],
    names: &Names,
) -> Result<(), BoardError> {
    for entry in entries {
        for net in names.wires("filters", &entry.lines)? {
            let name = board.net(net).name();
            let refuse =
                |reason: &str| Err(BoardError::new(format!("the filter of {name}: {reason}")));
            let Driver::Chip(pin) = board.net(net).driver() else {
                return refuse("expected a wire of one chip");
            };
            let chip = board.chip(pin.chip);
            let is_rom = !chip.part().kind.is_ram() && chip.part().logic.is_none();
            if !is_rom || chip.output() != Output::Always {
                return refuse("expected the output of a ROM that is always on");
            }
            if board.net(net).filter().is_some() {
                return refuse("it has one already");
            }
            let wire = Connection::Wire(name.to_owned());
            let around = board.support_parts().iter().flat_map(SupportPart::connections);
            let inputs = board.readers(net).count() + around.filter(|it| **it == wire).count();
            let filter = Filter { ohm: entry.ohm, pf: entry.pf, inputs: inputs as u32 };
            if [entry.ohm, entry.pf].iter().any(|value| !VALUES.contains(value)) {
                return refuse("expected 1 to 100000 ohm and 1 to 100000 pF");
            }
            board.nets[net.index()].filter = Some(filter);
        }
    }
    Ok(())
}

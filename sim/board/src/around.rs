//! Adds what a board has in addition to its chips: the parts around them, and filters on wires.

use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::board::Board;
use super::chip::Chip;
use super::document::{FilterEntry, SupportEntry};
use super::error::BoardError;
use super::names::{self, Names, check_count};
use super::net::{Driver, Filter, Output};
use super::parts::Parts;
use super::wired_part::AroundPart;

/// The maximum number of support parts on a board.
const PARTS_MAX: usize = 1024;
/// The allowed values: resistances in ohms, and capacitances in pF.
const VALUES: RangeInclusive<u32> = 1..=100_000;

/// Lists the parts that a description has under `around`, each with its wires.
pub(super) fn list_parts(
    chips: &[Chip],
    entries: &[SupportEntry],
    parts: &Parts,
) -> Result<Vec<AroundPart>, BoardError> {
    let mut all = Vec::new();
    for entry in entries {
        all.extend(entry.expand(parts)?);
        check_count("support parts", all.len(), PARTS_MAX)?;
    }
    let mut seen: HashSet<&str> = chips.iter().map(Chip::name).collect();
    if let Some(twice) = all.iter().find(|part: &&AroundPart| !seen.insert(&part.name)) {
        return Err(BoardError::duplicate_name(&twice.name));
    }
    Ok(all)
}

impl SupportEntry {
    fn expand(&self, parts: &Parts) -> Result<Vec<AroundPart>, BoardError> {
        let part = parts.wired_named(&self.part).ok_or_else(|| {
            let known = parts.wired().map(|part| part.name.as_str());
            BoardError::unknown_part(&self.name, &self.part, known)
        })?;
        let names = names::expand_names(&self.name, &self.name)?;
        let mut all = Vec::new();
        for name in names {
            all.push(AroundPart { name, part: Arc::clone(part), pins: BTreeMap::new() });
        }
        for (key, wires) in &self.pins {
            self.connect(&mut all, key, wires)?;
        }
        Ok(all)
    }

    /// Connects the pins that a key of `pins` names.
    fn connect(
        &self,
        all: &mut [AroundPart],
        key: &str,
        texts: &[String],
    ) -> Result<(), BoardError> {
        let place = format!("{}: {key}", self.name);
        let mut wires = Vec::new();
        for text in texts {
            match text.as_str() {
                "0" | "1" => wires.push(text.clone()),
                _ => wires.extend(names::expand_names(&place, text)?),
            }
        }
        let pins = pin_names(key);
        let (found, wanted) = (wires.len(), all.len() * pins.len());
        if ![1, wanted].contains(&found) {
            let one = if wanted == 1 { "" } else { "1 or " };
            let wrong = format!("{key}: {found} wires are listed, expected {one}{wanted}");
            return Err(BoardError::at(&self.name, wrong));
        }
        let mut wires = wires.into_iter().cycle();
        for part in all {
            part.pins.extend(pins.iter().cloned().zip(&mut wires));
        }
        Ok(())
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
            let Driver::Chip(pin) = board.net(net).driver else {
                return refuse("expected a wire of one chip");
            };
            let chip = board.chip(pin.chip);
            let is_rom = !chip.part().kind.is_ram() && chip.part().logic.is_none();
            if !is_rom || chip.output != Output::Always {
                return refuse("expected the output of a ROM that is always on");
            }
            if board.net(net).filter.is_some() {
                return refuse("it has one already");
            }
            let around = board.around().iter().flat_map(|it| it.pins.values());
            let inputs = board.readers(net).count() + around.filter(|it| *it == name).count();
            let filter = Filter { ohm: entry.ohm, pf: entry.pf, inputs: inputs as u32 };
            if [entry.ohm, entry.pf].iter().any(|value| !VALUES.contains(value)) {
                return refuse("expected 1 to 100000 ohm and 1 to 100000 pF");
            }
            board.nets[net.index()].filter = Some(filter);
        }
    }
    Ok(())
}

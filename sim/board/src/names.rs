//! Wire names in descriptions: `NAME`, `NAME.3`, `NAME.0-7`, the name of a group, `0`, `1`.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::error::BoardError;
use super::net::{NetId, Source};

/// The maximum length of a list of wires, far above the number of pins of any part.
const LIST_MAX: usize = 1024;

/// The wires and groups of a board by name.
#[derive(Default)]
pub(super) struct Names {
    nets: HashMap<String, NetId>,
    groups: HashMap<String, Vec<Source>>,
}

impl Names {
    /// Returns the wire with this name. Adds it with the number `next` if it does not exist.
    pub(super) fn define(&mut self, name: &str, next: usize) -> NetId {
        *self.nets.entry(name.to_owned()).or_insert(NetId(next as u16))
    }

    /// Defines a name for several wires.
    pub(super) fn define_group(&mut self, name: &str, wires: &[String]) -> Result<(), BoardError> {
        check_name(name)?;
        let sources = self.sources(&format!("the group {name}"), wires)?;
        // Otherwise `NAME.3` could be a member of the group or a separate wire.
        let is_wire = self.nets.keys().any(|net| net.split('.').next() == Some(name));
        if is_wire || self.groups.insert(name.to_owned(), sources).is_some() {
            return Err(BoardError::duplicate_name(name));
        }
        Ok(())
    }

    /// Resolves a list of names to sources, in order. `place` locates the list in errors.
    pub(super) fn sources(&self, place: &str, texts: &[String]) -> Result<Vec<Source>, BoardError> {
        let mut sources = Vec::new();
        for text in texts {
            match text.as_str() {
                "0" => sources.push(Source::Tied(false)),
                "1" => sources.push(Source::Tied(true)),
                _ => self.expand(place, text, &mut sources)?,
            }
            check_count("wires in one list", sources.len(), LIST_MAX)?;
        }
        Ok(sources)
    }

    /// Resolves a list of names to wires. Returns an error for a tied level.
    pub(super) fn wires(&self, place: &str, texts: &[String]) -> Result<Vec<NetId>, BoardError> {
        self.sources(place, texts)?.into_iter().map(|source| wire(place, source)).collect()
    }

    /// Resolves a list of names to exactly `expected` wires.
    pub(super) fn wires_exactly(
        &self,
        of: &str,
        texts: &[String],
        expected: usize,
    ) -> Result<Vec<NetId>, BoardError> {
        let wires = self.wires(of, texts)?;
        let found = wires.len();
        if found == expected {
            return Ok(wires);
        }
        Err(BoardError::at(of, format!("{found} wires are listed, expected {expected}")))
    }

    /// Resolves a name to a single wire.
    pub(super) fn wire(&self, place: &str, text: &str) -> Result<NetId, BoardError> {
        match self.wires(place, &[text.to_owned()])?[..] {
            [wire] => Ok(wire),
            _ => Err(bad_wire(place, text)),
        }
    }

    fn expand(&self, place: &str, text: &str, into: &mut Vec<Source>) -> Result<(), BoardError> {
        let Some((name, range)) = parse(text) else {
            return Err(bad_wire(place, text));
        };
        let unknown =
            |net: &str| BoardError::at(place, format!("there is no wire '{}'", net.escape_debug()));
        match (self.groups.get(name), range) {
            (Some(group), None) => into.extend(group),
            (Some(group), Some(range)) => {
                let wires = group.get(usize::from(*range.start())..=usize::from(*range.end()));
                into.extend(wires.ok_or_else(|| unknown(text))?);
            }
            (None, None) => into.push(self.net(name).ok_or_else(|| unknown(name))?),
            (None, Some(range)) => {
                for index in range {
                    let name = format!("{name}.{index}");
                    into.push(self.net(&name).ok_or_else(|| unknown(&name))?);
                }
            }
        }
        Ok(())
    }

    fn net(&self, name: &str) -> Option<Source> {
        self.nets.get(name).map(|&net| Source::Net(net))
    }
}

/// Splits a name from the range of numbers after it, if there is one.
fn parse(text: &str) -> Option<(&str, Option<RangeInclusive<u8>>)> {
    let Some((name, numbers)) = text.split_once('.') else {
        return is_name(text).then_some((text, None));
    };
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let range = number(first)?..=number(last)?;
    (is_name(name) && !range.is_empty()).then_some((name, Some(range)))
}

/// Expands a definition such as `NAME.0-7` to single names.
pub(super) fn expand_names(place: &str, text: &str) -> Result<Vec<String>, BoardError> {
    let Some((name, range)) = parse(text) else {
        return Err(bad_wire(place, text));
    };
    Ok(match range {
        None => vec![name.to_owned()],
        Some(range) => range.map(|index| format!("{name}.{index}")).collect(),
    })
}

/// Rejects an invalid name.
pub(super) fn check_name(name: &str) -> Result<(), BoardError> {
    if is_name(name) {
        return Ok(());
    }
    let name = name.escape_debug();
    Err(BoardError::new(format!(
        "invalid name '{name}' (expected letters, digits and '_', a letter first)"
    )))
}

/// Rejects more than `max` of something.
pub(super) fn check_count(what: &str, found: usize, max: usize) -> Result<(), BoardError> {
    if found <= max {
        return Ok(());
    }
    Err(BoardError::new(format!("the board has {found} {what}; at most {max} are supported")))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Parses a number that has only digits. `parse` would also accept a sign.
pub(super) fn number(digits: &str) -> Option<u8> {
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_plain)
}

fn wire(place: &str, source: Source) -> Result<NetId, BoardError> {
    match source {
        Source::Net(net) => Ok(net),
        Source::Tied(level) => Err(bad_wire(place, if level { "1" } else { "0" })),
    }
}

fn bad_wire(place: &str, text: &str) -> BoardError {
    let wrong = format!(
        "invalid wire '{}' (expected NAME, NAME.3 or NAME.0-7; an address pin may also be tied \
         to 0 or 1)",
        text.escape_debug()
    );
    BoardError::at(place, wrong)
}

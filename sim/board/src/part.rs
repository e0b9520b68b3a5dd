//! Parts of a catalogue, mostly memory chips: pins, package, times, levels, programmer and sources.
//! The data are in `roms/parts.ron` and in the descriptions of boards.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::pins::{self, PartPin, PinUse};
use super::sources::FactSources;
use super::wired_part::{WiredPart, WiredRole};

/// The maximum access time that a board may give a chip, in ns. No part comes close.
pub const ACCESS_NS_MAX: u32 = 1_000_000;
/// The allowed distance between the rows of pins, in µm.
const ROW_UM: RangeInclusive<u32> = 1_000..=100_000;
/// The maximum length of a part's name.
const NAME_MAX: usize = 40;
/// The maximum length of the letters of a reference designator.
const LETTERS_MAX: usize = 2;

/// A memory chip or logic part in a catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name that boards use for it.
    pub name: String,
    /// Its technology.
    pub kind: PartKind,
    /// The function of a logic part. It is built in, so the part is not burned.
    pub logic: Option<Logic>,
    /// The package of the most common version: a name, a hyphen and the number of pins.
    pub package: String,
    /// The distance between the two rows of a DIP, in µm.
    pub row_um: Option<u32>,
    /// The pins, pin 1 first.
    pub pins: Vec<PartPin>,
    /// The number of address bits. In a latch, the data pins count as the upper address bits,
    /// because they are fed back internally.
    pub address_bits: u8,
    /// The number of data pins.
    pub data_bits: u8,
    /// The access time of a common speed grade in ns: the maximum time from the last change of the
    /// address to valid data. Other grades exist, so a board may specify another time.
    pub access_ns: u32,
    /// The maximum time, in ns, until the data pins are high-impedance after output enable went
    /// high or write enable went low.
    pub disable_ns: Option<u32>,
    /// Voltage levels and currents.
    pub levels: Option<ElectricalLevels>,
    /// The kind of programmer that burns it. `None` for a RAM.
    pub programmer: Option<String>,
    /// The device name that the program `minipro` uses.
    pub minipro: Option<String>,
    /// An orderable part number.
    pub order: Option<String>,
    /// Pitfalls when buying.
    pub notes: Vec<String>,
    /// The sources of these facts.
    pub sources: FactSources,
}

/// The technology of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum PartKind {
    /// Programmed once, not erasable.
    Prom,
    /// Programmed electrically, and erased to all ones by ultraviolet light.
    Eprom,
    /// Programmed and erased electrically, byte by byte.
    Eeprom,
    /// Programmed and erased electrically, sector by sector.
    Flash,
    /// Static RAM.
    Ram,
    /// Static RAM with two ports. Each port has separate address and data pins.
    DualPortRam,
    /// A logic part, whose function is fixed when it is made.
    Logic,
}

/// The function of a logic part, described as a table of its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Logic {
    /// A decoder. The lowest address pins select a data pin, which is high while all enables are
    /// on. The enables are the address pins above.
    Decoder {
        /// The number of active-low enables. They come first.
        low: u8,
        /// The number of active-high enables.
        high: u8,
    },
    /// A transparent latch. The data pins follow the lowest address pins while the next address pin
    /// is high, and hold their level while it is low. The feedback is internal and has no pins.
    Latch,
}

/// Worst-case voltage levels in mV, and currents.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElectricalLevels {
    /// The highest input level that reads low.
    pub input_low_mv: u32,
    /// The lowest input level that reads high.
    pub input_high_mv: u32,
    /// The highest level of a low output.
    pub output_low_mv: u32,
    /// The lowest level of a high output.
    pub output_high_mv: u32,
    /// The current out of a low input, in µA.
    pub input_low_ua: u32,
    /// The supply current during reads, in mA.
    pub supply_ma: u32,
}

/// An entry of a catalogue.
#[derive(Deserialize)]
#[serde(try_from = "PartDescription")]
pub(super) enum CatalogueEntry {
    Chip(Part),
    Wired(WiredPart),
}

/// A part as written in a catalogue. A part with a reference letter is wired but not simulated.
#[derive(Deserialize)]
#[serde(rename = "Part", deny_unknown_fields)]
struct PartDescription {
    name: String,
    kind: Option<PartKind>,
    logic: Option<Logic>,
    letter: Option<String>,
    description: Option<String>,
    package: String,
    row_um: Option<u32>,
    pins: Vec<PartPin>,
    access_ns: Option<u32>,
    disable_ns: Option<u32>,
    levels: Option<ElectricalLevels>,
    programmer: Option<String>,
    minipro: Option<String>,
    #[serde(default)]
    does: WiredRole,
    supply_ua: Option<u32>,
    order: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    sources: FactSources,
}

impl TryFrom<PartDescription> for CatalogueEntry {
    type Error = String;

    fn try_from(described: PartDescription) -> Result<Self, String> {
        if described.letter.is_some() {
            described.wired().map(Self::Wired)
        } else {
            Part::try_from(described).map(Self::Chip)
        }
    }
}

impl PartDescription {
    fn wired(self) -> Result<WiredPart, String> {
        let Self { name, kind, package, row_um, pins, access_ns, .. } = self;
        let error = |what: &str| format!("the part {}: {what}", name.escape_debug());
        let is_memory = kind.is_some() || access_ns.is_some() || self.logic.is_some();
        let is_burned = self.programmer.is_some() || self.minipro.is_some();
        let is_chip = is_memory || self.disable_ns.is_some() || is_burned;
        if is_chip || self.levels.is_some() {
            return Err(error(
                "a part with a letter is only wired; leave out kind, times and levels",
            ));
        }
        let letter = self.letter.filter(|letter| {
            letter.len() <= LETTERS_MAX && letter.chars().all(|c| c.is_ascii_uppercase())
        });
        let letter = letter.filter(|letter| !letter.is_empty());
        let part = WiredPart {
            letter: letter.ok_or_else(|| error("expected one or two capital letters"))?,
            description: self.description.unwrap_or_default(),
            does: self.does,
            supply_ua: self.supply_ua.unwrap_or(0),
            order: self.order,
            notes: self.notes,
            sources: self.sources,
            name: name.clone(),
            package,
            row_um,
            pins,
        };
        check_shape(&part.name, part.row_um, &part.package, &part.pins)
            .and_then(|()| part.check())
            .map_err(|wrong| error(&wrong))?;
        Ok(part)
    }
}

/// Rejects an invalid name, row distance or number of pins. A DIP has two rows.
fn check_shape(
    name: &str,
    row_um: Option<u32>,
    package: &str,
    pins: &[PartPin],
) -> Result<(), String> {
    if !is_part_name(name) {
        return Err("expected a name of 1 to 40 letters, digits and '-', '.', '_'".to_owned());
    }
    let pin_count = package.rsplit_once('-').and_then(|(_, count)| count.parse().ok());
    if pin_count != Some(pins.len()) {
        let found = pins.len();
        return Err(format!("{found} pins are listed for the package {package}"));
    }
    if row_um.is_some_and(|um| !ROW_UM.contains(&um)) {
        let [first, last] = [ROW_UM.start(), ROW_UM.end()];
        return Err(format!("expected rows at a distance of {first} to {last} um"));
    }
    Ok(())
}

impl TryFrom<PartDescription> for Part {
    type Error = String;

    fn try_from(described: PartDescription) -> Result<Self, String> {
        let PartDescription { name, kind, package, row_um, pins, access_ns, .. } = described;
        let error = |what: &str| format!("the part {}: {what}", name.escape_debug());
        check_shape(&name, row_um, &package, &pins).map_err(|wrong| error(&wrong))?;
        let kind = kind.ok_or_else(|| error("the field `kind` is missing"))?;
        if described.description.is_some()
            || described.supply_ua.is_some()
            || described.does != WiredRole::Nothing
        {
            return Err(error("description, does and supply_ua belong to parts with a letter"));
        }
        let counts = pins::check(&pins, kind.is_ram()).map_err(|wrong| error(&wrong))?;
        let (mut address_bits, data_bits) = counts;
        match (kind, described.logic) {
            (PartKind::Logic, Some(logic)) if !logic.fits(address_bits, data_bits) => {
                return Err(error("the numbers of address and data pins do not fit its logic"));
            }
            (PartKind::Logic, Some(Logic::Latch)) => address_bits += data_bits,
            (PartKind::Logic, None) => return Err(error("the field `logic` is missing")),
            (PartKind::Logic, Some(Logic::Decoder { .. })) | (_, None) => {}
            (_, Some(_)) => return Err(error("only a part of the kind Logic can have `logic`")),
        }
        let access_ns = access_ns.filter(|ns| (1..=ACCESS_NS_MAX).contains(ns));
        let access_ns = access_ns
            .ok_or_else(|| error(&format!("expected an access time of 1 to {ACCESS_NS_MAX} ns")))?;
        Ok(Self {
            row_um,
            disable_ns: described.disable_ns,
            levels: described.levels,
            programmer: described.programmer,
            minipro: described.minipro,
            order: described.order,
            notes: described.notes,
            sources: described.sources,
            name,
            kind,
            logic: described.logic,
            package,
            pins,
            address_bits,
            data_bits,
            access_ns,
        })
    }
}

impl Part {
    /// The number of bytes that it holds.
    pub const fn bytes(&self) -> usize {
        1 << self.address_bits
    }

    /// The number of address pins.
    pub const fn address_pins(&self) -> u8 {
        match self.logic {
            Some(Logic::Latch) => self.address_bits - self.data_bits,
            Some(Logic::Decoder { .. }) | None => self.address_bits,
        }
    }

    /// Returns whether one of its pins has this use.
    pub fn has(&self, what: &PinUse) -> bool {
        self.pins.iter().any(|pin| pin.usage == *what)
    }

    /// Returns the level of an address pin that `other` has and this part lacks, when `other`
    /// replaces this part. The level comes from this part's socket. It is low if the packages
    /// differ.
    pub(super) fn level_for(&self, other: &Self, address_pin: u8) -> bool {
        let number = other.pins.iter().position(|pin| pin.usage == PinUse::Address(address_pin));
        let here = number.filter(|_| self.package == other.package).map(|at| &self.pins[at].usage);
        matches!(here, Some(PinUse::Tied(true) | PinUse::Supply))
    }
}

impl Logic {
    /// Returns whether a part with this many address and data pins can have this function.
    fn fits(self, address: u8, data: u8) -> bool {
        match self {
            Self::Latch => address == data + 1,
            Self::Decoder { low, high } => {
                let enables = u32::from(low) + u32::from(high);
                let number = u32::from(address).checked_sub(enables);
                number.is_some_and(|number| 1 << number == u32::from(data))
            }
        }
    }
}

impl PartKind {
    /// Returns whether the board can write to it.
    pub const fn is_ram(self) -> bool {
        matches!(self, Self::Ram | Self::DualPortRam)
    }

    /// The value of every byte of a blank chip.
    pub const fn blank(self) -> u8 {
        if matches!(self, Self::Prom) { 0 } else { 0xff }
    }
}

impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Prom => "fuse PROM",
            Self::Eprom => "EPROM",
            Self::Eeprom => "EEPROM",
            Self::Flash => "flash memory",
            Self::Ram => "static RAM",
            Self::DualPortRam => "dual-port static RAM",
            Self::Logic => "logic",
        })
    }
}

fn is_part_name(name: &str) -> bool {
    (1..=NAME_MAX).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
}

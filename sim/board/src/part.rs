//! Parts, memory for the most part, as a catalogue lists them: pins, package, times, levels,
//! programmer, sources. They are data, in `roms/parts.ron` and in the descriptions of boards.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::pins::{self, PartPin, PinUse};
use super::sources::Sources;
use super::wired_part::{WiredPart, WiredRole};

/// The longest access time, in ns, that a board may give a chip: far more than any part's.
pub const ACCESS_NS_MAX: u32 = 1_000_000;
/// Distances of rows of pins.
const ROW_UM: RangeInclusive<u32> = 1_000..=100_000;
/// The longest name of a part.
const NAME_MAX: usize = 40;
/// The most letters before the number in a schematic.
const LETTERS_MAX: usize = 2;

/// A memory chip, or a logic part, as a catalogue lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name that a board calls it by.
    pub name: String,
    /// Its technology.
    pub kind: PartKind,
    /// What it does, if it is a logic part: that is fixed, and nothing is burned.
    pub logic: Option<Logic>,
    /// The package of the common version: a name, a hyphen, the number of pins.
    pub package: String,
    /// The distance of the two rows of a DIP, in µm.
    pub row_um: Option<u32>,
    /// Its pins, from pin 1 on.
    pub pins: Vec<PartPin>,
    /// The number of bits of its addresses: its address pins, and behind them, in a latch, its own
    /// data pins, which are fed back inside.
    pub address_bits: u8,
    /// The number of data pins that it has.
    pub data_bits: u8,
    /// Access time of a common grade in ns: how long after its last address pin moved the data
    /// wires are right, at the latest. Other grades exist; a board may say which it takes.
    pub access_ns: u32,
    /// How long after its output enable rose, or its write enable fell, the data pins are free, at
    /// the latest, in ns.
    pub disable_ns: Option<u32>,
    /// Currents and levels.
    pub levels: Option<Levels>,
    /// The kind of programmer that burns it; of a RAM, none.
    pub programmer: Option<String>,
    /// The name by which the program `minipro` calls it.
    pub minipro: Option<String>,
    /// A name under which it can be ordered.
    pub order: Option<String>,
    /// Traps for a buyer.
    pub notes: Vec<String>,
    /// The origin of these facts.
    pub sources: Sources,
}

/// The technology of a memory chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum PartKind {
    /// Burned once, for good.
    Prom,
    /// Burned electrically, erased by ultraviolet light to all ones.
    Eprom,
    /// Burned and erased electrically, byte by byte.
    Eeprom,
    /// Burned and erased electrically, sector by sector.
    Flash,
    /// Static RAM.
    Ram,
    /// Static RAM with two ports, each with address and data pins of its own.
    DualPortRam,
    /// A logic part: it is made with its table inside, for good.
    Logic,
}

/// What a logic part does, as a table of its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Logic {
    /// The data pin whose number the lowest address pins carry is high while all enables, the
    /// address pins above them, are on.
    Decoder {
        /// The number of enables that are on while low; they come first.
        low: u8,
        /// The number of enables that are on while high.
        high: u8,
    },
    /// The data pins follow as many address pins while the next one is high, and keep what they
    /// showed while it is low. The part has no pins for its feedback.
    Latch,
}

/// Worst-case levels of pins in mV, and currents.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// An input at this level or below reads low.
    pub input_low_mv: u32,
    /// An input at this level or above reads high.
    pub input_high_mv: u32,
    /// An output that is low stays at or below this level.
    pub output_low_mv: u32,
    /// An output that is high stays at or above this level.
    pub output_high_mv: u32,
    /// The current that flows out of an input while it is low, in µA.
    pub input_low_ua: u32,
    /// The current of the supply while the chip is read, in mA.
    pub supply_ma: u32,
}

/// An entry of a catalogue.
#[derive(Deserialize)]
#[serde(try_from = "PartDescription")]
pub(super) enum CatalogueEntry {
    Chip(Part),
    Wired(WiredPart),
}

/// A part as its entry is written. One with a letter is wired, not simulated.
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
    levels: Option<Levels>,
    programmer: Option<String>,
    minipro: Option<String>,
    #[serde(default)]
    does: WiredRole,
    supply_ua: Option<u32>,
    order: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    sources: Sources,
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
        let of = |what: &str| format!("the part {}: {what}", name.escape_debug());
        let is_memory = kind.is_some() || access_ns.is_some() || self.logic.is_some();
        let is_burned = self.programmer.is_some() || self.minipro.is_some();
        let is_chip = is_memory || self.disable_ns.is_some() || is_burned;
        if is_chip || self.levels.is_some() {
            return Err(of("a part with a letter is only wired: it has no kind, times, levels"));
        }
        let letter = self.letter.filter(|letter| {
            letter.len() <= LETTERS_MAX && letter.chars().all(|c| c.is_ascii_uppercase())
        });
        let letter = letter.filter(|letter| !letter.is_empty());
        let part = WiredPart {
            letter: letter.ok_or_else(|| of("expected one or two capital letters"))?,
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
            .map_err(|wrong| of(&wrong))?;
        Ok(part)
    }
}

/// Refuses a name, a distance of rows or a number of pins that cannot be. A DIP has two rows.
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
        let of = |what: &str| format!("the part {}: {what}", name.escape_debug());
        check_shape(&name, row_um, &package, &pins).map_err(|wrong| of(&wrong))?;
        let kind = kind.ok_or_else(|| of("expected its kind"))?;
        if described.description.is_some()
            || described.supply_ua.is_some()
            || described.does != WiredRole::Nothing
        {
            return Err(of("description, does and supply_ua belong to parts with a letter"));
        }
        let counts = pins::check(&pins, kind.is_ram()).map_err(|wrong| of(&wrong))?;
        let (mut address_bits, data_bits) = counts;
        match (kind, described.logic) {
            (PartKind::Logic, Some(logic)) if !logic.fits(address_bits, data_bits) => {
                return Err(of("expected other numbers of address and data pins"));
            }
            (PartKind::Logic, Some(Logic::Latch)) => address_bits += data_bits,
            (PartKind::Logic, None) => return Err(of("expected what its logic is")),
            (PartKind::Logic, Some(Logic::Decoder { .. })) | (_, None) => {}
            (_, Some(_)) => return Err(of("only a part of the kind Logic has a logic")),
        }
        let access_ns = access_ns.filter(|ns| (1..=ACCESS_NS_MAX).contains(ns));
        let access_ns = access_ns
            .ok_or_else(|| of(&format!("expected an access time of 1 to {ACCESS_NS_MAX} ns")))?;
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
    #[must_use]
    pub const fn bytes(&self) -> usize {
        1 << self.address_bits
    }

    /// The number of address pins.
    #[must_use]
    pub const fn address_pins(&self) -> u8 {
        match self.logic {
            Some(Logic::Latch) => self.address_bits - self.data_bits,
            Some(Logic::Decoder { .. }) | None => self.address_bits,
        }
    }

    /// True if one of its pins has this use.
    #[must_use]
    pub fn has(&self, what: &PinUse) -> bool {
        self.pins.iter().any(|pin| pin.what == *what)
    }

    /// The level that extra address pins of `other` get where it takes the place of this part: the
    /// one that the pin has in this part's socket, else low.
    pub(super) fn level_for(&self, other: &Self, address_pin: u8) -> bool {
        let is_it = |pin: &PartPin| pin.what == PinUse::Address(address_pin);
        let number = other.pins.iter().position(is_it);
        let here = number.filter(|_| self.package == other.package).map(|at| &self.pins[at].what);
        matches!(here, Some(PinUse::Tied(true) | PinUse::Supply))
    }
}

impl Logic {
    /// True if a part with so many pins can do it.
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
    /// True if the board writes it.
    #[must_use]
    pub const fn is_ram(self) -> bool {
        matches!(self, Self::Ram | Self::DualPortRam)
    }

    /// The byte that a blank chip reads.
    #[must_use]
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

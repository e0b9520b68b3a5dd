//! The pins of a part, as listed in `roms/parts.ron`, and how a board uses them.

use serde::Deserialize;

use super::names;

/// The maximum number of address pins of a part, which allows one mebibyte.
const ADDRESS_PINS_MAX: usize = 20;
/// The maximum number of data pins of a part, which allows one byte.
const DATA_PINS_MAX: usize = 8;

/// A pin of a part.
///
/// In a catalogue, a pin is written as its name, or as `NAME=USE` if the name does not imply the
/// use.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PartPin {
    /// The name in data sheets, with `n` as the prefix of active-low pins. Data pins are called
    /// `O`.
    pub name: String,
    /// How a board uses the pin.
    pub usage: PinUse,
}

/// How a board uses a pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PinUse {
    /// `A0`, `A1` and so on: an address pin.
    Address(u8),
    /// `O0`, `O1` and so on: a data pin.
    Data(u8),
    /// `VCC`: the supply.
    Supply,
    /// `GND`: ground.
    Ground,
    /// `nCE`: selects the chip while low.
    ChipEnableLow,
    /// `nOE`: enables the data pins while low.
    OutputEnableLow,
    /// `nWE`: the chip stores the levels of its data pins while low.
    WriteEnableLow,
    /// `1` and `0`: an input that the board ties to this level.
    Tied(bool),
    /// `NC`: not connected inside the part. The board leaves it open.
    NotConnected,
    /// `spare`: not connected inside the part. The board ties it low, so that the socket also fits
    /// a part with an address pin there.
    Spare,
    /// `open`: an output that the board does not use.
    Unused,
    /// `panel input NAME`, `panel output NAME` or `panel data NAME`: a pin on the net `panel:NAME`,
    /// which belongs to the panel.
    Panel(PanelPin, String),
    /// `input`, `output` and so on: a pin of a part that is not simulated. Boards connect it by
    /// name.
    Wired(WiredPin),
}

/// The kind of a pin that boards connect by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WiredPin {
    /// `input`.
    Input,
    /// `output`: always drives.
    Output,
    /// `both`: an input that also drives at times.
    Both,
    /// `passive`: a pin of a resistor, an LED or a button.
    Passive,
    /// `pull`: an open-drain output with an internal resistor to the supply.
    Pull,
}

/// The direction of a pin that belongs to the panel, seen from the chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelPin {
    /// The panel drives it.
    Input,
    /// The chip drives it.
    Output,
    /// Panel and chip both drive it at times.
    Data,
}

/// The forms of a pin, for messages.
const EXPECTED: &str = "expected NAME or NAME=USE with the use A0, O0, VCC, GND, nCE, nOE, nWE, \
    NC, 1, 0, spare, open, or panel input|output|data NAME";

impl TryFrom<String> for PartPin {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (name, usage) = text.split_once('=').unwrap_or((&text, &text));
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
        let usage = PinUse::parse(usage).filter(|_| is_name);
        let usage =
            usage.ok_or_else(|| format!("the pin '{}': {EXPECTED}", text.escape_debug()))?;
        Ok(Self { name: name.to_owned(), usage })
    }
}

impl PinUse {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "VCC" => Self::Supply,
            "GND" => Self::Ground,
            "nCE" => Self::ChipEnableLow,
            "nOE" => Self::OutputEnableLow,
            "nWE" => Self::WriteEnableLow,
            "1" => Self::Tied(true),
            "0" => Self::Tied(false),
            "NC" => Self::NotConnected,
            "spare" => Self::Spare,
            "open" => Self::Unused,
            "input" => Self::Wired(WiredPin::Input),
            "output" => Self::Wired(WiredPin::Output),
            "both" => Self::Wired(WiredPin::Both),
            "passive" => Self::Wired(WiredPin::Passive),
            "pull" => Self::Wired(WiredPin::Pull),
            _ if text.starts_with("panel ") => {
                let (direction, name) = text["panel ".len()..].split_once(' ')?;
                let direction = match direction {
                    "input" => PanelPin::Input,
                    "output" => PanelPin::Output,
                    "data" => PanelPin::Data,
                    _ => return None,
                };
                let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
                Self::Panel(direction, Some(format!("panel:{name}")).filter(|_| is_name)?)
            }
            _ if text.starts_with('A') => Self::Address(names::number(&text[1..])?),
            _ if text.starts_with('O') => Self::Data(names::number(&text[1..])?),
            _ => return None,
        })
    }
}

/// Counts the address pins and the data pins of a part. Checks that they are numbered from 0
/// without gaps, and that the part has supply pins and the enables of its kind.
pub(super) fn check(pins: &[PartPin], is_ram: bool) -> Result<(u8, u8), String> {
    let numbers = |number: fn(&PinUse) -> Option<u8>| -> Vec<u8> {
        pins.iter().filter_map(|pin| number(&pin.usage)).collect()
    };
    let address = numbers(|what| if let PinUse::Address(n) = what { Some(*n) } else { None });
    let data = numbers(|what| if let PinUse::Data(n) = what { Some(*n) } else { None });
    if let Some(wired) = pins.iter().find(|pin| matches!(pin.usage, PinUse::Wired(_))) {
        return Err(format!("the pin '{}' is one of a part that is only wired", wired.name));
    }
    let count = |what: &PinUse| pins.iter().filter(|pin| pin.usage == *what).count();
    if count(&PinUse::Supply) == 0 || count(&PinUse::Ground) == 0 {
        return Err("expected a pin VCC and a pin GND".to_owned());
    }
    for (name, what) in [("nCE", PinUse::ChipEnableLow), ("nOE", PinUse::OutputEnableLow)] {
        if count(&what) > 1 {
            return Err(format!("expected one pin {name} at most"));
        }
    }
    let (found, expected) = (count(&PinUse::WriteEnableLow), usize::from(is_ram));
    if found != expected {
        return Err(format!(
            "{found} pins nWE, expected {expected}: a RAM has one, and that of another memory is \
             tied high (nWE=1)"
        ));
    }
    let address = check_numbering("A", address, ADDRESS_PINS_MAX)?;
    Ok((address, check_numbering("O", data, DATA_PINS_MAX)?))
}

fn check_numbering(letter: &str, mut numbers: Vec<u8>, max: usize) -> Result<u8, String> {
    numbers.sort_unstable();
    let in_order = numbers.iter().copied().eq(0..numbers.len() as u8);
    if in_order && (1..=max).contains(&numbers.len()) {
        return Ok(numbers.len() as u8);
    }
    let last = max - 1;
    Err(format!("expected the pins {letter}0, {letter}1 ... up to {letter}{last}, each once"))
}

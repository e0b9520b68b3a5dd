//! A chip of a checked board: its part, its wires, its role and its contents.

use std::sync::Arc;

use super::error::{BoardError, Pin};
use super::net::{NetId, Output, Source};
use super::part::Part;
use super::pins::PinUse;
use super::role::Role;

/// A chip: its purpose, part, wires, role and contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// The name, unique on the board.
    pub(super) name: String,
    /// A sentence that describes the purpose of the chip. Empty if the description has none.
    pub(super) purpose: String,
    /// The chip's part, from the catalogue or from the board's own parts.
    pub(super) part: Arc<Part>,
    /// The access time in ns.
    pub access_ns: u32,
    /// The connections of the address pins, A0 first. There is one for each address pin of the
    /// part.
    pub address: Vec<Source>,
    /// The wires on the data pins, D0 first. Any further data pins of the part are not connected.
    pub data: Vec<NetId>,
    /// The condition under which it drives its data pins.
    pub output: Output,
    /// What the chip does, in terms of its pins.
    pub(super) role: Role,
    /// The contents, by address. Empty for a RAM.
    pub(super) contents: Arc<[u8]>,
    /// The file that the contents came from. `None` if they were generated from a rule.
    pub(super) file: Option<String>,
}

/// Address pins with fixed levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FixedPins {
    /// The pins, as a bit mask.
    pub pins: u32,
    /// Their levels, at the same bits.
    pub levels: u32,
}

impl Chip {
    /// The name, unique on the board.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A sentence that describes the purpose of the chip. Empty if the description has none.
    pub fn purpose(&self) -> &str {
        &self.purpose
    }

    /// The chip's part, from the catalogue or from the board's own parts.
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// The role: what the chip does, in terms of its pins.
    pub const fn role(&self) -> &Role {
        &self.role
    }

    /// The contents, by address. Empty for a RAM.
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// Returns whether the chip has to be programmed. Data memory and logic parts do not.
    pub fn is_burned(&self) -> bool {
        !self.contents.is_empty() && self.part.logic.is_none()
    }

    /// The contents as a shared pointer.
    pub fn contents_shared(&self) -> Arc<[u8]> {
        Arc::clone(&self.contents)
    }

    /// The file that the contents came from. `None` if they were generated from a rule.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns every input pin that is connected to a wire, with the wire.
    pub fn inputs(&self) -> impl Iterator<Item = (Pin, NetId)> + '_ {
        let address = (0..).zip(&self.address);
        let address = address.filter_map(|(pin, source)| Some((Pin::Address(pin), source.net()?)));
        let enable = match self.output {
            Output::Always => None,
            Output::WhileLow(net) => Some((Pin::OutputEnableLow, net)),
            Output::WhileHigh(net) => Some((Pin::WriteEnableLow, net)),
        };
        address.chain(enable)
    }

    /// Returns the connection of the chip's pin with this use, or `None` if the pin is open or
    /// belongs to the panel.
    pub fn source(&self, pin: &PinUse) -> Option<Source> {
        Some(match pin {
            PinUse::Supply => Source::Tied(true),
            PinUse::Ground | PinUse::Spare => Source::Tied(false),
            PinUse::Tied(level) => Source::Tied(*level),
            PinUse::Address(n) => *self.address.get(usize::from(*n))?,
            PinUse::Data(n) => Source::Net(*self.data.get(usize::from(*n))?),
            // A chip that has both enables stays selected, because selecting it takes longer than
            // enabling its outputs.
            PinUse::ChipEnableLow if self.part.has(&PinUse::OutputEnableLow) => Source::Tied(false),
            PinUse::ChipEnableLow | PinUse::OutputEnableLow => match self.output {
                Output::WhileLow(net) => Source::Net(net),
                Output::Always | Output::WhileHigh(_) => Source::Tied(false),
            },
            PinUse::WriteEnableLow => {
                self.write_enable_low().map_or(Source::Tied(true), Source::Net)
            }
            PinUse::NotConnected | PinUse::Unused | PinUse::Panel(..) | PinUse::Wired(_) => {
                return None;
            }
        })
    }

    /// Returns the wire of a RAM's write enable. While it is low, the chip stores the levels of its
    /// data pins.
    pub fn write_enable_low(&self) -> Option<NetId> {
        match (&self.role, self.output) {
            (Role::Memory, Output::WhileHigh(net)) => Some(net),
            _ => None,
        }
    }

    /// Returns the wire on an address pin, unless the pin is tied.
    pub fn wire(&self, pin: u8) -> Option<NetId> {
        self.address.get(usize::from(pin))?.net()
    }

    /// Returns the address on the chip's pins, where pin 0 is the lowest bit, if the wires have
    /// these levels.
    pub fn address_at(&self, level: impl Fn(NetId) -> bool) -> u32 {
        let high = (0..).zip(&self.address).filter(|(_, source)| match **source {
            Source::Tied(level) => level,
            Source::Net(net) => level(net),
        });
        high.fold(0, |address, (pin, _)| address | 1 << pin)
    }

    /// Returns the address pins that read a wire.
    pub fn pins_reading(&self, net: NetId) -> impl Iterator<Item = u8> + '_ {
        (0..).zip(&self.address).filter(move |(_, s)| **s == Source::Net(net)).map(|(pin, _)| pin)
    }

    /// Returns the tied address pins.
    pub fn tied(&self) -> FixedPins {
        let mut tied = FixedPins::default();
        for (pin, source) in self.address.iter().enumerate() {
            if let Source::Tied(level) = source {
                tied.pins |= 1 << pin;
                tied.levels |= u32::from(*level) << pin;
            }
        }
        tied
    }

    /// Returns the addresses that the tied pins allow, in ascending order.
    pub fn addresses(&self) -> impl Iterator<Item = u32> + use<> {
        let tied = self.tied();
        (0..self.part.bytes() as u32).filter(move |address| address & tied.pins == tied.levels)
    }

    pub(super) fn check_contents(&self, contents: &[u8]) -> Result<(), BoardError> {
        if self.role == Role::Memory {
            return Err(BoardError::at(&self.name, "a RAM cannot be burned"));
        }
        let (found, expected, part) = (contents.len(), self.part.bytes(), &self.part.name);
        if found != expected {
            let reached = self.addresses().count();
            let left = format!(" ({reached} where its tied pins leave it)");
            let left = if reached == expected { "" } else { &left };
            let wrong = format!("the contents have {found} bytes, the part {part} has {expected}");
            return Err(BoardError::at(&self.name, wrong + left));
        }
        Ok(())
    }
}

//! A checked board: its chips, its wires, and the contents of the chips.

use std::ops::Range;
use std::sync::Arc;

use gray1_isa::address::ROM_BYTES;
use serde::Deserialize;

use super::buses::split_name;
use super::error::{BoardError, Pin};
use super::filter::Filter;
use super::part::Part;
use super::pins::PinUse;
use super::role::{Code, Role};
use super::sentences::PhaseSentence;
use super::support_parts::SupportPart;

/// The maximum number of chips on a board. The engines store sets of chips as bits of a machine
/// word.
pub const CHIPS_MAX: usize = 40;

/// A board that passed all checks.
#[derive(Debug, Clone)]
pub struct Board {
    pub(super) title: String,
    pub(super) nets: Vec<Net>,
    pub(super) chips: Vec<Chip>,
    pub(super) oscillator: NetId,
    pub(super) reset: NetId,
    pub(super) probes: Probes,
    pub(super) panel: Option<Panel>,
    pub(super) phase_sentences: Vec<PhaseSentence>,
    pub(super) program: ChipId,
    pub(super) code: Code,
    pub(super) memory: ChipId,
    pub(super) support_parts: Vec<SupportPart>,
}

/// Identifies a wire of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NetId(pub(super) u16);

/// Identifies a chip of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChipId(pub(super) u8);

impl NetId {
    /// Returns the index of the wire in [`Board::nets`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<NetId> for usize {
    fn from(id: NetId) -> Self {
        id.index()
    }
}

impl ChipId {
    /// Returns the index of the chip in [`Board::chips`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A wire: its name, its driver, and the filter between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net {
    pub(super) name: String,
    pub(super) driver: Driver,
    pub(super) filter: Option<Filter>,
}

/// The source of a wire's level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// The wire comes from outside: the oscillator, the reset wire or the buttons.
    Outside,
    /// One chip always drives it.
    Chip(DataPin),
    /// One chip drives it while `select` is low, another one while `select` is high.
    Shared {
        /// The wire that selects the driver.
        select: NetId,
        /// The data pin that drives while `select` is low.
        low: DataPin,
        /// The data pin that drives while `select` is high.
        high: DataPin,
    },
}

/// A data pin of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataPin {
    /// The chip that the pin belongs to.
    pub chip: ChipId,
    /// The number of the pin, 0 for D0.
    pub pin: u8,
}

/// The connection of an address pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Tied to ground (`false`) or to the supply (`true`).
    Tied(bool),
    /// Connected to this wire.
    Net(NetId),
}

/// The condition under which a chip drives its data pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Always.
    Always,
    /// While this wire is low.
    WhileLow(NetId),
    /// While this wire is high.
    WhileHigh(NetId),
}

impl Source {
    /// Returns the wire, unless the pin is tied.
    #[must_use]
    pub const fn net(self) -> Option<NetId> {
        match self {
            Self::Tied(_) => None,
            Self::Net(net) => Some(net),
        }
    }
}

impl Driver {
    /// Returns the data pins that drive the wire. If there are two, the one that drives while
    /// `select` is low comes first.
    pub fn pins(self) -> impl Iterator<Item = DataPin> + use<> {
        let (one, other) = match self {
            Self::Outside => (None, None),
            Self::Chip(pin) => (Some(pin), None),
            Self::Shared { low, high, .. } => (Some(low), Some(high)),
        };
        one.into_iter().chain(other)
    }
}

impl Output {
    /// Returns the wire that switches the output, and the level at which the output is on.
    #[must_use]
    pub const fn switch(self) -> Option<(NetId, bool)> {
        match self {
            Self::Always => None,
            Self::WhileLow(net) => Some((net, false)),
            Self::WhileHigh(net) => Some((net, true)),
        }
    }

    /// Returns whether the output is on at these levels of the wires.
    pub fn is_on(self, level: impl FnOnce(NetId) -> bool) -> bool {
        self.switch().is_none_or(|(net, on)| level(net) == on)
    }
}

/// A chip: its purpose, part, wires, role and contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    pub(super) name: String,
    pub(super) purpose: String,
    pub(super) part: Arc<Part>,
    pub(super) access_ns: u32,
    pub(super) address: Vec<Source>,
    pub(super) data: Vec<NetId>,
    pub(super) output: Output,
    pub(super) role: Role,
    pub(super) contents: Arc<[u8]>,
    pub(super) file: Option<String>,
}

/// The wires that registers are read from. In a description, `Wire` is a name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probes<Wire = NetId> {
    /// The eight wires of the accumulator, low bit first.
    pub a: Vec<Wire>,
    /// The wire of the carry flag.
    pub carry: Wire,
    /// The three wires of the phase (a Gray code), low bit first.
    pub phase: Vec<Wire>,
}

/// The wires of a front panel that is part of the board. Its latches record what the processor
/// writes, and its buttons replace one cell of data memory. In a description, `Wire` is a name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel<Wire = NetId> {
    /// The buttons, low bit first. These wires come from outside. A load from
    /// [`gray1_isa::panel::BUTTONS`] reads them, so a store to that cell has no visible effect.
    pub buttons: Vec<Wire>,
    /// The wires of the LEDs, eight for each byte, low bit first. The green rows come before the
    /// red rows.
    pub leds: Vec<Wire>,
    /// The strobe that is high while a byte is written to the mailbox.
    pub mailbox: Wire,
    /// The wires that carry the byte for the mailbox.
    pub byte: Vec<Wire>,
}

/// Returns the number on at most 32 wires, low bit first, given the level of each wire.
#[must_use]
pub fn number(nets: &[NetId], level: impl Fn(NetId) -> bool) -> u32 {
    (0..).zip(nets).fold(0, |number, (bit, &net)| number | u32::from(level(net)) << bit)
}

impl Board {
    /// Returns a copy of the board with other contents in one chip.
    ///
    /// # Errors
    /// If the contents do not have the chip's size, or the chip is a RAM.
    pub fn with_contents(&self, chip: ChipId, contents: Vec<u8>) -> Result<Self, BoardError> {
        let mut board = self.clone();
        board.burn(chip, contents.into(), None)?;
        Ok(board)
    }

    /// Returns a copy of the board with some bits of one byte of a chip inverted.
    ///
    /// # Panics
    /// If the chip is a RAM, or does not have this address.
    #[must_use]
    pub fn with_wrong_bits(&self, chip: ChipId, address: usize, bits: u8) -> Self {
        let mut contents = self.chip(chip).contents().to_vec();
        contents[address] ^= bits;
        self.with_contents(chip, contents).expect("contents of the same size fit")
    }

    /// Sets the contents of a chip. `file` is the name of the file they come from, if any.
    pub(crate) fn burn(
        &mut self,
        chip: ChipId,
        contents: Arc<[u8]>,
        file: Option<String>,
    ) -> Result<(), BoardError> {
        let chip = &mut self.chips[chip.index()];
        chip.check_contents(&contents)?;
        chip.contents = contents;
        chip.file = file;
        Ok(())
    }

    /// The board's title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// All chips, in the order of the description.
    #[must_use]
    pub fn chips(&self) -> &[Chip] {
        &self.chips
    }

    /// The identifiers of all chips, in the order of the description.
    pub fn chip_ids(&self) -> impl ExactSizeIterator<Item = ChipId> + use<> {
        (0..self.chips.len() as u8).map(ChipId)
    }

    /// Returns the chip with this identifier.
    #[must_use]
    pub fn chip(&self, id: ChipId) -> &Chip {
        &self.chips[id.index()]
    }

    /// Finds a chip by name.
    #[must_use]
    pub fn chip_named(&self, name: &str) -> Option<ChipId> {
        self.chip_ids().find(|&id| self.chip(id).name == name)
    }

    /// All wires, in the order of their identifiers.
    #[must_use]
    pub fn nets(&self) -> &[Net] {
        &self.nets
    }

    /// The identifiers of all wires.
    pub fn net_ids(&self) -> impl ExactSizeIterator<Item = NetId> + use<> {
        (0..self.nets.len() as u16).map(NetId)
    }

    /// Returns the wire with this identifier.
    #[must_use]
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.index()]
    }

    /// Finds a wire by name.
    #[must_use]
    pub fn net_named(&self, name: &str) -> Option<NetId> {
        self.net_ids().find(|&id| self.net(id).name == name)
    }

    /// Takes the delay of the slowest filter of each chip and returns the sum, in ps. The filters
    /// delay no path by more than this sum.
    #[must_use]
    pub fn filters_ps(&self) -> u64 {
        let slowest = |chip: &Chip| {
            let filters = chip.data.iter().filter_map(|net| self.net(*net).filter);
            filters.map(Filter::delay_ps).max().unwrap_or(0)
        };
        self.chips.iter().map(slowest).sum()
    }

    /// Returns the pins that read a wire.
    pub fn readers(&self, net: NetId) -> impl Iterator<Item = (ChipId, Pin)> + '_ {
        self.chip_ids().flat_map(move |id| {
            self.chip(id)
                .inputs()
                .filter(move |(_, source)| *source == net)
                .map(move |(p, _)| (id, p))
        })
    }

    /// The wire whose edges advance the phase.
    #[must_use]
    pub const fn oscillator(&self) -> NetId {
        self.oscillator
    }

    /// The wire that sets the program counter to 0 while it is high.
    #[must_use]
    pub const fn reset(&self) -> NetId {
        self.reset
    }

    /// The wires that registers are read from.
    #[must_use]
    pub const fn probes(&self) -> &Probes {
        &self.probes
    }

    /// The parts that are not simulated, such as clock, reset and LEDs. A description may omit
    /// them.
    #[must_use]
    pub fn support_parts(&self) -> &[SupportPart] {
        &self.support_parts
    }

    /// The front panel, if it is part of the board. On other boards a panel uses the second port of
    /// data memory.
    #[must_use]
    pub const fn panel(&self) -> Option<&Panel> {
        self.panel.as_ref()
    }

    /// The chip that holds the program.
    #[must_use]
    pub const fn program(&self) -> ChipId {
        self.program
    }

    /// Returns the addresses of the program chip that its tied pins allow.
    #[must_use]
    pub fn program_bytes(&self) -> Range<usize> {
        let (_, high) = self.chip(self.program).tied();
        let first = high as usize & !(ROM_BYTES - 1);
        first..first + ROM_BYTES
    }

    /// The code in which the program is burned. Byte b of instruction i is at address
    /// `code.encode(2·i + b)` of the program's bytes; byte 0 is the high byte.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The chip that is the data memory.
    #[must_use]
    pub const fn memory(&self) -> ChipId {
        self.memory
    }
}

impl Net {
    /// The name, unique on the board.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the wire's bus and the wire's number there: `PCL` and 7 for `PCL.7`.
    /// `None` if its name does not end in a dot and a number.
    #[must_use]
    pub fn bus(&self) -> Option<(&str, u32)> {
        split_name(&self.name)
    }

    /// The source of the wire's level.
    #[must_use]
    pub const fn driver(&self) -> Driver {
        self.driver
    }

    /// The filter between the driver and the wire. A filtered wire has a single data pin as its
    /// driver.
    #[must_use]
    pub const fn filter(&self) -> Option<Filter> {
        self.filter
    }

    /// The delay of the filter in ns, or 0 without a filter.
    #[must_use]
    pub fn filter_ns(&self) -> u32 {
        self.filter.map_or(0, |filter| filter.delay_ps().div_ceil(1000) as u32)
    }
}

impl Chip {
    /// The name, unique on the board.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A sentence that describes the purpose of the chip. Empty if the description has none.
    #[must_use]
    pub fn purpose(&self) -> &str {
        &self.purpose
    }

    /// The chip's part, from the catalogue or from the board's own parts.
    #[must_use]
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// The access time in ns.
    #[must_use]
    pub const fn access_ns(&self) -> u32 {
        self.access_ns
    }

    /// The connections of the address pins, A0 first. There is one for each address pin of the
    /// part.
    #[must_use]
    pub fn address(&self) -> &[Source] {
        &self.address
    }

    /// The wires on the data pins, D0 first. Any further data pins of the part are not connected.
    #[must_use]
    pub fn data(&self) -> &[NetId] {
        &self.data
    }

    /// The condition under which it drives its data pins.
    #[must_use]
    pub const fn output(&self) -> Output {
        self.output
    }

    /// The role: what the chip does, in terms of its pins.
    #[must_use]
    pub const fn role(&self) -> &Role {
        &self.role
    }

    /// The contents, by address. Empty for a RAM.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// Returns whether the chip has to be programmed. Data memory and logic parts do not.
    #[must_use]
    pub fn is_burned(&self) -> bool {
        !self.contents.is_empty() && self.part.logic.is_none()
    }

    /// The contents as a shared pointer.
    #[must_use]
    pub fn contents_shared(&self) -> Arc<[u8]> {
        Arc::clone(&self.contents)
    }

    /// The file that the contents came from. `None` if they were generated from a rule.
    #[must_use]
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
    #[must_use]
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
    #[must_use]
    pub fn write_enable_low(&self) -> Option<NetId> {
        match (&self.role, self.output) {
            (Role::Memory, Output::WhileHigh(net)) => Some(net),
            _ => None,
        }
    }

    /// Returns the wire on an address pin, unless the pin is tied.
    #[must_use]
    pub fn wire(&self, pin: u8) -> Option<NetId> {
        self.address.get(usize::from(pin))?.net()
    }

    /// Returns two masks: the tied address pins, and the levels of these pins.
    #[must_use]
    pub fn tied(&self) -> (u32, u32) {
        (0..).zip(&self.address).fold((0, 0), |(mask, high), (pin, source)| match source {
            Source::Tied(level) => (mask | 1 << pin, high | u32::from(*level) << pin),
            Source::Net(_) => (mask, high),
        })
    }

    /// Returns the addresses that the tied pins allow, in ascending order.
    pub fn addresses(&self) -> impl Iterator<Item = u32> + use<> {
        let (mask, high) = self.tied();
        (0..self.part.bytes() as u32).filter(move |address| address & mask == high)
    }

    fn check_contents(&self, contents: &[u8]) -> Result<(), BoardError> {
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

//! A checked board: its chips, its wires, and what is burned into the chips.

use std::ops::Range;
use std::sync::Arc;

use gray1_isa::address::ROM_BYTES;
use serde::Deserialize;

use super::error::{BoardError, Pin};
use super::filter::Filter;
use super::part::Part;
use super::pins::PinUse;
use super::role::{Code, Role};
use super::sentences::PhaseSentence;
use super::support_parts::SupportPart;

/// The most chips a board may have: the engines keep sets of chips as bits of a machine word.
pub const CHIPS_MAX: usize = 40;

/// A checked board.
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

/// The identifier of a wire of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NetId(pub(super) u16);

/// The identifier of a chip of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChipId(pub(super) u8);

impl NetId {
    /// The index of the wire in [`Board::nets`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl ChipId {
    /// The index of the chip in [`Board::chips`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A wire: its name, what drives it, and the filter between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net {
    pub(super) name: String,
    pub(super) driver: Driver,
    pub(super) filter: Option<Filter>,
}

/// The driver of a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// It comes from outside: the oscillator, the reset wire, the buttons.
    Outside,
    /// One chip at all times.
    Chip(DataPin),
    /// One chip while `select` is low, another one while it is high.
    Shared {
        /// The wire that switches.
        select: NetId,
        /// Drives while `select` is low.
        low: DataPin,
        /// Drives while `select` is high.
        high: DataPin,
    },
}

/// A data pin of a chip of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataPin {
    /// The chip.
    pub chip: ChipId,
    /// The pin's number, 0 for D0.
    pub pin: u8,
}

/// The source of an address pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Ground or supply: always this level.
    Tied(bool),
    /// A wire.
    Net(NetId),
}

/// When a chip drives its data pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// At all times.
    Always,
    /// While this wire is low.
    WhileLow(NetId),
    /// While this wire is high.
    WhileHigh(NetId),
}

impl Source {
    /// The wire, if it is one.
    #[must_use]
    pub const fn net(self) -> Option<NetId> {
        match self {
            Self::Tied(_) => None,
            Self::Net(net) => Some(net),
        }
    }
}

impl Driver {
    /// The data pins that drive the wire, each at some time; of two, first the one that does while
    /// the select wire is low.
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
    /// The wire that switches it, and the level of that wire at which it is on.
    #[must_use]
    pub const fn switch(self) -> Option<(NetId, bool)> {
        match self {
            Self::Always => None,
            Self::WhileLow(net) => Some((net, false)),
            Self::WhileHigh(net) => Some((net, true)),
        }
    }

    /// True if it is on while wires have these levels.
    pub fn is_on(self, level: impl FnOnce(NetId) -> bool) -> bool {
        self.switch().is_none_or(|(net, on)| level(net) == on)
    }
}

/// A chip: purpose, part, wires, role, contents.
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

/// The wires that an observer reads. A description has their names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probes<Wire = NetId> {
    /// The accumulator's eight wires, low bit first.
    pub a: Vec<Wire>,
    /// The carry.
    pub carry: Wire,
    /// The three wires of the phase, a Gray code, low bit first.
    pub phase: Vec<Wire>,
}

/// The wires of a panel that is on the board: its latches look at what the processor writes, and
/// its buttons answer in place of one cell of data memory. A description has the wires' names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel<Wire = NetId> {
    /// The buttons, low bit first: wires from outside. They are what a load of the cell
    /// [`gray1_isa::panel::BUTTONS`] gets, and a store there changes nothing that a load can see.
    pub buttons: Vec<Wire>,
    /// The wires of the LEDs: of each byte eight, low bit first, the green rows before the red.
    pub leds: Vec<Wire>,
    /// The strobe that is high while a byte is written to the mailbox.
    pub mailbox: Wire,
    /// The wires that carry that byte.
    pub byte: Vec<Wire>,
}

/// The number that at most 32 wires carry at these levels, low bit first.
#[must_use]
pub fn number(nets: &[NetId], level: impl Fn(NetId) -> bool) -> u32 {
    (0..).zip(nets).fold(0, |number, (bit, &net)| number | u32::from(level(net)) << bit)
}

impl Board {
    /// The same board with other contents in one chip.
    ///
    /// # Errors
    /// If the contents are not of the chip's size, or the chip is a RAM.
    pub fn with_contents(&self, chip: ChipId, contents: Vec<u8>) -> Result<Self, BoardError> {
        let mut board = self.clone();
        board.burn(chip, contents.into(), None)?;
        Ok(board)
    }

    /// The same board with some bits of a byte of a chip inverted.
    ///
    /// # Panics
    /// If the chip is a RAM, or has no such address.
    #[must_use]
    pub fn with_wrong_bits(&self, chip: ChipId, address: usize, bits: u8) -> Self {
        let mut contents = self.chip(chip).contents().to_vec();
        contents[address] ^= bits;
        self.with_contents(chip, contents).expect("contents of the same size fit")
    }

    /// Burns a chip, with the name of the file that its contents come from, if it is not a rule.
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

    /// The identifiers of all chips.
    pub fn chip_ids(&self) -> impl ExactSizeIterator<Item = ChipId> + use<> {
        (0..self.chips.len() as u8).map(ChipId)
    }

    /// A chip.
    #[must_use]
    pub fn chip(&self, id: ChipId) -> &Chip {
        &self.chips[id.index()]
    }

    /// The chip of this name.
    #[must_use]
    pub fn chip_named(&self, name: &str) -> Option<ChipId> {
        self.chip_ids().find(|&id| self.chip(id).name == name)
    }

    /// All wires.
    #[must_use]
    pub fn nets(&self) -> &[Net] {
        &self.nets
    }

    /// The identifiers of all wires.
    pub fn net_ids(&self) -> impl ExactSizeIterator<Item = NetId> + use<> {
        (0..self.nets.len() as u16).map(NetId)
    }

    /// A wire.
    #[must_use]
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.index()]
    }

    /// The wire of this name.
    #[must_use]
    pub fn net_named(&self, name: &str) -> Option<NetId> {
        self.net_ids().find(|&id| self.net(id).name == name)
    }

    /// The time, in ps, of the slowest filter of each chip, all together: no path takes longer.
    #[must_use]
    pub fn filters_ps(&self) -> u64 {
        let slowest = |chip: &Chip| {
            let filters = chip.data.iter().filter_map(|net| self.net(*net).filter);
            filters.map(Filter::delay_ps).max().unwrap_or(0)
        };
        self.chips.iter().map(slowest).sum()
    }

    /// The pins that read a wire.
    pub fn readers(&self, net: NetId) -> impl Iterator<Item = (ChipId, Pin)> + '_ {
        self.chip_ids().flat_map(move |id| {
            self.chip(id)
                .inputs()
                .filter(move |(_, source)| *source == net)
                .map(move |(p, _)| (id, p))
        })
    }

    /// The wire whose edges step the phase.
    #[must_use]
    pub const fn oscillator(&self) -> NetId {
        self.oscillator
    }

    /// The wire that, while high, brings the program counter to 0.
    #[must_use]
    pub const fn reset(&self) -> NetId {
        self.reset
    }

    /// The wires that an observer reads.
    #[must_use]
    pub const fn probes(&self) -> &Probes {
        &self.probes
    }

    /// The parts that no engine runs: clock, reset, LEDs and so on. A board may leave them to the
    /// outside.
    #[must_use]
    pub fn support_parts(&self) -> &[SupportPart] {
        &self.support_parts
    }

    /// The panel, on a board that has it on it. Another board has a second port of data memory for
    /// a panel.
    #[must_use]
    pub const fn panel(&self) -> Option<&Panel> {
        self.panel.as_ref()
    }

    /// The chip that holds the program.
    #[must_use]
    pub const fn program(&self) -> ChipId {
        self.program
    }

    /// The addresses of the program chip that hold a program: where its tied pins make it look.
    #[must_use]
    pub fn program_bytes(&self) -> Range<usize> {
        let (_, high) = self.chip(self.program).tied();
        let first = high as usize & !(ROM_BYTES - 1);
        first..first + ROM_BYTES
    }

    /// The code in which the program is burned: byte b of instruction i stands at the address
    /// `code.encode(2·i + b)` of the program's bytes, the high byte first.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The data memory.
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

    /// The name of its bus and its number there: of `PCL.7`, `PCL` and 7. `None` if its name does
    /// not end in a number behind a dot.
    #[must_use]
    pub fn bus(&self) -> Option<(&str, u32)> {
        let (bus, bit) = self.name.rsplit_once('.')?;
        Some((bus, bit.parse().ok()?))
    }

    /// Its driver.
    #[must_use]
    pub const fn driver(&self) -> Driver {
        self.driver
    }

    /// The filter between its driver, which is one data pin then, and the wire.
    #[must_use]
    pub const fn filter(&self) -> Option<Filter> {
        self.filter
    }

    /// The time of its filter, in ns: 0 without one.
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

    /// A sentence that says what it is for; empty if the description has none.
    #[must_use]
    pub fn purpose(&self) -> &str {
        &self.purpose
    }

    /// The part it is.
    #[must_use]
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// Its access time in ns.
    #[must_use]
    pub const fn access_ns(&self) -> u32 {
        self.access_ns
    }

    /// The sources of its address pins, A0 first; one for each pin of the part.
    #[must_use]
    pub fn address(&self) -> &[Source] {
        &self.address
    }

    /// The wires on its data pins, D0 first; further pins of the part are open.
    #[must_use]
    pub fn data(&self) -> &[NetId] {
        &self.data
    }

    /// When it drives its data pins.
    #[must_use]
    pub const fn output(&self) -> Output {
        self.output
    }

    /// Its purpose.
    #[must_use]
    pub const fn role(&self) -> &Role {
        &self.role
    }

    /// Its contents, by address; of a RAM, nothing.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// True if it is burned: data memory is not, nor is a logic part, whose contents are fixed.
    #[must_use]
    pub fn is_burned(&self) -> bool {
        !self.contents.is_empty() && self.part.logic.is_none()
    }

    /// The contents, shared instead of copied.
    #[must_use]
    pub fn contents_shared(&self) -> Arc<[u8]> {
        Arc::clone(&self.contents)
    }

    /// The file its contents came from, if not from a rule.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Every input pin that is wired to a wire, and the wire.
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

    /// What a pin of its part is connected to; `None` if it is open, or on a net of the panel.
    #[must_use]
    pub fn source(&self, pin: &PinUse) -> Option<Source> {
        Some(match pin {
            PinUse::Supply => Source::Tied(true),
            PinUse::Ground | PinUse::Spare => Source::Tied(false),
            PinUse::Tied(level) => Source::Tied(*level),
            PinUse::Address(n) => *self.address.get(usize::from(*n))?,
            PinUse::Data(n) => Source::Net(*self.data.get(usize::from(*n))?),
            // A chip that has both is selected for ever: waking up takes longer than opening
            // outputs.
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

    /// The wire that, while low, makes it take what its data pins carry; only of a RAM.
    #[must_use]
    pub fn write_enable_low(&self) -> Option<NetId> {
        match (&self.role, self.output) {
            (Role::Memory, Output::WhileHigh(net)) => Some(net),
            _ => None,
        }
    }

    /// The wire on an address pin.
    #[must_use]
    pub fn wire(&self, pin: u8) -> Option<NetId> {
        self.address.get(usize::from(pin))?.net()
    }

    /// The address pins that are tied, and the levels of those pins.
    #[must_use]
    pub fn tied(&self) -> (u32, u32) {
        (0..).zip(&self.address).fold((0, 0), |(mask, high), (pin, source)| match source {
            Source::Tied(level) => (mask | 1 << pin, high | u32::from(*level) << pin),
            Source::Net(_) => (mask, high),
        })
    }

    /// The addresses that the tied pins leave, in rising order.
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

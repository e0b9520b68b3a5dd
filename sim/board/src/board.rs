//! A checked board: its chips and wires, and the wires with a meaning.

use std::ops::Range;
use std::sync::Arc;

use gray1_isa::address::ROM_BYTES;
use serde::Deserialize;

use super::chip::Chip;
use super::error::{BoardError, Pin};
use super::net::{ChipId, Filter, Net, NetId};
use super::phase::PhaseSentence;
use super::role::Code;
use super::wired_part::AroundPart;

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
    pub(super) around: Vec<AroundPart>,
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

    /// Returns a copy of the board in which wires have no filters.
    #[must_use]
    pub fn without_filters(&self) -> Self {
        let mut board = self.clone();
        board.nets.iter_mut().for_each(|net| net.filter = None);
        board
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
    pub fn title(&self) -> &str {
        &self.title
    }

    /// All chips, in the order of the description.
    pub fn chips(&self) -> &[Chip] {
        &self.chips
    }

    /// The identifiers of all chips, in the order of the description.
    pub fn chip_ids(&self) -> impl ExactSizeIterator<Item = ChipId> + use<> {
        (0..self.chips.len() as u8).map(ChipId)
    }

    /// Returns the chip with this identifier.
    pub fn chip(&self, id: ChipId) -> &Chip {
        &self.chips[id.index()]
    }

    /// Finds a chip by name.
    pub fn chip_named(&self, name: &str) -> Option<ChipId> {
        self.chip_ids().find(|&id| self.chip(id).name == name)
    }

    /// All wires, in the order of their identifiers.
    pub fn nets(&self) -> &[Net] {
        &self.nets
    }

    /// The identifiers of all wires.
    pub fn net_ids(&self) -> impl ExactSizeIterator<Item = NetId> + use<> {
        (0..self.nets.len() as u16).map(NetId)
    }

    /// Returns the wire with this identifier.
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.index()]
    }

    /// Finds a wire by name.
    pub fn net_named(&self, name: &str) -> Option<NetId> {
        self.net_ids().find(|&id| self.net(id).name == name)
    }

    /// Takes the delay of the slowest filter of each chip and returns the sum, in ps. The filters
    /// delay no path by more than this sum.
    pub fn filters_ps(&self) -> u64 {
        let delays = self.chips.iter().map(|chip| {
            let filters = chip.data.iter().filter_map(|net| self.net(*net).filter);
            filters.map(Filter::delay_ps).max().unwrap_or(0)
        });
        delays.sum()
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
    pub const fn oscillator(&self) -> NetId {
        self.oscillator
    }

    /// The wire that sets the program counter to 0 while it is high.
    pub const fn reset(&self) -> NetId {
        self.reset
    }

    /// The wires that registers are read from.
    pub const fn probes(&self) -> &Probes {
        &self.probes
    }

    /// The parts that are not simulated, such as clock, reset and LEDs. A description may omit
    /// them.
    pub fn around(&self) -> &[AroundPart] {
        &self.around
    }

    /// The front panel, if it is part of the board. On other boards a panel uses the second port of
    /// data memory.
    pub const fn panel(&self) -> Option<&Panel> {
        self.panel.as_ref()
    }

    /// The chip that holds the program.
    pub const fn program(&self) -> ChipId {
        self.program
    }

    /// Returns the addresses of the program chip that its tied pins allow.
    pub fn program_bytes(&self) -> Range<usize> {
        let first = self.chip(self.program).tied().levels as usize & !(ROM_BYTES - 1);
        first..first + ROM_BYTES
    }

    /// The code in which the program is burned. Byte b of instruction i is at address
    /// `code.encode(2·i + b)` of the program's bytes; byte 0 is the high byte.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The chip that is the data memory.
    pub const fn memory(&self) -> ChipId {
        self.memory
    }
}

//! The simplest possible model of a board under power, written only from docs/MACHINE.md.
//!
//! If the address of a chip selects a byte other than the one that the chip shows, the chip can
//! respond at any time. The model lets such chips respond in random order until none is left. It
//! uses no code of the simulator and knows neither roles nor instructions.

/// The number of cells of data memory.
const CELLS: usize = 8192;
/// The number of responses after which a board is considered never to settle.
const RESPONSES_MAX: usize = 10_000;

/// A board as plain data. Wires are numbers.
pub(crate) struct Board {
    pub(crate) chips: Vec<Chip>,
    pub(crate) oscillator: usize,
    pub(crate) reset: usize,
}

/// A chip of a board.
pub(crate) struct Chip {
    /// The source of each address pin, starting with A0.
    pub(crate) address: Vec<Source>,
    /// The wire at each data pin, starting with D0.
    pub(crate) data: Vec<usize>,
    /// The wire that enables the outputs, and its active level. `None` if they are always enabled.
    pub(crate) enable: Option<(usize, bool)>,
    /// The byte at each address. `None` for data memory, whose enable is nWE.
    pub(crate) contents: Option<Vec<u8>>,
}

/// The source of an address pin.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    Tied(bool),
    Wire(usize),
}

/// The reason why the documents do not define what a board does next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// The address of data memory changes while nWE is low.
    AddressMovesDuringWrite,
    /// The board does not settle.
    NeverSettles,
}

/// A board under power.
#[derive(Clone)]
pub(crate) struct Oracle<'a> {
    pub(crate) board: &'a Board,
    /// The level of each wire.
    pub(crate) wires: Vec<bool>,
    /// The byte that each chip shows.
    pub(crate) shown: Vec<u8>,
    pub(crate) memory: Vec<u8>,
    /// The bytes that the board has stored, with their addresses.
    pub(crate) stored: Vec<(usize, u8)>,
    /// The seed for the order in which chips respond.
    pub(crate) seed: u64,
}

impl Oracle<'_> {
    /// Moves the oscillator by one edge.
    pub(crate) fn edge(&mut self) -> Result<(), Unknown> {
        self.set(self.board.oscillator, !self.wires[self.board.oscillator])
    }

    /// Sets the level of a wire from outside.
    pub(crate) fn set(&mut self, wire: usize, level: bool) -> Result<(), Unknown> {
        self.wires[wire] = level;
        self.settle()
    }

    /// Writes a byte through the panel's port of data memory.
    pub(crate) fn poke(&mut self, address: usize, byte: u8) -> Result<(), Unknown> {
        self.memory[address] = byte;
        self.settle()
    }

    /// Returns the chips that do not yet show the byte at their address.
    pub(crate) fn waiting(&self) -> Vec<usize> {
        (0..self.shown.len()).filter(|&chip| self.byte(chip) != self.shown[chip]).collect()
    }

    fn settle(&mut self) -> Result<(), Unknown> {
        for _ in 0..RESPONSES_MAX {
            let waiting = self.waiting();
            if waiting.is_empty() {
                return Ok(());
            }
            self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let chip = waiting[(self.seed >> 33) as usize % waiting.len()];
            self.shown[chip] = self.byte(chip);
            self.drive()?;
        }
        Err(Unknown::NeverSettles)
    }

    /// Updates the levels of all driven wires. Data memory stores a byte when nWE rises.
    fn drive(&mut self) -> Result<(), Unknown> {
        let (memory, (write_low, _)) = self.memory_chip();
        let (was_low, address) = (!self.wires[write_low], self.address(memory));
        let bus = self.board.chips[memory].data.iter().rev();
        let bus = bus.fold(0, |byte, &wire| byte << 1 | u8::from(self.wires[wire]));
        // Chips that always drive their wires come first, because the enables of the other chips
        // are among their outputs.
        for shared in [false, true] {
            for (chip, &shown) in self.board.chips.iter().zip(&self.shown) {
                let drives = chip.enable.is_none_or(|(wire, level)| self.wires[wire] == level);
                if drives && chip.enable.is_some() == shared {
                    let bits = chip.data.iter().enumerate();
                    bits.for_each(|(bit, &wire)| self.wires[wire] = shown >> bit & 1 == 1);
                }
            }
        }
        if was_low && self.address(memory) != address {
            return Err(Unknown::AddressMovesDuringWrite);
        }
        if was_low && self.wires[write_low] {
            self.memory[address] = bus;
            self.stored.push((address, bus));
        }
        Ok(())
    }

    /// Returns the index of the data memory chip, and its enable: the wire nWE, and the level at
    /// which the outputs are on.
    fn memory_chip(&self) -> (usize, (usize, bool)) {
        let chip = self.board.chips.iter().position(|chip| chip.contents.is_none()).unwrap();
        (chip, self.board.chips[chip].enable.unwrap())
    }

    fn address(&self, chip: usize) -> usize {
        let pins = self.board.chips[chip].address.iter().rev();
        pins.fold(0, |address, pin| {
            let level = match *pin {
                Source::Tied(level) => level,
                Source::Wire(wire) => self.wires[wire],
            };
            address << 1 | usize::from(level)
        })
    }

    /// Returns the byte at the address of a chip.
    fn byte(&self, chip: usize) -> u8 {
        let contents = self.board.chips[chip].contents.as_deref();
        contents.map_or(self.memory[self.address(chip) % CELLS], |bytes| bytes[self.address(chip)])
    }
}

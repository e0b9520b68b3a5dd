//! A board under power in the plainest way, written from docs/MACHINE.md alone: a chip whose
//! address leads to another byte than it shows may answer at any time. A chip that waits is chosen
//! at random until none does. It uses nothing of the simulator, and knows no roles or instructions.

/// Cells of data memory.
const CELLS: usize = 8192;
/// Answers after which a board is taken never to come to rest.
const ANSWERS_MAX: usize = 10_000;

/// A board as data; wires are numbers.
pub(crate) struct Board {
    pub(crate) chips: Vec<Chip>,
    pub(crate) oscillator: usize,
    pub(crate) reset: usize,
}

/// A chip of a board.
pub(crate) struct Chip {
    /// The source of each address pin, A0 first.
    pub(crate) address: Vec<Source>,
    /// The wire at each data pin, D0 first.
    pub(crate) data: Vec<usize>,
    /// The wire that lets the chip drive its data wires, and at which level; `None` for always.
    pub(crate) enable: Option<(usize, bool)>,
    /// The byte at each address; `None` for data memory, whose enable is nWE.
    pub(crate) contents: Option<Vec<u8>>,
}

/// The source of an address pin.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    Tied(bool),
    Wire(usize),
}

/// Why the documents do not say how a board goes on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// The address of data memory moves during WE.
    AddressMovesDuringWrite,
    /// The board does not come to rest.
    Restless,
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
    /// Chooses who answers first.
    pub(crate) seed: u64,
}

impl Oracle<'_> {
    /// Turns the oscillator over.
    pub(crate) fn edge(&mut self) -> Result<(), Unknown> {
        self.set(self.board.oscillator, !self.wires[self.board.oscillator])
    }

    /// Gives a wire from outside a level.
    pub(crate) fn set(&mut self, wire: usize, level: bool) -> Result<(), Unknown> {
        self.wires[wire] = level;
        self.settle()
    }

    /// Writes a byte through the panel's port of data memory.
    pub(crate) fn poke(&mut self, address: usize, byte: u8) -> Result<(), Unknown> {
        self.memory[address] = byte;
        self.settle()
    }

    /// The chips that would show another byte than they do.
    pub(crate) fn waiting(&self) -> Vec<usize> {
        (0..self.shown.len()).filter(|&chip| self.byte(chip) != self.shown[chip]).collect()
    }

    fn settle(&mut self) -> Result<(), Unknown> {
        for _ in 0..ANSWERS_MAX {
            let waiting = self.waiting();
            if waiting.is_empty() {
                return Ok(());
            }
            self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let chip = waiting[(self.seed >> 33) as usize % waiting.len()];
            self.shown[chip] = self.byte(chip);
            self.drive()?;
        }
        Err(Unknown::Restless)
    }

    /// Gives the wires the levels to which they are driven; data memory stores a byte as WE ends.
    fn drive(&mut self) -> Result<(), Unknown> {
        let (memory, (write_low, _)) = self.memory_chip();
        let (was_low, address) = (!self.wires[write_low], self.address(memory));
        let bus = self.board.chips[memory].data.iter().rev();
        let bus = bus.fold(0, |byte, &wire| byte << 1 | u8::from(self.wires[wire]));
        // Enables first: they come from chips that drive their wires always.
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

    /// Data memory, and its enable.
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

    /// The byte at the address of a chip.
    fn byte(&self, chip: usize) -> u8 {
        let contents = self.board.chips[chip].contents.as_deref();
        contents.map_or(self.memory[self.address(chip) % CELLS], |bytes| bytes[self.address(chip)])
    }
}

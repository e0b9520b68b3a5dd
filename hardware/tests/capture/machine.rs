//! The chips and wires of a board, in the form in which the bench simulates them. They are taken
//! from the board, which has its own tests.

use gray1_board::{Board, Output, Source};

/// The chips and wires of a machine, without delays.
#[derive(Clone)]
pub(crate) struct Machine {
    /// The names of the wires, in the board's order.
    pub(crate) wires: Vec<String>,
    pub(crate) chips: Vec<MachineChip>,
    pub(crate) write_low: usize,
}

/// A chip and its wires.
#[derive(Clone)]
pub(crate) struct MachineChip {
    pub(crate) name: String,
    /// The wire of each address pin, or `None` for a pin at 0 V.
    pub(crate) address: Vec<Option<usize>>,
    pub(crate) data: Vec<usize>,
    /// The level of nWE at which the chip drives its wires. `None` if the chip always drives them.
    pub(crate) drives_at: Option<bool>,
    pub(crate) does: ChipRule,
}

/// How a chip computes its output from its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChipRule {
    Table(Vec<u8>),
    /// It copies the address pins 0 to 7 while pin 8 is high, and keeps its output otherwise.
    Transparent,
    Memory,
}

impl Machine {
    pub(crate) fn new(board: &Board) -> Self {
        let chips = board.chips().iter().map(|chip| {
            let wire = |source: &Source| match source {
                Source::Net(net) => Some(net.index()),
                Source::Tied(_) => None,
            };
            let mut address: Vec<Option<usize>> = chip.address.iter().map(wire).collect();
            let does = if chip.part().name == "74HCT573" {
                // The board feeds its outputs back to its inputs. On the bench this feedback is
                // internal.
                address.truncate(9);
                ChipRule::Transparent
            } else if chip.contents().is_empty() {
                ChipRule::Memory
            } else {
                ChipRule::Table(chip.contents().to_vec())
            };
            let drives_at = match chip.output {
                Output::Always => None,
                Output::WhileLow(_) => Some(false),
                Output::WhileHigh(_) => Some(true),
            };
            let data = chip.data.iter().map(|net| net.index()).collect();
            MachineChip { name: chip.name().to_owned(), address, data, drives_at, does }
        });
        let chips = chips.collect();
        let wires = board.nets().iter().map(|net| net.name().to_owned()).collect();
        let write_low = board.net_named("nWE").unwrap().index();
        Self { wires, chips, write_low }
    }

    /// Returns the number of a wire.
    pub(crate) fn wire_named(&self, name: &str) -> usize {
        self.wires.iter().position(|it| it == name).unwrap()
    }

    /// Returns the number of a chip.
    pub(crate) fn chip_named(&self, name: &str) -> usize {
        self.chips.iter().position(|it| it.name == name).unwrap()
    }

    /// Returns the chips that can drive a wire.
    pub(crate) fn drivers(&self, wire: usize) -> impl Iterator<Item = &MachineChip> {
        self.chips.iter().filter(move |chip| chip.data.contains(&wire))
    }
}

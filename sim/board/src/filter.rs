//! Filters: low-passes between the data pins of chips and their wires, against pulses of ROMs whose
//! outputs should stay still.

use std::ops::RangeInclusive;

use super::checked::{Board, Driver, Output};
use super::document::FilterEntry;
use super::error::BoardError;
use super::names::Names;
use super::support_parts::{Connection, SupportPart};

/// The capacitance of an input and of the wire to it, in pF: data sheets of memories say 6 to 10 at
/// most (from memory).
const INPUT_PF: u64 = 10;
/// Resistances in ohms, and capacitances in pF.
const VALUES: RangeInclusive<u32> = 1..=100_000;

/// A low-pass: a resistor behind the data pin of a chip, and behind it a capacitor to ground. All
/// that reads the wire reads it behind the filter, the chip's own feedback too.
///
/// The times are those to 1.5 V, at which makers measure access times. A CMOS output that drives
/// CMOS inputs goes from rail to rail, so behind R and C the wire rises as 5 V · (1 - e^(-t/RC))
/// and falls as 5 V · e^(-t/RC): it passes 1.5 V after 0.357 RC on its way up, 1.204 RC on its way
/// down. The resistance of the output itself, which no data sheet has, comes on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    ohm: u32,
    pf: u32,
    /// The inputs on the wire.
    inputs: u32,
}

impl Filter {
    /// The resistance, in ohms.
    #[must_use]
    pub const fn ohm(self) -> u32 {
        self.ohm
    }

    /// The capacitance, in pF.
    #[must_use]
    pub const fn pf(self) -> u32 {
        self.pf
    }

    /// A pulse of up to this length, in ps, does not reach 1.5 V: of a high one, 0.357 RC without
    /// what the inputs add. (A low one may be more than three times as long.)
    #[must_use]
    pub const fn stops_ps(self) -> u64 {
        self.ohm as u64 * self.pf as u64 * 356 / 1000
    }

    /// A lasting move is at the inputs after this time, in ps, at the latest: falling, 1.204 RC
    /// with what the inputs add.
    #[must_use]
    pub const fn delay_ps(self) -> u64 {
        self.ohm as u64 * (self.pf as u64 + INPUT_PF * self.inputs as u64) * 1204 / 1000
    }
}

/// Puts filters on wires.
pub(super) fn place(
    board: &mut Board,
    entries: &[FilterEntry],
    names: &Names,
) -> Result<(), BoardError> {
    for entry in entries {
        for net in names.wires("filters", &entry.lines)? {
            let name = board.net(net).name();
            let refuse =
                |reason: &str| Err(BoardError::new(format!("the filter of {name}: {reason}")));
            let Driver::Chip(pin) = board.net(net).driver() else {
                return refuse("expected a wire of one chip");
            };
            let chip = board.chip(pin.chip);
            let is_rom = !chip.part().kind.is_ram() && chip.part().logic.is_none();
            if !is_rom || chip.output() != Output::Always {
                return refuse("expected the output of a ROM that is always on");
            }
            if board.net(net).filter().is_some() {
                return refuse("it has one already");
            }
            let wire = Connection::Wire(name.to_owned());
            let around = board.support_parts().iter().flat_map(SupportPart::connections);
            let inputs = board.readers(net).count() + around.filter(|it| **it == wire).count();
            let filter = Filter { ohm: entry.ohm, pf: entry.pf, inputs: inputs as u32 };
            if [entry.ohm, entry.pf].iter().any(|value| !VALUES.contains(value)) {
                return refuse("expected 1 to 100000 ohm and 1 to 100000 pF");
            }
            board.nets[net.index()].filter = Some(filter);
        }
    }
    Ok(())
}

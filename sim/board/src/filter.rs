//! Filters: low-passes between the data pins of chips and their wires, against pulses of ROMs whose
//! outputs should stay still.

/// The capacitance of an input and of the wire to it, in pF: data sheets of memories say 6 to 10 at
/// most (from memory).
const INPUT_PF: u64 = 10;

/// A low-pass: a resistor behind the data pin of a chip, and behind it a capacitor to ground. All
/// that reads the wire reads it behind the filter, the chip's own feedback too.
///
/// The times are those to 1.5 V, at which makers measure access times. A CMOS output that drives
/// CMOS inputs goes from rail to rail, so behind R and C the wire rises as 5 V · (1 - e^(-t/RC))
/// and falls as 5 V · e^(-t/RC): it passes 1.5 V after 0.357 RC on its way up, 1.204 RC on its way
/// down. The resistance of the output itself, which no data sheet has, comes on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    pub(super) ohm: u32,
    pub(super) pf: u32,
    /// The inputs on the wire.
    pub(super) inputs: u32,
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

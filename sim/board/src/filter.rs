//! Low-pass filters between the data pins of chips and their wires. They suppress glitches of ROM
//! outputs that should stay constant.

/// The capacitance of one input and the wire to it, in pF. Data sheets of memories give 6 to 10 as
/// the maximum (from memory).
const INPUT_PF: u64 = 10;

/// A low-pass filter: a resistor in series with the data pin of a chip, then a capacitor to ground.
/// All inputs on the wire read the filtered level, including the feedback of the chip.
///
/// Times are measured at 1.5 V, where manufacturers measure access times. A CMOS output that drives
/// CMOS inputs switches between the supply rails. After R and C, the wire therefore rises as 5 V ·
/// (1 - e^(-t/RC)) and falls as 5 V · e^(-t/RC). It crosses 1.5 V after 0.357 RC when it rises and
/// after 1.204 RC when it falls. The resistance of the output adds to R, but data sheets do not
/// state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// The resistance, in ohms.
    pub ohm: u32,
    /// The capacitance, in pF.
    pub pf: u32,
    /// The number of inputs on the wire.
    pub inputs: u32,
}

impl Filter {
    /// Returns the maximum length, in ps, of a pulse that is certain to be suppressed. A high pulse
    /// reaches 1.5 V after 0.357 RC, without the capacitance of the inputs. A low pulse takes more
    /// than three times as long.
    pub const fn stops_ps(self) -> u64 {
        self.ohm as u64 * self.pf as u64 * 356 / 1000
    }

    /// Returns the maximum delay of a level change in ps: 1.204 RC for a falling edge, including
    /// the capacitance of the inputs.
    pub const fn delay_ps(self) -> u64 {
        self.ohm as u64 * (self.pf as u64 + INPUT_PF * self.inputs as u64) * 1204 / 1000
    }
}

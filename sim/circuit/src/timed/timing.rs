//! The delays of a board's chips, and their random choices.

use std::num::NonZeroU64;
use std::ops::RangeInclusive;

use gray1_board::Board;

/// The default maximum length of a glitch, in ps: 24 ns. The original's EPROMs had pulses of "a few
/// nanoseconds"; docs/JIG.md has the sources.
pub const PULSE_PS: u64 = 24_000;

/// The delays of a board's chips, and the source of random choices.
#[derive(Debug, Clone)]
pub struct Timing {
    /// The minimum and maximum delay of each chip in ps, indexed by [`gray1_board::ChipId::index`].
    pub delays_ps: Vec<RangeInclusive<u64>>,
    /// The time between two edges of the oscillator, in ps.
    pub phase_ps: u64,
    /// Whether chips other than counters also output the bytes at mixes of changing address pins.
    pub mixes: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// If set, one in N address changes of a ROM disturbs outputs that are the same before and
    /// after. If not set, such outputs stay constant.
    pub glitch: Option<NonZeroU64>,
    /// The maximum length of a glitch, in ps.
    pub pulse_ps: u64,
}

/// The settings of the random choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noise {
    /// The seed of all random choices.
    pub seed: u64,
    /// As [`Timing::glitch`].
    pub glitch: Option<NonZeroU64>,
    /// As [`Timing::pulse_ps`].
    pub pulse_ps: u64,
}

impl Timing {
    /// Creates the harder setting: delays from a tenth of each chip's access time to the whole
    /// access time, with mixes. The phase is long enough for any path through chips and filters.
    /// ROMs do not glitch.
    pub fn new(board: &Board, seed: u64) -> Self {
        let access_ns = board.chips().iter().map(|chip| u64::from(chip.access_ns));
        let delays_ps = access_ns.clone().map(|ns| 100 * ns..=1000 * ns).collect();
        let phase_ps = access_ns.sum::<u64>() * 1000 + board.filters_ps();
        let phase_ps = phase_ps.next_multiple_of(100_000);
        Self { delays_ps, phase_ps, mixes: true, seed, glitch: None, pulse_ps: PULSE_PS }
    }

    /// Creates the harder setting with this seed, glitch rate and pulse length.
    pub fn with_noise(board: &Board, Noise { seed, glitch, pulse_ps }: Noise) -> Self {
        Self { glitch, pulse_ps, ..Self::new(board, seed) }
    }
}

impl Noise {
    /// Creates settings with this seed and without glitches.
    pub const fn seeded(seed: u64) -> Self {
        Self { seed, glitch: None, pulse_ps: PULSE_PS }
    }
}

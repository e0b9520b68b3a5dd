//! The speed of a board in time, and its random choices.

use std::num::NonZeroU64;

use gray1_board::Board;

/// The longest glitch by default, in ps: 24 ns. The original's EPROMs had pulses of "a few
/// nanoseconds"; docs/JIG.md has the sources.
pub const PULSE_PS: u64 = 24_000;

/// The speed of a board's chips, and the choice of their delays.
#[derive(Debug, Clone)]
pub struct Timing {
    /// Shortest and longest delay of each chip in ps, by [`gray1_board::ChipId::index`].
    pub delays_ps: Vec<(u64, u64)>,
    /// From one edge of the oscillator to the next, in ps.
    pub phase_ps: u64,
    /// True if chips other than counters also show the contents of mixes of moving wires.
    pub mixes: bool,
    /// All random choices follow from it.
    pub seed: u64,
    /// One in so many arrivals of an address wire at a ROM makes outputs glitch that are the same
    /// before and after. Without it outputs that should stay still do.
    pub glitch: Option<NonZeroU64>,
    /// The longest glitch, in ps.
    pub pulse_ps: u64,
}

/// The choices of a board in time that are left to chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noise {
    /// All of them follow from it.
    pub seed: u64,
    /// As [`Timing::glitch`].
    pub glitch: Option<NonZeroU64>,
    /// As [`Timing::pulse_ps`].
    pub pulse_ps: u64,
}

impl Timing {
    /// Delays from a tenth of each chip's access time to all of it, in the harder setting, and a
    /// phase that is long enough for any path through the chips and filters. No ROM glitches.
    #[must_use]
    pub fn of(board: &Board, seed: u64) -> Self {
        let access_ns = board.chips().iter().map(|chip| u64::from(chip.access_ns()));
        let delays_ps = access_ns.clone().map(|ns| (100 * ns, 1000 * ns)).collect();
        let phase_ps = access_ns.sum::<u64>() * 1000 + board.filters_ps();
        let phase_ps = phase_ps.next_multiple_of(100_000);
        Self { delays_ps, phase_ps, mixes: true, seed, glitch: None, pulse_ps: PULSE_PS }
    }

    /// The same with these choices.
    #[must_use]
    pub fn with_noise(board: &Board, Noise { seed, glitch, pulse_ps }: Noise) -> Self {
        Self { glitch, pulse_ps, ..Self::of(board, seed) }
    }
}

impl Noise {
    /// Delays from this seed, and no glitches.
    #[must_use]
    pub const fn seeded(seed: u64) -> Self {
        Self { seed, glitch: None, pulse_ps: PULSE_PS }
    }
}

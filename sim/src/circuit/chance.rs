//! Chance that can be repeated: a small generator of pseudo-random numbers (`SplitMix64`, by
//! Sebastiano Vigna, public domain).

/// A source of numbers that gives the same ones for the same seed.
#[derive(Debug, Clone)]
pub(super) struct Chance {
    state: u64,
}

impl Chance {
    pub(super) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(super) const fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number from a range, its ends included.
    pub(super) const fn between(&mut self, first: u64, last: u64) -> u64 {
        // The bias of the remainder is far below what anyone could notice here.
        first + self.number() % (last - first + 1)
    }

    pub(super) const fn coin(&mut self) -> bool {
        self.number() >> 63 == 1
    }
}

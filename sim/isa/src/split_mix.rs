//! `SplitMix64`, the only pseudo-random generator of all tools.

/// The splittable generator of Steele, Lea and Flood (OOPSLA 2014). It is small, good enough for
/// simulated noise, and gives the same numbers on every machine, as a seed on a command line
/// requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Creates a generator. The same seed always gives the same numbers.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next number.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `count`, which must not be 0.
    #[inline]
    pub const fn below(&mut self, count: u64) -> u64 {
        // The remainder is biased, but too little to be observed in a simulation.
        self.next() % count
    }

    /// Returns a number from a range that includes both ends.
    #[inline]
    pub const fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// Returns a random byte.
    #[inline]
    pub const fn byte(&mut self) -> u8 {
        (self.next() >> 56) as u8
    }

    /// Returns true or false with equal probability.
    #[inline]
    pub const fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_published_numbers() {
        let mut random = SplitMix64::new(0);
        let numbers = [random.next(), random.next(), random.next(), random.next()];
        // The first outputs of the authors' implementation with the seed 0.
        let published = [
            0xe220_a839_7b1d_cdaf,
            0x6e78_9e6a_a1b9_65f4,
            0x06c4_5d18_8009_454f,
            0xf88b_b8a8_724c_81ec,
        ];
        assert_eq!(numbers, published);
    }

    #[test]
    fn random_numbers_reach_both_ends_of_their_range() {
        let random = &mut SplitMix64::new(1);
        let drawn = |draw: &mut dyn FnMut() -> u64| {
            let mut drawn: Vec<u64> = (0..1000).map(|_| draw()).collect();
            drawn.sort_unstable();
            drawn.dedup();
            drawn
        };
        assert_eq!(drawn(&mut || random.below(5)), [0, 1, 2, 3, 4]);
        assert_eq!(drawn(&mut || random.between(7, 9)), [7, 8, 9]);
        assert_eq!(drawn(&mut || u64::from(random.coin())), [0, 1]);
        assert!(drawn(&mut || u64::from(random.byte())).len() > 240);
    }
}

//! Sets of a chip's addresses, with one bit for each address.

/// The number of addresses in a word.
const WORD: usize = u64::BITS as usize;
/// The number of address pins that select a bit within a word.
const PINS_WITHIN: u32 = WORD.trailing_zeros();

/// A set of addresses of a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Addresses {
    words: Vec<u64>,
}

impl Addresses {
    /// Creates an empty set for a chip with this many addresses, which must be a power of two.
    pub(super) fn none(addresses: usize) -> Self {
        Self { words: vec![0; addresses.div_ceil(WORD)] }
    }

    /// Adds an address. Returns whether it is new.
    pub(super) fn insert(&mut self, address: u32) -> bool {
        let word = &mut self.words[address as usize / WORD];
        let before = std::mem::replace(word, *word | 1 << (address as usize % WORD));
        before != *word
    }

    pub(super) fn contains(&self, address: u32) -> bool {
        self.words[address as usize / WORD] >> (address as usize % WORD) & 1 == 1
    }

    pub(super) fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn extend(&mut self, others: &Self) {
        self.words.iter_mut().zip(&others.words).for_each(|(word, others)| *word |= others);
    }

    /// Adds, for each address in the set, the address that differs only in this pin.
    pub(super) fn toggle(&mut self, pin: u32) {
        if pin < PINS_WITHIN {
            let distance = 1 << pin;
            // The bits at which the pin is low: alternating runs of `distance` ones and zeros.
            let low = u64::MAX / ((1 << distance) + 1);
            for word in &mut self.words {
                *word |= (*word & low) << distance | *word >> distance & low;
            }
            return;
        }
        let distance = 1 << (pin - PINS_WITHIN);
        for block in self.words.chunks_exact_mut(2 * distance) {
            let (low, high) = block.split_at_mut(distance);
            for (low, high) in low.iter_mut().zip(high) {
                *low |= *high;
                *high = *low;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gray1_isa::SplitMix64;

    use super::*;

    #[test]
    fn toggling_a_pin_adds_the_address_with_that_pin_inverted() {
        let random = &mut SplitMix64::new(1);
        for width in [5, 6, 9] {
            for pin in 0..width {
                let some: BTreeSet<u32> =
                    (0..20).map(|_| random.below(1 << width) as u32).collect();
                let mut addresses = Addresses::none(1 << width);
                for &address in &some {
                    assert!(addresses.insert(address) && !addresses.insert(address));
                }
                assert_eq!(addresses.len(), some.len());
                addresses.toggle(pin);
                let expected: BTreeSet<u32> =
                    some.iter().flat_map(|&address| [address, address ^ 1 << pin]).collect();
                let found = (0..1 << width).filter(|&address| addresses.contains(address));
                assert_eq!(found.collect::<BTreeSet<u32>>(), expected, "pin {pin} of {width}");
            }
        }
    }
}

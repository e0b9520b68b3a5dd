//! Sets of a chip's addresses, with one bit for each address.

use gray1_isa::BitSet;

/// A set of addresses of a chip.
pub(super) type Addresses = BitSet<usize, Vec<u64>>;

/// The number of address pins that select a bit within a word of the set.
const PINS_WITHIN: u32 = u64::BITS.trailing_zeros();

/// Adds, for each address in the set, the address that differs only in this pin. The set must have
/// room for all addresses of the chip, whose number is a power of two.
pub(super) fn toggle(addresses: &mut Addresses, pin: u32) {
    let words = addresses.words_mut();
    if pin < PINS_WITHIN {
        let distance = 1 << pin;
        // The bits at which the pin is low: alternating runs of `distance` ones and zeros.
        let low = u64::MAX / ((1 << distance) + 1);
        for word in words {
            *word |= (*word & low) << distance | *word >> distance & low;
        }
        return;
    }
    let distance = 1 << (pin - PINS_WITHIN);
    for block in words.chunks_exact_mut(2 * distance) {
        let (low, high) = block.split_at_mut(distance);
        for (low, high) in low.iter_mut().zip(high) {
            *low |= *high;
            *high = *low;
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
                let some: BTreeSet<usize> =
                    (0..20).map(|_| random.below(1 << width) as usize).collect();
                let mut addresses = Addresses::below(1 << width);
                for &address in &some {
                    assert!(addresses.insert(address) && !addresses.insert(address));
                }
                assert_eq!(addresses.len(), some.len());
                toggle(&mut addresses, pin);
                let expected: BTreeSet<usize> =
                    some.iter().flat_map(|&address| [address, address ^ 1 << pin]).collect();
                let found = (0..1 << width).filter(|&address| addresses.contains(address));
                assert_eq!(found.collect::<BTreeSet<usize>>(), expected, "pin {pin} of {width}");
            }
        }
    }
}

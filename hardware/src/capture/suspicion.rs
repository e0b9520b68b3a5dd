//! Suspicions about a chip: single faults that would explain everything that it showed.

use std::collections::HashMap;

use super::evidence::AddressEvidence;

/// A fault of a chip's address or data pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suspicion {
    /// The chip sees an address pin always at this level.
    AddressStuck(u8, bool),
    /// Two address pins are exchanged.
    AddressSwapped(u8, u8),
    /// A data pin always has this level.
    DataStuck(u8, bool),
    /// Two data pins are exchanged.
    DataSwapped(u8, u8),
    /// Two data pins are shorted: where they should differ, both have this level. A latch with
    /// shorted outputs holds its state, like one whose enable is stuck.
    DataShorted(u8, u8, bool),
}

impl Suspicion {
    /// The byte that a chip with this fault shows.
    fn shows(self, contents: &[u8], address: u32) -> u8 {
        let at = |address: u32| contents[address as usize];
        match self {
            Self::AddressStuck(pin, level) => at(address & !(1 << pin) | u32::from(level) << pin),
            Self::AddressSwapped(a, b) => at(swapped(address, a, b)),
            Self::DataStuck(pin, level) => at(address) & !(1 << pin) | u8::from(level) << pin,
            Self::DataSwapped(a, b) => swapped(at(address).into(), a, b) as u8,
            Self::DataShorted(a, b, level) => shorted(at(address), a, b, level),
        }
    }

    /// All suspicions about these pins.
    fn all(address: u32, data: u8) -> Vec<Self> {
        let levels = [false, true];
        let (address, data) = (pins(address), pins(data.into()));
        let stuck = |pins: &[u8], new: fn(u8, bool) -> Self| -> Vec<Self> {
            pins.iter().flat_map(|&pin| levels.map(|level| new(pin, level))).collect()
        };
        let swapped = |pins: &[u8], new: fn(u8, u8) -> Self| -> Vec<Self> {
            pairs(pins).map(|(a, b)| new(a, b)).collect()
        };
        let shorted = |(a, b)| levels.map(|level| Self::DataShorted(a, b, level));
        [
            stuck(&data, Self::DataStuck),
            swapped(&data, Self::DataSwapped),
            pairs(&data).flat_map(shorted).collect(),
            stuck(&address, Self::AddressStuck),
            swapped(&address, Self::AddressSwapped),
        ]
        .concat()
    }

    /// The suspicions about pins of a chip, all of whose address pins are known, that explain all
    /// that it has shown on the data pins of a mask.
    pub(super) fn of(
        contents: &[u8],
        seen: &HashMap<u32, AddressEvidence>,
        address: u32,
        data: u8,
    ) -> Vec<Self> {
        let explains = |suspicion: &Self| {
            let agrees = |(&address, seen): (&u32, &AddressEvidence)| {
                let is_alike = (suspicion.shows(contents, address) ^ seen.data) & data == 0;
                is_alike && !seen.varies && (seen.right == 0 || seen.wrong == 0)
            };
            seen.iter().all(agrees)
        };
        Self::all(address, data).into_iter().filter(explains).collect()
    }
}

fn pins(mask: u32) -> Vec<u8> {
    (0..u32::BITS as u8).filter(|pin| mask >> pin & 1 == 1).collect()
}

/// All pairs of these pins, the lower one first.
fn pairs(pins: &[u8]) -> impl Iterator<Item = (u8, u8)> {
    let above = |(at, &low): (usize, &u8)| pins[at + 1..].iter().map(move |&high| (low, high));
    pins.iter().enumerate().flat_map(above)
}

/// A byte in which two bits that differ both have this level.
fn shorted(byte: u8, a: u8, b: u8, level: bool) -> u8 {
    let both = 1 << a | 1 << b;
    if (byte >> a ^ byte >> b) & 1 == 0 {
        byte
    } else if level {
        byte | both
    } else {
        byte & !both
    }
}

/// A number with two bits exchanged.
fn swapped(number: u32, a: u8, b: u8) -> u32 {
    let differ = (number >> a ^ number >> b) & 1;
    number ^ (differ << a | differ << b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A latch of two bits: A0 and A1 are its inputs, A2 and A3 its own wires, A4 is its enable.
    fn latch() -> Vec<u8> {
        (0..32_u8)
            .map(|address| if address >> 4 == 1 { address & 3 } else { address >> 2 })
            .collect()
    }

    /// What the latch shows at addresses, wrong where it differs from its contents.
    fn seen(contents: &[u8], shown: &[(u32, u8)]) -> HashMap<u32, AddressEvidence> {
        let seen = |&(address, data): &(u32, u8)| {
            let pins = contents[address as usize] ^ data;
            let wrong = u32::from(pins != 0);
            (address, AddressEvidence { data, right: 1 - wrong, wrong, pins, varies: false })
        };
        shown.iter().map(seen).collect()
    }

    #[test]
    fn a_short_of_two_outputs_comes_before_an_enable_that_is_not_seen() {
        let contents = latch();
        let of = |shown: &[(u32, u8)]| Suspicion::of(&contents, &seen(&contents, shown), 0x1f, 3);
        let missed = Suspicion::AddressStuck(4, false);
        let found = of(&[(0b1_00_01, 0), (0b1_00_10, 0), (0b0_00_10, 0)]);
        assert_eq!(found[0], Suspicion::DataShorted(0, 1, false));
        assert!(found.contains(&missed), "a latch at rest holds what it shows: {found:?}");
        let found = of(&[(0b1_11_01, 3), (0b1_11_10, 3), (0b0_11_01, 3)]);
        assert_eq!(found[0], Suspicion::DataShorted(0, 1, true));
        let found = of(&[(0b1_00_11, 0), (0b1_00_10, 0), (0b1_00_01, 0)]);
        assert_eq!(found[0], missed, "both should have been high, and were not");
    }
}

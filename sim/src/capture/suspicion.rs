//! Suspicions about a chip: single faults that would explain everything that it was seen to show.

use std::collections::HashMap;

use super::evidence::Seen;

/// A fault of a chip's address or data pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suspicion {
    /// An address pin always has this level for the chip.
    AddressStuck(u8, bool),
    /// Two address pins are exchanged.
    AddressSwapped(u8, u8),
    /// A data pin always has this level.
    DataStuck(u8, bool),
    /// Two data pins are exchanged.
    DataSwapped(u8, u8),
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
            let above = |&low: &u8| {
                pins.iter().filter(move |high| **high > low).map(move |&high| new(low, high))
            };
            pins.iter().flat_map(above).collect()
        };
        [
            stuck(&data, Self::DataStuck),
            swapped(&data, Self::DataSwapped),
            stuck(&address, Self::AddressStuck),
            swapped(&address, Self::AddressSwapped),
        ]
        .concat()
    }

    /// The suspicions about pins of a chip, all of whose address pins are known, that explain all
    /// that it has shown on the data pins of a mask.
    pub(super) fn of(
        contents: &[u8],
        seen: &HashMap<u32, Seen>,
        address: u32,
        data: u8,
    ) -> Vec<Self> {
        let explains = |suspicion: &Self| {
            let agrees = |(&address, seen): (&u32, &Seen)| {
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

/// A number with two bits exchanged.
fn swapped(number: u32, a: u8, b: u8) -> u32 {
    let differ = (number >> a ^ number >> b) & 1;
    number ^ (differ << a | differ << b)
}

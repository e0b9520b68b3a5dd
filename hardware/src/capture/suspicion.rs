//! Suspicions about a chip: single faults that would explain all of its behaviour.

use gray1_isa::address::ROM_BYTES;
use gray1_isa::gray;

/// A fault of a chip's address or data pins, or of its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suspicion {
    /// An address pin always has this level inside the chip.
    AddressStuck(u8, bool),
    /// Two address pins are exchanged.
    AddressSwapped(u8, u8),
    /// A data pin always has this level.
    DataStuck(u8, bool),
    /// A data pin is wrong at an address.
    WrongBit(u32, u8),
    /// All data pins always have this level: high if the chip was not burned, low if it has no
    /// supply.
    Constant(bool),
    /// The program is burned in counting order, not in Gray order.
    CountingOrder,
    /// The chip holds a program that is not known.
    OtherProgram,
}

impl Suspicion {
    /// The address that a chip with this fault accesses when its pins have this address.
    pub(super) fn address(self, address: u32) -> u32 {
        match self {
            Self::AddressStuck(pin, level) => address & !(1 << pin) | u32::from(level) << pin,
            Self::AddressSwapped(a, b) => swapped(address, a, b),
            Self::CountingOrder => {
                let program = ROM_BYTES as u32 - 1;
                address & !program | u32::from(gray::encode((address & program) as u16))
            }
            _ => address,
        }
    }

    /// The levels of the data pins of a chip with this fault, when it outputs the byte at an
    /// address.
    pub(super) fn data(self, address: u32, byte: u8) -> u8 {
        match self {
            Self::DataStuck(pin, level) => byte & !(1 << pin) | u8::from(level) << pin,
            Self::WrongBit(at, pin) if at == address => byte ^ 1 << pin,
            Self::Constant(level) => u8::from(level) * u8::MAX,
            _ => byte,
        }
    }

    /// The byte that a chip with this fault outputs.
    pub(super) fn output(self, contents: &[u8], address: u32) -> u8 {
        self.data(address, contents[self.address(address) as usize % contents.len()])
    }

    /// True if the contents of the chip are wrong, other than in one bit.
    pub(super) const fn is_about_images(self) -> bool {
        matches!(self, Self::Constant(_) | Self::CountingOrder | Self::OtherProgram)
    }

    /// Returns all suspicions about the pins in these masks: stuck address pins, exchanged address
    /// pins and stuck data pins. Wrong bits are not included.
    pub(super) fn all(address: u32, data: u8) -> Vec<Self> {
        let levels = [false, true];
        let (address, data) = (pins(address), pins(data.into()));
        let stuck = |pins: &[u8], new: fn(u8, bool) -> Self| -> Vec<Self> {
            pins.iter().flat_map(|&pin| levels.map(|level| new(pin, level))).collect()
        };
        [
            stuck(&address, Self::AddressStuck),
            pairs(&address).map(|(a, b)| Self::AddressSwapped(a, b)).collect(),
            stuck(&data, Self::DataStuck),
        ]
        .concat()
    }
}

fn pins(mask: u32) -> Vec<u8> {
    (0..u32::BITS as u8).filter(|pin| mask >> pin & 1 == 1).collect()
}

/// All pairs of these pins, each in the order of `pins`.
pub(super) fn pairs<T: Copy>(pins: &[T]) -> impl Iterator<Item = (T, T)> {
    pins.iter()
        .enumerate()
        .flat_map(|(at, &low)| pins[at + 1..].iter().map(move |&high| (low, high)))
}

/// A number with two bits exchanged.
fn swapped(number: u32, a: u8, b: u8) -> u32 {
    let differ = (number >> a ^ number >> b) & 1;
    number ^ (differ << a | differ << b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_a_pin_changes_what_a_chip_outputs() {
        let contents: Vec<u8> = (0..16).map(|address| address * 0x11).collect();
        let shows = |suspicion: Suspicion| suspicion.output(&contents, 0b0110);
        assert_eq!(shows(Suspicion::AddressStuck(0, true)), 0x77);
        assert_eq!(shows(Suspicion::AddressSwapped(0, 2)), 0x33);
        assert_eq!(shows(Suspicion::DataStuck(7, true)), 0xe6);
        assert_eq!(shows(Suspicion::WrongBit(6, 0)), 0x67);
        assert_eq!(shows(Suspicion::WrongBit(5, 0)), 0x66);
    }
}

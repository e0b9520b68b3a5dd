//! The parts of a machine that hold anything at power-up.

use std::collections::BTreeMap;

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{PowerUp, PowerUpContents, RamAddr};

/// A part of the machine that holds anything at power-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PowerUpPlace {
    /// A byte of data memory.
    Byte(RamAddr),
    /// The accumulator.
    A,
    /// The carry. Its only bit is bit 0.
    Carry,
}

/// Bits at power-up: for each place, a mask.
pub type PowerUpBits = BTreeMap<PowerUpPlace, u8>;

impl PowerUpPlace {
    /// Returns the value at power-up.
    pub fn value_in(self, power_up: PowerUp) -> u8 {
        let PowerUpContents { a, carry, ram } = power_up.contents();
        self.value(a, carry, &ram)
    }

    /// Returns the value among these.
    pub(super) fn value(self, a: u8, carry: bool, ram: &[u8; RAM_BYTES]) -> u8 {
        match self {
            Self::Byte(address) => ram[address.to_usize()],
            Self::A => a,
            Self::Carry => u8::from(carry),
        }
    }
}

//! 13-bit numbers that are checked when they are made: instruction indexes and data addresses.
//!
//! Program memory and data memory both have 8192 places. Separate types keep their numbers apart.

use crate::gray::{self, GrayCode};

/// The number of instructions in program memory.
pub const ROM_WORDS: usize = 1 << 13;
/// The number of bytes in data memory.
pub const RAM_BYTES: usize = 1 << 13;
/// The number of bytes in the PROG chip. An instruction takes two.
pub const ROM_BYTES: usize = 2 * ROM_WORDS;

/// Declares a 13-bit number type whose constructors accept or make only numbers that fit.
macro_rules! field {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default,
            serde::Serialize, serde::Deserialize,
        )]
        #[serde(try_from = "u16", into = "u16")]
        pub struct $name(u16);

        impl From<$name> for u16 {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl From<$name> for usize {
            #[inline]
            fn from(value: $name) -> Self {
                value.to_usize()
            }
        }

        impl TryFrom<u16> for $name {
            type Error = String;

            fn try_from(value: u16) -> Result<Self, String> {
                Self::new(value)
                    .ok_or_else(|| format!("invalid number {value} (expected 0 to 8191)"))
            }
        }

        impl $name {
            /// The highest value, 8191.
            pub const MAX: Self = Self(0x1fff);

            /// Returns `None` for a number of more than 13 bits.
            pub const fn new(value: u16) -> Option<Self> {
                if value <= Self::MAX.0 { Some(Self(value)) } else { None }
            }

            /// Keeps the low 13 bits, as the 13 wires of the hardware do.
            pub const fn truncate(value: u16) -> Self {
                Self(value & Self::MAX.0)
            }

            /// Iterates over all numbers in counting order.
            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..=Self::MAX.0).map(Self)
            }

            /// Returns the number, 0 ..= 8191.
            pub const fn get(self) -> u16 {
                self.0
            }

            /// Returns the number as an index into a table of 8192 entries.
            pub const fn to_usize(self) -> usize {
                // The mask tells the compiler that the result is below 8192, so bounds checks
                // disappear.
                (self.0 & Self::MAX.0) as usize
            }
        }
    };
}
pub(crate) use field;

field! {
    /// The index of an instruction in program memory, 0 ..= 8191.
    RomIndex
}

field! {
    /// The address of a byte of data memory, 0 ..= 8191.
    RamAddr
}

/// One of the two bytes of an instruction. The high one, which has the opcode, is fetched first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Opcode and operand bits 8–12.
    High,
    /// Operand bits 0–7.
    Low,
}

impl RomIndex {
    /// Returns the next index. The program counter wraps from 8191 to 0.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::truncate(self.0 + 1)
    }

    /// Returns the previous index, which is 8191 for index 0.
    #[must_use]
    pub const fn previous(self) -> Self {
        Self::truncate(self.0.wrapping_sub(1))
    }

    /// Returns the Gray code of this index, which is the operand of a jump to it.
    pub const fn gray(self) -> GrayCode {
        GrayCode::truncate(gray::encode(self.0))
    }

    /// Returns the PROG address (0 ..= 16383) at which one byte of this instruction is burned.
    ///
    /// It is the 14-bit Gray code of 2·index for the high byte, and of 2·index + 1 for the low byte
    /// (docs/MACHINE.md, "How a program is burned").
    pub const fn eprom_address(self, half: Half) -> usize {
        let byte = match half {
            Half::High => 0,
            Half::Low => 1,
        };
        gray::encode(2 * self.0 + byte) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_13_bits_are_refused() {
        assert_eq!(RomIndex::new(0x1fff), Some(RomIndex::MAX));
        assert_eq!(RomIndex::new(0x2000), None);
        assert_eq!(RamAddr::new(u16::MAX), None);
    }

    #[test]
    fn the_program_counter_wraps() {
        assert_eq!(RomIndex::MAX.next(), RomIndex::default());
        for index in RomIndex::all() {
            assert_eq!(index.next().previous(), index);
        }
    }
}

//! The reflected Gray code: neighbours differ in one bit, so a counter moves one wire at a time.

use crate::address::{RomIndex, field};

/// The Gray code of `binary`. Keeps the width: a code of n bits for a number of n bits.
#[must_use]
pub const fn encode(binary: u16) -> u16 {
    binary ^ (binary >> 1)
}

/// The number whose Gray code is `code`: the inverse of [`encode`].
#[must_use]
pub const fn decode(code: u16) -> u16 {
    // Bit i of the number is the parity of the bits i and above of the code, gathered by doubling.
    let code = code ^ (code >> 8);
    let code = code ^ (code >> 4);
    let code = code ^ (code >> 2);
    code ^ (code >> 1)
}

field! {
    /// A 13-bit Gray code: what a `JC` or a `JMP` carries in its operand field, and what the
    /// program counter's chips hold.
    GrayCode
}

impl GrayCode {
    /// The instruction index that this code stands for.
    #[must_use]
    pub const fn index(self) -> RomIndex {
        RomIndex::truncate(decode(self.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn every_code_is_used_once_and_decodes() {
        for n in 0..=u16::MAX {
            assert_eq!(decode(encode(n)), n);
        }
    }
}

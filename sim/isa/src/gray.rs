//! The reflected Gray code. Neighbouring codes differ in one bit, so a counter moves one wire at a
//! time.

use crate::address::{RomIndex, field};

/// Returns the Gray code of `binary`. A number of n bits gives a code of n bits.
pub const fn encode(binary: u16) -> u16 {
    binary ^ (binary >> 1)
}

/// Returns the number whose Gray code is `code`. This is the inverse of [`encode`].
pub const fn decode(code: u16) -> u16 {
    // Bit i of the number is the parity of bits i and above of the code. Four steps compute it,
    // each with half the shift of the step before.
    let code = code ^ (code >> 8);
    let code = code ^ (code >> 4);
    let code = code ^ (code >> 2);
    code ^ (code >> 1)
}

field! {
    /// A 13-bit Gray code. The operand field of `JC` and `JMP` holds one, and so do the chips of
    /// the program counter.
    GrayCode
}

impl GrayCode {
    /// Decodes the code to an instruction index.
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

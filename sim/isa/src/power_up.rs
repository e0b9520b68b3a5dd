//! The contents of memory and registers before the first reset. The hardware may hold anything, so
//! simulators offer a choice.

use std::fmt;
use std::str::FromStr;

use crate::address::RAM_BYTES;
use crate::split_mix::SplitMix64;
use crate::text::parse_number;

/// A choice of contents for data memory, A and C at power-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PowerUp {
    /// All bits clear.
    #[default]
    Zero,
    /// All bits set.
    Ones,
    /// Pseudo-random bits. The same seed gives the same bits.
    Random(u64),
}

/// The contents of registers and data memory at power-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PowerUpContents {
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// Data memory.
    pub ram: Box<[u8; RAM_BYTES]>,
}

impl PowerUp {
    /// Returns the contents for this choice. They are the same for every engine.
    pub fn contents(self) -> PowerUpContents {
        let mut bytes = self.bytes();
        let mut byte = || bytes.next().unwrap_or_default();
        PowerUpContents {
            a: byte(),
            carry: byte() & 1 == 1,
            ram: Box::new(std::array::from_fn(|_| byte())),
        }
    }

    /// Returns an endless sequence of bytes.
    fn bytes(self) -> impl Iterator<Item = u8> {
        let mut random = SplitMix64::new(if let Self::Random(seed) = self { seed } else { 0 });
        std::iter::repeat_with(move || match self {
            Self::Zero => 0x00,
            Self::Ones => 0xff,
            Self::Random(_) => random.byte(),
        })
    }
}

impl fmt::Display for PowerUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str("zero"),
            Self::Ones => f.write_str("ones"),
            Self::Random(seed) => write!(f, "random:{seed}"),
        }
    }
}

impl FromStr for PowerUp {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seed = text.strip_prefix("random:").and_then(parse_number);
        match (text, seed) {
            ("zero", _) => Ok(Self::Zero),
            ("ones", _) => Ok(Self::Ones),
            (_, Some(seed)) => Ok(Self::Random(seed)),
            _ => Err(format!(
                "expected zero, ones or random:SEED with a number from 0 to {}",
                u64::MAX
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_bytes() {
        let bytes: Vec<u8> = PowerUp::Random(0).bytes().take(4).collect();
        // The highest byte of each of the first numbers that the generator's authors published.
        assert_eq!(bytes, [0xe2, 0x6e, 0x06, 0xf8]);
    }

    #[test]
    fn power_up_contents_have_names() {
        for power_up in [PowerUp::Zero, PowerUp::Ones, PowerUp::Random(u64::MAX)] {
            assert_eq!(power_up.to_string().parse(), Ok(power_up));
        }
        for text in ["", "Zero", "random", "random:", "random:-1", "random:18446744073709551616"] {
            assert!(text.parse::<PowerUp>().is_err(), "{text}");
        }
    }
}

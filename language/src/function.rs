//! The built-in functions on numbers.

use crate::operator::ArithmeticError;

/// A function on numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// Bits 0 to 7.
    Lo,
    /// Bits 8 to 15.
    Hi,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// The exponent of a power of two.
    Log2,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Lo, Self::Hi, Self::Min, Self::Max, Self::Log2];

    /// The function of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lo => "lo",
            Self::Hi => "hi",
            Self::Min => "min",
            Self::Max => "max",
            Self::Log2 => "log2",
        }
    }

    /// The number of its arguments: 1 or 2.
    #[must_use]
    pub const fn arity(self) -> usize {
        match self {
            Self::Lo | Self::Hi | Self::Log2 => 1,
            Self::Min | Self::Max => 2,
        }
    }

    /// The value for the first argument, and the second one if it takes two.
    ///
    /// # Errors
    /// If there is none.
    pub fn apply(self, [first, second]: [i64; 2]) -> Result<i64, ArithmeticError> {
        Ok(match self {
            Self::Lo => first & 0xff,
            Self::Hi => first >> 8 & 0xff,
            Self::Min => first.min(second),
            Self::Max => first.max(second),
            Self::Log2 => {
                let power = u64::try_from(first).ok().filter(|number| number.is_power_of_two());
                power.ok_or(ArithmeticError::NotAPowerOfTwo(first))?.ilog2().into()
            }
        })
    }
}

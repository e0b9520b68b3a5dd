//! The built-in functions of numbers.

use crate::operator::ArithmeticError;

/// A built-in function of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// Returns bits 0 to 7 of the argument.
    Lo,
    /// Returns bits 8 to 15 of the argument.
    Hi,
    /// Returns the smaller argument.
    Min,
    /// Returns the larger argument.
    Max,
    /// Returns the exponent of a power of two.
    Log2,
}

impl Function {
    /// All functions.
    pub const ALL: [Self; 5] = [Self::Lo, Self::Hi, Self::Min, Self::Max, Self::Log2];

    /// Returns the function with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Lo => "lo",
            Self::Hi => "hi",
            Self::Min => "min",
            Self::Max => "max",
            Self::Log2 => "log2",
        }
    }

    /// Returns the number of arguments: 1 or 2.
    pub const fn arity(self) -> usize {
        match self {
            Self::Lo | Self::Hi | Self::Log2 => 1,
            Self::Min | Self::Max => 2,
        }
    }

    /// Calculates the value. The second argument is ignored if the function takes only one.
    ///
    /// # Errors
    /// Returns an error if the argument of `log2` is not a power of two.
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

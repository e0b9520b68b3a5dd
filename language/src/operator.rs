//! The operators: their spelling, precedence and arithmetic.

/// The reason why a calculation has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArithmeticError {
    /// The result of this operator does not fit in 64 bits.
    #[error("overflow: the result of `{0}` does not fit into a signed 64-bit number")]
    Overflow(&'static str),
    /// The right operand of a division or remainder is 0.
    #[error("division by zero")]
    DivisionByZero,
    /// The right operand of a shift is out of range.
    #[error("a shift count must be 0 to 63, not {0}")]
    ShiftCount(i64),
    /// The argument of `log2` is not a power of two.
    #[error("`log2` needs a power of two, not {0}")]
    NotAPowerOfTwo(i64),
}

/// Prefix operators, which have one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `-`: negation.
    Negate,
    /// `!`, which is 1 for 0, and 0 for any other number.
    Not,
    /// `~`, which inverts every bit.
    Complement,
}

impl Unary {
    /// Returns the operator with this spelling.
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "-" => Self::Negate,
            "!" => Self::Not,
            "~" => Self::Complement,
            _ => return None,
        })
    }

    /// Calculates the result.
    ///
    /// # Errors
    /// Returns an error if the result does not fit in 64 bits.
    pub fn apply(self, operand: i64) -> Result<i64, ArithmeticError> {
        match self {
            Self::Negate => operand.checked_neg().ok_or(ArithmeticError::Overflow("-")),
            Self::Not => Ok(i64::from(operand == 0)),
            Self::Complement => Ok(!operand),
        }
    }
}

/// Infix operators, which have two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below has their spelling")]
pub enum Binary {
    LogicalOr,
    LogicalAnd,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Binary {
    /// The operators with their spelling and precedence. A higher number binds tighter. The order
    /// is that of C.
    const TABLE: [(Self, &'static str, u8); 18] = [
        (Self::LogicalOr, "||", 1),
        (Self::LogicalAnd, "&&", 2),
        (Self::BitOr, "|", 3),
        (Self::BitXor, "^", 4),
        (Self::BitAnd, "&", 5),
        (Self::Equal, "==", 6),
        (Self::NotEqual, "!=", 6),
        (Self::Less, "<", 7),
        (Self::LessEqual, "<=", 7),
        (Self::Greater, ">", 7),
        (Self::GreaterEqual, ">=", 7),
        (Self::ShiftLeft, "<<", 8),
        (Self::ShiftRight, ">>", 8),
        (Self::Add, "+", 9),
        (Self::Subtract, "-", 9),
        (Self::Multiply, "*", 10),
        (Self::Divide, "/", 10),
        (Self::Remainder, "%", 10),
    ];

    /// Returns the operator with this spelling.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::TABLE.into_iter().find(|row| row.1 == text).map(|row| row.0)
    }

    /// Returns the spelling.
    pub fn text(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// Returns the precedence, from 1 for the weakest.
    pub fn precedence(self) -> u8 {
        Self::TABLE[self as usize].2
    }

    /// Returns true if the result says whether something is true.
    pub fn is_comparison(self) -> bool {
        ["||", "&&", "==", "!=", "<", "<=", ">", ">="].contains(&self.text())
    }

    /// Returns the result if the left operand decides it. Then the right operand must not be
    /// evaluated.
    pub fn short_circuit(self, left: i64) -> Option<i64> {
        match self {
            Self::LogicalOr if left != 0 => Some(1),
            Self::LogicalAnd if left == 0 => Some(0),
            _ => None,
        }
    }

    /// Calculates the result.
    ///
    /// # Errors
    /// Returns an error if there is no result, or if the result does not fit in 64 bits.
    pub fn apply(self, left: i64, right: i64) -> Result<i64, ArithmeticError> {
        let count = || {
            let count = u32::try_from(right).ok().filter(|count| *count < i64::BITS);
            count.ok_or(ArithmeticError::ShiftCount(right))
        };
        let value = match self {
            Self::LogicalOr => Some(i64::from(left != 0 || right != 0)),
            Self::LogicalAnd => Some(i64::from(left != 0 && right != 0)),
            Self::BitOr => Some(left | right),
            Self::BitXor => Some(left ^ right),
            Self::BitAnd => Some(left & right),
            Self::Equal => Some(i64::from(left == right)),
            Self::NotEqual => Some(i64::from(left != right)),
            Self::Less => Some(i64::from(left < right)),
            Self::LessEqual => Some(i64::from(left <= right)),
            Self::Greater => Some(i64::from(left > right)),
            Self::GreaterEqual => Some(i64::from(left >= right)),
            Self::ShiftLeft => {
                let (shifted, count) = (left << count()?, count()?);
                Some(shifted).filter(|shifted| shifted >> count == left)
            }
            Self::ShiftRight => Some(left >> count()?),
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Divide | Self::Remainder if right == 0 => {
                return Err(ArithmeticError::DivisionByZero);
            }
            Self::Divide => left.checked_div(right),
            Self::Remainder => left.checked_rem(right),
        };
        value.ok_or(ArithmeticError::Overflow(self.text()))
    }
}

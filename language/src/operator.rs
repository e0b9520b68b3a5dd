//! Operators: their spelling, their precedence, and their arithmetic.

/// Why a calculation has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArithmeticError {
    /// The result of this operator is too large.
    #[error("overflow: the result of `{0}` does not fit in 64 bits with a sign")]
    Overflow(&'static str),
    /// The right operand of a division or a remainder is 0.
    #[error("division by zero")]
    DivisionByZero,
    /// The right operand of a shift is out of range.
    #[error("the count of a shift must be 0 to 63, this is {0}")]
    ShiftCount(i64),
    /// There is no whole exponent.
    #[error("`log2` needs a power of two, this is {0}")]
    NotAPowerOfTwo(i64),
}

/// Operators with one operand, which they stand before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Negate,
    /// `!`: 1 of 0, 0 of all else.
    Not,
    /// `~`: bit by bit.
    Complement,
}

impl Unary {
    /// The operator of this spelling.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "-" => Self::Negate,
            "!" => Self::Not,
            "~" => Self::Complement,
            _ => return None,
        })
    }

    /// The result.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn apply(self, operand: i64) -> Result<i64, ArithmeticError> {
        match self {
            Self::Negate => operand.checked_neg().ok_or(ArithmeticError::Overflow("-")),
            Self::Not => Ok(i64::from(operand == 0)),
            Self::Complement => Ok(!operand),
        }
    }
}

/// Operators between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below shows how they are written")]
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
    /// Operators, how they are written, and how tightly they bind: C's order.
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

    /// The operator of this spelling.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::TABLE.into_iter().find(|row| row.1 == text).map(|row| row.0)
    }

    /// Its spelling.
    #[must_use]
    pub fn text(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// The tightness of its binding, from 1.
    #[must_use]
    pub fn binding(self) -> u8 {
        Self::TABLE[self as usize].2
    }

    /// The result, if the left operand decides it: then the right one must not be evaluated.
    #[must_use]
    pub fn short_circuit(self, left: i64) -> Option<i64> {
        match self {
            Self::LogicalOr if left != 0 => Some(1),
            Self::LogicalAnd if left == 0 => Some(0),
            _ => None,
        }
    }

    /// The result.
    ///
    /// # Errors
    /// If it does not fit, or if there is none.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_calculate_as_in_c() {
        for (left, operator, right, expected) in [
            (0, "||", 7, 1),
            (0, "||", 0, 0),
            (3, "&&", 7, 1),
            (3, "&&", 0, 0),
            (0b1100, "|", 0b1010, 0b1110),
            (0b1100, "^", 0b1010, 0b0110),
            (0b1100, "&", 0b1010, 0b1000),
            (2, "==", 2, 1),
            (2, "!=", 2, 0),
            (1, "<", 2, 1),
            (2, "<", 2, 0),
            (2, "<", 1, 0),
            (2, "<=", 2, 1),
            (2, "<=", 1, 0),
            (2, ">", 1, 1),
            (2, ">", 2, 0),
            (1, ">", 2, 0),
            (2, ">=", 2, 1),
            (1, ">=", 2, 0),
            (-1, "<<", 63, i64::MIN),
            (-8, ">>", 1, -4),
            (-8, ">>", 63, -1),
            (2, "+", 3, 5),
            (2, "-", 3, -1),
            (2, "*", -3, -6),
            (-7, "/", 2, -3),
            (-7, "%", 2, -1),
        ] {
            let operator = Binary::from_text(operator).unwrap();
            assert_eq!(operator.apply(left, right), Ok(expected), "{left} {operator:?} {right}");
        }
        assert_eq!(Unary::Negate.apply(5), Ok(-5));
        assert_eq!(Unary::Not.apply(5), Ok(0));
        assert_eq!(Unary::Complement.apply(5), Ok(-6));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let overflow = |operator| Err(ArithmeticError::Overflow(operator));
        for (left, operator, right) in [
            (i64::MAX, "+", 1),
            (i64::MIN, "-", 1),
            (i64::MAX, "*", 2),
            (i64::MIN, "/", -1),
            (i64::MIN, "%", -1),
            (1, "<<", 63),
        ] {
            assert_eq!(Binary::from_text(operator).unwrap().apply(left, right), overflow(operator));
        }
        assert_eq!(Unary::Negate.apply(i64::MIN), overflow("-"));
        assert_eq!(Binary::Divide.apply(1, 0), Err(ArithmeticError::DivisionByZero));
        assert_eq!(Binary::Remainder.apply(1, 0), Err(ArithmeticError::DivisionByZero));
        assert_eq!(Binary::ShiftLeft.apply(1, 64), Err(ArithmeticError::ShiftCount(64)));
        assert_eq!(Binary::ShiftRight.apply(1, -1), Err(ArithmeticError::ShiftCount(-1)));
    }

    #[test]
    fn only_logic_is_decided_by_its_left_side() {
        for (operator, text, _) in Binary::TABLE {
            assert_eq!(Binary::from_text(text), Some(operator));
            let zero = (operator == Binary::LogicalAnd).then_some(0);
            let other = (operator == Binary::LogicalOr).then_some(1);
            assert_eq!(operator.short_circuit(0), zero, "{text}");
            assert_eq!(operator.short_circuit(7), other, "{text}");
        }
    }
}

//! Expressions over what a program can see: `A`, `C`, `PC`, bytes of data memory as `[address]`,
//! the program's symbols, and C's operators.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{RamAddr, RomIndex, Word};

/// An expression; its numbers are 64 bits with a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression(pub(super) Node);

/// What an expression looks at.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// The index of the instruction that comes next.
    pub pc: RomIndex,
    /// Data memory.
    pub ram: &'a [u8; RAM_BYTES],
}

/// A part of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Number(i64),
    A,
    Carry,
    Pc,
    /// The byte at an address that is known.
    At(RamAddr),
    /// The byte at an address that has to be worked out.
    Byte(Box<Self>),
    Unary(Unary, Box<Self>),
    Binary(Binary, Box<Self>, Box<Self>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Invert,
    Negate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Expression {
    /// The value; `None` where there is none: a division by zero, a shift by other than 0 to 63,
    /// an overflow, an address outside data memory.
    #[must_use]
    pub fn value(&self, view: View) -> Option<i64> {
        self.0.value(view)
    }

    /// Whether it has a value, and that is not 0.
    #[must_use]
    pub fn holds(&self, view: View) -> bool {
        self.value(view).is_some_and(|value| value != 0)
    }

    /// Whether an instruction can change the value.
    #[must_use]
    pub fn is_changed_by(&self, word: Word) -> bool {
        self.0.is_changed_by(word)
    }
}

impl Node {
    /// The value, if the machine has no part in it.
    pub(super) fn constant(&self) -> Option<i64> {
        let nothing = View { a: 0, carry: false, pc: RomIndex::default(), ram: &[0; RAM_BYTES] };
        if self.is_constant() { self.value(nothing) } else { None }
    }

    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::A | Self::Carry | Self::Pc | Self::At(_) | Self::Byte(_) => false,
            Self::Unary(_, x) => x.is_constant(),
            Self::Binary(_, x, y) => x.is_constant() && y.is_constant(),
        }
    }

    fn value(&self, view: View) -> Option<i64> {
        Some(match self {
            Self::Number(number) => *number,
            Self::A => view.a.into(),
            Self::Carry => view.carry.into(),
            Self::Pc => view.pc.get().into(),
            Self::At(address) => view.ram[address.to_usize()].into(),
            Self::Byte(address) => {
                let address = usize::try_from(address.value(view)?).ok()?;
                (*view.ram.get(address)?).into()
            }
            Self::Unary(operator, x) => operator.of(x.value(view)?)?,
            // As in C, the right side counts only where the left side does not decide.
            Self::Binary(Binary::And, x, y) => (x.truth(view)? && y.truth(view)?).into(),
            Self::Binary(Binary::Or, x, y) => (x.truth(view)? || y.truth(view)?).into(),
            Self::Binary(operator, x, y) => operator.of(x.value(view)?, y.value(view)?)?,
        })
    }

    fn truth(&self, view: View) -> Option<bool> {
        Some(self.value(view)? != 0)
    }

    fn is_changed_by(&self, word: Word) -> bool {
        let op = word.op();
        match self {
            Self::Number(_) => false,
            Self::A => op.writes_a(),
            Self::Carry => op.writes_carry(),
            Self::Pc => true,
            Self::At(address) => op.writes_memory() && word.address() == *address,
            Self::Byte(address) => op.writes_memory() || address.is_changed_by(word),
            Self::Unary(_, x) => x.is_changed_by(word),
            Self::Binary(_, x, y) => x.is_changed_by(word) || y.is_changed_by(word),
        }
    }
}

impl Unary {
    /// The operators as they are written.
    pub(super) const ALL: [(&'static str, Self); 3] =
        [("!", Self::Not), ("~", Self::Invert), ("-", Self::Negate)];

    fn of(self, x: i64) -> Option<i64> {
        match self {
            Self::Not => Some((x == 0).into()),
            Self::Invert => Some(!x),
            Self::Negate => x.checked_neg(),
        }
    }
}

impl Binary {
    /// The operators as they are written, with how tightly they bind. What another one starts
    /// with stands behind it.
    pub(super) const ALL: [(&'static str, Self, u8); 18] = [
        ("||", Self::Or, 1),
        ("&&", Self::And, 2),
        ("|", Self::BitOr, 3),
        ("^", Self::BitXor, 4),
        ("&", Self::BitAnd, 5),
        ("==", Self::Equal, 6),
        ("!=", Self::NotEqual, 6),
        ("<<", Self::ShiftLeft, 8),
        (">>", Self::ShiftRight, 8),
        ("<=", Self::LessOrEqual, 7),
        (">=", Self::GreaterOrEqual, 7),
        ("<", Self::Less, 7),
        (">", Self::Greater, 7),
        ("+", Self::Add, 9),
        ("-", Self::Subtract, 9),
        ("*", Self::Multiply, 10),
        ("/", Self::Divide, 10),
        ("%", Self::Remainder, 10),
    ];

    fn of(self, x: i64, y: i64) -> Option<i64> {
        let bits = || u32::try_from(y).ok().filter(|bits| *bits < 64);
        Some(match self {
            Self::Or => (x != 0 || y != 0).into(),
            Self::And => (x != 0 && y != 0).into(),
            Self::BitOr => x | y,
            Self::BitXor => x ^ y,
            Self::BitAnd => x & y,
            Self::Equal => (x == y).into(),
            Self::NotEqual => (x != y).into(),
            Self::Less => (x < y).into(),
            Self::LessOrEqual => (x <= y).into(),
            Self::Greater => (x > y).into(),
            Self::GreaterOrEqual => (x >= y).into(),
            Self::ShiftLeft => x << bits()?,
            Self::ShiftRight => x >> bits()?,
            Self::Add => x.checked_add(y)?,
            Self::Subtract => x.checked_sub(y)?,
            Self::Multiply => x.checked_mul(y)?,
            Self::Divide => x.checked_div(y)?,
            Self::Remainder => x.checked_rem(y)?,
        })
    }
}

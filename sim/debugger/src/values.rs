//! Values that users see, and the registers and bytes that they can change.

use std::fmt;

use gray1_isa::{RamAddr, RomIndex};
use gray1_sim::Registers;

use super::expression::{Expression, MachineView};
use super::inputs::Input;
use super::parse_error::ParseError;
use super::power_up::PowerUpPlace;
use super::scope::Scope;

/// The value of an expression, as users see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A number that is not the address of a variable.
    Number(i64),
    /// A data address and the byte at that address.
    Data(RamAddr, u8),
}

/// A register or a byte that users can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changeable {
    /// The accumulator, an 8-bit register.
    A,
    /// The carry, 0 or 1.
    Carry,
    /// The program counter, 0 ..= 8191.
    Pc,
    /// A byte of data memory, by its address.
    Byte(RamAddr),
}

/// The reason why a value cannot be read or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// The input is not an assignment.
    #[error("expected a register or a byte, '=' and its new value")]
    NoAssignment,
    /// A part of the input is not an expression.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A part of the input has no value.
    #[error("this has no value now")]
    NoValue,
    /// A part of the input depends on a register or byte that is unknown.
    #[error("this depends on what memory, A and C held at power-up")]
    Unknown(PowerUpPlace),
    /// The value is out of range.
    #[error("expected {expected}, found {value}")]
    Range {
        /// The range of allowed values, in words.
        expected: &'static str,
        /// The value that is out of range.
        value: i64,
    },
    /// The engine does not support changes of its registers.
    #[error("on this board only data memory can be changed")]
    Fixed,
}

impl Value {
    /// Evaluates an expression. Returns `None` if it has no value.
    pub fn evaluate(expression: &Expression, view: MachineView) -> Option<Self> {
        let value = expression.value(view)?;
        let address = u16::try_from(value).ok().and_then(RamAddr::new);
        Some(match address.filter(|_| expression.is_address()) {
            Some(address) => Self::Data(address, view.ram[address.to_usize()]),
            None => Self::Number(value),
        })
    }
}

/// Formats a number in decimal, `42`, and an address with its byte, `0x0010: 42`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Data(address, byte) => write!(f, "{:#06x}: {byte}", address.get()),
        }
    }
}

impl Changeable {
    /// Parses `A`, `C`, `PC`, or the address of a byte such as `stack + 3` or `[stack + 3]`.
    ///
    /// # Errors
    /// If the input is not a register or a byte that users can change.
    pub fn parse(text: &str, scope: Scope, view: MachineView) -> Result<Self, ChangeError> {
        let text = text.trim();
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        Ok(match text {
            "A" => Self::A,
            "C" => Self::Carry,
            "PC" => Self::Pc,
            _ => Self::Byte(data_address(value(inner.unwrap_or(text), scope, view)?)?),
        })
    }

    /// Returns the input that sets this register or byte to a value. `registers` are the present
    /// contents. The input does not change the other registers.
    ///
    /// # Errors
    /// If the value is out of range.
    pub fn input(self, value: i64, registers: Registers) -> Result<Input, ChangeError> {
        let out_of = |expected| ChangeError::Range { expected, value };
        let byte = || {
            let byte = u8::try_from(value).or_else(|_| i8::try_from(value).map(i8::cast_unsigned));
            byte.map_err(|_| out_of("a byte, -128 to 255"))
        };
        Ok(Input::Load(match self {
            Self::A => Registers { a: byte()?, ..registers },
            Self::Carry if (0..=1).contains(&value) => Registers { carry: value == 1, ..registers },
            Self::Carry => return Err(out_of("0 or 1")),
            Self::Pc => {
                let pc = u16::try_from(value).ok().and_then(RomIndex::new);
                Registers { pc: pc.ok_or_else(|| out_of("an index, 0 to 8191"))?, ..registers }
            }
            Self::Byte(address) => return Ok(Input::Poke(address, byte()?)),
        }))
    }

    /// Parses an assignment such as `A = 0x2a` or `stack + 1 = A` into an input of the machine.
    ///
    /// # Errors
    /// If it is not an assignment, or if its value is out of range.
    pub fn assignment(text: &str, scope: Scope, view: MachineView) -> Result<Input, ChangeError> {
        let (left, right) = sides(text).ok_or(ChangeError::NoAssignment)?;
        let place = Self::parse(left, scope, view)?;
        let value = value(right, scope, view).map_err(|error| match error {
            ChangeError::Parse(ParseError { column, problem }) => {
                ParseError { column: column + left.chars().count() + 1, problem }.into()
            }
            error => error,
        })?;
        // A register is changed by loading all of them.
        let registers = [Expression::A, Expression::Carry];
        let unknown = registers.iter().find_map(|register| register.unknown_place(view));
        if let (Self::A | Self::Carry | Self::Pc, Some(register)) = (place, unknown) {
            return Err(ChangeError::Unknown(register));
        }
        place.input(value, Registers { a: view.a, carry: view.carry, pc: view.pc })
    }
}

/// Splits an assignment into its left and its right side. Returns `None` for anything else.
pub fn sides(text: &str) -> Option<(&str, &str)> {
    let (left, right) = text.split_once('=')?;
    let is_comparison = right.starts_with('=') || left.ends_with(['!', '<', '>']);
    (!is_comparison).then_some((left, right))
}

/// Converts a value to an address of data memory.
///
/// # Errors
/// If it is outside data memory.
pub fn data_address(value: i64) -> Result<RamAddr, ChangeError> {
    let address = u16::try_from(value).ok().and_then(RamAddr::new);
    address.ok_or(ChangeError::Range { expected: "an address in data memory, 0 to 8191", value })
}

/// Parses and evaluates an expression.
///
/// # Errors
/// If it is not an expression, or has no value that is known.
pub fn value(text: &str, scope: Scope, view: MachineView) -> Result<i64, ChangeError> {
    let expression = Expression::parse(text, scope)?;
    if let Some(place) = expression.unknown_place(view) {
        return Err(ChangeError::Unknown(place));
    }
    expression.value(view).ok_or(ChangeError::NoValue)
}

//! Why a text that people type is not an expression or a condition, and where.

use gray1_language::LiteralError;

use super::parse::TEXT_MAX;

/// Why a text is not an expression or a condition, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseError {
    /// The character, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something else should stand here.
    #[error("expected {expected}, found {}", character(*.found))]
    Expected {
        /// What.
        expected: &'static str,
        /// What stands there.
        found: Option<char>,
    },
    /// A name that the program does not have.
    #[error("the program has no '{0}'")]
    Unknown(String),
    /// A number or a character that is not well formed.
    #[error(transparent)]
    Literal(#[from] LiteralError),
    /// A call with too few arguments, or too many.
    #[error("'{name}' takes {expected} argument{}, not {found}", if *.expected == 1 { "" } else { "s" })]
    ArgumentCount {
        /// The function.
        name: &'static str,
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Too many levels of brackets, prefixes and conditions.
    #[error("this is nested too deeply")]
    TooDeep,
    /// More than a person types.
    #[error("expected the end within {TEXT_MAX} bytes")]
    TooLong,
    /// A place must stay where it is.
    #[error("a place cannot depend on the machine")]
    NotConstant,
    /// A number that names no place.
    #[error("{value} is outside {memory} 0 to 8191")]
    Outside {
        /// The number, or that it has no value.
        value: String,
        /// What has this range.
        memory: &'static str,
    },
    /// Wires of an engine that has none.
    #[error("needs --engine chips or timed: this engine has no wires")]
    NoWires,
    /// Glitches of a board whose wires do not move in time.
    #[error("needs --engine timed: this engine has no glitches")]
    NoGlitches,
    /// A name that no wire of the board has.
    #[error("the board has no wire '{0}'")]
    UnknownWire(String),
    /// A row or column that the display does not have.
    #[error("expected a row and a column from 0 to 7, found {0}")]
    NoSquare(u16),
    /// More than a byte holds.
    #[error("expected a byte, 0 to 255, found {0}")]
    NoByte(u16),
    /// A variable where an instruction is meant.
    #[error("'{0}' is a variable: write {0}, read {0} and access {0} are breaks")]
    Variable(String),
}

fn character(found: Option<char>) -> String {
    found.map_or("the end".to_owned(), |found| format!("'{}'", found.escape_debug()))
}

//! Errors in the conditions and expressions that users type.

use gray1_language::LiteralError;

use super::parse::TEXT_MAX;

/// An error in a condition or an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseError {
    /// The column in characters, from 1.
    pub column: usize,
    /// The problem there.
    pub problem: ParseProblem,
}

/// A problem in a condition or an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseProblem {
    /// An unexpected character, or the end of the text.
    #[error("expected {expected}, found {}", character(*.found))]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// The character; `None` for the end.
        found: Option<char>,
    },
    /// A name that the program does not have.
    #[error("the program has no '{0}'")]
    Unknown(String),
    /// A malformed number or character.
    #[error(transparent)]
    Literal(#[from] LiteralError),
    /// A call with the wrong number of arguments.
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
    /// Too long a text.
    #[error("expected the end within {TEXT_MAX} bytes")]
    TooLong,
    /// An address or index that is not constant.
    #[error("a place cannot depend on the machine")]
    NotConstant,
    /// A number that is not an address or an index.
    #[error("{value} is outside {memory} 0 to 8191")]
    Outside {
        /// The number, or `this` for an expression without a value.
        value: String,
        /// The memory, or what else has this range.
        memory: &'static str,
    },
    /// A condition on wires on an engine without wires.
    #[error("needs --engine chips or timed: this engine has no wires")]
    NoWires,
    /// A condition on glitches on an untimed engine.
    #[error("needs --engine timed: this engine has no glitches")]
    NoGlitches,
    /// A name that is not of a wire of the board.
    #[error("the board has no wire '{0}'")]
    UnknownWire(String),
    /// A row or column that the display does not have.
    #[error("expected a row and a column from 0 to 7, found {0}")]
    NoSquare(u16),
    /// A number that does not fit a byte.
    #[error("expected a byte, 0 to 255, found {0}")]
    NoByte(u16),
    /// A variable instead of an instruction.
    #[error("'{0}' is a variable: write {0}, read {0} and access {0} are breaks")]
    Variable(String),
}

fn character(found: Option<char>) -> String {
    found.map_or("the end".to_owned(), |found| format!("'{}'", found.escape_debug()))
}

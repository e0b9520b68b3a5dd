//! Errors in the conditions and expressions that users type.

use gray1_isa::text::plural;
use gray1_language::{LiteralError, suggest};

/// The maximum length of the input in bytes. It also limits chains of operators, because each
/// operator adds a nesting level.
pub(super) const TEXT_MAX: usize = 1000;

/// An error in a condition or an expression. It is displayed as a message with the column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseError {
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The problem at that column.
    pub problem: ParseProblem,
}

/// A problem in a condition or an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseProblem {
    /// An unexpected character, or an unexpected end of the input.
    #[error("expected {expected}, found {}", character(*.found))]
    Expected {
        /// A description of the expected input.
        expected: &'static str,
        /// The character that was found, or `None` at the end of the input.
        found: Option<char>,
    },
    /// A name that the program does not define, and one that is similar.
    #[error("the program has no `{name}`{}", explain_unknown(name, near.as_deref()))]
    Unknown {
        /// The name.
        name: String,
        /// The known name or word that is most similar, if one is similar enough.
        near: Option<String>,
    },
    /// A condition that does not depend on the machine, and the variable that it was about.
    #[error("this condition never changes: write [{0}] for the byte at {0}")]
    NeverChanges(String),
    /// A comparison in place of an instruction or an address.
    #[error("{}a comparison is not a place: write when {meant}", never_changes(*.is_constant))]
    Comparison {
        /// The condition that was probably meant.
        meant: String,
        /// True if the condition does not depend on the machine.
        is_constant: bool,
    },
    /// A malformed number or character literal.
    #[error(transparent)]
    Literal(#[from] LiteralError),
    /// A call with the wrong number of arguments.
    #[error("`{name}` takes {expected} {}, not {found}", plural(*.expected, "argument"))]
    ArgumentCount {
        /// The name of the function.
        name: &'static str,
        /// The number of arguments that it takes.
        expected: usize,
        /// The number of arguments in the call.
        found: usize,
    },
    /// Too many nested brackets, prefix operators or conditions.
    #[error("this is nested too deeply")]
    TooDeep,
    /// The input is too long.
    #[error("expected at most {TEXT_MAX} bytes")]
    TooLong,
    /// An address or an index that depends on the state of the machine.
    #[error("this address cannot depend on registers or memory")]
    NotConstant,
    /// A number outside the range of addresses and indexes.
    #[error("{value} is outside {memory} 0 to 8191")]
    Outside {
        /// The number, or `this` for an expression without a value.
        value: String,
        /// The kind of number that must be in this range, as the message names it.
        memory: &'static str,
    },
    /// A condition on wires, but the engine has no wires.
    #[error("needs --engine chips or timed: this engine has no wires")]
    NoWires,
    /// A condition on glitches, but the engine has no delays.
    #[error("needs --engine timed: this engine has no glitches")]
    NoGlitches,
    /// A name that is not the name of a wire on the board, and one that is similar.
    #[error("the board has no wire `{name}`{}", suggest(near.as_deref()))]
    UnknownWire {
        /// The name.
        name: String,
        /// The most similar name of a wire or a group of wires, if one is similar enough.
        near: Option<String>,
    },
    /// A line of the source without an instruction, and there is none after it.
    #[error("no instruction at or after this line")]
    NoLine,
    /// A row or a column outside the display.
    #[error("expected a row and a column from 0 to 7, found {0}")]
    NoSquare(u16),
    /// A number that does not fit into a byte.
    #[error("expected a byte, 0 to 255, found {0}")]
    NoByte(u16),
    /// A byte of data memory in a place where an instruction is expected.
    #[error("`{0}` is in data memory: use write {0}, read {0} or access {0}")]
    DataByte(String),
}

fn explain_unknown(name: &str, near: Option<&str>) -> String {
    if name.starts_with('@') {
        ": names with @ are known only while it is assembled".to_owned()
    } else if name == "led" {
        ": led 4, 3 is a condition by itself, and GREEN + 4 and RED + 4 are the rows".to_owned()
    } else {
        suggest(near)
    }
}

impl ParseProblem {
    /// Returns true if the text is wrong for every program and every machine.
    pub fn is_of_text(&self) -> bool {
        matches!(
            self,
            Self::Expected { .. }
                | Self::Literal(_)
                | Self::ArgumentCount { .. }
                | Self::TooDeep
                | Self::TooLong
                | Self::NotConstant
                | Self::NoSquare(_)
        )
    }
}

fn never_changes(is_constant: bool) -> &'static str {
    if is_constant { "this condition never changes, and " } else { "" }
}

fn character(found: Option<char>) -> String {
    found.map_or("the end".to_owned(), |found| format!("'{}'", found.escape_debug()))
}

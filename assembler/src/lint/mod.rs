//! Linting: warnings about code that assembles but is probably a mistake.

mod flow;
mod operands;
mod warnings;

pub(crate) use self::warnings::lint;

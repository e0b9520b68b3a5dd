//! Linting: warnings about what assembles, and yet is hardly meant.

mod flow;
mod operands;
mod warnings;

pub(crate) use self::warnings::lint;

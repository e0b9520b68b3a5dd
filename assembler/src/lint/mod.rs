//! Linting: warnings about what assembles, and yet is hardly meant.

mod flow;
mod warnings;

pub(crate) use self::warnings::lint;

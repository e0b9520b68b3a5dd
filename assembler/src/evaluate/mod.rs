//! The evaluation of expressions, for all stages.
//!
//! Placing asks while names are still being defined, linking when all are. An [`Evaluator`] only
//! reads the symbols. It adds mistakes and the values of shared expressions to the [`Findings`],
//! and hands each expression to the recursion of `expression`.

mod context;
mod evaluator;
mod expression;
mod findings;
mod memo;
mod missing;
mod reports;
mod unknown;

pub(crate) use self::evaluator::Evaluator;
pub(crate) use self::findings::Findings;
pub(crate) use self::unknown::{MissingName, Unknown};

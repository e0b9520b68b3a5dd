//! The evaluation of expressions, for all stages.
//!
//! Placing evaluates while names are still being defined. Linking evaluates when all are known. An
//! [`Evaluator`] only reads the symbols. It adds errors and the values of shared expressions to the
//! [`Findings`], and `expression` evaluates each expression recursively.

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

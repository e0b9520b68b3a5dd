//! The evaluation of expressions, for all stages.
//!
//! Placing asks while names are still being defined, linking when all are. An [`Evaluator`] only
//! reads the symbols; it remembers the values of shared expressions ([`Memo`]). It hands each
//! expression to the recursion of `expression`, and both report mistakes through [`Reports`], which
//! adds them to the [`Findings`].

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
pub(crate) use self::memo::Memo;
pub(crate) use self::reports::Reports;
pub(crate) use self::unknown::{MissingName, Unknown};

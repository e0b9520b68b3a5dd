//! The values of expressions, for all stages that need some.
//!
//! Placing asks while names are still being defined, linking when all are. An [`Evaluator`] only
//! reads the symbols; it remembers the values of expressions that were shared ([`Memo`]). It hands
//! each expression to the recursion of `expression`, and both report what is wrong through
//! [`Reports`], which keeps it in the [`Findings`].

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

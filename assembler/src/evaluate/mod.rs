//! The values of expressions, for all stages that need some.
//!
//! Placing asks while names are still being defined, linking when all are. An [`Evaluator`] only
//! reads the symbols; it remembers the values of expressions that were shared ([`Memo`]) and
//! reports what is wrong ([`Findings`]).

mod evaluator;
mod findings;
mod frame;
mod function;
mod memo;
mod missing;
mod unknown;
mod value;

pub(crate) use self::evaluator::Evaluator;
pub(crate) use self::findings::Findings;
pub(crate) use self::memo::Memo;
pub(crate) use self::unknown::{Missing, Unknown};

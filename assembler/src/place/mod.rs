//! Placing: one walk over the syntax tree, in order. It expands macros and repeats, includes files,
//! defines names and gives every instruction its index. That needs no operand's value, since all
//! instructions have the same size. Operands are left to [`link`](crate::link).
//!
//! The walk (`walk`) knows which line is next. It hands each line to the `draft`, the growing
//! placement, which has a method for every kind of statement and knows nothing of the walk. The
//! outcome is a [`Placement`], which later stages only read.

mod data;
mod draft;
mod macros;
mod placement;
mod plan;
mod presentation;
mod routine;
mod statements;
mod walk;

pub(crate) use self::placement::{
    Call, CaptionRun, LinkedOperand, PlacedPool, PlacedWord, Placement, Routine, WordContent,
};
pub(crate) use self::plan::{CalledRoutine, Plan};
pub(crate) use self::walk::place;

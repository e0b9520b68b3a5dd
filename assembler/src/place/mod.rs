//! Placing: one walk over the syntax tree, in order. It expands macros and repeats, includes files,
//! defines names and gives every instruction its index. All instructions have the same size, so
//! placing does not need the values of operands. [`link`](crate::link) evaluates them.
//!
//! `walk` knows which line is next. It passes each line to the `draft`, the growing placement,
//! which has a method for every kind of statement and does not know the walk. The result is a
//! [`Placement`], which later stages only read.

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
    Call, CaptionRun, LinkedOperand, PlacedCaption, PlacedPool, PlacedReason, PlacedWord,
    Placement, Routine, WordContent,
};
pub(crate) use self::plan::{CalledRoutine, Plan};
pub(crate) use self::walk::place;

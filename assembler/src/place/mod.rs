//! Placing: one walk over the syntax tree, in order. It calls macros, turns repeats, takes includes
//! in, defines names and gives every instruction its index, which needs no value of an operand: all
//! instructions have the same size. Operands are left to [`link`](crate::link).
//!
//! The walk (`walk`) knows which line is next. It hands each to the `draft`, the placement as it
//! grows, which has a method for every statement in the file that is about its kind, and knows
//! nothing of the walk. The outcome is a [`Placement`], which later stages only read.

mod data;
mod data_memory;
mod draft;
mod macros;
mod placement;
mod plan;
mod presentation;
mod program_memory;
mod routine;
mod statements;
mod walk;

pub(crate) use self::placement::{
    Call, CaptionRun, LinkedOperand, PlacedPool, PlacedWord, Placement, Routine, WordContent,
};
pub(crate) use self::plan::{Plan, RoutineFrame};
pub(crate) use self::walk::place;

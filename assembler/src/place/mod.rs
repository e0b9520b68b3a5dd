//! Placing: one walk over the syntax tree, in order. It calls macros, turns repeats, takes includes
//! in, defines names and gives every instruction its index, which needs no value of an operand: all
//! instructions have the same size. Operands are left to [`link`](crate::link).
//!
//! Each statement has its arm in `walk`, or a method in the file that is about its kind. What it
//! needs of the rest is in `placer`. The outcome is a [`Placement`], which later stages only read.

mod data;
mod data_memory;
mod macros;
mod placement;
mod placer;
mod plan;
mod presentation;
mod program_memory;
mod routine;
mod walk;

pub(crate) use self::placement::{
    Call, CaptionRun, Content, Initialiser, Link, Placed, PlacedPool, Placement, Routine,
};
pub(crate) use self::plan::{Frame, Plan};
pub(crate) use self::walk::place;

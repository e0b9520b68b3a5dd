//! Tests of programs, and the lessons that are built on them.

pub mod lessons;
mod notation;
pub mod testing;

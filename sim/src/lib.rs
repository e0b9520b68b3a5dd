//! Simulates the Gray-1, a computer whose CPU is made of memory chips.
//!
//! - [`Machine`] runs programs instruction by instruction: what a programmer sees, fast.
//! - [`board::Board`] is the CPU as data: chips, wires and contents, checked. [`circuit`] brings
//!   it to life, chip by chip, and knows no instruction; [`export`] is for who wants to build it.
//!
//! There is no terminal and no printing in this crate.

pub mod board;
mod burn;
pub mod circuit;
pub mod debugger;
pub mod export;
pub mod instruction;
pub mod power_up;
pub mod proofs;
pub mod vcd;

pub use board::Board;
pub use export::Export;
pub use instruction::{BurnedUnit, Executed, Indexes, Machine, Saved, Stop, Unrecognised, Write};
pub use power_up::PowerUp;

//! Simulates the Gray-1, a computer whose CPU is made of memory chips.
//!
//! [`Machine`] runs programs instruction by instruction: what a programmer sees, fast.
//! [`board::Board`] is the CPU as its chips, wires and contents.
//! There is no terminal and no printing in this crate.

pub mod board;
mod burn;
pub mod instruction;
pub mod power_up;

pub use board::Board;
pub use instruction::{Executed, Machine, Stop, Write};
pub use power_up::PowerUp;

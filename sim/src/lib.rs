//! Simulates the Gray-1, a computer whose CPU is made of memory chips.
//!
//! [`Machine`] runs programs instruction by instruction: what a programmer sees, fast.
//! There is no terminal and no printing in this crate.

pub mod instruction;
pub mod power_up;

pub use instruction::{Executed, Machine, Stop, Write};
pub use power_up::PowerUp;

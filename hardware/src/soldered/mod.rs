//! What is soldered around the simulated chips of a board: whether its clock and reset are right,
//! and which levels its wires have.

pub mod clock;
mod margins;

pub use margins::{Margin, margins};

#[cfg(test)]
mod tests;

//! The host registers that have a fixed use.

use super::assembler::Register;

/// The home register of A. Only the low byte counts.
pub(super) const A: Register = Register::Rax;
/// Holds C, 0 or 1. Only the low byte counts.
pub(super) const C: Register = Register::Rcx;
/// Points `RAM_BIAS` bytes behind the first byte of data memory.
pub(super) const RAM: Register = Register::Rdi;
/// Holds the number of instructions that may still be executed.
pub(super) const REMAINING: Register = Register::Rsi;
/// Points to the context.
pub(super) const CONTEXT: Register = Register::Rbp;

/// With this bias, the short encoding of displacements, one signed byte, covers the first 256 bytes
/// of data memory, where most variables are.
pub(super) const RAM_BIAS: i32 = 128;

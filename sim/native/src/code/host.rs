//! The kind of machine code that this host executes.

#[cfg(target_arch = "aarch64")]
pub(super) use super::a64::{Emitter, Jump, Register};
#[cfg(target_arch = "x86_64")]
pub(super) use super::x64::{Emitter, Jump, Register};

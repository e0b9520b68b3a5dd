//! Executable memory for generated code: the only module with unsafe code.
//!
//! The memory is first writable, then executable, and never both.
#![expect(unsafe_code, reason = "safe Rust cannot call generated code")]

use std::mem::transmute;

use memmap2::{Mmap, MmapMut};

use super::compiler::MachineCode;
use super::context::Context;
use super::operations::Position;

/// The type of generated code: of the System V calling convention, on Windows, too.
pub(super) type Function = extern "sysv64" fn(&mut Context<'_>, *const u8) -> u32;

/// Generated code in executable memory.
#[derive(Debug)]
pub(super) struct Executable {
    code: Mmap,
    entries: Vec<Position>,
}

impl Executable {
    /// Copies generated code to executable memory; `None` if the host refuses such memory.
    pub(super) fn new(compiled: &MachineCode) -> Option<Self> {
        let mut memory = MmapMut::map_anon(compiled.code().len()).ok()?;
        memory.copy_from_slice(compiled.code());
        Some(Self { code: memory.make_exec().ok()?, entries: compiled.entries().to_vec() })
    }

    /// Runs the code, starting with a block; returns what the code returns.
    pub(super) fn call(&self, block: usize, context: &mut Context<'_>) -> u32 {
        let entry = &raw const self.code[self.entries[block].0];
        // SAFETY: `MachineCode` guarantees a function of this type at the start of the code, and
        // that an entry is a place in it to jump to. The memory is executable, nothing writes it
        // after `new`, and it outlives the borrow of `self`. Of Rust's memory the function writes
        // only the context and what the context borrows mutably, within bounds.
        let function = unsafe { transmute::<*const u8, Function>(self.code.as_ptr()) };
        function(context, entry)
    }
}

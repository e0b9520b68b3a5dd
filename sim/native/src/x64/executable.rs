//! Executable memory for generated code: the only module with unsafe code.
//!
//! The memory is first writable, then executable, and never both.
#![expect(unsafe_code, reason = "safe Rust can neither make memory executable nor call into it")]

use std::ffi::c_void;
use std::mem::transmute;
use std::ptr::{NonNull, copy_nonoverlapping, null_mut};

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

use super::assembler::Position;
use super::compiler::Compiled;
use super::context::Context;

/// Generated code in executable memory.
#[derive(Debug)]
pub(super) struct Executable {
    start: NonNull<c_void>,
    length: usize,
    entries: Vec<Position>,
}

// SAFETY: the mapping belongs to this value and is not written after `new`, so threads may execute
// it at once, and any of them may unmap it.
unsafe impl Send for Executable {}
// SAFETY: as above.
unsafe impl Sync for Executable {}

impl Executable {
    /// Copies generated code to executable memory; `None` if the host refuses such memory.
    pub(super) fn new(compiled: &Compiled) -> Option<Self> {
        let code = compiled.code();
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
        // SAFETY: the kernel chooses the address, so the mapping replaces none.
        let start = unsafe { mmap_anonymous(null_mut(), code.len(), access, flags) }.ok()?;
        let entries = compiled.entries().to_vec();
        let executable = Self { start: NonNull::new(start)?, length: code.len(), entries };
        // SAFETY: the mapping is writable, as long as the code, and new, so they do not overlap.
        unsafe { copy_nonoverlapping(code.as_ptr(), start.cast(), code.len()) };
        // SAFETY: the range is the mapping, and there are no references to its bytes.
        unsafe { mprotect(start, code.len(), MprotectFlags::READ | MprotectFlags::EXEC) }.ok()?;
        Some(executable)
    }

    /// Runs the code, starting with a block; returns what the code returns.
    pub(super) fn call(&self, block: usize, context: &mut Context<'_>) -> u32 {
        type Function = extern "sysv64" fn(&mut Context<'_>, NonNull<c_void>) -> u32;
        // SAFETY: an entry is a position in the code, so the address is inside the mapping.
        let entry = unsafe { self.start.byte_add(self.entries[block].0) };
        // SAFETY: `Compiled` guarantees a function of this type at the start of the code. The
        // mapping is executable and outlives the borrow of `self`. Of Rust's memory the function
        // writes only the context and what the context borrows mutably, within bounds.
        let function = unsafe { transmute::<NonNull<c_void>, Function>(self.start) };
        function(context, entry)
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        // SAFETY: `new` made the mapping; nothing executes it any more, because calls borrow
        // `self`.
        let unmapped = unsafe { munmap(self.start.as_ptr(), self.length) };
        debug_assert!(unmapped.is_ok(), "a mapping of ours can be unmapped");
    }
}

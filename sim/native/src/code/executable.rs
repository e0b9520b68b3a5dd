//! Executable memory for generated code. Only this module has unsafe code.
//!
//! The memory is first writable and then executable, never both.
#![expect(unsafe_code, reason = "safe Rust cannot call generated code")]

use std::mem::transmute;

use memmap2::{Mmap, MmapMut};

use super::compiler::MachineCode;
use super::context::Context;
use super::operations::Position;

/// The type of generated code. It has the System V calling convention, on Windows as well.
#[cfg(target_arch = "x86_64")]
pub(super) type CompiledFunction = extern "sysv64" fn(&mut Context<'_>, *const u8) -> u32;

/// The type of generated code.
#[cfg(target_arch = "aarch64")]
pub(super) type CompiledFunction = extern "C" fn(&mut Context<'_>, *const u8) -> u32;

/// Generated code in executable memory.
#[derive(Debug)]
pub(super) struct Executable {
    code: Mmap,
    entries: Vec<Position>,
}

impl Executable {
    /// Copies generated code to executable memory. Returns `None` if the host does not allow such
    /// memory.
    pub(super) fn new(compiled: &MachineCode) -> Option<Self> {
        let mut memory = MmapMut::map_anon(compiled.code.len()).ok()?;
        memory.copy_from_slice(&compiled.code);
        let code = memory.make_exec().ok()?;
        #[cfg(target_arch = "aarch64")]
        instruction_cache::invalidate(&code);
        Some(Self { code, entries: compiled.entries.clone() })
    }

    /// Runs the code from the start of a block and returns its result.
    pub(super) fn call(&self, block: usize, context: &mut Context<'_>) -> u32 {
        let entry = &raw const self.code[self.entries[block].0];
        // SAFETY: `MachineCode` guarantees that the code starts with a function of this type, and
        // that an entry is a valid place to jump to. The memory is executable, it is not written
        // after `new`, and it outlives the borrow of `self`. Of Rust's memory, the function writes
        // only the context and what the context borrows mutably, within bounds.
        let function = unsafe { transmute::<*const u8, CompiledFunction>(self.code.as_ptr()) };
        #[cfg(target_arch = "aarch64")]
        instruction_cache::drop_prefetched();
        function(context, entry)
    }
}

/// Makes new code visible to Arm processors, whose instruction caches need not see stores. Source:
/// Arm Architecture Reference Manual for A-profile architecture (DDI 0487), "Concurrent
/// modification and execution of instructions", and the register `CTR_EL0`.
#[cfg(target_arch = "aarch64")]
mod instruction_cache {
    use std::arch::asm;

    /// Removes newly written code from the instruction caches of all processors. They fetch the new
    /// code after they have [discarded](drop_prefetched) prefetched instructions.
    #[cfg(not(target_vendor = "apple"))]
    pub(super) fn invalidate(code: &[u8]) {
        let ctr: u64;
        // SAFETY: programs may read this register, which describes the caches.
        unsafe { asm!("mrs {}, ctr_el0", out(reg) ctr, options(nomem, nostack, preserves_flags)) };
        // The fields are base-2 logarithms of the shortest line lengths, in words of 4 bytes.
        let (instruction_line, data_line) = (4 << (ctr & 15), 4 << (ctr >> 16 & 15));
        for line in lines(code, data_line) {
            // SAFETY: it writes a line of readable memory back to the level where instructions are
            // fetched.
            unsafe { asm!("dc cvau, {}", in(reg) line, options(nostack, preserves_flags)) };
        }
        // SAFETY: it waits until the write is done.
        unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
        for line in lines(code, instruction_line) {
            // SAFETY: it invalidates a line of readable memory in the instruction caches.
            unsafe { asm!("ic ivau, {}", in(reg) line, options(nostack, preserves_flags)) };
        }
        // SAFETY: it waits until that is done on all processors.
        unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
    }

    /// The addresses of the cache lines that contain the code.
    #[cfg(not(target_vendor = "apple"))]
    fn lines(code: &[u8], length: usize) -> impl Iterator<Item = usize> {
        let range = code.as_ptr_range();
        let first = range.start.addr() & !(length - 1);
        (first..range.end.addr()).step_by(length)
    }

    /// Removes newly written code from the instruction caches. Apple's systems have a function for
    /// this.
    #[cfg(target_vendor = "apple")]
    pub(super) fn invalidate(code: &[u8]) {
        unsafe extern "C" {
            fn sys_icache_invalidate(start: *const u8, length: usize);
        }
        // SAFETY: the declaration matches `libkern/OSCacheControl.h`, and the range is readable
        // memory.
        unsafe { sys_icache_invalidate(code.as_ptr(), code.len()) };
    }

    /// Makes the processor of this thread discard prefetched instructions.
    pub(super) fn drop_prefetched() {
        // SAFETY: it changes neither registers nor memory.
        unsafe { asm!("isb", options(nostack, preserves_flags)) };
    }
}

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
#[cfg(target_arch = "x86_64")]
pub(super) type Function = extern "sysv64" fn(&mut Context<'_>, *const u8) -> u32;

/// The type of generated code.
#[cfg(target_arch = "aarch64")]
pub(super) type Function = extern "C" fn(&mut Context<'_>, *const u8) -> u32;

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
        let code = memory.make_exec().ok()?;
        #[cfg(target_arch = "aarch64")]
        instruction_cache::invalidate(&code);
        Some(Self { code, entries: compiled.entries().to_vec() })
    }

    /// Runs the code, starting with a block; returns what the code returns.
    pub(super) fn call(&self, block: usize, context: &mut Context<'_>) -> u32 {
        let entry = &raw const self.code[self.entries[block].0];
        // SAFETY: `MachineCode` guarantees a function of this type at the start of the code, and
        // that an entry is a place in it to jump to. The memory is executable, nothing writes it
        // after `new`, and it outlives the borrow of `self`. Of Rust's memory the function writes
        // only the context and what the context borrows mutably, within bounds.
        let function = unsafe { transmute::<*const u8, Function>(self.code.as_ptr()) };
        #[cfg(target_arch = "aarch64")]
        instruction_cache::drop_prefetched();
        function(context, entry)
    }
}

/// What Arm processors need before they execute what was written: their instruction caches need not
/// see stores. Source: Arm Architecture Reference Manual for A-profile architecture (DDI 0487),
/// "Concurrent modification and execution of instructions", and the register `CTR_EL0`.
#[cfg(target_arch = "aarch64")]
mod instruction_cache {
    use std::arch::asm;

    /// Makes all processors fetch this code, which was written before, once they have
    /// [dropped](drop_prefetched) what they had fetched.
    #[cfg(not(target_vendor = "apple"))]
    pub(super) fn invalidate(code: &[u8]) {
        let ctr: u64;
        // SAFETY: programs may read this register, which describes the caches.
        unsafe { asm!("mrs {}, ctr_el0", out(reg) ctr, options(nomem, nostack, preserves_flags)) };
        // The binary logarithms of the shortest lines, in words of 4 bytes.
        let (instruction_line, data_line) = (4 << (ctr & 15), 4 << (ctr >> 16 & 15));
        for line in lines(code, data_line) {
            // SAFETY: it writes a line of readable memory back to where instructions are fetched.
            unsafe { asm!("dc cvau, {}", in(reg) line, options(nostack, preserves_flags)) };
        }
        // SAFETY: it waits until that is done.
        unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
        for line in lines(code, instruction_line) {
            // SAFETY: it makes instruction caches forget a line of readable memory.
            unsafe { asm!("ic ivau, {}", in(reg) line, options(nostack, preserves_flags)) };
        }
        // SAFETY: it waits until that is done, on all processors.
        unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
    }

    /// The addresses of the cache lines that hold the code.
    #[cfg(not(target_vendor = "apple"))]
    fn lines(code: &[u8], length: usize) -> impl Iterator<Item = usize> {
        let range = code.as_ptr_range();
        let first = range.start.addr() & !(length - 1);
        (first..range.end.addr()).step_by(length)
    }

    /// The same on Apple's systems, which have a function for it.
    #[cfg(target_vendor = "apple")]
    pub(super) fn invalidate(code: &[u8]) {
        unsafe extern "C" {
            fn sys_icache_invalidate(start: *const u8, length: usize);
        }
        // SAFETY: it is declared as in `libkern/OSCacheControl.h`, and gets a range of readable
        // memory.
        unsafe { sys_icache_invalidate(code.as_ptr(), code.len()) };
    }

    /// Makes the processor of this thread fetch again what it executes from now on.
    pub(super) fn drop_prefetched() {
        // SAFETY: it changes neither registers nor memory.
        unsafe { asm!("isb", options(nostack, preserves_flags)) };
    }
}

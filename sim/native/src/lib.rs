//! Runs Gray-1 programs as machine code of the host.
//!
//! # How it works
//!
//! Program memory is read-only and all operands are constants, so a program is compiled once, as a
//! whole, before it runs. `flow` finds the instructions that can be reached from index 0 and
//! divides them into blocks, which have one entry and several exits. `code` translates each
//! instruction to a few of the host's, which `code/x64` and `code/a64` encode. A and C are in
//! registers, another one points to data memory, another counts down the instructions that remain.
//! A store to the mailbox also appends to a small output buffer. A watched instruction becomes a
//! return before it, and all others run at full speed; to watch others, compile again.
//!
//! A limit is met to the instruction. The code checks it at loop heads only (and about every
//! hundred instructions without a loop), and returns if fewer instructions remain than may be
//! executed until the second check from there. `step` executes the last ones, as well as
//! instructions that no path from index 0 leads to.
//!
//! # What makes it fast
//!
//! - There is no dispatch: the host executes the program's own jumps, and predicts each by its own
//!   history.
//! - Eleven registers (twelve on aarch64) cache A and bytes of data memory
//!   (`code/register_cache.rs`). Within a block, a byte that was stored or loaded is not loaded
//!   again, and a byte that is stored twice is written once. A block inherits what all its
//!   predecessors have cached, unless it is a loop head.
//! - Dead values are not computed: the carry is saved only if it may be read, an addition whose
//!   carry is dead is a single instruction.
//! - Dead values are not stored. At a check of the limit a byte of memory is dead if every path to
//!   the next check overwrites it before anything reads it (`dead`).
//! - A byte in which all stores of the program put the same value is a constant where it was stored
//!   on every path (`constants`). Instructions then contain its value, and a `NAND` with FF, which
//!   is how this machine complements, costs nothing.
//! - `NAND` yields a complement, which a `NAND` that reads it takes as it is.
//!
//! The debugger can change these bytes. So memory is compared with the constants that a block
//! relies on before it is entered; if one differs, other code is used, which relies on none.
//!
//! Registers, data memory, output and count are exact at every stop. At a mailbox store, a watched
//! instruction and the end nothing is cached or dead. Where the code returns at a check, `step`
//! executes at least the instructions up to the next check, and these overwrite what was dead.
//!
//! # Where it works
//!
//! On x86-64 and aarch64 with an operating system of the Unix family, and on x86-64 with Windows.
//! Elsewhere, and where the system refuses executable memory, [`Native::compile`] returns `None`,
//! and the caller uses another engine; so it must for a board with other contents of the arithmetic
//! chips, since the code computes what [`gray1_isa::Op`] defines.

#![cfg_attr(
    not(any(all(target_arch = "x86_64", any(unix, windows)), all(target_arch = "aarch64", unix))),
    allow(dead_code, reason = "only a compiler reads most of it")
)]

mod bytes;
#[cfg_attr(
    not(any(all(target_arch = "x86_64", any(unix, windows)), all(target_arch = "aarch64", unix))),
    path = "unsupported.rs"
)]
mod code;
mod constants;
mod dead;
mod flow;
mod step;

use std::sync::OnceLock;

use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::{Registers, RomIndex, Word};

use code::Code;
use flow::Flow;

/// True if there is machine code for this kind of host.
pub const IS_SUPPORTED: bool = code::IS_SUPPORTED;

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The number of executed instructions, a halting `JMP` included.
    pub executed: u64,
    /// Whether a `JMP` to itself was executed. Otherwise the limit was reached, or the next
    /// instruction is watched.
    pub has_halted: bool,
}

/// A compiled program. It holds no state of the machine, so several machines may share it.
#[derive(Debug)]
pub struct Native {
    words: Box<[Word; ROM_WORDS]>,
    watched: Box<[bool; ROM_WORDS]>,
    code: Code,
    /// Code that does not rely on constants, once it was needed; `None` if the host refused it.
    cautious: OnceLock<Option<Code>>,
}

impl Native {
    /// Compiles a program; runs will stop before the watched instructions. Returns `None` if the
    /// host is not supported or refuses executable memory.
    #[must_use]
    pub fn compile(
        words: &[Word; ROM_WORDS],
        is_watched: impl Fn(RomIndex) -> bool,
    ) -> Option<Self> {
        let mut watched = Box::new([false; ROM_WORDS]);
        for index in RomIndex::all() {
            watched[index.to_usize()] = is_watched(index);
        }
        let code = Code::compile(&Flow::of(words, &watched), true)?;
        Some(Self { words: Box::new(*words), watched, code, cautious: OnceLock::new() })
    }

    /// Executes up to `limit` instructions, until the program halts or the next instruction is
    /// watched, be it the first one. Appends the bytes that are stored in the mailbox to `output`.
    pub fn run(
        &self,
        registers: &mut Registers,
        ram: &mut [u8; RAM_BYTES],
        limit: u64,
        output: &mut Vec<u8>,
    ) -> Run {
        let mut remaining = limit;
        let mut has_halted = false;
        while !has_halted && remaining > 0 && !self.watched[registers.pc.to_usize()] {
            let code = self.code_for(ram, registers.pc);
            let run = code.and_then(|code| code.run(registers, ram, &mut remaining, output));
            has_halted = run.unwrap_or_else(|| {
                remaining -= 1;
                step::step(self.words[registers.pc.to_usize()], registers, ram, output)
            });
        }
        Run { executed: limit - remaining, has_halted }
    }

    /// The code to be entered at an index with this memory, if there is any.
    fn code_for(&self, ram: &[u8; RAM_BYTES], pc: RomIndex) -> Option<&Code> {
        if self.code.is_right_for(ram, pc) {
            return Some(&self.code);
        }
        let compile = || Code::compile(&Flow::of(&self.words, &self.watched), false);
        self.cautious.get_or_init(compile).as_ref()
    }
}

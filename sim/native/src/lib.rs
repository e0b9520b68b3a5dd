//! Runs Gray-1 programs as machine code of the host.
//!
//! # How it works
//!
//! Program memory is read-only and all operands are constants. So a program is compiled once, as a
//! whole, before it runs. `flow` finds the instructions that can be reached from index 0 and
//! divides them into blocks, which have one entry and several exits. `code` translates each
//! instruction to a few host instructions, which `code/x64` and `code/a64` encode. A and C are in
//! registers. Another register points to data memory, and another one counts down the remaining
//! instructions. A store to the mailbox also appends to a small output buffer. The code returns
//! before a watched instruction, so all other instructions run at full speed. Watching other
//! instructions requires compiling again.
//!
//! A limit is exact to the instruction. The code checks it only at loop heads (and about every
//! hundred instructions without a loop). At a check, it returns if the remaining instructions might
//! not be enough to reach the second check after that one. `step` executes the last instructions,
//! and also instructions that cannot be reached from index 0.
//!
//! # What makes it fast
//!
//! - There is no dispatch. The host executes the program's own jumps, and predicts each one from
//!   its own history.
//! - Eleven registers (twelve on aarch64) cache A and bytes of data memory
//!   (`code/register_cache.rs`). Within a block, a byte that was stored or loaded is not loaded
//!   again, and a byte that is stored twice is written once. A block inherits the bytes that all
//!   its predecessors have cached, unless it is a loop head.
//! - Dead values are not computed. The carry is saved only if it may be read. An addition whose
//!   carry is dead is a single instruction.
//! - Dead values are not stored. At a check of the limit, a byte of memory is dead if every path to
//!   the next check overwrites it before it is read (`dead`).
//! - A byte to which all stores of the program write the same value is a constant once it has been
//!   stored on every path (`constants`). Instructions then contain its value. A `NAND` with FF,
//!   which is the machine's complement, costs nothing.
//! - `NAND` leaves a complement, and a `NAND` that reads it uses the complement directly.
//!
//! The debugger can change bytes that are constants. So before a block is entered, memory is
//! compared with the constants that the block relies on. If one differs, other code is used, which
//! does not rely on constants.
//!
//! Registers, data memory, output and count are exact at every stop. At a mailbox store, a watched
//! instruction and the end, nothing is cached or dead. Where the code returns at a check, `step`
//! executes at least the instructions up to the next check, and these overwrite the bytes that were
//! dead.
//!
//! # Supported hosts
//!
//! x86-64 and aarch64 with an operating system of the Unix family, and x86-64 with Windows. On
//! other hosts, and where the system does not allow executable memory, [`Native::compile`] returns
//! `None`, and the caller uses another engine. The caller must also do so for a board whose
//! arithmetic chips have other contents, because the code computes the results that
//! [`gray1_isa::Op`] defines.

#![cfg_attr(
    not(any(all(target_arch = "x86_64", any(unix, windows)), all(target_arch = "aarch64", unix))),
    allow(dead_code, reason = "only a compiler reads most of it")
)]

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
use gray1_isa::{Indexes, Op, Registers, RomIndex, Word};

use code::Code;
use flow::FlowGraph;

pub use step::NativeRun;

/// Whether programs can be compiled here: this kind of host is supported, and the system allows
/// executable memory. It compiles a short program to find out.
pub fn is_available() -> bool {
    let words = [Word::jump(Op::Jmp, RomIndex::truncate(0)); ROM_WORDS];
    Native::compile(&words, &Indexes::NONE).is_some()
}

/// A compiled program. It has no state of the machine, so several machines may share it.
#[derive(Debug)]
pub struct Native {
    words: Box<[Word; ROM_WORDS]>,
    watched: Indexes,
    code: Code,
    /// Code that does not rely on constants, compiled when first needed. `None` if the host refused
    /// it.
    cautious: OnceLock<Option<Code>>,
}

impl Native {
    /// Compiles a program whose runs stop before the watched instructions. Returns `None` if the
    /// host is not supported or does not allow executable memory.
    pub fn compile(words: &[Word; ROM_WORDS], watched: &Indexes) -> Option<Self> {
        let code = Code::compile(&FlowGraph::analyse(words, watched), true)?;
        let (words, watched) = (Box::new(*words), watched.clone());
        Some(Self { words, watched, code, cautious: OnceLock::new() })
    }

    /// Executes up to `limit` instructions, until the program halts or the next instruction is
    /// watched. The first instruction may be watched as well. Appends the bytes that are stored in
    /// the mailbox to `output`.
    pub fn run(
        &self,
        registers: &mut Registers,
        ram: &mut [u8; RAM_BYTES],
        limit: u64,
        output: &mut Vec<u8>,
    ) -> NativeRun {
        let mut run = NativeRun { executed: 0, has_halted: false };
        while !run.has_halted && run.executed < limit && !self.watched.contains(registers.pc) {
            let word = self.words[registers.pc.to_usize()];
            let code = self.code_for(ram, registers.pc);
            let next = code.and_then(|code| code.run(registers, ram, limit - run.executed, output));
            let next = next.unwrap_or_else(|| step::step(word, registers, ram, output));
            run = NativeRun { executed: run.executed + next.executed, ..next };
        }
        run
    }

    /// Returns the code for continuing at an index with this memory, if there is any.
    fn code_for(&self, ram: &[u8; RAM_BYTES], pc: RomIndex) -> Option<&Code> {
        if self.code.is_right_for(ram, pc) {
            return Some(&self.code);
        }
        let cautious = self
            .cautious
            .get_or_init(|| Code::compile(&FlowGraph::analyse(&self.words, &self.watched), false));
        cautious.as_ref()
    }
}

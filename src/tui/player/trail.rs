//! The instructions that were executed last, each with what it found: the way by which the machine
//! came to where it is.

use std::collections::VecDeque;

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{RamAddr, RomIndex, Word};
use gray1_sim::debugger::{History, Progress, WatchSet};
use gray1_sim::{Executed, Write};

/// How many instructions are kept.
pub(super) const LENGTH: usize = 64;

/// An executed instruction, and the machine just before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) index: RomIndex,
    pub(crate) word: Word,
    pub(crate) a: u8,
    pub(crate) carry: bool,
    /// What the instruction register still held.
    pub(crate) last: Word,
    pub(crate) write: Option<Write>,
}

impl Step {
    /// What it did, where this is data memory after it.
    pub(super) fn executed(&self, ram: &[u8; RAM_BYTES]) -> Executed {
        let Self { index, word, write, .. } = *self;
        let read = word.op().reads_memory().then(|| ram[word.address().to_usize()]);
        Executed { index, word, write, read }
    }
}

/// The last instructions, the newest one last.
#[derive(Debug, Clone)]
pub(crate) struct Trail {
    steps: VecDeque<Step>,
    /// What the instruction register holds.
    last: Word,
}

impl Default for Trail {
    fn default() -> Self {
        // What a chip shows that holds nothing but zeros: any word will do at power-up.
        Self { steps: VecDeque::with_capacity(LENGTH), last: Word::from_bits(0) }
    }
}

impl Trail {
    /// Executes an instruction and notes it.
    pub(super) fn run_one(&mut self, history: &mut History, watch_set: &WatchSet) -> Progress {
        let (before, machine) = (history.moment(), history.engine());
        let (index, a, carry, last) = (machine.pc(), machine.a(), machine.carry(), self.last);
        let word = machine.word(index);
        let old = machine.ram()[word.address().to_usize()];
        let progress = history.run(watch_set, 1);
        if history.moment() == before {
            return progress;
        }
        let address = word.address();
        let write = word.op().writes_memory().then_some(Write { address, old, new: a });
        if self.steps.len() == LENGTH {
            self.steps.pop_front();
        }
        self.steps.push_back(Step { index, word, a, carry, last, write });
        self.last = word;
        if history.engine().halted() {
            self.end(word);
        } else if history.engine().executed() == 0 {
            // Behind it, somebody had pressed reset.
            self.reset();
        }
        progress
    }

    /// A machine at its end repeats one instruction for ever: there is no way behind it.
    fn end(&mut self, word: Word) {
        self.steps.clear();
        self.last = word;
    }

    /// Forgets the way, for the machine is reset; the instruction register keeps what it holds.
    pub(super) fn reset(&mut self) {
        self.steps.clear();
    }

    /// What the instruction register holds: the instruction executed last.
    pub(crate) fn last(&self) -> Word {
        self.last
    }

    /// The instruction executed last, if it was since the reset.
    pub(crate) fn newest(&self) -> Option<&Step> {
        self.steps.back()
    }

    /// The byte that was written last, as far as the trail goes back.
    pub(crate) fn newest_write(&self) -> Option<RamAddr> {
        self.steps.iter().rev().find_map(|step| step.write).map(|write| write.address)
    }

    /// How many instructions ago this byte was written, 0 for by the last one; `None` if it was
    /// longer ago than the trail goes back.
    pub(crate) fn age(&self, address: RamAddr) -> Option<usize> {
        let writes = |step: &Step| step.write.is_some_and(|write| write.address == address);
        self.steps.iter().rev().position(writes)
    }
}

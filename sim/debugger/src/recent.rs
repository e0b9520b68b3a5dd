//! The instructions executed last, each with the state before it.

use std::collections::VecDeque;

use gray1_isa::{Executed, RamAddr, Word, Write};
use gray1_sim::engine::Engine;

use super::inputs::Inputs;
use super::replay::Replay;

/// How many instructions are kept.
pub(super) const LENGTH: usize = 64;

/// An executed instruction and the registers before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecentStep {
    /// The instruction and its effect.
    pub executed: Executed,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// The previous instruction, which the instruction register still held.
    pub last: Word,
}

/// The instructions executed last, the newest at the end.
#[derive(Debug, Clone)]
pub struct RecentSteps {
    steps: VecDeque<RecentStep>,
    /// The instruction under way.
    under_way: Option<RecentStep>,
    /// The contents of the instruction register.
    last: Word,
}

impl Default for RecentSteps {
    fn default() -> Self {
        // The output of a chip of zeros: at power-up any word will do.
        let steps = VecDeque::with_capacity(LENGTH);
        Self { steps, under_way: None, last: Word::from_bits(0) }
    }
}

impl RecentStep {
    /// The instruction that comes next.
    fn next(engine: &dyn Engine, last: Word) -> Self {
        let (index, a, carry) = (engine.pc(), engine.a(), engine.carry());
        let word = engine.word(index);
        let address = word.address();
        let old = engine.ram()[address.to_usize()];
        let write = word.op().writes_memory().then_some(Write { address, old, new: a });
        let read = word.op().reads_memory().then_some(old);
        Self { executed: Executed { index, word, write, read }, a, carry, last }
    }
}

impl RecentSteps {
    /// Notes the instruction that comes next.
    pub(super) fn begin(&mut self, engine: &dyn Engine) {
        // In the middle of an instruction, registers and memory may have changed.
        if engine.edges() == 0 {
            self.under_way = Some(RecentStep::next(engine, self.last));
        }
    }

    /// Notes that the machine has executed that instruction.
    pub(super) fn complete(&mut self, replay: &Replay, inputs: &Inputs) {
        if self.steps.len() == LENGTH {
            self.steps.pop_front();
        }
        if let Some(step) = self.under_way.take() {
            self.steps.push_back(step);
            self.last = step.executed.word;
        }
        // The instruction register then holds an instruction without effect.
        if inputs.load_registers_at(replay.moment()) {
            self.last = Word::ldi(0);
        }
        // A halted machine repeats one instruction for ever, and nothing precedes a reset.
        if replay.engine.halted() || replay.engine.executed() == 0 {
            self.steps.clear();
        }
    }

    /// The contents of the instruction register: the instruction executed last.
    #[must_use]
    pub fn last(&self) -> Word {
        self.last
    }

    /// The instruction executed last, if there was one since the reset.
    #[must_use]
    pub fn newest(&self) -> Option<&RecentStep> {
        self.steps.back()
    }

    /// The address written last, as far back as steps are kept.
    #[must_use]
    pub fn newest_write(&self) -> Option<RamAddr> {
        self.steps.iter().rev().find_map(|step| step.executed.write).map(|write| write.address)
    }

    /// How many instructions ago a byte was written, 0 for the last one. `None` if that was before
    /// the kept steps.
    #[must_use]
    pub fn age(&self, address: RamAddr) -> Option<usize> {
        let mut writes = self.steps.iter().rev().map(|step| step.executed.write);
        writes.position(|write| write.is_some_and(|write| write.address == address))
    }
}

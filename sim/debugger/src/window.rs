//! A recorded stretch of the history: the instructions executed in it, each with the state before
//! it.

use std::collections::VecDeque;

use gray1_isa::{Executed, RamAddr, RomIndex, Word, Write};
use gray1_sim::engine::Engine;

use super::history::History;
use super::inputs::Inputs;
use super::replay::Replay;

/// The most instructions of a window.
const WINDOW_MAX: u64 = 1 << 16;
/// How many instructions are recent.
pub(super) const RECENT: u64 = 64;

/// An executed instruction, and the state before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedStep {
    /// Its index.
    pub index: RomIndex,
    /// The instruction.
    pub word: Word,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// The byte at its operand's address.
    pub data: u8,
}

/// The instructions executed between two moments.
#[derive(Debug, Clone)]
pub(super) struct Window {
    start: u64,
    steps: VecDeque<RecordedStep>,
    /// The instruction under way, or the one that comes next.
    next: RecordedStep,
    /// The contents of the instruction register: before the last instruction, and now.
    register: [Word; 2],
    /// The moment from which instructions are recent.
    recent_from: u64,
}

/// The instructions executed last, the newest at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentSteps {
    steps: Vec<RecordedStep>,
    register: [Word; 2],
}

impl RecordedStep {
    /// The instruction that comes next.
    fn next(engine: &dyn Engine) -> Self {
        let (index, a, carry) = (engine.pc(), engine.a(), engine.carry());
        let word = engine.word(index);
        Self { index, word, a, carry, data: engine.ram()[word.address().to_usize()] }
    }

    /// The byte that it wrote.
    #[must_use]
    pub fn write(&self) -> Option<Write> {
        let write = Write { address: self.word.address(), old: self.data, new: self.a };
        self.word.op().writes_memory().then_some(write)
    }

    /// The instruction and its effect.
    #[must_use]
    pub fn executed(&self) -> Executed {
        let read = self.word.op().reads_memory().then_some(self.data);
        Executed { index: self.index, word: self.word, write: self.write(), read }
    }
}

impl Window {
    /// A window that begins where a machine stands between two instructions.
    pub(super) fn at(replay: &Replay) -> Self {
        Self {
            start: replay.moment(),
            steps: VecDeque::new(),
            next: RecordedStep::next(&*replay.engine),
            // The output of a chip of zeros: at power-up any word will do.
            register: [Word::from_bits(0); 2],
            recent_from: replay.moment(),
        }
    }

    /// Records up to a known moment, as far back as a window goes.
    pub(super) fn up_to(history: &History, moment: u64) -> Self {
        let length = WINDOW_MAX.min(history.engine().slice());
        let mut replay = history.replay_at(moment.saturating_sub(length).max(history.start()));
        let mut window = Self::at(&replay);
        while replay.moment() < moment && !replay.engine.halted() {
            replay.go_one(history.inputs());
            window.note(&replay, history.inputs());
        }
        window
    }

    /// Notes that the machine has completed the instruction under way.
    pub(super) fn note(&mut self, replay: &Replay, inputs: &Inputs) {
        if self.steps.len() as u64 == WINDOW_MAX {
            self.steps.pop_front();
            self.start += 1;
        }
        self.steps.push_back(self.next);
        self.register = [self.register[1], self.next.word];
        // The instruction register then holds an instruction without effect.
        if inputs.load_registers_at(replay.moment()) {
            self.register[1] = Word::ldi(0);
        }
        // A halted machine repeats one instruction for ever, and nothing precedes a reset.
        if replay.engine.halted() || replay.engine.executed() == 0 {
            self.recent_from = replay.moment();
        }
        self.next = RecordedStep::next(&*replay.engine);
    }

    /// The moment of its first instruction.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// How many instructions before a moment are in it; `None` if the moment is not in it.
    pub(super) fn reach(&self, moment: u64) -> Option<u64> {
        let before = moment.checked_sub(self.start)?;
        (before <= self.steps.len() as u64).then_some(before)
    }

    /// The instruction that comes next at a moment in it, with the state then.
    pub(super) fn step(&self, moment: u64) -> RecordedStep {
        self.steps.get((moment - self.start) as usize).copied().unwrap_or(self.next)
    }

    /// The last instruction executed from one moment to another that satisfies a predicate: its
    /// moment.
    pub(super) fn last(
        &self,
        from: u64,
        to: u64,
        wanted: impl Fn(RecordedStep) -> bool,
    ) -> Option<u64> {
        (from.max(self.start)..to).rev().find(|moment| wanted(self.step(*moment)))
    }

    /// The instructions executed last since the reset.
    pub(super) fn recent(&self) -> RecentSteps {
        let end = self.start + self.steps.len() as u64;
        let first = end.saturating_sub(RECENT).max(self.recent_from).max(self.start);
        let steps = self.steps.range((first - self.start) as usize..).copied().collect();
        RecentSteps { steps, register: self.register }
    }
}

impl RecentSteps {
    /// The contents of the instruction register: the instruction executed last.
    #[must_use]
    pub fn last(&self) -> Word {
        self.register[1]
    }

    /// The contents of the instruction register before the newest step.
    #[must_use]
    pub fn before_newest(&self) -> Word {
        self.register[0]
    }

    /// The instruction executed last, if there was one since the reset.
    #[must_use]
    pub fn newest(&self) -> Option<&RecordedStep> {
        self.steps.last()
    }

    /// The address written last, as far back as steps are kept.
    #[must_use]
    pub fn newest_write(&self) -> Option<RamAddr> {
        self.steps.iter().rev().find_map(RecordedStep::write).map(|write| write.address)
    }

    /// How many instructions ago a byte was written, 0 for the last one. `None` if that was before
    /// the kept steps.
    #[must_use]
    pub fn age(&self, address: RamAddr) -> Option<usize> {
        let mut writes = self.steps.iter().rev().map(RecordedStep::write);
        writes.position(|write| write.is_some_and(|write| write.address == address))
    }
}

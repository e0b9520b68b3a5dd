//! A recorded stretch of the history: the instructions executed in it, each with the state before
//! it.

use std::collections::VecDeque;

use gray1_isa::{RomIndex, Word};
use gray1_sim::engine::Engine;

use super::history::History;
use super::replay::Replay;

/// The most instructions of a window.
pub(super) const WINDOW_MAX: u64 = 1 << 16;

/// An instruction and the state before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordedStep {
    pub(super) index: RomIndex,
    pub(super) word: Word,
    pub(super) a: u8,
    pub(super) carry: bool,
    /// The byte at the operand's address.
    pub(super) data: u8,
}

/// The instructions executed between two moments.
#[derive(Debug, Clone)]
pub(super) struct Window {
    start: u64,
    steps: VecDeque<RecordedStep>,
    /// The state at the end, before an instruction that comes next.
    end: RecordedStep,
}

impl RecordedStep {
    /// The instruction that comes next.
    fn next(engine: &dyn Engine) -> Self {
        let (index, a, carry) = (engine.pc(), engine.a(), engine.carry());
        let word = engine.word(index);
        Self { index, word, a, carry, data: engine.ram()[word.address().to_usize()] }
    }
}

impl Window {
    /// Records up to a known moment, as far back as a window goes.
    pub(super) fn up_to(history: &History, moment: u64) -> Self {
        let length = WINDOW_MAX.min(history.engine().slice());
        let mut replay = history.replay_at(moment.saturating_sub(length).max(history.start()));
        let mut window = Self::at(&replay);
        while replay.moment() < moment && !replay.engine.halted() {
            window.steps.push_back(RecordedStep::next(&*replay.engine));
            replay.go_one(history.inputs());
        }
        window.end = RecordedStep::next(&*replay.engine);
        window
    }

    fn at(replay: &Replay) -> Self {
        let end = RecordedStep::next(&*replay.engine);
        Self { start: replay.moment(), steps: VecDeque::new(), end }
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
        self.steps.get((moment - self.start) as usize).copied().unwrap_or(self.end)
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
}

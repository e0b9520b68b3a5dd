//! Executes a part of the past again while counting hits.

use gray1_isa::Indexes;

use super::history::History;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

/// A machine that executes a part of the past again, with the number of hits of each condition
/// since power-up.
#[derive(Debug, Clone)]
pub(super) struct CountedReplay {
    pub(super) replay: Replay,
    /// By the number of the condition. Conditions beyond its end are not counted.
    pub(super) counts: Box<[u64]>,
}

impl CountedReplay {
    /// Executes up to a moment, or to the end of the program. Counts the hits before a position,
    /// and passes each to `note` with the counts that include it.
    pub(super) fn advance(
        &mut self,
        history: &History,
        watch_set: &WatchSet,
        to: u64,
        before: (u64, u32),
        mut note: impl FnMut(Hit, &[u64]),
    ) {
        while !self.has_come_to(to) {
            let hit = self.replay.run(history.inputs(), watch_set, to);
            self.replay.fresh.clear();
            if let Some(hit) = hit.filter(|hit| hit.position() < before) {
                hit.matches.count(&mut self.counts);
                note(hit, &self.counts);
            }
        }
    }

    /// Whether it comes to no instruction of a set before a moment, given those from which one of
    /// them can be reached.
    pub(super) fn is_barren(&self, reaching: &Indexes, history: &History, to: u64) -> bool {
        let jump = history.inputs().last_jump(to);
        !reaching.contains(self.replay.engine.pc())
            && jump.is_none_or(|jump| jump <= self.replay.moment())
    }

    /// Whether it has reached a moment, or can go no further.
    pub(super) fn has_come_to(&self, moment: u64) -> bool {
        self.replay.moment() >= moment || self.replay.engine.halted()
    }
}

/// The moment up to which to execute in order to see all hits before a position. A hit in the
/// middle of an instruction takes the whole instruction.
pub(super) const fn end_of((moment, edges): (u64, u32)) -> u64 {
    moment + (edges > 1) as u64
}

//! How often conditions came true, counted by executing the history again.

use super::history::History;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

/// How often each condition of a watch set came true, from the start of a history on up to the
/// present.
///
/// The counts are a function of the moment, not of the way there. They are found in slices, on a
/// machine of its own. Meanwhile the history must neither move nor be given inputs.
#[derive(Debug, Clone)]
pub struct Tally {
    replay: Replay,
    watch_set: WatchSet,
    counts: Vec<u64>,
    /// What holds at the start, until it is counted.
    first: Option<Hit>,
}

impl Tally {
    /// Begins at the start of this history.
    #[must_use]
    pub fn new(history: &History, watch_set: WatchSet) -> Self {
        let replay = history.replay_from(0);
        let first = replay.reached(&watch_set);
        Self { replay, counts: vec![0; watch_set.len()], watch_set, first }
    }

    /// Goes on towards the present for at most `budget` instructions; whether it is there. Shows
    /// each hit with the counts up to there.
    pub fn advance(
        &mut self,
        history: &History,
        budget: u64,
        mut show: impl FnMut(&Hit, &[u64]),
    ) -> bool {
        if let Some(first) = self.first.take() {
            self.note(&first, &mut show);
        }
        let now = history.position();
        // What happened in the middle of an instruction takes all of it.
        let end = now.0 + u64::from(now.1 > 0);
        let stop = end.min(self.replay.counts.moment.saturating_add(budget));
        while self.replay.counts.moment < stop && !self.replay.engine.halted() {
            let before = self.replay.position();
            let hit = self.replay.run(history.inputs(), &self.watch_set, stop);
            if let Some(hit) = hit.filter(|hit| hit.position() <= now) {
                self.note(&hit, &mut show);
            }
            debug_assert!(self.replay.has_left(before), "it would count for ever");
        }
        self.replay.fresh.clear();
        self.replay.counts.moment >= end || self.replay.engine.halted()
    }

    /// How often each condition came true until then, by its number in the watch set.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    fn note(&mut self, hit: &Hit, show: &mut impl FnMut(&Hit, &[u64])) {
        hit.matches.count(&mut self.counts);
        show(hit, &self.counts);
    }
}

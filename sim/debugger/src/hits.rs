//! How often each breakpoint was hit, from power-up to the present.
//!
//! The counts are a function of the moment, not of the way there. They are kept with checkpoints,
//! so that they are soon known after a way back. For breakpoints that are set late the past has to
//! be executed again; until then, hits are counted from where the machine was.

use std::collections::BTreeMap;

use super::history::History;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

/// Counts, by the position of the breakpoint.
pub(super) type Counts = Box<[u64]>;

/// The counts of a list of breakpoints.
#[derive(Debug, Clone, Default)]
pub(super) struct HitCounts {
    watch_set: WatchSet,
    /// The counts from power-up to the moment of a checkpoint.
    at_checkpoints: BTreeMap<u64, Counts>,
    present: Present,
    /// Executes the past again.
    recount: Option<Recount>,
    is_given_up: bool,
}

/// Counts up to a position of the machine.
#[derive(Debug, Clone, Default)]
struct Present {
    position: (u64, u32),
    /// The moment from which on hits are counted.
    from: u64,
    counts: Counts,
    /// Whether the counts are those of the machine's position.
    are_known: bool,
}

/// A machine that executes the past again, and the counts on its way.
#[derive(Debug, Clone)]
struct Recount {
    replay: Replay,
    counts: Counts,
}

/// Hits as they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hits {
    /// How often each breakpoint was hit, by its position. Those that are off have no hits.
    pub counts: Box<[u64]>,
    /// The moment from which on hits are counted: 0, power-up, or until the hits before are
    /// counted, the moment at which a breakpoint was set.
    pub from: u64,
    /// Up to here the past is counted, while it is being counted.
    pub counted: Option<u64>,
}

impl HitCounts {
    /// Begins with other breakpoints.
    pub(super) fn set(&mut self, watch_set: WatchSet) {
        *self = Self { watch_set, ..Self::default() };
    }

    /// The machine has moved, and its hits were not noted.
    pub(super) fn forget_present(&mut self) {
        self.present.are_known = false;
    }

    /// The past from this moment on has changed.
    pub(super) fn cut(&mut self, moment: u64) {
        self.at_checkpoints.retain(|at, _| *at < moment);
        self.present.are_known = false;
    }

    /// The counts of the present. They are right after [`Self::find`].
    pub(super) fn counts(&self) -> &[u64] {
        &self.present.counts
    }

    /// The hits as they are shown.
    pub(super) fn shown(&self) -> Hits {
        let Present { counts, from, .. } = &self.present;
        Hits { counts: counts.clone(), from: *from, counted: self.counted() }
    }

    /// The moment up to which the past is counted, while it is still to be counted.
    pub(super) fn counted(&self) -> Option<u64> {
        let counted = self.recount.as_ref().map_or(0, |recount| recount.replay.counts.moment);
        (self.present.from > 0 && !self.is_given_up).then_some(counted)
    }

    /// Whether the present counts are known, and are those from power-up on.
    pub(super) fn are_whole(&self, history: &History) -> bool {
        self.are_present(history) && self.present.from == 0
    }

    fn are_present(&self, history: &History) -> bool {
        self.present.are_known && self.present.position == history.position()
    }

    /// Finds the counts of the present, as far as that is quickly done.
    pub(super) fn find(&mut self, history: &History) {
        if self.are_present(history) {
            return;
        }
        if self.watch_set.len() == 0 {
            return self.reach(history, Counts::default());
        }
        let nearest = self.nearest(history);
        let distance = history.moment() - history.checkpoints().get(nearest).counts.moment;
        if distance <= self.watch_set.share(history.at_once_max()) {
            let mut recount = self.recount_from(nearest, history);
            recount.advance(&self.watch_set, history, u64::MAX, &mut self.at_checkpoints);
            self.reach(history, recount.counts);
        } else {
            let counts = vec![0; self.watch_set.len()].into();
            let (position, from) = (history.position(), history.moment().max(1));
            self.present = Present { position, from, counts, are_known: true };
        }
    }

    /// Counts the past again for about `budget` instructions; whether all is counted.
    pub(super) fn recount(&mut self, history: &History, budget: u64) -> bool {
        self.find(history);
        if self.are_whole(history) {
            self.recount = None;
            return true;
        }
        let serves = |it: &Recount| {
            it.replay.revision == history.revision() && it.replay.position() <= history.position()
        };
        let known = self.recount.take().filter(serves);
        let mut recount =
            known.unwrap_or_else(|| self.recount_from(self.nearest(history), history));
        let budget = self.watch_set.share(budget);
        if recount.advance(&self.watch_set, history, budget, &mut self.at_checkpoints) {
            self.reach(history, recount.counts);
        } else {
            self.recount = Some(recount);
        }
        self.are_whole(history)
    }

    /// Counts no further; what is counted stays.
    pub(super) fn cancel(&mut self) {
        self.recount = None;
        self.is_given_up = true;
    }

    fn reach(&mut self, history: &History, counts: Counts) {
        let position = history.position();
        self.present = Present { position, from: 0, counts, are_known: true };
    }

    /// Notes a hit that the machine has come to, or that it has come this far without one.
    pub(super) fn note(&mut self, hit: Option<&Hit>, history: &History) {
        let now = history.position();
        if self.watch_set.len() == 0 || !self.present.are_known {
            self.present.position = now;
            return;
        }
        if self.present.from == 0 {
            let passed = history.checkpoints().moments(self.present.position.0 + 1..=now.0);
            for moment in passed.filter(|moment| hit.is_none() || (*moment, 0) < now) {
                self.at_checkpoints.insert(moment, self.present.counts.clone());
            }
        }
        if let Some(hit) = hit {
            hit.matches.count(&mut self.present.counts);
            let is_checkpoint = history.checkpoints().moments(now.0..=now.0).next().is_some();
            if self.present.from == 0 && now.1 == 0 && is_checkpoint {
                self.at_checkpoints.insert(now.0, self.present.counts.clone());
            }
        }
        self.present.position = now;
        self.prune(history);
    }

    /// Drops counts whose checkpoints were thinned out, so that they stay as bounded as these.
    fn prune(&mut self, history: &History) {
        let checkpoints = history.checkpoints();
        if self.at_checkpoints.len() > 2 * checkpoints.len() {
            let is_kept = |moment: u64| checkpoints.moments(moment..=moment).next().is_some();
            self.at_checkpoints.retain(|moment, _| is_kept(*moment));
        }
    }

    /// The last checkpoint up to the present whose counts are known; the first one if there is
    /// none.
    fn nearest(&self, history: &History) -> usize {
        let (now, checkpoints) = (history.moment(), history.checkpoints());
        let is_known = |number: &usize| {
            self.at_checkpoints.contains_key(&checkpoints.get(*number).counts.moment)
        };
        let last = checkpoints.up_to(now);
        (0..=last).rev().find(is_known).unwrap_or(0)
    }

    /// Begins to execute the past again at a checkpoint whose counts are known, or at the first.
    fn recount_from(&self, checkpoint: usize, history: &History) -> Recount {
        let replay = history.replay_from(checkpoint);
        let known = self.at_checkpoints.get(&replay.counts.moment).filter(|_| checkpoint > 0);
        let counts = known.cloned().unwrap_or_else(|| {
            let mut counts: Counts = vec![0; self.watch_set.len()].into();
            if let Some(hit) = replay.reached(&self.watch_set) {
                hit.matches.count(&mut counts);
            }
            counts
        });
        Recount { replay, counts }
    }
}

impl Recount {
    /// Goes on towards the present; whether it is there.
    fn advance(
        &mut self,
        watch_set: &WatchSet,
        history: &History,
        budget: u64,
        at_checkpoints: &mut BTreeMap<u64, Counts>,
    ) -> bool {
        let now = history.position();
        // The events in the middle of an instruction take all of it.
        let end = now.0 + u64::from(now.1 > 0);
        let stop = end.min(self.replay.counts.moment.saturating_add(budget));
        let mut due =
            history.checkpoints().moments(self.replay.counts.moment + 1..=stop).peekable();
        while self.replay.counts.moment < stop && !self.replay.engine.halted() {
            let before = self.replay.position();
            let checkpoint = due.next_if(|moment| *moment <= stop).unwrap_or(stop);
            while self.replay.counts.moment < checkpoint && !self.replay.engine.halted() {
                let hit = self.replay.run(history.inputs(), watch_set, checkpoint);
                if let Some(hit) = hit.filter(|hit| hit.position() <= now) {
                    hit.matches.count(&mut self.counts);
                }
                self.replay.fresh.clear();
            }
            if self.replay.position() == (checkpoint, 0) && checkpoint <= now.0 {
                at_checkpoints.insert(checkpoint, self.counts.clone());
            }
            debug_assert!(self.replay.has_left(before), "it would count for ever");
        }
        self.replay.counts.moment >= end || self.replay.engine.halted()
    }
}

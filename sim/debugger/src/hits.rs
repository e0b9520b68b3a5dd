//! How often each breakpoint was hit, from power-up to the present.
//!
//! The counts are a function of the moment, not of the way there. They are kept with checkpoints,
//! so that they are soon known after a way back. For breakpoints that are set late the past has to
//! be executed again; until then, hits are counted from where the machine was.

use std::collections::BTreeMap;

use super::counted_replay::{CountedReplay, end_of};
use super::history::History;
use super::hit_condition::HitCondition;
use super::watch_set::{Hit, WatchSet};

/// The counts of a list of breakpoints, by their positions in it.
#[derive(Debug, Clone, Default)]
pub(super) struct HitCounts {
    watch_set: WatchSet,
    /// The condition on the number of a hit that each breakpoint has, if it has one.
    hit_conditions: Vec<Option<HitCondition>>,
    /// The counts from power-up to the moment of a checkpoint.
    at_checkpoints: BTreeMap<u64, Box<[u64]>>,
    /// The counts up to a position of the machine, ...
    present: Hits,
    /// ... which this is, if it is known.
    position: Option<(u64, u32)>,
    /// Executes the past again.
    recount: Option<CountedReplay>,
    is_given_up: bool,
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
    /// Begins with other breakpoints. Hit conditions go by the numbers of the conditions; the last
    /// ones may be missing.
    pub(super) fn set(
        &mut self,
        watch_set: WatchSet,
        hit_conditions: impl IntoIterator<Item = Option<HitCondition>>,
    ) {
        let hit_conditions = hit_conditions.into_iter().collect();
        *self = Self { watch_set, hit_conditions, ..Self::default() };
    }

    /// Whether some breakpoint is for certain hits, so that hits have to be counted.
    pub(super) fn are_needed(&self) -> bool {
        self.hit_conditions.iter().any(Option::is_some)
    }

    /// Whether a hit is one that some of its conditions are for, where the conditions came true so
    /// often, this hit included.
    pub(super) fn want(&self, hit: &Hit, counts: &[u64]) -> bool {
        hit.matches.numbers().any(|number| {
            let hit_condition = self.hit_conditions.get(number).copied().flatten();
            hit_condition.is_none_or(|it| it.is_for(counts[number]))
        })
    }

    /// The machine has moved, and its hits were not noted.
    pub(super) fn forget_present(&mut self) {
        self.position = None;
    }

    /// The past from this moment on has changed.
    pub(super) fn cut(&mut self, moment: u64) {
        self.at_checkpoints.retain(|at, _| *at < moment);
        self.position = None;
    }

    /// The counts of the present. They are right after [`Self::find`].
    pub(super) fn counts(&self) -> &[u64] {
        &self.present.counts
    }

    /// The hits as they are shown.
    pub(super) fn shown(&self) -> Hits {
        Hits { counted: self.counted(), ..self.present.clone() }
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
        self.position == Some(history.position())
    }

    /// Finds the counts of the present, as far as that is quickly done.
    pub(super) fn find(&mut self, history: &History) {
        if self.are_present(history) {
            return;
        }
        if self.watch_set.len() == 0 {
            return self.reach(history, Box::default());
        }
        let (nearest, counts) = self.known_at(history, history.moment());
        let distance = history.moment() - history.checkpoints().get(nearest).counts.moment;
        if distance <= self.watch_set.share(history.at_once_max()) {
            let mut recount = self.recount_from(nearest, counts, history);
            self.go_on(&mut recount, history, u64::MAX);
            self.reach(history, recount.counts);
        } else {
            let counts = vec![0; self.watch_set.len()].into();
            self.present = Hits { counts, from: history.moment().max(1), counted: None };
            self.position = Some(history.position());
        }
    }

    /// Counts the past again for about `budget` instructions; whether all is counted.
    pub(super) fn recount(&mut self, history: &History, budget: u64) -> bool {
        self.find(history);
        if self.are_whole(history) {
            self.recount = None;
            return true;
        }
        let serves = |it: &CountedReplay| {
            it.replay.revision == history.revision() && it.replay.position() <= history.position()
        };
        let mut recount = self.recount.take().filter(serves).unwrap_or_else(|| {
            let (nearest, counts) = self.known_at(history, history.moment());
            self.recount_from(nearest, counts, history)
        });
        if self.go_on(&mut recount, history, self.watch_set.share(budget)) {
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

    fn reach(&mut self, history: &History, counts: Box<[u64]>) {
        self.present = Hits { counts, from: 0, counted: None };
        self.position = Some(history.position());
    }

    /// Notes a hit that the machine has come to, or that it has come this far without one.
    pub(super) fn note(&mut self, hit: Option<&Hit>, history: &History) {
        let Some(before) = self.position else { return };
        let now = history.position();
        self.position = Some(now);
        if self.watch_set.len() == 0 {
            return;
        }
        if self.present.from == 0 {
            let passed = history.checkpoints().moments(before.0 + 1..=now.0);
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

    /// The number of the last checkpoint up to a moment at which the counts are known, or of the
    /// first one, and the counts there.
    pub(super) fn known_at(&self, history: &History, moment: u64) -> (usize, Box<[u64]>) {
        let checkpoints = history.checkpoints();
        let known = |number: usize| {
            let moment = checkpoints.get(number).counts.moment;
            Some((number, self.at_checkpoints.get(&moment)?.clone()))
        };
        let known = (1..=checkpoints.up_to(moment)).rev().find_map(known);
        known.unwrap_or_else(|| (0, vec![0; self.watch_set.len()].into()))
    }

    /// Begins to execute the past again at a checkpoint with these counts.
    fn recount_from(
        &self,
        checkpoint: usize,
        counts: Box<[u64]>,
        history: &History,
    ) -> CountedReplay {
        let mut recount = CountedReplay {
            replay: history.replay_from(history.checkpoints().get(checkpoint)),
            counts,
        };
        // The counts at later checkpoints include the hits there.
        let reached = recount.replay.reached(&self.watch_set).filter(|_| checkpoint == 0);
        if let Some(hit) = reached {
            hit.matches.count(&mut recount.counts);
        }
        recount
    }

    /// Goes on towards the present, for at most `budget` instructions, and keeps the counts at the
    /// checkpoints on the way; whether it is there.
    fn go_on(&mut self, recount: &mut CountedReplay, history: &History, budget: u64) -> bool {
        let now = history.position();
        let before = (now.0, now.1 + 1);
        let first = recount.replay.counts.moment;
        let (end, stop) = (end_of(before), end_of(before).min(first.saturating_add(budget)));
        for checkpoint in history.checkpoints().moments(first + 1..=stop) {
            recount.advance(history, &self.watch_set, checkpoint, before, |_, _| {});
            if recount.replay.position() == (checkpoint, 0) && checkpoint <= now.0 {
                self.at_checkpoints.insert(checkpoint, recount.counts.clone());
            }
        }
        recount.advance(history, &self.watch_set, stop, before, |_, _| {});
        recount.has_come_to(end)
    }
}

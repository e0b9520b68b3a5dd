//! Hit counts of breakpoints, from power-up to the present.
//!
//! Hit counts are a function of the moment. They are kept for each checkpoint, so that they are
//! known soon after a step back. For a breakpoint that is set later, the past has to be executed
//! again; until then, hits are counted from where the machine was.

use std::collections::BTreeMap;

use super::backward_search::end_of;
use super::history::History;
use super::hit_condition::HitCondition;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

/// The hit counts of a list of breakpoints, by position.
#[derive(Debug, Clone, Default)]
pub(super) struct HitCounts {
    watch_set: WatchSet,
    /// The hit condition of each breakpoint, if it has one.
    hit_conditions: Vec<Option<HitCondition>>,
    /// The counts up to a checkpoint, by its moment, hits at that moment included.
    at_checkpoints: BTreeMap<u64, Box<[u64]>>,
    /// The counts at a position of the machine, ...
    present: Hits,
    /// ... which is this one; `None` if they are outdated.
    position: Option<(u64, u32)>,
    /// The recount of the past, while it is under way.
    recount: Option<Replay>,
    is_given_up: bool,
}

/// Hit counts as users see them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hits {
    /// How often each breakpoint was hit, by position. Disabled ones have no hits.
    pub counts: Box<[u64]>,
    /// The moment from which hits are counted: 0, or while the past is unknown, the moment at which
    /// the breakpoints were changed.
    pub from: u64,
    /// How far the past has been counted, while the recount is under way.
    pub counted: Option<u64>,
}

impl HitCounts {
    /// Starts again with other breakpoints. Hit conditions are listed by the numbers of the
    /// conditions; the last ones may be missing.
    pub(super) fn set(
        &mut self,
        watch_set: WatchSet,
        hit_conditions: impl IntoIterator<Item = Option<HitCondition>>,
    ) {
        let hit_conditions = hit_conditions.into_iter().collect();
        *self = Self { watch_set, hit_conditions, ..Self::default() };
    }

    /// Whether some breakpoint has a hit condition, so that counts decide where to stop.
    pub(super) fn are_needed(&self) -> bool {
        self.hit_conditions.iter().any(Option::is_some)
    }

    /// Whether a hit satisfies the hit condition of some breakpoint, or some condition without one.
    /// `counts` include this hit.
    pub(super) fn want(&self, hit: &Hit, counts: &[u64]) -> bool {
        hit.matches.numbers().any(|number| {
            let hit_condition = self.hit_conditions.get(number).copied().flatten();
            hit_condition.is_none_or(|it| it.is_for(counts[number]))
        })
    }

    /// The machine has moved without its hits being noted.
    pub(super) fn forget_present(&mut self) {
        self.position = None;
    }

    /// The history has changed from this moment on.
    pub(super) fn cut(&mut self, moment: u64) {
        self.at_checkpoints.retain(|at, _| *at < moment);
        self.position = None;
    }

    /// The present counts, valid after [`Self::find`].
    pub(super) fn counts(&self) -> &[u64] {
        &self.present.counts
    }

    /// The hit counts as users see them.
    pub(super) fn shown(&self) -> Hits {
        Hits { counted: self.counted(), ..self.present.clone() }
    }

    /// How far the past has been counted, while the recount is unfinished.
    pub(super) fn counted(&self) -> Option<u64> {
        let counted = self.recount.as_ref().map_or(0, Replay::moment);
        (self.present.from > 0 && !self.is_given_up).then_some(counted)
    }

    /// Whether the present counts are known and start at power-up.
    pub(super) fn are_whole(&self, history: &History) -> bool {
        self.are_present(history) && self.present.from == 0
    }

    fn are_present(&self, history: &History) -> bool {
        self.position == Some(history.position())
    }

    /// Finds the present counts, if that is quick.
    pub(super) fn find(&mut self, history: &History) {
        if self.are_present(history) {
            return;
        }
        if self.watch_set.is_empty() {
            return self.reach(history, Box::default());
        }
        let (nearest, counts) = self.known_at(history, history.moment());
        let distance = history.moment() - history.checkpoints().get(nearest).moment();
        if distance <= self.watch_set.share(history.at_once_max()) {
            let mut recount = self.recount_from(nearest, counts, history);
            self.go_on(&mut recount, history, u64::MAX);
            self.reach(history, recount.hit_counts);
        } else {
            let counts = vec![0; self.watch_set.len()].into();
            self.present = Hits { counts, from: history.moment().max(1), counted: None };
            self.position = Some(history.position());
        }
    }

    /// Recounts the past for about `budget` instructions. Returns whether all is counted.
    pub(super) fn recount(&mut self, history: &History, budget: u64) -> bool {
        self.find(history);
        if self.are_whole(history) {
            self.recount = None;
            return true;
        }
        let is_valid =
            |it: &Replay| history.leads_to(it.mark()) && it.position() <= history.position();
        let mut recount = self.recount.take().filter(is_valid).unwrap_or_else(|| {
            let (nearest, counts) = self.known_at(history, history.moment());
            self.recount_from(nearest, counts, history)
        });
        if self.go_on(&mut recount, history, self.watch_set.share(budget)) {
            self.reach(history, recount.hit_counts);
        } else {
            self.recount = Some(recount);
        }
        self.are_whole(history)
    }

    /// Stops the recount. What was counted stays.
    pub(super) fn cancel(&mut self) {
        self.recount = None;
        self.is_given_up = true;
    }

    fn reach(&mut self, history: &History, counts: Box<[u64]>) {
        self.present = Hits { counts, from: 0, counted: None };
        self.position = Some(history.position());
    }

    /// Notes a hit of the running machine, or that it came this far without one.
    pub(super) fn note(&mut self, hit: Option<&Hit>, history: &History) {
        let Some(before) = self.position else { return };
        let now = history.position();
        self.position = Some(now);
        if self.watch_set.is_empty() {
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

    /// Drops counts whose checkpoints were thinned out, so that their number stays bounded.
    fn prune(&mut self, history: &History) {
        let checkpoints = history.checkpoints();
        if self.at_checkpoints.len() > 2 * checkpoints.len() {
            let is_kept = |moment: u64| checkpoints.moments(moment..=moment).next().is_some();
            self.at_checkpoints.retain(|moment, _| is_kept(*moment));
        }
    }

    /// The number of the last checkpoint up to a moment with known counts, and these counts; the
    /// first checkpoint if there is none.
    pub(super) fn known_at(&self, history: &History, moment: u64) -> (usize, Box<[u64]>) {
        let checkpoints = history.checkpoints();
        let known = |number: usize| {
            let moment = checkpoints.get(number).moment();
            Some((number, self.at_checkpoints.get(&moment)?.clone()))
        };
        let known = (1..=checkpoints.up_to(moment)).rev().find_map(known);
        known.unwrap_or_else(|| (0, vec![0; self.watch_set.len()].into()))
    }

    /// Starts a recount at a checkpoint with these counts.
    fn recount_from(&self, checkpoint: usize, counts: Box<[u64]>, history: &History) -> Replay {
        let mut recount = history.replay_from(history.checkpoints().get(checkpoint));
        recount.hit_counts = counts;
        // The counts of later checkpoints include the hits there.
        let reached = recount.reached(&self.watch_set).filter(|_| checkpoint == 0);
        if let Some(hit) = reached {
            hit.matches.count(&mut recount.hit_counts);
        }
        recount
    }

    /// Goes on with a recount for at most `budget` instructions, and keeps the counts at
    /// checkpoints. Returns whether it has reached the present.
    fn go_on(&mut self, recount: &mut Replay, history: &History, budget: u64) -> bool {
        let now = history.position();
        let before = (now.0, now.1 + 1);
        let (first, inputs) = (recount.moment(), history.inputs());
        let (end, stop) = (end_of(before), end_of(before).min(first.saturating_add(budget)));
        for checkpoint in history.checkpoints().moments(first + 1..=stop) {
            recount.count_hits(inputs, &self.watch_set, checkpoint, before, |_, _| {});
            if recount.position() == (checkpoint, 0) && checkpoint <= now.0 {
                self.at_checkpoints.insert(checkpoint, recount.hit_counts.clone());
            }
        }
        recount.count_hits(inputs, &self.watch_set, stop, before, |_, _| {});
        recount.has_come_to(end)
    }
}

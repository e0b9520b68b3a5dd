//! The hit counts of breakpoints, from power-up to the present.
//!
//! Hit counts depend only on the moment. They are stored for each checkpoint, so they are quickly
//! known after a step back. When the breakpoints change, the past must be executed again to count
//! its hits. Until that is done, hits are counted from the moment of the change.

use std::collections::BTreeMap;

use super::history::History;
use super::hit_condition::HitCondition;
use super::position::Position;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

/// The hit counts of a list of breakpoints, by position.
#[derive(Debug, Clone, Default)]
pub(super) struct HitCounts {
    watch_set: WatchSet,
    /// The hit condition of each breakpoint, or `None` for a breakpoint without one.
    hit_conditions: Vec<Option<HitCondition>>,
    /// The counts up to each checkpoint, by its moment. They include hits at that moment.
    at_checkpoints: BTreeMap<u64, Box<[u64]>>,
    /// The counts at `position`.
    present: Hits,
    /// The position at which `present` was counted. `None` if those counts are outdated.
    position: Option<Position>,
    /// The machine that counts hits in the past, while such a count is in progress.
    recount: Option<Replay>,
    is_given_up: bool,
}

/// The hit counts that users see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hits {
    /// The number of hits of each breakpoint, by position. It is 0 for disabled ones.
    pub counts: Box<[u64]>,
    /// The moment from which hits are counted. It is 0, unless hits in the past are still unknown.
    /// Then it is the moment at which the breakpoints were changed.
    pub from: u64,
    /// The moment up to which past hits have been counted, while the count is in progress.
    pub counted: Option<u64>,
}

impl HitCounts {
    /// Starts again with the conditions of this watch set. The entries of `hit_conditions` belong
    /// to these conditions, in order. A condition without an entry has no hit condition.
    pub(super) fn set(
        &mut self,
        watch_set: WatchSet,
        hit_conditions: impl IntoIterator<Item = Option<HitCondition>>,
    ) {
        let hit_conditions = hit_conditions.into_iter().collect();
        *self = Self { watch_set, hit_conditions, ..Self::default() };
    }

    /// Returns true if any breakpoint has a hit condition, because then counts decide where to
    /// stop.
    pub(super) fn are_needed(&self) -> bool {
        self.hit_conditions.iter().any(Option::is_some)
    }

    /// Returns true if a hit is wanted: at least one of its conditions has either no hit condition
    /// or a satisfied one. `counts` include this hit.
    pub(super) fn want(&self, hit: &Hit, counts: &[u64]) -> bool {
        hit.matches.numbers().any(|number| {
            let hit_condition = self.hit_conditions.get(number).copied().flatten();
            hit_condition.is_none_or(|it| it.is_for(counts[number]))
        })
    }

    /// Marks the present counts as outdated, because the machine moved without counting.
    pub(super) fn forget_present(&mut self) {
        self.position = None;
    }

    /// Drops the counts from this moment on, because the history has changed.
    pub(super) fn cut(&mut self, moment: u64) {
        self.at_checkpoints.retain(|at, _| *at < moment);
        self.recount.take_if(|recount| recount.moment() >= moment);
        self.position = None;
    }

    /// Returns the present counts, which are valid after [`Self::find`].
    pub(super) fn counts(&self) -> &[u64] {
        &self.present.counts
    }

    /// Returns the hit counts that users see.
    pub(super) fn shown(&self) -> Hits {
        Hits { counted: self.counted(), ..self.present.clone() }
    }

    /// Returns the moment up to which past hits have been counted, or `None` if the count is
    /// finished or was cancelled.
    pub(super) fn counted(&self) -> Option<u64> {
        let counted = self.recount.as_ref().map_or(0, Replay::moment);
        (self.present.from > 0 && !self.is_given_up).then_some(counted)
    }

    /// Returns true if the present counts are known and include all hits since power-up.
    pub(super) fn are_complete(&self, history: &History) -> bool {
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
            let mut recount = Self::recount_from(nearest, counts, history);
            self.advance_recount(&mut recount, history, u64::MAX);
            self.reach(history, recount.hit_counts);
        } else {
            let counts = vec![0; self.watch_set.len()].into();
            self.present = Hits { counts, from: history.moment().max(1), counted: None };
            self.position = Some(history.position());
        }
    }

    /// Continues the count of past hits for about `budget` instructions. Returns true if all hits
    /// are counted.
    pub(super) fn recount(&mut self, history: &History, budget: u64) -> bool {
        self.find(history);
        if self.are_complete(history) {
            self.recount = None;
            return true;
        }
        let known = self.recount.take().filter(|it| history.can_catch_up(it));
        let mut recount = known.unwrap_or_else(|| {
            let (nearest, counts) = self.known_at(history, history.moment());
            Self::recount_from(nearest, counts, history)
        });
        // An input may have replaced the future that the machine knew.
        recount.first_writes = history.first_writes().cloned();
        if self.advance_recount(&mut recount, history, self.watch_set.share(budget)) {
            self.reach(history, recount.hit_counts);
        } else {
            self.recount = Some(recount);
        }
        self.are_complete(history)
    }

    /// Stops the recount, and keeps the counts so far.
    pub(super) fn cancel(&mut self) {
        self.recount = None;
        self.is_given_up = true;
    }

    fn reach(&mut self, history: &History, counts: Box<[u64]>) {
        self.present = Hits { counts, from: 0, counted: None };
        self.position = Some(history.position());
    }

    /// Updates the counts after the machine has moved forward to its present position. `hit` is the
    /// hit at that position, if there is one.
    pub(super) fn note(&mut self, hit: Option<&Hit>, history: &History) {
        let Some(before) = self.position else { return };
        let now = history.position();
        self.position = Some(now);
        if self.watch_set.is_empty() {
            return;
        }
        if self.present.from == 0 {
            let passed = history.checkpoints().moments(before.moment + 1..=now.moment);
            for moment in passed.filter(|moment| hit.is_none() || Position::at(*moment) < now) {
                self.at_checkpoints.insert(moment, self.present.counts.clone());
            }
        }
        if let Some(hit) = hit {
            hit.matches.count(&mut self.present.counts);
            let is_checkpoint =
                history.checkpoints().moments(now.moment..=now.moment).next().is_some();
            if self.present.from == 0 && now.edges == 0 && is_checkpoint {
                self.at_checkpoints.insert(now.moment, self.present.counts.clone());
            }
        }
        self.prune(history);
    }

    /// Drops the counts of removed checkpoints, so that the number of stored counts stays bounded.
    fn prune(&mut self, history: &History) {
        let checkpoints = history.checkpoints();
        if self.at_checkpoints.len() > 2 * checkpoints.len() {
            self.at_checkpoints
                .retain(|moment, _| checkpoints.moments(*moment..=*moment).next().is_some());
        }
    }

    /// Returns the number of the last checkpoint up to a moment that has known counts, and these
    /// counts. If there is none, returns the number of the first checkpoint, and counts of 0.
    pub(super) fn known_at(&self, history: &History, moment: u64) -> (usize, Box<[u64]>) {
        let checkpoints = history.checkpoints();
        let mut numbers = (1..=checkpoints.up_to(moment)).rev();
        let known = numbers.find_map(|number| {
            let moment = checkpoints.get(number).moment();
            Some((number, self.at_checkpoints.get(&moment)?.clone()))
        });
        known.unwrap_or_else(|| (0, vec![0; self.watch_set.len()].into()))
    }

    /// Starts a recount at a checkpoint with these counts.
    fn recount_from(checkpoint: usize, counts: Box<[u64]>, history: &History) -> Replay {
        let mut recount = history.replay_from(history.checkpoints().get(checkpoint));
        recount.hit_counts = counts;
        // The counts of later checkpoints already include the hits there.
        if checkpoint > 0 {
            recount.go_to(history.inputs(), recount.moment());
        }
        recount
    }

    /// Continues a recount for at most `budget` instructions, and stores the counts at checkpoints.
    /// Returns true if it has reached the present.
    fn advance_recount(&mut self, recount: &mut Replay, history: &History, budget: u64) -> bool {
        let now = history.position();
        let before = Position { edges: now.edges + 1, ..now };
        let (first, inputs) = (recount.moment(), history.inputs());
        let (end, stop) = (before.end(), before.end().min(first.saturating_add(budget)));
        for checkpoint in history.checkpoints().moments(first + 1..=stop) {
            recount.count_hits(inputs, &self.watch_set, checkpoint, before, |_, _| {});
            if recount.position() == Position::at(checkpoint) && checkpoint <= now.moment {
                self.at_checkpoints.insert(checkpoint, recount.hit_counts.clone());
            }
        }
        recount.count_hits(inputs, &self.watch_set, stop, before, |_, _| {});
        recount.has_reached(end)
    }
}

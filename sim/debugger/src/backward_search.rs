//! Backward search: finds the last hit before the present, in slices.

use gray1_isa::{Indexes, RomIndex};

use super::control_flow::ControlFlow;
use super::history::History;
use super::hits::HitCounts;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

/// A search for hits in the past, the latest first.
///
/// It executes the history again on a separate machine, one interval after another, the latest
/// first. An interval goes from a checkpoint to the next, but the first ones are short: the hit is
/// often near, and watching takes longer than executing. The history must not get inputs before the
/// present meanwhile.
#[derive(Debug, Clone)]
pub struct Search {
    replay: Replay,
    watch_set: WatchSet,
    /// The instructions from which a watched one can be reached.
    reaching: Indexes,
    /// Only hits before this position count.
    before: (u64, u32),
    began: u64,
    interval: Option<SearchInterval>,
    /// The maximum length of the next interval.
    length: u64,
    /// The hit counts of all breakpoints at the last found hit.
    counts: Box<[u64]>,
}

/// The length of the first interval, in instructions.
const LENGTH_MIN: u64 = 1 << 12;

/// An interval that is being searched.
#[derive(Debug, Clone)]
struct SearchInterval {
    /// The moment from which it is watched.
    start: u64,
    /// Whether hits at `start` belong to the interval before.
    is_inner: bool,
    /// The last wanted hit so far, and the hit counts there.
    last: Option<(Hit, Box<[u64]>)>,
}

/// The result of a slice of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchResult {
    /// The last hit before those found so far.
    Hit(Hit),
    /// There are no more hits.
    Nothing,
    /// Nothing yet. The history has been searched from this moment on.
    DownTo(u64),
}

impl Search {
    /// Searches before the present.
    #[must_use]
    pub fn new(history: &History, watch_set: WatchSet) -> Self {
        Self::before(history, watch_set, history.position())
    }

    /// Searches before a position.
    pub(super) fn before(history: &History, watch_set: WatchSet, before: (u64, u32)) -> Self {
        let engine = history.engine();
        Self {
            replay: Replay::new(engine.boxed_clone()),
            reaching: if engine.can_deviate() {
                RomIndex::all().collect()
            } else {
                ControlFlow::of(engine).reaching(watch_set.watched())
            },
            watch_set,
            before,
            began: before.0,
            interval: None,
            length: LENGTH_MIN.min(engine.slice()),
            counts: Box::default(),
        }
    }

    /// The hit counts of all breakpoints at the last found hit, that hit included; empty if there
    /// are no hit conditions.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Nothing was found from this moment on.
    pub(super) fn down_to(&self) -> u64 {
        self.before.0.min(self.began)
    }

    /// How many instructions of a slice can be searched in the time of that slice.
    pub(super) fn share(&self, slice: u64) -> u64 {
        self.watch_set.share(slice)
    }

    /// Searches about `budget` instructions. After a hit, the next call searches before it.
    pub fn advance(&mut self, history: &History, budget: u64) -> SearchResult {
        self.advance_counting(history, &HitCounts::default(), budget)
    }

    /// The same, but finds only hits that satisfy hit conditions. `hits` are the known hit counts
    /// up to the present.
    pub(super) fn advance_counting(
        &mut self,
        history: &History,
        hits: &HitCounts,
        budget: u64,
    ) -> SearchResult {
        // No instruction can cause a hit.
        if self.watch_set.watched().is_empty() {
            return SearchResult::Nothing;
        }
        let mut left = budget;
        loop {
            let (from, end) = (self.replay.moment(), end_of(self.before));
            if self.interval.is_none() {
                if self.before <= (history.start(), 0) {
                    return SearchResult::Nothing;
                }
                self.enter(history, hits);
                continue;
            }
            let is_done = self.replay.has_come_to(end) || self.is_barren(history, end);
            let Some(interval) = &mut self.interval else { continue };
            if is_done {
                if let Some(hit) = self.leave(history) {
                    return SearchResult::Hit(hit);
                }
                continue;
            }
            if left == 0 {
                return SearchResult::DownTo(self.down_to());
            }
            let stop = end.min(from.saturating_add(left));
            if from < interval.start {
                self.replay.go_to(history.inputs(), stop.min(interval.start));
                self.replay.fresh.clear();
            } else {
                let note = |hit, counts: &_| interval.note(hit, counts, hits);
                let (inputs, before) = (history.inputs(), self.before);
                self.replay.count_hits(inputs, &self.watch_set, stop, before, note);
            }
            left = left.saturating_sub(self.replay.moment() - from);
        }
    }

    /// Enters the interval that ends before `before`. If there are hit conditions, it starts at a
    /// checkpoint with known hit counts.
    fn enter(&mut self, history: &History, hits: &HitCounts) {
        let last = end_of(self.before).max(1) - 1;
        let (number, counts, length) = if hits.are_needed() {
            let (number, counts) = hits.known_at(history, last);
            (number, counts, u64::MAX)
        } else {
            (self.skip(history, last), Box::default(), self.length)
        };
        let end = end_of(self.before);
        let replay = &mut self.replay;
        replay.restore(history.checkpoints().get(number), history.inputs());
        replay.hit_counts = counts;
        let first = replay.moment();
        let start = first.max(end.saturating_sub(length));
        let is_inner = number > 0 || start > first;
        let mut interval = SearchInterval { start, is_inner, last: None };
        if let Some(hit) = replay.reached(&self.watch_set).filter(|_| !is_inner) {
            hit.matches.count(&mut replay.hit_counts);
            interval.note(hit, &replay.hit_counts, hits);
        }
        self.interval = Some(interval);
    }

    /// Whether it comes to no watched instruction before a moment.
    fn is_barren(&self, history: &History, to: u64) -> bool {
        let jump = history.inputs().last_jump(to);
        !self.reaching.contains(self.replay.engine.pc())
            && jump.is_none_or(|jump| jump <= self.replay.moment())
    }

    /// The number of the last checkpoint up to a moment after which a hit is possible. The search
    /// goes on before the next one.
    ///
    /// Once no watched instruction can be reached, that stays so until the program counter is
    /// changed from outside; so the last checkpoint that can reach one is found by bisection.
    fn skip(&mut self, history: &History, last: u64) -> usize {
        let checkpoints = history.checkpoints();
        let number = checkpoints.up_to(last);
        // A jump at the end itself can be a hit there.
        let jump = history.inputs().last_jump(last + 1);
        let first = jump.map_or(0, |jump| checkpoints.up_to(jump) + 1);
        let reaches = |number| self.reaching.contains(checkpoints.get(number).pc);
        if number < first || reaches(number) {
            return number;
        }
        let numbers: Vec<usize> = (first..number).collect();
        let reaching = first + numbers.partition_point(|number| reaches(*number));
        self.before = (checkpoints.get(reaching).moment(), 1);
        // The hit is where it becomes impossible, which need not be near the end.
        self.length = u64::MAX;
        reaching.max(1) - 1
    }

    /// Leaves an interval. Returns its last wanted hit; without one, the search goes on before it.
    fn leave(&mut self, history: &History) -> Option<Hit> {
        let SearchInterval { start, is_inner, last } = self.interval.take()?;
        if let Some((hit, counts)) = last {
            self.before = hit.position();
            self.counts = counts;
            return Some(hit);
        }
        // Hits at the start itself belong to the interval before, if there is one.
        let before = (start, u32::from(is_inner));
        debug_assert!(before < self.before, "it would search for ever");
        self.before = before;
        self.length = self.length.saturating_mul(2);
        if self.length > history.at_once_max() {
            self.length = u64::MAX;
        }
        None
    }
}

impl SearchInterval {
    fn note(&mut self, hit: Hit, counts: &[u64], hits: &HitCounts) {
        if !hits.want(&hit, counts) {
            return;
        }
        match &mut self.last {
            Some((last, up_to_last)) => {
                *last = hit;
                up_to_last.copy_from_slice(counts);
            }
            None => self.last = Some((hit, counts.into())),
        }
    }
}

/// The moment up to which to execute in order to see all hits before a position. A hit in the
/// middle of an instruction takes the whole instruction.
pub(super) const fn end_of((moment, edges): (u64, u32)) -> u64 {
    moment + (edges > 1) as u64
}

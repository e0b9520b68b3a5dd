//! Searches the past for the last hit before the present, in slices of time.

use gray1_isa::{Indexes, RomIndex};

use super::control_flow::ControlFlow;
use super::history::History;
use super::hits::HitCounts;
use super::position::Position;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

/// A search for hits in the past, the latest first.
///
/// It executes the history again on a separate machine, one interval after another, starting with
/// the latest. Most intervals reach from one checkpoint to the next. The first ones are shorter,
/// because the hit is often near and watching is slower than plain execution. During the search, no
/// input may be added to the history before the present.
#[derive(Debug, Clone)]
pub struct Search {
    replay: Replay,
    watch_set: WatchSet,
    /// The instructions from which the program can reach a watched one.
    reaching: Indexes,
    /// The search only considers hits before this position.
    before: Position,
    began: u64,
    interval: Option<SearchInterval>,
    /// The maximum length of the next interval, in instructions.
    length: u64,
    /// The hit counts of all breakpoints at the last hit that was found.
    counts: Box<[u64]>,
}

/// The length of the first interval, in instructions.
const LENGTH_MIN: u64 = 1 << 12;

/// An interval of the history that is being searched.
#[derive(Debug, Clone)]
struct SearchInterval {
    /// The start of the interval, as a moment.
    start: u64,
    /// True if hits at exactly `start` belong to the previous interval.
    is_inner: bool,
    /// The last hit found so far that satisfies the hit conditions, with the hit counts at that
    /// hit.
    last: Option<(Hit, Box<[u64]>)>,
}

/// The result of a slice of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchResult {
    /// The last hit before those that were already found.
    Hit(Hit),
    /// There are no more hits.
    Nothing,
    /// The search is not finished. It has covered the history from this moment on.
    DownTo(u64),
}

impl Search {
    /// Starts a search before the present.
    pub fn new(history: &History, watch_set: WatchSet) -> Self {
        Self::before(history, watch_set, history.position())
    }

    /// Starts a search before a position.
    pub(super) fn before(history: &History, watch_set: WatchSet, before: Position) -> Self {
        let engine = history.engine();
        Self {
            replay: history.replay_from(history.checkpoints().get(0)),
            reaching: if engine.can_deviate() {
                RomIndex::all().collect()
            } else {
                ControlFlow::new(engine).reaching(watch_set.watched())
            },
            watch_set,
            before,
            began: before.moment,
            interval: None,
            length: LENGTH_MIN.min(engine.slice()),
            counts: Box::default(),
        }
    }

    /// Returns the hit counts of all breakpoints at the last hit that was found, including that
    /// hit. The counts are empty if no breakpoint has a hit condition.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the moment back to which the history has been searched.
    pub(super) fn down_to(&self) -> u64 {
        self.before.moment.min(self.began)
    }

    /// Returns how many instructions can be searched in the time that `slice` instructions take at
    /// full speed.
    pub(super) fn share(&self, slice: u64) -> u64 {
        self.watch_set.share(slice)
    }

    /// Searches about `budget` instructions. After a hit, the next call continues before that hit.
    pub fn advance(&mut self, history: &History, budget: u64) -> SearchResult {
        self.advance_counting(history, &HitCounts::default(), budget)
    }

    /// Like [`Self::advance`], but only finds hits that satisfy the hit conditions. `hits` are the
    /// known hit counts up to the present.
    pub(super) fn advance_counting(
        &mut self,
        history: &History,
        hits: &HitCounts,
        budget: u64,
    ) -> SearchResult {
        // Without watched instructions, only inputs can cause a hit.
        if self.watch_set.watched().is_empty() && !self.watch_set.sees_inputs() {
            return SearchResult::Nothing;
        }
        let mut left = budget;
        loop {
            let (from, end) = (self.replay.moment(), self.before.end());
            if self.interval.is_none() {
                if self.before <= Position::at(history.start()) {
                    return SearchResult::Nothing;
                }
                self.enter(history, hits);
                continue;
            }
            let is_done = self.replay.has_reached(end) || self.is_barren(history, end);
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
                let (inputs, before) = (history.inputs(), self.before);
                self.replay.count_hits(inputs, &self.watch_set, stop, before, |hit, counts| {
                    interval.note(hit, counts, hits);
                });
            }
            left = left.saturating_sub(self.replay.moment() - from);
        }
    }

    /// Enters the interval that ends at the position `before`. If there are hit conditions, the
    /// interval starts at a checkpoint with known hit counts.
    fn enter(&mut self, history: &History, hits: &HitCounts) {
        let last = self.before.end().max(1) - 1;
        let (number, counts, length) = if hits.are_needed() {
            let (number, counts) = hits.known_at(history, last);
            (number, counts, u64::MAX)
        } else {
            (self.skip(history, last), Box::default(), self.length)
        };
        let end = self.before.end();
        let replay = &mut self.replay;
        replay.restore(history.checkpoints().get(number), history.inputs());
        replay.hit_counts = counts;
        let first = replay.moment();
        let start = first.max(end.saturating_sub(length));
        let is_inner = number > 0 || start > first;
        let mut interval = SearchInterval { start, is_inner, last: None };
        let inputs = history.inputs();
        if is_inner {
            replay.go_to(inputs, first);
        } else {
            replay.count_hits(inputs, &self.watch_set, first, self.before, |hit, counts| {
                interval.note(hit, counts, hits);
            });
        }
        self.interval = Some(interval);
    }

    /// Returns true if no hit is possible before a moment.
    fn is_barren(&self, history: &History, to: u64) -> bool {
        let input = self.last_input(history, to);
        !self.reaching.contains(self.replay.engine.pc())
            && input.is_none_or(|input| input <= self.replay.moment())
    }

    /// Returns the last moment up to this one with an input that can cause a hit, or lead the
    /// machine to a watched instruction.
    fn last_input(&self, history: &History, to: u64) -> Option<u64> {
        let inputs = history.inputs();
        if self.watch_set.sees_inputs() { inputs.last(to) } else { inputs.last_jump(to) }
    }

    /// Returns the number of the last checkpoint, up to the moment `last`, that can be followed by
    /// a hit. Excludes the later part of the history from the search if no hit is possible there.
    ///
    /// Once the program cannot reach any watched instruction, it cannot reach one again without an
    /// input. Bisection can therefore find the last checkpoint that can reach one.
    fn skip(&mut self, history: &History, last: u64) -> usize {
        let checkpoints = history.checkpoints();
        let number = checkpoints.up_to(last);
        // An input at the very end can itself cause a hit there.
        let input = self.last_input(history, last + 1);
        let first = input.map_or(0, |input| checkpoints.up_to(input) + 1);
        let reaches = |number| self.reaching.contains(checkpoints.get(number).pc);
        if number < first || reaches(number) {
            return number;
        }
        let numbers: Vec<usize> = (first..number).collect();
        let reaching = first + numbers.partition_point(|number| reaches(*number));
        self.before = Position { moment: checkpoints.get(reaching).moment(), edges: 1 };
        // The last hit can be far from the new end of the search, so the next interval extends all
        // the way back to the checkpoint.
        self.length = u64::MAX;
        reaching.max(1) - 1
    }

    /// Leaves an interval. Returns the last hit in it that satisfies the hit conditions. If there
    /// is none, the search continues before the interval.
    fn leave(&mut self, history: &History) -> Option<Hit> {
        let SearchInterval { start, is_inner, last } = self.interval.take()?;
        if let Some((hit, counts)) = last {
            self.before = hit.position();
            self.counts = counts;
            return Some(hit);
        }
        // Hits at the start itself belong to the previous interval, if there is one.
        let before = Position { moment: start, edges: is_inner.into() };
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

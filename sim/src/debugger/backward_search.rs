//! Backward search: the last hit before now, found in slices that can be abandoned.

use std::collections::VecDeque;

use super::history::History;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

/// How many hits of one interval are remembered. If there are more, and none of them will do,
/// the interval is executed again up to the oldest of them.
const HITS_MAX: usize = 1 << 16;

/// A search for what happened before, hit by hit, the latest first.
///
/// It executes history again on a machine of its own, an interval at a time, the latest first. An
/// interval goes from one checkpoint to the next, but the first ones are short: the hit that is
/// looked for is often near, and to look at every instruction takes longer than to execute it. The
/// history must not be given inputs meanwhile.
#[derive(Debug, Clone)]
pub struct Search {
    replay: Replay,
    watch_set: WatchSet,
    /// Only hits before this position count: a moment, and edges of the oscillator after it.
    before: (u64, u32),
    began: u64,
    interval: Option<Interval>,
    /// The length of the next interval at most.
    length: u64,
}

/// How many instructions the first interval has.
const LENGTH_MIN: u64 = 1 << 12;

/// An interval that is being executed, or was.
#[derive(Debug, Clone)]
struct Interval {
    /// The moment from which on it is looked at, ...
    start: u64,
    /// ... and whether hits at that moment belong to the interval before.
    is_inner: bool,
    /// The moment up to which it is executed.
    end: u64,
    /// From this position on, hits do not count.
    before: (u64, u32),
    /// The last hits so far.
    hits: VecDeque<Hit>,
    /// Whether there were more.
    overflown: bool,
}

/// The result of a slice of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The last hit before those already found.
    Hit(Hit),
    /// There are none.
    Nothing,
    /// None so far; the history from this moment on has been searched.
    DownTo(u64),
}

impl Search {
    /// Looks for hits before now.
    #[must_use]
    pub fn new(history: &History, watch_set: WatchSet) -> Self {
        Self::before(history, watch_set, history.position())
    }

    /// Looks for hits up to now, what the last instruction did included.
    #[must_use]
    pub fn up_to_now(history: &History, watch_set: WatchSet) -> Self {
        let (moment, edges) = history.position();
        Self::before(history, watch_set, (moment, edges + 1))
    }

    /// Looks for hits before a position: a moment, and edges of the oscillator after it.
    fn before(history: &History, watch_set: WatchSet, before: (u64, u32)) -> Self {
        let replay = Replay::new(history.engine().boxed_clone());
        let length = LENGTH_MIN.min(history.engine().slice());
        Self { replay, watch_set, before, began: before.0, interval: None, length }
    }

    /// How many instructions of a slice may be executed in the time of that slice.
    pub(super) fn share(&self, slice: u64) -> u64 {
        self.watch_set.share(slice)
    }

    /// Goes on for about `budget` instructions. After a hit, a further call looks for the one
    /// before it.
    pub fn advance(&mut self, history: &History, budget: u64) -> Found {
        // What no instruction can do needs no search.
        if self.watch_set.watched().is_empty() {
            return Found::Nothing;
        }
        let mut left = budget;
        loop {
            let Some(interval) = &mut self.interval else {
                if self.before <= (history.start(), 0) {
                    return Found::Nothing;
                }
                self.interval = Some(self.entered(history));
                continue;
            };
            let from = self.replay.position();
            if interval.is_complete(&self.replay) {
                if let Some(hit) = interval.hits.pop_back() {
                    self.before = hit.position();
                    return Found::Hit(hit);
                }
                if !interval.overflown {
                    // Hits at the start itself belong to the interval before, if there is one.
                    self.before = (interval.start, u32::from(interval.is_inner));
                    self.length = self.length.saturating_mul(2);
                    if self.length > history.at_once_max() {
                        self.length = u64::MAX;
                    }
                }
                debug_assert!(self.before < interval.before, "it would search for ever");
                self.interval = None;
                continue;
            }
            if left == 0 {
                return Found::DownTo(self.before.0.min(self.began));
            }
            let stop = interval.end.min(from.0.saturating_add(left));
            if from.0 < interval.start {
                self.replay.go_to(history.inputs(), stop.min(interval.start));
            } else if let Some(hit) = self.replay.run(history.inputs(), &self.watch_set, stop) {
                interval.note(hit);
            }
            self.replay.fresh.clear();
            debug_assert!(self.replay.has_left(from), "it would search for ever");
            left = left.saturating_sub(self.replay.counts.moment - from.0);
        }
    }

    /// Begins with the interval that ends before `before`.
    fn entered(&mut self, history: &History) -> Interval {
        // What comes in the middle of an instruction takes all of it.
        let (moment, edges) = self.before;
        let end = moment + u64::from(edges > 1);
        let checkpoints = history.checkpoints();
        let number = checkpoints.last_where(|counts| counts.moment < end.max(1));
        self.replay.restore(checkpoints.get(number), history.inputs());
        let first = self.replay.counts.moment;
        let start = first.max(end.saturating_sub(self.length));
        let mut interval = Interval {
            start,
            is_inner: number > 0 || start > first,
            end,
            before: self.before,
            hits: VecDeque::new(),
            overflown: false,
        };
        if let Some(hit) = self.replay.reached(&self.watch_set).filter(|_| !interval.is_inner) {
            interval.note(hit);
        }
        interval
    }
}

impl Interval {
    fn is_complete(&self, replay: &Replay) -> bool {
        replay.counts.moment >= self.end || replay.engine.halted()
    }

    fn note(&mut self, hit: Hit) {
        if hit.position() >= self.before {
            return;
        }
        if self.hits.len() == HITS_MAX {
            self.hits.pop_front();
            self.overflown = true;
        }
        self.hits.push_back(hit);
    }
}

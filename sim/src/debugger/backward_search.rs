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
/// It executes history again, an interval between two checkpoints at a time, the latest first, on a
/// machine of its own. The history must not be given inputs meanwhile.
#[derive(Debug, Clone)]
pub struct Search {
    replay: Replay,
    watch_set: WatchSet,
    /// Only hits before this position count: a moment, and edges of the oscillator after it.
    before: (u64, u32),
    began: u64,
    interval: Option<Interval>,
}

/// An interval that is being executed, or was.
#[derive(Debug, Clone)]
struct Interval {
    checkpoint: usize,
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
    #[must_use]
    pub fn before(history: &History, watch_set: WatchSet, before: (u64, u32)) -> Self {
        let replay = Replay::new(history.engine().boxed_clone());
        Self { replay, watch_set, before, began: before.0, interval: None }
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
                let start = history.checkpoints().get(interval.checkpoint).counts.moment;
                if !interval.overflown {
                    // Hits at the start itself belong to the interval before, if there is one.
                    self.before = (start, u32::from(interval.checkpoint > 0));
                }
                debug_assert!(self.before < interval.before, "it would search for ever");
                self.interval = None;
                continue;
            }
            if left == 0 {
                return Found::DownTo(self.before.0.min(self.began));
            }
            let stop = interval.end.min(from.0.saturating_add(left));
            if let Some(hit) = self.replay.run(history.inputs(), &self.watch_set, stop) {
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
        let mut interval = Interval {
            checkpoint: number,
            end,
            before: self.before,
            hits: VecDeque::new(),
            overflown: false,
        };
        if let Some(hit) = self.replay.reached(&self.watch_set).filter(|_| number == 0) {
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

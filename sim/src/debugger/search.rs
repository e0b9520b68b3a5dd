//! Back to the last hit before now: a search that can be done in slices, and given up.

use std::collections::VecDeque;

use super::Replay;
use super::history::History;
use super::lookout::{Hit, Lookout};
use super::walk::Walk;

/// How many hits of one stretch are remembered. Where there are more, and none of them will do,
/// the stretch is executed again up to the oldest of them.
const HITS_MAX: usize = 1 << 16;

/// A search for what happened before, hit by hit, the latest first.
///
/// It executes history again, a stretch between two snapshots at a time, the latest first, on a
/// machine of its own. The history must not be given inputs meanwhile.
#[derive(Debug, Clone)]
pub struct Search<R> {
    walk: Walk<R>,
    lookout: Lookout,
    /// Only hits before this moment count.
    before: u64,
    began: u64,
    stretch: Option<Stretch>,
}

/// A stretch that is being executed, or was.
#[derive(Debug, Clone)]
struct Stretch {
    snapshot: usize,
    /// The last moment of it that counts.
    end: u64,
    /// The last hits so far.
    hits: VecDeque<Hit>,
    /// Whether there were more.
    overflown: bool,
}

/// What a slice of a search has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// This is the last hit before those that were told.
    Hit(Hit),
    /// There is none.
    Nothing,
    /// Nothing yet, but history from this moment on has been looked at.
    DownTo(u64),
}

impl<R: Replay> Search<R> {
    /// Looks for hits before now.
    #[must_use]
    pub fn new(history: &History<R>, lookout: Lookout) -> Self {
        Self::before(history, lookout, history.moment())
    }

    /// Looks for hits up to now, what the last instruction did included.
    #[must_use]
    pub fn up_to_now(history: &History<R>, lookout: Lookout) -> Self {
        Self::before(history, lookout, history.moment() + 1)
    }

    fn before(history: &History<R>, lookout: Lookout, before: u64) -> Self {
        let walk = Walk::new(history.machine().clone());
        Self { walk, lookout, before, began: before, stretch: None }
    }

    /// Goes on for about `budget` instructions. After a hit, a further call looks for the one
    /// before it.
    pub fn advance(&mut self, history: &History<R>, budget: u64) -> Found {
        // What no instruction can do needs no search.
        if self.lookout.watched().is_empty() {
            return Found::Nothing;
        }
        let mut left = budget;
        loop {
            let Some(stretch) = &mut self.stretch else {
                if self.before <= history.start() {
                    return Found::Nothing;
                }
                self.enter(history);
                continue;
            };
            let from = self.walk.at.moment;
            if stretch.is_complete(&self.walk) {
                if let Some(hit) = stretch.hits.pop_back() {
                    self.before = hit.moment;
                    return Found::Hit(hit);
                }
                let start = history.snapshots().get(stretch.snapshot).at.moment;
                if !stretch.overflown {
                    // Hits at the start itself belong to the stretch before, if there is one.
                    self.before = if stretch.snapshot == 0 { start } else { start + 1 };
                }
                self.stretch = None;
                continue;
            }
            if left == 0 {
                return Found::DownTo(self.before.min(self.began));
            }
            let stop = stretch.end.min(from.saturating_add(left));
            if let Some(hit) = self.walk.go_on(history.inputs(), &self.lookout, stop) {
                stretch.note(hit);
            }
            self.walk.fresh.clear();
            left = left.saturating_sub(self.walk.at.moment - from);
        }
    }

    /// Begins with the stretch that ends before `before`.
    fn enter(&mut self, history: &History<R>) {
        let end = self.before - 1;
        let snapshots = history.snapshots();
        let number = snapshots.last_where(|at| at.moment < end.max(1));
        self.walk.restore(snapshots.get(number), history.inputs());
        let mut stretch =
            Stretch { snapshot: number, end, hits: VecDeque::new(), overflown: false };
        if let Some(hit) = self.walk.reached(&self.lookout).filter(|_| number == 0) {
            stretch.note(hit);
        }
        self.stretch = Some(stretch);
    }
}

impl Stretch {
    fn is_complete<R: Replay>(&self, walk: &Walk<R>) -> bool {
        walk.at.moment >= self.end || walk.machine.halted()
    }

    fn note(&mut self, hit: Hit) {
        if self.hits.len() == HITS_MAX {
            self.hits.pop_front();
            self.overflown = true;
        }
        self.hits.push_back(hit);
    }
}

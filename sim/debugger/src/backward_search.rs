//! Backward search: the last hit before now, found in slices that can be abandoned.

use std::collections::VecDeque;

use super::history::History;
use super::hit_condition::HitCondition;
use super::hits::Counts;
use super::replay::Replay;
use super::watch_set::{Hit, WatchSet};

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
    numbers: Numbers,
    /// Only hits before this position count: a moment, and edges of the oscillator after it.
    before: (u64, u32),
    began: u64,
    interval: Option<Interval>,
    /// The length of the next interval at most.
    length: u64,
}

/// Conditions of which not every hit is looked for, but hits of certain numbers.
#[derive(Debug, Clone, Default)]
struct Numbers {
    /// By the number of the condition; of those that are not listed, every hit is looked for.
    hit_conditions: Vec<Option<HitCondition>>,
    /// How often these conditions came true before [`Search::before`], since power-up.
    counts: Counts,
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
    kept: Kept,
}

/// The hits that are remembered of an interval.
#[derive(Debug, Clone)]
enum Kept {
    /// The last ones; and if there were more, how often each condition came true in those. If none
    /// of these hits will do, the interval is executed again up to the oldest of them.
    Last(VecDeque<Hit>, Option<Counts>),
    /// The last one whose number is looked for; and the counts since power-up: up to that hit, or
    /// to the start if there is none, and up to where the machine is.
    Numbered { last: Option<Hit>, counts: Counts, now: Counts },
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
        let (numbers, began, interval) = (Numbers::default(), before.0, None);
        Self { replay, watch_set, numbers, before, began, interval, length }
    }

    /// Looks only for hits of certain numbers. Both lists go by the numbers of the conditions, of
    /// which the last ones may be missing; the counts are those where the search begins.
    pub(super) fn choose(&mut self, hit_conditions: Vec<Option<HitCondition>>, counts: Counts) {
        self.numbers = Numbers { hit_conditions, counts };
    }

    /// How often each condition of those lists came true up to the hit that was found last, without
    /// that one. Empty if there are no lists.
    pub(super) fn counts(&self) -> &[u64] {
        &self.numbers.counts
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
                self.enter(history, None, Kept::Last(VecDeque::new(), None));
                continue;
            };
            let from = self.replay.position();
            if interval.is_complete(&self.replay) {
                if let Some(hit) = self.last_hit(history) {
                    return Found::Hit(hit);
                }
                continue;
            }
            if left == 0 {
                return Found::DownTo(self.before.0.min(self.began));
            }
            let stop = interval.end.min(from.0.saturating_add(left));
            if from.0 < interval.start {
                self.replay.go_to(history.inputs(), stop.min(interval.start));
            } else if let Some(hit) = self.replay.run(history.inputs(), &self.watch_set, stop) {
                interval.note(hit, &self.numbers, history.hits_max());
            }
            self.replay.fresh.clear();
            debug_assert!(self.replay.has_left(from), "it would search for ever");
            left = left.saturating_sub(self.replay.counts.moment - from.0);
        }
    }

    /// Begins with the interval that ends before `before`; from this moment on, if it is known
    /// where it starts.
    fn enter(&mut self, history: &History, start: Option<u64>, kept: Kept) {
        // What comes in the middle of an instruction takes all of it.
        let (moment, edges) = self.before;
        let end = moment + u64::from(edges > 1);
        let checkpoints = history.checkpoints();
        let number = checkpoints.last_where(|counts| counts.moment < end.max(1));
        self.replay.restore(checkpoints.get(number), history.inputs());
        let first = self.replay.counts.moment;
        let start = start.unwrap_or_else(|| first.max(end.saturating_sub(self.length)));
        let is_inner = number > 0 || start > first;
        let mut interval = Interval { start, is_inner, end, before: self.before, kept };
        if let Some(hit) = self.replay.reached(&self.watch_set).filter(|_| !is_inner) {
            interval.note(hit, &self.numbers, history.hits_max());
        }
        self.interval = Some(interval);
    }

    /// The last hit of an interval that was executed. If it has none that is looked for, the search
    /// goes on in what was forgotten of the interval, or before it.
    fn last_hit(&mut self, history: &History) -> Option<Hit> {
        let Interval { start, is_inner, end, before, kept } = self.interval.take()?;
        match kept {
            Kept::Last(mut hits, forgotten) => {
                while let Some(hit) = hits.pop_back() {
                    self.before = hit.position();
                    if self.numbers.pass(&hit) {
                        let kept = Kept::Last(hits, forgotten);
                        self.interval = Some(Interval { start, is_inner, end, before, kept });
                        return Some(hit);
                    }
                }
                if let Some(forgotten) = forgotten {
                    debug_assert!(self.before < before, "it would search for ever");
                    if !forgotten.is_empty() {
                        let counts = self.numbers.counts.iter().zip(forgotten);
                        let counts: Counts = counts.map(|(all, later)| all - later).collect();
                        let now = counts.clone();
                        let kept = Kept::Numbered { last: None, counts, now };
                        self.enter(history, Some(start), kept);
                    }
                    return None;
                }
            }
            Kept::Numbered { last, counts, .. } => {
                self.numbers.counts = counts;
                if let Some(hit) = last {
                    self.before = hit.position();
                    self.numbers.pass(&hit);
                    return Some(hit);
                }
            }
        }
        // Hits at the start itself belong to the interval before, if there is one.
        self.before = (start, u32::from(is_inner));
        self.length = self.length.saturating_mul(2);
        if self.length > history.at_once_max() {
            self.length = u64::MAX;
        }
        debug_assert!(self.before < before, "it would search for ever");
        None
    }
}

impl Numbers {
    /// Whether a hit is looked for, where the conditions came true so often, this hit included.
    fn want(&self, hit: &Hit, counts: &[u64]) -> bool {
        hit.matches.numbers().any(|number| {
            let hit_condition = self.hit_conditions.get(number).copied().flatten();
            hit_condition.is_none_or(|it| it.is_for(counts[number]))
        })
    }

    /// Goes back to before a hit; whether it is looked for.
    fn pass(&mut self, hit: &Hit) -> bool {
        let is_wanted = self.want(hit, &self.counts);
        for number in hit.matches.numbers() {
            if let Some(count) = self.counts.get_mut(number) {
                *count -= 1;
            }
        }
        is_wanted
    }
}

impl Interval {
    fn is_complete(&self, replay: &Replay) -> bool {
        replay.counts.moment >= self.end || replay.engine.halted()
    }

    fn note(&mut self, hit: Hit, numbers: &Numbers, hits_max: usize) {
        if hit.position() >= self.before {
            return;
        }
        match &mut self.kept {
            Kept::Last(hits, forgotten) => {
                hits.push_back(hit);
                if hits.len() > hits_max
                    && let Some(oldest) = hits.pop_front()
                {
                    let none = || vec![0; numbers.counts.len()].into();
                    oldest.matches.count(forgotten.get_or_insert_with(none));
                }
            }
            Kept::Numbered { last, counts, now } => {
                hit.matches.count(now);
                if numbers.want(&hit, now) {
                    *last = Some(hit);
                    counts.clone_from(now);
                }
            }
        }
    }
}

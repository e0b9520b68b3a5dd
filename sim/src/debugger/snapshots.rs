//! Whole machines, saved at regular distances: the starting points of every way back.

use super::inputs::INPUTS_MAX;
use super::walk::Position;

/// The distance of the first snapshots, in instructions: a third of a millisecond of running.
pub(super) const DISTANCE_MIN: u64 = 1 << 18;
/// The longest distance, some 3 ms: beyond eight billion instructions, the oldest are forgotten.
const DISTANCE_MAX: u64 = 1 << 21;
/// How many snapshots are kept, of some 8 KiB each: 34 MiB.
pub(super) const SNAPSHOTS_MAX: usize = 4096;

/// The machine as it came to a moment, before the panel did anything at that moment.
#[derive(Debug, Clone)]
pub(super) struct Snapshot<S> {
    pub(super) at: Position,
    pub(super) saved: S,
}

/// Snapshots in order; there is always one. When there are too many, every other one is dropped.
#[derive(Debug, Clone)]
pub(super) struct Snapshots<S> {
    list: Vec<Snapshot<S>>,
    distance: u64,
    limits: Limits,
}

/// What bounds a history; smaller in tests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) snapshots_max: usize,
    pub(super) distance_min: u64,
    pub(super) distance_max: u64,
    pub(super) inputs_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            snapshots_max: SNAPSHOTS_MAX,
            distance_min: DISTANCE_MIN,
            distance_max: DISTANCE_MAX,
            inputs_max: INPUTS_MAX,
        }
    }
}

impl<S> Snapshots<S> {
    pub(super) fn new(first: Snapshot<S>, limits: Limits) -> Self {
        Self { list: vec![first], distance: limits.distance_min, limits }
    }

    /// The moment of the oldest.
    pub(super) fn start(&self) -> u64 {
        self.list[0].at.moment
    }

    /// The moment at which the next new one is due.
    pub(super) fn next_due(&self) -> u64 {
        let newest = self.list[self.list.len() - 1].at.moment;
        (newest / self.distance + 1) * self.distance
    }

    pub(super) fn push(&mut self, snapshot: Snapshot<S>) {
        if self.list.len() >= self.limits.snapshots_max {
            self.thin_out();
        }
        self.list.push(snapshot);
    }

    /// Makes room: with twice the distance, or where that would make the way from one to the next
    /// too long, without the older half.
    fn thin_out(&mut self) {
        if self.distance < self.limits.distance_max {
            self.distance *= 2;
            let (start, distance) = (self.start(), self.distance);
            let stays = |moment: u64| moment == start || moment.is_multiple_of(distance);
            self.list.retain(|snapshot| stays(snapshot.at.moment));
        } else {
            self.list.drain(..self.list.len() / 2);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, number: usize) -> &Snapshot<S> {
        &self.list[number]
    }

    /// The number of the last one for which this holds; it holds for the first ones up to some
    /// point. The oldest if it holds for none.
    pub(super) fn last_where(&self, holds: impl Fn(&Position) -> bool) -> usize {
        self.list.partition_point(|snapshot| holds(&snapshot.at)).saturating_sub(1)
    }

    /// Forgets those of later moments.
    pub(super) fn cut(&mut self, moment: u64) {
        self.list.truncate(self.last_where(|at| at.moment <= moment) + 1);
    }

    /// Forgets those of earlier moments, but never the newest.
    pub(super) fn forget_before(&mut self, moment: u64) {
        let earlier = self.list.partition_point(|snapshot| snapshot.at.moment < moment);
        self.list.drain(..earlier.min(self.list.len() - 1));
    }
}

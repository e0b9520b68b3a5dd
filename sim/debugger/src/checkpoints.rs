//! Snapshots of the machine at regular intervals, from which the past is executed again.

use std::ops::RangeInclusive;

use gray1_isa::RomIndex;
use gray1_sim::engine::{Engine, Snapshot};

use super::inputs::INPUTS_MAX;
use super::replay::{Replay, Totals};

/// The memory for checkpoints, in bytes: more than 4,000 of the instruction engine's.
pub(super) const CHECKPOINTS_BYTES_MAX: usize = 34 << 20;
/// How many times longer the distance between the newest checkpoints can become. The instruction
/// engine gets there after four billion instructions.
const DISTANCE_GROWTH_MAX: u64 = 8;
/// How often the age of checkpoints can double before there are too many: on the instruction
/// engine, more than 10^15 instructions.
const OCTAVES: usize = 32;

/// The machine on arrival at a moment, before any input at that moment.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    pub(super) totals: Totals,
    /// The instruction that comes next.
    pub(super) pc: RomIndex,
    pub(super) snapshot: Snapshot,
}

/// Checkpoints in order of time. When there are too many, they are thinned out, except for the
/// first: at the beginning to twice the distance everywhere. Once the newest are as far apart as
/// the latency of a step back allows, only older ones are, to twice the distance for each doubling
/// of their age.
#[derive(Debug, Clone)]
pub(super) struct Checkpoints {
    list: Vec<Checkpoint>,
    /// One more, shortly before the end of the last run.
    near: Option<Checkpoint>,
    distance: u64,
    limits: HistoryLimits,
}

/// Bounds of a history, which tests make smaller.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryLimits {
    pub(super) checkpoints_max: usize,
    /// In instructions.
    pub(super) distance_min: u64,
    pub(super) distance_max: u64,
    pub(super) inputs_max: usize,
}

impl HistoryLimits {
    /// `HistoryLimits` on the memory of the past and the latency of a step back.
    pub(super) fn of(engine: &dyn Engine) -> Self {
        let distance_min = engine.slice();
        Self {
            checkpoints_max: CHECKPOINTS_BYTES_MAX / Checkpoint::bytes(&engine.save()),
            distance_min,
            distance_max: DISTANCE_GROWTH_MAX * distance_min,
            inputs_max: INPUTS_MAX,
        }
    }
}

impl Checkpoint {
    /// The present state of a machine.
    pub(super) fn of(replay: &Replay) -> Self {
        let engine = &replay.engine;
        Self { totals: replay.totals, pc: engine.pc(), snapshot: engine.save() }
    }

    pub(super) fn moment(&self) -> u64 {
        self.totals.moment
    }

    /// The memory of a checkpoint with this snapshot, in bytes, allocator overhead included.
    fn bytes(snapshot: &Snapshot) -> usize {
        size_of::<Totals>() + snapshot.bytes() + 16
    }
}

impl Checkpoints {
    pub(super) fn new(first: Checkpoint, limits: HistoryLimits) -> Self {
        Self { list: vec![first], near: None, distance: limits.distance_min, limits }
    }

    /// The moment of the oldest.
    pub(super) fn start(&self) -> u64 {
        self.list[0].moment()
    }

    /// The moment at which the next checkpoint is due for a machine at this moment. After thinning,
    /// the newest one can lie far before it.
    pub(super) fn next_due(&self, now: u64) -> u64 {
        (self.newest().max(now) / self.distance + 1) * self.distance
    }

    /// Whether one is due at this moment.
    pub(super) fn is_due(&self, moment: u64) -> bool {
        moment > self.newest() && moment.is_multiple_of(self.distance)
    }

    fn newest(&self) -> u64 {
        self.list[self.list.len() - 1].moment()
    }

    pub(super) fn push(&mut self, checkpoint: Checkpoint) {
        if self.list.len() >= self.limits.checkpoints_max {
            self.thin_out();
        }
        self.list.push(checkpoint);
    }

    /// Adds a checkpoint between others.
    pub(super) fn insert(&mut self, checkpoint: Checkpoint) {
        if self.list.len() >= self.limits.checkpoints_max {
            self.thin_out();
        }
        let moment = checkpoint.moment();
        let place = self.list.partition_point(|it| it.moment() < moment);
        if self.list.get(place).is_none_or(|it| it.moment() != moment) {
            self.list.insert(place, checkpoint);
        }
    }

    /// Keeps one outside the list, in place of the previous such one.
    pub(super) fn keep_near(&mut self, checkpoint: Checkpoint) {
        self.near = Some(checkpoint);
    }

    /// The last one up to a moment, in the list or outside it; the oldest if there is none.
    pub(super) fn nearest(&self, moment: u64) -> &Checkpoint {
        let listed = self.get(self.up_to(moment));
        let range = listed.moment()..=moment;
        self.near.as_ref().filter(|near| range.contains(&near.moment())).unwrap_or(listed)
    }

    /// The distance between the newest ones.
    pub(super) fn distance(&self) -> u64 {
        self.distance
    }

    /// Makes room.
    fn thin_out(&mut self) {
        if self.distance < self.limits.distance_max {
            self.distance *= 2;
            let distance = self.distance;
            self.retain(|moment| moment.is_multiple_of(distance));
        }
        let mut coarser = 0;
        while self.list.len() >= self.limits.checkpoints_max {
            let newest = self.newest();
            let dense = (self.limits.checkpoints_max / OCTAVES).max(1) as u64 * self.distance;
            let distance = self.distance;
            self.retain(|moment| {
                let doublings = u64::BITS - ((newest - moment) / dense).leading_zeros();
                let coarser = if doublings == 0 { 0 } else { doublings + coarser };
                let spacing = 1_u64.checked_shl(coarser).and_then(|it| it.checked_mul(distance));
                spacing.is_some_and(|spacing| moment.is_multiple_of(spacing))
            });
            coarser += 1;
        }
    }

    /// Keeps the first one and those whose moments satisfy a predicate.
    fn retain(&mut self, stays: impl Fn(u64) -> bool) {
        let start = self.start();
        self.list.retain(|it| it.moment() == start || stays(it.moment()));
    }

    /// Their approximate memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.list.iter().chain(&self.near).map(|it| Checkpoint::bytes(&it.snapshot)).sum()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, number: usize) -> &Checkpoint {
        &self.list[number]
    }

    /// The number of the last one up to a moment; the oldest if there is none.
    pub(super) fn up_to(&self, moment: u64) -> usize {
        self.last_where(|totals| totals.moment <= moment)
    }

    /// The number of the last one that satisfies a predicate, which must hold for a prefix of the
    /// list; the oldest if it holds for none.
    pub(super) fn last_where(&self, holds: impl Fn(&Totals) -> bool) -> usize {
        self.list.partition_point(|checkpoint| holds(&checkpoint.totals)).saturating_sub(1)
    }

    /// The moments of the listed ones in a range, in order.
    pub(super) fn moments(&self, range: RangeInclusive<u64>) -> impl Iterator<Item = u64> + '_ {
        let first = self.list.partition_point(|it| it.moment() < *range.start());
        let moments = self.list[first..].iter().map(Checkpoint::moment);
        moments.take_while(move |moment| range.contains(moment))
    }

    /// Drops those after a moment.
    pub(super) fn cut(&mut self, moment: u64) {
        self.list.truncate(self.up_to(moment) + 1);
        self.near.take_if(|near| near.moment() > moment);
    }

    /// Drops those before a moment, but never the newest.
    pub(super) fn forget_before(&mut self, moment: u64) {
        let earlier = self.list.partition_point(|checkpoint| checkpoint.moment() < moment);
        self.list.drain(..earlier.min(self.list.len() - 1));
    }
}

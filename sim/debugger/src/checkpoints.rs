//! Snapshots of the machine at regular intervals. To reach a past moment, a machine restores one
//! and executes from there.

use std::ops::RangeInclusive;

use gray1_isa::RomIndex;
use gray1_sim::engine::{Engine, Snapshot};

use super::inputs::INPUTS_MAX;
use super::replay::{Replay, Totals};

/// The memory for checkpoints, in bytes. It holds more than 4,000 checkpoints of the instruction
/// engine.
pub(super) const CHECKPOINTS_BYTES_MAX: usize = 34 << 20;
/// The factor by which the distance between the newest checkpoints can grow. The instruction engine
/// reaches it after four billion instructions.
const DISTANCE_GROWTH_MAX: u64 = 8;
/// The number of times that the age of the oldest checkpoint can double before the checkpoints no
/// longer fit in memory. On the instruction engine, this allows more than 10^15 instructions.
const OCTAVES: usize = 32;

/// The state of a machine that has arrived at a moment, before any input at that moment.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    pub(super) totals: Totals,
    /// The index of the next instruction.
    pub(super) pc: RomIndex,
    pub(super) snapshot: Snapshot,
}

/// Checkpoints in order of time.
///
/// When there are too many, some are removed, but never the first. At first, each removal doubles
/// the distance between all checkpoints. Once the distance has reached the limit for a fast step
/// back, only older checkpoints become sparser: their distance doubles whenever their age doubles.
#[derive(Debug, Clone)]
pub(super) struct Checkpoints {
    list: Vec<Checkpoint>,
    /// One more checkpoint, shortly before the end of the last run.
    near: Option<Checkpoint>,
    distance: u64,
    limits: HistoryLimits,
}

/// The limits of a history. Tests use smaller ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryLimits {
    pub(super) checkpoints_max: usize,
    /// The initial distance between checkpoints, in instructions. It doubles when the memory is
    /// full, but only up to `distance_max`.
    pub(super) distance_min: u64,
    pub(super) distance_max: u64,
    pub(super) inputs_max: usize,
}

impl HistoryLimits {
    /// Chooses limits that keep to the memory budget for the past and to the time that a step back
    /// may take.
    pub(super) fn from_engine(engine: &dyn Engine) -> Self {
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
    /// Saves the present state of a machine.
    pub(super) fn from_replay(replay: &Replay) -> Self {
        let engine = &replay.engine;
        Self { totals: replay.totals, pc: engine.pc(), snapshot: engine.save() }
    }

    pub(super) fn moment(&self) -> u64 {
        self.totals.moment
    }

    /// Returns how many bytes of memory a checkpoint with this snapshot uses, including the
    /// overhead of the allocator.
    fn bytes(snapshot: &Snapshot) -> usize {
        size_of::<Totals>() + snapshot.bytes() + 16
    }
}

impl Checkpoints {
    pub(super) fn new(first: Checkpoint, limits: HistoryLimits) -> Self {
        Self { list: vec![first], near: None, distance: limits.distance_min, limits }
    }

    /// Returns the moment of the oldest checkpoint.
    pub(super) fn start(&self) -> u64 {
        self.list[0].moment()
    }

    /// Returns the moment at which a machine should save its next checkpoint. This is always after
    /// `now`, even if the newest checkpoint was saved long before.
    pub(super) fn next_due(&self, now: u64) -> u64 {
        (self.newest().max(now) / self.distance + 1) * self.distance
    }

    /// Returns true if a checkpoint is due at this moment.
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

    /// Adds a checkpoint at its place in the order of time, unless the list already has one at that
    /// moment.
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

    /// Stores a checkpoint outside the list, where it replaces the previous one.
    pub(super) fn keep_near(&mut self, checkpoint: Checkpoint) {
        self.near = Some(checkpoint);
    }

    /// Returns the last checkpoint up to a moment, either from the list or the one outside it. If
    /// there is none, returns the oldest.
    pub(super) fn nearest(&self, moment: u64) -> &Checkpoint {
        let listed = self.get(self.up_to(moment));
        let range = listed.moment()..=moment;
        self.near.as_ref().filter(|near| range.contains(&near.moment())).unwrap_or(listed)
    }

    /// Returns the distance between the newest checkpoints, in instructions.
    pub(super) fn distance(&self) -> u64 {
        self.distance
    }

    /// Removes checkpoints to make room for another.
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

    /// Keeps the first checkpoint and those whose moments satisfy a predicate.
    fn retain(&mut self, stays: impl Fn(u64) -> bool) {
        let start = self.start();
        self.list.retain(|it| it.moment() == start || stays(it.moment()));
    }

    /// Returns approximately how many bytes of memory all checkpoints use.
    pub(super) fn bytes(&self) -> usize {
        self.list.iter().chain(&self.near).map(|it| Checkpoint::bytes(&it.snapshot)).sum()
    }

    /// Returns the number of checkpoints in the list.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, number: usize) -> &Checkpoint {
        &self.list[number]
    }

    /// Returns the number of the last checkpoint up to a moment, or 0 if there is none.
    pub(super) fn up_to(&self, moment: u64) -> usize {
        self.last_where(|totals| totals.moment <= moment)
    }

    /// Returns the number of the last checkpoint that satisfies a predicate, which must hold for a
    /// prefix of the list. Returns 0 if it holds for none.
    pub(super) fn last_where(&self, holds: impl Fn(&Totals) -> bool) -> usize {
        self.list.partition_point(|checkpoint| holds(&checkpoint.totals)).saturating_sub(1)
    }

    /// Returns the moments of the checkpoints in a range, in order.
    pub(super) fn moments(&self, range: RangeInclusive<u64>) -> impl Iterator<Item = u64> + '_ {
        let first = self.list.partition_point(|it| it.moment() < *range.start());
        let moments = self.list[first..].iter().map(Checkpoint::moment);
        moments.take_while(move |moment| range.contains(moment))
    }

    /// Drops the checkpoints after a moment.
    pub(super) fn cut(&mut self, moment: u64) {
        self.list.truncate(self.up_to(moment) + 1);
        self.near.take_if(|near| near.moment() > moment);
    }

    /// Drops the checkpoints before a moment, but never the newest one.
    pub(super) fn forget_before(&mut self, moment: u64) {
        let earlier = self.list.partition_point(|checkpoint| checkpoint.moment() < moment);
        self.list.drain(..earlier.min(self.list.len() - 1));
    }
}

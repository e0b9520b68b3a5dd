//! The way to a moment that is far from all checkpoints: in slices, on a machine of its own, so
//! that the present stays until it arrives, and the way can be given up.

use super::checkpoints::Checkpoint;
use super::history::History;
use super::replay::Replay;

/// A machine on its way to a moment.
#[derive(Debug, Clone)]
pub(super) struct Seek {
    replay: Replay,
    target: u64,
}

impl Seek {
    /// Begins at the last checkpoint up to a moment that is known; `None` if it is near.
    pub(super) fn new(history: &History, moment: u64) -> Option<Self> {
        let target = moment.clamp(history.start(), history.end());
        let start = history.checkpoints().nearest(target);
        let from = start.counts.moment;
        let is_ahead = (from..=target).contains(&history.moment());
        let distance = target - if is_ahead { history.moment() } else { from };
        let is_far = distance > history.at_once_max();
        is_far.then(|| Self { replay: history.replay_from(start), target })
    }

    /// How far it has come, and its target.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.replay.counts.moment, self.target)
    }

    /// Whether it still leads to a moment of the history.
    pub(super) fn serves(&self, history: &History) -> bool {
        self.replay.revision == history.revision()
    }

    /// Goes on for at most `budget` instructions; whether it has arrived.
    ///
    /// Checkpoints stay behind it, ever closer to each other towards the target, so that from there
    /// the way back is as quick as it is from the newest moment.
    pub(super) fn advance(&mut self, history: &mut History, budget: u64) -> bool {
        let stop = self.target.min(self.replay.counts.moment.saturating_add(budget));
        while self.replay.counts.moment < stop {
            let due = self.next_checkpoint(history.checkpoints().distance());
            self.replay.go_to(history.inputs(), stop.min(due));
            self.replay.fresh.clear();
            let moment = self.replay.counts.moment;
            // With inputs at this moment, the state before them is lost.
            if moment == due && history.inputs().at(moment).next().is_none() {
                let snapshot = self.replay.engine.save();
                history.insert_checkpoint(Checkpoint { counts: self.replay.counts, snapshot });
            }
        }
        self.replay.counts.moment == self.target
    }

    /// The next moment whose distance to the target is a power of two times this distance, rounded
    /// down to a multiple of it.
    fn next_checkpoint(&self, distance: u64) -> u64 {
        let left = (self.target - self.replay.counts.moment).saturating_sub(1) / distance;
        let before = match left.checked_ilog2() {
            Some(power) => distance << power,
            None => return u64::MAX,
        };
        let moment = (self.target - before) / distance * distance;
        if moment > self.replay.counts.moment { moment } else { moment + distance }
    }

    /// The machine at the target.
    pub(super) fn into_replay(self) -> Replay {
        self.replay
    }
}

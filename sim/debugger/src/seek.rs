//! Seeks a moment that is far from all checkpoints. A separate machine executes in slices, so the
//! present stays unchanged until the target is reached, and the seek can be cancelled.

use super::checkpoints::Checkpoint;
use super::history::History;
use super::replay::Replay;

/// A machine that is moving to a distant moment.
#[derive(Debug, Clone)]
pub(super) struct Seek {
    replay: Replay,
    target: u64,
}

impl Seek {
    /// Starts at the last checkpoint before a known moment. Returns `None` if the moment is near.
    pub(super) fn new(history: &History, moment: u64) -> Option<Self> {
        let target = moment.clamp(history.start(), history.end());
        let start = history.checkpoints().nearest(target);
        let from = start.moment();
        let is_ahead = (from..=target).contains(&history.moment());
        let distance = target - if is_ahead { history.moment() } else { from };
        let is_far = distance > history.at_once_max();
        is_far.then(|| Self { replay: history.replay_from(start), target })
    }

    /// Returns the moment reached so far, and the target.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.replay.moment(), self.target)
    }

    /// Returns true if the target is still part of the history.
    pub(super) fn is_valid(&self, history: &History) -> bool {
        self.target <= history.end() && history.leads_to(self.replay.mark())
    }

    /// Executes at most `budget` instructions. Returns true if the machine has arrived.
    ///
    /// On the way it saves checkpoints, at shorter and shorter distances. So a step back from the
    /// target is as quick as from the newest moment.
    pub(super) fn advance(&mut self, history: &mut History, budget: u64) -> bool {
        let stop = self.target.min(self.replay.moment().saturating_add(budget));
        while self.replay.moment() < stop {
            let due = self.next_checkpoint(history.checkpoints().distance());
            self.replay.go_to(history.inputs(), stop.min(due));
            self.replay.fresh.clear();
            let moment = self.replay.moment();
            // A checkpoint holds the state before the inputs of its moment. Here, those have
            // already been given.
            if moment == due && history.inputs().at(moment).next().is_none() {
                history.insert_checkpoint(Checkpoint::from_replay(&self.replay));
            }
        }
        self.replay.moment() == self.target
    }

    /// Returns the next moment for a checkpoint. Its distance to the target is `distance` times a
    /// power of two, and it is rounded down to a multiple of `distance`.
    fn next_checkpoint(&self, distance: u64) -> u64 {
        let left = (self.target - self.replay.moment()).saturating_sub(1) / distance;
        let before = match left.checked_ilog2() {
            Some(power) => distance << power,
            None => return u64::MAX,
        };
        let moment = (self.target - before) / distance * distance;
        if moment > self.replay.moment() { moment } else { moment + distance }
    }

    /// Returns the machine, which has reached the target.
    pub(super) fn into_replay(self) -> Replay {
        self.replay
    }
}

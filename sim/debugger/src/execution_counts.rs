//! Counts the executions of instructions, by executing the history again.

use gray1_sim::profile::ExecutionCounts;

use super::history::History;
use super::replay::{Replay, Watch};

/// The number of executions of each instruction, from the start of a history to the present.
///
/// Normal runs are not slowed down by counting. On the first request, a separate machine executes
/// the history again in slices, and later requests continue from there.
#[derive(Debug, Clone)]
pub struct ExecutionCounter {
    replay: Replay,
    counts: ExecutionCounts,
}

impl ExecutionCounter {
    /// Creates a counter at the start of this history.
    pub fn new(history: &History) -> Self {
        Self {
            replay: history.replay_from(history.checkpoints().get(0)),
            counts: ExecutionCounts::default(),
        }
    }

    /// Counts at most `budget` more instructions. Starts again if the present is before the moment
    /// that the count has reached, or if a new input was given before that moment.
    pub fn advance(&mut self, history: &History, budget: u64) {
        if !history.can_catch_up(&self.replay) {
            *self = Self::new(history);
        }
        let stop = history.moment().min(self.moment().saturating_add(budget));
        self.replay.next(history.inputs(), &mut Watch::counting(&mut self.counts), stop);
        self.replay.fresh.clear();
    }

    /// Returns true if the count has reached the present.
    pub fn is_complete(&self, history: &History) -> bool {
        self.moment() == history.moment() && history.can_catch_up(&self.replay)
    }

    /// Returns the moment up to which instructions are counted.
    pub fn moment(&self) -> u64 {
        self.replay.moment()
    }

    /// Returns the number of executions of each instruction up to that moment, by index.
    pub fn by_index(&self) -> Vec<u64> {
        self.counts.by_index()
    }
}

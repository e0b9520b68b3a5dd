//! Execution counts of instructions, found by executing the history again.

use gray1_sim::profile::ExecutionCounts;

use super::history::History;
use super::replay::{Replay, Stretch};

/// Execution counts from the start of a history up to the present.
///
/// Running costs nothing extra until somebody asks. The counts are then found in slices on a
/// separate machine, and kept up to date from there.
#[derive(Debug, Clone)]
pub struct ExecutionCounter {
    replay: Replay,
    counts: ExecutionCounts,
}

impl ExecutionCounter {
    /// Begins at the start of this history.
    #[must_use]
    pub fn new(history: &History) -> Self {
        Self {
            replay: history.replay_from(history.checkpoints().get(0)),
            counts: ExecutionCounts::default(),
        }
    }

    /// Counts at most `budget` more instructions. Starts over if the present lies before what is
    /// counted, or if an input was given before that.
    pub fn advance(&mut self, history: &History, budget: u64) {
        if self.moment() > history.moment() || !history.leads_to(self.replay.mark()) {
            *self = Self::new(history);
        }
        let stop = history.moment().min(self.moment().saturating_add(budget));
        self.replay.drive(history.inputs(), Stretch::Counting(&mut self.counts), stop);
        self.replay.fresh.clear();
    }

    /// Whether the present is reached.
    #[must_use]
    pub fn is_complete(&self, history: &History) -> bool {
        self.moment() == history.moment() && history.leads_to(self.replay.mark())
    }

    /// The moment up to which instructions are counted.
    #[must_use]
    pub fn moment(&self) -> u64 {
        self.replay.moment()
    }

    /// The execution counts up to that moment, by index.
    #[must_use]
    pub fn by_index(&self) -> Vec<u64> {
        self.counts.by_index()
    }
}

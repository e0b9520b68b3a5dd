//! How often each instruction was executed, counted by executing the history again.

use gray1_sim::profile::ExecutionCounts;

use super::history::History;
use super::replay::Replay;

/// The counts from the start of a history on, up to the present in the end.
///
/// A run costs nothing until its counts are asked for. They are found in slices, on a machine of
/// its own, and kept up to date from there.
#[derive(Debug, Clone)]
pub struct Counting {
    replay: Replay,
    counts: ExecutionCounts,
}

impl Counting {
    /// Begins at the start of this history.
    #[must_use]
    pub fn new(history: &History) -> Self {
        Self {
            replay: history.replay_from(history.checkpoints().get(0)),
            counts: ExecutionCounts::default(),
        }
    }

    /// Goes on towards the present for at most `budget` instructions. If the present lies before
    /// what is counted, or another past leads there, it begins again.
    pub fn advance(&mut self, history: &History, budget: u64) {
        if self.moment() > history.moment() || self.replay.revision != history.revision() {
            *self = Self::new(history);
        }
        let stop = history.moment().min(self.moment().saturating_add(budget));
        self.replay.go_to_counting(history.inputs(), stop, &mut self.counts);
        self.replay.fresh.clear();
    }

    /// Whether the present is reached.
    #[must_use]
    pub fn is_complete(&self, history: &History) -> bool {
        self.replay.revision == history.revision() && self.moment() == history.moment()
    }

    /// The moment up to which is counted.
    #[must_use]
    pub fn moment(&self) -> u64 {
        self.replay.counts.moment
    }

    /// How often each instruction was executed until then, by index.
    #[must_use]
    pub fn by_index(&self) -> Vec<u64> {
        self.counts.by_index()
    }
}

//! Execution counts, found by executing the past again while the machine stands.

use std::sync::Arc;

use gray1_debugger::{ExecutionCounter, History};
use gray1_isa::RomIndex;
use gray1_sim::profile::per_mille;

/// The execution counts up to a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The moment.
    pub moment: u64,
    counts: Vec<u64>,
    executed: u64,
}

impl Profile {
    /// How often an instruction was executed.
    #[must_use]
    pub fn times(&self, index: RomIndex) -> u64 {
        self.counts[index.to_usize()]
    }

    /// The share of a number of executions in all of them, in thousandths.
    #[must_use]
    pub fn per_mille(&self, executed: u64) -> u64 {
        per_mille(executed, self.executed)
    }
}

/// Finds execution counts.
pub(super) struct Profiler {
    counting: ExecutionCounter,
    /// The last complete counts.
    profile: Option<Arc<Profile>>,
}

impl Profiler {
    pub(super) fn new(history: &History) -> Self {
        Self { counting: ExecutionCounter::new(history), profile: None }
    }

    /// Counts at most `budget` more instructions.
    pub(super) fn advance(&mut self, history: &History, budget: u64) {
        self.counting.advance(history, budget);
        let moment = history.moment();
        let is_known = self.profile.as_ref().is_some_and(|profile| profile.moment == moment);
        if self.is_complete(history) && !is_known {
            let counts = self.counting.by_index();
            let executed = counts.iter().sum();
            self.profile = Some(Arc::new(Profile { moment, counts, executed }));
        }
    }

    /// The moment up to which instructions are counted.
    pub(super) fn moment(&self) -> u64 {
        self.counting.moment()
    }

    /// Whether it has reached the present.
    pub(super) fn is_complete(&self, history: &History) -> bool {
        self.counting.is_complete(history)
    }

    /// The last complete counts.
    pub(super) fn profile(&self) -> Option<Arc<Profile>> {
        self.profile.clone()
    }
}

//! Execution counts up to the current moment.

use gray1_isa::RomIndex;
use gray1_sim::profile::per_mille;

/// The execution counts up to the current moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    counts: Vec<u64>,
    executed: u64,
}

impl Profile {
    /// A profile with these execution counts, one for each [`RomIndex`] in ascending order.
    pub(super) fn new(counts: Vec<u64>) -> Self {
        Self { executed: counts.iter().sum(), counts }
    }

    /// How often an instruction was executed.
    pub fn times(&self, index: RomIndex) -> u64 {
        self.counts[index.to_usize()]
    }

    /// Returns `executed` as a share of all executed instructions, in thousandths.
    pub fn per_mille(&self, executed: u64) -> u64 {
        per_mille(executed, self.executed)
    }
}

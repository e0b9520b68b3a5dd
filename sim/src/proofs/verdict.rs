//! What the proof of a law returns, and how it counts its cases.

use super::story::Counterexample;

/// The outcome of the proof of a law.
pub(super) type Verdict = Result<(), Counterexample>;

/// How many cases a proof has looked at.
#[derive(Debug, Default)]
pub(super) struct Cases(pub(super) u64);

impl Cases {
    pub(super) fn add(&mut self, cases: u64) {
        self.0 += cases;
    }
}

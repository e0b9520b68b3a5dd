//! The result of the proof of a law, and how it counts its cases.

use gray1_board::phase::Phase;
use gray1_board::{ChipId, NetId};
use gray1_circuit::quick_hash::QuickMap;
use gray1_isa::Op;

use super::counterexample::Counterexample;

/// The outcome of the proof of a law.
pub(super) type Verdict = Result<(), Counterexample>;

/// The subject of a case; what does not apply is left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct About {
    /// The law that is looked at.
    pub(super) what: &'static str,
    pub(super) chip: Option<ChipId>,
    pub(super) strobe: Option<NetId>,
    /// The phase, or that before a step.
    pub(super) phase: Option<Phase>,
    pub(super) op: Option<Op>,
    pub(super) carry: Option<bool>,
}

impl About {
    pub(super) const fn new(what: &'static str) -> Self {
        Self { what, chip: None, strobe: None, phase: None, op: None, carry: None }
    }

    pub(super) const fn chip(self, chip: ChipId) -> Self {
        Self { chip: Some(chip), ..self }
    }

    pub(super) const fn strobe(self, strobe: NetId) -> Self {
        Self { strobe: Some(strobe), ..self }
    }

    pub(super) const fn phase(self, phase: Phase) -> Self {
        Self { phase: Some(phase), ..self }
    }

    pub(super) const fn op(self, op: Op) -> Self {
        Self { op: Some(op), ..self }
    }

    pub(super) const fn carry(self, carry: bool) -> Self {
        Self { carry: Some(carry), ..self }
    }
}

/// The number of cases, by what they are about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cases {
    counts: QuickMap<About, u64>,
}

impl Cases {
    pub(super) fn add(&mut self, about: About, cases: u64) {
        *self.counts.entry(about).or_default() += cases;
    }

    /// The number found in all.
    pub(super) fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Where there are not as many as elsewhere: what about, how many here, and how many there.
    #[cfg(test)]
    pub(super) fn differences(&self, other: &Self) -> Vec<(About, u64, u64)> {
        let count = |cases: &Self, about| cases.counts.get(about).copied().unwrap_or(0);
        let abouts = self.counts.keys().chain(other.counts.keys());
        let all = abouts.map(|about| (*about, count(self, about), count(other, about)));
        let mut differences: Vec<(About, u64, u64)> =
            all.filter(|(_, here, there)| here != there).collect();
        differences.sort_by_key(|difference| format!("{difference:?}"));
        differences.dedup();
        differences
    }
}

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1, load};

    use super::*;

    #[test]
    fn cases_are_told_apart_by_all_that_they_are_about() {
        let board = load(GRAY1).unwrap();
        let (net, chip) = (board.oscillator(), board.memory());
        let all = [
            About::new("a"),
            About::new("b"),
            About::new("a").chip(chip),
            About::new("a").strobe(net),
            About::new("a").phase(Phase::T1),
            About::new("a").op(Op::Ld),
            About::new("a").carry(true),
            About::new("a").carry(false),
        ];
        for (place, one) in all.iter().enumerate() {
            assert!(!all[..place].contains(one), "{one:?}");
        }
    }
}

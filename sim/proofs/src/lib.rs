//! Proofs that a board works whatever its chips' delays, by enumeration over what is burned.
//!
//! Nothing here trusts a rule: what a chip is for is a claim of the board's description, and each
//! proof checks the contents against it, address by address. A proof that fails gives its shortest
//! counterexample as a story.

mod addresses;
mod bus;
pub mod clock;
mod counterexample;
mod counters;
mod instructions;
mod latches;
mod meaning;
mod panel;
mod reach;
mod settling;
mod steps;
mod strobes;
mod support;

use std::ops::RangeInclusive;

use gray1_board::{Board, ChipId};
use gray1_circuit::nodes::wiring::Wiring;
use gray1_circuit::plans::sensitivity::Sensitivities;

use counterexample::Verdict;
use steps::StateGraph;

pub use counterexample::{Cause, Counterexample};
pub use reach::Reach;
pub use settling::{Hop, SlowestPath};

/// A finished proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Its number, 1 to 5; 6 of a board with its panel on it.
    pub number: u8,
    /// The claim that it proves.
    pub title: &'static str,
    /// The number of cases that were looked at.
    pub cases: u64,
    /// Whether it holds.
    pub outcome: ProofOutcome,
}

/// The outcome of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofOutcome {
    /// It holds.
    Holds,
    /// It fails: the shortest counterexample.
    Fails(Counterexample),
    /// It was not examined, since the proof of this number fails.
    NotExamined(u8),
}

impl Proof {
    fn fails(&self) -> bool {
        matches!(self.outcome, ProofOutcome::Fails(_))
    }
}

/// The numbers and titles of the proofs.
const TITLES: [&str; 6] = [
    "counters move one wire at a time",
    "latches hold while closed and follow while open",
    "strobes do not glitch, and nothing moves under a closing latch",
    "one driver at a time, and no open latch sees the change",
    "the board does what the instructions say",
    "the panel takes what is stored for it, and its buttons answer",
];

/// A board, the steps that its strobes can take, and what was found out about its chips on the way.
#[derive(Debug)]
pub struct Prover<'a> {
    board: &'a Board,
    /// The steps; or why the board has none to speak of.
    graph: Result<StateGraph<'a>, Counterexample>,
    sensitivities: Sensitivities,
}

impl<'a> Prover<'a> {
    /// Finds the steps of a board.
    #[must_use]
    pub fn new(board: &'a Board) -> Self {
        let mut sensitivities = Sensitivities::default();
        Self {
            board,
            graph: StateGraph::of(board, Wiring::new(board), &mut sensitivities),
            sensitivities,
        }
    }

    /// Runs all proofs, but not proof 5 where proof 2, 3 or 4 fails. It runs the board, and would
    /// have to try all orders in which such a board's chips can answer, on millions of edges.
    /// Meanwhile `progress` is called with the number of a proof and the cases that it has done.
    #[must_use]
    pub fn check(&self, progress: &mut dyn FnMut(u8, u64)) -> Vec<Proof> {
        let mut proofs: Vec<Proof> = Vec::new();
        for number in self.numbers() {
            let mut before = proofs.iter().filter(|proof| (2..=4).contains(&proof.number));
            let failed = before.find(|proof| proof.fails());
            let (cases, outcome) = match failed {
                Some(failed) if number == 5 => (0, ProofOutcome::NotExamined(failed.number)),
                _ => {
                    let (cases, verdict) = self.examine(number, progress);
                    let outcome =
                        verdict.map_or_else(ProofOutcome::Fails, |()| ProofOutcome::Holds);
                    (cases, outcome)
                }
            };
            proofs.push(Proof { number, title: TITLES[usize::from(number) - 1], cases, outcome });
        }
        proofs
    }

    /// The numbers of the proofs that there are of this board.
    fn numbers(&self) -> RangeInclusive<u8> {
        1..=TITLES.len() as u8 - u8::from(self.board.panel().is_none())
    }

    /// The addresses that can occur on each chip.
    ///
    /// # Errors
    /// If the board's strobes do not come from the phase.
    pub fn reach(&self) -> Result<Vec<Reach>, Counterexample> {
        let graph = self.graph.as_ref().map_err(Clone::clone)?;
        Ok(self.board.chip_ids().map(|chip| reach::of_chip(graph, chip)).collect())
    }

    /// The slowest path of the board with these access times in ns, by [`ChipId::index`].
    ///
    /// # Errors
    /// If the board has no steps to speak of, or wires in a step feed each other in a circle.
    pub fn slowest_path(
        &mut self,
        access_ns: impl Fn(ChipId) -> u32,
    ) -> Result<SlowestPath, Counterexample> {
        let graph = self.graph.as_ref().map_err(Clone::clone)?;
        settling::slowest_path(graph, &mut self.sensitivities, access_ns)
    }

    /// The cases that a proof looks at, and whether it holds.
    fn examine(&self, number: u8, progress: &mut dyn FnMut(u8, u64)) -> (u64, Verdict) {
        let Self { board, graph, sensitivities } = self;
        let sensitivities = &mut sensitivities.clone();
        let mut cases = 0;
        let outcome = match (number, graph) {
            (2, _) => latches::prove(board, &mut cases),
            (_, Err(shapeless)) => Err(shapeless.clone()),
            (1, Ok(graph)) => counters::prove(graph, &mut cases),
            (3, Ok(graph)) => strobes::prove(graph, sensitivities, &mut cases),
            (4, Ok(graph)) => bus::prove(graph, sensitivities, &mut cases),
            (6, Ok(graph)) => panel::prove(graph, &mut cases),
            (_, Ok(graph)) => support::prove(graph, sensitivities, &mut cases).and_then(|()| {
                meaning::prove(board, &mut cases, &mut |cases| progress(number, cases))
            }),
        };
        (cases, outcome)
    }
}

/// The shortest phase that a board allows, in ps: its slowest path. `None` if it has none that can
/// be told, as a board whose strobes do not come from its phase.
#[must_use]
pub fn shortest_phase_ps(board: &Board) -> Option<i64> {
    let path = Prover::new(board).slowest_path(|chip| board.chip(chip).access_ns());
    path.ok().map(|path| 1000 * i64::from(path.total_ns()))
}

#[cfg(test)]
mod tests;

//! Proves that a board works for any delays of its chips, by enumerating the contents of the chips.
//!
//! The proofs do not trust the role of a chip, which is only a claim of the board's description.
//! They check the contents against it, address by address. A proof that fails gives its shortest
//! counterexample, with an explanation.

mod addresses;
mod bus;
mod buttons;
mod counterexample;
mod counters;
mod dependencies;
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
    /// The number of the proof, 1 to 5. A board with a panel also has proof 6.
    pub number: u8,
    /// The claim that it proves.
    pub title: &'static str,
    /// The number of checked cases.
    pub cases: u64,
    /// Whether it holds.
    pub outcome: ProofOutcome,
}

/// The outcome of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofOutcome {
    /// It holds.
    Holds,
    /// It fails. This is the shortest counterexample.
    Fails(Counterexample),
    /// It was not examined because the proof with this number fails.
    NotExamined(u8),
}

impl Proof {
    fn fails(&self) -> bool {
        matches!(self.outcome, ProofOutcome::Fails(_))
    }
}

/// The titles of the proofs, in order.
const TITLES: [&str; 6] = [
    "counters move one wire at a time",
    "latches hold while closed and follow while open",
    "strobes do not glitch, and nothing moves under a closing latch",
    "one driver at a time, and no open latch sees the change",
    "the board does what the instructions say",
    "the panel takes what is stored for it, and its buttons answer",
];

/// A board, the possible steps of its strobes, and the results about its chips so far.
#[derive(Debug)]
pub struct Prover<'a> {
    board: &'a Board,
    /// The steps, or the reason that the board has none.
    graph: Result<StateGraph<'a>, Counterexample>,
    sensitivities: Sensitivities,
}

impl<'a> Prover<'a> {
    /// Finds the steps of a board.
    pub fn new(board: &'a Board) -> Self {
        let mut sensitivities = Sensitivities::default();
        Self {
            board,
            graph: StateGraph::explore(board, Wiring::new(board), &mut sensitivities),
            sensitivities,
        }
    }

    /// Runs all proofs, except proof 5 if proof 2, 3 or 4 fails. Proof 5 runs the board for
    /// millions of edges. On a board that fails proof 2, 3 or 4, every edge would have to try all
    /// orders of responses. `progress` is called with the number of a proof and the number of cases
    /// done so far.
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

    /// Runs all proofs except proof 5. A board for which they hold works for any delays of its
    /// chips, whatever its instructions do.
    ///
    /// # Errors
    /// The counterexample of the first proof that fails.
    pub fn check_delays(&self) -> Result<(), Counterexample> {
        let mut numbers = self.numbers().filter(|number| *number != 5);
        numbers.try_for_each(|number| self.examine(number, &mut |_, _| ()).1)
    }

    /// Returns an upper limit for the number of chips that a change of the buttons in T1 passes one
    /// after the other. It is 0 for a board without buttons.
    ///
    /// # Errors
    /// If a chip can take the change, or the board's strobes do not depend on the phase.
    pub fn chips_after_buttons(&mut self) -> Result<u32, Counterexample> {
        let graph = self.graph.as_ref().map_err(Clone::clone)?;
        let Some(panel) = self.board.panel() else { return Ok(0) };
        let mut chips = buttons::steps_from_t1(graph)
            .map(|step| buttons::follow(graph, &mut self.sensitivities, panel, step));
        chips.try_fold(0, |most, chips| Ok(most.max(chips?)))
    }

    /// Returns the numbers of this board's proofs.
    fn numbers(&self) -> RangeInclusive<u8> {
        1..=TITLES.len() as u8 - u8::from(self.board.panel().is_none())
    }

    /// Returns the addresses that can occur on each chip.
    ///
    /// # Errors
    /// If the board's strobes do not depend on the phase.
    pub fn reach(&self) -> Result<Vec<Reach>, Counterexample> {
        let graph = self.graph()?;
        Ok(self.board.chip_ids().map(|chip| reach::find(graph, chip)).collect())
    }

    /// Returns the slowest path of the board with these access times in ns, indexed by
    /// [`ChipId::index`].
    ///
    /// # Errors
    /// If the board's strobes do not depend on the phase, or wires depend on each other in a cycle
    /// during a step.
    pub fn slowest_path(
        &mut self,
        access_ns: impl Fn(ChipId) -> u32,
    ) -> Result<SlowestPath, Counterexample> {
        let graph = self.graph.as_ref().map_err(Clone::clone)?;
        settling::slowest_path(graph, &mut self.sensitivities, access_ns)
    }

    /// Runs a proof. Returns the number of cases and whether it holds.
    fn examine(&self, number: u8, progress: &mut dyn FnMut(u8, u64)) -> (u64, Verdict) {
        let sensitivities = self.sensitivities.clone();
        let mut examination = Examination { prover: self, sensitivities, cases: 0 };
        let verdict = examination.prove(number, &mut |cases| progress(number, cases));
        (examination.cases, verdict)
    }

    fn graph(&self) -> Result<&StateGraph<'a>, Counterexample> {
        self.graph.as_ref().map_err(Clone::clone)
    }
}

/// A proof that is being run.
struct Examination<'a> {
    prover: &'a Prover<'a>,
    sensitivities: Sensitivities,
    /// The number of cases so far.
    cases: u64,
}

impl Examination<'_> {
    /// Runs a proof.
    fn prove(&mut self, number: u8, progress: &mut dyn FnMut(u64)) -> Verdict {
        match number {
            1 => self.prove_counters(),
            2 => self.prove_latches(),
            3 => self.prove_strobes(),
            4 => self.prove_bus(),
            6 => self.prove_panel(),
            _ => {
                self.prove_support()?;
                self.prove_meaning(progress)
            }
        }
    }

    /// Examines and counts cases until one fails.
    fn check_each(&mut self, cases: impl IntoIterator<Item = Verdict>) -> Verdict {
        cases.into_iter().inspect(|_| self.cases += 1).collect()
    }
}

/// Returns the shortest phase that a board allows, in ps: its slowest path. `None` if the path is
/// not defined, for example because the board's strobes do not depend on the phase.
pub fn shortest_phase_ps(board: &Board) -> Option<i64> {
    let path = Prover::new(board).slowest_path(|chip| board.chip(chip).access_ns);
    path.ok().map(|path| 1000 * i64::from(path.total_ns()))
}

#[cfg(test)]
mod tests;

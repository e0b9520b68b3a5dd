//! Proofs that a board works whatever its chips' delays, by enumeration over what is burned.
//!
//! Nothing here trusts a rule: what a chip is for is a claim of the board's description, and each
//! proof checks the contents against it, address by address. A proof that fails gives its shortest
//! counterexample as a story.

mod bus;
mod counters;
mod latches;
mod meaning;
mod reach;
mod settling;
mod steps;
mod story;
mod strobes;
mod support;
mod verdict;

use crate::board::checked::Board;
use steps::StateGraph;
use verdict::Cases;

pub use reach::{Reach, reach};
pub use settling::{Hop, SlowestPath, slowest_path};
pub use story::{Cause, Counterexample, Scene};

/// A finished proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Its number, 1 to 5.
    pub number: u8,
    /// What it proves.
    pub title: &'static str,
    /// How many cases were looked at.
    pub cases: u64,
    /// The shortest counterexample, if there is one.
    pub outcome: Result<(), Counterexample>,
}

/// The numbers and titles of the proofs.
const TITLES: [&str; 5] = [
    "counters move one line at a time",
    "latches hold while closed and follow while open",
    "strobes do not glitch, and nothing moves under a closing latch",
    "one driver at a time, and no open latch sees the change",
    "the board does what the instructions say",
];

/// Runs all proofs.
#[must_use]
pub fn check(board: &Board) -> Vec<Proof> {
    let graph = StateGraph::of(board);
    (1..=5).map(|number| prove(board, &graph, number)).collect()
}

/// Runs the proofs until one fails; the one that failed.
#[must_use]
pub fn first_failure(board: &Board) -> Option<Proof> {
    let graph = StateGraph::of(board);
    (1..=5).map(|number| prove(board, &graph, number)).find(|proof| proof.outcome.is_err())
}

fn prove(board: &Board, graph: &Result<StateGraph, Counterexample>, number: u8) -> Proof {
    let mut cases = Cases(0);
    let outcome = match (number, graph) {
        (2, _) => latches::prove(board, &mut cases),
        (_, Err(shapeless)) => Err(shapeless.clone()),
        (1, Ok(graph)) => counters::prove(board, graph, &mut cases),
        (3, Ok(graph)) => strobes::prove(board, graph, &mut cases),
        (4, Ok(graph)) => bus::prove(board, graph, &mut cases),
        (_, Ok(graph)) => support::prove(board, graph, &mut cases)
            .and_then(|()| meaning::prove(board, &mut cases)),
    };
    let title = TITLES[usize::from(number) - 1];
    Proof { number, title, cases: cases.0, outcome }
}

#[cfg(test)]
mod tests;

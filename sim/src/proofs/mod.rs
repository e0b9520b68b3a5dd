//! Proofs that a board works whatever its chips' delays, by enumeration over what is burned.
//!
//! Nothing here trusts a rule: what a chip is for is a claim of the board's description, and each
//! proof holds the contents to it, address by address. A proof that fails tells its shortest
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

use crate::board::Board;
use steps::Walk;

pub use reach::{Reach, reach};
pub use settling::{Hop, SlowestPath, slowest_path};
pub use story::{Cause, Counterexample, Scene};

/// What came of a proof.
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
    let walk = Walk::of(board);
    (1..=5).map(|number| prove(board, &walk, number)).collect()
}

/// Runs the proofs until one fails; the one that failed.
#[must_use]
pub fn first_failure(board: &Board) -> Option<Proof> {
    let walk = Walk::of(board);
    (1..=5).map(|number| prove(board, &walk, number)).find(|proof| proof.outcome.is_err())
}

fn prove(board: &Board, walk: &Result<Walk, Counterexample>, number: u8) -> Proof {
    let mut cases = Cases(0);
    let outcome = match (number, walk) {
        (2, _) => latches::prove(board, &mut cases),
        (_, Err(shapeless)) => Err(shapeless.clone()),
        (1, Ok(walk)) => counters::prove(board, walk, &mut cases),
        (3, Ok(walk)) => strobes::prove(board, walk, &mut cases),
        (4, Ok(walk)) => bus::prove(board, walk, &mut cases),
        (_, Ok(walk)) => {
            support::prove(board, walk, &mut cases).and_then(|()| meaning::prove(board, &mut cases))
        }
    };
    let title = TITLES[usize::from(number) - 1];
    Proof { number, title, cases: cases.0, outcome }
}

/// How many cases a proof has looked at.
#[derive(Debug, Default)]
struct Cases(u64);

impl Cases {
    fn add(&mut self, cases: u64) {
        self.0 += cases;
    }
}

/// What a law's proof comes to.
type Verdict = Result<(), Counterexample>;

#[cfg(test)]
mod tests;

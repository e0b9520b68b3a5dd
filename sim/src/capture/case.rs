//! All that a capture has shown, for the diagnosis.

use super::clock::Clock;
use super::evidence::{ChipEvidence, WireEvidence};
use super::watched::Watched;
use crate::board::checked::{Board, NetId};
use crate::proofs::Prover;

/// What a capture has shown so far.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) board: &'a Board,
    pub(super) circumstances: Circumstances,
    /// The chips that are judged, and the evidence about each.
    pub(super) chips: Vec<Watched>,
    pub(super) evidence: Vec<ChipEvidence>,
    pub(super) wires: WireEvidence,
    pub(super) clock: Clock,
}

/// The shortest phase that a board allows, in ps: its slowest path. `None` if it has none that can
/// be told, as a board whose strobes do not come from its phase.
#[must_use]
pub fn shortest_phase_ps(board: &Board) -> Option<i64> {
    let path = Prover::new(board).slowest_path(|chip| board.chip(chip).access_ns());
    path.ok().map(|path| 1000 * i64::from(path.total_ns()))
}

/// How a capture was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circumstances {
    /// The wires that are captured.
    pub wires: Vec<NetId>,
    /// The time between two samples in ps: movements closer to each other may have been at once.
    pub resolution_ps: i64,
    /// The shortest phase that the board allows, in ps, if it is known: see [`shortest_phase_ps`].
    pub phase_ps_min: Option<i64>,
    /// True if the board has the program burned in that the machine runs.
    pub knows_program: bool,
}

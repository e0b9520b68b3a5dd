//! All that a capture has shown, for the diagnosis.

use gray1_board::{Board, NetId};

use super::clock::Clock;
use super::evidence::{ChipEvidence, WireEvidence};
use super::watched::Watched;

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

/// How a capture was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circumstances {
    /// The wires that are captured.
    pub wires: Vec<NetId>,
    /// The time between two samples in ps: movements closer to each other may have been at once.
    pub resolution_ps: i64,
    /// The shortest phase that the board allows, in ps, if it is known: its slowest path.
    pub phase_ps_min: Option<i64>,
    /// True if the board has the program burned in that the machine runs.
    pub knows_program: bool,
}

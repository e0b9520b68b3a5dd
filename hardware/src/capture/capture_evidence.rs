//! What a capture has shown, for the diagnosis.

use gray1_board::{Board, NetId};

use super::clock::Clock;
use super::evidence::{ChipEvidence, WireEvidence};
use super::watched::WatchedChip;

/// The evidence that a capture has given so far.
#[derive(Debug)]
pub(super) struct CaptureEvidence<'a> {
    pub(super) board: &'a Board,
    pub(super) circumstances: Circumstances,
    /// The chips that are judged, and the evidence about each.
    pub(super) chips: Vec<WatchedChip>,
    pub(super) chip_evidence: Vec<ChipEvidence>,
    pub(super) wires: WireEvidence,
    pub(super) clock: Clock,
}

/// How a capture was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circumstances {
    /// The wires that are captured.
    pub wires: Vec<NetId>,
    /// The time between two samples in ps. Movements closer to each other may have been
    /// simultaneous.
    pub resolution_ps: i64,
    /// The shortest phase that the board allows, in ps, if it is known: its slowest path.
    pub phase_ps_min: Option<i64>,
    /// True if the board holds the program that the machine runs.
    pub knows_program: bool,
}

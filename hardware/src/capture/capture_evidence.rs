//! What a capture has shown, for the diagnosis.

use gray1_board::{Board, ChipId, NetId};

use super::clock::Clock;
use super::evidence::{FirstSeen, WireEvidence, WireLevels};
use super::hypothesis::Hypothesis;
use super::watched::WatchedChip;

/// The evidence that a capture has given so far.
#[derive(Debug)]
pub(super) struct CaptureEvidence<'a> {
    pub(super) board: &'a Board,
    pub(super) circumstances: Circumstances,
    /// The chips that are judged.
    pub(super) chips: Vec<WatchedChip>,
    pub(super) wires: WireEvidence,
    pub(super) clock: Clock,
    /// Some moments at which a chip was wrong at rest, and the chip.
    pub(super) wrong_moments: Vec<(ChipId, WireLevels)>,
    /// A wire from outside that had another level for one sample.
    pub(super) pulse: Option<FirstSeen<NetId>>,
}

impl CaptureEvidence<'_> {
    /// The number of chips that were wrong at rest, of which the rules of clock and reset count as
    /// one, and how often chips were odd besides. The less, the better an explanation.
    pub(super) fn faults_seen(&self) -> (usize, u64) {
        let wrong = self.chips.iter().filter(|it| it.evidence.wrong.is_some()).count();
        let rules = usize::from(self.clock.breach.is_some());
        (wrong + rules, self.chips.iter().map(|it| it.evidence.odd()).sum())
    }
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

impl Circumstances {
    /// True if a wire is captured.
    pub(super) fn has(&self, net: NetId, hypothesis: Hypothesis) -> bool {
        self.wires.contains(&net) && hypothesis != Hypothesis::LooseClip(net)
    }
}

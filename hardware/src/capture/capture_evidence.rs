//! The evidence of a capture, as input to the diagnosis.

use gray1_board::{Board, ChipId, NetId};

use super::clock::Clock;
use super::evidence::{FirstSeen, WireEvidence, WireLevels};
use super::hypothesis::Hypothesis;
use super::watched::WatchedChip;

/// A faulty PHASE can also jump, but a capture of it has seldom so few samples.
const JUMPS_MIN: u64 = 4;

/// The evidence collected from a capture so far.
#[derive(Debug)]
pub(super) struct CaptureEvidence<'a> {
    pub(super) board: &'a Board,
    pub(super) conditions: CaptureConditions,
    /// The chips that are checked.
    pub(super) chips: Vec<WatchedChip>,
    pub(super) wires: WireEvidence,
    pub(super) clock: Clock,
    /// The first moments at which a settled chip had wrong outputs: the chip and the wire levels.
    pub(super) wrong_moments: Vec<(ChipId, WireLevels)>,
    /// An external wire whose level changed for only one sample.
    pub(super) pulse: Option<FirstSeen<NetId>>,
    /// The time from the first change to the end of the capture.
    pub(super) duration_ps: i64,
}

impl CaptureEvidence<'_> {
    /// True if the samples cannot resolve the phases. If the board allows phases that are shorter
    /// than two samples, PHASE shows whether there are some: a wire changes in each sample, or
    /// several do.
    pub(super) fn is_undersampled(&self) -> bool {
        let two_samples_ps = 2 * self.conditions.resolution_ps;
        let is_coarse = self.conditions.phase_ps_min.is_some_and(|it| it < two_samples_ps);
        self.clock.is_undersampled() || is_coarse && self.wires.phase_jumps >= JUMPS_MIN
    }

    /// Returns two numbers. The first is the number of chips that were wrong after settling, plus
    /// one if a clock or reset rule was violated. The second is the number of other errors of all
    /// chips, such as impossible transitions. Explanations are compared by the first number, then
    /// by the second.
    pub(super) fn count_errors(&self) -> (usize, u64) {
        let wrong = self.chips.iter().filter(|it| it.evidence.wrong.is_some()).count();
        let rules = usize::from(self.clock.violation.is_some());
        let others = self.chips.iter().flat_map(|it| it.evidence.other_errors());
        (wrong + rules, others.map(|(_, count)| count).sum())
    }
}

/// The conditions under which a capture was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureConditions {
    /// The wires that are captured.
    pub wires: Vec<NetId>,
    /// The time between two samples in ps. Changes that are closer together may have been
    /// simultaneous.
    pub resolution_ps: i64,
    /// The shortest phase that the board allows, in ps, which is the delay of its slowest path.
    /// `None` if that is unknown.
    pub phase_ps_min: Option<i64>,
    /// True if the board contains the program that the machine runs.
    pub knows_program: bool,
}

impl CaptureConditions {
    /// True if a wire is captured. If the hypothesis is that the wire's clip is loose, the wire
    /// counts as not captured.
    pub(super) fn has(&self, net: NetId, hypothesis: Hypothesis) -> bool {
        self.wires.contains(&net) && hypothesis != Hypothesis::LooseClip(net)
    }
}

//! Probes: some lines of a circuit that are read together, often.

use super::wiring::{Outputs, Segment, Signal, segments};
use crate::board::NetId;

/// Some lines of a board, low bit first, clipped to one circuit; only that circuit can read it.
#[derive(Debug, Clone)]
pub struct Probe {
    nets: Vec<NetId>,
    segments: Vec<Segment>,
    pub(super) kept: Kept,
}

/// Where the settled engine finds the level of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Kept {
    /// In what the nodes show.
    #[default]
    Always,
    /// Where the sequencer stands.
    InSequencer,
    /// It has to be looked up.
    Derived,
}

impl Probe {
    /// A probe on lines by name.
    pub(super) fn on_nets(nets: &[NetId]) -> Self {
        Self { nets: nets.to_vec(), segments: Vec::new(), kept: Kept::Always }
    }

    /// A probe on outputs of nodes.
    pub(super) fn on_outputs(signals: &[(u8, Signal)], kept: Kept) -> Self {
        Self { nets: Vec::new(), segments: segments(signals, u32::MAX), kept }
    }

    /// Gives the lines the levels of a number.
    pub(crate) fn put(&self, number: u32, outputs: &mut Outputs) {
        for segment in &self.segments {
            segment.put(number, outputs);
        }
    }

    pub(super) fn read_nets(&self, level: impl Fn(NetId) -> bool) -> u32 {
        let lines = self.nets.iter().enumerate();
        lines.fold(0, |number, (bit, &net)| number | u32::from(level(net)) << bit)
    }

    #[inline]
    pub(super) fn read_outputs(&self, outputs: &Outputs) -> u32 {
        self.segments.iter().fold(0, |number, segment| number | segment.of(outputs))
    }

    #[inline]
    pub(super) fn read_nodes(&self, output: impl Fn(usize) -> u8) -> u32 {
        let lines = |segment: &Segment| segment.of_lines(output(usize::from(segment.node)));
        self.segments.iter().fold(0, |number, segment| number | lines(segment))
    }
}

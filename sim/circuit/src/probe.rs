//! Probes: wires of a circuit that are often read together.

use gray1_board::{NetId, number};

use super::nodes::wiring::{OutputBit, Outputs, Segment, segments};

/// Some wires of a board, low bit first. A probe is only valid for the circuit that created it.
#[derive(Debug, Clone)]
pub struct Probe {
    nets: Vec<NetId>,
    segments: Vec<Segment>,
    /// Whether the settled engine needs a lookup for one of the wires.
    pub(super) derived: bool,
}

impl Probe {
    /// Creates a probe on wires by their identifiers.
    pub(super) fn on_nets(nets: &[NetId]) -> Self {
        Self { nets: nets.to_vec(), segments: Vec::new(), derived: false }
    }

    /// Creates a probe on outputs of nodes.
    pub(super) fn on_outputs(wires: &[(u8, OutputBit)], derived: bool) -> Self {
        Self { nets: Vec::new(), segments: segments(wires, u32::MAX), derived }
    }

    /// Returns whether all wires are outputs of this node.
    pub(super) fn is_on(&self, node: usize) -> bool {
        self.segments.iter().all(|segment| usize::from(segment.node) == node)
    }

    /// Sets the wires to the levels of a number.
    pub(crate) fn set(&self, number: u32, outputs: &mut Outputs) {
        for segment in &self.segments {
            segment.scatter(number, outputs);
        }
    }

    pub(super) fn read_nets(&self, level: impl Fn(NetId) -> bool) -> u32 {
        number(&self.nets, level)
    }

    #[inline]
    pub(super) fn read_outputs(&self, outputs: &Outputs) -> u32 {
        self.segments.iter().fold(0, |number, segment| number | segment.gather(outputs))
    }
}

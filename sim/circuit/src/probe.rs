//! Probes: some wires of a circuit that are often read together.

use gray1_board::{NetId, number};

use super::nodes::wiring::{OutputBit, Outputs, Segment, segments};

/// Some wires of a board, low bit first, for one circuit; no other circuit can read it.
#[derive(Debug, Clone)]
pub struct Probe {
    nets: Vec<NetId>,
    segments: Vec<Segment>,
    /// True if the settled engine has to look a wire up to know it.
    pub(super) derived: bool,
}

impl Probe {
    /// A probe on wires by name.
    pub(super) fn on_nets(nets: &[NetId]) -> Self {
        Self { nets: nets.to_vec(), segments: Vec::new(), derived: false }
    }

    /// A probe on outputs of nodes.
    pub(super) fn on_outputs(wires: &[(u8, OutputBit)], derived: bool) -> Self {
        Self { nets: Vec::new(), segments: segments(wires, u32::MAX), derived }
    }

    /// True if all wires are outputs of this node.
    pub(super) fn is_on(&self, node: usize) -> bool {
        self.segments.iter().all(|segment| usize::from(segment.node) == node)
    }

    /// Gives the wires the levels of a number.
    pub(crate) fn put(&self, number: u32, outputs: &mut Outputs) {
        for segment in &self.segments {
            segment.put(number, outputs);
        }
    }

    pub(super) fn read_nets(&self, level: impl Fn(NetId) -> bool) -> u32 {
        number(&self.nets, level)
    }

    #[inline]
    pub(super) fn read_outputs(&self, outputs: &Outputs) -> u32 {
        self.segments.iter().fold(0, |number, segment| number | segment.of(outputs))
    }
}

//! Executes plans symbolically for one cycle of the sequencer. The result is the output of every
//! node as a function of the bytes stored before the cycle.

use gray1_board::table::subsets;

use super::composed::{ByteSource, Functions, SymbolicByte};
use crate::nodes::memory_image::MemoryImage;
use crate::nodes::wiring::{NODES_MAX, NodeKind, RAM_WRITE_LOW, Segment, ram_cell, ram_data};
use crate::plans::compiled::{CompiledLookUp, CompiledPlans, PlanEnd};

/// A board and the functions composed so far.
pub(super) struct CycleRecorder<'a> {
    pub(super) plans: &'a mut CompiledPlans,
    pub(super) image: &'a MemoryImage,
    pub(super) functions: &'a mut Functions,
}

/// A settled state within a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SymbolicState {
    /// The index of the sequencer.
    pub(super) index: u16,
    /// The outputs of the nodes that have been computed.
    pub(super) shown: [Option<SymbolicByte>; NODES_MAX],
    /// The cell of data memory that was written, and its new value.
    pub(super) written: Option<(u16, SymbolicByte)>,
}

/// An address: its known part, and the wires whose levels depend on stored bytes.
type Address = (u32, Vec<(Segment, SymbolicByte)>);

impl CycleRecorder<'_> {
    /// Returns the state after this many more edges. Returns `None` if an edge has no plan, or if
    /// the lookups of the cycle depend on the stored bytes.
    pub(super) fn follow(&mut self, mut from: SymbolicState, edges: u32) -> Option<SymbolicState> {
        if edges == 0 {
            return Some(from);
        }
        let next = match self.execute_edge(&mut from)? {
            PlanEnd::Settled(index) | PlanEnd::Writes(index, _) => {
                return self.follow(SymbolicState { index, ..from }, edges - 1);
            }
            PlanEnd::MovesIndex(next) | PlanEnd::MovesStrobes(next) => next,
            PlanEnd::ToBePlanned | PlanEnd::Unplanned => return None,
        };
        // Wires that depend on stored bytes may have any level. The sequencer must behave the same
        // for all of them.
        let (levels, open) = self.plans.external_levels(|wire| {
            let shown = from.shown[wire.node]?.constant_value()?;
            Some(shown >> wire.bit & 1 == 1)
        });
        let mut ends = subsets(open.into()).map(|set| {
            let index = self.plans.with_external_levels(next, levels | set as u16);
            if !self.plans.has_same_outputs(next, index) {
                return None;
            }
            self.follow(SymbolicState { index, ..from.clone() }, edges - 1)
        });
        let first = ends.next()??;
        ends.all(|end| end.is_some_and(|end| end.agrees(&first))).then_some(first)
    }

    /// Executes the lookups of an edge.
    fn execute_edge(&mut self, board: &mut SymbolicState) -> Option<PlanEnd> {
        let plan = self.plans.plan(board.index, self.image);
        let (look_ups, write) = self.plans.look_ups_in(plan);
        let look_ups: Vec<CompiledLookUp> = look_ups.to_vec();
        for look_up in &look_ups {
            board.shown[look_up.node()] = Some(self.look_up(look_up, board)?);
        }
        if let Some(write) = write {
            if board.written.is_some() {
                return None;
            }
            board.written = Some(self.write(&write, board)?);
        }
        Some(plan.end)
    }

    /// Returns the output of a node.
    fn look_up(&mut self, look_up: &CompiledLookUp, board: &SymbolicState) -> Option<SymbolicByte> {
        let (known, open) = address(look_up, board)?;
        if !matches!(self.plans.wiring.nodes()[look_up.node()].kind, NodeKind::Ram) {
            return self
                .functions
                .compose(ByteSource::Contents, known, &open, |at| self.image.byte(at));
        }
        let cell = (known - self.image.first_byte(look_up.node())) as u16;
        match board.written {
            _ if !open.is_empty() => None,
            Some((written, value)) if written == cell => Some(value),
            _ => Some(SymbolicByte::stored_at(cell)),
        }
    }

    /// Returns the cell of data memory that is written, and its new value.
    fn write(
        &mut self,
        look_up: &CompiledLookUp,
        board: &SymbolicState,
    ) -> Option<(u16, SymbolicByte)> {
        let (known, open) = address(look_up, board)?;
        let pins = RAM_WRITE_LOW | (RAM_WRITE_LOW - 1);
        if open.iter().any(|(segment, _)| segment.gather_from(u8::MAX) & pins != 0) {
            return None;
        }
        let data = self.functions.compose(ByteSource::DataPins, known & !pins, &open, ram_data)?;
        Some((ram_cell(known), data))
    }
}

impl SymbolicState {
    /// Returns whether two states are equal, ignoring the sequencer's inputs from other nodes.
    fn agrees(&self, other: &Self) -> bool {
        self.shown == other.shown && self.written == other.written
    }
}

fn address(look_up: &CompiledLookUp, board: &SymbolicState) -> Option<Address> {
    let (mut known, mut open) = (look_up.base, Vec::new());
    for segment in look_up.segments() {
        let value = board.shown[usize::from(segment.node)]?;
        match value.constant_value() {
            Some(wires) => known += segment.gather_from(wires),
            None => open.push((*segment, value)),
        }
    }
    Some((known, open))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cycle is cached only if the sequencer's inputs do not affect anything else.
    #[test]
    fn states_agree_if_their_outputs_and_writes_are_equal() {
        let one = SymbolicState { index: 1, shown: [None; NODES_MAX], written: None };
        let elsewhere = SymbolicState { index: 2, ..one.clone() };
        assert!(one.agrees(&elsewhere));
        let value = SymbolicByte::stored_at(5);
        let mut showing = one.clone();
        showing.shown[3] = Some(value);
        assert!(!one.agrees(&showing) && showing.agrees(&showing.clone()));
        let writing = SymbolicState { written: Some((7, value)), ..one.clone() };
        assert!(!one.agrees(&writing) && writing.agrees(&writing.clone()));
    }
}

//! Plans compiled for execution: the effect of each edge of the oscillator, by the index of the
//! sequencer.

use gray1_board::table::subsets;

use super::planner::{LookUp, Movement, Plan, derived_in_order};
use super::sensitivity::Sensitivities;
use super::sequencer::Sequencer;
use crate::nodes::memory_image::MemoryImage;
use crate::nodes::powered::PoweredBoard;
use crate::nodes::wiring::{
    NODES_MAX, NodeKind, OSCILLATOR, OutputBit, Outputs, Segment, Wiring, ram_cell, ram_data,
    segments,
};

/// The plans of a board, each compiled when first needed, and the current index of the sequencer.
#[derive(Debug, Clone)]
pub(crate) struct CompiledPlans {
    /// The nodes that the plans are for.
    pub(crate) wiring: Wiring,
    pub(crate) sequencer: Sequencer,
    sensitivities: Sensitivities,
    /// The nodes with wires that no chip stores, in order of dependency. There is one order for all
    /// indexes, or one for each index if the chips depend on each other in a cycle.
    derived: Vec<Vec<usize>>,
    /// The current index of the sequencer, or the number of indexes if the sequencer is not
    /// settled.
    index: u16,
    /// The effect of the next edge, by index. The last entry, for an unsettled sequencer, has no
    /// plan.
    plans: Vec<CompiledPlan>,
    look_ups: Vec<CompiledLookUp>,
    /// The external inputs of the sequencer, as bits of its index.
    external: [Segment; SEGMENTS_MAX],
    external_bits: u16,
}

/// The effect of the next edge of the oscillator at one index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompiledPlan {
    /// The index of its first lookup, and the index after its last one.
    look_ups: (u32, u32),
    pub(crate) end: PlanEnd,
}

/// The work after the lookups of a plan. The number is the sequencer's index after the edge, before
/// its external inputs change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PlanEnd {
    /// The plan has not been made yet.
    ToBePlanned,
    /// Nothing more to do.
    Settled(u16),
    /// The external inputs of the sequencer may have changed. Its strobes do not depend on them.
    MovesIndex(u16),
    /// The external inputs of the sequencer may have changed. If its strobes depend on them, the
    /// plan is not valid.
    MovesStrobes(u16),
    /// Data memory stores a byte. This lookup has its address and value.
    Writes(u16, u32),
    /// No plan exists.
    Unplanned,
}

/// The maximum number of segments in a lookup. A lookup that needs more has no plan.
const SEGMENTS_MAX: usize = 4;

/// A lookup in the contents of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompiledLookUp {
    node: u8,
    /// The first byte of its contents, plus the known levels of its address.
    pub(crate) base: u32,
    segments: [Segment; SEGMENTS_MAX],
}

impl CompiledPlan {
    /// Creates a plan without lookups.
    const fn empty(end: PlanEnd) -> Self {
        Self { look_ups: (0, 0), end }
    }
}

impl CompiledPlans {
    /// Creates the plans of a board, if the board has a sequencer.
    pub(crate) fn new(wiring: Wiring) -> Option<Self> {
        let sequencer = Sequencer::find(&wiring)?;
        let mut sensitivities = Sensitivities::default();
        let mut derived = Vec::from_iter(derived_in_order(&wiring, &sequencer, |_| [u8::MAX; 32]));
        if derived.is_empty() {
            derived = vec![Vec::new(); sequencer.indexes()];
            for (index, order) in (0..).zip(&mut derived) {
                if sequencer.settled_index(index) == Some(index) {
                    let fixed = Movement::from_strobes(&wiring, &sequencer, 0, index, index).after;
                    *order = derived_in_order(&wiring, &sequencer, |node| {
                        sensitivities.get(&wiring, node, fixed[node]).moves
                    })?;
                }
            }
        }
        let bits = sequencer.inputs().map(|(bit, wire)| (bit.trailing_zeros() as u8, wire));
        let pins: Vec<(u8, OutputBit)> = bits.collect();
        let mut external = [Segment::default(); SEGMENTS_MAX];
        let gathered = segments(&pins, u32::MAX);
        external.get_mut(..gathered.len())?.copy_from_slice(&gathered);
        let mut plans = vec![CompiledPlan::empty(PlanEnd::ToBePlanned); sequencer.indexes()];
        plans.push(CompiledPlan::empty(PlanEnd::Unplanned));
        Some(Self {
            sensitivities,
            derived,
            index: sequencer.indexes() as u16,
            plans,
            look_ups: Vec::new(),
            external,
            external_bits: pins.iter().fold(0, |bits, (bit, _)| bits | 1 << bit),
            sequencer,
            wiring,
        })
    }

    /// Returns true if every edge that was executed so far has a plan.
    pub(crate) fn have_sufficed(&self) -> bool {
        let plans = &self.plans[..self.sequencer.indexes()];
        plans.iter().all(|plan| !matches!(plan.end, PlanEnd::Unplanned))
    }

    /// Sets the index of the sequencer from the outputs of the nodes.
    pub(crate) fn sync_sequencer(&mut self, outputs: &Outputs) {
        let unsettled = self.sequencer.indexes() as u16;
        self.index = self.sequencer.index_if_settled(outputs).unwrap_or(unsettled);
    }

    /// Sets the index without recomputing it. The caller must know that it is correct.
    pub(crate) const fn set_index(&mut self, index: u16) {
        self.index = index;
    }

    /// Returns the index of the sequencer, if it is settled.
    pub(crate) fn index(&self) -> Option<u16> {
        (usize::from(self.index) < self.sequencer.indexes()).then_some(self.index)
    }

    /// Returns the outputs of all nodes, including those that the plans do not update.
    pub(crate) fn all_outputs(&self, board: &PoweredBoard) -> Outputs {
        let mut outputs = board.outputs;
        if self.index().is_some() {
            self.sequencer.show(self.index, &mut outputs);
            let order = self.derived.get(usize::from(self.index)).unwrap_or(&self.derived[0]);
            for &node in order {
                outputs[node] = board.image.look_up(&self.wiring, node, &outputs);
            }
        }
        outputs
    }

    /// Writes the outputs of the sequencer's nodes.
    #[inline]
    pub(crate) fn show_sequencer(&self, outputs: &mut Outputs) {
        if self.index().is_some() {
            self.sequencer.show(self.index, outputs);
        }
    }

    /// Returns whether a wire needs a lookup because no chip stores it.
    pub(crate) fn is_derived(&self, wire: OutputBit) -> bool {
        self.wiring.is_derived(wire) && !self.sequencer.nodes().contains(&wire.node)
    }

    /// Toggles the oscillator. Returns false if there is no plan; then nothing has changed.
    #[inline]
    pub(crate) fn advance(&mut self, board: &mut PoweredBoard) -> bool {
        let plan = self.plan(self.index, &board.image);
        let (next, look_up) = match plan.end {
            PlanEnd::Settled(next) | PlanEnd::MovesIndex(next) => (next, None),
            PlanEnd::Writes(next, look_up) => (next, Some(look_up)),
            PlanEnd::MovesStrobes(next) => return self.try_edge(plan, next, board),
            PlanEnd::Unplanned | PlanEnd::ToBePlanned => return false,
        };
        self.look_up(plan, board);
        let is_moved = matches!(plan.end, PlanEnd::MovesIndex(_));
        self.index = if is_moved { self.reread(next, &board.outputs) } else { next };
        if let Some(look_up) = look_up {
            let address = self.look_ups[look_up as usize].address(&board.outputs);
            board.write(ram_cell(address), ram_data(address));
        }
        true
    }

    #[inline]
    fn look_up(&self, plan: CompiledPlan, board: &mut PoweredBoard) {
        for look_up in self.look_ups(plan.look_ups) {
            let shown = board.image.byte(look_up.address(&board.outputs));
            board.outputs[usize::from(look_up.node) % NODES_MAX] = shown;
        }
    }

    /// Executes an edge whose plan is valid only if the strobes do not respond to the new levels.
    /// Undoes it and returns false otherwise.
    fn try_edge(&mut self, plan: CompiledPlan, next: u16, board: &mut PoweredBoard) -> bool {
        let before = board.outputs;
        self.look_up(plan, board);
        let reread = self.reread(next, &board.outputs);
        let is_right = self.has_same_outputs(next, reread);
        if is_right {
            self.index = reread;
        } else {
            board.outputs = before;
        }
        is_right
    }

    /// Returns the index with the current levels of the external inputs.
    #[inline]
    fn reread(&self, index: u16, outputs: &Outputs) -> u16 {
        let bits = self.external.iter().fold(0, |bits, segment| bits | segment.gather(outputs));
        self.with_external_levels(index, bits as u16)
    }

    /// Returns the plan of the edge at an index. Makes it if needed.
    #[inline]
    pub(crate) fn plan(&mut self, index: u16, image: &MemoryImage) -> CompiledPlan {
        if let PlanEnd::ToBePlanned = self.plans[usize::from(index)].end {
            let planned = self.plan_edge(index, image);
            self.plans[usize::from(index)] =
                planned.unwrap_or(CompiledPlan::empty(PlanEnd::Unplanned));
        }
        self.plans[usize::from(index)]
    }

    /// Returns the lookups of a plan, and the one whose byte data memory stores.
    pub(crate) fn look_ups_in(
        &self,
        plan: CompiledPlan,
    ) -> (&[CompiledLookUp], Option<CompiledLookUp>) {
        let write = match plan.end {
            PlanEnd::Writes(_, write) => Some(self.look_ups[write as usize]),
            _ => None,
        };
        (self.look_ups(plan.look_ups), write)
    }

    /// Returns the levels of the sequencer's external inputs as bits of its index, and the bits
    /// whose levels are not known.
    pub(crate) fn external_levels(&self, level: impl Fn(OutputBit) -> Option<bool>) -> (u16, u16) {
        self.sequencer.inputs().fold((0, 0), |(high, open), (bit, wire)| match level(wire) {
            Some(true) => (high | bit, open),
            Some(false) => (high, open),
            None => (high, open | bit),
        })
    }

    /// Replaces the levels of the external inputs in an index.
    pub(crate) const fn with_external_levels(&self, index: u16, levels: u16) -> u16 {
        index & !self.external_bits | levels
    }

    /// Plans the edge at an index.
    #[cold]
    fn plan_edge(&mut self, index: u16, image: &MemoryImage) -> Option<CompiledPlan> {
        let next = self.sequencer.settled_index(index ^ u16::from(OSCILLATOR))?;
        let Self { sensitivities, wiring, sequencer, .. } = self;
        let plan = Plan::make(sensitivities, wiring, sequencer, index, next)?;
        let end = self.plan_end(&plan, next)?;
        let first = self.look_ups.len() as u32;
        let look_ups = plan.look_ups.iter();
        let look_ups = look_ups.map(|it| CompiledLookUp::compile(it, &self.wiring, image));
        self.look_ups.extend(look_ups.collect::<Option<Vec<_>>>()?);
        // A lookup for a write does not set an output of the node.
        let end_of_reads =
            if let PlanEnd::Writes(_, write) = end { write } else { self.look_ups.len() as u32 };
        Some(CompiledPlan { look_ups: (first, end_of_reads), end })
    }

    /// Returns the end of a plan whose lookups will be added next.
    fn plan_end(&self, plan: &Plan, next: u16) -> Option<PlanEnd> {
        let writes = plan.look_ups.iter().position(|look_up| look_up.writes);
        match (plan.external_changes, writes) {
            (0, None) => Some(PlanEnd::Settled(next)),
            (0, Some(at)) if at + 1 == plan.look_ups.len() => {
                Some(PlanEnd::Writes(next, (self.look_ups.len() + at) as u32))
            }
            (moves, None) if self.keeps_outputs(next, moves) => Some(PlanEnd::MovesIndex(next)),
            (_, None) => Some(PlanEnd::MovesStrobes(next)),
            // An edge that writes and also changes external inputs is rare, so it has no plan.
            (_, Some(_)) => None,
        }
    }

    fn look_ups(&self, (first, end): (u32, u32)) -> &[CompiledLookUp] {
        &self.look_ups[first as usize..end as usize]
    }

    /// Returns whether the outputs of the sequencer at this index stay the same for all levels of
    /// these bits.
    fn keeps_outputs(&self, index: u16, bits: u16) -> bool {
        subsets(u32::from(bits)).all(|set| self.has_same_outputs(index, index & !bits | set as u16))
    }

    /// Returns whether the sequencer is also settled at the other index and has the same outputs
    /// there.
    pub(crate) fn has_same_outputs(&self, index: u16, other: u16) -> bool {
        index == other
            || self.sequencer.settled_index(other) == Some(other)
                && self.sequencer.shown(index) == self.sequencer.shown(other)
    }
}

impl CompiledLookUp {
    /// Compiles a lookup of a plan, if it has few enough segments.
    fn compile(look_up: &LookUp, wiring: &Wiring, image: &MemoryImage) -> Option<Self> {
        let mut segments = [Segment::default(); SEGMENTS_MAX];
        segments.get_mut(..look_up.segments.len())?.copy_from_slice(&look_up.segments);
        let base = match (&wiring.nodes()[look_up.node].kind, look_up.writes) {
            (NodeKind::Rom(_) | NodeKind::Program, _) => {
                image.first_byte(look_up.node) + look_up.levels
            }
            (NodeKind::Ram, false) => {
                image.first_byte(look_up.node) + u32::from(ram_cell(look_up.levels))
            }
            (NodeKind::Ram, true) => look_up.levels,
            (NodeKind::Outside | NodeKind::Shared, _) => return None,
        };
        Some(Self { node: look_up.node as u8, base, segments })
    }

    pub(crate) fn node(&self) -> usize {
        self.node.into()
    }

    /// The wires of the address that are not known in advance.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(|segment| segment.mask != 0)
    }

    /// Computes the address from the segments.
    #[inline]
    fn address(&self, outputs: &Outputs) -> u32 {
        let segments = self.segments.iter();
        segments.fold(self.base, |address, segment| address + segment.gather(outputs))
    }
}

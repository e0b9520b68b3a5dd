//! Plans compiled for execution: what each edge of the oscillator does, by the sequencer's index.

use gray1_board::table::subsets;

use super::planner::{LookUp, Movement, Plan, derived_in_order};
use super::sensitivity::Sensitivities;
use super::sequencer::Sequencer;
use crate::nodes::memory_image::MemoryImage;
use crate::nodes::powered::Powered;
use crate::nodes::wiring::{
    NODES_MAX, NodeKind, OSCILLATOR, OutputBit, Outputs, Segment, Wiring, ram_cell, ram_data,
    segments,
};

/// The plans of a board, each compiled when it is first needed, and where the sequencer stands.
#[derive(Debug, Clone)]
pub(crate) struct CompiledPlans {
    wiring: Wiring,
    sequencer: Sequencer,
    sensitivities: Sensitivities,
    /// The nodes with wires that no chip remembers, each after those that it depends on: for all
    /// indexes, or for each if the chips that read one another form a circle.
    derived: Vec<Vec<usize>>,
    /// The index at which the sequencer stands, at rest; or, if it stands nowhere, behind its
    /// indexes.
    index: u16,
    /// The effect of the next edge, by index; behind the indexes nothing is planned.
    plans: Vec<CompiledPlan>,
    look_ups: Vec<CompiledLookUp>,
    /// The wires that the sequencer reads from elsewhere, as bits of its index.
    foreign: [Segment; SEGMENTS_MAX],
    foreign_bits: u16,
}

/// The effect of the next edge of the oscillator at one index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompiledPlan {
    /// The number of its first look-up, and that behind its last one.
    look_ups: (u32, u32),
    pub(crate) end: PlanEnd,
}

/// The work that remains after the look-ups of a plan, with the index of the sequencer after
/// the edge, before wires from elsewhere have moved.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PlanEnd {
    /// The plan is still to be made.
    ToBePlanned,
    /// Nothing.
    Rests(u16),
    /// The sequencer's wires from elsewhere have to be read again; its strobes stay.
    MovesIndex(u16),
    /// The same, and its strobes may answer, which is not planned.
    MovesStrobes(u16),
    /// Data memory takes a byte: this look-up gives address and byte.
    Writes(u16, u32),
    /// There is no plan.
    Unplanned,
}

/// The most segments of wires that a look-up gathers; what needs more is not planned.
const SEGMENTS_MAX: usize = 4;

/// A node to look up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompiledLookUp {
    node: u8,
    /// The first byte of its contents, plus the known levels of its address.
    base: u32,
    segments: [Segment; SEGMENTS_MAX],
}

impl CompiledPlan {
    /// A plan without look-ups.
    const fn empty(end: PlanEnd) -> Self {
        Self { look_ups: (0, 0), end }
    }
}

impl CompiledPlans {
    /// The plans of a board that can be planned.
    pub(crate) fn of(wiring: Wiring) -> Option<Self> {
        let sequencer = Sequencer::of(&wiring)?;
        let mut sensitivities = Sensitivities::default();
        let derived = derived_in_order(&wiring, &sequencer, |_| [u8::MAX; 32]);
        let mut at_index = |index| {
            let held = Movement::of_strobes(&wiring, &sequencer, 0, index, index).after;
            let moves = |node: usize| sensitivities.of(&wiring, node, held[node]).moves;
            let rests = sequencer.rest(index) == Some(index);
            if rests { derived_in_order(&wiring, &sequencer, moves) } else { Some(Vec::new()) }
        };
        let indexes = 0..sequencer.indexes() as u16;
        let derived = match derived {
            Some(order) => vec![order],
            None => indexes.map(&mut at_index).collect::<Option<_>>()?,
        };
        let bits = sequencer.foreign().map(|(bit, wire)| (bit.trailing_zeros() as u8, wire));
        let pins: Vec<(u8, OutputBit)> = bits.collect();
        let mut foreign = [Segment::default(); SEGMENTS_MAX];
        let gathered = segments(&pins, u32::MAX);
        foreign.get_mut(..gathered.len())?.copy_from_slice(&gathered);
        let mut plans = vec![CompiledPlan::empty(PlanEnd::ToBePlanned); sequencer.indexes()];
        plans.push(CompiledPlan::empty(PlanEnd::Unplanned));
        Some(Self {
            sensitivities,
            derived,
            index: sequencer.indexes() as u16,
            plans,
            look_ups: Vec::new(),
            foreign,
            foreign_bits: pins.iter().fold(0, |bits, (bit, _)| bits | 1 << bit),
            sequencer,
            wiring,
        })
    }

    /// The nodes that the plans are made for.
    pub(crate) const fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// Takes the sequencer's state from what the nodes show.
    pub(crate) fn sync_sequencer(&mut self, outputs: &Outputs) {
        let nowhere = self.sequencer.indexes() as u16;
        self.index = self.sequencer.index_at_rest(outputs).unwrap_or(nowhere);
    }

    /// Goes to where the sequencer is known to be at rest.
    pub(crate) const fn set_index(&mut self, index: u16) {
        self.index = index;
    }

    /// The index at which the sequencer stands, at rest.
    pub(crate) fn index(&self) -> Option<u16> {
        (usize::from(self.index) < self.sequencer.indexes()).then_some(self.index)
    }

    /// The sequencer.
    pub(crate) const fn sequencer(&self) -> &Sequencer {
        &self.sequencer
    }

    /// The bytes that all nodes show, those included that the plans do not bring up to date.
    pub(crate) fn complete(&self, board: &Powered) -> Outputs {
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

    /// Writes what the sequencer's nodes show.
    #[inline]
    pub(crate) fn show_sequencer(&self, outputs: &mut Outputs) {
        if self.index().is_some() {
            self.sequencer.show(self.index, outputs);
        }
    }

    /// True if a wire has to be looked up to be known.
    pub(crate) fn is_derived(&self, wire: OutputBit) -> bool {
        self.wiring.is_derived(wire) && !self.sequencer.nodes().contains(&wire.node)
    }

    /// Turns the oscillator over; false if that is not planned, and nothing has moved.
    #[inline]
    pub(crate) fn advance(&mut self, board: &mut Powered) -> bool {
        let plan = self.plan(self.index, &board.image);
        let (next, look_up) = match plan.end {
            PlanEnd::Rests(next) | PlanEnd::MovesIndex(next) => (next, None),
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
    fn look_up(&self, plan: CompiledPlan, board: &mut Powered) {
        for look_up in self.look_ups(plan.look_ups) {
            let shown = board.image.byte(look_up.address(&board.outputs));
            board.outputs[usize::from(look_up.node) % NODES_MAX] = shown;
        }
    }

    /// An edge after which the strobes must not answer to what they have brought about: that is
    /// not planned.
    fn try_edge(&mut self, plan: CompiledPlan, next: u16, board: &mut Powered) -> bool {
        let before = board.outputs;
        self.look_up(plan, board);
        let reread = self.reread(next, &board.outputs);
        let is_right = self.shows_alike(next, reread);
        if is_right {
            self.index = reread;
        } else {
            board.outputs = before;
        }
        is_right
    }

    /// The index with the wires from elsewhere as they are now.
    #[inline]
    fn reread(&self, index: u16, outputs: &Outputs) -> u16 {
        let bits = self.foreign.iter().fold(0, |bits, segment| bits | segment.of(outputs));
        self.with_foreign(index, bits as u16)
    }

    /// The plan of the edge at an index, made if need be.
    #[inline]
    pub(crate) fn plan(&mut self, index: u16, image: &MemoryImage) -> CompiledPlan {
        if let PlanEnd::ToBePlanned = self.plans[usize::from(index)].end {
            let planned = self.plan_edge(index, image);
            self.plans[usize::from(index)] =
                planned.unwrap_or(CompiledPlan::empty(PlanEnd::Unplanned));
        }
        self.plans[usize::from(index)]
    }

    /// The look-ups of a plan, and the byte that data memory takes then.
    pub(crate) fn look_ups_of(
        &self,
        plan: CompiledPlan,
    ) -> (&[CompiledLookUp], Option<CompiledLookUp>) {
        let write = match plan.end {
            PlanEnd::Writes(_, write) => Some(self.look_ups[write as usize]),
            _ => None,
        };
        (self.look_ups(plan.look_ups), write)
    }

    /// The levels of the wires that the sequencer reads from elsewhere, as bits of its index; and
    /// the bits whose levels are not known.
    pub(crate) fn foreign_levels(&self, level: impl Fn(OutputBit) -> Option<bool>) -> (u16, u16) {
        self.sequencer.foreign().fold((0, 0), |(high, open), (bit, wire)| match level(wire) {
            Some(true) => (high | bit, open),
            Some(false) => (high, open),
            None => (high, open | bit),
        })
    }

    /// The index with other levels of the wires from elsewhere.
    pub(crate) const fn with_foreign(&self, index: u16, levels: u16) -> u16 {
        index & !self.foreign_bits | levels
    }

    /// Plans the edge at an index.
    #[cold]
    fn plan_edge(&mut self, index: u16, image: &MemoryImage) -> Option<CompiledPlan> {
        let next = self.sequencer.rest(index ^ u16::from(OSCILLATOR))?;
        let Self { sensitivities, wiring, sequencer, .. } = self;
        let plan = Plan::of(sensitivities, wiring, sequencer, index, next)?;
        let compile = |look_up: &LookUp| CompiledLookUp::of(look_up, &self.wiring, image);
        let look_ups: Vec<CompiledLookUp> =
            plan.look_ups.iter().map(compile).collect::<Option<_>>()?;
        let end = self.end(&plan, next)?;
        let mut look_ups = self.keep(look_ups);
        if let PlanEnd::Writes(..) = end {
            // The written wire is not an output of the node.
            look_ups.1 -= 1;
        }
        Some(CompiledPlan { look_ups, end })
    }

    /// The end of a plan whose look-ups are about to be kept.
    fn end(&self, plan: &Plan, next: u16) -> Option<PlanEnd> {
        let writes = plan.look_ups.iter().position(|look_up| look_up.writes);
        match (plan.foreign_moves, writes) {
            (0, None) => Some(PlanEnd::Rests(next)),
            (0, Some(at)) if at + 1 == plan.look_ups.len() => {
                Some(PlanEnd::Writes(next, (self.look_ups.len() + at) as u32))
            }
            (moves, None) if self.stays_alike(next, moves) => Some(PlanEnd::MovesIndex(next)),
            (_, None) => Some(PlanEnd::MovesStrobes(next)),
            // A board that writes and moves at once is not worth a plan.
            (_, Some(_)) => None,
        }
    }

    fn look_ups(&self, (first, end): (u32, u32)) -> &[CompiledLookUp] {
        &self.look_ups[first as usize..end as usize]
    }

    fn keep(&mut self, look_ups: Vec<CompiledLookUp>) -> (u32, u32) {
        let first = self.look_ups.len() as u32;
        self.look_ups.extend(look_ups);
        (first, self.look_ups.len() as u32)
    }

    /// True if the sequencer shows the same at this index whatever these of its bits become.
    fn stays_alike(&self, index: u16, bits: u16) -> bool {
        subsets(u32::from(bits)).all(|set| self.shows_alike(index, index & !bits | set as u16))
    }

    /// True if the sequencer is at rest at the other index too, and shows the same there.
    pub(crate) fn shows_alike(&self, index: u16, other: u16) -> bool {
        index == other
            || self.sequencer.rest(other) == Some(other)
                && self.sequencer.shown(index) == self.sequencer.shown(other)
    }
}

impl CompiledLookUp {
    /// A look-up of a plan, if it fits.
    fn of(look_up: &LookUp, wiring: &Wiring, image: &MemoryImage) -> Option<Self> {
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

    /// The first byte of the node's contents, plus the known levels of its address.
    pub(crate) const fn base(&self) -> u32 {
        self.base
    }

    /// The wires of the address that are not known beforehand.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(|segment| segment.mask != 0)
    }

    /// The address, gathered from the segments of wires.
    #[inline]
    fn address(&self, outputs: &Outputs) -> u32 {
        let segments = self.segments.iter();
        segments.fold(self.base, |address, segment| address + segment.of(outputs))
    }
}

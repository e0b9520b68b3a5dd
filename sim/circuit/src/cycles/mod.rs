//! Cached cycles: the effect of a whole cycle of the sequencer as a few table lookups. They depend
//! on the contents of the chips, so the settled circuit discards them when a chip is burned.
//!
//! Nodes that store bits are divided into two groups. *Data* nodes are those that data memory can
//! affect, except the nodes that the sequencer reads. All others are *control* nodes. Everything in
//! a cycle except the bytes of data follows from the control nodes and the sequencer's index. The
//! control nodes and the index are therefore the key of a cached cycle. The plans of the cycle are
//! combined (in `recording`) into one table for each byte that it changes. A cycle is not cached if
//! it cannot be composed or has an edge without a plan.
//!
//! The settled state between two cycles is exact for every wire. The states within a cycle are
//! skipped.

mod composed;
mod recording;

use gray1_isa::{RamAddr, Write};

use crate::interface::Circuit;
use crate::nodes::memory_image::{BytePlace, MemoryImage, NOTHING, node_place};
use crate::nodes::powered::PoweredBoard;
use crate::nodes::wiring::{NODES_MAX, NodeKind, Outputs, Wiring};
use crate::plans::compiled::CompiledPlans;
use crate::plans::sequencer::Sequencer;
use crate::probe::Probe;
use crate::quick_hash::QuickMap;
use composed::{Functions, SymbolicByte};
use recording::{CycleRecorder, SymbolicState};

/// The maximum number of cached cycles. No more are added after that.
const CYCLES_MAX: usize = 1 << 16;
/// The maximum number of bytes that a cached cycle changes. The last one is in data memory.
const CHANGES_MAX: usize = 3;

/// A circuit that can run several cycles at once from a cache. The default implementation has no
/// cache.
pub trait RunsCycles: Circuit {
    /// Runs up to `limit` cycles of `edges` edges each while they can be cached, and returns their
    /// number. The wires in `phase` must all belong to the sequencer; otherwise no cycle runs. Of
    /// the stores to data memory, only those to the `reported` address are added to
    /// [`Circuit::writes`].
    ///
    /// Stops before a cycle if `stops_before` is true for the address of the program chip. Also
    /// stops if that address may stay the same in the next cycle.
    fn run_cycles(
        &mut self,
        _phase: &Probe,
        _edges: u32,
        _limit: u64,
        _reported: RamAddr,
        _stops_before: impl Fn(u32) -> bool,
    ) -> u64 {
        0
    }
}

/// The cached cycles of a board.
#[derive(Debug, Clone)]
pub(super) struct Cycles {
    nodes: ControlAndData,
    functions: Functions,
    numbers: QuickMap<Control, u32>,
    /// The key of each cycle.
    controls: Vec<Control>,
    entries: Vec<Cycle>,
    /// The successors of all cycles. Each cycle has one for every value of its decision.
    next: Vec<u32>,
}

/// The nodes that store bits.
#[derive(Debug, Clone)]
struct ControlAndData {
    /// The control nodes, and the bits that each one stores.
    control: Vec<(usize, u8)>,
    data: Vec<usize>,
    program: usize,
}

/// The key of a cycle: the index of the sequencer, and the bits of the control nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Control {
    index: u16,
    shown: Outputs,
}

/// The effect of a cycle.
#[derive(Debug, Clone, Copy)]
// The size of a cache line of the host.
#[repr(align(64))]
struct Cycle {
    changes: [ChangedByte; CHANGES_MAX],
    /// The byte that selects the next cycle. Constant 0 if the next cycle does not depend on data.
    decision: SymbolicByte,
    /// The start of its successors in [`Cycles::next`].
    next: u32,
    /// The address of the program chip at the start of the cycle.
    address: u32,
    /// The cell of data memory that is written.
    written: Option<RamAddr>,
    state: CycleState,
}

#[derive(Debug, Clone, Copy)]
struct ChangedByte {
    place: BytePlace,
    to: SymbolicByte,
}

/// Whether a cycle has been composed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CycleState {
    New,
    Cached,
    /// It cannot be cached, or the next cycle may start with the same address.
    Uncacheable,
}

impl Cycles {
    /// Creates an empty cache. Returns `None` if the address of the program chip is not part of the
    /// control nodes.
    pub(super) fn new(plans: &CompiledPlans) -> Option<Self> {
        Some(Self {
            nodes: ControlAndData::divide(&plans.wiring, &plans.sequencer)?,
            functions: Functions::new(),
            numbers: QuickMap::default(),
            controls: Vec::new(),
            entries: Vec::new(),
            next: Vec::new(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Discards all cycles.
    pub(super) fn clear(&mut self) {
        self.functions = Functions::new();
        self.numbers.clear();
        self.controls.clear();
        self.entries.clear();
        self.next.clear();
    }

    /// Runs cycles as described at [`RunsCycles`].
    #[inline]
    pub(super) fn run(
        &mut self,
        plans: &mut CompiledPlans,
        board: &mut PoweredBoard,
        limit: u64,
        reported: RamAddr,
        stops_before: impl Fn(u32) -> bool,
    ) -> u64 {
        let control = plans.index().map(|index| self.nodes.control(index, &board.outputs));
        let Some(mut at) = control.and_then(|control| self.cycle_number(control)) else { return 0 };
        let places = board.image.places_mut();
        for &node in &self.nodes.data {
            places[usize::from(node_place(node))] = board.outputs[node];
        }
        let mut left = limit;
        loop {
            left -= self.advance(&mut at, left, board, reported, &stops_before);
            match (left, self.entries[at as usize].state) {
                (1.., CycleState::New) => {
                    self.entries[at as usize] = self.record(at, plans, &board.image);
                }
                _ => break,
            }
        }
        if left < limit {
            self.write_back(at, plans, board);
        }
        limit - left
    }

    /// Runs up to `limit` cached cycles and returns their number.
    #[inline]
    fn advance(
        &self,
        at: &mut u32,
        limit: u64,
        board: &mut PoweredBoard,
        reported: RamAddr,
        stops_before: &impl Fn(u32) -> bool,
    ) -> u64 {
        let places = board.image.places_mut();
        for done in 0..limit {
            let cycle = &self.entries[*at as usize];
            if cycle.state != CycleState::Cached || stops_before(cycle.address) {
                return done;
            }
            let decision = self.functions.byte(cycle.decision, places);
            let mut bytes = [0; CHANGES_MAX];
            for (byte, change) in bytes.iter_mut().zip(&cycle.changes) {
                *byte = self.functions.byte(change.to, places);
            }
            if let Some(address) = cycle.written.filter(|address| *address == reported) {
                let (old, new) = (places[address.to_usize()], bytes[CHANGES_MAX - 1]);
                board.writes.push(Write { address, old, new });
            }
            for (byte, change) in bytes.into_iter().zip(&cycle.changes) {
                places[usize::from(change.place)] = byte;
            }
            *at = self.next[cycle.next as usize + usize::from(decision)];
        }
        limit
    }

    /// Sets the board to the state before a cycle.
    fn write_back(&self, at: u32, plans: &mut CompiledPlans, board: &mut PoweredBoard) {
        let control = &self.controls[at as usize];
        plans.set_index(control.index);
        plans.show_sequencer(&mut board.outputs);
        for &(node, _) in &self.nodes.control {
            board.outputs[node] = control.shown[node];
        }
        let places = board.image.places_mut();
        for &node in &self.nodes.data {
            board.outputs[node] = places[usize::from(node_place(node))];
        }
    }

    /// Returns the number of a cycle. Adds it if there is room.
    fn cycle_number(&mut self, control: Control) -> Option<u32> {
        if let Some(number) = self.numbers.get(&control) {
            return Some(*number);
        }
        let number = self.entries.len();
        if number == CYCLES_MAX {
            return None;
        }
        self.numbers.insert(control, number as u32);
        self.controls.push(control);
        self.entries.push(Cycle::in_state(CycleState::New));
        Some(number as u32)
    }

    #[cold]
    fn record(&mut self, number: u32, plans: &mut CompiledPlans, image: &MemoryImage) -> Cycle {
        let cycle = self.compose(self.controls[number as usize], plans, image);
        cycle.unwrap_or(Cycle::in_state(CycleState::Uncacheable))
    }

    /// Composes a cycle from its plans.
    fn compose(
        &mut self,
        control: Control,
        plans: &mut CompiledPlans,
        image: &MemoryImage,
    ) -> Option<Cycle> {
        let edges = plans.sequencer.cycle_edges(control.index)?;
        let from = self.nodes.symbolic_state(control);
        let mut recorder = CycleRecorder { plans, image, functions: &mut self.functions };
        let to = recorder.follow(from.clone(), edges)?;
        let mut cycle = Cycle::in_state(CycleState::Cached);
        let moved = self.nodes.data.iter().filter(|&&node| to.shown[node] != from.shown[node]);
        let mut changes: Vec<ChangedByte> = Vec::new();
        for &node in moved {
            changes.push(ChangedByte { place: node_place(node), to: to.shown[node]? });
        }
        cycle.changes[..CHANGES_MAX - 1].get_mut(..changes.len())?.copy_from_slice(&changes);
        if let Some((cell, to)) = to.written {
            if plans.wiring.buttons_cell() == Some(cell) {
                return None;
            }
            cycle.changes[CHANGES_MAX - 1] = ChangedByte { place: cell, to };
            cycle.written = Some(RamAddr::truncate(cell));
        }
        cycle.address = self.nodes.address(control, &plans.wiring);
        self.add_next(&mut cycle, &to, plans)?;
        Some(cycle)
    }

    /// Finds the cycles that can follow a cycle that ends in this state. Returns `None` if one of
    /// them has the same address of the program chip.
    fn add_next(
        &mut self,
        cycle: &mut Cycle,
        end: &SymbolicState,
        plans: &CompiledPlans,
    ) -> Option<()> {
        let mut outputs = [0; NODES_MAX];
        let mut open = None;
        for &(node, _) in &self.nodes.control {
            let shown = end.shown[node]?;
            match shown.constant_value() {
                Some(byte) => outputs[node] = byte,
                None if open.is_some() => return None,
                None => open = Some((node, shown)),
            }
        }
        let bytes = match open {
            None => vec![0],
            Some((_, decision)) => {
                cycle.decision = decision;
                self.functions.range(decision).to_vec()
            }
        };
        let mut next = vec![0; 1 + usize::from(*bytes.iter().max()?)];
        for byte in bytes {
            if let Some((node, _)) = open {
                outputs[node] = byte;
            }
            let (levels, _) = plans.external_levels(|wire| Some(wire.is_high(&outputs)));
            let index = plans.with_external_levels(end.index, levels);
            let control = self.nodes.control(index, &outputs);
            if self.nodes.address(control, &plans.wiring) == cycle.address {
                return None;
            }
            next[usize::from(byte)] = self.cycle_number(control)?;
        }
        cycle.next = self.next.len() as u32;
        self.next.extend(next);
        Some(())
    }
}

impl Cycle {
    const fn in_state(state: CycleState) -> Self {
        let nothing = SymbolicByte::constant(0);
        Self {
            changes: [ChangedByte { place: NOTHING, to: nothing }; CHANGES_MAX],
            decision: nothing,
            next: 0,
            address: 0,
            written: None,
            state,
        }
    }
}

impl ControlAndData {
    fn divide(wiring: &Wiring, sequencer: &Sequencer) -> Option<Self> {
        let mut all = wiring.nodes().iter();
        let program = all.position(|node| matches!(node.kind, NodeKind::Program))?;
        let reached = reached_by_memory(wiring, sequencer);
        let mut nodes = Self { control: Vec::new(), data: Vec::new(), program };
        for node in (0..wiring.nodes().len()).filter(|node| !sequencer.nodes().contains(node)) {
            let own = wiring.nodes()[node].pins.iter().filter(|(_, wire)| wire.node == node);
            let decides = sequencer.inputs().any(|(_, wire)| wire.node == node);
            match own.fold(0, |wires, (_, wire)| wires | 1 << wire.bit) {
                0 => {}
                _ if reached[node] && !decides => nodes.data.push(node),
                wires => nodes.control.push((node, wires)),
            }
        }
        nodes.data.extend(wiring.buttons());
        let mut address = wiring.nodes()[program].pins.iter();
        let is_known = address.all(|(_, wire)| {
            let mut control = nodes.control.iter();
            control.any(|(node, wires)| *node == wire.node && wires >> wire.bit & 1 == 1)
        });
        is_known.then_some(nodes)
    }

    /// Returns the key for this state of the nodes.
    fn control(&self, index: u16, outputs: &Outputs) -> Control {
        let mut shown = [0; NODES_MAX];
        for &(node, wires) in &self.control {
            shown[node] = outputs[node] & wires;
        }
        Control { index, shown }
    }

    /// Returns the symbolic state before a cycle, with the data bytes as variables.
    fn symbolic_state(&self, Control { index, shown }: Control) -> SymbolicState {
        let mut values = [None; NODES_MAX];
        for &(node, _) in &self.control {
            values[node] = Some(SymbolicByte::constant(shown[node]));
        }
        for &node in &self.data {
            values[node] = Some(SymbolicByte::stored_at(node_place(node)));
        }
        SymbolicState { index, shown: values, written: None }
    }

    fn address(&self, control: Control, wiring: &Wiring) -> u32 {
        wiring.address(self.program, &control.shown)
    }
}

/// Returns the nodes that the output of data memory can affect without passing through the
/// sequencer.
fn reached_by_memory(wiring: &Wiring, sequencer: &Sequencer) -> [bool; NODES_MAX] {
    let mut reached = [false; NODES_MAX];
    reached[wiring.memory()] = true;
    loop {
        let before = reached;
        for (node, wired) in wiring.nodes().iter().enumerate() {
            let reads = wired.pins.iter().any(|(_, wire)| reached[wire.node]);
            reached[node] |= reads && !sequencer.nodes().contains(&node);
        }
        if reached == before {
            return reached;
        }
    }
}

#[cfg(test)]
mod tests;

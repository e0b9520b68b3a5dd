//! Makes plans: the lookups, in order, for a transition of the sequencer.
//!
//! In a transition, all strobes are known before and after. They determine the inputs that each
//! node depends on, and so the wires that can change. A plan lists the nodes that can change, and
//! the tables they read, in order of dependency. It is valid if such an order exists and if no
//! latch or counter can be reached on two paths, because then every order of responses ends in the
//! same state. Otherwise there is no plan, and the engine tries all orders.
//!
//! Some wires are not stored by any chip: outputs of tables, and outputs of latches and counters
//! that are not fed back. They are only looked up when a chip that stores bits depends on them.
//! Shared wires need no lookup because their driver is known.

use std::sync::Arc;

use gray1_board::FixedPins;

use super::sensitivity::{Sensitivities, Sensitivity};
use super::sequencer::Sequencer;
use crate::nodes::wiring::{
    NODES_MAX, NodeKind, OUTSIDE, OutputBit, Outputs, RAM_WRITE_LOW, Segment, Wiring, segments,
};

/// A lookup in the contents of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LookUp {
    pub(crate) node: usize,
    /// True if the lookup stores the levels of the data pins instead of updating the output.
    pub(crate) writes: bool,
    /// The levels of the known address pins.
    pub(crate) levels: u32,
    /// The other pins that the node depends on.
    pub(crate) segments: Vec<Segment>,
}

/// The lookups for one transition of the sequencer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) look_ups: Vec<LookUp>,
    /// The external inputs of the sequencer that can change, as bits of its index.
    pub(crate) external_changes: u16,
}

/// The state before or after a transition of the sequencer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// What is known about a transition.
#[derive(Debug, Clone)]
pub struct Movement {
    /// For each node, the pins whose levels are known, and their levels before the transition.
    pub before: Vec<FixedPins>,
    /// For each node, the pins whose levels are known, and their levels after the transition.
    pub after: Vec<FixedPins>,
    /// The output wires that can change, by node. Those of the sequencer are left out.
    pub wires: Outputs,
    /// The external inputs of the sequencer that can change, as bits of its index.
    pub external: u16,
}

/// A transition that is being planned.
struct Planning<'a> {
    wiring: &'a Wiring,
    sensitivities: &'a mut Sensitivities,
    movement: Movement,
    /// Whether only some wires of a table may be looked up.
    splits: bool,
}

impl Plan {
    /// Makes the plan for a transition between two settled indexes of the sequencer, if it has one.
    pub(crate) fn make(
        sensitivities: &mut Sensitivities,
        wiring: &Wiring,
        sequencer: &Sequencer,
        from: u16,
        to: u16,
    ) -> Option<Self> {
        let movement = Movement::find(sensitivities, wiring, sequencer, (from, to), 0);
        let mut transition = Planning { wiring, sensitivities, movement, splits: false };
        // Wires that were assumed to change may turn out to be constant.
        let moving = sequencer.inputs().filter(|(_, wire)| transition.can_move(*wire));
        let external_changes = moving.fold(0, |bits, (bit, _)| bits | bit);
        let whole = transition.order_look_ups();
        transition.splits = true;
        Some(Self { look_ups: whole.or_else(|| transition.order_look_ups())?, external_changes })
    }
}

impl Movement {
    /// Finds the wires that can change in a transition between two settled indexes of the
    /// sequencer. `still` has the external inputs that do not change, as bits of the index.
    pub fn find(
        sensitivities: &mut Sensitivities,
        wiring: &Wiring,
        sequencer: &Sequencer,
        (from, to): (u16, u16),
        still: u16,
    ) -> Self {
        let mut external = 0;
        loop {
            let movement = Self::from_strobes(wiring, sequencer, external, from, to);
            let mut transition = Planning { wiring, sensitivities, movement, splits: false };
            transition.find_moves(sequencer.nodes());
            let moving = sequencer.inputs().filter(|(_, wire)| transition.can_move(*wire));
            let moving = moving.fold(external, |bits, (bit, _)| bits | bit) & !still;
            if moving == external {
                return transition.movement;
            }
            debug_assert!(moving & external == external && moving != external, "more wires move");
            external = moving;
        }
    }

    /// Returns the levels before and after when only the strobes change. External inputs are known
    /// unless they are in `external`.
    pub(super) fn from_strobes(
        wiring: &Wiring,
        sequencer: &Sequencer,
        external: u16,
        from: u16,
        to: u16,
    ) -> Self {
        let still = sequencer.inputs().filter(|(bit, _)| external & bit == 0);
        let still: Vec<(u16, OutputBit)> = still.collect();
        let levels = |index: u16| {
            let mut outputs = [0; NODES_MAX];
            for (bit, wire) in &still {
                outputs[wire.node] |= u8::from(index & bit != 0) << wire.bit;
            }
            sequencer.show(index, &mut outputs);
            outputs
        };
        let fixed = |outputs: Outputs| {
            let fixed = wiring.nodes().iter().map(|node| {
                let mut fixed = node.tied;
                let known = node.pins.iter().filter(|(_, wire)| {
                    wire.node == OUTSIDE
                        || sequencer.nodes().contains(&wire.node)
                        || still.iter().any(|(_, still)| still == wire)
                });
                for (pin, wire) in known {
                    fixed.pins |= 1 << pin;
                    fixed.levels |= u32::from(wire.is_high(&outputs)) << pin;
                }
                fixed
            });
            fixed.collect()
        };
        let wires = [0; NODES_MAX];
        Self { before: fixed(levels(from)), after: fixed(levels(to)), wires, external }
    }
}

impl Planning<'_> {
    fn can_move(&self, wire: OutputBit) -> bool {
        self.movement.wires[wire.node] >> wire.bit & 1 == 1
    }

    /// Returns the known pins of a node before or after the transition.
    fn fixed_pins(&self, node: usize, side: Side) -> FixedPins {
        match side {
            Side::Before => self.movement.before[node],
            Side::After => self.movement.after[node],
        }
    }

    fn sensitivity(&mut self, node: usize, side: Side) -> Arc<Sensitivity> {
        self.sensitivities.get(self.wiring, node, self.fixed_pins(node, side))
    }

    /// Returns the unknown address pins of a node that can change, without its own feedback.
    fn moving_pins(&self, node: usize) -> u32 {
        let (fixed, node) = (self.movement.after[node].pins, &self.wiring.nodes()[node]);
        node.pins_reading(|wire| self.can_move(wire)) & !fixed & !node.own
    }

    /// Finds all wires that can change, starting from the strobes that change.
    fn find_moves(&mut self, sequencer: &[usize]) {
        let nodes = (0..self.wiring.nodes().len()).filter(|node| !sequencer.contains(node));
        let both = [Side::Before, Side::After];
        let nodes: Vec<(usize, [Arc<Sensitivity>; 2])> =
            nodes.map(|node| (node, both.map(|side| self.sensitivity(node, side)))).collect();
        for (node, _) in &nodes {
            self.movement.wires[*node] |= self.changed_by_strobes(*node);
        }
        loop {
            let before = self.movement.wires;
            for (node, sensitivities) in &nodes {
                let pins = self.moving_pins(*node);
                for sensitivity in sensitivities {
                    self.movement.wires[*node] |= sensitivity.moved_by(pins);
                }
            }
            if self.movement.wires == before {
                return;
            }
        }
    }

    /// Returns the wires of a node that can change because of the strobes alone.
    fn changed_by_strobes(&mut self, node: usize) -> u8 {
        let (before, after) = (self.movement.before[node], self.movement.after[node]);
        self.sensitivities.moved(self.wiring, node, before, after)
    }

    /// Returns the lookups in order, or `None` if the result could depend on the order of
    /// responses.
    fn order_look_ups(&mut self) -> Option<Vec<LookUp>> {
        let mut look_ups = self.end_write()?;
        let mut order = LookUpOrder::default();
        for (node, wired) in self.wiring.nodes().iter().enumerate() {
            let mut stored = wired.pins.iter().filter(|(_, wire)| wire.node == node);
            if stored.any(|(_, wire)| self.can_move(*wire)) {
                self.check_memory(node)?;
                self.visit(node, u8::MAX, Side::After, &mut order)?;
            }
        }
        let after: Vec<LookUp> =
            order.done.into_iter().map(|node| self.look_up(node, Side::After)).collect();
        let write = look_ups.pop_if(|write| !after.is_empty() && self.can_come_last(write, &after));
        look_ups.extend(after);
        look_ups.extend(write);
        Some(look_ups)
    }

    /// Returns whether the write of data memory may come after these lookups. They must not read
    /// data memory or change the address or value of the write.
    fn can_come_last(&self, write: &LookUp, look_ups: &[LookUp]) -> bool {
        let memory = self.wiring.memory();
        let mut used = write.segments.iter().map(|it| usize::from(it.node)).chain([memory]);
        write.writes && used.all(|node| look_ups.iter().all(|one| one.node != node))
    }

    /// Returns the lookups that end a write, in the state before the strobes change. Returns `None`
    /// if the address changes during a write.
    fn end_write(&mut self) -> Option<Vec<LookUp>> {
        let memory = self.wiring.memory();
        let (before, after) = (self.movement.before[memory], self.movement.after[memory]);
        if before.pins & RAM_WRITE_LOW == 0 {
            return None;
        }
        let low = |fixed: FixedPins| fixed.levels & RAM_WRITE_LOW == 0;
        let cell_pins = RAM_WRITE_LOW - 1;
        let cell_moves = (before.levels ^ after.levels) & cell_pins != 0
            || self.moving_pins(memory) & cell_pins != 0;
        if (low(before) || low(after)) && cell_moves {
            return None;
        }
        if !low(before) || low(after) {
            return Some(Vec::new());
        }
        let mut order = LookUpOrder::default();
        let pins = self.wiring.nodes()[memory].wired() & !before.pins;
        self.visit_sources(memory, pins, Side::Before, &mut order)?;
        let mut look_ups: Vec<LookUp> =
            order.done.into_iter().map(|node| self.look_up(node, Side::Before)).collect();
        let segments = self.segments(memory, pins, Side::Before);
        look_ups.push(LookUp { node: memory, writes: true, levels: before.levels, segments });
        Some(look_ups)
    }

    /// Rejects a node whose stored bits could depend on the order in which two wires change.
    fn check_memory(&mut self, node: usize) -> Option<()> {
        let own = self.wiring.nodes()[node].own;
        let after = self.sensitivity(node, Side::After);
        if !after.settles_in_one_step {
            return None;
        }
        let fed_back = own & after.pins_affecting(u8::MAX);
        let pins = self.wiring.nodes()[node].pins.iter();
        let stored = pins.filter(|(pin, _)| fed_back >> pin & 1 == 1);
        let stored = stored.fold(0, |wires, (_, wire)| wires | 1 << wire.bit);
        (stored == 0 || self.arrives_once(node, stored, 0)).then_some(())
    }

    /// Returns whether a change can reach these wires of a node on at most one path: directly from
    /// the strobes, or through one other node that is itself reached on one path.
    fn arrives_once(&mut self, node: usize, wires: u8, depth: usize) -> bool {
        if depth > self.wiring.nodes().len() {
            return false;
        }
        let (before, after) =
            (self.sensitivity(node, Side::Before), self.sensitivity(node, Side::After));
        let moving = self.moving_pins(node);
        let mut drivers: Vec<(usize, u8)> = Vec::new();
        for (pin, wire) in &self.wiring.nodes()[node].pins {
            let moved = before.moves[usize::from(*pin)] | after.moves[usize::from(*pin)];
            if moving >> pin & 1 == 0 || moved & wires == 0 {
                continue;
            }
            match drivers.iter_mut().find(|(driver, _)| *driver == wire.node) {
                Some((_, bits)) => *bits |= 1 << wire.bit,
                None => drivers.push((wire.node, 1 << wire.bit)),
            }
        }
        let by_strobes = self.movement.before[node] != self.movement.after[node];
        match (by_strobes, &drivers[..]) {
            (_, []) => true,
            (false, &[(driver, bits)]) => self.arrives_once(driver, bits, depth + 1),
            _ => false,
        }
    }

    /// Adds the lookup of a node's wires after the lookups of everything they depend on. A table
    /// can be looked up more than once if a path passes through it twice. After the first lookup,
    /// its other wires are still wrong, but no lookup in between depends on them. A chip that
    /// stores bits is looked up only once, because it would store wrong levels.
    fn visit(&mut self, node: usize, wires: u8, side: Side, order: &mut LookUpOrder) -> Option<()> {
        let own = self.wiring.nodes()[node].own;
        let wanted = if self.splits && own == 0 { wires } else { u8::MAX };
        let wires = wanted & !order.known[node];
        if wires == 0 {
            return Some(());
        }
        if order.begun[node] & wires != 0 {
            return None;
        }
        order.begun[node] |= wires;
        let pins = self.unknown_pins(node, wires, side) & !own;
        self.visit_sources(node, pins, side, order)?;
        order.known[node] |= wires;
        order.done.push(node);
        Some(())
    }

    fn visit_sources(
        &mut self,
        node: usize,
        pins: u32,
        side: Side,
        order: &mut LookUpOrder,
    ) -> Option<()> {
        for (pin, wire) in &self.wiring.nodes()[node].pins {
            if pins >> pin & 1 == 0 {
                continue;
            }
            let wire = self.driver(*wire, side);
            if self.wiring.is_derived(wire) || side == Side::After && self.can_move(wire) {
                self.visit(wire.node, 1 << wire.bit, side, order)?;
            }
        }
        Some(())
    }

    /// Returns the driver of a wire. If the wire is shared and its select wire is known, that is
    /// the selected chip.
    fn driver(&self, wire: OutputBit, side: Side) -> OutputBit {
        let fixed = self.fixed_pins(wire.node, side);
        self.wiring.shared_driver(wire, fixed.pins, fixed.levels).unwrap_or(wire)
    }

    /// Groups pins of a node into segments. Shared wires are replaced by their drivers.
    fn segments(&self, node: usize, pins: u32, side: Side) -> Vec<Segment> {
        let wired = self.wiring.nodes()[node].pins.iter();
        let wired: Vec<(u8, OutputBit)> =
            wired.map(|(pin, s)| (*pin, self.driver(*s, side))).collect();
        segments(&wired, pins)
    }

    /// Returns the unknown pins that wires of a node depend on, including its own feedback.
    fn unknown_pins(&mut self, node: usize, wires: u8, side: Side) -> u32 {
        let fixed = self.fixed_pins(node, side);
        self.sensitivity(node, side).pins_affecting(wires) & !fixed.pins
    }

    fn look_up(&mut self, node: usize, side: Side) -> LookUp {
        let pins = self.unknown_pins(node, u8::MAX, side);
        let segments = self.segments(node, pins, side);
        LookUp { node, writes: false, levels: self.fixed_pins(node, side).levels, segments }
    }
}

/// Nodes in the order of their lookups.
struct LookUpOrder {
    /// The wires of each node whose dependencies have been visited or are being visited.
    begun: Outputs,
    /// The wires of each node that these lookups have made correct.
    known: Outputs,
    done: Vec<usize>,
}

impl Default for LookUpOrder {
    fn default() -> Self {
        Self { begun: [0; NODES_MAX], known: [0; NODES_MAX], done: Vec::new() }
    }
}

/// Returns the lookups for all wires that no chip stores, in order of dependency. `moves` returns
/// the wires that each pin of a node can change. Returns `None` if wires depend on each other in a
/// cycle.
pub(crate) fn derived_in_order(
    wiring: &Wiring,
    sequencer: &Sequencer,
    mut moves: impl FnMut(usize) -> [u8; 32],
) -> Option<Vec<usize>> {
    let mut left = [0; NODES_MAX];
    for wire in wiring.output_bits() {
        let shared =
            (0..2).filter_map(|high| wiring.shared_driver(*wire, u32::MAX, high * u32::MAX));
        for wire in shared.chain([*wire]) {
            if wiring.is_derived(wire) && !sequencer.nodes().contains(&wire.node) {
                left[wire.node] |= 1 << wire.bit;
            }
        }
    }
    let nodes = (0..wiring.nodes().len()).filter(|node| left[*node] != 0);
    let nodes: Vec<(usize, [u8; 32])> = nodes.map(|node| (node, moves(node))).collect();
    let mut order: Vec<usize> = Vec::new();
    while left != [0; NODES_MAX] {
        let ready = nodes.iter().map(|(node, moves)| {
            let pins = wiring.nodes()[*node].pins.iter().filter(|(pin, wire)| {
                // The data pins of a RAM matter only when it stores a byte.
                let is_data = 1_u32 << pin > RAM_WRITE_LOW;
                left[wire.node] >> wire.bit & 1 == 1
                    && !(is_data && matches!(wiring.nodes()[*node].kind, NodeKind::Ram))
            });
            let waiting = pins.fold(0, |wires, (pin, _)| wires | moves[usize::from(*pin)]);
            (*node, left[*node] & !waiting)
        });
        let ready = ready.filter(|(_, wires)| *wires != 0);
        let (node, wires) = ready.max_by_key(|(node, wires)| *wires == left[*node])?;
        left[node] &= !wires;
        order.push(node);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1, load};

    use super::*;

    /// The example in docs/internals/circuit.md.
    #[test]
    fn three_chips_are_looked_up_when_t4_of_an_instruction_begins() {
        let board = load(GRAY1).unwrap();
        let wiring = Wiring::new(&board);
        let sequencer = Sequencer::find(&wiring).unwrap();
        let expected = ["PCL", "PROG", "IRL"].map(|name| board.chip_named(name).unwrap());
        for opcode_and_carry in 0..16 {
            // OSC falls, and PHASE steps from T3 to T4.
            let [from, to] = [0b01001, 0b11000].map(|index| opcode_and_carry << 5 | index);
            let plan = Plan::make(&mut Sensitivities::default(), &wiring, &sequencer, from, to);
            let nodes: Vec<usize> = plan.unwrap().look_ups.iter().map(|it| it.node).collect();
            assert_eq!(nodes, expected.map(Wiring::chip));
        }
    }
}

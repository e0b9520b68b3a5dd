//! Plans of a model: a board with the same wires, most of whose contents are the same.
//!
//! One wrong bit can leave a board without a plan for an edge that comes in every instruction. But
//! where no chip can look up an address at which the two boards differ, they do the same, whatever
//! the order of answers; and then the model's plan is right for both.

use std::mem::{Discriminant, discriminant};

use super::possible::{Possible, Reader};
use crate::nodes::powered::Powered;
use crate::nodes::wiring::{Kind, OSCILLATOR, RAM_WRITE_LOW, Signal, Wiring};
use crate::plans::compiled::CompiledPlans;
use crate::plans::planner::Movement;
use crate::plans::sensitivity::Held;

/// At how many addresses a board and its model differ at most.
const DIFFERENCES_MAX: usize = 16;

/// A model and its plans.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    /// Its sequencer is the board's.
    plans: CompiledPlans,
    differences: Vec<Difference>,
    /// The facts that matter on the edge at each of the sequencer's indexes.
    edges: Vec<Option<Edge>>,
}

/// The facts that decide if a node looks up an address at which the two boards differ.
#[derive(Debug, Clone)]
struct Edge {
    /// The nodes at which the boards differ, and all that can move what these read, and so on.
    readers: Vec<Reader>,
    /// By difference: the node's address pins whose levels stay.
    still: Vec<u32>,
}

/// An address at which a board and its model differ.
#[derive(Debug, Clone, Copy)]
struct Difference {
    node: usize,
    address: u32,
    model: u8,
    board: u8,
}

impl Difference {
    /// Gives a board this byte at the address.
    fn burn(self, byte: u8, board: &mut Powered) {
        board.image.burn(self.node, self.address, &[byte]);
    }
}

impl Model {
    /// The plans of a model for a board with the same wires that differs at a few addresses.
    pub(crate) fn new(model: &CompiledPlans, board: &Wiring) -> Option<Self> {
        // With more tables it would matter which of them answers first.
        let sequencer = model.sequencer().nodes();
        if sequencer.len() > 2 || !wires(model.wiring()).eq(wires(board)) {
            return None;
        }
        // Where the sequencer goes is looked up in its own table, which is the board's. With the
        // same table all that has been planned so far is right.
        let is_same = |&node: &usize| model.wiring().nodes()[node] == board.nodes()[node];
        let plans = if sequencer.iter().all(is_same) {
            model.clone()
        } else {
            let mut wiring = model.wiring().clone();
            for &node in sequencer {
                wiring.take_kind(node, board);
            }
            CompiledPlans::of(wiring)?
        };
        let differences = differences(plans.wiring(), board)?;
        let edges = vec![None; plans.sequencer().indexes()];
        Some(Self { plans, differences, edges })
    }

    /// Turns the oscillator over on a board at rest; false if the model has no plan that is right
    /// there, and nothing has moved.
    pub(crate) fn edge(&mut self, board: &mut Powered) -> bool {
        if !self.is_right(board) {
            return false;
        }
        // A plan leaves out pins that do not matter to the model: it may look up an address at
        // which the boards differ in place of the one that the chip sees.
        self.differences.iter().for_each(|one| one.burn(one.model, board));
        self.plans.sync_sequencer(&board.outputs);
        let is_planned = self.plans.advance(1, board) == 1;
        self.plans.show_sequencer(&mut board.outputs);
        self.differences.iter().for_each(|one| one.burn(one.board, board));
        is_planned
    }

    /// True if the board does what the model does on the next edge.
    fn is_right(&mut self, board: &Powered) -> bool {
        let sequencer = self.plans.sequencer();
        let Some(index) = sequencer.index_at_rest(&board.outputs) else { return false };
        let Some(to) = sequencer.rest(index ^ u16::from(OSCILLATOR)) else { return false };
        if self.edges[usize::from(index)].is_none() {
            self.edges[usize::from(index)] = Some(self.edge_at(index, to));
        }
        let Some(edge) = &self.edges[usize::from(index)] else { return false };
        if self.is_out_of_reach(edge, board) {
            return true;
        }
        let sequencer = self.plans.sequencer();
        let mut after = board.outputs;
        sequencer.show(to, &mut after);
        let mut possible = Possible::at(board);
        // First the phase answers, which alone reads the oscillator, then the table.
        sequencer.nodes().iter().all(|&node| {
            possible.change(node, after[node]);
            possible.always(&edge.readers, |node, address| !self.differs(node, address))
        })
    }

    /// True if some pin that stays is at another level than in the address at which the boards
    /// differ, for each of them; on most edges it is.
    fn is_out_of_reach(&self, edge: &Edge, board: &Powered) -> bool {
        let address = |node| board.wiring.address(node, &board.outputs);
        self.differences
            .iter()
            .zip(&edge.still)
            .all(|(one, still)| (address(one.node) ^ one.address) & still != 0)
    }

    fn differs(&self, node: usize, address: u32) -> bool {
        self.differences.iter().any(|one| (one.node, one.address) == (node, address))
    }

    /// The facts that matter on the edge from an index to another. Until a node looks up an address
    /// at which the boards differ, they do the same; so what stands still on the model stands still
    /// here.
    fn edge_at(&mut self, index: u16, to: u16) -> Edge {
        let movement = self.plans.movement(index, to);
        let still = self.differences.iter().map(|one| self.still_pins(one.node, &movement));
        Edge { still: still.collect(), readers: self.readers(&movement) }
    }

    /// The address pins of a node whose levels stay.
    fn still_pins(&self, node: usize, movement: &Movement) -> u32 {
        let (before, after) = (movement.before[node], movement.after[node]);
        let stands = |(pin, wire): &&(u8, Signal)| {
            before.pins >> pin & 1 == 0 && movement.wires[wire.node] >> wire.bit & 1 == 0
        };
        let free = self.plans.wiring().nodes()[node].pins.iter().filter(stands);
        free.fold(before.pins & !(before.levels ^ after.levels), |still, (pin, _)| still | 1 << pin)
    }

    /// The nodes at which the boards differ, and all that can move what these read, and so on.
    fn readers(&mut self, movement: &Movement) -> Vec<Reader> {
        let mut readers: Vec<Reader> = Vec::new();
        let different: Vec<usize> = self.differences.iter().map(|one| one.node).collect();
        let mut pending = different.clone();
        while let Some(node) = pending.pop() {
            let stands = movement.wires[node] == 0 && !different.contains(&node);
            if stands || readers.iter().any(|reader| reader.node == node) {
                continue;
            }
            let pins = self.pins_that_matter(node, movement.before[node], movement.after[node]);
            let wired = self.plans.wiring().nodes()[node].pins.iter();
            let read = wired.filter(|(pin, _)| pins >> pin & 1 == 1).map(|(_, wire)| wire.node);
            let mut sources: Vec<usize> = read.collect();
            sources.sort_unstable();
            sources.dedup();
            pending.extend(&sources);
            readers.push(Reader { node, sources });
            debug_assert!(readers.len() <= self.plans.wiring().nodes().len(), "each node once");
        }
        readers
    }

    /// The pins of a node of which it depends what it shows while its strobes go to other levels.
    fn pins_that_matter(&mut self, node: usize, before: Held, after: Held) -> u32 {
        let all = self.plans.wiring().nodes()[node].wired();
        let is_ram = matches!(self.plans.wiring().nodes()[node].kind, Kind::Ram);
        let may_take = is_ram && before.levels & after.levels & RAM_WRITE_LOW == 0;
        if may_take || self.differences.iter().any(|one| one.node == node) {
            return all;
        }
        let sensitive = [before, after].map(|held| self.plans.sensitivity(node, held).pins());
        (before.levels ^ after.levels | sensitive[0] | sensitive[1]) & all
    }
}

/// The addresses at which two boards with the same wires differ; `None` if these are too many.
fn differences(model: &Wiring, board: &Wiring) -> Option<Vec<Difference>> {
    let mut differences = Vec::new();
    for (node, (ours, theirs)) in model.nodes().iter().zip(board.nodes()).enumerate() {
        let (Kind::Rom(ours), Kind::Rom(theirs)) = (&ours.kind, &theirs.kind) else { continue };
        let bytes = (0..).zip(ours.iter().zip(theirs.iter()));
        for (address, (&model, &board)) in bytes.filter(|(_, (model, board))| model != board) {
            differences.push(Difference { node, address, model, board });
            if differences.len() > DIFFERENCES_MAX {
                return None;
            }
        }
    }
    Some(differences)
}

/// The kind of a node, and the wires and levels of its address pins.
type Wired<'a> = (Discriminant<Kind>, &'a [(u8, Signal)], (u32, u32));

/// The wires of a board, by node.
fn wires(wiring: &Wiring) -> impl Iterator<Item = Wired<'_>> {
    wiring.nodes().iter().map(|node| (discriminant(&node.kind), &node.pins[..], node.tied))
}

#[cfg(test)]
mod tests;

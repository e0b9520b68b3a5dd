//! Plans of a model: a board with the same wires, most of whose contents are the same.
//!
//! One wrong bit can leave a board without a plan for an edge that comes in every instruction. But
//! where no chip can look up an address at which the two boards differ, they do the same, whatever
//! the order of answers; and then the model's plan is right for both.

use std::collections::HashMap;

use super::compiled::{CompiledPlans, Outcome};
use super::memory_image::MemoryImage;
use super::plan::{Movement, Planner};
use super::possible::{Possible, Reader};
use super::sensitivity::Held;
use super::sequencer::Sequencer;
use super::wiring::{Kind, Node, OSCILLATOR, Outputs, RAM_WRITE_LOW, Signal, Wiring};

/// At how many addresses a board and its model differ at most.
const DIFFERENCES_MAX: usize = 16;

/// A model and its plans.
#[derive(Debug, Clone)]
pub(super) struct Model {
    wiring: Wiring,
    sequencer: Sequencer,
    plans: CompiledPlans,
    planner: Planner,
    differences: Vec<Difference>,
    /// What matters on the edge at each of the sequencer's indexes.
    edges: HashMap<u16, Edge>,
}

/// What decides whether a node looks up an address at which the two boards differ.
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

impl Model {
    /// The plans of a model for a board with the same wires that differs at a few addresses, and
    /// the model's planner.
    pub(super) fn new(mut model: Wiring, board: &Wiring, planner: &Planner) -> Option<Self> {
        // With more tables it would matter which of them answers first.
        let sequencer = Sequencer::of(board).filter(|sequencer| sequencer.nodes().len() <= 2)?;
        // Where the sequencer goes is looked up in its own table, which is the board's.
        for &node in sequencer.nodes() {
            model.take_kind(node, board);
        }
        let planner = planner.for_board(|node| !sequencer.nodes().contains(&node));
        Some(Self {
            plans: CompiledPlans::of(&model, planner.clone())?,
            planner,
            differences: differences(&model, board)?,
            edges: HashMap::new(),
            sequencer,
            wiring: model,
        })
    }

    /// Turns the oscillator over on a board at rest, if the model has a plan that is right there.
    pub(super) fn edge(
        &mut self,
        board: &Wiring,
        image: &mut MemoryImage,
        outputs: &mut Outputs,
    ) -> Outcome {
        if !self.is_right(board, image, outputs) {
            return Outcome::Unplanned;
        }
        // A plan leaves out pins that do not matter to the model: it may look up an address
        // the boards differ in place of the one that the chip sees.
        self.differences.iter().for_each(|one| image.burn(one.node, one.address, &[one.model]));
        self.plans.stand_at(outputs);
        let (_, outcome) = self.plans.advance(1, &self.wiring, image, outputs);
        self.plans.show_sequencer(outputs);
        self.differences.iter().for_each(|one| image.burn(one.node, one.address, &[one.board]));
        outcome
    }

    /// Whether the board does what the model does on the next edge.
    fn is_right(&mut self, board: &Wiring, image: &MemoryImage, outputs: &Outputs) -> bool {
        let Some(index) = self.sequencer.index_at_rest(outputs) else { return false };
        let Some(to) = self.sequencer.rest(index ^ u16::from(OSCILLATOR)) else { return false };
        if !self.edges.contains_key(&index) {
            let edge = self.edge_at(index, to);
            self.edges.insert(index, edge);
        }
        let edge = &self.edges[&index];
        // On most edges a pin that stays is at another level than in all these addresses.
        let in_reach = |(one, still): (&Difference, &u32)| {
            (board.address(one.node, outputs) ^ one.address) & still == 0
        };
        if !self.differences.iter().zip(&edge.still).any(in_reach) {
            return true;
        }
        let mut after = *outputs;
        self.sequencer.show(to, &mut after);
        let mut possible = Possible::at(board, image, *outputs);
        // First the phase answers, which alone reads the oscillator, then the table.
        self.sequencer.nodes().iter().all(|&node| {
            possible.change(node, after[node]);
            possible.always(&edge.readers, |node, address| !self.differs(node, address))
        })
    }

    fn differs(&self, node: usize, address: u32) -> bool {
        self.differences.iter().any(|one| (one.node, one.address) == (node, address))
    }

    /// What matters on the edge from an index to another. Until a node looks up an address at which
    /// the boards differ, they do the same; so what stands still on the model stands still here.
    fn edge_at(&mut self, index: u16, to: u16) -> Edge {
        let movement = self.planner.movement(&self.wiring, &self.sequencer, index, to, 0);
        let still = self.differences.iter().map(|one| self.still_pins(one.node, &movement));
        Edge { still: still.collect(), readers: self.readers(&movement) }
    }

    /// The address pins of a node whose levels stay.
    fn still_pins(&self, node: usize, movement: &Movement) -> u32 {
        let (before, after) = (movement.before[node], movement.after[node]);
        let stands = |(pin, line): &&(u8, Signal)| {
            before.pins >> pin & 1 == 0 && movement.lines[line.node] >> line.bit & 1 == 0
        };
        let free = self.wiring.nodes()[node].pins.iter().filter(stands);
        free.fold(before.pins & !(before.levels ^ after.levels), |still, (pin, _)| still | 1 << pin)
    }

    /// The nodes at which the boards differ, and all that can move what these read, and so on.
    fn readers(&mut self, movement: &Movement) -> Vec<Reader> {
        let mut readers: Vec<Reader> = Vec::new();
        let different: Vec<usize> = self.differences.iter().map(|one| one.node).collect();
        let mut pending = different.clone();
        while let Some(node) = pending.pop() {
            let stands = movement.lines[node] == 0 && !different.contains(&node);
            if stands || readers.iter().any(|reader| reader.node == node) {
                continue;
            }
            let pins = self.pins_that_matter(node, movement.before[node], movement.after[node]);
            let wired = self.wiring.nodes()[node].pins.iter();
            let read = wired.filter(|(pin, _)| pins >> pin & 1 == 1).map(|(_, line)| line.node);
            let mut sources: Vec<usize> = read.collect();
            sources.sort_unstable();
            sources.dedup();
            pending.extend(&sources);
            readers.push(Reader { node, sources });
        }
        readers
    }

    /// The pins of a node of which it depends what it shows while its strobes go to other levels.
    fn pins_that_matter(&mut self, node: usize, before: Held, after: Held) -> u32 {
        let all = self.wiring.nodes()[node].wired();
        let is_ram = matches!(self.wiring.nodes()[node].kind, Kind::Ram);
        let may_take = is_ram && before.levels & after.levels & RAM_WRITE_LOW == 0;
        if may_take || self.differences.iter().any(|one| one.node == node) {
            return all;
        }
        let sensitive =
            [before, after].map(|held| self.planner.sensitivity(&self.wiring, node, held).pins());
        (before.levels ^ after.levels | sensitive[0] | sensitive[1]) & all
    }
}

/// Where two boards with the same wires differ; `None` if that is at too many addresses, or if the
/// wires are not the same.
fn differences(model: &Wiring, board: &Wiring) -> Option<Vec<Difference>> {
    let same = |(one, other): (&Node, &Node)| one.pins == other.pins && one.tied == other.tied;
    let is_as_large = model.nodes().len() == board.nodes().len();
    if !is_as_large || !model.nodes().iter().zip(board.nodes()).all(same) {
        return None;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;
    use crate::circuit::{ChipState, Circuit, Settled};
    use crate::computer::reference::{
        GRAY1, board, random_contents, random_program, settled, settled_at_random, with_wrong_bits,
    };

    /// One address of an open latch is wrong, at which it is hardly ever: not one edge has to do
    /// without a plan, and the board does what the right one does.
    #[test]
    fn a_wrong_bit_that_is_not_met_does_not_matter() {
        let random = &mut SplitMix64::new(4);
        for (name, address) in [("AM", 0x1_a55a), ("IRL", 0x1_8b20), ("PCH", 0x4191)] {
            let program = random_program(random);
            let stock = board(GRAY1).with_program(&program);
            let chip = stock.chip_named(name).unwrap();
            let faulty = with_wrong_bits(&stock, chip, address, 1);
            let contents = random_contents(random);
            let mut right: Settled = settled(&stock, &program, contents.clone()).into_circuit();
            let wiring = Wiring::new(&faulty);
            let mut image = MemoryImage::new(&faulty, &wiring, right.memory());
            let mut model = Model::new(Wiring::new(&stock), &wiring, &Planner::new()).unwrap();
            let mut outputs = right.shown_now();
            for edge in 0..2000 {
                let outcome = model.edge(&wiring, &mut image, &mut outputs);
                assert_ne!(outcome, Outcome::Unplanned, "{name}, edge {edge}");
                model.plans.stand_at(&outputs);
                model.plans.complete(&wiring, &image, &mut outputs);
                right.edge().unwrap();
                assert_eq!(outputs, right.shown_now(), "{name}, edge {edge}");
                assert_eq!(image.memory(), right.memory(), "{name}, edge {edge}");
            }
        }
    }

    #[test]
    fn a_model_differs_at_sixteen_addresses_at_most() {
        let stock = board(GRAY1);
        let chip = stock.chip_named("ALUL").unwrap();
        let mut contents = stock.chip(chip).contents().to_vec();
        for count in 1..=DIFFERENCES_MAX + 1 {
            contents[0x100 * count] ^= 1;
            let faulty = Wiring::new(&stock.with_contents(chip, contents.clone()).unwrap());
            let model = Model::new(Wiring::new(&stock), &faulty, &Planner::new());
            assert_eq!(model.is_some(), count <= DIFFERENCES_MAX, "{count}");
        }
    }

    /// Wrong bits of every chip that remembers, where programs come across them: with a model and
    /// without, each edge ends alike, or the board comes to rest on neither.
    #[test]
    fn a_wrong_bit_that_is_met_shows_as_it_does_without_a_model() {
        let random = &mut SplitMix64::new(12);
        let stock = board(GRAY1);
        let (mut met, mut restless) = (0, 0);
        for name in ["AM", "AS", "FLAGS", "IRH", "IRL", "PCH", "PCL", "ALUL", "ALUH"] {
            let chip = stock.chip_named(name).unwrap();
            for _ in 0..4 {
                let start = settled_at_random(&stock, random);
                let stock = start.board().clone();
                // What the chip looks up some way on is where the bit is wrong.
                let node = Wiring::chip(chip);
                let mut scout = start.clone();
                scout.edges(random.below(400) as u32).unwrap();
                let address = Wiring::new(&stock).address(node, &scout.shown_now()) as usize;
                let pins = stock.chip(chip).data().len() as u64;
                let faulty = with_wrong_bits(&stock, chip, address, 1 << random.below(pins));
                let state = ChipState::of(&start);
                let Ok(mut slow) = Settled::new(&faulty, &state) else { continue };
                let mut fast = slow.clone().with_model(&stock);
                let mut right = Settled::new(&stock, &state).unwrap();
                let mut differs = false;
                for edge in 0..500 {
                    let (one, other) = (slow.edge(), fast.edge());
                    assert_eq!(one.is_ok(), other.is_ok(), "{name} {address:x}, edge {edge}");
                    if one.is_err() {
                        restless += 1;
                        break;
                    }
                    assert_eq!(slow.shown_now(), fast.shown_now(), "{name} {address:x} {edge}");
                    assert_eq!(slow.memory(), fast.memory(), "{name} {address:x}, edge {edge}");
                    right.edge().unwrap();
                    differs |= slow.shown_now() != right.shown_now();
                }
                met += u32::from(differs);
            }
        }
        assert!(met > 9 && restless > 0, "{met} boards differ, {restless} are restless");
    }
}

//! The addresses that can occur on each chip: settled, and in between by the glitch model.
//!
//! Both sets are found from the steps of the strobes: a line that is known has its level, one that
//! stands still anyhow has any level, one that can move has any level at any moment. What is left
//! out cannot occur.

use std::collections::HashSet;

use super::steps::{StateGraph, Transition};
use super::story::Counterexample;
use crate::board::checked::{Board, ChipId};
use crate::circuit::sensitivity::{Held, subsets};
use crate::circuit::wiring::{Kind, Node, Signal, Wiring};

/// The addresses that can occur on a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The chip.
    pub chip: ChipId,
    /// By address: whether it can be settled there.
    settled: Vec<bool>,
    /// By address: whether it can occur at all.
    at_all: Vec<bool>,
}

impl Reach {
    /// Whether an address can occur when all lines are at rest.
    #[must_use]
    pub fn settled(&self, address: u32) -> bool {
        self.settled[address as usize]
    }

    /// Whether an address can occur, at rest or in between.
    #[must_use]
    pub fn at_all(&self, address: u32) -> bool {
        self.at_all[address as usize]
    }

    /// How many addresses can occur at rest.
    #[must_use]
    pub fn count_settled(&self) -> usize {
        self.settled.iter().filter(|&&can| can).count()
    }

    /// How many addresses can occur only in between.
    #[must_use]
    pub fn count_between(&self) -> usize {
        self.at_all.iter().filter(|&&can| can).count() - self.count_settled()
    }
}

/// The addresses that can occur on each chip.
///
/// # Errors
/// If the board's strobes do not come from the phase.
pub fn reach(board: &Board) -> Result<Vec<Reach>, Counterexample> {
    let graph = StateGraph::of(board)?;
    Ok(board.chip_ids().map(|chip| of_chip(&graph, board, chip)).collect())
}

fn of_chip(graph: &StateGraph, board: &Board, chip: ChipId) -> Reach {
    let bytes = board.chip(chip).part().bytes();
    let index = Wiring::chip(chip);
    let node = &graph.wiring.nodes()[index];
    let mut reach = Reach { chip, settled: vec![false; bytes], at_all: vec![false; bytes] };
    let mut seen = HashSet::new();
    for step in &graph.steps {
        let strobes = graph.sequencer.nodes().contains(&index);
        for (from, to, moving) in
            if strobes { strobe_views(graph, step, index) } else { views(graph, step, index) }
        {
            if seen.insert((from, to, moving)) {
                reach.add(node, from, to, moving);
            }
        }
    }
    reach
}

/// The pins known before and after a step, and the other pins that can move.
fn views(graph: &StateGraph, step: &Transition, index: usize) -> Vec<(Held, Held, u32)> {
    let (from, to) = (step.movement.before[index], step.movement.after[index]);
    let moving =
        |(pin, line): &&(u8, Signal)| from.pins >> pin & 1 == 0 && graph.can_move(step, *line);
    let pins = graph.wiring.nodes()[index].pins.iter().filter(moving);
    vec![(from, to, pins.fold(0, |pins, (pin, _)| pins | 1 << pin))]
}

/// For a chip of the sequencer all pins are known, for each level that lines from elsewhere take.
fn strobe_views(graph: &StateGraph, step: &Transition, index: usize) -> Vec<(Held, Held, u32)> {
    let pins = graph.wiring.nodes()[index].wired() | graph.wiring.nodes()[index].tied.0;
    let held = |at: u16| Held { pins, levels: graph.wiring.address(index, &graph.outputs(at)) };
    let foreign = step.movement.foreign;
    let after = subsets(u32::from(foreign)).map(|bits| step.to & !foreign | bits as u16);
    after.map(|to| (held(step.from), held(to), 0)).collect()
}

impl Reach {
    fn add(&mut self, node: &Node, from: Held, to: Held, moving: u32) {
        let rests = at_rest(node, from);
        let mut between = rests.clone();
        let toggled = (from.levels ^ to.levels) | moving;
        for pin in (0..32).filter(|pin| toggled >> pin & 1 == 1) {
            let other: Vec<u32> = between.iter().map(|address| address ^ 1 << pin).collect();
            between.extend(other);
            between.sort_unstable();
            between.dedup();
        }
        for address in rests.into_iter().chain(at_rest(node, to)) {
            if let Some(settled) = self.settled.get_mut(address as usize) {
                *settled = true;
            }
            between.push(address);
        }
        for address in between {
            if let Some(at_all) = self.at_all.get_mut(address as usize) {
                *at_all = true;
            }
        }
    }
}

/// The addresses at which a node with these pins held can rest.
fn at_rest(node: &Node, held: Held) -> Vec<u32> {
    let mut free = node.wired() & !held.pins;
    let mut levels = held.levels;
    if matches!(node.kind, Kind::Ram) {
        // Behind the address pins come nWE and the data pins.
        let address = crate::circuit::wiring::RAM_WRITE_LOW - 1;
        (free, levels) = (free & address, levels & address);
    }
    let addresses = subsets(free).map(|pins| pins | levels);
    match &node.kind {
        Kind::Rom(contents) => addresses
            .filter(|&address| node.fed_back(address, contents[address as usize]) == address)
            .collect(),
        _ => addresses.collect(),
    }
}

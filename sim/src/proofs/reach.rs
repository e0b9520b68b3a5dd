//! The addresses that can occur on each chip: settled, and in between by the glitch model.
//!
//! Both sets are found from the steps of the strobes: a line that is known has its level, one that
//! stands still anyhow has any level, one that can move has any level at any moment. What is left
//! out cannot occur.

use std::collections::{HashMap, HashSet};

use super::addresses::Addresses;
use super::steps::{StateGraph, Transition};
use crate::board::checked::{Board, ChipId};
use crate::circuit::sensitivity::{Held, subsets};
use crate::circuit::wiring::{Kind, Node, Wiring};

/// The addresses that can occur on a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The chip.
    pub chip: ChipId,
    /// The addresses at which it can be settled.
    settled: Addresses,
    /// The addresses that can occur at all.
    at_all: Addresses,
}

impl Reach {
    /// Whether an address can occur when all lines are at rest.
    #[must_use]
    pub fn settled(&self, address: u32) -> bool {
        self.settled.contains(address)
    }

    /// Whether an address can occur, at rest or in between.
    #[must_use]
    pub fn at_all(&self, address: u32) -> bool {
        self.at_all.contains(address)
    }

    /// How many addresses can occur at rest.
    #[must_use]
    pub fn count_settled(&self) -> usize {
        self.settled.len()
    }

    /// How many addresses can occur only in between.
    #[must_use]
    pub fn count_between(&self) -> usize {
        self.at_all.len() - self.settled.len()
    }
}

/// The addresses that can occur on a chip.
pub(super) fn of_chip(graph: &StateGraph, board: &Board, chip: ChipId) -> Reach {
    let bytes = board.chip(chip).part().bytes();
    let index = Wiring::chip(chip);
    let node = &graph.wiring.nodes()[index];
    let mut reach = Reach { chip, settled: Addresses::none(bytes), at_all: Addresses::none(bytes) };
    let mut rests: HashMap<Held, Addresses> = HashMap::new();
    let mut seen = HashSet::new();
    let is_strobe = graph.sequencer.nodes().contains(&index);
    for step in &graph.steps {
        let views =
            if is_strobe { strobe_views(graph, step, index) } else { views(graph, step, index) };
        for (from, to, moving) in views {
            if !seen.insert((from, to, moving)) {
                continue;
            }
            for held in [from, to] {
                let at_rest = rests.entry(held).or_insert_with(|| at_rest(node, held, bytes));
                reach.settled.extend(at_rest);
            }
            let mut between = rests[&from].clone();
            let toggled = ((from.levels ^ to.levels) | moving) & (bytes as u32 - 1);
            (0..32).filter(|pin| toggled >> pin & 1 == 1).for_each(|pin| between.toggle(pin));
            reach.at_all.extend(&between);
        }
    }
    reach.at_all.extend(&reach.settled);
    reach
}

/// The pins known before and after a step, and the other pins that can move.
fn views(graph: &StateGraph, step: &Transition, index: usize) -> Vec<(Held, Held, u32)> {
    let (from, to) = (step.movement.before[index], step.movement.after[index]);
    let pins = graph.wiring.nodes()[index].pins.iter();
    let moving = pins.filter(|(_, line)| graph.can_move(step, *line));
    let moving = moving.map(|(pin, _)| 1 << pin).sum::<u32>();
    vec![(from, to, moving & !from.pins)]
}

/// For a chip of the sequencer all pins are known, for each level that lines from elsewhere take.
fn strobe_views(graph: &StateGraph, step: &Transition, index: usize) -> Vec<(Held, Held, u32)> {
    let pins = graph.wiring.nodes()[index].wired() | graph.wiring.nodes()[index].tied.0;
    let held = |at: u16| Held { pins, levels: graph.wiring.address(index, &graph.outputs(at)) };
    let foreign = step.movement.foreign;
    let after = subsets(u32::from(foreign)).map(|bits| step.to & !foreign | bits as u16);
    after.map(|to| (held(step.from), held(to), 0)).collect()
}

/// The addresses, of so many, at which a node with these pins held can rest.
fn at_rest(node: &Node, held: Held, bytes: usize) -> Addresses {
    // Behind the address pins of a RAM come nWE and the data pins.
    let address = bytes as u32 - 1;
    let (free, levels) = (node.wired() & !held.pins & address, held.levels & address);
    let mut rests = Addresses::none(bytes);
    for address in subsets(free).map(|pins| pins | levels) {
        if let Kind::Rom(contents) = &node.kind
            && node.fed_back(address, contents[address as usize]) != address
        {
            continue;
        }
        rests.insert(address);
    }
    rests
}

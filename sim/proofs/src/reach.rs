//! The addresses that can occur on each chip: settled addresses, and addresses during a step in the
//! glitch model.
//!
//! Both sets come from the steps of the strobes. If the level of a wire is known, only that level
//! is considered. Another wire that is constant during the step may have either level. A wire that
//! can change may have either level at any time. An address outside the sets cannot occur.

use std::collections::{HashMap, HashSet};

use gray1_board::table::subsets;
use gray1_board::{ChipId, FixedPins};
use gray1_circuit::nodes::wiring::{CircuitNode, NodeKind, Wiring};

use super::addresses::{Addresses, toggle};
use super::steps::{StateGraph, Transition};

/// The addresses that can occur on a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The chip that receives these addresses.
    pub chip: ChipId,
    /// The addresses at which it can be settled.
    pub settled: Addresses,
    /// All addresses that can occur, also during a step.
    pub all: Addresses,
}

/// Computes the addresses that can occur on a chip.
pub(super) fn find(graph: &StateGraph, chip: ChipId) -> Reach {
    let bytes = graph.board.chip(chip).part().bytes();
    let index = Wiring::chip(chip);
    let node = &graph.wiring.nodes()[index];
    let mut reach = Reach { chip, settled: Addresses::below(bytes), all: Addresses::below(bytes) };
    let mut known: HashMap<FixedPins, Addresses> = HashMap::new();
    let mut seen = HashSet::new();
    let is_strobe = graph.sequencer.nodes().contains(&index);
    for step in &graph.steps {
        let views =
            if is_strobe { strobe_views(graph, step, index) } else { views(graph, step, index) };
        for view in views {
            if !seen.insert(view) {
                continue;
            }
            let View { from, to, moving } = view;
            for fixed in [from, to] {
                let settled = known.entry(fixed).or_insert_with(|| settled_at(node, fixed, bytes));
                reach.settled.insert_all(settled);
            }
            let mut between = known[&from].clone();
            let toggled = ((from.levels ^ to.levels) | moving) & (bytes as u32 - 1);
            (0..32).filter(|pin| toggled >> pin & 1 == 1).for_each(|pin| toggle(&mut between, pin));
            reach.all.insert_all(&between);
        }
    }
    reach.all.insert_all(&reach.settled);
    reach
}

/// The pins of a chip during a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct View {
    /// The pins that are known before the step.
    from: FixedPins,
    /// The pins that are known after it.
    to: FixedPins,
    /// The other pins that can change.
    moving: u32,
}

/// Returns how a chip sees a step.
fn views(graph: &StateGraph, step: &Transition, index: usize) -> Vec<View> {
    let (from, to) = (step.movement.before[index], step.movement.after[index]);
    let moving = graph.wiring.nodes()[index].pins_reading(|wire| graph.can_move(step, wire));
    vec![View { from, to, moving: moving & !from.pins }]
}

/// Like [`views`], for a chip of the sequencer. The levels of the sequencer's external inputs
/// determine the levels of all pins of the chip, so there is one entry for each combination of
/// these inputs.
fn strobe_views(graph: &StateGraph, step: &Transition, index: usize) -> Vec<View> {
    let pins = graph.wiring.nodes()[index].wired() | graph.wiring.nodes()[index].tied.pins;
    let fixed =
        |at: u16| FixedPins { pins, levels: graph.wiring.address(index, &graph.outputs(at)) };
    let (from, external) = (fixed(step.from), step.movement.external);
    let after = subsets(u32::from(external)).map(|bits| step.to & !external | bits as u16);
    after.map(|to| View { from, to: fixed(to), moving: 0 }).collect()
}

/// Returns the addresses at which a node with these fixed pins can be settled.
fn settled_at(node: &CircuitNode, fixed: FixedPins, bytes: usize) -> Addresses {
    // The address pins of a RAM are followed by nWE and the data pins.
    let address = bytes as u32 - 1;
    let (free, levels) = (node.wired() & !fixed.pins & address, fixed.levels & address);
    let mut settled = Addresses::below(bytes);
    for address in subsets(free).map(|pins| pins | levels) {
        if let NodeKind::Rom(contents) = &node.kind
            && node.fed_back(address, contents[address as usize]) != address
        {
            continue;
        }
        settled.insert(address as usize);
    }
    settled
}

#[cfg(test)]
mod tests {
    use gray1_board::phase::Phase;
    use gray1_isa::Op;
    use gray1_roms::{GRAY1, load};

    use super::*;
    use crate::tests::graph;

    /// As T5 begins after LD, A's master opens. Its inputs are already settled.
    #[test]
    fn only_pins_that_can_change_have_addresses_during_a_step() {
        let board = load(GRAY1).unwrap();
        let graph = graph(&board);
        let ld_in_t4 = u16::from(Op::Ld.code()) * 32 + Phase::T4.code() as u16 * 4;
        let step = graph.steps.iter().find(|step| step.from == ld_in_t4).unwrap();
        let moving = board.chip_ids().filter_map(|id| {
            let [View { moving, .. }] = views(&graph, step, Wiring::chip(id))[..] else { panic!() };
            let pins = graph.wiring.nodes()[Wiring::chip(id)].pins.iter();
            let pins = pins.filter(|(pin, _)| moving >> pin & 1 == 1);
            let wires: Vec<String> = pins.map(|(_, wire)| graph.wire_name(*wire)).collect();
            (!wires.is_empty()).then(|| format!("{}: {}", board.chip(id).name(), wires.join(" ")))
        });
        let wires_of_am = "AM.0 AM.1 AM.2 AM.3 AM.4 AM.5 AM.6 AM.7";
        let expected = [format!("AM: {wires_of_am}"), format!("AS: {wires_of_am}")];
        assert_eq!(moving.collect::<Vec<_>>(), expected);
    }
}

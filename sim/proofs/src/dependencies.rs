//! Which wires change which others in a step, and whether some of them form a cycle.

use gray1_board::FixedPins;
use gray1_circuit::nodes::wiring::{NODES_MAX, OutputBit, Outputs};
use gray1_circuit::plans::sensitivity::Sensitivities;

use super::steps::{StateGraph, Transition};

/// The wires of a board, each with those that it can change in a step.
pub(super) struct DependencyGraph {
    wires: Vec<OutputBit>,
    feeds: Vec<Vec<usize>>,
}

impl DependencyGraph {
    pub(super) fn new(
        graph: &StateGraph,
        step: &Transition,
        sensitivities: &mut Sensitivities,
    ) -> Self {
        let mut nodes: Vec<usize> = (1..graph.wiring.nodes().len()).collect();
        nodes.retain(|node| !graph.sequencer.nodes().contains(node));
        let wires: Vec<OutputBit> =
            nodes.iter().flat_map(|&node| (0..8).map(move |bit| OutputBit { node, bit })).collect();
        let place = |wire: OutputBit| wires.iter().position(|&known| known == wire);
        let mut feeds = vec![Vec::new(); wires.len()];
        for &node in &nodes {
            let before = sensitivities.get(&graph.wiring, node, step.movement.before[node]);
            let after = sensitivities.get(&graph.wiring, node, step.movement.after[node]);
            for (pin, wire) in &graph.wiring.nodes()[node].pins {
                let pin = usize::from(*pin);
                let moved = before.moves[pin] | after.moves[pin];
                // A latch reads its own output by design.
                let Some(from) = place(*wire).filter(|_| wire.node != node) else { continue };
                let moved = (0..8).filter(|bit| moved >> bit & 1 == 1);
                feeds[from].extend(moved.filter_map(|bit| place(OutputBit { node, bit })));
            }
        }
        Self { wires, feeds }
    }

    /// Finds a cycle and returns its wires.
    pub(super) fn find_cycle(&self) -> Option<Vec<OutputBit>> {
        let mut done = vec![false; self.wires.len()];
        (0..self.wires.len()).find_map(|start| self.search(start, &mut Vec::new(), &mut done))
    }

    fn search(
        &self,
        at: usize,
        path: &mut Vec<usize>,
        done: &mut [bool],
    ) -> Option<Vec<OutputBit>> {
        if let Some(first) = path.iter().position(|&wire| wire == at) {
            return Some(path[first..].iter().map(|&wire| self.wires[wire]).collect());
        }
        if std::mem::replace(&mut done[at], true) {
            return None;
        }
        path.push(at);
        let found = self.feeds[at].iter().find_map(|&next| self.search(next, path, done));
        path.pop();
        found
    }
}

/// The wires that a change can reach through tables.
pub(super) struct Spread {
    /// The wires, by node.
    pub(super) wires: Outputs,
    /// An upper limit for the number of chips that the change passes one after the other.
    pub(super) chips: u32,
}

/// A wire that changes, and the node of a latch or counter that can take it.
pub(super) struct Taken {
    pub(super) wire: OutputBit,
    pub(super) node: usize,
}

impl Spread {
    /// Follows changes of wires through all tables outside the sequencer. `levels` has the known
    /// levels of the pins, by node, at each moment at which a table may read the wires.
    ///
    /// # Errors
    /// If the change reaches a chip that stores bits and does not ignore it.
    pub(super) fn follow(
        graph: &StateGraph,
        sensitivities: &mut Sensitivities,
        levels: &[&[FixedPins]],
        changed: &[OutputBit],
    ) -> Result<Self, Taken> {
        let mut moving: Outputs = [0; NODES_MAX];
        for wire in changed {
            moving[wire.node] |= 1 << wire.bit;
        }
        let mut spread = Self { wires: moving, chips: 0 };
        let nodes = graph.wiring.nodes();
        loop {
            let mut next: Outputs = [0; NODES_MAX];
            for node in (0..nodes.len()).filter(|node| !graph.sequencer.nodes().contains(node)) {
                let lists =
                    levels.iter().map(|at| sensitivities.get(&graph.wiring, node, at[node]));
                let lists: Vec<_> = lists.collect();
                for (pin, wire) in nodes[node].pins.iter().filter(|(_, wire)| wire.node != node) {
                    let seen = lists.iter().fold(0, |seen, it| seen | it.moves[usize::from(*pin)]);
                    if moving[wire.node] >> wire.bit & 1 == 1 && seen != 0 {
                        next[node] |= seen;
                        if nodes[node].own != 0 {
                            return Err(Taken { wire: *wire, node });
                        }
                    }
                }
            }
            // Proof 3 shows that there is no cycle, so no chain has more chips than the board.
            if next == [0; NODES_MAX] || spread.chips as usize == NODES_MAX {
                return Ok(spread);
            }
            spread.chips += 1;
            for (wires, next) in spread.wires.iter_mut().zip(&next) {
                *wires |= next;
            }
            moving = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_reported_without_the_path_to_it() {
        let wires: Vec<OutputBit> = (0..5).map(|bit| OutputBit { node: 1, bit }).collect();
        let find_cycle = |feeds: [&[usize]; 5]| {
            let feeds = feeds.map(<[usize]>::to_vec).to_vec();
            let cycle = DependencyGraph { wires: wires.clone(), feeds }.find_cycle();
            cycle.map(|wires| wires.iter().map(|wire| wire.bit).collect::<Vec<u8>>())
        };
        assert_eq!(find_cycle([&[1, 2], &[3], &[3], &[4], &[]]), None);
        assert_eq!(find_cycle([&[1], &[2, 3], &[], &[4], &[1]]), Some(vec![1, 3, 4]));
        assert_eq!(find_cycle([&[], &[], &[0, 4], &[], &[2]]), Some(vec![2, 4]));
    }
}

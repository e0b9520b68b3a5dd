//! The reference definition of settling: tries every order in which chips can respond.
//!
//! The planned engine must give the same results faster. A node is *waiting* if its output differs
//! from its contents at its current address. Any waiting node may respond next, and then all its
//! wires change at once. The board is settled when no node is waiting. The result is defined if all
//! orders end in the same state.

use super::nodes::memory_image::MemoryImage;
use super::nodes::wiring::{
    NODES_MAX, NodeKind, Outputs, RAM_WRITE_LOW, Wiring, ram_cell, ram_data, shared_output,
};
use super::quick_hash::quick_set;
use super::unsettled::{ENDLESS, ORDER_MATTERS, TOO_MANY_ORDERS};

/// The maximum number of states that are explored.
const STATES_MAX: usize = 20_000;
/// The usual number of states for an edge of the stock board: a few dozen.
const STATES_OFTEN: usize = 64;

/// Everything that changes while a board settles.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MovingState {
    pub(super) outputs: Outputs,
    /// The previous address of data memory.
    seen: u32,
    /// The bytes that data memory stored, in order.
    pub(super) writes: Vec<(u16, u8)>,
}

/// The reason that the result is not defined, and the wires that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Indefinite {
    pub(super) cause: &'static str,
    pub(super) moving: Outputs,
}

/// A board, and its bytes before the edge.
pub(super) struct Interleavings<'a> {
    pub(super) wiring: &'a Wiring,
    pub(super) image: &'a MemoryImage,
}

impl MovingState {
    /// Returns a settled state with these outputs.
    pub(super) fn settled(wiring: &Wiring, outputs: Outputs) -> Self {
        let seen = ram_view(wiring.address(wiring.memory(), &outputs));
        Self { outputs, seen, writes: Vec::new() }
    }
}

impl Interleavings<'_> {
    /// Returns the state in which the board settles, if it is the same for every order in which the
    /// chips respond.
    pub(super) fn settle(&self, start: MovingState) -> Result<MovingState, Indefinite> {
        self.settle_within(STATES_MAX, start)
    }

    /// Settles the board like [`Self::settle`], but explores at most `max` states.
    fn settle_within(&self, max: usize, start: MovingState) -> Result<MovingState, Indefinite> {
        let indefinite = |cause, moving| Err(Indefinite { cause, moving });
        // Reserves space, because a growing set hashes all its elements again.
        let mut seen = quick_set(STATES_OFTEN);
        seen.insert(start.clone());
        let waiting = self.waiting_nodes(&start);
        let mut pending = vec![(start, waiting)];
        let mut ends: Vec<MovingState> = Vec::new();
        let mut moving = [0; NODES_MAX];
        while let Some((state, waiting)) = pending.pop() {
            for node in nodes(waiting) {
                let next = self.respond(node, &state);
                moving[node] |= state.outputs[node] ^ next.outputs[node];
                if seen.insert(next.clone()) {
                    let waiting = self.waiting_after(node, waiting, &next);
                    pending.push((next, waiting));
                }
            }
            if waiting == 0 {
                ends.push(state);
            }
            if seen.len() > max {
                return indefinite(TOO_MANY_ORDERS, moving);
            }
        }
        match &ends[..] {
            [] => indefinite(ENDLESS, moving),
            [_] => Ok(ends.remove(0)),
            [first, rest @ ..] => {
                let mut differ = [0; NODES_MAX];
                for end in rest {
                    add_difference(&mut differ, first, end);
                }
                indefinite(ORDER_MATTERS, differ)
            }
        }
    }

    /// Returns a possible settled state, starting from any state.
    pub(super) fn settle_arbitrarily(&self, start: MovingState) -> Result<MovingState, Indefinite> {
        let mut state = start;
        for _ in 0..STATES_MAX {
            let next = self.next_states(&state).next();
            match next {
                Some(next) => state = next,
                None => return Ok(state),
            }
        }
        let mut moving = [0; NODES_MAX];
        for next in self.next_states(&state) {
            add_difference(&mut moving, &state, &next);
        }
        Err(Indefinite { cause: ENDLESS, moving })
    }

    /// Returns the waiting nodes as a bit mask.
    fn waiting_nodes(&self, state: &MovingState) -> u64 {
        let nodes = 0..self.wiring.nodes().len();
        nodes.fold(0, |waiting, node| waiting | u64::from(self.is_waiting(node, state)) << node)
    }

    /// Updates the mask of waiting nodes after a node has responded.
    fn waiting_after(&self, node: usize, before: u64, state: &MovingState) -> u64 {
        // A node may be waiting because of its own feedback. Data memory stores a byte when it
        // responds or when nWE, which it reads, changes.
        let affected = self.wiring.readers(node) | 1 << node;
        nodes(affected).fold(before & !affected, |waiting, node| {
            waiting | u64::from(self.is_waiting(node, state)) << node
        })
    }

    fn is_waiting(&self, node: usize, state: &MovingState) -> bool {
        let address = self.wiring.address(node, &state.outputs);
        let ram_changed = matches!(self.wiring.nodes()[node].kind, NodeKind::Ram)
            && ram_view(address) != ram_view(state.seen);
        ram_changed || self.output(node, address, state) != state.outputs[node]
    }

    fn next_states<'a>(&'a self, state: &'a MovingState) -> impl Iterator<Item = MovingState> + 'a {
        nodes(self.waiting_nodes(state)).map(|node| self.respond(node, state))
    }

    /// Returns the state after a node has responded.
    fn respond(&self, node: usize, state: &MovingState) -> MovingState {
        let mut next = state.clone();
        let address = self.wiring.address(node, &state.outputs);
        if matches!(self.wiring.nodes()[node].kind, NodeKind::Ram) {
            let writing = (state.seen | address) & RAM_WRITE_LOW == 0;
            if writing && ram_cell(state.seen) != ram_cell(address) {
                next.writes.push((ram_cell(state.seen), ram_data(address)));
            }
            next.seen = ram_view(address);
        }
        next.outputs[node] = self.output(node, address, &next);
        if self.wiring.readers(node) >> self.wiring.memory() & 1 == 1 {
            self.end_write(state, &mut next);
        }
        next
    }

    /// Stores the levels of the data pins in data memory if nWE rises.
    fn end_write(&self, before: &MovingState, next: &mut MovingState) {
        let memory = self.wiring.memory();
        let was = self.wiring.address(memory, &before.outputs);
        let is = self.wiring.address(memory, &next.outputs);
        let rises = !was & is & RAM_WRITE_LOW != 0;
        if rises && before.seen & RAM_WRITE_LOW == 0 {
            next.writes.push((ram_cell(before.seen), ram_data(was)));
        }
    }

    fn output(&self, node: usize, address: u32, state: &MovingState) -> u8 {
        match &self.wiring.nodes()[node].kind {
            NodeKind::Outside => state.outputs[node],
            NodeKind::Rom(_) | NodeKind::Program => self.image.contents(node, address),
            NodeKind::Ram => self.read_cell(ram_cell(address), state),
            NodeKind::Shared => shared_output(address),
        }
    }

    fn read_cell(&self, cell: u16, state: &MovingState) -> u8 {
        let written = state.writes.iter().rev().find(|(address, _)| *address == cell);
        written.map_or(self.image.memory()[usize::from(cell)], |(_, byte)| *byte)
    }
}

/// Returns the nodes in a bit mask, in ascending order.
fn nodes(mut bits: u64) -> impl Iterator<Item = usize> {
    (0..bits.count_ones()).map(move |_| {
        let node = bits.trailing_zeros();
        bits &= bits - 1;
        node as usize
    })
}

/// Returns the pins that a RAM responds to: its address and nWE. The data pins only matter when it
/// stores them.
const fn ram_view(address: u32) -> u32 {
    address & (RAM_WRITE_LOW | (RAM_WRITE_LOW - 1))
}

fn add_difference(into: &mut Outputs, one: &MovingState, other: &MovingState) {
    for (into, (a, b)) in into.iter_mut().zip(one.outputs.iter().zip(&other.outputs)) {
        *into |= a ^ b;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use gray1_isa::SplitMix64;
    use gray1_roms::{GRAY1, load};

    use super::*;
    use crate::Circuit;
    use crate::nodes::wiring::{OSCILLATOR, OUTSIDE};
    use crate::testing::settled_at_random;

    /// Compares the number of states on the edges of a few instructions with a simple search that
    /// does not know which node reads which wire.
    #[test]
    fn settling_explores_exactly_the_states_up_to_the_limit() {
        let random = &mut SplitMix64::new(5);
        let mut circuit = settled_at_random(&load(GRAY1).unwrap(), random);
        let board = circuit.board().clone();
        let wiring = Wiring::new(&board);
        for edge in 0..24 {
            let image = MemoryImage::new(&board, &wiring, circuit.memory());
            let all = Interleavings { wiring: &wiring, image: &image };
            let mut start = MovingState::settled(&wiring, circuit.all_outputs());
            start.outputs[OUTSIDE] ^= OSCILLATOR;
            let enough = (1..=STATES_MAX)
                .find(|max| all.settle_within(*max, start.clone()).is_ok())
                .unwrap();
            // The oscillator changes PHASE, then CTRL and others respond in any order.
            let mut states = HashSet::from([start.clone()]);
            let mut pending = vec![start.clone()];
            let mut ends = Vec::new();
            while let Some(state) = pending.pop() {
                pending.extend(all.next_states(&state).filter(|next| states.insert(next.clone())));
                if all.waiting_nodes(&state) == 0 {
                    ends.push(state);
                }
            }
            assert_eq!(enough, states.len(), "edge {edge}");
            assert_eq!(ends, [all.settle(start.clone()).unwrap()], "edge {edge}");
            let refused = all.settle_within(enough - 1, start).unwrap_err();
            assert_eq!(refused.cause, TOO_MANY_ORDERS, "edge {edge}");
            circuit.edge().unwrap();
        }
    }

    /// While nWE is low, data memory stores its byte in each cell whose address it leaves.
    #[test]
    fn a_change_of_the_address_during_a_write_stores_the_byte_in_the_old_cell() {
        let random = &mut SplitMix64::new(6);
        let mut circuit = settled_at_random(&load(GRAY1).unwrap(), random);
        let board = circuit.board().clone();
        let wiring = Wiring::new(&board);
        let memory = wiring.memory();
        let [operand, control] =
            ["IRL", "CTRL"].map(|name| Wiring::chip(board.chip_named(name).unwrap()));
        let write_low = 1 << wiring.output_bit(board.net_named("nWE").unwrap()).bit;
        let mut left = 0;
        for _ in 0..1000 {
            circuit.edge().unwrap();
            let image = MemoryImage::new(&board, &wiring, circuit.memory());
            let all = Interleavings { wiring: &wiring, image: &image };
            let still = MovingState::settled(&wiring, circuit.all_outputs());
            let address = wiring.address(memory, &still.outputs);
            let mut moved = still.clone();
            moved.outputs[operand] ^= 1;
            assert_eq!(all.respond(memory, &still).writes, []);
            let writes = all.respond(memory, &moved).writes;
            // A change of the address together with nWE is not a change during the write.
            moved.outputs[control] ^= write_low;
            assert_eq!(all.respond(memory, &moved).writes, []);
            if address & RAM_WRITE_LOW == 0 {
                assert_eq!(writes, [(ram_cell(address), ram_data(address))]);
                left += 1;
            } else {
                assert_eq!(writes, []);
            }
        }
        assert!(left > 10, "{left} cells were left");
    }
}

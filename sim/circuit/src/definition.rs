//! Settling by trying all interleavings: chips answer one after another, in every order.
//!
//! This is the definition that the planned engine is a short cut for. A node that would show
//! something else is waiting; any waiting node may be the next to answer, and all its wires move
//! at once. The board is settled when no node is waiting. If all orders end alike, that is the
//! outcome.

use super::nodes::memory_image::MemoryImage;
use super::nodes::wiring::{
    NODES_MAX, NodeKind, Outputs, RAM_WRITE_LOW, Wiring, ram_cell, ram_data, shared_output,
};
use super::quick_hash::quick_set;
use super::unsettled::{ENDLESS, ORDER_MATTERS, TOO_MANY_ORDERS};

/// The most states that are followed.
const STATES_MAX: usize = 20_000;
/// The number that the stock board needs an edge: a few dozen.
const STATES_OFTEN: usize = 64;

/// All that moves while a board settles.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MovingState {
    pub(super) outputs: Outputs,
    /// The address that data memory looked at last.
    seen: u32,
    /// The bytes that data memory took, in order.
    pub(super) writes: Vec<(u16, u8)>,
}

/// Why the outcome is not definite, and which output wires are in question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Indefinite {
    pub(super) cause: &'static str,
    pub(super) moving: Outputs,
}

/// A board and its bytes as they were before.
pub(super) struct Interleavings<'a> {
    pub(super) wiring: &'a Wiring,
    pub(super) image: &'a MemoryImage,
}

impl MovingState {
    /// A settled state.
    pub(super) fn settled(wiring: &Wiring, outputs: Outputs) -> Self {
        let seen = ram_view(wiring.address(wiring.memory(), &outputs));
        Self { outputs, seen, writes: Vec::new() }
    }
}

impl Interleavings<'_> {
    /// The one state in which every order of answers ends.
    pub(super) fn settle(&self, start: MovingState) -> Result<MovingState, Indefinite> {
        self.settle_within(STATES_MAX, start)
    }

    /// The same, if no more states than these are on the way.
    fn settle_within(&self, max: usize, start: MovingState) -> Result<MovingState, Indefinite> {
        let indefinite = |cause, moving| Err(Indefinite { cause, moving });
        // Room from the start: a set that grows hashes all that it holds again.
        let mut seen = quick_set(STATES_OFTEN);
        seen.insert(start.clone());
        let waiting = self.waiting(&start);
        let mut pending = vec![(start, waiting)];
        let mut ends: Vec<MovingState> = Vec::new();
        let mut moving = [0; NODES_MAX];
        while let Some((state, waiting)) = pending.pop() {
            for node in nodes(waiting) {
                let next = self.answer(node, &state);
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

    /// Some state in which the board may come to rest, from any state at all.
    pub(super) fn settle_somehow(&self, start: MovingState) -> Result<MovingState, Indefinite> {
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

    /// The nodes that would show something else than they do, a bit for each.
    fn waiting(&self, state: &MovingState) -> u64 {
        let nodes = 0..self.wiring.nodes().len();
        nodes.fold(0, |waiting, node| waiting | u64::from(self.is_waiting(node, state)) << node)
    }

    /// The same after a node has answered, from those that were waiting before.
    fn waiting_after(&self, node: usize, before: u64, state: &MovingState) -> u64 {
        // A node may be waiting for itself. Data memory takes a byte as it answers itself, or nWE,
        // which it reads.
        let asked = self.wiring.readers(node) | 1 << node;
        nodes(asked).fold(before & !asked, |waiting, node| {
            waiting | u64::from(self.is_waiting(node, state)) << node
        })
    }

    fn is_waiting(&self, node: usize, state: &MovingState) -> bool {
        let address = self.wiring.address(node, &state.outputs);
        let looks = matches!(self.wiring.nodes()[node].kind, NodeKind::Ram)
            && ram_view(address) != ram_view(state.seen);
        looks || self.shows(node, address, state) != state.outputs[node]
    }

    fn next_states<'a>(&'a self, state: &'a MovingState) -> impl Iterator<Item = MovingState> + 'a {
        nodes(self.waiting(state)).map(|node| self.answer(node, state))
    }

    /// The state after one node has answered.
    fn answer(&self, node: usize, state: &MovingState) -> MovingState {
        let mut next = state.clone();
        let address = self.wiring.address(node, &state.outputs);
        if matches!(self.wiring.nodes()[node].kind, NodeKind::Ram) {
            let writing = (state.seen | address) & RAM_WRITE_LOW == 0;
            if writing && ram_cell(state.seen) != ram_cell(address) {
                next.writes.push((ram_cell(state.seen), ram_data(address)));
            }
            next.seen = ram_view(address);
        }
        next.outputs[node] = self.shows(node, address, &next);
        if self.wiring.readers(node) >> self.wiring.memory() & 1 == 1 {
            self.end_write(state, &mut next);
        }
        next
    }

    /// Data memory takes what its data pins carry in the moment in which nWE rises.
    fn end_write(&self, before: &MovingState, next: &mut MovingState) {
        let memory = self.wiring.memory();
        let was = self.wiring.address(memory, &before.outputs);
        let is = self.wiring.address(memory, &next.outputs);
        let rises = !was & is & RAM_WRITE_LOW != 0;
        if rises && before.seen & RAM_WRITE_LOW == 0 {
            next.writes.push((ram_cell(before.seen), ram_data(was)));
        }
    }

    fn shows(&self, node: usize, address: u32, state: &MovingState) -> u8 {
        match &self.wiring.nodes()[node].kind {
            NodeKind::Outside => state.outputs[node],
            NodeKind::Rom(_) | NodeKind::Program => self.image.contents(node, address),
            NodeKind::Ram => self.cell(ram_cell(address), state),
            NodeKind::Shared => shared_output(address),
        }
    }

    fn cell(&self, cell: u16, state: &MovingState) -> u8 {
        let written = state.writes.iter().rev().find(|(address, _)| *address == cell);
        written.map_or(self.image.memory()[usize::from(cell)], |(_, byte)| *byte)
    }
}

/// The nodes whose bits are set, in rising order.
fn nodes(mut bits: u64) -> impl Iterator<Item = usize> {
    (0..bits.count_ones()).map(move |_| {
        let node = bits.trailing_zeros();
        bits &= bits - 1;
        node as usize
    })
}

/// The pins that a RAM reacts to: its cell and nWE; the data pins only matter when it takes them.
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

    /// On the edges of a few instructions, beside a search that knows nothing of who reads what.
    #[test]
    fn as_many_states_are_followed_as_the_limit_says() {
        let random = &mut SplitMix64::new(5);
        let mut circuit = settled_at_random(&load(GRAY1).unwrap(), random);
        let board = circuit.board().clone();
        let wiring = Wiring::new(&board);
        for edge in 0..24 {
            let image = MemoryImage::new(&board, &wiring, circuit.memory());
            let all = Interleavings { wiring: &wiring, image: &image };
            let mut start = MovingState::settled(&wiring, circuit.shown_now());
            start.outputs[OUTSIDE] ^= OSCILLATOR;
            let enough = (1..=STATES_MAX)
                .find(|max| all.settle_within(*max, start.clone()).is_ok())
                .unwrap();
            // The oscillator moves PHASE, then CTRL and others answer in any order.
            let mut states = HashSet::from([start.clone()]);
            let mut pending = vec![start.clone()];
            let mut ends = Vec::new();
            while let Some(state) = pending.pop() {
                pending.extend(all.next_states(&state).filter(|next| states.insert(next.clone())));
                if all.waiting(&state) == 0 {
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

    /// While nWE is low, data memory takes its byte into each cell that it leaves.
    #[test]
    fn a_cell_that_is_left_during_a_write_takes_the_byte() {
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
            let still = MovingState::settled(&wiring, circuit.shown_now());
            let address = wiring.address(memory, &still.outputs);
            let mut moved = still.clone();
            moved.outputs[operand] ^= 1;
            assert_eq!(all.answer(memory, &still).writes, []);
            let writes = all.answer(memory, &moved).writes;
            // A cell that is left as a write begins or ends is none that is left during it.
            moved.outputs[control] ^= write_low;
            assert_eq!(all.answer(memory, &moved).writes, []);
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

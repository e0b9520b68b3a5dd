//! Edges on which all orders of answers were tried, and how they ended: a program that runs in a
//! circle comes to the same ones again and again.

use gray1_isa::address::RAM_BYTES;

use super::interleavings::{MovingState, Rest};
use super::quick_hash::QuickMap;
use super::wiring::Outputs;

/// The most edges that are kept, in some two megabytes.
const EDGES_MAX: usize = 1 << 14;

/// What nodes show as the lines from outside begin to move, and which of these move.
pub(super) type Start = (Outputs, u8);

/// Edges, by what they start from.
#[derive(Debug, Clone, Default)]
pub(super) struct Tried {
    edges: QuickMap<Start, Rest>,
}

impl Tried {
    /// Forgets all edges: contents have changed.
    pub(super) fn forget(&mut self) {
        self.edges.clear();
    }

    /// How an edge ended, if it was tried while data memory held the same wherever it was read.
    pub(super) fn find(&self, start: &Start, memory: &[u8; RAM_BYTES]) -> Option<&MovingState> {
        let rest = self.edges.get(start)?;
        let same = rest.read.iter().all(|&(cell, byte)| memory[usize::from(cell)] == byte);
        same.then_some(&rest.state)
    }

    /// Keeps an edge, if need be in place of all others.
    pub(super) fn keep(&mut self, start: Start, rest: Rest) {
        if self.edges.len() == EDGES_MAX {
            self.edges.clear();
        }
        self.edges.insert(start, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;
    use crate::circuit::Circuit;
    use crate::circuit::interleavings::Interleavings;
    use crate::circuit::memory_image::MemoryImage;
    use crate::circuit::wiring::{OSCILLATOR, OUTSIDE, Wiring};
    use crate::computer::reference::{GRAY1, board, settled_at_random};

    /// On every edge of a few instructions: what is found is what was kept, and only while data
    /// memory holds the same where it was read.
    #[test]
    fn an_edge_is_found_while_the_bytes_that_it_read_are_the_same() {
        let random = &mut SplitMix64::new(3);
        let mut circuit = settled_at_random(&board(GRAY1), random);
        let board = circuit.board().clone();
        let wiring = Wiring::new(&board);
        let mut read = 0;
        for _ in 0..200 {
            let start = (circuit.shown_now(), OSCILLATOR);
            let mut memory = *circuit.memory();
            let image = MemoryImage::new(&board, &wiring, &memory);
            let mut moving = MovingState::settled(&wiring, start.0);
            moving.outputs[OUTSIDE] ^= OSCILLATOR;
            let rest = Interleavings { wiring: &wiring, image: &image }.settle(moving).unwrap();
            let mut tried = Tried::default();
            assert_eq!(tried.find(&start, &memory), None);
            tried.keep(start, rest.clone());
            assert_eq!(tried.find(&start, &memory), Some(&rest.state));
            circuit.edge().unwrap();
            assert_eq!(rest.state.outputs, circuit.shown_now());
            assert_eq!(tried.find(&(circuit.shown_now(), OSCILLATOR), &memory), None);
            for &(cell, byte) in &rest.read {
                memory[usize::from(cell)] = !byte;
                assert_eq!(tried.find(&start, &memory), None);
                memory[usize::from(cell)] = byte;
            }
            read = read.max(rest.read.len());
            tried.forget();
            assert_eq!(tried.find(&start, &memory), None);
        }
        assert!(read > 1, "an operand comes in, and with it another byte");
    }
    #[test]
    fn as_many_edges_are_kept_as_there_is_room_for() {
        let circuit = settled_at_random(&board(GRAY1), &mut SplitMix64::new(4));
        let wiring = Wiring::new(circuit.board());
        let rest = Rest { state: MovingState::settled(&wiring, circuit.shown_now()), read: vec![] };
        let start = |number: usize| {
            let mut outputs = circuit.shown_now();
            (outputs[1], outputs[2]) = (number as u8, (number >> 8) as u8);
            (outputs, OSCILLATOR)
        };
        let mut tried = Tried::default();
        (0..EDGES_MAX).for_each(|number| tried.keep(start(number), rest.clone()));
        let knows = |tried: &Tried, number| tried.find(&start(number), circuit.memory()).is_some();
        assert!((0..EDGES_MAX).all(|number| knows(&tried, number)));
        tried.keep(start(EDGES_MAX), rest.clone());
        assert!(knows(&tried, EDGES_MAX) && !knows(&tried, 0));
    }
}

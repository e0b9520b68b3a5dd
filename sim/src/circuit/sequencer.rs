//! The sequencer: the chips that the oscillator drives, as one table.
//!
//! A latch or counter that reads nothing but the oscillator and reset (PHASE), together with the
//! tables that read it and few other lines (CTRL), has few states. Fused into one table, they give
//! what the next edge of the oscillator does to every strobe.

use super::wiring::{Kind, NODES_MAX, OSCILLATOR, OUTSIDE, Outputs, Signal, Wiring};

/// The most bits of the fused table's index.
const INDEX_BITS_MAX: usize = 12;
/// The most lines from elsewhere that a table may read and still be fused.
const FOREIGN_LINES_MAX: usize = 4;
/// The most edges of a cycle; an instruction has eight.
const CYCLE_EDGES_MAX: u32 = 16;
/// How many bits of the index are lines from outside: the oscillator, then reset.
const OUTSIDE_BITS: usize = 2;

/// The fused chips. An index holds the outside lines, the state, and the lines from elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct Sequencer {
    /// The fused nodes, the one with a state first.
    nodes: Vec<usize>,
    /// What the bits of an index are.
    bits: Vec<Signal>,
    /// Which of the bits are lines from elsewhere.
    foreign: u16,
    /// For each index, the one at which the state comes to rest; itself if it is at rest.
    rest: Vec<Option<u16>>,
    /// What the nodes show at each index at rest: as many bytes an index as there are nodes.
    shown: Vec<u8>,
}

impl Sequencer {
    /// The sequencer of a board, if it has one of this kind.
    pub(crate) fn of(wiring: &Wiring) -> Option<Self> {
        let state = state_node(wiring)?;
        let mut sequencer = Self {
            nodes: vec![state],
            bits: outside_lines().chain(own_lines(wiring, state)).collect(),
            foreign: 0,
            rest: Vec::new(),
            shown: Vec::new(),
        };
        while let Some((node, foreign)) = sequencer.next_table(wiring) {
            sequencer.nodes.push(node);
            for signal in foreign {
                sequencer.foreign |= 1 << sequencer.bits.len();
                sequencer.bits.push(signal);
            }
        }
        sequencer.fill(wiring);
        Some(sequencer)
    }

    /// The fused nodes.
    pub(crate) fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The node that has a state.
    pub(crate) fn state(&self) -> usize {
        self.nodes[0]
    }

    /// How many indexes there are.
    pub(crate) fn len(&self) -> usize {
        1 << self.bits.len()
    }

    /// The lines from elsewhere, with their bits of the index.
    pub(crate) fn foreign(&self) -> impl Iterator<Item = (u16, Signal)> + '_ {
        let bits = self.bits.iter().enumerate().map(|(bit, &signal)| (1 << bit, signal));
        bits.filter(|(bit, _)| self.foreign & bit != 0)
    }

    /// The index at which the sequencer is at rest with these outputs, if it is.
    pub(crate) fn index_at_rest(&self, outputs: &Outputs) -> Option<u16> {
        let bits = self.bits.iter().enumerate();
        let index = bits.fold(0, |i, (bit, signal)| i | u16::from(signal.of(outputs)) << bit);
        (self.rest(index) == Some(index)).then_some(index)
    }

    /// The index at which the state comes to rest, if it does.
    pub(crate) fn rest(&self, index: u16) -> Option<u16> {
        self.rest[usize::from(index)]
    }

    /// After how many edges the state is as it was, whatever the lines from elsewhere do; `None` if
    /// that takes long or never happens.
    pub(crate) fn cycle_edges(&self, index: u16) -> Option<u32> {
        let mut at = index;
        (1..=CYCLE_EDGES_MAX).find_map(|edges| {
            at = self.rest(at ^ u16::from(OSCILLATOR))?;
            (at == index).then_some(edges)
        })
    }

    /// What the fused nodes show at an index at rest, in the order of [`Self::nodes`].
    pub(crate) fn shown(&self, index: u16) -> &[u8] {
        let first = usize::from(index) * self.nodes.len();
        &self.shown[first..first + self.nodes.len()]
    }

    /// Writes what the fused nodes show at an index at rest, and the lines from outside.
    #[inline]
    pub(crate) fn show(&self, index: u16, outputs: &mut Outputs) {
        outputs[OUTSIDE] = outside(index);
        for (&node, &shown) in self.nodes.iter().zip(self.shown(index)) {
            outputs[node % NODES_MAX] = shown;
        }
    }

    /// Another table that can be fused, and the lines from elsewhere that it adds.
    fn next_table(&self, wiring: &Wiring) -> Option<(usize, Vec<Signal>)> {
        (0..wiring.nodes().len()).find_map(|index| {
            let node = &wiring.nodes()[index];
            let feeds_us = self.bits.iter().any(|signal| signal.node == index);
            let fusible = matches!(node.kind, Kind::Rom(_)) && node.own == 0 && !feeds_us;
            let inside = |signal: &Signal| self.nodes.contains(&signal.node);
            let reads = node.pins.iter().map(|(_, signal)| *signal);
            let reads_us = reads.clone().any(|signal| inside(&signal));
            if !fusible || !reads_us || self.nodes.contains(&index) {
                return None;
            }
            let foreign: Vec<Signal> =
                reads.filter(|s| !inside(s) && !self.bits.contains(s)).collect();
            // Only lines that are remembered are kept up to date.
            let kept = foreign.iter().all(|&signal| wiring.is_fed_back(signal));
            let fits = kept
                && foreign.len() <= FOREIGN_LINES_MAX
                && self.bits.len() + foreign.len() <= INDEX_BITS_MAX;
            fits.then_some((index, foreign))
        })
    }

    fn fill(&mut self, wiring: &Wiring) {
        for index in 0..self.len() as u16 {
            let mut outputs = [0; NODES_MAX];
            for (bit, signal) in self.bits.iter().enumerate() {
                outputs[signal.node] |= ((index >> bit & 1) as u8) << signal.bit;
            }
            let state = self.nodes[0];
            let shown = look_up(wiring, state, &outputs);
            let mut rest = index;
            for (bit, signal) in self.bits.iter().enumerate().filter(|(_, s)| s.node == state) {
                rest = rest & !(1 << bit) | u16::from(shown >> signal.bit & 1) << bit;
            }
            outputs[state] = shown;
            let stays = look_up(wiring, state, &outputs) == shown;
            for &node in &self.nodes[1..] {
                outputs[node] = look_up(wiring, node, &outputs);
            }
            self.rest.push(stays.then_some(rest));
            self.shown.extend(self.nodes.iter().map(|&node| outputs[node]));
        }
    }
}

/// The one node that reads the oscillator and its own lines, and nothing else but reset.
fn state_node(wiring: &Wiring) -> Option<usize> {
    let oscillator = Signal { node: OUTSIDE, bit: 0 };
    let reads = |node: &usize| wiring.nodes()[*node].pins.iter().any(|(_, s)| *s == oscillator);
    let mut readers = (0..wiring.nodes().len()).filter(reads);
    let node = readers.next().filter(|_| readers.next().is_none())?;
    let alone = |signal: Signal| signal.node == OUTSIDE || signal.node == node;
    let closed = wiring.nodes()[node].pins.iter().all(|(_, signal)| alone(*signal));
    (closed && matches!(wiring.nodes()[node].kind, Kind::Rom(_))).then_some(node)
}

/// The lines from outside at an index.
const fn outside(index: u16) -> u8 {
    index as u8 & ((1 << OUTSIDE_BITS) - 1)
}

fn outside_lines() -> impl Iterator<Item = Signal> {
    (0..OUTSIDE_BITS as u8).map(|bit| Signal { node: OUTSIDE, bit })
}

fn own_lines(wiring: &Wiring, node: usize) -> impl Iterator<Item = Signal> + '_ {
    wiring.nodes()[node].pins.iter().map(|(_, signal)| *signal).filter(move |s| s.node == node)
}

fn look_up(wiring: &Wiring, node: usize, outputs: &Outputs) -> u8 {
    match &wiring.nodes()[node].kind {
        Kind::Rom(contents) => contents[wiring.address(node, outputs) as usize],
        Kind::Outside | Kind::Program | Kind::Ram | Kind::Shared => outputs[node],
    }
}

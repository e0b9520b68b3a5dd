//! The sequencer: the chips that the oscillator drives, combined into one table.
//!
//! A latch or counter that reads only the oscillator and reset (PHASE) has few states. So do the
//! tables that read it and only a few other wires (CTRL). One table for all of them gives the
//! effect of the next edge of the oscillator on every strobe. The few other wires are its *external
//! inputs*.

use crate::nodes::wiring::{
    NODES_MAX, NodeKind, OSCILLATOR, OUTSIDE, OutputBit, Outputs, Segment, Wiring, segments,
};

/// The maximum number of bits of the table's index.
const INDEX_BITS_MAX: usize = 12;
/// The maximum number of external inputs that one table may add.
const EXTERNAL_INPUTS_MAX: usize = 4;
/// The maximum number of edges in a cycle. An instruction has eight.
const CYCLE_EDGES_MAX: u32 = 16;
/// The number of index bits for wires from outside: the oscillator, then reset.
const OUTSIDE_BITS: usize = 2;

/// The combined chips. An index consists of the outside wires, the state and the external inputs.
#[derive(Debug, Clone)]
pub struct Sequencer {
    /// The combined nodes. The first one has the state.
    nodes: Vec<usize>,
    /// The wire of each bit of an index.
    bits: Vec<OutputBit>,
    /// The wires of an index as segments, for fast gathering.
    segments: Vec<Segment>,
    /// The bits that are external inputs, as a mask.
    external: u16,
    /// For each index, the index at which the state settles. Equal to the index if it is settled.
    settled: Vec<Option<u16>>,
    /// The outputs of the nodes at each settled index, one byte per node.
    shown: Vec<u8>,
}

impl Sequencer {
    /// Finds the sequencer of a board, if it has one.
    pub fn find(wiring: &Wiring) -> Option<Self> {
        let state = state_node(wiring)?;
        let mut sequencer = Self {
            nodes: vec![state],
            bits: outside_wires().chain(own_wires(wiring, state)).collect(),
            segments: Vec::new(),
            external: 0,
            settled: Vec::new(),
            shown: Vec::new(),
        };
        while let Some((node, external)) = sequencer.next_table(wiring) {
            sequencer.nodes.push(node);
            debug_assert!(sequencer.nodes.len() < wiring.nodes().len(), "each node once");
            for wire in external {
                sequencer.external |= 1 << sequencer.bits.len();
                sequencer.bits.push(wire);
            }
        }
        let pins: Vec<(u8, OutputBit)> = (0..).zip(sequencer.bits.iter().copied()).collect();
        sequencer.segments = segments(&pins, u32::MAX);
        sequencer.fill(wiring);
        Some(sequencer)
    }

    /// The combined nodes.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The node that has the state.
    pub(crate) fn state(&self) -> usize {
        self.nodes[0]
    }

    /// The number of indexes.
    pub fn indexes(&self) -> usize {
        1 << self.bits.len()
    }

    /// The external inputs, each with its bit of the index.
    pub fn inputs(&self) -> impl Iterator<Item = (u16, OutputBit)> + '_ {
        let bits = self.bits.iter().enumerate().map(|(bit, &wire)| (1 << bit, wire));
        bits.filter(|(bit, _)| self.external & bit != 0)
    }

    /// Returns the index for these outputs, if the sequencer is settled.
    pub(crate) fn index_if_settled(&self, outputs: &Outputs) -> Option<u16> {
        let bits = self.segments.iter().fold(0, |bits, segment| bits | segment.gather(outputs));
        let index = bits as u16;
        (self.settled_index(index) == Some(index)).then_some(index)
    }

    /// Returns the index at which the state settles, if it does.
    pub fn settled_index(&self, index: u16) -> Option<u16> {
        self.settled[usize::from(index)]
    }

    /// Returns the number of edges until the state repeats, for any levels of the external inputs.
    /// Returns `None` if it takes too long or never happens.
    pub(crate) fn cycle_edges(&self, index: u16) -> Option<u32> {
        let mut at = index;
        (1..=CYCLE_EDGES_MAX).find_map(|edges| {
            at = self.settled_index(at ^ u16::from(OSCILLATOR))?;
            (at == index).then_some(edges)
        })
    }

    /// Returns the outputs of the nodes at a settled index, in the order of [`Self::nodes`].
    pub fn shown(&self, index: u16) -> &[u8] {
        let first = usize::from(index) * self.nodes.len();
        &self.shown[first..first + self.nodes.len()]
    }

    /// Writes the outputs of the nodes at a settled index, and the wires from outside.
    #[inline]
    pub fn show(&self, index: u16, outputs: &mut Outputs) {
        outputs[OUTSIDE] = outside(index);
        for (&node, &shown) in self.nodes.iter().zip(self.shown(index)) {
            outputs[node % NODES_MAX] = shown;
        }
    }

    /// Finds another table that can be added, and the external inputs that it adds.
    fn next_table(&self, wiring: &Wiring) -> Option<(usize, Vec<OutputBit>)> {
        (0..wiring.nodes().len()).find_map(|index| {
            let node = &wiring.nodes()[index];
            let is_read_here = self.bits.iter().any(|wire| wire.node == index);
            let is_table = matches!(node.kind, NodeKind::Rom(_)) && node.own == 0 && !is_read_here;
            let inside = |wire: &OutputBit| self.nodes.contains(&wire.node);
            let reads = node.pins.iter().map(|(_, wire)| *wire);
            let reads_combined = reads.clone().any(|wire| inside(&wire));
            if !is_table || !reads_combined || self.nodes.contains(&index) {
                return None;
            }
            let external: Vec<OutputBit> =
                reads.filter(|s| !inside(s) && !self.bits.contains(s)).collect();
            // Only stored wires are kept up to date.
            let kept = external.iter().all(|&wire| wiring.is_fed_back(wire));
            let fits = kept
                && external.len() <= EXTERNAL_INPUTS_MAX
                && self.bits.len() + external.len() <= INDEX_BITS_MAX;
            fits.then_some((index, external))
        })
    }

    fn fill(&mut self, wiring: &Wiring) {
        for index in 0..self.indexes() as u16 {
            let mut outputs = [0; NODES_MAX];
            for (bit, wire) in self.bits.iter().enumerate() {
                outputs[wire.node] |= ((index >> bit & 1) as u8) << wire.bit;
            }
            let state = self.nodes[0];
            let shown = look_up(wiring, state, &outputs);
            let mut settled = index;
            for (bit, wire) in self.bits.iter().enumerate().filter(|(_, s)| s.node == state) {
                settled = settled & !(1 << bit) | u16::from(shown >> wire.bit & 1) << bit;
            }
            outputs[state] = shown;
            let is_stable = look_up(wiring, state, &outputs) == shown;
            for &node in &self.nodes[1..] {
                outputs[node] = look_up(wiring, node, &outputs);
            }
            self.settled.push(is_stable.then_some(settled));
            self.shown.extend(self.nodes.iter().map(|&node| outputs[node]));
        }
    }
}

/// Finds the only node that reads the oscillator and its own feedback, and nothing else except
/// reset.
fn state_node(wiring: &Wiring) -> Option<usize> {
    let oscillator = OutputBit { node: OUTSIDE, bit: 0 };
    let mut readers = (0..).zip(wiring.nodes()).filter(|(_, node)| node.reads(oscillator));
    let (index, node) = readers.next().filter(|_| readers.next().is_none())?;
    let is_closed = node.pins.iter().all(|(_, wire)| [OUTSIDE, index].contains(&wire.node));
    (is_closed && matches!(node.kind, NodeKind::Rom(_))).then_some(index)
}

/// Returns the wires from outside at an index.
const fn outside(index: u16) -> u8 {
    index as u8 & ((1 << OUTSIDE_BITS) - 1)
}

fn outside_wires() -> impl Iterator<Item = OutputBit> {
    (0..OUTSIDE_BITS as u8).map(|bit| OutputBit { node: OUTSIDE, bit })
}

fn own_wires(wiring: &Wiring, node: usize) -> impl Iterator<Item = OutputBit> + '_ {
    wiring.nodes()[node].pins.iter().map(|(_, wire)| *wire).filter(move |s| s.node == node)
}

fn look_up(wiring: &Wiring, node: usize, outputs: &Outputs) -> u8 {
    match &wiring.nodes()[node].kind {
        NodeKind::Rom(contents) => contents[wiring.address(node, outputs) as usize],
        NodeKind::Outside | NodeKind::Program | NodeKind::Ram | NodeKind::Shared => outputs[node],
    }
}

#[cfg(test)]
mod tests {
    use gray1_board::Board;
    use gray1_roms::{GRAY1, load};

    use super::*;

    #[test]
    fn a_cycle_is_one_instruction_and_reset_has_no_cycle() {
        let sequencer = Sequencer::find(&Wiring::new(&load(GRAY1).unwrap())).unwrap();
        // All settled indexes: every phase without reset, and with reset the phases until T1.
        for index in (0..1 << 9).filter(|index| sequencer.settled_index(*index) == Some(*index)) {
            let expected = match (index >> 1 & 1, index >> 2 & 7) {
                (0, _) => Some(8),
                (_, 0b001) => Some(2),
                _ => None,
            };
            assert_eq!(sequencer.cycle_edges(index), expected, "{index:x}");
        }
    }

    /// The table has five external inputs in addition to opcode and carry.
    #[test]
    fn a_table_with_five_new_external_inputs_is_not_combined() {
        let carry = r#""FLAGS.1", "RST", "0""#;
        assert!(GRAY1.contains(carry));
        let board = load(&GRAY1.replace(carry, r#""FLAGS.1", "RST", "AS.7""#)).unwrap();
        assert_eq!(Sequencer::find(&Wiring::new(&board)).unwrap().nodes().len(), 1);
    }

    /// Returns the number of combined chips on the stock board after adding a chip.
    fn count(part: &str, address: &str) -> Option<usize> {
        let begin = "(\n            name: \"PHASE\"";
        let chip = format!(
            "(name: \"MORE\", part: \"{part}\", address: [{address}], data: [\"MORE.0\"], \
             does: Table, contents: File(\"zeros\")), "
        );
        let text = GRAY1.replace(begin, &format!("{chip}{begin}"));
        let bytes = if part == "2716" { 1 << 11 } else { 32 };
        let board = Board::load(&text, gray1_roms::parts(), |_| Ok(vec![0; bytes])).unwrap();
        let sequencer = Sequencer::find(&Wiring::new(&board))?;
        assert_eq!(sequencer.state(), Wiring::chip(board.chip_named("PHASE").unwrap()));
        Some(sequencer.nodes().len())
    }

    #[test]
    fn tables_with_few_external_inputs_are_combined() {
        let zeros = |count| r#", "0""#.repeat(count);
        // Twelve bits in total, then one more.
        assert_eq!(count("82S123", r#""PHASE.0", "AM.0-2", "0""#), Some(3));
        assert_eq!(count("82S123", r#""PHASE.0", "AM.0-3""#), Some(2));
        // Wires that are already bits of the index do not count, not even five of them.
        let five = format!(r#""PHASE.0", "IRH.5-7", "FLAGS.1", "RST", "AM.0-2"{}"#, zeros(2));
        assert_eq!(count("2716", &five), Some(3));
        assert_eq!(count("82S123", r#""PHASE.0", "ALUL.0", "0", "0", "0""#), Some(2), "not kept");
        assert_eq!(count("82S123", r#""AM.0", "0", "0", "0", "0""#), Some(2), "no phase");
        assert_eq!(count("82S123", r#""AM_EN", "0", "0", "0", "0""#), Some(3), "a strobe");
        assert_eq!(count("82S123", r#""MORE.0", "PHASE.0", "0", "0", "0""#), Some(2), "its own");
        assert_eq!(
            count("82S123", r#""OSC", "0", "0", "0", "0""#),
            None,
            "two read the oscillator"
        );
    }
}

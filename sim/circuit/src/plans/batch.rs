//! Many states of a board at once: an edge's plan is followed one time for all of them.
//!
//! What shows the same in all states is looked up once. That goes on as long as the sequencers of
//! all states stand alike; then each state goes on by itself, in [`super::settled`].

use super::compiled::{CompiledLookUp, CompiledPlans, End};
use crate::nodes::memory_image::MemoryImage;
use crate::nodes::wiring::{NODES_MAX, OUTSIDE, Outputs, Segment};
use crate::probe::Probe;

/// The most states that go together.
pub const STATES_MAX: usize = 256;

/// States of a board that go together.
#[derive(Debug, Clone)]
pub struct Batch {
    count: usize,
    /// The byte that each node of the board shows, by state.
    shown: Vec<[u8; STATES_MAX]>,
    /// The nodes that show the same in all states, a bit for each.
    alike: u64,
    /// The address and byte that data memory saw, by state, when it took a byte.
    written: Option<Numbers>,
    /// The index at which the sequencers of all states stand, if they stand alike.
    index: Option<u16>,
}

/// A number in each state.
#[derive(Debug, Clone)]
enum Numbers {
    Alike(u32),
    Different(Box<[u32; STATES_MAX]>),
}

impl Numbers {
    fn of(&self, state: usize) -> u32 {
        match self {
            Self::Alike(number) => *number,
            Self::Different(numbers) => numbers[state],
        }
    }
}

impl Batch {
    /// No states yet, of a board with so many nodes.
    pub(crate) fn none(nodes: usize) -> Self {
        Self { count: 0, shown: vec![[0; STATES_MAX]; nodes], alike: 0, written: None, index: None }
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        (self.count, self.written, self.index) = (0, None, None);
    }

    /// Adds a state; at most [`STATES_MAX`] go together. All nodes show this, but with other levels
    /// on remembered wires.
    pub fn push(&mut self, shown: &Outputs, levels: &[(&Probe, u32)]) {
        let mut outputs = *shown;
        for (probe, number) in levels {
            probe.put(*number, &mut outputs);
        }
        for (column, &shown) in self.shown.iter_mut().zip(&outputs) {
            column[self.count] = shown;
        }
        self.count += 1;
    }

    /// The number that remembered wires carry in a state.
    #[must_use]
    pub fn read(&self, probe: &Probe, state: usize) -> u32 {
        probe.read_shown(|node| self.shown[node][state])
    }

    /// The bytes that the nodes show in a state.
    pub(crate) fn outputs(&self, state: usize) -> Outputs {
        let mut outputs = [0; NODES_MAX];
        for (output, column) in outputs.iter_mut().zip(&self.shown) {
            *output = column[state];
        }
        outputs
    }

    /// The address and byte that data memory saw in a state when it took a byte, if it took one.
    pub(crate) fn written(&self, state: usize) -> Option<u32> {
        self.written.as_ref().map(|written| written.of(state))
    }

    /// The index at which the sequencers of all states stand, if they still stand alike.
    pub(crate) const fn index(&self) -> Option<u16> {
        self.index
    }

    /// Turns the oscillator over in all states, as often as that can be done together, `limit`
    /// times at most; returns how often.
    pub(crate) fn advance(
        &mut self,
        limit: u32,
        plans: &mut CompiledPlans,
        image: &MemoryImage,
    ) -> u32 {
        (0..self.shown.len()).for_each(|node| self.compare(node));
        if self.count == 0 || !self.sequencers_agree(plans) {
            return 0;
        }
        plans.sync_sequencer(&self.outputs(0));
        let mut edges = 0;
        while edges < limit
            && let Some(index) = plans.index()
            && let entry = plans.entry(index, image)
            && let (look_ups, write) = plans.look_ups_of(entry)
            && self.can_look_up(look_ups, write, plans.wiring().memory())
            && let End::Rests(next) | End::MovesIndex(next) | End::Writes(next, _) = entry.end
        {
            for look_up in look_ups {
                self.look_up(look_up, image);
            }
            if let Some(write) = write {
                self.written = Some(self.gather(write.base(), write.segments()));
            }
            edges += 1;
            plans.set_index(next);
            if let End::MovesIndex(_) = entry.end {
                match self.gather(0, plans.foreign()) {
                    Numbers::Alike(levels) => {
                        plans.set_index(plans.with_foreign(next, levels as u16));
                    }
                    // The strobes are the same still.
                    Numbers::Different(_) => break,
                }
            }
        }
        self.show_sequencer(plans);
        self.index = plans.index().filter(|_| self.sequencers_agree(plans));
        edges
    }

    fn is_alike(&self, node: usize) -> bool {
        self.alike >> node & 1 == 1
    }

    /// Notes whether a node shows the same in all states.
    fn compare(&mut self, node: usize) {
        let column = &self.shown[node][..self.count];
        let alike = column.iter().fold(0, |moved, shown| moved | shown ^ column[0]) == 0;
        self.alike = self.alike & !(1 << node) | u64::from(alike) << node;
    }

    /// True if the sequencers of all states stand alike.
    fn sequencers_agree(&self, plans: &CompiledPlans) -> bool {
        let mut nodes = plans.sequencer().nodes().iter().chain([&OUTSIDE]);
        nodes.all(|&node| self.is_alike(node))
            && matches!(self.gather(0, plans.foreign()), Numbers::Alike(_))
    }

    /// True if it does not matter that the states share a data memory that nothing is written to.
    fn can_look_up(
        &self,
        look_ups: &[CompiledLookUp],
        write: Option<CompiledLookUp>,
        memory: usize,
    ) -> bool {
        let reads = look_ups.iter().any(|look_up| look_up.node() == memory);
        self.written.is_none() || !reads && write.is_none()
    }

    fn look_up(&mut self, look_up: &CompiledLookUp, image: &MemoryImage) {
        let addresses = self.gather(look_up.base(), look_up.segments());
        match addresses {
            Numbers::Alike(address) => self.show(look_up.node(), image.byte(address)),
            Numbers::Different(addresses) => {
                let column = &mut self.shown[look_up.node()][..self.count];
                let states = column.iter_mut().zip(&addresses[..]);
                states.for_each(|(shown, address)| *shown = image.byte(*address));
                self.compare(look_up.node());
            }
        }
    }

    /// Lets a node show the same in all states.
    fn show(&mut self, node: usize, byte: u8) {
        self.shown[node][..self.count].fill(byte);
        self.alike |= 1 << node;
    }

    /// The sum that segments of wires add to a number.
    fn gather<'a>(&self, base: u32, segments: impl Iterator<Item = &'a Segment>) -> Numbers {
        let mut different = Vec::new();
        let mut number = base;
        for segment in segments {
            let node = usize::from(segment.node);
            if self.is_alike(node) {
                number += segment.of_wires(self.shown[node][0]);
            } else {
                different.push(segment);
            }
        }
        if different.is_empty() {
            return Numbers::Alike(number);
        }
        let mut numbers = Box::new([number; STATES_MAX]);
        for segment in different {
            let column = &self.shown[usize::from(segment.node)][..self.count];
            for (number, &shown) in numbers.iter_mut().zip(column) {
                *number += segment.of_wires(shown);
            }
        }
        Numbers::Different(numbers)
    }

    /// Shows what the sequencer shows, which plans leave out.
    fn show_sequencer(&mut self, plans: &CompiledPlans) {
        let mut outputs = self.outputs(0);
        plans.show_sequencer(&mut outputs);
        for &node in plans.sequencer().nodes().iter().chain([&OUTSIDE]) {
            self.show(node, outputs[node]);
        }
    }
}

#[cfg(test)]
mod tests;

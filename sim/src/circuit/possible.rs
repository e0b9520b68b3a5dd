//! Which addresses each node may look up while the lines move, whatever the order of answers.
//!
//! The bytes that nodes may show are collected node by node: a node may look up every address that
//! the bytes of the nodes it reads make up, whether or not these bytes ever stand together. So the
//! addresses that are found are too many rather than too few.

use super::memory_image::MemoryImage;
use super::wiring::{
    Kind, NODES_MAX, Outputs, RAM_WRITE_LOW, Wiring, ram_cell, ram_data, shared_output,
};

/// The most bytes that a node may show.
const BYTES_MAX: usize = 8;
/// The most addresses that a node may look up.
const ADDRESSES_MAX: usize = 64;

/// Bytes that a node may show.
#[derive(Debug, Clone, Copy)]
struct Bytes {
    bytes: [u8; BYTES_MAX],
    count: usize,
}

/// A node to follow.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    pub(super) node: usize,
    /// The nodes whose bytes make up its address; those of all others stand still.
    pub(super) sources: Vec<usize>,
}

/// A board, and the bytes that its nodes may show.
pub(super) struct Possible<'a> {
    wiring: &'a Wiring,
    image: &'a MemoryImage,
    start: Outputs,
    shown: [Bytes; NODES_MAX],
}

impl Bytes {
    /// Adds a byte; returns whether it is new, or nothing if there is no room for it.
    fn insert(&mut self, byte: u8) -> Option<bool> {
        if self.bytes[..self.count].contains(&byte) {
            return Some(false);
        }
        *self.bytes.get_mut(self.count)? = byte;
        self.count += 1;
        Some(true)
    }
}

impl<'a> Possible<'a> {
    /// A board in which nodes show this.
    pub(super) fn at(wiring: &'a Wiring, image: &'a MemoryImage, start: Outputs) -> Self {
        let shown = start.map(|byte| Bytes { bytes: [byte; BYTES_MAX], count: 1 });
        Self { wiring, image, start, shown }
    }

    /// A node has gone over to another byte, which it shows from now on.
    pub(super) fn change(&mut self, node: usize, byte: u8) {
        self.start[node] = byte;
        self.shown[node] = Bytes { bytes: [byte; BYTES_MAX], count: 1 };
    }

    /// Whether something holds for every address that these nodes may look up now; not if there
    /// are too many.
    pub(super) fn always(
        &mut self,
        readers: &[Reader],
        holds: impl Fn(usize, u32) -> bool,
    ) -> bool {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for reader in readers {
                match self.answer(reader, &holds) {
                    Some(more) => changed |= more,
                    None => return false,
                }
            }
        }
        true
    }

    /// Adds what a node may show; returns whether that is more than before, or nothing if it may
    /// look up too much, or an address for which `holds` does not hold.
    fn answer(
        &mut self,
        Reader { node, sources }: &Reader,
        holds: &impl Fn(usize, u32) -> bool,
    ) -> Option<bool> {
        let addresses = sources.iter().map(|&source| self.shown[source].count).product();
        if addresses > ADDRESSES_MAX {
            return None;
        }
        let mut more = false;
        let mut outputs = self.start;
        for choice in 0..addresses {
            let mut rest = choice;
            for &source in sources {
                let Bytes { bytes, count } = &self.shown[source];
                outputs[source] = bytes[rest % count];
                rest /= count;
            }
            let address = self.wiring.address(*node, &outputs);
            if !holds(*node, address) {
                return None;
            }
            more |= self.show(*node, address)?;
        }
        Some(more)
    }

    /// Adds what a node may show at an address.
    fn show(&mut self, node: usize, address: u32) -> Option<bool> {
        let shown = match &self.wiring.nodes()[node].kind {
            Kind::Outside => return Some(false),
            Kind::Rom(_) | Kind::Program => self.image.contents(node, address),
            Kind::Ram => self.image.memory()[usize::from(ram_cell(address))],
            Kind::Shared => shared_output(address),
        };
        let more = self.shown[node].insert(shown)?;
        let takes = matches!(self.wiring.nodes()[node].kind, Kind::Ram);
        if takes && address & RAM_WRITE_LOW == 0 {
            // A byte that is taken may be shown next.
            return Some(self.shown[node].insert(ram_data(address))? | more);
        }
        Some(more)
    }
}

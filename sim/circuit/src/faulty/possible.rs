//! Which addresses each node may look up while the wires move, whatever the order of answers.
//!
//! The bytes that nodes may show are collected node by node: a node may look up every address that
//! the bytes of the nodes it reads make up, whether or not these bytes ever stand together. So the
//! addresses that are found are too many rather than too few.

use crate::nodes::powered::Powered;
use crate::nodes::wiring::{
    Kind, NODES_MAX, Outputs, RAM_WRITE_LOW, ram_cell, ram_data, shared_output,
};

/// The most bytes that a node may show.
const BYTES_MAX: usize = 8;
/// The most addresses that a node may look up.
const ADDRESSES_MAX: u32 = 64;

/// Bytes that a node may show.
#[derive(Debug, Clone, Copy)]
struct Bytes {
    bytes: [u8; BYTES_MAX],
    count: u8,
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
    board: &'a Powered,
    start: Outputs,
    shown: [Bytes; NODES_MAX],
}

impl Bytes {
    fn all(&self) -> &[u8] {
        &self.bytes[..usize::from(self.count)]
    }

    /// Adds a byte; returns whether it is new, or nothing if there is no room for it.
    fn insert(&mut self, byte: u8) -> Option<bool> {
        if self.all().contains(&byte) {
            return Some(false);
        }
        *self.bytes.get_mut(usize::from(self.count))? = byte;
        self.count += 1;
        Some(true)
    }
}

impl<'a> Possible<'a> {
    /// A board at rest, before anything moves.
    pub(super) fn at(board: &'a Powered) -> Self {
        let shown = board.outputs.map(|byte| Bytes { bytes: [byte; BYTES_MAX], count: 1 });
        Self { board, start: board.outputs, shown }
    }

    /// A node has gone over to another byte, which it shows from now on.
    pub(super) fn change(&mut self, node: usize, byte: u8) {
        self.start[node] = byte;
        self.shown[node] = Bytes { bytes: [byte; BYTES_MAX], count: 1 };
    }

    /// True if something holds for every address that these nodes may look up now; not if there
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
        let counts = sources.iter().map(|&source| u32::from(self.shown[source].count));
        let addresses = counts.product();
        if addresses > ADDRESSES_MAX {
            return None;
        }
        let mut more = false;
        let mut outputs = self.start;
        for choice in 0..addresses {
            let mut rest = choice;
            for &source in sources {
                let Bytes { bytes, count } = &self.shown[source];
                let count = u32::from(*count);
                outputs[source] = bytes[(rest % count) as usize];
                rest /= count;
            }
            let address = self.board.wiring.address(*node, &outputs);
            if !holds(*node, address) {
                return None;
            }
            more |= self.show(*node, address)?;
        }
        Some(more)
    }

    /// Adds what a node may show at an address.
    fn show(&mut self, node: usize, address: u32) -> Option<bool> {
        let shown = match &self.board.wiring.nodes()[node].kind {
            Kind::Outside => return Some(false),
            Kind::Rom(_) | Kind::Program => self.board.image.contents(node, address),
            Kind::Ram => self.board.image.memory()[usize::from(ram_cell(address))],
            Kind::Shared => shared_output(address),
        };
        let more = self.shown[node].insert(shown)?;
        let takes = matches!(self.board.wiring.nodes()[node].kind, Kind::Ram);
        if takes && address & RAM_WRITE_LOW == 0 {
            // A byte that is taken may be shown next.
            return Some(self.shown[node].insert(ram_data(address))? | more);
        }
        Some(more)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use gray1_isa::address::RAM_BYTES;
    use gray1_roms::{GRAY1, load};

    use super::*;
    use crate::nodes::wiring::Wiring;

    #[test]
    fn eight_bytes_are_kept_at_most() {
        let mut bytes = Bytes { bytes: [0; BYTES_MAX], count: 1 };
        for byte in 1..8 {
            assert_eq!((bytes.insert(byte), bytes.insert(byte)), (Some(true), Some(false)));
        }
        assert_eq!((bytes.insert(0), bytes.insert(8)), (Some(false), None));
        assert_eq!((bytes.bytes, bytes.count), ([0, 1, 2, 3, 4, 5, 6, 7], 8));
    }

    /// A goes from the buffer over the bus into a cell, and from there to the bus again.
    #[test]
    fn every_address_that_can_be_made_up_is_looked_up() {
        let board = load(GRAY1).unwrap();
        let mut memory = [0; RAM_BYTES];
        memory[0x0345] = 0x99;
        let mut powered = Powered::new(&board, &memory);
        let wiring = powered.wiring.clone();
        let node = |name: &str| Wiring::chip(board.chip_named(name).unwrap());
        let (buffer, ram, bus) = (node("BUF"), node("RAM"), wiring.nodes().len() - 1);
        let write_low = wiring.signal(board.net_named("nWE").unwrap());
        let reader = |node, sources: &[usize]| Reader { node, sources: sources.to_vec() };
        // What comes last is asked first.
        let readers = [
            reader(ram, &[bus, node("IRL")]),
            reader(bus, &[buffer, ram]),
            reader(buffer, &[node("AS")]),
        ];
        for is_written in [false, true] {
            let mut start = [0; NODES_MAX];
            (start[node("IRH")], start[node("IRL")]) = (0x03, 0x44);
            start[write_low.node] = u8::from(!is_written) << write_low.bit;
            powered.outputs = start;
            let mut possible = Possible::at(&powered);
            possible.change(node("AS"), 0x12);
            assert_eq!(possible.shown[node("AS")].insert(0x34), Some(true));
            assert_eq!(possible.shown[node("IRL")].insert(0x45), Some(true));
            let asked = RefCell::new(BTreeSet::new());
            assert!(possible.always(&readers, |node, address| {
                asked.borrow_mut().insert((node, address));
                true
            }));
            let of = |wanted| -> Vec<u32> {
                let asked = asked.borrow();
                asked.iter().filter(|(node, _)| *node == wanted).map(|(_, at)| *at).collect()
            };
            assert_eq!(of(buffer), [0x12, 0x34]);
            let cells: BTreeSet<u32> = of(ram).iter().map(|at| at & 0x1fff).collect();
            assert!(cells.into_iter().eq([0x344, 0x345]));
            let on_bus: BTreeSet<u32> = of(ram).iter().map(|at| at >> 14).collect();
            let shown: BTreeSet<u8> = possible.shown[ram].all().iter().copied().collect();
            if is_written {
                assert!(on_bus.into_iter().eq([0, 0x12, 0x34]));
                assert!(shown.into_iter().eq([0, 0x12, 0x34, 0x99]), "what it has taken, too");
            } else {
                assert!(on_bus.into_iter().eq([0, 0x99]));
                assert!(shown.into_iter().eq([0, 0x99]));
            }
            // One that is not right is enough.
            assert!(!possible.always(&readers, |node, at| (node, at) != (buffer, 0x34)));
        }
    }

    #[test]
    fn sixty_four_addresses_are_looked_up_at_most() {
        let board = load(GRAY1).unwrap();
        let powered = Powered::new(&board, &[0; RAM_BYTES]);
        let [program, low, high] =
            ["PROG", "PCL", "PCH"].map(|name| Wiring::chip(board.chip_named(name).unwrap()));
        let readers = [Reader { node: program, sources: vec![low, high] }];
        let mut possible = Possible::at(&powered);
        for byte in 1..8 {
            possible.shown[low].insert(byte);
            possible.shown[high].insert(byte);
        }
        let asked = RefCell::new(BTreeSet::new());
        assert!(possible.always(&readers, |_, address| {
            asked.borrow_mut().insert(address);
            true
        }));
        let all = (0..8).flat_map(|high| (0..8).map(move |low| high << 7 | low));
        assert!(asked.borrow().iter().copied().eq(all));
        // Another source with two bytes is too much.
        let memory = powered.wiring.memory();
        possible.shown[memory].insert(1);
        let readers = [Reader { node: program, sources: vec![low, high, memory] }];
        assert!(!possible.always(&readers, |_, _| true));
    }
}

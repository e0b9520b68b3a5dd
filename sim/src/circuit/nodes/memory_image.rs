//! All bytes of a board in one place: the contents of its ROMs, its data memory, and behind that
//! room for a byte of each node.

use gray1_isa::RamAddr;
use gray1_isa::address::RAM_BYTES;

use super::wiring::{Kind, NODES_MAX, OUTSIDE, Outputs, Wiring, ram_cell, shared_output};
use crate::board::checked::Board;
use crate::executed::Write;

/// The place of a byte that changes: a cell of data memory, or behind them a node.
pub(in crate::circuit) type Place = u16;

/// The number of places.
pub(in crate::circuit) const PLACES: usize = RAM_BYTES + NODES_MAX;
/// A place that holds 0: the outside has no byte.
pub(in crate::circuit) const NOTHING: Place = node_place(OUTSIDE);

/// The place of a node's byte.
pub(in crate::circuit) const fn node_place(node: usize) -> Place {
    (RAM_BYTES + node) as Place
}

/// The bytes, and where those of each node begin.
#[derive(Debug, Clone)]
pub(in crate::circuit) struct MemoryImage {
    bytes: Vec<u8>,
    first_byte: [u32; NODES_MAX],
    memory: usize,
}

impl MemoryImage {
    pub(in crate::circuit) fn new(
        board: &Board,
        wiring: &Wiring,
        memory: &[u8; RAM_BYTES],
    ) -> Self {
        let mut bytes = Vec::new();
        let mut first_byte = [0; NODES_MAX];
        // Data memory comes last, before the nodes' places.
        for (node, first) in wiring.nodes().iter().zip(&mut first_byte) {
            *first = bytes.len() as u32;
            match &node.kind {
                Kind::Rom(contents) => bytes.extend_from_slice(contents),
                Kind::Program => {
                    bytes.extend_from_slice(board.chip(board.program()).contents());
                }
                Kind::Ram | Kind::Outside | Kind::Shared => {}
            }
        }
        let first = bytes.len();
        first_byte[wiring.memory()] = first as u32;
        bytes.extend_from_slice(memory);
        bytes.resize(first + PLACES, 0);
        Self { bytes, first_byte, memory: first }
    }

    /// Replaces contents of a ROM, from an address on.
    pub(in crate::circuit) fn burn(&mut self, node: usize, address: u32, contents: &[u8]) {
        let first = (self.first_byte[node] + address) as usize;
        self.bytes[first..first + contents.len()].copy_from_slice(contents);
    }

    /// The place at which the bytes of a node begin.
    pub(in crate::circuit) const fn first_byte(&self, node: usize) -> u32 {
        self.first_byte[node]
    }

    /// The byte at an address of a ROM.
    pub(in crate::circuit) fn contents(&self, node: usize, address: u32) -> u8 {
        self.byte(self.first_byte[node] + address)
    }

    /// The byte at a place.
    #[inline]
    pub(in crate::circuit) fn byte(&self, at: u32) -> u8 {
        self.bytes[at as usize]
    }

    pub(in crate::circuit) fn memory(&self) -> &[u8; RAM_BYTES] {
        let memory = &self.bytes[self.memory..self.memory + RAM_BYTES];
        memory.try_into().expect("the slice has this length")
    }

    pub(in crate::circuit) fn memory_mut(&mut self) -> &mut [u8; RAM_BYTES] {
        let memory = &mut self.bytes[self.memory..self.memory + RAM_BYTES];
        memory.try_into().expect("the slice has this length")
    }

    /// The places, cells of data memory first.
    pub(in crate::circuit) fn places_mut(&mut self) -> &mut [u8; PLACES] {
        let places = &mut self.bytes[self.memory..];
        places.try_into().expect("the places are at the end")
    }

    /// Writes a byte to data memory.
    #[inline]
    pub(in crate::circuit) fn write(&mut self, cell: u16, new: u8) -> Write {
        let address = RamAddr::truncate(cell);
        let old = std::mem::replace(&mut self.memory_mut()[address.to_usize()], new);
        Write { address, old, new }
    }

    /// The byte that a node shows at the address it sees.
    pub(in crate::circuit) fn look_up(
        &self,
        wiring: &Wiring,
        node: usize,
        outputs: &Outputs,
    ) -> u8 {
        let address = wiring.address(node, outputs);
        match &wiring.nodes()[node].kind {
            Kind::Outside => outputs[node],
            Kind::Rom(_) | Kind::Program => self.contents(node, address),
            Kind::Ram => self.memory()[usize::from(ram_cell(address))],
            Kind::Shared => shared_output(address),
        }
    }
}

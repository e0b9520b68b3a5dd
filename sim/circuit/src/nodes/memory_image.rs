//! All bytes of a board in one array: the contents of its ROMs, then data memory, then one byte for
//! the output of each node.

use gray1_board::Board;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{RamAddr, Write};

use super::wiring::{NODES_MAX, NodeKind, OUTSIDE, Outputs, Wiring, ram_cell, shared_output};

/// The index of a byte that changes: the cells of data memory, then the nodes.
pub(crate) type BytePlace = u16;

/// The number of places.
pub(crate) const PLACES: usize = RAM_BYTES + NODES_MAX;
/// A place that always holds 0, because the outside node has no byte.
pub(crate) const NOTHING: BytePlace = node_place(OUTSIDE);

pub(crate) const fn node_place(node: usize) -> BytePlace {
    (RAM_BYTES + node) as BytePlace
}

/// The bytes, and the start of each node's contents.
#[derive(Debug, Clone)]
pub(crate) struct MemoryImage {
    bytes: Vec<u8>,
    first_byte: [u32; NODES_MAX],
    memory: usize,
}

impl MemoryImage {
    pub(crate) fn new(board: &Board, wiring: &Wiring, memory: &[u8; RAM_BYTES]) -> Self {
        let mut bytes = Vec::new();
        let mut first_byte = [0; NODES_MAX];
        // Data memory comes last, directly before the places of the nodes.
        for (node, first) in wiring.nodes().iter().zip(&mut first_byte) {
            *first = bytes.len() as u32;
            match &node.kind {
                NodeKind::Rom(contents) => bytes.extend_from_slice(contents),
                NodeKind::Program => {
                    bytes.extend_from_slice(board.chip(board.program()).contents());
                }
                NodeKind::Ram | NodeKind::Outside | NodeKind::Shared => {}
            }
        }
        let first = bytes.len();
        first_byte[wiring.memory()] = first as u32;
        bytes.extend_from_slice(memory);
        bytes.resize(first + PLACES, 0);
        Self { bytes, first_byte, memory: first }
    }

    /// Replaces contents of a ROM, starting at an address.
    pub(crate) fn burn(&mut self, node: usize, address: u32, contents: &[u8]) {
        let first = (self.first_byte[node] + address) as usize;
        self.bytes[first..first + contents.len()].copy_from_slice(contents);
    }

    /// Returns the start of a node's contents.
    pub(crate) const fn first_byte(&self, node: usize) -> u32 {
        self.first_byte[node]
    }

    /// Returns the byte at an address of a ROM.
    pub(crate) fn contents(&self, node: usize, address: u32) -> u8 {
        self.byte(self.first_byte[node] + address)
    }

    #[inline]
    pub(crate) fn byte(&self, at: u32) -> u8 {
        self.bytes[at as usize]
    }

    pub(crate) fn memory(&self) -> &[u8; RAM_BYTES] {
        let memory = &self.bytes[self.memory..self.memory + RAM_BYTES];
        memory.try_into().expect("the slice has this length")
    }

    pub(crate) fn memory_mut(&mut self) -> &mut [u8; RAM_BYTES] {
        let memory = &mut self.bytes[self.memory..self.memory + RAM_BYTES];
        memory.try_into().expect("the slice has this length")
    }

    /// Returns the bytes that change, data memory first.
    pub(crate) fn places_mut(&mut self) -> &mut [u8; PLACES] {
        let places = &mut self.bytes[self.memory..];
        places.try_into().expect("the places are at the end")
    }

    /// Writes a byte to data memory.
    #[inline]
    pub(crate) fn write(&mut self, cell: u16, new: u8) -> Write {
        let address = RamAddr::truncate(cell);
        let old = std::mem::replace(&mut self.memory_mut()[address.to_usize()], new);
        Write { address, old, new }
    }

    /// Returns the output of a node at its current address.
    pub(crate) fn look_up(&self, wiring: &Wiring, node: usize, outputs: &Outputs) -> u8 {
        let address = wiring.address(node, outputs);
        match &wiring.nodes()[node].kind {
            NodeKind::Outside => outputs[node],
            NodeKind::Rom(_) | NodeKind::Program => self.contents(node, address),
            NodeKind::Ram => self.memory()[usize::from(ram_cell(address))],
            NodeKind::Shared => shared_output(address),
        }
    }
}

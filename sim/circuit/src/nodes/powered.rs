//! A simulated board: its nodes, their contents and outputs, and its stores to data memory.

use gray1_board::Board;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Write, panel};

use super::memory_image::MemoryImage;
use super::wiring::{NODES_MAX, Outputs, Wiring};

/// The state that all methods of stepping work on.
#[derive(Debug, Clone)]
pub(crate) struct PoweredBoard {
    pub(crate) wiring: Wiring,
    pub(crate) image: MemoryImage,
    /// The outputs of the nodes. Plans only update the nodes that store bits.
    pub(crate) outputs: Outputs,
    /// The stores to data memory since the list was last cleared.
    pub(crate) writes: Vec<Write>,
}

impl PoweredBoard {
    /// Creates a board whose outputs are 0.
    pub(crate) fn new(board: &Board, memory: &[u8; RAM_BYTES]) -> Self {
        let wiring = Wiring::new(board);
        let image = MemoryImage::new(board, &wiring, memory);
        Self { wiring, image, outputs: [0; NODES_MAX], writes: Vec::new() }
    }

    /// Sets the panel to match data memory, between two instructions. The buttons take the value of
    /// their cell, and the LEDs show their bytes.
    pub(crate) fn sync_panel(&mut self) {
        self.sync_buttons();
        for (cell, wires) in panel::leds().zip(self.wiring.leds()) {
            let byte = self.image.memory()[cell.to_usize()];
            for (bit, wire) in wires.iter().enumerate() {
                let output = &mut self.outputs[wire.node];
                *output = *output & !(1 << wire.bit) | (byte >> bit & 1) << wire.bit;
            }
        }
    }

    /// Sets the buttons to the value of their cell, on a board with a panel.
    pub(crate) fn sync_buttons(&mut self) {
        if let (Some(node), Some(cell)) = (self.wiring.buttons(), self.wiring.buttons_cell()) {
            self.outputs[node] = self.image.memory()[usize::from(cell)];
        }
    }

    #[inline]
    pub(crate) fn write(&mut self, cell: u16, byte: u8) {
        let write = self.image.write(cell, byte);
        if self.wiring.buttons_cell() == Some(cell) {
            self.image.write(cell, write.old);
        }
        self.writes.push(write);
    }
}

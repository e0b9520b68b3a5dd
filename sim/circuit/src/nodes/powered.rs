//! A board under power: its nodes, what they hold and show, and what the board has written.

use gray1_board::Board;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Write, panel};

use super::memory_image::MemoryImage;
use super::wiring::{NODES_MAX, Outputs, Wiring};

/// The state that every way of moving a board works on.
#[derive(Debug, Clone)]
pub(crate) struct Powered {
    pub(crate) wiring: Wiring,
    pub(crate) image: MemoryImage,
    /// The bytes that the nodes show. Plans bring only those up to date that remember something.
    pub(crate) outputs: Outputs,
    /// The bytes that data memory has taken since they were last forgotten.
    pub(crate) writes: Vec<Write>,
}

impl Powered {
    /// A board whose nodes show 0.
    pub(crate) fn new(board: &Board, memory: &[u8; RAM_BYTES]) -> Self {
        let wiring = Wiring::new(board);
        let image = MemoryImage::new(board, &wiring, memory);
        Self { wiring, image, outputs: [0; NODES_MAX], writes: Vec::new() }
    }

    /// Lets the panel stand as data memory says, between two instructions: the buttons are held
    /// that stand in their cell, and the LEDs show their bytes.
    pub(crate) fn show_panel(&mut self) {
        self.hold_buttons();
        for (cell, wires) in panel::leds().zip(self.wiring.leds()) {
            let byte = self.image.memory()[cell.to_usize()];
            for (bit, wire) in wires.iter().enumerate() {
                let output = &mut self.outputs[wire.node];
                *output = *output & !(1 << wire.bit) | (byte >> bit & 1) << wire.bit;
            }
        }
    }

    /// Lets the buttons be held that stand in data memory, on a board on which they answer.
    pub(crate) fn hold_buttons(&mut self) {
        if let (Some(node), Some(cell)) = (self.wiring.buttons(), self.wiring.answered()) {
            self.outputs[node] = self.image.memory()[usize::from(cell)];
        }
    }

    /// Data memory takes a byte.
    #[inline]
    pub(crate) fn write(&mut self, cell: u16, byte: u8) {
        let write = self.image.write(cell, byte);
        if self.wiring.answered() == Some(cell) {
            self.image.write(cell, write.old);
        }
        self.writes.push(write);
    }
}

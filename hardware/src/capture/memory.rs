//! Data memory under observation: it must show what it was seen to take.

use std::collections::HashMap;

use gray1_isa::panel::BUTTONS;

/// The bytes that data memory is known to hold.
#[derive(Debug, Default)]
pub(super) struct Memory {
    cells: HashMap<u32, Cell>,
    /// True while it is written.
    is_writing: bool,
}

/// A byte, and when it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) byte: u8,
    pub(super) time_ps: i64,
    /// True if it was seen to be written, false if to be read.
    pub(super) is_written: bool,
}

impl Memory {
    /// Data memory has been seen to show a byte: the byte that it should have shown instead, if it
    /// should. The panel may have written the buttons.
    pub(super) fn shows(&mut self, address: u32, byte: u8, time_ps: i64) -> Option<Cell> {
        if address == u32::from(BUTTONS.get()) {
            return None;
        }
        let seen = Cell { byte, time_ps, is_written: false };
        let cell = *self.cells.entry(address).or_insert(seen);
        (cell.byte != byte).then_some(cell)
    }

    /// The write enable has fallen. From here to [`Memory::takes`] a moving address would spoil the
    /// cell that it leaves.
    pub(super) fn opens(&mut self) {
        self.is_writing = true;
    }

    /// An address pin has moved: while it is written, no cell is sure to be what it was.
    pub(super) fn address_moved(&mut self) {
        if self.is_writing {
            self.cells.clear();
        }
    }

    /// The write enable has risen. Without an address and a byte that have stood still, any cell
    /// may have become anything.
    pub(super) fn takes(&mut self, cell: Option<(u32, u8)>, time_ps: i64) {
        self.is_writing = false;
        match cell {
            Some((address, byte)) => {
                self.cells.insert(address, Cell { byte, time_ps, is_written: true });
            }
            None => self.cells.clear(),
        }
    }
}

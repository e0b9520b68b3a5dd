//! Data memory under observation: it must show the bytes that were stored.

use std::collections::HashMap;

use gray1_isa::panel::BUTTONS;

/// The known contents of data memory.
#[derive(Debug, Default)]
pub(super) struct Memory {
    cells: HashMap<u32, KnownByte>,
    /// True while the write enable is low.
    is_writing: bool,
}

/// A known byte, and when it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KnownByte {
    pub(super) byte: u8,
    pub(super) time_ps: i64,
    /// True if it was written, false if it was read.
    pub(super) is_written: bool,
}

impl Memory {
    /// Data memory shows a byte. Returns the known byte that it should have shown, if that differs.
    /// The panel may have written the buttons.
    pub(super) fn shows(&mut self, address: u32, byte: u8, time_ps: i64) -> Option<KnownByte> {
        if address == u32::from(BUTTONS.get()) {
            return None;
        }
        let seen = KnownByte { byte, time_ps, is_written: false };
        let cell = *self.cells.entry(address).or_insert(seen);
        (cell.byte != byte).then_some(cell)
    }

    /// The write enable has fallen. From here to [`Memory::takes`] a change of the address would
    /// overwrite other cells.
    pub(super) fn opens(&mut self) {
        self.is_writing = true;
    }

    /// An address pin has moved. During a write, no cell is known any more.
    pub(super) fn address_moved(&mut self) {
        if self.is_writing {
            self.cells.clear();
        }
    }

    /// The write enable has risen. Without a stable address and byte, no cell is known any more.
    pub(super) fn takes(&mut self, cell: Option<(u32, u8)>, time_ps: i64) {
        self.is_writing = false;
        match cell {
            Some((address, byte)) => {
                self.cells.insert(address, KnownByte { byte, time_ps, is_written: true });
            }
            None => self.cells.clear(),
        }
    }
}

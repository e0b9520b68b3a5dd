//! Data memory under observation: it must show the bytes that were stored.

use std::collections::HashMap;

use gray1_board::Board;
use gray1_isa::panel::BUTTONS;

use super::evidence::{KnownByte, note};
use super::suspicion::Suspicion;
use super::watched::WatchedChip;

/// The known contents of data memory.
#[derive(Debug)]
pub(super) struct Memory {
    cells: HashMap<u32, KnownByte>,
    /// A fault of the chip that is taken for granted.
    suspicion: Option<Suspicion>,
    /// True while the write enable is low.
    is_writing: bool,
}

impl Memory {
    pub(super) fn new(suspicion: Option<Suspicion>) -> Self {
        Self { suspicion, cells: HashMap::new(), is_writing: false }
    }

    /// Judges data memory if it was at rest until now. All its pins must be captured.
    pub(super) fn look(&mut self, watched: &mut WatchedChip, board: &Board, now_ps: i64) {
        let width = board.chip(watched.chip).data().len();
        let is_captured = watched.missing() == 0 && watched.captured.count_ones() as usize == width;
        if !watched.begins_rest(now_ps) || !is_captured {
            return;
        }
        let WatchedChip { address, data, still_since_ps: since_ps, .. } = *watched;
        let cell = self.shows(address, data, since_ps);
        watched.evidence.rest(address, data, cell.map_or(0, |cell| cell.byte ^ data), since_ps);
        if let Some(cell) = cell {
            note(&mut watched.evidence.forgotten, (address, data, cell), since_ps);
        }
    }

    /// Data memory shows a byte. Returns the known byte that it should have shown, if that differs.
    /// The panel may have written the buttons.
    fn shows(&mut self, address: u32, byte: u8, time_ps: i64) -> Option<KnownByte> {
        if address == u32::from(BUTTONS.get()) {
            return None;
        }
        let seen = KnownByte { byte, time_ps, is_written: false };
        let cell = *self.cells.entry(self.cell(address)).or_insert(seen);
        let byte_shown = self.suspicion.map_or(cell.byte, |it| it.data(address, cell.byte));
        (byte_shown != byte).then_some(cell)
    }

    /// The cell that the chip means by an address.
    fn cell(&self, address: u32) -> u32 {
        self.suspicion.map_or(address, |it| it.address(address))
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
                self.cells
                    .insert(self.cell(address), KnownByte { byte, time_ps, is_written: true });
            }
            None => self.cells.clear(),
        }
    }
}

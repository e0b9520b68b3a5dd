//! Checks data memory: it must return the bytes that were stored.

use std::collections::HashMap;

use gray1_board::Board;
use gray1_isa::panel::BUTTONS;

use super::evidence::{KnownByte, record};
use super::suspicion::Suspicion;
use super::watched::WatchedChip;

/// The known contents of data memory.
#[derive(Debug)]
pub(super) struct Memory {
    cells: HashMap<u32, KnownByte>,
    /// An assumed fault of the chip.
    suspicion: Option<Suspicion>,
    /// True while the write enable is low.
    is_writing: bool,
}

impl Memory {
    pub(super) fn new(suspicion: Option<Suspicion>) -> Self {
        Self { suspicion, cells: HashMap::new(), is_writing: false }
    }

    /// Checks data memory if it was settled until now. All its pins must be captured.
    pub(super) fn check(&mut self, watched: &mut WatchedChip, board: &Board, now_ps: i64) {
        let width = board.chip(watched.chip).data.len();
        let is_captured = watched.missing() == 0 && watched.captured.count_ones() as usize == width;
        if !watched.settles(now_ps) || !is_captured {
            return;
        }
        let WatchedChip { address, data, stable_since_ps: since_ps, .. } = *watched;
        let cell = self.check_read(address, data, since_ps);
        watched.evidence.add(address, data, cell.map_or(0, |cell| cell.byte ^ data), since_ps);
        if let Some(cell) = cell {
            record(&mut watched.evidence.forgotten, (address, data, cell), since_ps);
        }
    }

    /// Handles a byte that data memory outputs. Returns the known byte that it should have output,
    /// if that differs. The address of the buttons is not checked, because the panel may have
    /// changed the byte there.
    fn check_read(&mut self, address: u32, byte: u8, time_ps: i64) -> Option<KnownByte> {
        if address == u32::from(BUTTONS.get()) {
            return None;
        }
        let seen = KnownByte { byte, time_ps, is_written: false };
        let cell = *self.cells.entry(self.cell(address)).or_insert(seen);
        let byte_shown = self.suspicion.map_or(cell.byte, |it| it.data(address, cell.byte));
        (byte_shown != byte).then_some(cell)
    }

    /// The cell that the chip accesses for an address.
    fn cell(&self, address: u32) -> u32 {
        self.suspicion.map_or(address, |it| it.address(address))
    }

    /// Handles the fall of the write enable. Until [`Memory::end_write`], a change of the address
    /// would overwrite other cells.
    pub(super) fn start_write(&mut self) {
        self.is_writing = true;
    }

    /// Handles a change of an address pin. During a write, it makes all cells unknown.
    pub(super) fn change_address(&mut self) {
        if self.is_writing {
            self.cells.clear();
        }
    }

    /// Handles the rise of the write enable. `cell` is the address and the byte, or `None` if they
    /// were not stable. Then all cells become unknown.
    pub(super) fn end_write(&mut self, cell: Option<(u32, u8)>, time_ps: i64) {
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

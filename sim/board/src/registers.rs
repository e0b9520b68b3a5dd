//! Finds the wires of a board's registers through the roles of its chips.

use super::board::Board;
use super::net::{ChipId, NetId};
use super::role::{Counter, Function, Latch, Role};

impl Board {
    /// All latches, each with its chip.
    pub fn latches(&self) -> impl Iterator<Item = (ChipId, &Latch)> {
        self.chip_ids().flat_map(|id| {
            let latches = match self.chip(id).role() {
                Role::Latches(latches) => &latches[..],
                _ => &[],
            };
            latches.iter().map(move |latch| (id, latch))
        })
    }

    /// All counters, each with its chip.
    pub fn counters(&self) -> impl Iterator<Item = (ChipId, &Counter)> {
        self.chip_ids().filter_map(|id| match self.chip(id).role() {
            Role::Counter(counter) => Some((id, counter)),
            _ => None,
        })
    }
}

/// Returns the wires on a chip's address pins.
pub fn address_wires(board: &Board, id: ChipId) -> Vec<NetId> {
    board.chip(id).address.iter().filter_map(|source| source.net()).collect()
}

/// Finds the latch that drives `wire`, and returns the input wire that it copies.
pub fn master_wire(board: &Board, wire: NetId) -> Option<NetId> {
    board.latches().find_map(|(id, latch)| {
        let chip = board.chip(id);
        let mut out = latch.q.out.pins().iter().map(|&pin| chip.data[usize::from(pin)]);
        let place = out.position(|data| data == wire)?;
        chip.wire(latch.d.pins()[place])
    })
}

/// Returns the wires of the opcode, which the control table reads.
pub fn opcode_wires(board: &Board) -> Option<Vec<NetId>> {
    board.chips().iter().find_map(|chip| {
        let Role::Function(Function::Control(control)) = chip.role() else { return None };
        let pins = control.opcode.pins().iter();
        pins.map(|&pin| chip.wire(pin)).collect()
    })
}

/// Returns the counters whose wires address the program chip. Each has its wires, low bit first,
/// and the number of address bits below its first wire.
pub fn program_counters(board: &Board) -> Vec<(Vec<NetId>, u32)> {
    let address = address_wires(board, board.program());
    let counters = board.counters().filter_map(|(id, counter)| {
        let (data, pins) = (&board.chip(id).data, counter.count.out.pins().iter());
        let wires: Vec<NetId> = pins.map(|&pin| data[usize::from(pin)]).collect();
        let shift = address.iter().position(|wire| wires.first() == Some(wire))?;
        Some((wires, shift as u32))
    });
    counters.collect()
}

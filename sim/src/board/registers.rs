//! Where a board keeps what a programmer sees: the wires of its registers, found by roles.

use super::checked::{Board, ChipId, NetId, Source};
use super::role::{Function, Role};

/// The wires on a chip's address pins.
pub(crate) fn address_lines(board: &Board, id: ChipId) -> Vec<NetId> {
    board.chip(id).address().iter().filter_map(|&source| net(source)).collect()
}

/// The wire that the latch of a wire follows.
pub(crate) fn master(board: &Board, wire: NetId) -> Option<NetId> {
    board.chips().iter().find_map(|chip| {
        let Role::Latches(latches) = chip.role() else { return None };
        let pin = chip.data().iter().position(|&data| data == wire)?;
        latches.iter().find_map(|latch| {
            let place = latch.q.out.pins().iter().position(|&out| usize::from(out) == pin)?;
            net(chip.address()[usize::from(latch.d.pins()[place])])
        })
    })
}

/// The wires of the opcode, as the control table reads them.
pub(crate) fn opcode(board: &Board) -> Option<Vec<NetId>> {
    board.chips().iter().find_map(|chip| {
        let Role::Function(Function::Control(control)) = chip.role() else { return None };
        let pins = control.opcode.pins().iter();
        pins.map(|&pin| net(chip.address()[usize::from(pin)])).collect()
    })
}

/// The counters that together address the program chip: the wires of each, low bit first, and how
/// many bits of the address lie below its first one.
pub(crate) fn program_counters(board: &Board) -> Vec<(Vec<NetId>, u32)> {
    let address = address_lines(board, board.program());
    let counters = board.chips().iter().filter_map(|chip| {
        let Role::Counter(counter) = chip.role() else { return None };
        let pins = counter.count.out.pins().iter();
        let wires: Vec<NetId> = pins.map(|&pin| chip.data()[usize::from(pin)]).collect();
        let shift = address.iter().position(|wire| wires.first() == Some(wire))?;
        Some((wires, shift as u32))
    });
    counters.collect()
}

fn net(source: Source) -> Option<NetId> {
    match source {
        Source::Net(net) => Some(net),
        Source::Tied(_) => None,
    }
}

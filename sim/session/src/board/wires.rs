//! The wires of chips, grouped into buses.

use gray1_board::buses::Bus;
use gray1_board::{Board, Chip, NetId};
use gray1_debugger::Levels;

pub fn name(levels: &Levels, net: NetId) -> &str {
    levels.board.net(net).name()
}

/// The buses that a chip reads.
pub fn inputs(board: &Board, chip: &Chip) -> Vec<Bus> {
    Bus::group(board, chip.inputs().map(|(_, net)| net))
}

/// The buses on the data pins of a chip.
pub fn outputs(board: &Board, chip: &Chip) -> Vec<Bus> {
    Bus::group(board, chip.data.iter().copied())
}

/// The names of wires, grouped into buses.
pub(super) fn names(board: &Board, nets: impl Iterator<Item = NetId>) -> String {
    let names = Bus::group(board, nets).into_iter().map(|bus| bus.name);
    names.collect::<Vec<_>>().join(", ")
}

/// The names of the chips that drive some of these wires, and of those that read some.
pub fn drivers_and_readers(board: &Board, nets: &[NetId]) -> [String; 2] {
    let chips = |touches: fn(&Chip, &[NetId]) -> bool| {
        let names = board.chips().iter().filter(|chip| touches(chip, nets)).map(Chip::name);
        names.collect::<Vec<_>>().join(" ")
    };
    [
        chips(|chip, nets| chip.data.iter().any(|net| nets.contains(net))),
        chips(|chip, nets| chip.inputs().any(|(_, net)| nets.contains(&net))),
    ]
}

/// The number on wires, given low bit first, in hexadecimal. For a single wire, its level.
pub fn hex(levels: &Levels, nets: &[NetId]) -> String {
    let digits = nets.len().div_ceil(4);
    format!("{:0digits$x}", levels.number(nets))
}

//! A board without some of its chips: the wires to tie, and the circuit of the chips that are
//! there.

use std::collections::BTreeSet;

use gray1_board::{Board, ChipId, DataPin, NetId, number};
use gray1_circuit::{ChipState, Settled, Unsettled};
use gray1_isa::SplitMix64;
use gray1_isa::address::RAM_BYTES;

use super::super::components;
use super::super::error::ExportError;

/// A wire that a resistor has to hold low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tie {
    pub(super) net: NetId,
    /// The data pin that will drive it. Its socket is empty, so a resistor fits.
    pub(super) at: DataPin,
    pub(super) ohm: u32,
}

/// The wires that are inputs of a chip in its socket, and that none of these chips always drives.
pub(super) fn ties(board: &Board, present: &BTreeSet<ChipId>) -> Result<Vec<Tie>, ExportError> {
    let is_read = |net| read_by(board, present, net);
    let tied = board.net_ids().filter(|&net| is_read(net)).filter_map(|net| {
        let at = missing_driver(board, present, net)?;
        let ohm = components::pull_ohm(board, board.net(net).name());
        Some(ohm.map(|ohm| Tie { net, at, ohm }))
    });
    tied.collect()
}

/// True if a chip in its socket has an input on this wire. Data pins of a RAM are inputs at times.
fn read_by(board: &Board, present: &BTreeSet<ChipId>, net: NetId) -> bool {
    let memory = board.memory();
    board.readers(net).any(|(chip, _)| present.contains(&chip))
        || present.contains(&memory) && board.chip(memory).data().contains(&net)
}

/// A driver of this wire whose socket is empty.
fn missing_driver(board: &Board, present: &BTreeSet<ChipId>, net: NetId) -> Option<DataPin> {
    // The oscillator and the reset button, which no pin drives, come first.
    board.net(net).driver().pins().find(|pin| !present.contains(&pin.chip))
}

/// The circuit of the chips that are in their sockets. All other wires are low, except for those
/// that are tied high. An absent chip whose wires are tied is modelled by one that holds the same
/// byte at every address. The seed gives the levels of the other chips at power-up.
pub(super) fn circuit(
    board: &Board,
    present: &BTreeSet<ChipId>,
    high: &[NetId],
    seed: u64,
) -> Result<Settled, Box<Unsettled>> {
    let mut power_up = SplitMix64::new(seed);
    let mut part = board.clone();
    let mut outputs: Vec<u8> = board.chip_ids().map(|_| power_up.byte()).collect();
    for id in board.chip_ids().filter(|id| !present.contains(id)) {
        let byte = number(board.chip(id).data(), |net| high.contains(&net)) as u8;
        outputs[id.index()] = byte;
        if id != board.memory() {
            let bytes = board.chip(id).part().bytes();
            part = part.with_contents(id, vec![byte; bytes]).expect("as many bytes as it has");
        }
    }
    let byte = outputs[board.memory().index()];
    let mut memory = Box::new([byte; RAM_BYTES]);
    if present.contains(&board.memory()) {
        memory.iter_mut().for_each(|cell| *cell = power_up.byte());
    }
    Settled::new(&part, &ChipState { memory, outputs })
}

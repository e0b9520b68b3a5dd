//! Computes the contents of the chips at power-up that give the registers certain values after the
//! reset.

use gray1_board::registers::master_wire;
use gray1_board::{Board, NetId};
use gray1_isa::PowerUpContents;
use gray1_isa::panel::leds;

use crate::interface::ChipState;

/// Returns the state in which the board will have these contents when the reset ends. Everything
/// else is 0.
pub fn power_up_state(board: &Board, contents: PowerUpContents) -> ChipState {
    let PowerUpContents { a, carry, ram: memory } = contents;
    let mut state = ChipState { memory, outputs: vec![0; board.chips().len()] };
    let probes = board.probes();
    for (bit, &net) in probes.a.iter().enumerate() {
        set_latch(&mut state, board, net, a >> bit & 1 == 1);
    }
    set_latch(&mut state, board, probes.carry, carry);
    // The panel's latches may also hold anything until a store. They get the values of their cells.
    let wires = board.panel().into_iter().flat_map(|panel| panel.leds.chunks(8));
    for (address, wires) in leds().zip(wires) {
        for (bit, &net) in wires.iter().enumerate() {
            let byte = state.memory[address.to_usize()];
            set_wire(&mut state, board, net, byte >> bit & 1 == 1);
        }
    }
    // A write that ends at power-up would change a byte.
    if let Some(write_low) = board.chip(board.memory()).write_enable_low() {
        set_wire(&mut state, board, write_low, true);
    }
    state
}

/// Sets the level of a wire. If the wire is a latch's output, its input gets the same level.
fn set_latch(state: &mut ChipState, board: &Board, net: NetId, level: bool) {
    set_wire(state, board, net, level);
    if let Some(master) = master_wire(board, net) {
        set_wire(state, board, master, level);
    }
}

/// Sets the outputs that drive a wire to a level.
fn set_wire(state: &mut ChipState, board: &Board, net: NetId, level: bool) {
    for id in board.chip_ids() {
        if let Some(pin) = board.chip(id).data.iter().position(|&data| data == net) {
            state.outputs[id.index()] |= u8::from(level) << pin;
        }
    }
}

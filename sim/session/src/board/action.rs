//! What a chip does now, in a word or two.

use gray1_board::role::{Counter, Function};
use gray1_board::{Chip, Driver, Role};
use gray1_debugger::Levels;

use super::transfers::{is_high, wires_on};
use super::wires::{hex, name};

/// Whether a chip drives its data wires now.
pub fn drives(levels: &Levels, chip: &Chip) -> bool {
    chip.output.is_on(|net| levels.level(net))
}

/// The current action of a chip, shortened to fit on it, and whether a strobe causes it.
pub fn describe_action(levels: &Levels, chip: &Chip) -> (String, bool) {
    let drives = drives(levels, chip);
    match chip.role() {
        Role::Latches(latches) => {
            let mut enables = latches.iter().map(|latch| latch.enable);
            match enables.find(|pin| is_high(levels, chip, *pin)) {
                Some(enable) => (format!("{} opens", wire_name(levels, chip, enable)), true),
                None => ("holds".into(), false),
            }
        }
        Role::Counter(counter) => counter_state(levels, chip, counter),
        Role::Function(Function::AluLow(slice) | Function::AluHigh(slice)) => {
            (format!("opcode {}", number(levels, chip, slice.opcode.mask())), false)
        }
        Role::Function(Function::Buffer { .. }) => {
            (if drives { "drives" } else { "off" }.into(), drives)
        }
        Role::Function(_) => (external_inputs(levels, chip), false),
        Role::Program(_) => (format!("at {}", number(levels, chip, u32::MAX)), false),
        Role::Memory if drives => (format!("at {}", number(levels, chip, u32::MAX)), false),
        Role::Memory => (format!("takes at {}", number(levels, chip, u32::MAX)), true),
    }
}

/// The action of a counter. A counter that cannot be loaded shows its external inputs.
fn counter_state(levels: &Levels, chip: &Chip, counter: &Counter) -> (String, bool) {
    let is_on = |pin: &u8| is_high(levels, chip, *pin);
    if let Some(pin) = counter.clear.filter(is_on) {
        return (format!("{} clears", wire_name(levels, chip, pin)), true);
    }
    let Some(load) = &counter.load else { return (external_inputs(levels, chip), false) };
    if is_on(&load.on) {
        return (format!("{} loads", wire_name(levels, chip, load.on)), true);
    }
    let counts = chip.wire(counter.clock).is_some_and(|net| levels.moved(net));
    (if counts { "counts" } else { "waits" }.into(), false)
}

/// The external inputs of a chip, with their levels.
fn external_inputs(levels: &Levels, chip: &Chip) -> String {
    let nets = chip.inputs().map(|(_, net)| net);
    let outside = nets.filter(|net| levels.board.net(*net).driver == Driver::Outside);
    let inputs = outside.map(|net| format!("{} {}", name(levels, net), hex(levels, &[net])));
    inputs.collect::<Vec<_>>().join("  ")
}

/// The number on these address pins.
fn number(levels: &Levels, chip: &Chip, pins: u32) -> String {
    hex(levels, &wires_on(chip, pins).collect::<Vec<_>>())
}

/// The name of the wire on an address pin.
fn wire_name<'a>(levels: &'a Levels, chip: &Chip, pin: u8) -> &'a str {
    chip.wire(pin).map_or("", |net| name(levels, net))
}

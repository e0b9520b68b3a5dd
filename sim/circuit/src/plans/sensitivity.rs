//! Sensitivity lists: the output wires of a node that each address pin can change, while other
//! address pins are fixed.
//!
//! They are found by comparing the contents at all addresses. The role of a node is not used. A
//! latch turns out not to depend on its data pins while its enable is low, and a counter not on its
//! load pins while it is not loading.

use std::sync::Arc;

use gray1_board::FixedPins;
use gray1_board::table::{cut, moved_by_each_pin, subsets};

use crate::nodes::wiring::{CircuitNode, NodeKind, RAM_WRITE_LOW, SHARED_SELECT, Wiring};
use crate::quick_hash::QuickMap;

/// The sensitivity list of a node while some pins are fixed.
#[derive(Debug, Default)]
pub struct Sensitivity {
    /// For each address pin, the output wires that it can change. Fixed pins change none.
    pub moves: [u8; 32],
    /// Whether the outputs no longer change after they are fed back once.
    pub settles_in_one_step: bool,
}

/// The sensitivity lists of a board's nodes, each computed once.
#[derive(Debug, Clone, Default)]
pub struct Sensitivities {
    known: QuickMap<(usize, FixedPins), Arc<Sensitivity>>,
    changes: QuickMap<(usize, FixedPins, FixedPins), u8>,
}

impl Sensitivity {
    /// Returns the pins that can change any of these output wires.
    pub fn pins_affecting(&self, wires: u8) -> u32 {
        let seen = self.moves.iter().enumerate().filter(|(_, moved)| **moved & wires != 0);
        seen.fold(0, |pins, (pin, _)| pins | 1 << pin)
    }

    /// Returns the output wires that some of these pins can change.
    pub fn moved_by(&self, pins: u32) -> u8 {
        let moves = self.moves.iter().enumerate();
        moves.filter(|(pin, _)| pins >> pin & 1 == 1).fold(0, |wires, (_, moved)| wires | moved)
    }

    fn set(&mut self, pins: u32, wires: u8) {
        for pin in (0..32).filter(|pin| pins >> pin & 1 == 1) {
            self.moves[pin] = wires;
        }
    }
}

impl Sensitivities {
    /// Returns the sensitivity list of a node while some pins are fixed.
    pub fn get(&mut self, wiring: &Wiring, node: usize, fixed: FixedPins) -> Arc<Sensitivity> {
        let known = self.known.entry((node, fixed));
        Arc::clone(known.or_insert_with(|| Arc::new(compute(&wiring.nodes()[node], fixed))))
    }

    /// Returns the output wires of a settled node that can change when fixed pins get other levels.
    pub fn moved(&mut self, wiring: &Wiring, node: usize, from: FixedPins, to: FixedPins) -> u8 {
        debug_assert_eq!(from.pins, to.pins);
        if from == to {
            return 0;
        }
        let known = self.changes.entry((node, from, to));
        *known.or_insert_with(|| find_moved(&wiring.nodes()[node], from, to))
    }
}

fn compute(node: &CircuitNode, fixed: FixedPins) -> Sensitivity {
    let mut sensitivity = Sensitivity { settles_in_one_step: true, ..Sensitivity::default() };
    let free = node.wired() & !fixed.pins;
    match &node.kind {
        NodeKind::Outside => {}
        // Any two cells may have different values.
        NodeKind::Ram => sensitivity.set(free & (RAM_WRITE_LOW - 1), u8::MAX),
        NodeKind::Program => sensitivity.set(free, u8::MAX),
        NodeKind::Shared => compute_shared(&mut sensitivity, free, fixed),
        NodeKind::Rom(contents) => {
            let table = cut(contents, free, fixed.levels);
            let pins = (0..32).filter(|pin| free >> pin & 1 == 1);
            for (pin, moved) in pins.zip(moved_by_each_pin(&table)) {
                sensitivity.moves[pin] = moved;
            }
            if node.own & free != 0 {
                let mut shown = subsets(free).zip(&table);
                sensitivity.settles_in_one_step = shown.all(|(at, &shown)| {
                    contents[node.fed_back(at | fixed.levels, shown) as usize] == shown
                });
            }
        }
    }
    sensitivity
}

fn compute_shared(sensitivity: &mut Sensitivity, free: u32, fixed: FixedPins) {
    // The level of a pin that is not fixed reads as 0.
    let low_drives = fixed.levels & SHARED_SELECT == 0;
    let high_drives = fixed.pins & SHARED_SELECT == 0 || fixed.levels & SHARED_SELECT != 0;
    for bit in 0..8 {
        for (drives, pin) in [(low_drives, bit), (high_drives, bit + 8)] {
            if drives {
                sensitivity.set(free & 1 << pin, 1 << bit);
            }
        }
    }
    sensitivity.set(free & SHARED_SELECT, u8::MAX);
}

fn find_moved(node: &CircuitNode, from: FixedPins, to: FixedPins) -> u8 {
    let free = node.wired() & !from.pins;
    match &node.kind {
        NodeKind::Rom(contents) => {
            let (before, after) =
                (cut(contents, free, from.levels), cut(contents, free, to.levels));
            let changes = subsets(free).zip(before.iter().zip(&after));
            let moved = changes.filter(|(at, (before, after))| {
                // Only addresses at which the node is settled before the change count.
                before != after && node.fed_back(*at, **before) & free == *at
            });
            moved.fold(0, |all, (_, (before, after))| all | before ^ after)
        }
        NodeKind::Outside => 0,
        NodeKind::Program | NodeKind::Ram | NodeKind::Shared => u8::MAX,
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::SplitMix64;
    use gray1_roms::{GRAY1, load};

    use super::*;
    use crate::nodes::wiring::shared_output;

    fn shows(node: &CircuitNode, address: u32) -> u8 {
        match &node.kind {
            NodeKind::Rom(contents) => contents[address as usize],
            NodeKind::Shared => shared_output(address),
            kind => panic!("{kind:?} has no table"),
        }
    }

    /// Compares the sensitivity list of a node with the result of trying each of its addresses,
    /// while some pins are fixed.
    fn check(node: &CircuitNode, pins: u32, random: &mut SplitMix64) {
        let FixedPins { pins: tied, levels: high } = node.tied;
        let some = random.next() as u32 & random.next() as u32 & pins;
        let mut fixed =
            || FixedPins { pins: tied | some, levels: high | random.next() as u32 & some };
        let (from, to) = (fixed(), fixed());
        let free = node.wired() & !from.pins;
        let addresses: Vec<u32> = (0..=free).filter(|address| address & !free == 0).collect();

        let before = |address: u32| shows(node, address | from.levels);
        let found = compute(node, from);
        let moved = |pin: u32| match free >> pin & 1 {
            0 => 0,
            _ => addresses.iter().fold(0, |all, at| all | before(*at) ^ before(at ^ 1 << pin)),
        };
        let moved: Vec<u8> = (0..32).map(moved).collect();
        assert_eq!(found.moves[..], moved);
        let pins = random.next() as u32;
        let by_pins = (0..32).filter(|pin| pins >> pin & 1 == 1);
        assert_eq!(found.moved_by(pins), by_pins.fold(0, |all, pin| all | moved[pin]));
        let seen = (0..32).filter(|pin| moved[*pin] != 0);
        assert_eq!(found.pins_affecting(u8::MAX), seen.map(|pin| 1 << pin).sum::<u32>());

        let fed_back = |address: u32| node.fed_back(address | from.levels, before(address));
        let is_stable = |address: &u32| shows(node, fed_back(*address)) == before(*address);
        let is_free = node.own & free != 0;
        assert_eq!(found.settles_in_one_step, !is_free || addresses.iter().all(is_stable));
        if let NodeKind::Rom(_) = node.kind {
            let settled = addresses.iter().filter(|at| fed_back(**at) & free == **at);
            let changed = |all, at: &u32| all | before(*at) ^ shows(node, at | to.levels);
            let expected =
                if is_free { settled.fold(0, changed) } else { addresses.iter().fold(0, changed) };
            assert_eq!(find_moved(node, from, to), expected);
        }
    }

    #[test]
    fn sensitivity_lists_equal_a_check_of_every_address() {
        let (stock, random) = (load(GRAY1).unwrap(), &mut SplitMix64::new(5));
        for (name, times) in [("PHASE", 50), ("FLAGS", 50), ("CTRL", 50), ("AM", 2)] {
            let chip = stock.chip_named(name).unwrap();
            for _ in 0..times {
                // A table in which some pins do not matter, and outputs rarely change.
                let seen = random.next() as usize;
                let bytes = stock.chip(chip).contents().len();
                let table: Vec<u8> = (0..bytes).map(|_| random.byte() & random.byte()).collect();
                let contents = (0..bytes).map(|address| table[address & seen]).collect();
                let wiring = Wiring::new(&stock.with_contents(chip, contents).unwrap());
                let node = &wiring.nodes()[Wiring::chip(chip)];
                check(node, node.wired(), random);
            }
        }
    }

    /// The contents of data memory and the program chip can change, so any address pin may change
    /// any output.
    #[test]
    fn any_address_pin_of_data_memory_and_program_may_change_any_output() {
        let board = load(GRAY1).unwrap();
        let wiring = Wiring::new(&board);
        let memory = &wiring.nodes()[wiring.memory()];
        let program = &wiring.nodes()[Wiring::chip(board.program())];
        let fixed = FixedPins { pins: 0b101, levels: 0b100 };
        let seen = |node| {
            let found = compute(node, fixed);
            assert!(found.settles_in_one_step);
            assert!(found.moves.iter().all(|wires| [0, u8::MAX].contains(wires)));
            found.pins_affecting(u8::MAX)
        };
        // nWE and the written byte do not affect the output.
        assert_eq!((seen(memory), seen(program)), (0x1fff & !0b101, 0x3fff & !0b101));
        let other = FixedPins { levels: 0b101, ..fixed };
        let outside = &wiring.nodes()[0];
        assert_eq!(
            [memory, program, outside].map(|node| find_moved(node, fixed, other)),
            [0xff, 0xff, 0]
        );
    }

    #[test]
    fn shared_wires_change_with_the_chip_that_drives_them() {
        let (wiring, random) = (Wiring::new(&load(GRAY1).unwrap()), &mut SplitMix64::new(6));
        let bus = wiring.nodes().iter().find(|node| matches!(node.kind, NodeKind::Shared)).unwrap();
        for _ in 0..4 {
            check(bus, SHARED_SELECT, random);
        }
    }

    #[test]
    fn no_wire_changes_while_fixed_pins_stay_the_same() {
        let wiring = Wiring::new(&load(GRAY1).unwrap());
        let fixed = FixedPins { pins: 1, levels: 1 };
        for node in 0..wiring.nodes().len() {
            assert_eq!(Sensitivities::default().moved(&wiring, node, fixed, fixed), 0);
        }
    }
}

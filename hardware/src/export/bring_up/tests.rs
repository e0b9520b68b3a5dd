//! The sheet against the netlist, against lines that should not matter, and against faults.

use std::collections::{BTreeMap, BTreeSet};

use gray1_board::NetId;
use gray1_isa::SplitMix64;
use gray1_roms::{BINARY_COUNTER, GRAY1, GRAY1_B, load};

use super::*;
use crate::export::Export;

fn ready(text: &str) -> Board {
    let board = load(text).unwrap();
    board.with_program(&program(&board))
}

/// The chips' inputs and outputs by net, from the exported netlist; a `*` stands for what is always
/// there: supply, resistors, the connector.
fn pins_by_net(board: &Board) -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let files = Export::Netlist.files(board).unwrap();
    let table = String::from_utf8(files[0].contents.clone()).unwrap();
    let mut nets: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        // The resistor of a filter joins two nets to one.
        let net = cells[5].strip_prefix("pin:").unwrap_or(cells[5]);
        let (chip, direction) = (cells[0], cells[6]);
        let (inputs, outputs) = nets.entry(net.to_owned()).or_default();
        let is_chip = board.chip_named(chip).is_some();
        let is_resistor = cells[8].starts_with('R') && !cells[1].ends_with(" ohm");
        match direction {
            "input" => _ = inputs.insert(chip.to_owned()),
            "output" if is_chip => _ = outputs.insert(chip.to_owned()),
            "bidirectional" if is_chip => {
                inputs.insert(chip.to_owned());
                outputs.insert(chip.to_owned());
            }
            // The parts around the chips are there from the first step on.
            "output" => _ = outputs.insert("*".to_owned()),
            _ if is_resistor || chip.starts_with('J') => _ = outputs.insert("*".to_owned()),
            _ => {}
        }
    }
    nets
}

/// On the board as it is wired, pin by pin: an input of a chip in its socket that is neither at the
/// supply nor held by a resistor nor driven at all times is tied, and nothing else is.
#[test]
fn no_input_floats_in_any_step() {
    for text in [GRAY1, BINARY_COUNTER, GRAY1_B] {
        let board = ready(text);
        let nets = pins_by_net(&board);
        let mut held_ever = 0;
        for step in Step::ALL {
            let present = step.present(&board);
            let names: BTreeSet<&str> = present.iter().map(|&id| board.chip(id).name()).collect();
            let here = |chip: &String| names.contains(chip.as_str());
            let floats = nets.iter().filter(|(net, (inputs, outputs))| {
                let is_held = outputs.contains("*") || ["+5V", "0V"].contains(&net.as_str());
                let drivers = outputs.iter().filter(|chip| *chip != "*");
                let is_driven = !outputs.is_empty() && drivers.clone().all(here);
                inputs.iter().any(here) && !is_held && !is_driven
            });
            let floats: BTreeSet<&str> = floats.map(|(net, _)| net.as_str()).collect();
            let ties = partial::ties(&board, &present).unwrap();
            let held: BTreeSet<&str> = ties.iter().map(|tie| board.net(tie.net).name()).collect();
            assert_eq!(held, floats, "{step:?}");
            assert!(ties.iter().all(|tie| !present.contains(&tie.at.chip)), "{step:?}");
            held_ever += held.len();
        }
        assert!(held_ever > 20, "{held_ever}");
        assert_eq!(partial::ties(&board, &Step::Rest.present(&board)), Ok(vec![]));
    }
}

/// Lines that no chip in its socket reads may carry anything, and so may chips at power-up.
#[test]
fn what_is_not_tied_makes_no_difference() {
    let random = &mut SplitMix64::new(28);
    let board = ready(GRAY1_B);
    for step in Step::ALL {
        let bench = Bench::new(&board, step);
        let expected = bench.readings(step).unwrap();
        let ties: Vec<NetId> =
            partial::ties(&board, &bench.present).unwrap().iter().map(|tie| tie.net).collect();
        let driven: BTreeSet<NetId> =
            bench.present.iter().flat_map(|&id| board.chip(id).data().to_vec()).collect();
        let free = |net: &NetId| !ties.contains(net) && !driven.contains(net);
        let free: Vec<NetId> = board.net_ids().filter(free).collect();
        for seed in 1..=3 {
            let high = free.iter().copied().filter(|_| random.coin()).collect();
            let other = Bench { high, seed, ..Bench::new(&board, step) };
            assert_eq!(other.readings(step).unwrap(), expected, "{step:?}");
        }
    }
}

/// A tie that is forgotten can show: the opposite level on a tied line changes what is read.
#[test]
fn ties_matter() {
    let board = ready(GRAY1_B);
    let mut changing = 0;
    for step in [Step::Control, Step::Counter, Step::Fetch, Step::Arithmetic] {
        let bench = Bench::new(&board, step);
        let expected = bench.readings(step).unwrap();
        for tie in partial::ties(&board, &bench.present).unwrap() {
            let other = Bench { high: vec![tie.net], ..Bench::new(&board, step) };
            changing += u32::from(other.readings(step).ok() != Some(expected.clone()));
        }
    }
    assert!(changing > 10, "{changing}");
}

/// Outputs that are stuck without changing a reading of their own step, with the level. The panel's
/// step reads A after loads of the buttons alone, and in the simulator data memory has them, too.
const UNSEEN: [(&str, bool); 2] = [("BUTTONS", false), ("BUTTONS", true)];

/// Each output of a ROM, stuck at each level, changes what the step in which it joins in reads.
#[test]
fn a_stuck_output_shows_in_its_own_step() {
    let board = ready(GRAY1_B);
    let mut unseen = Vec::new();
    for step in Step::ALL {
        let expected = Bench::new(&board, step).readings(step).unwrap();
        for id in step.joins(&board) {
            let chip = board.chip(id);
            for (pin, &net) in chip.data().iter().enumerate().filter(|_| id != board.memory()) {
                for high in [false, true] {
                    let stick = |byte: &u8| if high { byte | 1 << pin } else { byte & !(1 << pin) };
                    let contents = chip.contents().iter().map(stick).collect();
                    let faulty = board.with_contents(id, contents).unwrap();
                    if Bench::new(&faulty, step).readings(step).ok() == Some(expected.clone()) {
                        unseen.push((board.net(net).name(), high));
                    }
                }
            }
        }
    }
    assert_eq!(unseen, UNSEEN);
}

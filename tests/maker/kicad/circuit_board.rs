//! The circuit board: KiCad's design rules, and its nets against the netlist's.

use std::collections::BTreeSet;

use serde_json::Value;

use super::netlist::Netlist;
use super::{exported, kicad};
use crate::support::has_kicad;

/// The kinds of what a list of KiCad's report has.
fn kinds<'a>(report: &'a Value, list: &str) -> BTreeSet<&'a str> {
    report[list].as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap()).collect()
}

/// Nothing overlaps, no hole is too near another, each footprint is that of the library and of the
/// schematic, with its nets; what is left to do is to connect the pads.
#[test]
fn kicad_finds_no_fault_in_the_board_but_that_it_is_not_routed() {
    if !has_kicad() {
        return;
    }
    for options in ["--board gray1-b", "--board gray1-b --part AS=SST39SF040"] {
        let (bench, _) = exported(options);
        let rules = "pcb drc --schematic-parity --severity-all --format json -o drc.json";
        kicad(&bench.path(""), &format!("{rules} gray1.kicad_pcb")).status(0);
        let report: Value = serde_json::from_slice(&bench.read("drc.json")).unwrap();
        assert_eq!(kinds(&report, "violations"), BTreeSet::new(), "{report:#}");
        assert_eq!(kinds(&report, "schematic_parity"), BTreeSet::new(), "{report:#}");
        assert_eq!(kinds(&report, "unconnected_items"), BTreeSet::from(["unconnected_items"]));
    }
}

#[test]
fn the_pads_of_the_board_have_the_nets_of_the_netlist() {
    let (bench, ours) = exported("--board gray1-b");
    let board = String::from_utf8(bench.read("gray1.kicad_pcb")).unwrap();
    let theirs = Netlist::of_board(&board);
    assert_eq!(theirs.differing(&ours), BTreeSet::new());
    assert_eq!(theirs.components, ours.components);
    assert!(theirs.components.len() > 150, "it has the machine");
    // A pad without a net would be in no list.
    assert!(board.lines().filter(|line| line.contains("(pad ")).all(|line| line.contains("(net ")));
}

/// The parts of the reference are in packages without a footprint here.
#[test]
fn a_board_with_other_packages_has_a_schematic_alone() {
    let (bench, _) = exported("--board gray1");
    assert!(!bench.path("gray1.kicad_pcb").exists());
    let memory = String::from_utf8(bench.read("memory.kicad_sch")).unwrap();
    assert!(memory.contains("(property \"Footprint\" \"gray1:DIP-24_15.240mm\""), "BUF has one");
}

//! The circuit board: KiCad's design rules, and a comparison of its nets with the netlist.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::netlist::Netlist;
use super::{exported, kicad};
use crate::support::{Bench, RunResult, has_kicad, root};

/// The kinds of the entries in a list of KiCad's report.
fn kinds<'a>(report: &'a Value, list: &str) -> BTreeSet<&'a str> {
    report[list].as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap()).collect()
}

/// The violations that KiCad's design rules find in a board of this folder with its zones filled.
fn faults_when_filled(bench: &Bench, board: &str) -> Value {
    let folder = bench.path("");
    let mut fill = Command::new(root().join("hardware/fill-zones.py"));
    fill.current_dir(&folder).env("HOME", &folder).env_remove("XDG_CONFIG_HOME");
    RunResult::run(fill.args([board, board])).status(0);
    let rules = "pcb drc --schematic-parity --severity-all --format json -o drc.json";
    kicad(&folder, &format!("{rules} {board}")).status(0);
    serde_json::from_slice(&bench.read("drc.json")).unwrap()
}

/// The board of docs/FIRST-STEP.md is fully routed, and its chip is wired as in the machine.
#[test]
fn the_board_of_the_first_step_is_complete() {
    if !has_kicad() {
        return;
    }
    let (bench, machine) = exported("--board gray1-b");
    let folder = root().join("hardware/first-step");
    RunResult::run(Command::new("cp").arg("-r").arg(folder).arg(bench.path("step"))).status(0);
    let board = std::fs::read_to_string(bench.path("step/first-step.kicad_pcb")).unwrap();
    let netlist = Netlist::from_board(&board);
    for (net, pins) in &netlist.nets {
        for pin in pins.iter().filter(|pin| pin.0 == "U1") {
            assert!(machine.nets[net].contains(pin), "{pin:?} is on {net}");
        }
    }
    let wired = netlist.nets.values().flatten().filter(|pin| pin.0 == "U1").count();
    assert_eq!(wired, 27, "O3 to O7 are open");
    kicad(
        &bench.path("step"),
        "sch erc --severity-all --exit-code-violations first-step.kicad_sch",
    )
    .status(0);
    let report = faults_when_filled(&bench, "step/first-step.kicad_pcb");
    for list in ["violations", "schematic_parity", "unconnected_items"] {
        assert_eq!(kinds(&report, list), BTreeSet::new(), "{report:#}");
    }
}

/// Nothing overlaps and everything is connected. Each footprint matches the library and the
/// schematic, with the right nets. The same holds with a larger flash memory.
#[test]
fn kicad_finds_no_error_in_the_routed_board() {
    if !has_kicad() {
        return;
    }
    for part in ["", " --part AS=SST39SF040"] {
        let (bench, _) = exported(&format!("--board gray1-b{part}"));
        let report = faults_when_filled(&bench, "gray1.kicad_pcb");
        for list in ["violations", "schematic_parity", "unconnected_items"] {
            assert_eq!(kinds(&report, list), BTreeSet::new(), "{report:#}");
        }
        let mut measure = Command::new(root().join("hardware/check-board.py"));
        let measured = RunResult::run(measure.arg(bench.path("gray1.kicad_pcb"))).status(0);
        let out = String::from_utf8_lossy(measured.out()).into_owned();
        assert!(out.starts_with("61 filters, ") && out.contains("41 supply pins, "), "{out}");
    }
}

/// A board with other footprints has its parts placed in columns and still has to be routed.
#[test]
fn kicad_finds_only_missing_routes_in_another_board() {
    if !has_kicad() {
        return;
    }
    let (bench, _) = exported("--board gray1-b --part FLAGS=W27C512");
    let rules = "pcb drc --schematic-parity --severity-all --format json -o drc.json";
    kicad(&bench.path(""), &format!("{rules} gray1.kicad_pcb")).status(0);
    let report: Value = serde_json::from_slice(&bench.read("drc.json")).unwrap();
    assert_eq!(kinds(&report, "violations"), BTreeSet::new(), "{report:#}");
    assert_eq!(kinds(&report, "schematic_parity"), BTreeSet::new(), "{report:#}");
    assert_eq!(kinds(&report, "unconnected_items"), BTreeSet::from(["unconnected_items"]));
}

#[test]
fn the_pads_of_the_board_have_the_nets_of_the_netlist() {
    let (bench, ours) = exported("--board gray1-b");
    let board = String::from_utf8(bench.read("gray1.kicad_pcb")).unwrap();
    let theirs = Netlist::from_board(&board);
    assert_eq!(theirs.differing(&ours), BTreeSet::new());
    assert_eq!(theirs.components, ours.components);
    assert!(theirs.components.len() > 150, "it has the machine");
    // A pad without a net would not appear in any list.
    let mut pads = board.lines().filter(|line| line.contains("(pad \"") && !line.contains("np_"));
    assert!(pads.all(|line| line.contains("(net ")));
}

/// Some parts of the reference board come in packages for which there is no footprint.
#[test]
fn a_board_with_other_packages_has_only_a_schematic() {
    let (bench, _) = exported("--board gray1");
    assert!(!bench.path("gray1.kicad_pcb").exists());
    let memory = String::from_utf8(bench.read("memory.kicad_sch")).unwrap();
    assert!(memory.contains("(property \"Footprint\" \"gray1:DIP-24_15.240mm\""), "BUF has one");
}

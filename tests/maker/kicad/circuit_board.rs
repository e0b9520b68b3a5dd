//! The circuit boards: KiCad's design rules, and a comparison of their pads with the netlist.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::netlist::Netlist;
use super::{Project, our_netlist};
use crate::support::{has_kicad, root};

impl Project {
    fn fill_zones(&self) {
        let board = self.file("kicad_pcb");
        let mut fill = Command::new(root().join("hardware/fill-zones.py"));
        self.run(fill.args([&board, &board])).status(0);
    }

    /// Checks that nothing overlaps, everything is connected, and each footprint matches the
    /// library and the schematic.
    #[track_caller]
    fn follows_the_design_rules(&self) {
        let check = "pcb drc --schematic-parity --severity-all --format json -o drc.json";
        self.kicad(check, "kicad_pcb").status(0);
        let report: Value = serde_json::from_slice(&self.bench.read("drc.json")).unwrap();
        for list in ["violations", "schematic_parity", "unconnected_items"] {
            assert_eq!(report[list], serde_json::json!([]), "{list}");
        }
    }
}

/// The pads of a circuit board of `hardware/`.
fn pads(name: &str) -> Netlist {
    let path = root().join(format!("hardware/{name}/{name}.kicad_pcb"));
    Netlist::from_board(&std::fs::read_to_string(path).unwrap())
}

/// It is plotted as it is, without filling its zones first.
#[test]
fn kicad_finds_no_error_in_the_board_of_the_first_step() {
    if has_kicad() {
        Project::copy("first-step").follows_the_design_rules();
    }
}

#[test]
fn the_board_of_the_first_step_wires_the_chip_as_in_the_machine() {
    let (step, machine) = (pads("first-step"), our_netlist("gray1-b"));
    let mut wired = 0;
    for (net, pins) in &step.nets {
        for pin in pins.iter().filter(|pin| pin.0 == "U1") {
            assert!(machine.nets[net].contains(pin), "{pin:?} is on {net}");
            wired += 1;
        }
    }
    assert_eq!(wired, 27, "O3 to O7 are open");
}

#[test]
fn kicad_finds_no_error_in_the_filled_board_of_the_machine() {
    if !has_kicad() {
        return;
    }
    let project = Project::copy("gray1-b");
    project.fill_zones();
    project.follows_the_design_rules();
    let mut measure = Command::new(root().join("hardware/check-board.py"));
    let measured = project.run(measure.arg(project.file("kicad_pcb"))).status(0);
    let out = String::from_utf8_lossy(measured.out()).into_owned();
    assert!(out.starts_with("61 filters, ") && out.contains("41 supply pins, "), "{out}");
}

#[test]
fn the_pads_of_the_board_have_the_nets_of_the_netlist() {
    let theirs = pads("gray1-b");
    assert_eq!(theirs.differing(&our_netlist("gray1-b")), BTreeSet::new());
    assert!(theirs.components.len() > 300, "it has the machine");
}

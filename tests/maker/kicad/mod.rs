//! The exported KiCad schematic: KiCad's own checks, and the netlist that KiCad makes of it.

mod around;
mod circuit_board;
mod netlist;
mod round_trip;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use netlist::Netlist;

use crate::support::{Bench, RunResult, UncheckedResult, are_installed, arrangements, has_kicad};

/// Replaces all chips by parts that are sold today.
const SOLD_TODAY: &str = "--part PHASE=SST39SF010A --part CTRL=SST39SF010A --part PCL=SST39SF020A \
    --part PROG=AT28C256 --part AS=SST39SF040 --part BUF=SST39SF010A --part RAM=AS6C6264";

fn kicad(folder: &Path, arguments: &str) -> UncheckedResult {
    let mut command = Command::new("kicad-cli");
    // Uses its own home folder, so that another KiCad on this computer shares neither settings nor
    // locks.
    command.current_dir(folder).env("HOME", folder).env("TMPDIR", folder);
    command.env_remove("XDG_CONFIG_HOME");
    RunResult::run(command.args(arguments.split(' ')))
}

fn export_netlist(folder: &Path) -> Netlist {
    let ran = kicad(folder, "sch export netlist -o kicad.net gray1.kicad_sch").status(0);
    let printed = format!("{}{}", String::from_utf8_lossy(ran.out()), ran.err());
    assert!(!printed.contains("Warning: "), "{printed}");
    Netlist::from_kicad(&std::fs::read_to_string(folder.join("kicad.net")).unwrap())
}

/// Exports a board for KiCad, with our netlist next to it.
fn exported(options: &str) -> (Bench, Netlist) {
    let bench = Bench::new();
    bench.gray1(&format!("export kicad -o . {options}")).status(0);
    bench.gray1(&format!("export netlist -o . {options}")).status(0);
    let ours = Netlist::from_table(&String::from_utf8(bench.read("netlist.csv")).unwrap());
    (bench, ours)
}

#[test]
fn kicad_finds_no_error_and_exports_our_netlist() {
    if !has_kicad() {
        return;
    }
    for options in ["", "--board binary-counter", SOLD_TODAY, "--board gray1-b"] {
        let (bench, ours) = exported(options);
        let folder = bench.path("");
        kicad(&folder, "sch erc --severity-all --exit-code-violations gray1.kicad_sch").status(0);
        let theirs = export_netlist(&folder);
        assert_eq!(theirs.differing(&ours), BTreeSet::new(), "{options}");
        assert_eq!(theirs.components, ours.components, "{options}");
        assert!(theirs.nets.len() > 80 && theirs.nets["PHASE.2"].len() >= 4, "it has the board");
        let sheets = bench.names().iter().filter(|name| name.ends_with(".kicad_sch")).count();
        // Boards with a panel have sheets for clock, panel and display.
        assert_eq!(sheets, if options.ends_with("gray1-b") { 10 } else { 7 }, "{options}");
    }
}

#[test]
fn the_files_are_the_same_each_time_and_every_identifier_is_used_once() {
    let (bench, _) = exported("--board gray1-b");
    let (other, _) = exported("--board gray1-b");
    let mut seen = BTreeSet::new();
    for name in bench.names().into_iter().filter(|name| bench.path(name).is_file()) {
        let text = String::from_utf8(bench.read(&name)).unwrap();
        assert_eq!(text, String::from_utf8(other.read(&name)).unwrap(), "{name}");
        for id in text.split("(uuid ").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            // A sheet's box and its file have the same identifier, so each counts once.
            assert!(seen.insert(format!("{name} {id}")), "{name} uses {id} twice");
            assert_eq!(id.trim_matches('"').len(), 36, "{id}");
        }
    }
    assert!(seen.len() > 900, "{}", seen.len());
}

/// Runs a program on the model made from KiCad's netlist, and returns its output.
fn printed_by_the_model(options: &str, program: &str, instructions: u64) -> String {
    let (bench, _) = exported(options);
    let folder = bench.path("");
    let model = round_trip::verilog(&export_netlist(&folder), 1, instructions);
    std::fs::write(folder.join("model.v"), model).unwrap();
    bench.gray1(&format!("export images -o . {program} {options}")).status(0);
    for name in bench.names().iter().filter_map(|name| name.strip_suffix(".bin")) {
        let bytes = bench.read(&format!("{name}.bin"));
        let text: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        std::fs::write(folder.join(format!("{name}.mem")), text.join("\n")).unwrap();
    }
    let shell = |command: &str| {
        let words: Vec<&str> = command.split(' ').collect();
        RunResult::run(Command::new(words[0]).args(&words[1..]).current_dir(&folder)).status(0)
    };
    shell("iverilog -o model.vvp -s bench model.v");
    String::from_utf8(shell("vvp -n model.vvp").out().to_vec()).unwrap()
}

#[test]
fn the_machine_that_kicad_reads_passes_the_self_test() {
    if has_kicad() && are_installed(&["iverilog"]) {
        assert_eq!(printed_by_the_model("", "selftest", 588_100), "pass\n");
    }
}

/// Runs the model of the whole machine. The model runs on its own clock, is started twice by its
/// own reset, prints with its own module, and ends with the same LEDs as the simulator. The
/// self-test would take minutes on this model.
#[test]
fn the_whole_machine_that_kicad_reads_finds_the_92_arrangements() {
    if !has_kicad() || !are_installed(&["iverilog"]) {
        return;
    }
    let printed = printed_by_the_model("--board gray1-b", "queens", 184_100);
    let (printed, leds) = printed.split_once("LEDs\n").expect("it shows its LEDs");
    assert_eq!(printed, arrangements());
    let ran = Bench::new().gray1("run queens --leds").status(0);
    assert!(ran.err().starts_with(leds) && leds.lines().count() == 8, "{leds}{}", ran.err());
}

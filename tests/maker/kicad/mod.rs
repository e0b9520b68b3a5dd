//! The KiCad projects in `hardware/`: KiCad's own checks, and a comparison of the schematic's
//! netlist, as KiCad exports it, with ours.

mod around;
mod circuit_board;
mod netlist;
mod round_trip;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use netlist::Netlist;

use crate::support::{
    Bench, RunResult, UncheckedResult, are_installed, arrangements, has_kicad, root,
};

/// A copy of a project, because KiCad writes files next to the one that it reads.
struct Project {
    bench: Bench,
    name: &'static str,
}

impl Project {
    fn copy(name: &'static str) -> Self {
        let bench = Bench::new();
        let original = root().join("hardware").join(name);
        RunResult::run(Command::new("cp").arg("-r").arg(original).arg(bench.path(""))).status(0);
        Self { bench, name }
    }

    /// The path of the project's file with this suffix.
    fn file(&self, suffix: &str) -> PathBuf {
        self.bench.path(self.name).join(format!("{}.{suffix}", self.name))
    }

    fn kicad(&self, arguments: &str, suffix: &str) -> UncheckedResult {
        let mut command = Command::new("kicad-cli");
        command.args(arguments.split(' ')).arg(self.file(suffix));
        self.run(&mut command)
    }

    fn run(&self, command: &mut Command) -> UncheckedResult {
        // Uses its own home folder, so that another KiCad on this computer shares neither settings
        // nor locks.
        let folder = self.bench.path("");
        command.current_dir(&folder).env("HOME", &folder).env("TMPDIR", &folder);
        RunResult::run(command.env_remove("XDG_CONFIG_HOME"))
    }

    /// The netlist that KiCad exports from the schematic.
    fn netlist(&self) -> Netlist {
        let ran = self.kicad("sch export netlist -o kicad.net", "kicad_sch").status(0);
        let printed = format!("{}{}", String::from_utf8_lossy(ran.out()), ran.err());
        assert!(!printed.contains("Warning: "), "{printed}");
        Netlist::from_kicad(&String::from_utf8(self.bench.read("kicad.net")).unwrap())
    }

    /// Replaces the last occurrence of a text in a sheet of the schematic. Definitions of symbols
    /// come before the components.
    fn edit(&self, sheet: &str, old: &str, new: &str) {
        let path = self.bench.path(self.name).join(format!("{sheet}.kicad_sch"));
        let text = std::fs::read_to_string(&path).unwrap();
        let (before, after) = text.rsplit_once(old).expect(old);
        std::fs::write(path, [before, new, after].concat()).unwrap();
    }
}

/// The netlist that `gray1 export netlist` writes for a board.
fn our_netlist(board: &str) -> Netlist {
    let bench = Bench::new();
    bench.gray1(&format!("export netlist -o . --board {board}")).status(0);
    Netlist::from_table(&String::from_utf8(bench.read("netlist.csv")).unwrap())
}

#[test]
fn kicad_finds_no_error_in_the_schematics() {
    if !has_kicad() {
        return;
    }
    for name in ["gray1-b", "first-step"] {
        let check = "sch erc --severity-all --exit-code-violations -o erc.txt";
        Project::copy(name).kicad(check, "kicad_sch").status(0);
    }
}

#[test]
fn the_netlist_of_the_schematic_is_ours() {
    if !has_kicad() {
        return;
    }
    let (theirs, ours) = (Project::copy("gray1-b").netlist(), our_netlist("gray1-b"));
    assert_eq!(theirs.differing(&ours), BTreeSet::new());
    assert_eq!(theirs.names, ours.names);
    assert!(theirs.nets.len() > 250 && theirs.components.len() > 300, "it has the machine");
}

/// If the comparison overlooked a difference, people would solder it.
#[test]
fn each_mistake_in_the_schematic_is_a_difference() {
    if !has_kicad() {
        return;
    }
    let project = Project::copy("gray1-b");
    project.edit("control", "(global_label \"PHASE.1\"", "(global_label \"PHASE.2\"");
    project.edit("clock", "(property \"Value\" \"74HC74\"", "(property \"Value\" \"74HC75\"");
    project.edit("outside", "(reference \"C3\")", "(reference \"C303\")");
    project.edit("alu", "(property \"Function\" \"ALUH\"", "(property \"Function\" \"ALUL\"");
    let ours = our_netlist("gray1-b");
    let functions = ["DIVIDE", "ALUH"];
    let named = |(reference, it): (&String, &netlist::Component)| {
        functions.contains(&&*it.function).then(|| reference.clone())
    };
    let mut expected: BTreeSet<String> = ours.components.iter().filter_map(named).collect();
    assert_eq!(expected.len(), functions.len());
    expected.extend(["PHASE.1", "PHASE.2", "C3", "C303", "+5V", "0V"].map(str::to_owned));
    assert_eq!(project.netlist().differing(&ours), expected);
}

/// Runs a program on a model of the board that is made from its netlist, and returns its output.
fn printed_by_the_model(
    netlist: &Netlist,
    board: &str,
    program: &str,
    instructions: u64,
) -> String {
    let bench = Bench::new();
    let folder = bench.path("");
    std::fs::write(folder.join("model.v"), round_trip::verilog(netlist, 1, instructions)).unwrap();
    bench.gray1(&format!("export images -o . {program} --board {board}")).status(0);
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
fn the_stock_board_wired_by_its_netlist_passes_the_self_test() {
    if are_installed(&["iverilog"]) {
        let printed = printed_by_the_model(&our_netlist("gray1"), "gray1", "selftest", 588_100);
        assert_eq!(printed, "pass\n");
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
    let netlist = Project::copy("gray1-b").netlist();
    let printed = printed_by_the_model(&netlist, "gray1-b", "queens", 184_100);
    let (printed, leds) = printed.split_once("LEDs\n").expect("it shows its LEDs");
    assert_eq!(printed, arrangements());
    let ran = Bench::new().gray1("run queens --leds").status(0);
    assert!(ran.err().starts_with(leds) && leds.lines().count() == 8, "{leds}{}", ran.err());
}

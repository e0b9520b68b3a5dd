//! The schematic in KiCad: its own checks, its own netlist, and faults that a maker's hand makes.
#![allow(
    clippy::print_stderr,
    reason = "figures, and a test that cannot be run here has to say so"
)]

mod around;
mod circuit_board;
mod netlist;
mod round_trip;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use gray1_isa::SplitMix64;

use netlist::Netlist;

use crate::support::{Bench, Ran, Unread, are_installed, arrangements, has_kicad};

/// All chips of parts that are sold today.
const SOLD_TODAY: &str = "--part PHASE=SST39SF010A --part CTRL=SST39SF010A --part PCL=SST39SF020A \
    --part PROG=AT28C256 --part AS=SST39SF040 --part BUF=SST39SF010A --part RAM=AS6C6264";

fn kicad(folder: &Path, arguments: &str) -> Unread {
    let mut command = Command::new("kicad-cli");
    // Its settings and its lock, which another KiCad of this machine may be writing, belong to
    // the test.
    command.current_dir(folder).env("HOME", folder).env("TMPDIR", folder);
    command.env_remove("XDG_CONFIG_HOME");
    Ran::of(command.args(arguments.split(' ')))
}

/// The number of violations that KiCad's electrical rules find, warnings included.
fn violations(folder: &Path) -> usize {
    kicad(folder, "sch erc --severity-all -o erc.rpt gray1.kicad_sch").status(0);
    let report = std::fs::read_to_string(folder.join("erc.rpt")).unwrap();
    let count = report.rsplit("ERC messages: ").next().unwrap().split_whitespace().next();
    count.unwrap().parse().unwrap()
}

fn netlist_of(folder: &Path) -> Netlist {
    let ran = kicad(folder, "sch export netlist -o kicad.net gray1.kicad_sch").status(0);
    let said = format!("{}{}", String::from_utf8_lossy(ran.out()), ran.err());
    assert!(!said.contains("Warning: "), "{said}");
    Netlist::of_kicad(&std::fs::read_to_string(folder.join("kicad.net")).unwrap())
}

/// Exports a board for KiCad, with our netlist beside it.
fn exported(options: &str) -> (Bench, Netlist) {
    let bench = Bench::new();
    bench.gray1(&format!("export kicad -o . {options}")).status(0);
    bench.gray1(&format!("export netlist -o . {options}")).status(0);
    let ours = Netlist::of_table(&String::from_utf8(bench.read("netlist.csv")).unwrap());
    (bench, ours)
}

#[test]
fn kicad_finds_no_fault_and_exports_our_netlist() {
    if !has_kicad() {
        return;
    }
    for options in ["", "--board binary-counter", SOLD_TODAY, "--board gray1-b"] {
        let (bench, ours) = exported(options);
        let folder = bench.path("");
        kicad(&folder, "sch erc --severity-all --exit-code-violations gray1.kicad_sch").status(0);
        assert_eq!(violations(&folder), 0, "{options}");
        let theirs = netlist_of(&folder);
        assert_eq!(theirs.differing(&ours), BTreeSet::new(), "{options}");
        assert_eq!(theirs.components, ours.components, "{options}");
        assert!(theirs.nets.len() > 80 && theirs.nets["PHASE.2"].len() >= 4, "it has the board");
        let sheets = bench.names().iter().filter(|name| name.ends_with(".kicad_sch")).count();
        // Clock, panel and display are on the board, or not.
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
            // A sheet's box and its file have one each.
            assert!(seen.insert(format!("{name} {id}")), "{name} uses {id} twice");
            assert_eq!(id.trim_matches('"').len(), 36, "{id}");
        }
    }
    assert!(seen.len() > 900, "{}", seen.len());
}

/// A label of the schematic: its sheet, its line, its net, its place.
#[derive(Clone, Debug, PartialEq)]
struct Label {
    sheet: String,
    line: usize,
    net: String,
    shape: String,
    place: String,
}

/// The schematic as lines, to be damaged.
struct Schematic {
    sheets: Vec<(String, Vec<String>)>,
}

impl Schematic {
    fn read(bench: &Bench) -> Self {
        let names = bench.names().into_iter().filter(|name| name.ends_with(".kicad_sch"));
        let sheet = |name: String| {
            let text = String::from_utf8(bench.read(&name)).unwrap();
            (name, text.lines().map(str::to_owned).collect())
        };
        Self { sheets: names.map(sheet).collect() }
    }

    fn write(&self, folder: &Path) {
        for (name, lines) in &self.sheets {
            std::fs::write(folder.join(name), lines.join("\n")).unwrap();
        }
    }

    fn labels(&self) -> Vec<Label> {
        let all = self.sheets.iter().flat_map(|(sheet, lines)| {
            lines.iter().enumerate().filter_map(|(line, text)| {
                let rest = text.trim().strip_prefix("(global_label \"")?;
                let (net, rest) = rest.split_once("\" (shape ")?;
                let (shape, rest) = rest.split_once(") (at ")?;
                let place = rest.split(')').next()?;
                let [sheet, net, shape, place] = [sheet, net, shape, place].map(str::to_owned);
                Some(Label { sheet, line, net, shape, place })
            })
        });
        all.collect()
    }

    fn line(&mut self, label: &Label) -> &mut String {
        let sheet = self.sheets.iter_mut().find(|(name, _)| *name == label.sheet);
        &mut sheet.unwrap().1[label.line]
    }

    fn rename(&mut self, label: &Label, net: &str) {
        let line = self.line(label);
        *line = line.replacen(&format!("\"{}\"", label.net), &format!("\"{net}\""), 1);
    }
}

/// The ways in which a hand goes wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// The wire of an input is missing.
    Open,
    /// Two nets with a driver each are joined.
    Short,
    /// Two inputs of a sheet are exchanged.
    Swap,
    /// The wire of an input is at the pin beside it.
    WrongPin,
}

/// Nets that a chip drives at all times, and their readers.
fn is_line(label: &Label) -> bool {
    !label.net.starts_with("panel:") && !["+5V", "0V"].contains(&&*label.net)
}

/// Damages the schematic, and returns the nets that are wrong then.
fn damage(fault: Fault, schematic: &mut Schematic, random: &mut SplitMix64) -> Vec<String> {
    let labels: Vec<Label> = schematic.labels().into_iter().filter(is_line).collect();
    let mut pick = |wanted: &dyn Fn(&Label) -> bool| -> Label {
        let some: Vec<&Label> = labels.iter().filter(|it| wanted(it)).collect();
        some[random.below(some.len() as u64) as usize].clone()
    };
    let is_input = |label: &Label| label.shape == "input";
    let first = pick(&|label| {
        if fault == Fault::Short { label.shape == "output" } else { is_input(label) }
    });
    match fault {
        Fault::Open => {
            schematic.line(&first).clear();
            vec![first.net]
        }
        Fault::Short => {
            let second = pick(&|label| label.shape == "output" && label.net != first.net);
            for label in labels.iter().filter(|label| label.net == first.net) {
                schematic.rename(label, &second.net);
            }
            vec![first.net, second.net]
        }
        Fault::Swap => {
            let second = pick(&|it| is_input(it) && it.sheet == first.sheet && it.net != first.net);
            schematic.rename(&first, &second.net);
            schematic.rename(&second, &first.net);
            vec![first.net, second.net]
        }
        Fault::WrongPin => {
            // The pins of a side are 2.54 mm apart: in thousandths of a millimetre.
            let place = |label: &Label| {
                let numbers: Vec<&str> = label.place.split(' ').collect();
                let height: i32 = numbers[1].replace('.', "").parse().unwrap();
                ([label.sheet.clone(), numbers[0].to_owned(), numbers[2].to_owned()], height)
            };
            let (column, height) = place(&first);
            let beside = |it: &Label| {
                let (other, at) = place(it);
                other == column && (at - height).abs() == 2540
            };
            let second = pick(&beside);
            let line = schematic.line(&first);
            *line = line.replacen(
                &format!("(at {})", first.place),
                &format!("(at {})", second.place),
                1,
            );
            vec![first.net]
        }
    }
}

/// The electrical rules see that pins are open and that outputs meet. Only the comparison with the
/// netlist sees wires that are exchanged.
#[test]
fn every_seeded_fault_is_named_by_the_comparison_and_most_are_seen_by_the_rules() {
    if !has_kicad() {
        return;
    }
    let (bench, ours) = exported("");
    let random = &mut SplitMix64::new(28);
    let faults = [Fault::Open, Fault::Short, Fault::Swap, Fault::WrongPin];
    let mut seen = [0; 4];
    for at in 0..20 {
        let (kind, fault) = (at % 4, faults[at % 4]);
        let mut schematic = Schematic::read(&bench);
        let wrong = damage(fault, &mut schematic, random);
        let folder = bench.path(&format!("fault{at}"));
        std::fs::create_dir(&folder).unwrap();
        for name in ["gray1.kicad_sym", "gray1.kicad_pro", "sym-lib-table"] {
            std::fs::copy(bench.path(name), folder.join(name)).unwrap();
        }
        schematic.write(&folder);
        let differing = netlist_of(&folder).differing(&ours);
        assert!(
            wrong.iter().all(|net| differing.contains(net)),
            "{fault:?} {wrong:?}: {differing:?}"
        );
        assert!(differing.len() <= 2, "{fault:?} {wrong:?}: {differing:?}");
        seen[kind] += usize::from(violations(&folder) > 0);
    }
    eprintln!("of 5 faults each, KiCad's rules see {seen:?} of {faults:?}");
    let [open, short, swap, wrong_pin] = seen;
    assert_eq!((open, short, wrong_pin), (5, 5, 5), "swaps: {swap}");
}

/// Runs a program on the model that is made from KiCad's netlist.
fn printed_by_the_model(options: &str, program: &str, instructions: u64) -> String {
    let (bench, _) = exported(options);
    let folder = bench.path("");
    let model = round_trip::verilog(&netlist_of(&folder), 1, instructions);
    std::fs::write(folder.join("model.v"), model).unwrap();
    bench.gray1(&format!("export images -o . {program} {options}")).status(0);
    for name in bench.names().iter().filter_map(|name| name.strip_suffix(".bin")) {
        let bytes = bench.read(&format!("{name}.bin"));
        let text: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        std::fs::write(folder.join(format!("{name}.mem")), text.join("\n")).unwrap();
    }
    let shell = |command: &str| {
        let words: Vec<&str> = command.split(' ').collect();
        Ran::of(Command::new(words[0]).args(&words[1..]).current_dir(&folder)).status(0)
    };
    shell("iverilog -o model.vvp -s bench model.v");
    String::from_utf8(shell("vvp -n model.vvp").out().to_vec()).unwrap()
}

#[test]
fn the_machine_that_kicad_reads_finds_the_92_arrangements() {
    if has_kicad() && are_installed(&["iverilog"]) {
        assert_eq!(printed_by_the_model("", "queens", 184_100), arrangements());
    }
}

#[test]
fn the_machine_that_kicad_reads_passes_the_self_test() {
    if has_kicad() && are_installed(&["iverilog"]) {
        assert_eq!(printed_by_the_model("", "selftest", 588_100), "pass\n");
    }
}

/// The same of the whole machine: its own clock runs it, its own reset starts it, twice, its module
/// prints, and its LEDs show at the end what the simulator's do. (The self-test takes minutes here.)
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

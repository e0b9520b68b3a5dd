//! `gray1 probe` as a maker uses it: captures of all formats, the sentence that names the fault,
//! and one clear message for a file that cannot be read.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::process::Command;

use crate::support::{Bench, Ran, are_installed, root};

/// The wires of CTRL on sixteen channels.
const CTRL: [&str; 16] = [
    "PHASE.0", "PHASE.1", "PHASE.2", "IRH.5", "IRH.6", "IRH.7", "FLAGS.1", "RST", "IRH_EN",
    "IRL_EN", "AM_EN", "CM_EN", "nWE", "AS_EN", "PC_LOAD", "CLR",
];

/// A bench with `all.vcd`, a capture of all wires while a machine runs `fibonacci`.
fn captured(board: &str) -> Bench {
    captured_in(Bench::new(), board)
}

fn captured_in(bench: Bench, board: &str) -> Bench {
    let command = "run fibonacci --engine timed --max-instructions 60 --vcd all.vcd --vcd-wires";
    // A faulty machine may halt early, so the exit status is ignored.
    let _ = bench.gray1(&format!("{command} --board {board}"));
    bench
}

/// A bench with a capture of a machine in which bit 1 of address 6 of CTRL is wrong.
fn with_wrong_bit() -> Bench {
    let bench = Bench::new();
    bench.gray1("export images -o chips").status(0);
    let mut contents = bench.read("chips/CTRL.bin");
    contents[6] ^= 0b10;
    let board = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let control = "contents: File(\"ctrl.bin\"), does: Control(";
    let board = board.replacen("does: Control(", control, 1);
    captured_in(bench.file("ctrl.bin", contents).file("wrong.ron", board), "wrong.ron")
}

/// The part of a dump with these wires, as channels `D0`, `D1` and so on.
fn channels(dump: &str, wires: &[&str]) -> String {
    let mut codes: HashMap<&str, &str> = HashMap::new();
    let mut part = String::new();
    for line in dump.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["$var", _, _, code, name, "$end"] => {
                let Some(number) = wires.iter().position(|wire| *wire == name) else { continue };
                codes.insert(code, name);
                writeln!(part, "$var wire 1 {code} D{number} $end").unwrap();
            }
            [change] if change.starts_with(['0', '1']) && !codes.contains_key(&change[1..]) => {}
            _ => writeln!(part, "{line}").unwrap(),
        }
    }
    assert_eq!(codes.len(), wires.len());
    part
}

#[test]
fn the_sample_of_the_handbook_is_what_is_printed() {
    let bench = with_wrong_bit();
    let dump = String::from_utf8(bench.read("all.vcd")).unwrap();
    let mut map = String::new();
    for (number, wire) in CTRL.iter().enumerate() {
        writeln!(map, "D{number}={wire}").unwrap();
    }
    let bench = bench.file("ctrl.vcd", channels(&dump, &CTRL)).file("ctrl.map", map);
    let ran = bench.gray1("probe ctrl.vcd --names ctrl.map").status(1).stderr("");
    let printed = String::from_utf8(ran.out().to_vec()).unwrap();
    let page = std::fs::read_to_string(root().join("docs/BRING-UP.md")).unwrap();
    assert!(page.contains(&format!("```text\n{printed}```\n")), "{printed}");
}

#[test]
fn a_capture_of_the_good_board_is_sound() {
    let bench = captured("gray1");
    let ran = bench.gray1("probe all.vcd fibonacci").status(0).stderr("");
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("nothing wrong is seen: 14 chips, "), "{text}");
    assert!(!text.contains("PROG is not checked"), "{text}");
    let ran = bench.gray1("probe all.vcd").status(0);
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("nothing wrong is seen: 13 chips, "), "{text}");
    assert!(text.contains("PROG is not checked: name the program that it holds"), "{text}");
    let ran = bench.gray1("probe all.vcd queens").status(1);
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("PROG holds another image or has no supply: "), "{text}");
}

#[test]
fn a_capture_that_is_damaged_near_its_end_shows_the_fault_that_comes_before() {
    let bench = with_wrong_bit();
    let whole = bench.gray1("probe all.vcd").status(1).stderr("");
    let fault = |out: &[u8]| String::from_utf8_lossy(out).lines().next().unwrap().to_owned();
    let dump = String::from_utf8(bench.read("all.vcd")).unwrap();
    let lines = dump.lines().count();
    // A long capture, and one that ends within the part read to find the sample interval.
    let begin = dump.match_indices("\n#").nth(400).unwrap().0 + 1;
    let bench = bench
        .file("long.vcd", format!("{dump}2!\n"))
        .file("short.vcd", format!("{}2!\n", &dump[..begin]));
    for (file, line) in [("long.vcd", lines + 1), ("short.vcd", dump[..begin].lines().count() + 1)]
    {
        let ran = bench.gray1(&format!("probe {file}")).status(2);
        assert_eq!(fault(ran.out()), fault(whole.out()));
        ran.stderr(&format!(
            "error: {file}:{line}:1: expected a time or a value, found '2!'; only what comes \
             before was examined\n"
        ));
    }
}

#[test]
fn sigrok_reads_single_wires_and_its_files_are_read() {
    if !are_installed(&["sigrok-cli"]) {
        return;
    }
    let bench = captured("gray1");
    let sigrok = |words: &str| {
        let mut command = Command::new("sigrok-cli");
        Ran::of(command.current_dir(bench.path("")).args(words.split(' '))).status(0)
    };
    let shown = sigrok("-I vcd -i all.vcd --show");
    let shown = String::from_utf8(shown.out().to_vec()).unwrap();
    assert!(shown.contains("Samplerate: 1000000000\nChannels: 89\n"), "{shown}");
    sigrok("-I vcd:downsample=40 -i all.vcd -o all.sr");
    sigrok("-i all.sr -O csv -o all.csv");
    sigrok("-i all.sr -O csv:time=true:dedup=true -o times.csv");
    sigrok("-i all.sr -O vcd -o again.vcd");
    let mut reports = Vec::new();
    for file in ["all.sr", "all.csv", "times.csv", "again.vcd"] {
        let ran = bench.gray1(&format!("probe {file} fibonacci")).status(0).stderr("");
        let text = String::from_utf8(ran.out().to_vec()).unwrap();
        assert!(text.starts_with("nothing wrong is seen: 14 chips, "), "{file}: {text}");
        reports.push(text);
    }
    assert_eq!(reports[0], reports[1], "the same samples");
}

/// A capture of PHASE at 10 kHz in the format of Saleae's Logic, with these names for its wires.
fn saleae(phase: [&str; 3]) -> String {
    const GRAY: [u8; 8] = [0, 1, 3, 2, 6, 7, 5, 4];
    let [a, b, c] = phase;
    let mut table = format!("Time [s],OSC,RST,{a},{b},{c}\n");
    for step in 0..40_u32 {
        let oscillator = step % 2;
        for (code, delay) in
            [(GRAY[(step as usize + 7) % 8], 0.0), (GRAY[step as usize % 8], 40e-9)]
        {
            let time = f64::from(step) * 50e-6 - 1e-3 + delay;
            let [a, b, c] = [0, 1, 2].map(|bit| code >> bit & 1);
            writeln!(table, "{time:.9},{oscillator},0,{a},{b},{c}").unwrap();
        }
    }
    table
}

#[test]
fn tables_of_saleae_are_read_with_times_before_the_trigger() {
    let bench = Bench::new()
        .file("good.csv", saleae(["PHASE[0]", "PHASE_1", "\"PHASE 2\""]))
        .file("swapped.csv", saleae(["PHASE1", "PHASE0", "PHASE2"]));
    let ran = bench.gray1("probe good.csv").status(0).stderr("");
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("nothing wrong is seen: 1 chip, "), "{text}");
    let ran = bench.gray1("probe swapped.csv").status(1).stderr("");
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("PHASE") && text.lines().next().unwrap().contains("PHASE"), "{text}");
}

#[test]
fn what_cannot_be_judged_has_a_status_of_its_own() {
    let bench = Bench::new()
        .file("bad.vcd", "$var wire 1 ! OSC $end\n$enddefinitions $end\n#0\n1!\n#5\n2!\n")
        .file("back.csv", "Time [s],OSC\n1,0\n0.5,1\n")
        .file("other.csv", "Time [s],D0\n1,0\n2,1\n")
        .file("level.csv", "Time [s],OSC\n1,maybe\n")
        .file("no.sr", "PK\u{3}\u{4} but no archive")
        .file("few.csv", "Time [s],nWE\n1,0\n2,1\n")
        .file("bad.map", "# wires\nD0 OSC\n");
    for (words, message) in [
        ("bad.vcd", "bad.vcd:6:1: expected a time or a value, found '2!'"),
        ("back.csv", "back.csv:3:1: the time goes back here"),
        (
            "other.csv",
            "other.csv: no channel is called like a wire, but D0; name them by --name or --names",
        ),
        ("level.csv", "level.csv:2:3: expected a level, 0 or 1, found 'maybe'"),
        ("other.csv --names bad.map", "bad.map:2:1: expected CHANNEL=WIRE"),
        ("other.csv --name D0=OCS", "other.csv: the board has no wire `OCS`"),
        ("other.csv --name D1=OSC", "other.csv: the capture has no channel `D1`; it has D0"),
        ("none.csv", "cannot read none.csv: No such file or directory (os error 2)"),
    ] {
        let ran = bench.gray1(&format!("probe {words}")).status(2).stdout("");
        ran.stderr(&format!("error: {message}\n"));
    }
    bench.gray1("probe no.sr").status(2).stdout("");
    let ran = bench.gray1("probe few.csv").status(2).stderr("");
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("too little was captured to judge any chip\n"), "{text}");
    assert!(text.contains("CTRL"), "the wires to add: {text}");
}

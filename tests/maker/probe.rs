//! `gray1 probe` as a maker uses it: captures of all formats, the sentence that names the fault,
//! and one clear message for a file that cannot be read.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Bench, RunResult, are_installed, program, root, word};

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

/// The file for `--names` that assigns these wires to the channels `D0`, `D1` and so on.
fn format_names(wires: &[&str]) -> String {
    let names = wires.iter().enumerate();
    names.fold(String::new(), |text, (number, wire)| text + &format!("D{number}={wire}\n"))
}

#[test]
fn the_sample_of_the_handbook_is_what_is_printed() {
    let bench = with_wrong_bit();
    let dump = String::from_utf8(bench.read("all.vcd")).unwrap();
    let bench =
        bench.file("ctrl.vcd", channels(&dump, &CTRL)).file("ctrl.map", format_names(&CTRL));
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
    assert!(text.starts_with("no fault was found in 14 chips: "), "{text}");
    assert!(!text.contains("PROG is not checked"), "{text}");
    let ran = bench.gray1("probe all.vcd").status(0);
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("no fault was found in 13 chips: "), "{text}");
    assert!(text.contains("PROG is not checked: name the program that it holds"), "{text}");
    let ran = bench.gray1("probe all.vcd queens").status(1);
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("PROG holds another program, or another build of it: "), "{text}");
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
            "error: {file}:{line}:1: expected a time or a value, found '2!'; only the data \
             up to there was examined\n"
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
        RunResult::run(command.current_dir(bench.path("")).args(words.split(' '))).status(0)
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
        assert!(text.starts_with("no fault was found in 14 chips: "), "{file}: {text}");
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
    assert!(text.starts_with("no fault was found in 1 chip: "), "{text}");
    let ran = bench.gray1("probe swapped.csv").status(1).stderr("");
    let text = String::from_utf8(ran.out().to_vec()).unwrap();
    assert!(text.starts_with("PHASE") && text.lines().next().unwrap().contains("PHASE"), "{text}");
}

#[test]
fn an_undecided_capture_has_its_own_status() {
    let bench = Bench::new()
        .file("bad.vcd", "$var wire 1 ! OSC $end\n$enddefinitions $end\n#0\n1!\n#5\n2!\n")
        .file("back.csv", "Time [s],OSC\n1,0\n0.5,1\n")
        .file("other.csv", "Time [s],D0\n1,0\n2,1\n")
        .file("level.csv", "Time [s],OSC\n1,maybe\n")
        .file("no.sr", "PK\u{3}\u{4} but no archive")
        .file("samples.csv", "OSC\n0\n1\n")
        .file("few.csv", "Time [s],nWE\n1,0\n2,1\n")
        .file("bad.map", "# wires\nD0 OSC\n")
        .file("wire.map", "D0=OSC\n\nD0=IRH5x\n")
        .file("channel.map", "D0=OSC\nD7=RST # a comment\n")
        .file("both.map", "D0=OSC\n")
        .file("two.csv", "Time [s],OSC,D0\n1,0,0\n2,1,0\n");
    for (words, message) in [
        ("bad.vcd", "bad.vcd:6:1: expected a time or a value, found '2!'"),
        ("back.csv", "back.csv:3:1: time goes backward here"),
        (
            "other.csv",
            "other.csv: no channel is named after a wire (found D0); name them with --name or --names",
        ),
        ("level.csv", "level.csv:2:3: expected a level, 0 or 1, found 'maybe'"),
        (
            "samples.csv",
            "samples.csv:1:1: there is neither a column of times nor a sample rate; export one of \
             them, or state the rate, as in `--rate 24MHz`",
        ),
        ("other.csv --names bad.map", "bad.map:2:1: expected CHANNEL=WIRE"),
        ("other.csv --names wire.map", "wire.map:3:1: the board has no wire `IRH5x`"),
        (
            "other.csv --names channel.map",
            "channel.map:2:1: the capture has no channel `D7`; it has D0",
        ),
        ("two.csv --names both.map", "both.map:1:1: the channels `OSC` and `D0` are both OSC"),
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

/// A capture with one wire that is always low.
fn stuck_low(dump: &str, wire: &str) -> String {
    let variable = dump.lines().find(|line| line.contains(&format!(" {wire} $end"))).unwrap();
    let rise = format!("1{}", variable.split(' ').nth(3).unwrap());
    dump.lines().filter(|line| **line != rise).fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn a_capture_selects_its_board_and_lists_unused_channels() {
    let command = "run queens --engine timed --max-instructions 3000 --vcd all.vcd --vcd-wires";
    let bench = Bench::new();
    bench.gray1(&format!("{command} --board gray1-b")).status(3);
    let dump = String::from_utf8(bench.read("all.vcd")).unwrap();
    let bench = bench.file("stuck.vcd", stuck_low(&dump, "GREEN3.2"));
    let text = bench.gray1("probe stuck.vcd queens").status(1).text();
    assert!(text.starts_with("GREEN3.2 is stuck low\n"), "{text}");
    assert!(text.contains("\nthe captured wires fit the board gray1-b\n"), "{text}");
    let text = bench.gray1("probe stuck.vcd queens --board gray1").status(0).text();
    let left = "left out, because gray1 has no such wires: BUTTON.0-7 GREEN RED ";
    assert!(text.contains(left) && text.contains(" GREEN0.0-7 "), "{text}");
    assert!(text.contains(" more\n\nchip "), "the notes come before the table: {text}");
    // A channel's name can identify the board.
    let wires: Vec<&str> = CTRL.into_iter().chain(["GREEN_EN.3"]).collect();
    let names = format_names(&wires);
    let bench = bench.file("few.vcd", channels(&dump, &wires)).file("names", names);
    let text = bench.gray1("probe few.vcd --names names").status(0).text();
    assert!(text.contains("\nthe captured wires fit the board gray1-b\n"), "{text}");
    // If no captured wire is specific to one board, and the results for the boards differ because
    // their chips differ in speed, the user must choose the board.
    let bench = captured("gray1");
    let dump = String::from_utf8(bench.read("all.vcd")).unwrap();
    let names = format_names(&CTRL);
    let bench = bench.file("few.vcd", channels(&dump, &CTRL)).file("names", names);
    let text = bench.gray1("probe few.vcd --names names").status(2).text();
    assert!(text.starts_with("which board is this? Name it with --board\nas gray1: "), "{text}");
    bench.gray1("probe few.vcd --names names --board gray1").status(0);
}

#[test]
fn a_dump_of_the_verilog_model_can_be_probed() {
    if !are_installed(&["iverilog", "vvp"]) {
        return;
    }
    let bench = Bench::new();
    bench.gray1("export verilog -o v fibonacci --board gray1-b").status(0);
    let run = |command: &str| {
        let mut words = command.split(' ');
        let mut command = Command::new(words.next().unwrap());
        RunResult::run(command.current_dir(bench.path("v")).args(words)).status(0)
    };
    run("iverilog -o gray1.vvp -s gray1_tb board.v gray1_tb.v");
    run("vvp -n gray1.vvp +vcd +limit=50");
    // The model also has signals that are not wires, such as its port `phase`.
    let text = bench.gray1("probe v/gray1.vcd fibonacci --run").status(0).text();
    assert!(text.contains("\nno difference: "), "{text}");
    assert!(text.contains("\nthe captured wires fit the board gray1-b\n"), "{text}");
    assert!(!text.contains("left out"), "{text}");
}

#[test]
fn chips_that_are_captured_but_never_checked_are_named() {
    let bench = captured("gray1");
    let dump = String::from_utf8(bench.read("all.vcd")).unwrap();
    // Three edges are too few for a store.
    let end = dump.match_indices("\n#").nth(12).unwrap().0 + 1;
    let bench = bench.file("short.vcd", &dump[..end]);
    let text = bench.gray1("probe short.vcd").text();
    let note = |chip| format!("\nall wires of {chip} are captured, but it was never seen settled ");
    assert!(text.contains(&note("BUF")), "{text}");
    assert!(!text.contains(&note("PHASE")), "{text}");
}

#[test]
fn captures_are_read_from_pipes_and_other_files_are_refused() {
    let bench = captured("gray1");
    let dump = bench.read("all.vcd");
    let text = bench.gray1("probe all.vcd fibonacci").status(0).text();
    bench.gray1_with_input("probe - fibonacci", &dump).status(0).stdout(&text);
    let shell = |words: &str| {
        let words = format!("{} {words}", word(program()));
        let mut command = Command::new("bash");
        RunResult::run(command.current_dir(bench.path("")).args(["-c", &words]))
    };
    shell("probe <(cat all.vcd) fibonacci").status(0).stdout(&text);
    shell("probe all.vcd fibonacci --names <(echo OSC=OSC)").status(0).stdout(&text);
    let bench = bench
        .file("c.vcd.gz", b"\x1f\x8b\x08\0\0\0\0\0")
        .file("c.fst", b"\0\0\0\0\0\0\0\x01\x49\0")
        .file("c.bin", b"<SALEAE>\0\0")
        .file("c.csv", b"\xff\xfeT\0i\0m\0e\0")
        .file("c.raw", b"\x01\0\x02");
    for (file, what) in [
        ("c.vcd.gz", "packed with gzip"),
        ("c.fst", "in the format FST"),
        ("c.bin", "in Saleae's binary format"),
        ("c.csv", "in UTF-16"),
        ("c.raw", "in an unknown binary format"),
    ] {
        let error = format!(
            "error: {file}: the file is {what}; unpack it, or save it as VCD or CSV in UTF-8\n"
        );
        bench.gray1(&format!("probe {file}")).status(2).stdout("").stderr(&error);
    }
}

#[test]
fn a_capture_is_a_run_with_source_lines() {
    let bench = captured("gray1");
    bench.gray1("run fibonacci --max-instructions 60 --trace trace").status(3);
    let trace = String::from_utf8(bench.read("trace")).unwrap();
    let text = bench.gray1("probe all.vcd fibonacci --run").status(0).text();
    let lines: Vec<&str> = text.lines().take(60).collect();
    for (line, expected) in lines.iter().zip(trace.lines()) {
        assert!(line.starts_with(&format!("{expected}  built-in:fibonacci.asm:")), "{line}");
    }
    let end = text.lines().nth(60).unwrap();
    assert_eq!(end, "no difference: 60 instructions match the program");
    let json = bench.gray1("probe all.vcd fibonacci --run -f json").status(0).text();
    let json: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json.len(), 61);
    assert_eq!(json[1]["trace"], "0001 ST 0005 ff 0");
    assert_eq!((&json[60]["verdict"], &json[60]["run"]["compared"]), (&json!("sound"), &json!(60)));

    let text = with_wrong_bit().gray1("probe all.vcd fibonacci --run").status(1).text();
    let difference = "\nfirst differs at instruction 1, `LDI 0xff`: the instruction is LDI 0000, \
                      should be LDI 00ff; CTRL\n  at 0x0000 (built-in:fibonacci.asm:18)\n\nCTRL ";
    assert!(text.contains(difference), "{text}");
}

#[test]
fn a_run_lists_what_is_not_captured() {
    let bench = captured("gray1");
    let dump = String::from_utf8(bench.read("all.vcd")).unwrap();
    let some = ["PHASE.2", "IRH.5", "IRH.6", "IRH.7", "FLAGS.1", "OSC"];
    let names = format_names(&some);
    let bench = bench
        .file("some.vcd", channels(&dump, &some))
        .file("none.vcd", channels(&dump, &some[1..]))
        .file("names", names)
        .file("none", "D4=OSC\n");
    let text = bench.gray1("probe some.vcd fibonacci --run --names names").status(2).text();
    assert!(text.starts_with("---- LDI ---- -- 0\n---- ST ---- -- 0\n"), "{text}");
    assert!(text.contains("\nno instruction can be compared with the program\n"), "{text}");
    for gap in [
        "the position in the program is not known: capture PCL.0-6 PCH.0-6",
        "the whole instruction is not known: capture IRL.0-7 IRH.0-4",
        "A is not known: capture AS.0-7",
        "a reset cannot be distinguished from a wrong jump: capture RST",
    ] {
        assert!(text.lines().any(|line| line == gap), "{gap}\n{text}");
    }
    let text = bench.gray1("probe none.vcd fibonacci --run --names none").status(2).text();
    assert!(text.starts_with("no instruction can be compared with the program\n"), "{text}");
    assert!(text.contains("\nthe instructions cannot be told apart: capture PHASE.2\n"), "{text}");
}

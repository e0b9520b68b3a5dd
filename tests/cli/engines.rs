//! `--engine`, `--board` and `--vcd`: programs run by the chip and timed engines, and on other
//! boards. `programs/panel.rs` shows that all engines execute programs alike.

#[cfg(target_os = "linux")]
use std::process::Command;

use gray1_isa::Op;

use crate::support::{Bench, root, word};
#[cfg(target_os = "linux")]
use crate::support::{are_installed, program, report_skipped};

#[test]
fn without_a_terminal_the_front_end_runs_on_the_machine_that_is_asked_for() {
    let bench = Bench::new().file("first.asm", "LD 0\n ST 0x1fff\n HALT\n");
    let byte = bench.gray1("run first.asm --ram random:7").status(0).out().to_vec();
    assert_ne!(byte, [0], "a byte that is 0 anyway proves nothing");
    bench.gray1("first.asm --ram random:7 --engine chips").status(0).stdout(&byte);
}

/// A hardened system lets no process make memory executable that was written before.
#[cfg(target_os = "linux")]
#[test]
fn the_version_names_native_code_only_where_the_system_allows_it() {
    if !are_installed(&["python3"]) {
        return;
    }
    // PR_SET_MDWE with PR_MDWE_REFUSE_EXEC_GAIN, which later programs inherit.
    let harden = "import ctypes, os, sys\n\
                  if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0): sys.exit(77)\n\
                  os.execv(sys.argv[1], sys.argv[1:])\n";
    let hardened = |arguments: &[&str]| {
        let mut command = Command::new("python3");
        command.args(["-c", harden]).arg(program()).args(arguments).output().unwrap()
    };
    let version = hardened(&["--version"]);
    if version.status.code() == Some(77) {
        return report_skipped("this kernel cannot refuse executable memory");
    }
    let text = String::from_utf8(version.stdout).unwrap();
    assert!(text.contains("no native code here"), "{text}");
    assert_eq!(hardened(&["run", "fibonacci"]).stdout, Bench::new().gray1("run fibonacci").out());
    let text = Bench::new().gray1("--version").text();
    let has_native_code = text.contains("programs run as native code");
    assert_eq!(has_native_code, gray1_sim::has_native_code(), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_run_on_a_board_that_fails() {
    let bench = Bench::new();
    let run = |seed| {
        let options = "run fibonacci --board binary-counter --engine timed --max-instructions 2000";
        let ran = bench.gray1(&format!("{options} --seed {seed} --trace trace"));
        (ran.err(), bench.read("trace"))
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2), "the delays decide where the binary counter goes");
    let good = bench.gray1("run fibonacci --engine timed").status(0);
    bench.gray1("run fibonacci").stdout(good.out());
}

#[test]
fn glitches_follow_from_the_seed() {
    let bench = Bench::new();
    let run = |seed: u32, glitch: u64| {
        let options = "run fibonacci --engine timed --max-instructions 2000 --trace trace";
        let ran = bench.gray1(&format!("{options} --seed {seed} --glitch {glitch}"));
        (ran.err(), bench.read("trace"))
    };
    assert_eq!(run(1, 200), run(1, 200));
    assert_ne!(run(1, 200), run(2, 200), "the seed decides where the board fails");
    let (_, rare) = run(1, u64::MAX);
    bench.gray1("run fibonacci --trace good").status(0);
    assert!(rare == bench.read("good"), "glitches that do not come change nothing");
}

#[test]
fn the_final_leds_are_printed_apart_from_the_output() {
    let source =
        "LDI 0x81\nST 0x1fe0\nLDI 1\nST 0x1fe8\nLDI 'x'\nST 0x1fff\nLDI 2\nST 0x1fef\nHALT\n";
    let bench = Bench::new().file("leds.asm", source);
    let dark = ". . . . . . . .\n".repeat(6);
    for engine in ["instruction", "chips", "timed"] {
        bench
            .gray1(&format!("run leds.asm --leds --engine {engine}"))
            .status(0)
            .stdout("x")
            .stderr(&format!(
                "Y . . . . . . G\n{dark}. R . . . . . .\nhalted at 0x0008 after 9 instructions\n"
            ));
    }
}

#[test]
fn bad_boards_are_refused_with_one_message() {
    let stock = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    for (from, to, message) in [
        ("Board(", "Image(", "b.ron: this describes a program (Image); expected a board (Board)"),
        ("address: [\"OSC\", \"RST\"", "address: [\"OSK\", \"RST\"", "OSK"),
        ("title: \"Gray-1\",", "title: \"Gray-1\"", "b.ron:"),
    ] {
        assert!(stock.contains(from), "{from}");
        let bench = Bench::new().file("b.ron", stock.replacen(from, to, 1));
        let ran = bench.gray1("run queens --engine chips --board b.ron").status(1).stdout("");
        let errors = ran.err().lines().filter(|line| line.starts_with("error: ")).count();
        assert!(errors == 1 && ran.err().contains(message), "{}", ran.err());
    }
}

/// A run that stops before the program's end is not a success.
#[test]
fn a_board_that_gets_stuck_is_an_error() {
    let stock = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let counter = "contents: File(\"stuck.bin\"), does: Counter(";
    let board = stock.replacen("does: Counter(", counter, 1);
    let bench = Bench::new().file("stuck.ron", board).file("stuck.bin", [1; 32]);
    for command in ["run fibonacci --engine chips", "run fibonacci --engine timed"] {
        let ran = bench.gray1(&format!("{command} --board stuck.ron --max-instructions 9"));
        ran.error("the phase does not return to T0 within 64 edges of the oscillator");
    }
}

#[test]
fn a_board_that_fails_keeps_its_trace_and_its_waveform() {
    // Both latches of the accumulator are open in T6 of ADD, so the sum is added repeatedly.
    let (t6, take_a, show) = (4, 1 << 2, 1 << 5);
    let stock = gray1_roms::stock();
    let control = stock.chips().iter().find(|chip| chip.name() == "CTRL").unwrap();
    let strobes = (0..).zip(control.contents()).map(|(address, strobes)| {
        let is_there = address & 7 == t6 && address >> 3 & 7 == Op::Add as u32;
        if is_there { strobes | take_a | show } else { *strobes }
    });
    let text = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let text = text.replacen("does: Control(", "contents: File(\"bad.bin\"), does: Control(", 1);
    let source = " LDI 1\n ST 5\n LDI 2\n ADD 5\n HALT\n";
    let bench = Bench::new().file("p.asm", source).file("bad.ron", text);
    let bench = bench.file("bad.bin", strobes.collect::<Vec<u8>>());
    let run = "run p.asm --board bad.ron --engine chips --trace trace";
    let ran = bench.gray1(&format!("{run} --vcd wires.vcd")).status(1).stdout("");
    let notes =
        "note: trace ends where the board failed\nnote: wires.vcd ends where the board failed\n";
    assert!(ran.err().starts_with(&format!("{notes}error: in phase T6 ")), "{}", ran.err());
    let trace = "0000 LDI 0001 01 0\n0001 ST 0005 01 0\n0002 LDI 0002 02 0\n";
    assert_eq!(bench.read("trace"), trace.as_bytes());
    let dump = String::from_utf8(bench.read("wires.vcd")).unwrap();
    let phases = values(&dump, "PHASE");
    // The edge that fails has no settled levels, so T6 is the last phase: 5 in Gray code.
    assert_eq!((phases.len(), phases.last()), (1 + 7 + 2 * 8 + 6, Some(&5)), "{phases:?}");
    // The run ends before the window begins, so the waveform is empty.
    bench.gray1(&format!("{run} --vcd later.vcd --vcd-window 4..")).status(1);
    assert_eq!(bench.names(), ["bad.bin", "bad.ron", "p.asm", "trace", "wires.vcd"]);
}

/// A waveform can name the instruction and its line, and `gray1 probe` still reads it.
#[test]
fn a_waveform_has_instructions_and_lines_as_strings() {
    let bench = Bench::new().file("p.asm", ".var x\n LDI 1\n ST x\nend: HALT\n");
    for engine in ["chips", "timed"] {
        let run = format!("run p.asm --engine {engine} --vcd w.vcd --vcd-text");
        bench.gray1(&run).status(0);
        let dump = String::from_utf8(bench.read("w.vcd")).unwrap();
        let strings = |name: &str| {
            let declared = dump.lines().find(|it| it.ends_with(&format!(" {name} $end"))).unwrap();
            let code = declared.strip_prefix("$var string 1 ").unwrap().split(' ').next().unwrap();
            let values = dump.lines().filter_map(|line| line.strip_prefix('s')?.split_once(' '));
            let values = values.filter(|(_, of)| *of == code).map(|(text, _)| text);
            values.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(strings("instruction"), "LDI_0x01 ST_x JMP_end JMP_end", "{engine}");
        assert_eq!(strings("line"), "p.asm:2 p.asm:3 p.asm:4 p.asm:4", "{engine}");
        let times: Vec<u64> =
            dump.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
        assert!(times.is_sorted(), "{times:?}");
        let probed = bench.gray1("probe w.vcd p.asm").status(0).text();
        assert!(probed.starts_with("no fault was found in "), "{probed}");
    }
    bench.gray1("run p.asm --vcd-text").status(2);
}

/// The successive values of a vector in a value change dump.
fn values(dump: &str, vector: &str) -> Vec<u32> {
    let declared = dump.lines().find(|line| line.contains(&format!(" {vector} ["))).unwrap();
    let code = declared.split(' ').nth(3).unwrap();
    let values = dump.lines().filter_map(|line| line.strip_prefix('b')?.split_once(' '));
    values
        .filter(|(_, of)| *of == code)
        .map(|(bits, _)| u32::from_str_radix(bits, 2).unwrap())
        .collect()
}

#[test]
fn a_waveform_is_of_the_run_that_its_engine_made() {
    let bench = Bench::new();
    let plain = bench.gray1("run fibonacci");
    let waveform = |engine: &str| {
        bench
            .gray1(&format!("run fibonacci --engine {engine} --vcd w.vcd --vcd-window 100..120"))
            .status(0)
            .stdout(plain.out())
            .stderr(&plain.err());
        String::from_utf8(bench.read("w.vcd")).unwrap()
    };
    let [settled, dump] = ["chips", "timed"].map(waveform);
    for dump in [&settled, &dump] {
        let phases = values(dump, "PHASE");
        let one_by_one = phases.windows(2).all(|two| (two[0] ^ two[1]).is_power_of_two());
        assert!(one_by_one, "the phase counts in Gray code: {phases:?}");
        assert_eq!(phases.len(), 1 + 20 * 8, "twenty instructions of eight phases");
    }
    // With delays, the dump also has the changes between edges. When the opcode latch opens, its
    // wires change one after another, and the arithmetic unit responds to each. Without delays, each
    // bus has one value in each phase.
    let operands_fetched = 2 * 20;
    assert!(values(&dump, "ALUL").len() > operands_fetched);
    assert!(values(&settled, "ALUL").len() <= operands_fetched);
    let times: Vec<u64> =
        dump.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
    assert!(times.is_sorted() && !times.is_empty());
}

/// On this board the binary counter works without delays and fails with them.
#[test]
fn a_waveform_without_delays_shows_what_the_trace_shows() {
    let bench = Bench::new();
    let options = "--board binary-counter --engine chips --max-instructions 30";
    bench.gray1(&format!("run queens {options} --trace t --vcd w.vcd")).status(3);
    let trace = String::from_utf8(bench.read("t")).unwrap();
    let field = |line: &str| u32::from_str_radix(line.split(' ').nth(3).unwrap(), 16).unwrap();
    let mut expected: Vec<u32> = trace.lines().map(field).collect();
    expected.dedup();
    let latches = values(&String::from_utf8(bench.read("w.vcd")).unwrap(), "AS");
    let mut accumulator: Vec<u32> = latches.iter().map(|bits| bits & 0xff).collect();
    accumulator.dedup();
    assert!(accumulator.ends_with(&expected), "{accumulator:?} {expected:?}");
}

/// Button presses given to a run appear on the wires of its waveform, also on those of the buttons
/// themselves, and a good machine stays good for `gray1 probe`.
#[test]
fn a_waveform_shows_presses() {
    let bench = Bench::new().file("keys", "5 left\n60 -\n90 up\n150 -\n");
    for engine in ["chips", "timed"] {
        let run = format!("run snake --board gray1-b --engine {engine} --max-instructions 300");
        bench.gray1(&format!("{run} --buttons keys --vcd w.vcd")).status(3);
        let dump = String::from_utf8(bench.read("w.vcd")).unwrap();
        assert_eq!(values(&dump, "BUTTON"), [0, 4, 0, 1, 0], "{engine}");
        bench.gray1(&format!("{run} --buttons keys --vcd w.vcd --vcd-wires")).status(3);
        bench.gray1("probe w.vcd snake --board gray1-b").status(0);
    }
}

#[test]
fn a_waveform_shows_what_pressed_buttons_do() {
    let source = "loop: LD 0x1ffe\n ST 0x1fff\n JMP loop\n";
    let bench = Bench::new().file("p.asm", source).file("keys", "30 right\n");
    let window = "--max-instructions 60 --vcd w.vcd --vcd-window 10..50";
    let ran = bench.gray1(&format!("run p.asm --engine chips --buttons keys {window}")).status(3);
    let held = u32::from(*ran.out().last().unwrap());
    let dump = String::from_utf8(bench.read("w.vcd")).unwrap();
    let accumulator: Vec<u32> = values(&dump, "AS").iter().map(|bits| bits & 0xff).collect();
    assert!(held != 0 && accumulator.contains(&held), "{held} {accumulator:?}");
}

#[test]
fn a_board_runs_by_name_or_from_its_file_on_the_engine_that_it_needs() {
    let file = root().join("roms/binary-counter.ron");
    let bench = Bench::new();
    let expected = bench.gray1("run fibonacci").status(0);
    for board in ["binary-counter", &word(&file)] {
        let ran = bench.gray1(&format!("run fibonacci --board {board}")).status(0);
        let note =
            "note: running the chips one by one: the board has other chips than the stock board";
        assert_eq!(ran.err().lines().next(), Some(note));
        ran.stdout(expected.out());
    }
}

#[test]
fn a_note_about_the_machine_of_several_cases_is_printed_once() {
    let case = |name| format!("(name: {name:?}, board: \"binary-counter\", steps: [Halts])");
    let cases = format!("Tests(version: 1, cases: [{}, {}])", case("one"), case("two"));
    let bench = Bench::new().file("t.test.ron", cases).file("a.asm", " HALT\n");
    let bench = bench.file("b.asm", " HALT\n");
    let ran = bench.gray1("test --test t.test.ron a.asm b.asm").status(0);
    assert_eq!(ran.err().matches("note: running the chips").count(), 1, "{}", ran.err());
}

#[test]
fn options_of_other_engines_are_refused() {
    let seed = "--seed requires --engine timed";
    let glitch = "--glitch requires --engine timed";
    let bench = Bench::new();
    for (arguments, why) in [
        ("run queens --engine chips --seed 3", seed),
        ("screenshot queens --engine chips --seed 3", seed),
        ("queens --engine chips --seed 3", seed),
        ("run queens --engine chips --glitch 3", glitch),
        ("link queens --glitch 3", glitch),
        ("run fibonacci --vcd w.vcd", "`--vcd` needs `--engine chips` or `timed`"),
    ] {
        bench.gray1(arguments).misuse(why);
    }
    bench.gray1("run queens --engine timed --glitch 0").status(2);
    bench.gray1("run fibonacci --engine chips --vcd-window 1..2").status(2);
    assert!(bench.names().is_empty());
}

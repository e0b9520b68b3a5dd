//! `gray1 check`: its proofs about a board, the clock speed it reports, and its report of a board
//! that can fail.

use crate::support::{Bench, root, word};

#[test]
fn the_stock_board_passes_all_proofs() {
    let ran = Bench::new().gray1("check").status(0).stderr("");
    let report = ran.text();
    let verdicts: Vec<&str> = report
        .lines()
        .take(5)
        .map(|line| if line.contains(" holds ") { "holds" } else { line })
        .collect();
    assert_eq!(verdicts, ["holds"; 5], "{report}");
    for line in report.lines().take(5) {
        let words: Vec<&str> = line.split_whitespace().rev().take(2).collect();
        let ["cases", cases] = words[..] else { panic!("{line}") };
        assert_ne!(cases, "0", "{line}");
    }
    assert!(
        report.contains(
            "assumed: when one address wire changes, an output with the same value before and after \
             does not glitch"
        ),
        "{report}"
    );
    for chip in [
        "PHASE", "CTRL", "PCH", "PCL", "PROG", "IRH", "IRL", "ALUL", "ALUH", "AM", "AS", "FLAGS",
        "BUF", "RAM",
    ] {
        let counted = report.lines().any(|line| line.trim_start().starts_with(&format!("{chip} ")));
        assert!(counted, "{chip} is missing:\n{report}");
    }
    assert!(
        report.contains("an oscillator with equal halves may run at up to 0.467 MHz"),
        "{report}"
    );
}

#[test]
fn a_binary_counter_fails_the_first_proof_with_an_explanation() {
    let board = word(&root().join("roms/binary-counter.ron"));
    let report = Bench::new().gray1(&format!("check --board {board}")).status(1).stderr("").text();
    assert_eq!(report.matches("FAILS").count(), 1, "{report}");
    assert_eq!(report.matches(" holds ").count(), 4, "{report}");
    assert!(report.starts_with("1. counters move one wire at a time"), "{report}");
    assert!(report.contains("T7 -> T0") && report.contains("PCL.0 and PCL.1 move at once"));
}

/// One bit of IRH is wrong, at an address used while the latch is open.
#[test]
fn instructions_are_not_checked_if_a_latch_fails() {
    let gray1 = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let bench = Bench::new();
    bench.gray1("export images -o images").status(0);
    let mut irh = bench.read("images/IRH.bin");
    irh[0x1_0001] ^= 1;
    let (before, after) = gray1.split_once("does: Latches([(enable: \"IRH_EN\"").unwrap();
    let board = [before, "contents: File(\"irh.bin\"), does: Latches([(enable: \"IRH_EN\"", after];
    let bench = bench.file("irh.bin", irh).file("own.ron", board.concat());
    let ran = bench.gray1("check --board own.ron").status(1).stderr("");
    let report = ran.text();
    let last = report.lines().find(|line| line.starts_with("5. ")).unwrap();
    assert!(last.ends_with("  not examined because proof 2 fails"), "{report}");
}

#[test]
fn the_clock_of_a_board_is_checked() {
    let check = |options: &str, status| {
        let ran = Bench::new().gray1(&format!("check --board gray1-b {options}")).status(status);
        ran.text()
    };
    let report = check("", 0);
    assert!(report.contains("\nclock and reset  hold  "), "{report}");
    let speed = "\n  phases of 1085.1 ns, from an oscillator of 1.8432 MHz\n";
    assert!(report.contains(speed), "{report}");
    let filtered = "  PHASE.2  filter   99 ns, reaches PCL      70 ns, settled after   239 ns\n";
    assert!(report.contains(filtered), "{report}");
    // A missing noise margin is a note. It does not make the board fail.
    let levels = "  SST39SF010A to AS6C6264           400 mV      0 mV  no margin on 22 wires\n";
    assert!(report.contains(levels), "{report}");
    let unconfirmed = "not confirmed by a data sheet: AS6C6264, SST39SF010A, SST39SF020A\n";
    assert!(report.ends_with(unconfirmed), "{report}");
    // Each path through this chip takes longer than a phase.
    let report = check("--access PROG=900", 1);
    assert!(report.contains("\nclock and reset  FAIL: the phases are too short  "), "{report}");
}

#[test]
fn invalid_options_are_refused() {
    let bench = Bench::new();
    bench.gray1("check --access NOPE=9").error("the board has no chip called `NOPE`");
    bench.gray1("check --access PCH=0").status(2);
    bench.gray1("check --access PCH").status(2);
    bench.gray1("check --board nothing").error(
        "there is no built-in board called `nothing`, only `gray1`, `gray1-b` and `binary-counter`",
    );
}

/// Checks the stock board with parts that are sold today, at their access times.
#[test]
fn another_part_can_be_tried_without_editing_the_board() {
    let roms = "PHASE CTRL PCH IRH IRL ALUL ALUH AM AS FLAGS BUF";
    let mut options = String::new();
    for chip in roms.split(' ') {
        options.extend([" --part ", chip, "=SST39SF010A"]);
    }
    options.push_str(" --part PCL=SST39SF020A --part PROG=SST39SF010A --part RAM=AS6C6264");
    let ran = Bench::new().gray1(&format!("check{options}")).status(0).stderr("");
    let report = ran.text();
    assert_eq!(report.matches(" holds ").count(), 5, "{report}");
    assert!(report.contains("may run at up to 0.917 MHz\n"), "{report}");
    let bench = Bench::new();
    bench.gray1("check --part PROG").status(2);
    bench.gray1("check --part NOPE=2716").error("gray1: the board has no chip called 'NOPE'");
}

/// A mistake in a board's own part is reported with its place and the expected value.
#[test]
fn a_part_defined_by_the_board_is_checked() {
    let gray1 = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let own = |pin: &str| {
        let part = format!(
            "    parts: [(name: \"T\", kind: Eprom, package: \"DIP-5\", access_ns: 9,\n        \
             pins: [\"A0\", \"O0\", \"nCE\", \"GND\", \"{pin}\"])],\n    chips: ["
        );
        Bench::new().file("own.ron", gray1.replacen("    chips: [", &part, 1))
    };
    let run = "run fibonacci --engine chips --max-instructions 1 --board own.ron";
    own("VCC").gray1(run).status(3);
    let line = 2 + gray1.lines().position(|line| line == "    chips: [").unwrap();
    own("VDD").gray1("check --board own.ron").error(&format!(
        "own.ron:{line}:43: the pin 'VDD': expected NAME or NAME=USE with the use A0, O0, VCC, \
         GND, nCE, nOE, nWE, NC, 1, 0, spare, open, or panel input|output|data NAME"
    ));
}

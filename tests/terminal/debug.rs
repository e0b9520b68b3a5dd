//! The debugger in a real terminal: steps and searches in both directions, breakpoints, time,
//! phases.

use crate::support::terminal::{Setup, Terminal, start};
use crate::support::{Bench, tutorial_program};

/// The binary digits that a chip shows in the picture of the board.
fn shown(terminal: &Terminal, chip: &str) -> String {
    let text = terminal.text();
    let mut lines = text.lines();
    let corner = lines.find_map(|line| {
        let (before, _) = line.split_once(&format!(" {chip} ──"))?;
        Some(before.chars().count() - 1)
    });
    let below = lines.next().unwrap_or_default().chars();
    below.skip(corner.unwrap_or_default() + 1).take(8).collect()
}

/// Follows the section "Why a Gray code?" of docs/DEBUGGER.md, key by key.
#[test]
fn a_binary_counter_fails_at_the_edge_where_two_lines_change() {
    let bench = Bench::new();
    let options = "debug queens --board binary-counter --engine timed --seed 4";
    let mut terminal = Setup::gray1(&bench.path(""), options).size(120, 40).start();
    terminal.wait_for("paused");
    terminal.keys("Bdouble PCL\r");
    terminal.keys("c");
    terminal.wait_for("break double PCL: PCL 01 -> 00: PCL.0 fell, PCL.1 moved 4 times");
    terminal.keys("5");
    terminal.wait_for("[T0]").wait_for("0000 LDI");
    terminal.wait_until("PCL is 0", |terminal| shown(terminal, "PCL") == "00000000");
    terminal.keys("\x1b[B\x1b[B\x1b[B");
    terminal.wait_for("PCL.0 moves; PCL.1 moved 4 times, PCL.2 2 times in this edge (glitches)");
    terminal.keys("P");
    terminal.wait_for("[T7]").wait_for_no("break double PCL");
    terminal.wait_until("PCL is 1", |terminal| shown(terminal, "PCL") == "00000001");
    terminal.keys("p");
    terminal.wait_for("[T0]").wait_for("break double PCL: PCL 01 -> 00");
    terminal.keys("c");
    terminal.wait_for("PCL 01 -> 02").wait_for("0001 ST");
    terminal.keys("c");
    terminal.wait_for("PCL 03 -> 00").wait_for("0000 LDI");
    terminal.keys("C");
    terminal.wait_for("PCL 01 -> 02");
    terminal.keys("C");
    terminal.wait_for("PCL 01 -> 00");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn chosen_lines_of_the_waves_are_remembered() {
    let bench = Bench::new();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused");
    terminal.keys("9");
    terminal.wait_for("that follows the instruction engine").wait_for_no("PCL.3");
    terminal.keys("Lpcl.3\r");
    terminal.wait_for("[x] PCL.3");
    terminal.keys("\x1b");
    terminal.wait_for_no("[x]");
    terminal.keys("xxxxxxxxxxxxxx");
    terminal.wait_for_no("PHASE").wait_for("PCL.3");
    terminal.keys("q");
    terminal.ends_with(0);
    let mut again = start(&bench, "debug queens");
    again.wait_for("paused");
    again.keys("9");
    again.wait_for("PC_LOAD").wait_for("PCL.3").wait_for_no("PHASE");
    again.keys("q");
    again.ends_with(0);
}

/// Follows the section "A bug, and time travel" of docs/TUTORIAL.md, key by key.
#[test]
fn the_bug_of_the_tutorial_is_found_long_before_its_symptom() {
    let heart = tutorial_program("A heart behind a comet");
    let bench = Bench::new().file("heart.asm", &heart);
    let setup = Setup::gray1(&bench.path(""), "debug heart.asm --watch");
    let mut terminal = setup.start();
    terminal.wait_for("paused").wait_for_place("0000", "");
    terminal.keys("Bwrite RED\r");
    terminal.wait_for("break set: write RED");
    terminal.keys("c");
    terminal.wait_for("red row 0: 00 -> 00").wait_for_place("0058", "set  GREEN + row");
    terminal.keys("a[heart]\r");
    terminal.wait_for("watch added: [heart]").wait_for("[heart]  0  0x0");
    terminal.keys("w\r");
    terminal.wait_for("red row 0 is 0x00 because");
    terminal.keys("A\x1b[B\x1b[B");
    terminal.wait_for("at 0x0025 (heart.asm:18), moment");
    terminal.keys("\r");
    terminal
        .wait_for("heart: 66 -> 00 by ST at 0x0025 (heart.asm:18)")
        .wait_for("▸        set  comet + row, 0");
    terminal.keys("\x1b");
    terminal.wait_for("[heart]  0  0x0");
    terminal.keys("S");
    terminal.wait_for("[heart]  102  0x66").wait_for_place("0024", "set  comet + row");
    std::fs::write(bench.path("heart.asm"), heart.replace("repeat 9", "repeat 8")).unwrap();
    terminal.wait_for("assembled again").wait_for_place("0000", "");
    terminal.keys("c");
    terminal.wait_for("red row 0: 00 -> 66");
    terminal.keys("q");
    terminal.ends_with(0);
}

/// Opens the debugger with commands like those that `gray1 diff` prints.
#[test]
fn the_debugger_opens_at_a_moment_of_a_changed_run() {
    let bench = Bench::new();
    let mut terminal = start(&bench, "debug queens --set 5000:excluded+12=0 --at 7429");
    terminal.wait_for("paused").wait_for("7,429").wait_for("built-in:queens.asm");
    // The debugger can step back from there.
    terminal.keys("S");
    terminal.wait_for("7,428");
    terminal.keys("q");
    terminal.ends_with(0);
}

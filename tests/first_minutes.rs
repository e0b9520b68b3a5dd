//! The first minutes of a new user, as one walk in a terminal: watch the search, stop it, go back in
//! time, open a program of the tutorial, make the usual mistakes, debug a routine, change a byte.

mod support;
#[path = "support/terminal.rs"]
mod terminal;

use support::{Bench, tutorial_program};
use terminal::{Setup, Terminal};

/// Calls a routine twice, and prints what it returns.
const TWICE: &str = "
.title \"Twice\"
.pool
.var x
        .call double(#21)
        ST   x
        .call double(x)
        ST   0x1fff
        HALT

.routine double(n) -> result
        LD   n
        ADD  n
        ST   result
        .return
.endroutine
";

/// What a beginner does to the third program of the tutorial, and what is said.
const MISTAKES: [(&str, &str, &str); 5] = [
    ("        LDI  1\n", "start   LDI  1\n", "the label `start` has no colon"),
    (".include \"lib/panel.asm\"\n", "", "`lib/panel.asm` defines `GREEN`"),
    ("LDI  1", "LDI  $01", "a hexadecimal number starts with `0x`"),
    (".var bit", ".equ bit, 9\n.var no_bit", "unknown directive `.equ`"),
    ("double bit, bit", "doubel bit, bit", "did you mean `double`?"),
];

fn bench() -> Bench {
    let third = tutorial_program("Diagonals");
    let good = Bench::new().file("diagonals.asm", &third).file("twice.asm", TWICE);
    (1..).zip(MISTAKES).fold(good, |bench, (n, (old, new, _))| {
        assert!(third.contains(old), "the tutorial has {old:?}");
        bench.file(&format!("mistake{n}.asm"), third.replacen(old, new, 1))
    })
}

fn open(terminal: &mut Terminal, name: &str) {
    terminal.keys("o");
    terminal.wait_for("open a program");
    terminal.keys(name);
    terminal.wait_for(&format!("> {name}"));
    terminal.keys("\r");
}

#[test]
fn the_first_minutes_at_80x24() {
    walk(80, 24, false);
}

#[test]
fn the_first_minutes_at_120x40() {
    walk(120, 40, false);
}

#[test]
fn the_first_minutes_at_200x60_on_a_light_background() {
    walk(200, 60, true);
}

fn walk(columns: u16, rows: u16, is_light: bool) {
    let bench = bench();
    let mut terminal = Setup::gray1(&bench.path(""), "").size(columns, rows).start();
    if is_light {
        terminal.keys("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?1;2c");
    }
    // Its caption says what it does.
    terminal.wait_for("Show the free squares");
    // The first arrangement comes by itself, and stands for a moment. Stop there.
    terminal.wait_for("Eight queens").wait_for("running").wait_for("─ 15863724 ─");
    terminal.keys(" ");
    terminal.wait_for("paused");
    // One instruction back, and to the one that excluded squares of row 1.
    terminal.keys("2S");
    terminal.wait_for("built-in:queens.asm");
    terminal.keys("wexcluded + 9\r");
    terminal.wait_for("excluded+9: ").wait_for("queens.asm:");
    terminal.keys("J");
    terminal.wait_for_no("excluded+9: ");

    // The tutorial's third program stays paused, since this one was; then it runs.
    open(&mut terminal, "diagonals.asm");
    terminal.wait_for("Diagonals").wait_for("paused");
    terminal.keys("1 ");
    terminal.wait_for("halted");
    for (n, (_, _, message)) in (1..).zip(MISTAKES) {
        open(&mut terminal, &format!("mistake{n}.asm"));
        terminal.wait_for(message);
        // Back to the dialog, and out of it.
        terminal.keys("\x1b");
        terminal.wait_for_no(message).wait_for("open a program");
        terminal.keys("\x1b");
        terminal.wait_for_no("open a program");
    }

    // A routine: over the first call of it, and to a break inside in the second one.
    open(&mut terminal, "twice.asm");
    terminal.wait_for("Twice").wait_for("halted");
    terminal.keys("2g0\r");
    terminal.wait_for_place("0000", ".call double(#21)");
    terminal.keys("k");
    terminal.wait_for_place("0006", "ST   x");
    terminal.keys("Bdouble + 1\r");
    terminal.wait_for("break set: double + 1");
    terminal.keys("c");
    terminal.wait_for("break double + 1");
    // Another number in its place, from here on.
    terminal.keys("4v\x15double.n = 30\r");
    terminal.wait_for("double.n = 1e");
    terminal.keys(" ");
    terminal.wait_for("halted");
    terminal.keys("6");
    terminal.wait_for("│H");
    terminal.keys("q");
    terminal.ends_with(0);
}

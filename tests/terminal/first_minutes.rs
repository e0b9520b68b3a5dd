//! The first minutes of a new user, as one walk in one window: watch the search, stop it, go to the
//! next solution, back in time, open a program of the tutorial, make the usual mistakes, debug a
//! routine, change a byte, edit the source, solve a lesson.

use crate::support::terminal::{Setup, Terminal, editor};
use crate::support::{Bench, tutorial_program};

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
fn the_first_minutes_at_200x60_on_a_light_background() {
    walk(200, 60, true);
}

fn walk(columns: u16, rows: u16, is_light: bool) {
    let bench = bench();
    let shell = Setup::shell(&bench.path("")).env("VISUAL", &editor(&bench.path("")));
    let mut terminal = shell.size(columns, rows).start();
    terminal.wait_for("ready> ");
    terminal.keys("gray1\r");
    if is_light {
        // Its answer to the question for its background.
        terminal.wait_until("front end", |it| it.look(vt100::Screen::alternate_screen));
        terminal.keys("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?1;2c");
        let corner = |screen: &vt100::Screen| screen.cell(0, 0).unwrap().bgcolor();
        let white = vt100::Color::Rgb(255, 255, 255);
        terminal.wait_until("light background", |it| it.look(corner) == white);
    }
    find_solutions(&mut terminal);
    make_mistakes(&mut terminal);
    debug_a_routine(&mut terminal);
    edit_a_routine(&mut terminal);
    terminal.keys("q");
    terminal.wait_for_shell();
    solve_a_lesson(&mut terminal);
    terminal.keys("exit\r");
    terminal.ends_with(0);
}

fn find_solutions(terminal: &mut Terminal) {
    // Its caption says what it does.
    terminal.wait_for("Show the free squares");
    terminal.wait_for("Eight queens").wait_for("running");
    terminal.keys("]");
    terminal.wait_for("─ 15863724 ─");
    terminal.wait_for("paused");
    // The next one comes at once, and the first one again.
    terminal.wait_for("] next solution").wait_for("[ previous solution");
    terminal.keys("]");
    terminal.wait_for("─ 16837425 ─");
    terminal.keys("[");
    terminal.wait_for("─ 15863724 ─").wait_for("paused");
    // One instruction back, and to the one that excluded squares of row 1.
    terminal.keys("2S");
    terminal.wait_for("built-in:queens.asm");
    terminal.keys("wexcluded + 9\r");
    // Its story begins with the store.
    terminal.wait_for("excluded+9 is 0x03: ST excluded+9");
    terminal.keys("\r");
    terminal.wait_for_no("╭ why").wait_for("excluded+9: 00 -> 03 by ST");
    terminal.keys("J");
    terminal.wait_for_no("excluded+9: 00 -> 03");
}

fn make_mistakes(terminal: &mut Terminal) {
    // The tutorial's third program stays paused, since this one was; then it runs.
    open(terminal, "diagonals.asm");
    terminal.wait_for("Diagonals").wait_for("paused");
    terminal.keys("1 ");
    terminal.wait_for("halted");
    for (n, (_, _, message)) in (1..).zip(MISTAKES) {
        open(terminal, &format!("mistake{n}.asm"));
        terminal.wait_for(message);
        // Back to the dialog, and out of it.
        terminal.keys("\x1b");
        terminal.wait_for_no(message).wait_for("open a program");
        terminal.keys("\x1b");
        terminal.wait_for_no("open a program");
    }
}

/// Over the first call of it, and to a break inside in the second one.
fn debug_a_routine(terminal: &mut Terminal) {
    open(terminal, "twice.asm");
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
}

/// It adds one, from now on.
fn edit_a_routine(terminal: &mut Terminal) {
    terminal.keys("2g:16\r");
    terminal.wait_for("v edit");
    terminal.keys("v");
    terminal.wait_for("asked: -x +16 ./twice.asm");
    terminal.keys("s/ADD  n/ADD  #1/\r");
    terminal.wait_for("assembled again").wait_for("ADD  #1");
}

fn solve_a_lesson(terminal: &mut Terminal) {
    terminal.keys("gray1 learn\r");
    terminal.wait_for("e edit");
    terminal.keys("e");
    terminal.wait_for("asked: -x ./gray1-lessons/01-first-led.asm");
    terminal.keys("s/LDI  0/LDI  1/\r");
    terminal.wait_for("Solved: ").wait_for("n next");
    terminal.keys("q");
    terminal.wait_for_shell();
}

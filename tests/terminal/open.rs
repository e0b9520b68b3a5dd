//! The dialog that opens programs, in a real terminal: files, folders, and errors.

use crate::support::Bench;
use crate::support::terminal::Setup;

fn bench() -> Bench {
    Bench::new()
        .file("blink.asm", "again: LDI 1\n ST 0x1fe8\n LDI 0\n ST 0x1fe8\n JMP again\n")
        .file("lights.asm", ".title \"All the lights\"\n LDI 5\n ST 0x1fe8\n HALT\n")
        .file("bad.asm", "start: FLY away\n")
}

#[test]
fn another_program_can_be_opened_and_a_bad_one_is_reported() {
    let bench = bench();
    let mut terminal = Setup::gray1(&bench.path(""), "blink.asm").start();
    terminal.wait_for("running");
    terminal.keys("o");
    terminal.wait_for("open a program").wait_for("A 64-bit counter in green LEDs");
    // The files of the folder, with their titles.
    terminal.wait_for("lights.asm  ").wait_for("All the lights");
    terminal.keys("bad.asm");
    terminal.wait_for("bad.asm: 1 error; enter shows it");
    terminal.keys("\r");
    terminal.wait_for("cannot open bad.asm").wait_for("bad.asm:1:8");
    terminal.keys("\x1b");
    terminal.wait_for_no("cannot open");
    // ctrl-U empties the line.
    terminal.keys("\x15./nothing");
    terminal.wait_for("./nothing: no such file");
    terminal.keys("\r");
    terminal.wait_for("cannot open ./nothing");
    terminal.keys("\x1b");
    terminal.wait_for_no("cannot open");
    // Tab completes a path.
    terminal.keys("\x15./li");
    terminal.wait_for("./lights.asm");
    terminal.keys("\t");
    terminal.wait_for("> ./lights.asm").wait_for("enter opens ./lights.asm: All the lights");
    terminal.keys("\r");
    terminal.wait_for("All the lights").wait_for("halted");
    terminal.keys("oque\r");
    terminal.wait_for("Eight queens by forward checking").wait_for("running");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn in_a_large_folder_a_program_is_found_by_its_title() {
    let source = |n| format!(".title \"Ball number {n}\"\n HALT\n");
    let files = (0..60).map(|n| (format!("prog_{n}.asm"), source(n)));
    let bench = files.fold(Bench::new(), |bench, (name, text)| bench.file(&name, text));
    let mut terminal = Setup::gray1(&bench.path(""), "queens").start();
    terminal.wait_for("running");
    terminal.keys("onumber 57");
    terminal.wait_for("enter opens prog_57.asm: Ball number 57").wait_for(" 1 of ");
    // Up from the first entry goes to the last one.
    terminal.keys("\x15\x1b[A");
    terminal.wait_for("enter opens snake: Snake");
    terminal.keys("\x1b");
    terminal.wait_for_no("open a program");
    terminal.keys("q");
    terminal.ends_with(0);
}

/// Breakpoints belong to a program, however it is opened.
#[test]
fn each_program_has_its_own_breakpoints() {
    let bench = bench();
    let folder = bench.path("");
    let start = || Setup::gray1(&folder, "debug blink.asm").plain().start();
    let mut terminal = start();
    terminal.wait_for("paused");
    terminal.keys("Bagain + 2\r");
    terminal.wait_for("break set: again + 2");
    terminal.keys("8");
    terminal.wait_for(" again + 2 ");
    // The program has an error, so the old one stays.
    terminal.keys("obad.asm\r");
    terminal.wait_for("cannot open bad.asm");
    terminal.keys("\x1b");
    terminal.wait_for_no("cannot open");
    terminal.keys("\x1b");
    terminal.wait_for_no("open a program").wait_for(" again + 2 ");
    // Opens the same program again.
    terminal.keys("oblink.asm\r");
    terminal.wait_for_no("open a program").wait_for(" again + 2 ");
    // Opens another program, then the first one again.
    terminal.keys("olights.asm\r");
    terminal.wait_for("All the lights").wait_for_no(" again + 2 ");
    terminal.keys("q");
    terminal.ends_with(0);
    // Breakpoints also survive a restart of the front end.
    let mut terminal = start();
    terminal.wait_for("paused");
    terminal.keys("8");
    terminal.wait_for(" again + 2 ");
    terminal.keys("q");
    terminal.ends_with(0);
}

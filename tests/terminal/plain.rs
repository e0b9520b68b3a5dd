//! The debugger without a screen in a real terminal: its prompt, its repeats and ctrl-C.

use rustix::process::Signal;

use crate::support::Bench;
use crate::support::terminal::{BLINK, LIGHTS, Setup, Terminal};

fn bench() -> Bench {
    Bench::new().file("blink.asm", BLINK).file("lights.asm", LIGHTS)
}

/// The debugger on a terminal that can only print.
fn dumb(bench: &Bench, arguments: &str) -> Terminal {
    let terminal = Setup::gray1(&bench.path(""), arguments).env("TERM", "dumb").start();
    terminal.wait_for("\n>");
    terminal
}

#[test]
fn an_empty_line_repeats_a_step_and_an_error_keeps_the_session() {
    let mut terminal = dumb(&bench(), "debug lights.asm");
    terminal.wait_for("Next is line 3, LDI 5.");
    terminal.keys("step\r");
    terminal.wait_for("Line 3, LDI 5. A is 5.\n>");
    terminal.keys("\r");
    terminal.wait_for("Line 4, ST red row 0. LED row 0, columns 0 and 2 turned red.\n>");
    terminal.keys("stpe\r");
    terminal.wait_for("Error: no command `stpe`; did you mean `step`?\n>");
    // An error is not repeated, and neither is the step before it.
    terminal.keys("\rstep\r");
    terminal.wait_for("Line 5, LDI 6. A is 6.\n>");
    terminal.keys("where\r");
    terminal.wait_for("Moment 3. Next is line 6").wait_for("\n>");
    assert!(!terminal.is_escaped(), "{}", terminal.text());
    // The end of the input.
    terminal.keys("\x04");
    terminal.ends_with(0);
}

#[test]
fn ctrl_c_interrupts_a_run_and_keeps_the_session() {
    let mut terminal = dumb(&bench(), "debug blink.asm");
    terminal.keys("continue\r");
    terminal.wait_for("> continue");
    terminal.wait_for("Still working. Ctrl-C interrupts.");
    terminal.keys("\x03");
    terminal.wait_for("Interrupted.");
    terminal.keys("go 5\r");
    terminal.wait_for("Moment 5.");
    // Without a run, it discards the line that is being typed.
    terminal.keys("ste\x03");
    terminal.wait_until("another prompt", |it| it.text().trim_end().ends_with("\n>"));
    terminal.keys("step\r");
    terminal.wait_for("Line 7, LDI 0. A is 0.");
    assert!(!terminal.is_escaped(), "{}", terminal.text());
    terminal.keys("q\r");
    terminal.ends_with(0);
}

#[test]
fn a_signal_that_asks_to_end_ends_a_run() {
    let mut terminal = dumb(&bench(), "debug blink.asm");
    terminal.keys("continue\r");
    terminal.wait_for("> continue");
    terminal.signal(Signal::TERM);
    terminal.ends_with(143);
}

#[test]
fn the_plain_debugger_is_chosen_by_the_environment_or_a_pipe() {
    let bench = bench();
    let mut terminal =
        Setup::gray1(&bench.path(""), "debug lights.asm").env("GRAY1_PLAIN", "1").start();
    terminal.wait_for("Debugging lights.asm").wait_for("\n>");
    terminal.keys("quit\r");
    assert!(!terminal.is_escaped(), "{}", terminal.text());
    terminal.ends_with(0);
    let mut terminal = Setup::shell(&bench.path("")).start();
    terminal.wait_for_shell();
    terminal.keys("gray1 debug lights.asm | cat\r");
    terminal.wait_for("Next is line 3, LDI 5.\nType help for the commands.\n>");
    terminal.keys("led\r");
    terminal.wait_for("LED row 0, columns 0 and 2 turned red. Line 4.\n>");
    assert!(!terminal.is_escaped(), "{}", terminal.text());
    terminal.keys("quit\r");
    terminal.wait_for_shell();
    terminal.keys("exit\r");
    terminal.ends_with(0);
}

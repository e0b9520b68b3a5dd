//! The terminal is restored however the front end ends or is stopped.

use std::time::Duration;

use rustix::process::Signal;

use crate::support::Bench;
use crate::support::terminal::{BLINK, LIGHTS, Setup, Terminal, start};

fn bench() -> Bench {
    Bench::new().file("lights.asm", LIGHTS).file("blink.asm", BLINK)
}

#[test]
fn the_terminal_is_restored_after_each_signal() {
    let bench = bench();
    for (signal, status) in [
        (Signal::INT, 130),
        (Signal::TERM, 143),
        (Signal::HUP, 129),
        (Signal::ABORT, 134),
        (Signal::USR1, 138),
        (Signal::XCPU, 152),
        #[cfg(target_os = "linux")]
        (Signal::POWER, 158),
    ] {
        let terminal = start(&bench, "blink.asm");
        terminal.wait_for("running");
        assert!(!terminal.is_restored());
        terminal.signal(signal);
        assert_eq!(terminal.ends_with(status).trim(), "");
    }
}

#[test]
fn the_terminal_is_restored_after_ctrl_c_even_in_a_dialog() {
    let bench = bench();
    for keys in ["\x03", "o\x03", "?\x03"] {
        let mut terminal = start(&bench, "blink.asm");
        terminal.wait_for("running");
        terminal.keys(keys);
        terminal.ends_with(130);
    }
}

/// Keys typed before ctrl-C may take minutes to process, so ctrl-C skips them.
#[test]
fn ctrl_c_does_not_wait_for_earlier_keys() {
    let bench = bench();
    for before in ["o", ""] {
        let mut terminal = start(&bench, "queens");
        terminal.wait_for("running");
        terminal.keys(&format!("{before}{}\x03", "S".repeat(20_000)));
        terminal.ends_with(130);
    }
}

/// Release builds ignore `GRAY1_TEST_PANIC`.
#[cfg(debug_assertions)]
#[test]
fn the_terminal_is_restored_before_a_panic_message() {
    let bench = bench();
    let start =
        |place| Setup::gray1(&bench.path(""), "blink.asm").env("GRAY1_TEST_PANIC", place).start();
    for (place, key) in [("screen", "s"), ("machine", "s"), ("previews", "o")] {
        let mut terminal = start(place);
        terminal.wait_for("running");
        terminal.keys(key);
        let left = terminal.ends_with(101);
        assert!(left.contains("GRAY1_TEST_PANIC asked for"), "{left}");
        assert!(!left.contains("Blink"), "{left}");
    }
    // The program panics in the middle of a frame. If `GRAY1_TEST_PANIC` names a place that does
    // not exist, it does not panic.
    let left = start("frame").ends_with(101);
    assert!(left.contains("GRAY1_TEST_PANIC asked for"), "{left}");
    let mut terminal = start("elsewhere");
    terminal.wait_for("running");
    terminal.keys("s");
    terminal.wait_for("paused");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn ctrl_z_stops_the_job_and_fg_brings_it_back() {
    let bench = bench();
    let mut terminal = Setup::shell(&bench.path("")).start();
    terminal.wait_for("ready> ");
    terminal.record_settings();
    terminal.keys("gray1 blink.asm\r");
    for by_key in [true, false, true] {
        terminal.wait_for("running").wait_for("Blink");
        assert!(!terminal.is_restored());
        if by_key {
            terminal.keys("\x1a");
        } else {
            terminal.signal_foreground(Signal::TSTP);
        }
        terminal.wait_until("restored terminal", Terminal::is_restored);
        terminal.wait_for("Stopped").wait_for_shell();
        terminal.keys("fg\r");
    }
    terminal.wait_for("running");
    terminal.keys("q");
    terminal.wait_until("restored terminal", Terminal::is_restored);
    // Until the program has ended, it might read keys typed for the shell.
    terminal.wait_for_shell();
    terminal.keys("echo status $?\r");
    terminal.wait_for("status 0");
    terminal.keys("exit 0\r");
    terminal.ends_with(0);
}

/// `ssh -t host 'gray1 x; y'` and scripts in containers run shells without job control. If ctrl-Z
/// stopped such a shell, it could not be continued.
#[test]
fn ctrl_z_does_not_stop_a_shell_that_cannot_be_continued() {
    let bench = bench();
    let start = |line: &str| {
        let terminal = Setup::shell_with("sh", &["-c", line], &bench.path("")).start();
        terminal.wait_for("running");
        terminal
    };
    for line in ["gray1 blink.asm; echo left", "sh -c 'gray1 blink.asm; :'; echo left"] {
        let mut terminal = start(line);
        terminal.keys("\x1a");
        terminal.wait_for("no shell to return to");
        terminal.signal_foreground(Signal::TSTP);
        terminal.keys("s");
        terminal.wait_for("paused");
        terminal.keys("q");
        assert!(terminal.ends_with(0).contains("left"));
    }
    // A shell with job control that runs inside such a shell can stop and continue its jobs.
    let mut terminal =
        Setup::shell_with("sh", &["-c", "sh -i; echo left"], &bench.path("")).start();
    terminal.wait_for_shell();
    terminal.keys("gray1 blink.asm\r");
    terminal.wait_for("running");
    terminal.keys("\x1a");
    terminal.wait_for("Stopped").wait_for_shell();
    terminal.keys("fg\r");
    terminal.wait_for("running");
    terminal.keys("q");
    terminal.wait_for_shell();
    terminal.keys("exit\r");
    terminal.wait_for("left");
    terminal.ends_with(0);
}

#[test]
fn the_screen_is_redrawn_after_a_stop_by_another_process() {
    let bench = bench();
    let mut terminal = start(&bench, "lights.asm");
    terminal.wait_for("halted at");
    terminal.signal(Signal::STOP);
    // Meanwhile another program uses the terminal.
    terminal.overwrite("\x1b[m\x1b[2J\x1b[1;1Hother text");
    terminal.signal(Signal::CONT);
    terminal.wait_for_no("other text").wait_for("halted at").wait_for("0  R   G   Y");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn a_terminal_that_closes_ends_the_program() {
    let bench = bench();
    let mut terminal = start(&bench, "blink.asm");
    terminal.wait_for("running");
    terminal.stop_reading();
    assert_eq!(terminal.close(), 129);
}

/// A shell that ignores the hang-up does not pass it on to the program.
#[test]
fn a_terminal_that_closes_is_noticed_without_a_signal() {
    let bench = bench();
    let start = |program| {
        let script = format!("trap '' HUP; gray1 {program}; exit $?");
        Setup::shell_with("sh", &["-c", &script], &bench.path(""))
    };
    // The last frame has been written and the program is idle.
    let mut terminal = start("debug blink.asm").start();
    terminal.wait_for("paused");
    terminal.stop_reading();
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(terminal.close(), 129);
    // In the middle of a frame.
    let mut terminal = start("blink.asm").size(250, 80).start();
    terminal.wait_for("running");
    terminal.fill();
    assert_eq!(terminal.close(), 129);
}

#[test]
fn a_second_signal_leaves_a_blocked_terminal() {
    let bench = bench();
    let setup = Setup::gray1(&bench.path(""), "blink.asm").size(250, 80);
    let mut terminal = setup.start();
    terminal.wait_for("running");
    terminal.fill();
    let (status, signals) = terminal.signal_until_end(Signal::TERM);
    assert_eq!(status, 143);
    assert!(signals > 1, "the screen did not hang: this test shows nothing");
}

/// A long command without a screen shows that it works, and ctrl-C ends it.
#[test]
fn long_commands_show_progress_until_ctrl_c() {
    let lines: Vec<String> = (0..150_000).map(|n| format!("X{n} = {n} + 1\n")).collect();
    let steps = "RunTo(\"when moment == 9000000\")";
    let tests = format!("Tests(version: 1, cases: [(name: \"c\", steps: [{steps}])])");
    let bench = Bench::new()
        .file("huge.asm", lines.concat())
        .file("long.asm", "again: LDI 1\n JMP again\n")
        .file("long.test.ron", tests);
    for (command, progress, last) in [
        ("asm huge.asm", "huge.asm: assembling", ""),
        ("test --mistakes", "long.asm: mistakes in ", "the search for mistakes was interrupted"),
    ] {
        let mut terminal = Setup::gray1(&bench.path(""), command).start();
        terminal.wait_for(progress);
        terminal.keys("\x03");
        let left = terminal.ends_with(130);
        assert!(left.contains(last), "{left}");
    }
}

//! Unusual terminals and keyboards: late answers, other key encodings, unknown sizes, wide lines,
//! pasted text, non-blocking mode.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use crate::support::terminal::{LIGHTS, Setup, Terminal, start};
use crate::support::{Bench, program};

/// Shows the held buttons in green in the first row.
const MIRROR: &str = "again: LD 0x1ffe\n ST 0x1fe0\n JMP again\n";

const MS: Duration = Duration::from_millis(1);

fn bench() -> Bench {
    Bench::new().file("mirror.asm", MIRROR).file("lights.asm", LIGHTS)
}

#[track_caller]
fn quit(mut terminal: Terminal) {
    terminal.keys("q");
    terminal.ends_with(0);
}

// ---- Buttons

#[test]
fn a_button_is_held_as_long_as_its_key_if_the_terminal_reports_releases() {
    let bench = bench();
    let setup = Setup::gray1(&bench.path(""), "mirror.asm").plain();
    let mut terminal = setup.answers("\x1b[?0u", Duration::ZERO).start();
    terminal.wait_for("i buttons");
    terminal.keys("i");
    terminal.wait_for("none held");
    // The answer arrives right after the key.
    thread::sleep(200 * MS);
    terminal.keys("\x1b[1;1:1D");
    terminal.wait_for("buttons left");
    thread::sleep(500 * MS);
    terminal.keys("\x1b[1;1:1C");
    terminal.wait_for("buttons left+right");
    terminal.keys("\x1b[1;1:3D");
    terminal.wait_until("right alone", |terminal| terminal.text().contains("buttons right"));
    // Disabling key releases also releases all buttons.
    terminal.keys("\x1b[27u");
    terminal.wait_for_no("esc back").wait_for_no("buttons right");
    quit(terminal);
}

// ---- Answers

#[test]
fn late_answers_do_not_reach_the_next_program() {
    let bench = bench();
    let late = "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\";
    for (keys, command) in [("q", ""), ("\x1a", "kill %1\r"), ("v", "")] {
        let setup = Setup::shell(&bench.path("")).answers(late, 500 * MS);
        let editor = "cat > typed.txt < /dev/tty & sleep 1; kill $!; :";
        let mut terminal = setup.env("VISUAL", editor).start();
        terminal.wait_for_shell();
        terminal.keys("gray1 debug mirror.asm\r");
        terminal.wait_for("paused");
        terminal.keys(keys);
        if keys == "v" {
            thread::sleep(2000 * MS);
            terminal.wait_for("paused");
            terminal.keys("q");
        }
        terminal.wait_for_shell();
        thread::sleep(700 * MS);
        let text = terminal.text();
        assert!(!text.contains("rgb") && !text.contains("62"), "{keys:?}: {text}");
        terminal.keys(&format!("{command}exit 0\r"));
        if command.is_empty() {
            terminal.ends_with(0);
        }
    }
}

#[test]
fn the_terminal_is_not_asked_what_an_option_or_the_locale_says() {
    let bench = bench();
    // All answers have arrived, so the exit does not wait for them.
    let setup = Setup::gray1(&bench.path(""), "debug mirror.asm --theme dark").env("LC_ALL", "C");
    let mut terminal = setup.answers("", 20_000 * MS).start();
    terminal.wait_for("paused");
    let start = std::time::Instant::now();
    terminal.keys("q");
    terminal.ends_with(0);
    assert!(start.elapsed() < 1500 * MS, "{:?}", start.elapsed());
}

#[test]
fn lines_are_ascii_if_the_font_draws_them_two_columns_wide() {
    let bench = bench();
    for (answer, is_wide) in [("\x1b[1;3R", true), ("\x1b[1;2R", false)] {
        let setup = Setup::gray1(&bench.path(""), "debug mirror.asm");
        let terminal = setup.answers(answer, Duration::ZERO).start();
        terminal.wait_for("paused");
        terminal.wait_until("lines", |terminal| terminal.text().contains('─') != is_wide);
        assert_eq!(terminal.text().is_ascii(), is_wide, "{}", terminal.text());
        quit(terminal);
    }
}

// ---- Keys

#[test]
fn pasted_text_is_not_taken_for_keys() {
    let bench = bench();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused");
    terminal.keys("\x1b[200~quit now\rs\x1b[201~");
    terminal.wait_for("you can paste only into a text box");
    assert!(terminal.text().contains("count 0"));
    terminal.keys("B");
    terminal.wait_for("break at");
    // Pastes slowly, as over a bad line.
    terminal.keys("\x1b[200~write N\rif A");
    thread::sleep(200 * MS);
    terminal.keys(" > 3\rq\x1b[201~");
    terminal.wait_for("> write N if A > 3 q");
    terminal.keys("\x7f\x7f\r");
    terminal.wait_for("break set: write N if A > 3");
    quit(terminal);
}

// ---- The terminal

#[test]
fn a_non_blocking_terminal_is_set_to_block() {
    let bench = bench();
    let setup = Setup::gray1(&bench.path(""), "queens").plain().size(200, 60);
    let mut terminal = setup.nonblocking().start();
    terminal.wait_for("space ");
    thread::sleep(500 * MS);
    terminal.keys("?");
    terminal.wait_for("type a word or a key");
    terminal.keys("\x1b");
    terminal.wait_for_no("type a word or a key");
    quit(terminal);
}

#[test]
fn a_non_blocking_pipe_gets_all_output() {
    let bench = bench();
    for arguments in [&["show", "queens.asm"][..], &["run", "life", "--trace", "-"]] {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let flags = fcntl_getfl(&writer).unwrap();
        fcntl_setfl(&writer, flags | OFlags::NONBLOCK).unwrap();
        let mut command = Command::new(program());
        command.args(arguments).args(if arguments[0] == "run" {
            &["--max-instructions", "20000"][..]
        } else {
            &[]
        });
        command.current_dir(bench.path("")).stderr(Stdio::null());
        let whole = command.output().unwrap().stdout;
        let mut child = command.stdout(writer).spawn().unwrap();
        drop(command);
        thread::sleep(300 * MS);
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        child.wait().unwrap();
        assert_eq!(read.len(), whole.len(), "{arguments:?}");
    }
}

#[test]
fn a_terminal_that_does_not_know_its_size_has_80_columns() {
    let bench = bench();
    let setup = || Setup::gray1(&bench.path(""), "debug mirror.asm").plain();
    for (setup, columns) in
        [(setup().size(0, 0), 80), (setup().size(0, 24).env("COLUMNS", "70"), 70)]
    {
        let terminal = setup.start();
        terminal.wait_for("paused").wait_for("q quit");
        let width = terminal.text().lines().map(|line| line.chars().count()).max();
        assert_eq!(width, Some(columns));
        quit(terminal);
    }
    // The size that arrives later equals the one that was assumed.
    let mut terminal = setup().size(0, 24).start();
    terminal.wait_for("q quit");
    terminal.blank();
    terminal.resize(80, 24);
    terminal.wait_for("q quit");
    quit(terminal);
}

#[test]
fn an_editor_may_leave_the_terminal_in_any_mode() {
    let bench = bench();
    let setup = Setup::gray1(&bench.path(""), "debug mirror.asm");
    let mut terminal = setup.plain().env("VISUAL", "stty raw -echo; :").start();
    terminal.wait_for("paused");
    terminal.keys("v");
    thread::sleep(500 * MS);
    terminal.keys("s");
    terminal.wait_for("count 1");
    // `quit` checks that the settings are restored.
    quit(terminal);
}

#[test]
fn a_piped_standard_input_is_explained() {
    let bench = bench();
    let mut terminal = Setup::shell(&bench.path("")).plain().start();
    terminal.wait_for_shell();
    terminal.keys("gray1 lights.asm < /dev/null\r");
    terminal.wait_for("standard input is not a terminal, so the front end cannot read keys");
    terminal.wait_for("halted at 0x0008").wait_for_shell();
    terminal.keys("clear; gray1 debug lights.asm < /dev/null\r");
    terminal.wait_for("Debugging lights.asm").wait_for("Next is line 3, LDI 5.");
    terminal.wait_for_shell();
    // A program read from standard input leaves the terminal for the keys.
    terminal.keys("clear; gray1 debug - < lights.asm\r");
    terminal.wait_for("paused");
    terminal.keys("s");
    terminal.wait_for("count 1");
    terminal.keys("q");
    terminal.wait_for_shell();
    terminal.keys("exit\r");
    terminal.wait_until("end", Terminal::has_ended);
}

#[test]
fn the_mouse_can_be_left_to_the_terminal() {
    let bench = bench();
    let silent = vt100::MouseProtocolMode::None;
    for (option, is_silent) in [(" --mouse off", true), ("", true), (" --mouse on", false)] {
        let terminal = start(&bench, &format!("debug mirror.asm{option}"));
        terminal.wait_for("paused");
        assert_eq!(
            terminal.inspect(|it| it.mouse_protocol_mode() == silent),
            is_silent,
            "{option}"
        );
        quit(terminal);
    }
}

#[test]
fn the_cursor_is_where_text_is_typed() {
    let bench = bench();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused");
    assert!(terminal.inspect(vt100::Screen::hide_cursor));
    for (key, title) in [("B", "break at"), ("o", "open a program"), (":", "type a word")] {
        terminal.keys(key);
        terminal.wait_for(title);
        terminal.keys("ab");
        terminal.wait_for("> ab");
        terminal.wait_until("cursor behind the text", |terminal| {
            terminal.inspect(|screen| {
                let (row, column) = screen.cursor_position();
                let line = screen.rows(0, column).nth(usize::from(row)).unwrap_or_default();
                !screen.hide_cursor() && line.ends_with("> ab")
            })
        });
        terminal.keys("\x1b");
        terminal
            .wait_for_no("> ab")
            .wait_until("no cursor", |terminal| terminal.inspect(vt100::Screen::hide_cursor));
    }
    quit(terminal);
}

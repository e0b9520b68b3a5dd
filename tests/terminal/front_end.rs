//! The terminal front end in a real terminal: keys, the mouse, colours, sizes, saved settings.

use std::time::Duration;

use rustix::process::Signal;
use vt100::Color;

use crate::support::Bench;
use crate::support::terminal::{BLINK, LIGHTS, Setup, Terminal, count, editor, start};

/// Does not light any LED and does not end.
const DARK: &str = "again: ST 0\n JMP again\n";

/// Shows the held buttons in green in the first row.
const MIRROR: &str = "again: LD 0x1ffe\n ST 0x1fe0\n JMP again\n";

/// The background of an LED of the first row at 80x24.
fn led(terminal: &Terminal, column: u16) -> Color {
    terminal.inspect(|screen| screen.cell(5, 3 + 4 * column).expect("it is there").bgcolor())
}

/// The background of the header.
fn background(terminal: &Terminal) -> Color {
    terminal.inspect(|screen| screen.cell(0, 0).expect("it is there").bgcolor())
}

const DARK_BACKGROUND: Color = Color::Rgb(0x12, 0x12, 0x12);
const LIGHT_BACKGROUND: Color = Color::Rgb(0xff, 0xff, 0xff);
/// The terminal's own background, used where it makes text readable.
const OWN_BACKGROUND: Color = Color::Default;

fn bench() -> Bench {
    Bench::new()
        .file("mirror.asm", MIRROR)
        .file("lights.asm", LIGHTS)
        .file("blink.asm", BLINK)
        .file("dark.asm", DARK)
}

#[test]
fn the_queens_search_runs_and_keys_jump_to_its_solutions() {
    let bench = bench();
    let mut terminal = start(&bench, "");
    terminal.wait_for("Eight queens by forward checking").wait_for("R  queen").wait_for("running");
    // The first queen is in the corner, the second a knight's move away.
    terminal.wait_for("0  R   G   G").wait_for("1  .   .   R   G");
    // `]` jumps to the next solution at once, and `[` jumps back to the first one.
    terminal.keys("]");
    terminal.wait_for("- 15863724 -").wait_for("paused").wait_for("] next solution");
    terminal.keys("]");
    terminal.wait_for("- 16837425 -");
    terminal.keys("[");
    terminal.wait_for("- 15863724 -").wait_for("paused");
    terminal.keys("q");
    assert_eq!(terminal.ends_with(0).trim(), "");
}

#[test]
fn keys_run_pause_step_and_reset() {
    let bench = bench();
    let mut terminal = start(&bench, "blink.asm");
    terminal.wait_for("running").wait_for("Blink");
    terminal.keys(" ");
    terminal.wait_for("paused");
    terminal.keys("r");
    terminal.wait_until("reset", |terminal| count(terminal) == Some(0));
    for step in 1..=4 {
        terminal.keys("s");
        terminal.wait_until("step", |terminal| count(terminal) == Some(step));
    }
    terminal.wait_for("0  R");
    terminal.keys("n");
    terminal.wait_until("LED change", |terminal| count(terminal) == Some(6)).wait_for("0  .");
    terminal.keys("n");
    terminal.wait_until("LED change", |terminal| count(terminal) == Some(9)).wait_for("0  R");
    terminal.keys("+ ");
    terminal.wait_for("100 LED changes/s").wait_for("running");
    terminal.keys("--");
    terminal.wait_for("10 LED changes/s");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn colours_and_a_full_screen_pane_are_remembered() {
    let bench = bench();
    let colored = |program| Setup::gray1(&bench.path(""), program).start();
    let mut terminal = colored("debug blink.asm");
    terminal.wait_for(" source ").wait_for("paused").wait_for("0 ● ●");
    terminal.keys("4zt");
    terminal.wait_for("colours for colour-blind eyes").wait_for_no("0 ● ●");
    terminal.keys("q");
    terminal.ends_with(0);
    let mut terminal = colored("lights.asm");
    terminal.wait_for("halted at");
    assert_eq!(led(&terminal, 0), Color::Rgb(0xd5, 0x5e, 0));
    terminal.keys("2");
    terminal.wait_for(" source ").wait_for_no("0 ● ●");
    terminal.keys("zt");
    terminal.wait_for("the usual colours, with letters").wait_for("0 R G Y");
    terminal.keys("t");
    terminal.wait_for("no colours").wait_for("0 R G Y");
    terminal.keys("4");
    terminal.wait_for(" memory ");
    terminal.signal(Signal::HUP);
    terminal.ends_with(129);
    // The debugger begins with the source pane, whichever pane was in front last.
    let mut terminal = start(&bench, "debug blink.asm");
    terminal.wait_for(" source ").wait_for("0 . .");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn the_background_comes_from_the_terminal_or_an_option() {
    let bench = bench();
    let start = |arguments| Setup::gray1(&bench.path(""), arguments).start();
    // A terminal that does not report its background.
    let mut terminal = start("debug blink.asm");
    terminal.wait_for("paused");
    assert_eq!(background(&terminal), DARK_BACKGROUND);
    // Its answer arrives late, between keys, and in pieces.
    terminal.keys("s\x1b]11;rgb:ffff/ff");
    std::thread::sleep(Duration::from_millis(100));
    terminal.keys("ff/ffff\x1b\\s");
    terminal.wait_until("two steps", |terminal| terminal.text().contains("count 2"));
    terminal.wait_until("its own", |terminal| background(terminal) == OWN_BACKGROUND);
    // Text is not readable on grey, so the theme stays.
    terminal.keys("\x1b]11;rgb:80/80/80\x1b\\");
    terminal.wait_until("white", |terminal| background(terminal) == LIGHT_BACKGROUND);
    terminal.keys("TT");
    terminal.wait_for("a dark background");
    terminal.wait_until("black", |terminal| background(terminal) == DARK_BACKGROUND);
    terminal.keys("q");
    terminal.ends_with(0);
    // The choice is saved, whether made by a key or by an option.
    for (arguments, expected) in [
        ("debug blink.asm", DARK_BACKGROUND),
        ("debug blink.asm --theme auto", OWN_BACKGROUND),
        ("debug blink.asm", OWN_BACKGROUND),
        ("debug blink.asm --theme dark", DARK_BACKGROUND),
    ] {
        let mut terminal = start(arguments);
        terminal.keys("\x1b]11;rgb:fd/f6/e3\x07\x1b[?65;1c");
        terminal.wait_for("paused");
        terminal.wait_until(arguments, |terminal| background(terminal) == expected);
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

#[test]
fn the_mouse_chooses_scrolls_and_seeks() {
    let bench = bench();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused").wait_for_no("follow");
    let mode = terminal.inspect(vt100::Screen::mouse_protocol_mode);
    assert_eq!(mode, vt100::MouseProtocolMode::ButtonMotion);
    // Turns the wheel over the source, then clicks on the registers and releases the button.
    terminal.keys("\x1b[<65;40;10M");
    terminal.wait_for("follow");
    terminal.keys("\x1b[<0;5;15M\x1b[<0;5;15m");
    terminal.wait_for_no(" source ");
    terminal.keys("7]]]");
    terminal.wait_for("solution     3 of 3");
    // Drags along the timeline to its beginning, then clicks on its end.
    terminal.keys("\x1b[<0;70;5M\x1b[<32;50;5M\x1b[<32;22;5M\x1b[<0;22;5m");
    terminal.wait_for("solution     0 of 3");
    terminal.keys("\x1b[<0;79;5M");
    terminal.wait_for("solution     3 of 3");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn a_damaged_settings_file_is_a_note() {
    let bench = bench();
    std::fs::create_dir_all(bench.path("state/gray1")).unwrap();
    let bench = bench.file("state/gray1/settings.ron", "(version: 1, alone:");
    // The message appears only in the first run. In the second run the same line shows the keys.
    for line in ["default settings", "space run"] {
        let mut terminal = Setup::gray1(&bench.path(""), "debug blink.asm").size(120, 30).start();
        terminal.wait_for(" source ").wait_for(line);
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

#[test]
fn the_keys_are_the_buttons_until_escape() {
    let bench = bench();
    let mut terminal = start(&bench, "mirror.asm");
    terminal.wait_for("running").wait_for("i buttons");
    terminal.keys("i");
    terminal.wait_for("esc back").wait_for("none held").wait_for("100 k instr/s");
    for (key, row) in [("\x1b[D", "0  .   .   G   .   ."), ("\r", "0  .   .   .   .   G")] {
        terminal.keys(key);
        terminal.wait_for(row);
        terminal.wait_for("0  .   .   .   .   .").wait_for("none held");
    }
    // q is not bound to a button, and does not quit in this mode.
    terminal.keys("ql");
    terminal.wait_for("0  .   .   .   G   .");
    terminal.keys("\x1b");
    terminal.wait_for_no("esc back");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn opening_a_program_that_reads_buttons_starts_it() {
    let bench = bench();
    let mut terminal = start(&bench, "blink.asm");
    terminal.wait_for("running");
    terminal.keys(" ");
    terminal.wait_for("paused");
    // A program opened from the display starts running.
    terminal.keys("o");
    terminal.wait_for("open a program");
    terminal.keys("snake");
    terminal.wait_for("enter opens snake");
    terminal.keys("\r");
    terminal.wait_for("i buttons").wait_for("running");
    terminal.keys(" ");
    terminal.wait_for("paused");
    terminal.keys("i");
    terminal.wait_for("running").wait_for("esc back");
    terminal.keys("\x1b");
    terminal.wait_for_no("esc back");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn leds_have_the_colours_that_the_terminal_can_show() {
    let bench = bench();
    let red = Color::Rgb(0xd9, 0x14, 0x0b);
    let green = Color::Rgb(0x2c, 0xc4, 0x7b);
    let yellow = Color::Rgb(0xff, 0xe8, 0x66);
    for (term, colorterm, colours) in [
        ("xterm-256color", "truecolor", [red, green, yellow]),
        ("xterm-256color", "", [Color::Idx(160), Color::Idx(42), Color::Idx(221)]),
        ("xterm", "", [Color::Idx(1), Color::Idx(2), Color::Idx(3)]),
    ] {
        let setup = Setup::gray1(&bench.path(""), "lights.asm");
        let mut terminal = setup.env("TERM", term).env("COLORTERM", colorterm).start();
        terminal.wait_for("halted at");
        for (n, colour) in (0..).zip(colours) {
            assert_eq!(led(&terminal, n), colour, "{term}");
        }
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

#[test]
fn the_screen_follows_resizes_and_a_tiny_one_shows_a_message() {
    let bench = bench();
    let mut terminal = start(&bench, "lights.asm");
    terminal.wait_for("halted at").wait_for("0  R   G   Y   .");
    terminal.resize(120, 40);
    terminal.wait_for("R       G       Y");
    terminal.resize(20, 12);
    terminal.wait_for("0 R G Y .");
    terminal.resize(18, 9);
    terminal.wait_for("needs 20x12, this").wait_for("is 18x9");
    terminal.resize(80, 24);
    terminal.wait_for("0  R   G   Y   .").wait_for("halted at");
    // A key that is not available after a halt shows a message that names the keys to use instead.
    terminal.keys(" ");
    terminal.wait_for("halted: r to reset, S to step back");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn tiny_terminals_do_no_harm() {
    let bench = bench();
    for (columns, rows) in [(1, 1), (2, 30), (100, 1)] {
        let setup = Setup::gray1(&bench.path(""), "lights.asm").size(columns, rows);
        let mut terminal = setup.start();
        terminal
            .wait_until("front end", |terminal| terminal.inspect(vt100::Screen::alternate_screen));
        terminal.keys(" ?o+\x03");
        terminal.ends_with(130);
    }
}

#[test]
fn a_source_that_changes_is_assembled_again() {
    let bench = bench()
        .file("main.asm", ".title \"First\"\n.include \"part.asm\"\n HALT\n")
        .file("part.asm", " LDI 1\n");
    let mut terminal = Setup::gray1(&bench.path(""), "debug main.asm --watch").start();
    terminal.wait_for("First").wait_for("paused").wait_for_place("0000", "LDI 1");
    // The program is not restarted before its file changes.
    std::thread::sleep(Duration::from_millis(500));
    assert!(!terminal.text().contains("assembled again"));
    // A change in an included file also causes a new assembly. The open pane stays open, and the
    // program stays paused.
    terminal.keys("3");
    terminal.wait_for("A takes the number 01");
    let bench = bench.file("part.asm", " LDI 23\n");
    terminal.wait_for("A takes the number 17").wait_for("paused").wait_for("assembled again");
    // After a change with an error, the old program stays and the error is shown.
    let bench = bench.file("part.asm", " LDX 23\n");
    terminal.wait_for("the old program stays").wait_for("LDX");
    // When the error is fixed, its message disappears.
    let bench = bench.file("main.asm", ".title \"Second\"\n.include \"part.asm\"\n HALT\n");
    let _bench = bench.file("part.asm", " LDI 0x42\n");
    terminal.wait_for("Second").wait_for("A takes the number 42");
    terminal.wait_for_no("the old program stays");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn the_header_says_that_a_source_has_changed() {
    let bench =
        bench().file("main.asm", ".include \"part.asm\"\n HALT\n").file("part.asm", " LDI 1\n");
    let mut terminal = Setup::gray1(&bench.path(""), "debug main.asm").start();
    terminal.wait_for("paused").wait_for_place("0000", "LDI 1");
    let bench = bench.file("part.asm", " LDI 23\n");
    terminal.wait_for("source changed: R assembles again").wait_for_place("0000", "LDI 1");
    terminal.keys("R");
    terminal.wait_for("assembled again").wait_for_place("0000", "LDI 23");
    terminal.wait_for_no("source changed");
    // The words stay while the old program is loaded.
    let _bench = bench.file("part.asm", " LDX 23\n");
    terminal.wait_for("source changed");
    terminal.keys("R");
    terminal.wait_for("the old program stays").wait_for("source changed");
    terminal.keys("\x1b");
    terminal.wait_for_no("the old program stays");
    for words in ["reload", "assemble"] {
        terminal.keys(&format!(":{words}"));
        terminal.wait_for("reload: assemble the source again");
        terminal.keys("\x1b");
        terminal.wait_for_no("reload: assemble the source again");
    }
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn the_source_is_edited_at_the_line_of_the_cursor() {
    let main = ".title \"Own\"\n.include \"part.asm\"\n LDI 1\n one 5\n HALT\n";
    let part = ".macro one n\n LDI n\n ST 0x1fe0\n.endmacro\n";
    let bench = bench().file("main.asm", main).file("part.asm", part);
    let mut terminal = Setup::shell(&bench.path(""))
        .env("VISUAL", &editor(&bench.path("")))
        .env("EDITOR", "false")
        .start();
    terminal.wait_for("ready> ");
    terminal.keys("gray1 debug main.asm\r");
    terminal.wait_for_place("0000", "LDI 1");
    terminal.keys("b");
    terminal.wait_for("break set");
    terminal.keys("v");
    terminal.wait_for("asked: -x +3 ./main.asm");
    assert!(!terminal.inspect(vt100::Screen::alternate_screen));
    // The editor stops and continues together with the front end. A changed file is assembled
    // again, and breakpoints are kept.
    terminal.stop_foreground();
    terminal.wait_for("Stopped").wait_for_shell();
    terminal.keys("fg\r");
    // The shell shows the command when it is typed, stopped and continued. Then the job gets keys.
    let named = |terminal: &Terminal| terminal.text().matches("gray1 debug main.asm").count();
    terminal.wait_until("the job goes on", |terminal| named(terminal) == 3);
    terminal.keys("s/LDI 1/LDI 23/\r");
    terminal.wait_for("assembled again").wait_for_place("0000", "LDI 23").wait_for("break    1");
    // Ctrl-C goes to the editor.
    terminal.keys("v");
    let is_asked_again = |terminal: &Terminal| terminal.text().matches("asked: ").count() == 2;
    terminal.wait_until("second question", is_asked_again);
    terminal.keys("\x03");
    terminal.wait_for_place("0000", "LDI 23");
    assert!(!terminal.text().contains("assembled again"));
    // In a macro from another file, the editor opens that file.
    terminal.keys("s");
    terminal.wait_for_place("0001", "one 5");
    terminal.keys("xs");
    terminal.wait_for_place("0002", "ST 0x1fe0");
    terminal.keys("v");
    terminal.wait_for("asked: -x +3 ./part.asm");
    terminal.keys("s/LDI/LDX/\r");
    terminal.wait_for("the old program stays loaded: main.asm").wait_for("LDX");
    terminal.keys("\x1b");
    terminal.wait_for_no("the old program stays");
    terminal.keys("q");
    terminal.wait_for_shell();
    terminal.keys("exit\r");
    terminal.ends_with(0);
}

#[test]
fn a_note_explains_why_a_program_cannot_be_edited() {
    let bench = bench();
    bench.gray1("asm blink.asm").status(0);
    for (program, note) in [
        ("blink.ron", "this is an image: edit blink.asm and assemble it again"),
        ("queens", "built in: `gray1 show queens.asm > my.asm` makes a copy to edit"),
        ("blink.asm", "no editor is set: quit, type `export EDITOR=nano`, and start again"),
    ] {
        let setup = Setup::gray1(&bench.path(""), &format!("debug {program}"));
        let mut terminal = setup.env("VISUAL", "").env("EDITOR", "").start();
        terminal.wait_for("paused");
        terminal.keys("v");
        terminal.wait_for(note);
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

#[test]
fn built_in_programs_cannot_be_watched() {
    let left = Setup::gray1(&bench().path(""), "debug queens --watch").start().ends_with(2);
    assert!(left.contains("--watch needs a file; queens is built in"), "{left}");
}

#[test]
fn the_last_line_of_a_run_starts_in_its_own_line() {
    let bench = bench().file("bang.asm", "LDI '!'\n ST 0x1fff\n HALT\n");
    let screen = start(&bench, "run bang.asm").ends_with(0);
    assert_eq!(screen.trim_end(), "!\nhalted at 0x0002 after 3 instructions");
    let screen = start(&bench, "run lights.asm").ends_with(0);
    assert!(screen.starts_with("!\nhalted at "), "{screen}");
}

#[test]
fn a_dumb_terminal_gets_the_output_of_run() {
    let bench = bench();
    let setup = Setup::gray1(&bench.path(""), "lights.asm").env("TERM", "dumb");
    let left = setup.start().ends_with(0);
    let note = "note: this terminal cannot show the front end; the program runs without it";
    let lines: Vec<&str> = left.trim().lines().collect();
    assert_eq!(lines, [note, "!", "halted at 0x0008 after 9 instructions"]);
}

/// The CPU time that the process has used, in ticks of 1/100 s.
#[cfg(target_os = "linux")]
fn cpu_ticks(terminal: &Terminal) -> u64 {
    let id = terminal.pid().as_raw_nonzero();
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("the program is there");
    let (_, fields) = stat.rsplit_once(')').expect("the name is in parentheses");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    // utime and stime are fields 14 and 15 of proc_pid_stat(5); field 3 follows the name.
    fields[11..13].iter().map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}

#[cfg(target_os = "linux")]
#[test]
fn paused_or_halted_it_uses_no_cpu() {
    let bench = bench();
    for (program, keys, status) in [("dark.asm", " ", "paused"), ("lights.asm", "", "halted at")] {
        let mut terminal = start(&bench, program);
        terminal.wait_for("pace");
        terminal.keys(keys);
        terminal.wait_for(status);
        let before = cpu_ticks(&terminal);
        // Gives an idle program time to use the CPU, which it must not.
        std::thread::sleep(Duration::from_millis(500));
        assert!(cpu_ticks(&terminal) - before <= 1, "{program} keeps busy");
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

#[test]
fn an_option_is_remembered_like_a_key_press() {
    let bench = bench();
    for (program, next) in [
        ("debug queens --dwell off", "pauses at printed lines"),
        ("debug queens", "does not pause at printed lines"),
    ] {
        let mut terminal = start(&bench, program);
        terminal.wait_for("paused").wait_for_no("printed lines");
        terminal.keys("l");
        terminal.wait_for(next);
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

#[test]
fn phases_play_until_the_key_is_pressed_again_and_a_byte_can_be_followed() {
    let bench = Bench::new();
    let mut terminal = Setup::gray1(&bench.path(""), "queens").plain().start();
    terminal.keys(" 5F");
    terminal.wait_for("T0: The program counter steps on to the first byte of an instruction. ");
    terminal.keys("A");
    // The phases advance without keys.
    for phase in 1..4 {
        terminal.wait_for(&format!("T{phase}: "));
    }
    terminal.keys("A");
    terminal.wait_for("paused").wait_for("the path of one byte");
    terminal.keys("F");
    terminal.wait_for_no("the path of one byte");
    terminal.keys("q");
    terminal.ends_with(0);
}

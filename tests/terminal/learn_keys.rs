//! The keys of the lesson dialogue: what each of them does, and which ones are offered, including
//! at the first and the last lesson.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::student::{FOLDER, solved, student};
use crate::support::terminal::{Setup, Terminal};
use crate::support::{Bench, root};

/// The keys offered at the first lesson, before it is solved and afterwards.
const UNSOLVED: &str = "e edit  c check  h hint  w watch  p page  l list  q quit";
const SOLVED: &str = "n next  e edit  s solution  w watch  p page  l list  q quit";
/// The keys offered at later lessons, before they are solved and afterwards.
const UNSOLVED_LATER: &str = "e edit  c check  h hint  w watch  p page  b back  l list  q quit";
const SOLVED_LATER: &str = "n next  e edit  s solution  w watch  p page  b back  l list  q quit";

fn dialogue(bench: &Bench) -> Terminal {
    Setup::gray1(&bench.path(""), "learn").plain().size(100, 60).start()
}

/// Presses a key on an empty screen, and waits for its message and for the keys offered next.
#[track_caller]
fn press(terminal: &mut Terminal, key: &str, expected: &str, offered: &str) {
    terminal.overwrite("\x1b[2J\x1b[H");
    terminal.keys(key);
    terminal.wait_until(&format!("{expected:?} above {offered:?} for {key:?}"), |terminal| {
        let text = terminal.text();
        text.contains(expected) && text.trim_end().lines().last() == Some(offered)
    });
}

#[test]
fn each_offered_key_works() {
    let bench = student(1);
    let mut terminal = dialogue(&bench);
    terminal.wait_for(UNSOLVED);
    press(&mut terminal, "h", "Hint 1 of ", UNSOLVED);
    press(&mut terminal, "p", "Lesson 1 of 22: ", UNSOLVED);
    press(
        &mut terminal,
        "s",
        "note: our solution is shown once you have solved the lesson",
        UNSOLVED,
    );
    press(&mut terminal, "n", "note: this lesson is not solved yet", UNSOLVED);
    press(&mut terminal, "l", ">  1  ", UNSOLVED);
    press(&mut terminal, "c", "Solved: ", SOLVED);
    let solution = root().join("programs/lessons/01-first-led/solution.asm");
    let solution = fs::read_to_string(solution).unwrap();
    press(&mut terminal, "s", solution.lines().next().unwrap(), SOLVED);
    press(&mut terminal, "n", "Lesson 2 of 22: ", UNSOLVED_LATER);
    press(&mut terminal, "l", ">  2  ", UNSOLVED_LATER);
    press(&mut terminal, "b", "Lesson 1 of 22: ", SOLVED);
    // There is no lesson before the first.
    press(&mut terminal, "bl", ">  1  ", SOLVED);
    terminal.keys("q");
    terminal.ends_with(0);
    assert_eq!(solved(&bench), 1);
}

/// The keys fit the terminal's width in one line, which the next output erases.
#[test]
fn the_prompt_offers_as_many_keys_as_fit() {
    let bench = student(1);
    let mut terminal = dialogue(&bench);
    terminal.wait_for(UNSOLVED);
    for (columns, offered) in [
        (2, "q"),
        (5, "q qu"),
        (23, "e edit  q quit"),
        (24, "e edit  c check  q quit"),
        (2, "q"),
        (100, UNSOLVED),
    ] {
        terminal.overwrite("\x1b[2J\x1b[H");
        terminal.resize(columns, 20);
        terminal.wait_until(&format!("{offered:?} at {columns}"), |terminal| {
            terminal.text().trim_end() == offered
        });
    }
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn next_after_the_last_lesson_names_an_open_one() {
    let bench = student(22);
    bench.gray1("learn go 22").status(0);
    let mut terminal = dialogue(&bench);
    terminal.wait_for(UNSOLVED_LATER);
    press(&mut terminal, "c", "Solved: ", SOLVED_LATER);
    let open = "note: this is the last lesson; lesson 1 is still open";
    press(&mut terminal, "n", open, SOLVED_LATER);
    press(&mut terminal, "b", "Lesson 21 of 22: ", UNSOLVED_LATER);
    terminal.keys("q");
    terminal.ends_with(0);
}

/// Checks run only after a change of the program, so a student who thinks is not disturbed.
#[test]
fn a_program_is_not_checked_before_it_changes() {
    let bench = student(1);
    let terminal = dialogue(&bench);
    terminal.wait_for(UNSOLVED);
    // The program's file is read five times a second. Waits longer than that.
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(500) {
        bench.gray1("learn list").status(0);
    }
    assert!(!terminal.text().contains("Solved: "), "{}", terminal.text());
    terminal.signal(rustix::process::Signal::TERM);
    terminal.ends_with(143);
}

#[test]
fn commands_in_messages_name_the_given_folder() {
    let bench = Bench::new();
    let page = bench.gray1("learn --folder mine").status(0);
    let page = page.text();
    assert!(page.contains("\n  gray1 learn check --folder mine\n"), "{page}");
    assert!(!bench.path(FOLDER).exists());
    // A file that cannot be written is not offered for editing.
    fs::remove_file(bench.path("mine/01-first-led.test.ron")).unwrap();
    std::os::unix::fs::symlink("diary", bench.path("mine/01-first-led.test.ron")).unwrap();
    let page = bench.gray1("learn page --folder mine").status(1);
    let page = page.text();
    assert!(page.starts_with("Lesson 1 of 22: ") && !page.contains("\nEdit "), "{page}");
}

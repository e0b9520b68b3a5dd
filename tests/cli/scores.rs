//! Students' scores survive simultaneous writers and every kind of exit.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::student::{solved, student};
use crate::support::terminal::{Setup, editor};
use crate::support::{Bench, RunResult, TIMEOUT, Watchdog, program};

fn start(bench: &Bench, arguments: &str) -> Child {
    let mut command = bench.command(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn twenty_checks_at_once_keep_twenty_scores() {
    let bench = student(20);
    let checks: Vec<Child> =
        (1..=20).map(|lesson| start(&bench, &format!("learn check {lesson}"))).collect();
    for mut check in checks {
        let _watchdog = Watchdog::new(&check, *TIMEOUT);
        assert_eq!(check.wait().unwrap().code(), Some(0));
    }
    assert_eq!(solved(&bench), 20);
    let is_leftover = |entry: fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
    let entries = fs::read_dir(bench.path("gray1-lessons")).unwrap();
    assert!(!entries.map(Result::unwrap).any(is_leftover));
}

#[test]
fn a_killed_check_loses_no_score() {
    let bench = student(22);
    let mut random = 1_u64;
    let mut before = 0;
    for round in 0..20 {
        // Marsaglia's xorshift64.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let lesson = round % 22 + 1;
        let mut check = start(&bench, &format!("learn check {lesson}"));
        thread::sleep(Duration::from_micros(random % 60_000));
        let _ = check.kill();
        check.wait().unwrap();
        let now = solved(&bench);
        assert!(now >= before, "{before} lessons were solved, {now} are");
        before = now;
    }
}

#[test]
fn a_full_disk_leaves_the_old_scores() {
    let bench = student(2);
    bench.gray1("learn check 1").status(0);
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" learn check 2";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(program()).current_dir(bench.path(""));
    let ran = RunResult::run(&mut command).status(1);
    assert!(ran.text().starts_with("Solved: "), "{}", ran.text());
    assert!(ran.err().contains("cannot write gray1-lessons/"), "{}", ran.err());
    assert_eq!(solved(&bench), 1);
}

#[test]
fn a_dialogue_keeps_what_was_solved_elsewhere() {
    let bench = student(2);
    let mut dialogue = Setup::gray1(&bench.path(""), "learn").plain().start();
    dialogue.wait_for("q quit");
    bench.gray1("learn check 2").status(0);
    dialogue.keys("p");
    dialogue.keys("c");
    dialogue.wait_for("2 of 22 solved");
    dialogue.keys("q");
    dialogue.ends_with(0);
    assert_eq!(solved(&bench), 2);
}

/// A folder from elsewhere may contain links to any of the user's files.
#[test]
fn no_link_in_the_folder_is_followed() {
    let bench = student(1).file("diary", "mine");
    let tests = bench.path("gray1-lessons/01-first-led.test.ron");
    symlink(bench.path("diary"), &tests).unwrap();
    let stderr = bench.gray1("learn page").status(1).err();
    assert!(stderr.contains("01-first-led.test.ron: it is a symbolic link"), "{stderr}");
    fs::remove_file(&tests).unwrap();
    symlink(bench.path("diary"), bench.path("gray1-lessons/progress.ron")).unwrap();
    bench.gray1("learn page").status(1);
    fs::write(bench.path("diary"), "").unwrap();
    bench.gray1("learn page").status(1);
    fs::remove_file(bench.path("diary")).unwrap();
    let stderr = bench.gray1("learn page").status(1).err();
    assert!(stderr.contains("progress.ron: it is a symbolic link"), "{stderr}");
    assert!(!bench.path("diary").exists());
}

#[test]
fn a_page_is_shown_even_if_progress_cannot_be_saved() {
    let bench = Bench::new();
    // File permissions do not stop the superuser, but a dangling link stops every user.
    symlink("no/such/folder", bench.path("gray1-lessons")).unwrap();
    for (action, start) in [("page", "Lesson 1 of 22: "), ("hint", "Hint 1 of ")] {
        let ran = bench.gray1(&format!("learn {action}")).status(1);
        assert!(ran.text().starts_with(start), "{}", ran.text());
        let stderr = ran.err();
        assert!(stderr.starts_with("error: gray1-lessons is a broken link"), "{stderr}");
    }
    fs::remove_file(bench.path("gray1-lessons")).unwrap();
    fs::set_permissions(bench.path(""), fs::Permissions::from_mode(0o555)).unwrap();
    assert!(bench.gray1("learn page").text().starts_with("Lesson 1 of 22: "));
    fs::set_permissions(bench.path(""), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_editor_gets_the_keys_and_a_missing_one_is_reported() {
    let bench = student(1);
    let visual = editor(&bench.path(""));
    let setup = Setup::gray1(&bench.path(""), "learn").plain().size(80, 50);
    let mut terminal = setup.env("VISUAL", &visual).env("EDITOR", "false").start();
    terminal.wait_for("e edit");
    terminal.keys("e");
    terminal.wait_for("asked: -x ./gray1-lessons/01-first-led.asm");
    // Ctrl-C goes to the editor, which ends.
    terminal.keys("\x03");
    terminal.wait_until("prompt after the editor", |terminal| {
        terminal.text().trim_end().ends_with("q quit")
    });
    terminal.keys("q");
    terminal.ends_with(0);

    let mut without = Setup::gray1(&bench.path(""), "learn").plain().env("VISUAL", "");
    without = without.env("EDITOR", "");
    let mut terminal = without.start();
    terminal.wait_for("e edit");
    terminal.keys("e");
    terminal.wait_for("type `export EDITOR=nano`");
    terminal.keys("q");
    terminal.ends_with(0);
}

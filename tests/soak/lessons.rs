//! A lesson's dialogue, while checks in other windows write to the same scores and some are killed.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;

use super::Until;
use crate::support::student::{FOLDER, solved, student};
use crate::support::terminal::Setup;

/// How many lessons the student has programs for.
const LESSONS: u64 = 6;
/// As long as a check that is killed lives at most, in microseconds.
const LIFE_MAX: u64 = 60_000;

/// What is written over the screen, so that the next answer can be told from the last.
const SCRIBBLE: &str = "\r\n*** scribble ***\r\n";

pub(crate) fn soak(until: Until) {
    let bench = student(LESSONS as usize);
    let mut dialogue = Setup::gray1(&bench.path(""), "learn").plain().start();
    dialogue.wait_for("q quit");
    let mut killed = 0;
    until.soak(|random| {
        // The student begins again, and may find only what is checked from here on.
        let _ = fs::remove_file(bench.path(&format!("{FOLDER}/progress.ron")));
        let lessons = [1, random.between(2, LESSONS)];
        let checks = lessons.map(|lesson| {
            let mut command = bench.command(&format!("learn check {lesson}"));
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().unwrap()
        });
        dialogue.overwrite(SCRIBBLE);
        dialogue.keys("c");
        let mut kept = 0;
        for mut check in checks {
            if random.below(4) == 0 {
                std::thread::sleep(Duration::from_micros(random.below(LIFE_MAX)));
                let _ = check.kill();
                killed += 1;
            }
            kept += usize::from(check.wait().unwrap().success());
        }
        dialogue.wait_until("an answer", |dialogue| {
            dialogue
                .text()
                .rsplit_once("scribble")
                .is_some_and(|(_, after)| after.contains("solved"))
        });
        assert!(solved(&bench) >= kept, "{kept} checks were well, {} are kept", solved(&bench));
        dialogue.pid().as_raw_nonzero().get().unsigned_abs()
    });
    let names = fs::read_dir(bench.path(FOLDER)).unwrap().count();
    // One that is killed while it writes leaves the new file beside the old one.
    let left = 4 * LESSONS as usize + killed / 50;
    assert!(names < left, "{killed} killed checks leave {names} files");
    dialogue.signal(Signal::TERM);
    dialogue.ends_with(143);
}

//! `gray1 screenshot`: draws the front end without a terminal, with the same bytes each time.

use crate::support::{Bench, RunResult, UncheckedResult};

fn screenshot(keys: &str, options: &str) -> UncheckedResult {
    let bench = Bench::new();
    let mut command = bench.command(&format!("screenshot queens {options}"));
    // The picture does not depend on the terminal that the test runs in.
    command.env("NO_COLOR", "1").env("LC_ALL", "C").args(["--keys", keys]);
    RunResult::run(&mut command)
}

fn text(keys: &str, options: &str) -> String {
    let ran = screenshot(keys, options).status(0);
    ran.text()
}

#[test]
fn the_same_call_gives_the_same_bytes() {
    for options in ["", "--format svg", "--format cast --size 40x20"] {
        let keys = "Space wait:1500ms + wait:200ms Space s s";
        let first = screenshot(keys, options).status(0);
        screenshot(keys, options).status(0).stdout(first.out());
    }
}

#[test]
fn an_opened_program_runs_if_the_one_before_ran() {
    // Another program opens paused if the current one is paused, and running if it is running.
    let status = |keys: &str| {
        let screen = text(keys, "--size 80x24");
        let header = screen.lines().next().unwrap().split_whitespace();
        (header.clone().next().unwrap().to_owned(), header.last().unwrap().to_owned())
    };
    let opened = |status: &str| ("life".to_owned(), status.to_owned());
    assert_eq!(status("s s o l i f e Enter"), opened("paused"));
    assert_eq!(status("n Space Space o l i f e Enter"), opened("paused"));
    assert_eq!(status("Space o l i f e Enter"), opened("running"));
    // Keys after the one that quits are ignored.
    assert_eq!(text("q ?", ""), text("q", ""));
}

#[test]
fn every_valid_size_is_drawn_and_others_are_refused() {
    for size in ["1x1", "80x24", "500x500"] {
        let screen = screenshot("", &format!("--size {size}")).status(0);
        let screen = screen.text();
        let (columns, rows) = size.split_once('x').unwrap();
        assert_eq!(screen.lines().count().to_string(), rows, "{size}");
        let widest = screen.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns.parse().unwrap() && widest > 0, "{size}: {widest}");
    }
    for size in ["0x1", "501x1", "80x24x1"] {
        screenshot("", &format!("--size {size}")).status(2);
    }
    screenshot("Spacebar", "").status(2);
}

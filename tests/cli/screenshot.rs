//! `gray1 screenshot`: the front end without a terminal, the same bytes every time.

use crate::support::{Bench, Ran};

fn screenshot(keys: &str, options: &str) -> Ran {
    let bench = Bench::new();
    let mut command = bench.command(&format!("screenshot queens {options}"));
    // Nothing of the terminal that we are called from shows in the picture.
    command.env("NO_COLOR", "1").env("LC_ALL", "C").args(["--keys", keys]);
    Ran::of(&mut command)
}

fn text(keys: &str, options: &str) -> String {
    let ran = screenshot(keys, options).status(0);
    String::from_utf8(ran.out().to_vec()).unwrap()
}

#[test]
fn it_starts_paused_at_instruction_0() {
    let screen = text("", "--size 80x24");
    assert!(screen.contains("paused") && screen.contains("count 0 instructions"), "{screen}");
    assert_eq!(screen.lines().count(), 24);
    assert_eq!(text("wait:2s wait:500i", "--size 80x24"), screen, "paused, nothing happens");
}

#[test]
fn the_same_call_gives_the_same_bytes() {
    for options in ["", "--format ansi", "--format svg", "--format cast --size 40x20"] {
        let keys = "Space wait:1500ms + wait:200ms Space s s";
        let first = screenshot(keys, options).status(0);
        screenshot(keys, options).status(0).stdout(first.out());
    }
}

#[test]
fn time_passes_as_the_script_says() {
    // 30 LED changes a second; the first comes at once, and clearing the display takes a dozen.
    let early = text("Space wait:300ms Space", "");
    let later = text("Space wait:1s Space", "");
    assert_ne!(early, later);
    assert!(later.contains("queens placed 3"), "{later}");
    // However fast it runs, no instruction is executed but those that are waited for.
    let faster = "+ ".repeat(20);
    let exact = text(&format!("{faster} Space wait:1i Space 3"), "");
    assert!(exact.contains("count  1 "), "{exact}");
    let exact = text(&format!("{faster} Space wait:5000i Space 3"), "");
    assert!(exact.contains("count  5,000 instructions"), "{exact}");
    let exact = text("s s s", "");
    assert!(exact.contains("count 3 instructions"), "{exact}");
}

#[test]
fn keys_reach_what_lies_over_the_machine() {
    let screen = text("o", "--size 80x24");
    assert!(screen.contains("open a program") && screen.contains("fibonacci"), "{screen}");
    let screen = text("o f i b o n a c c i Enter wait:1s", "--size 80x24");
    assert!(screen.contains("Fibonacci numbers"), "{screen}");
    // From a paused program another one is opened paused, from a running one it runs.
    let status = |keys: &str| {
        let screen = text(keys, "--size 80x24");
        let header = screen.lines().next().unwrap().split_whitespace();
        (header.clone().next().unwrap().to_owned(), header.last().unwrap().to_owned())
    };
    let opened = |status: &str| ("life".to_owned(), status.to_owned());
    assert_eq!(status("s s o l i f e Enter"), opened("paused"));
    assert_eq!(status("n Space Space o l i f e Enter"), opened("paused"));
    assert_eq!(status("Space o l i f e Enter"), opened("running"));
    // What follows the end of the front end is not played.
    assert_eq!(text("q ?", ""), text("q", ""));
}

#[test]
fn an_animation_is_an_asciicast() {
    let cast = text("Space wait:1s Space", "--format cast --size 40x20");
    let mut lines = cast.lines().map(|line| serde_json::from_str(line).unwrap());
    let header: serde_json::Value = lines.next().unwrap();
    assert_eq!(header, serde_json::json!({ "version": 2, "width": 40, "height": 20 }));
    let times: Vec<f64> = lines.map(|event| event[0].as_f64().unwrap()).collect();
    assert!(times.is_sorted() && times.len() > 5, "{times:?}");
    assert!(*times.last().unwrap() <= 1.0);
}

#[test]
fn the_suffix_chooses_the_format() {
    let bench = Bench::new();
    for (name, start) in [("a.svg", "<svg "), ("a.cast", "{"), ("a.ans", "\u{1b}["), ("a", " ")] {
        bench.gray1(&format!("screenshot counter -o {name}")).status(0).stdout("");
        let bytes = bench.read(name);
        assert!(bytes.starts_with(start.as_bytes()), "{name}");
    }
}

#[test]
fn every_size_can_be_drawn_and_none_beyond() {
    for size in ["1x1", "19x11", "20x12", "500x500"] {
        let screen = screenshot("", &format!("--size {size}")).status(0);
        let screen = String::from_utf8(screen.out().to_vec()).unwrap();
        let (columns, rows) = size.split_once('x').unwrap();
        assert_eq!(screen.lines().count().to_string(), rows, "{size}");
        let widest = screen.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns.parse().unwrap() && widest > 0, "{size}: {widest}");
    }
    for size in ["0x1", "501x1", "80", "80x", "x", "80x24x1"] {
        screenshot("", &format!("--size {size}")).status(2);
    }
    screenshot("Spacebar", "").status(2);
}

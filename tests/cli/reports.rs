//! Reports as JSON: one document on standard output, with the same content as the plain report.

use std::process::Stdio;

use serde_json::Value;

use crate::support::{Bench, root, word};

/// The report of a command as JSON.
fn report(bench: &Bench, command: &str, status: i32) -> Value {
    let ran = bench.gray1(&format!("{command} --format json")).status(status).stderr("");
    serde_json::from_slice(ran.out()).unwrap_or_else(|error| panic!("{command}: {error}"))
}

#[test]
fn programs_and_lessons_are_listed() {
    let bench = Bench::new();
    let listed = report(&bench, "list", 0);
    let text = bench.gray1("list").status(0).text();
    let rows = listed["programs"].as_array().unwrap().iter().map(|program| {
        let [name, title] = ["name", "title"].map(|key| program[key].as_str().unwrap());
        format!("{name} {title}")
    });
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    assert_eq!(rows.collect::<Vec<_>>(), lines.collect::<Vec<_>>());
    bench.gray1("learn page").status(0);
    let lessons = report(&bench, "learn list", 0);
    assert_eq!((&lessons["current"], &lessons["lessons"][0]["score"]), (&1.into(), &Value::Null));
    assert_eq!(lessons["lessons"][1]["lesson"], "02-bits");
    bench.gray1("learn page --format json").status(2).stdout("");
}

#[test]
fn a_course_is_verified() {
    let bench = Bench::new()
        .file("c/course.ron", "Course(version: 1, title: \"C\")")
        .file("c/ending.md", "Well done.\n")
        .file("c/a/lesson.ron", "Lesson(version: 1, title: \"A\", hints: [])")
        .file("c/a/page.md", "# A\n\nLight it.\n")
        .file("c/a/skeleton.asm", " HALT\n")
        .file("c/a/solution.asm", " LDI 1\n ST 0x1fe0\n HALT\n");
    let tests =
        |shows: &str| format!("Tests(version: 1, cases: [(name: \"a\", steps: [Halts, {shows}])])");
    let right = bench.file("c/a/solution.test.ron", tests("Bytes(\"0x1fe0\", [1])"));
    let verified = report(&right, "learn verify --course c", 0);
    let lesson = &verified["lessons"][0];
    assert_eq!((&lesson["passed"], &lesson["words"]), (&true.into(), &3.into()), "{verified}");
    let wrong = right.file("c/a/solution.test.ron", tests("Bytes(\"0x1fe0\", [2])"));
    let verified = report(&wrong, "learn verify --course c", 1);
    let lesson = &verified["lessons"][0];
    assert_eq!(lesson["passed"], false);
    assert!(lesson["error"].as_str().unwrap().contains("does not pass"), "{verified}");
}

#[test]
fn a_board_is_checked() {
    let bench = Bench::new();
    let checked = report(&bench, "check", 0);
    assert_eq!(checked["holds"], true);
    assert_eq!(checked["slowest"]["total_ns"], 1070);
    assert_eq!(checked["proofs"][4]["cases"], 1_671_719);
    assert_eq!(checked["addresses"][1]["chip"], "CTRL");
    let made = report(&bench, "check --board gray1-b", 0);
    assert_eq!(made["clock"]["holds"], true);
    let board = word(&root().join("roms/binary-counter.ron"));
    let checked = report(&bench, &format!("check --board {board}"), 1);
    assert_eq!((&checked["holds"], &checked["proofs"][0]["holds"]), (&false.into(), &false.into()));
    assert!(checked["proofs"][0]["events"].to_string().contains("PCL.0 and PCL.1 move at once"));
}

#[test]
fn programs_and_runs_are_compared() {
    let bench = Bench::new();
    let compared = report(&bench, "compare queens life --max-instructions 200000", 0);
    let [queens, life] = [0, 1].map(|row| &compared["programs"][row]);
    assert_eq!((&queens["executed"], &queens["end"]), (&184_039.into(), &"halted".into()));
    assert_eq!(queens["counts"]["queens set"], 1164);
    assert_eq!((&life["counts"]["queens set"], &life["end"]), (&Value::Null, &"stopped".into()));
    let same = report(&bench, "diff fibonacci fibonacci", 0);
    assert_eq!((&same["differs"], &same["same"]), (&false.into(), &52.into()));
    let differ = report(&bench, "diff fibonacci primes", 1);
    assert_eq!((&differ["differs"], &differ["a"]["moment"]), (&true.into(), &39.into()));
    let ahead = report(&bench, "diff fibonacci 'fibonacci --max-instructions 30'", 3);
    assert_eq!((&ahead["differs"], &ahead["b"]["place"]), (&Value::Null, &Value::Null));
}

/// The exit status stays the same if the reader closes the pipe, in any format, and with a long
/// list before the only error.
#[test]
fn a_verdict_does_not_depend_on_what_is_shown() {
    let passing = (0..300).map(|n| format!("(name: \"{n}\", steps: [Halts]),\n"));
    let cases = passing.collect::<String>() + "(name: \"last\", steps: [Halts, Is(\"A\", 2)])";
    let mut bench = Bench::new()
        .file("p.asm", " LDI 1\n HALT\n")
        .file("p.test.ron", format!("Tests(version: 1, cases: [{cases}])"))
        .file("c/course.ron", "Course(version: 1, title: \"C\")")
        .file("c/ending.md", "Well done.\n")
        .file("s/300.asm", "HALT\n");
    for n in 0..300 {
        bench = bench.file(&format!("s/{n}.asm"), "        HALT\n");
    }
    for (n, solution) in (0..60).map(|n| (n, " LDI 1\n HALT\n")).chain([(60, " HALT\n")]) {
        let tests = "Tests(version: 1, cases: [(name: \"a\", steps: [Halts, Is(\"A\", 1)])])";
        for (file, text) in [
            ("lesson.ron", "Lesson(version: 1, title: \"A\", hints: [])"),
            ("page.md", "# A\n"),
            ("skeleton.asm", " HALT\n"),
            ("solution.asm", solution),
            ("solution.test.ron", tests),
        ] {
            bench = bench.file(&format!("c/{n:02}/{file}"), text);
        }
    }
    let board = word(&root().join("roms/binary-counter.ron"));
    let sources: Vec<String> = (0..=300).map(|n| format!("s/{n}.asm")).collect();
    for command in [
        "test p.test.ron",
        "test -q p.test.ron",
        "test p.test.ron -f csv",
        "test p.test.ron -f junit",
        "test p.test.ron -f json",
        "learn verify --course c",
        "learn verify --course c -f json",
        &format!("fmt --check {}", sources.join(" ")),
        &format!("check --board {board}"),
        &format!("check -f json --board {board}"),
        "diff fibonacci primes",
    ] {
        bench.gray1(command).status(1).err();
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = bench.command(command).stdout(writer).stderr(Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(1), "{command:.60}");
    }
}

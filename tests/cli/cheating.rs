//! A class is graded: programs that cheat get no point, and odd but honest ones get theirs.

use std::path::Path;

use crate::support::{Bench, RunResult};

/// Two sums, so that a constant is not enough.
const TESTS: &str =
    "Tests(version: 1, cases: [(name: \"sums\", ram: \"any\", limit: 10000, steps: [
    Set(\"x\", 2), Set(\"y\", 3), Prints(\"5\"), Halts, Is(\"[GREEN]\", 5),
    Reset, Set(\"x\", 4), Prints(\"7\"), Halts, Is(\"[GREEN]\", 7),
])])";
const NAMES: &str = ".var x\n.var y\n.allow unwritten\n.pool\n";
const CONSTANT: &str = " LDI 5\n ST 0x1fe0\n LDI '5'\n ST 0x1fff\n HALT\n";
const SUM: &str = " LD x\n ADD y\n ST 0x1fe0\n ADD #'0'\n ST 0x1fff\n HALT\n";

/// A routine whose name is the prefix of a program's names in tests.
const ROUTINE: &str = " .call program()\n HALT\n.routine program()\n LDI 5\n ST GREEN\n LDI '5'\n \
    ST 0x1fff\ndone: JMP done\n.endroutine\n";
/// Returns a program with other names or code around the sum.
fn sum(before: &str, changed: &str, into: &str) -> String {
    format!("{before}{NAMES}{}", SUM.replace(changed, into))
}

/// Returns a class in which the student `anna` has solved the task.
fn class() -> Bench {
    Bench::new()
        .file("sum.test.ron", TESTS)
        .file("solution/sum.asm", sum("", "", ""))
        .file("class/anna/sum.asm", sum("", "", ""))
}

/// Returns the points of each student in a class.
fn points(bench: &Bench) -> Vec<(String, String)> {
    let folders = std::fs::read_dir(bench.path("class")).unwrap();
    let mut names: Vec<_> = folders.map(|folder| folder.unwrap().file_name()).collect();
    names.sort();
    let mut command = bench.command("test --format csv --test sum.test.ron");
    command.args(names.iter().map(|name| Path::new("class").join(name)));
    let csv = RunResult::run(&mut command).text();
    let field = |line: &str, number| {
        line.split("\",").nth(number).unwrap().trim_start_matches('"').to_owned()
    };
    let points = |line: &str| field(line, 3).split(',').nth(2).unwrap().to_owned();
    csv.lines().skip(1).map(|line| (field(line, 0), points(line))).collect()
}

#[test]
#[cfg(unix)]
fn cheating_gets_no_point() {
    let panel = "GREEN = 100\nMAILBOX = 0x1fff\n";
    let bench = class()
        .file("class/own green/sum.asm", sum("GREEN = 100\n", "0x1fe0", "GREEN"))
        .file("class/variable/sum.asm", sum(".var GREEN\n", "0x1fe0", "GREEN"))
        .file("class/library/lib/panel.asm", panel)
        .file("class/library/sum.asm", sum(".include \"lib/panel.asm\"\n", "0x1fe0", "GREEN"))
        .file("class/constant/sum.asm", format!("{NAMES}{CONSTANT}"))
        .file("class/before/sum.asm", sum("", " LD x\n", " LDI '5'\n ST 0x1fff\n LD x\n"))
        .file("class/after/sum.asm", sum("", " HALT\n", " ST 0x1fff\n HALT\n"))
        .file("class/endless/sum.asm", sum("", " HALT\n", "l: JMP m\nm: JMP l\n"))
        .file("class/include/sum.asm", ".include \"../../solution/sum.asm\"\n")
        .file("class/other/sum.asm", ".include \"../anna/sum.asm\"\n")
        .file("class/part/sum.asm", ".include \"part.asm\"\n")
        .file("class/\u{1b}[2J\nok  class/eve  1 of 1/sum.asm", " HALT\n")
        .file("class/aliases/sum.asm", "x = 0x1fe0\ny = 0x1ff8\n LDI '5'\n ST 0x1fff\n HALT\n")
        .file("class/routine/sum.asm", format!("GREEN = 100\n{NAMES}{ROUTINE}"))
        .file("class/tests/sum.test.ron", TESTS.replace('5', "0"))
        .file("class/tests/sum.asm", format!("{NAMES} HALT\n"));
    let link = |to: &str, name: &str| {
        let path = bench.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(bench.path(to), path).unwrap();
    };
    link("solution/sum.asm", "class/part/part.asm");
    link("solution/sum.asm", "class/link/sum.asm");
    link("class/anna", "class/same folder");
    link("solution", "class/teacher's folder");
    link("solution", "class/folder/lib");
    std::fs::write(bench.path("class/folder/sum.asm"), ".include \"lib/sum.asm\"\n").unwrap();
    let points = points(&bench);
    assert_eq!(points.len(), 19, "{points:?}");
    for (student, points) in points {
        assert_eq!(points, if student == "class/anna" { "1" } else { "0" }, "{student}");
    }
}

#[test]
fn odd_but_honest_programs_get_their_points() {
    let dos = sum("", "", "").replace('\n', "\r\n");
    let latin = [&b"; f\xfcr caf\xe9\n"[..], sum("", "", "").as_bytes()].concat();
    let routine = format!(
        "{NAMES} .call total()\n ST 0x1fe0\n ADD #'0'\n ST 0x1fff\n HALT\n\
         .routine total()\n LD x\n ADD y\n.endroutine\n"
    );
    let bench = class()
        .file("class/dos/sum.asm", dos)
        .file("class/latin/sum.asm", latin)
        .file("class/mark/sum.asm", format!("\u{feff}{}", sum("", "", "")))
        .file("class/library/sum.asm", sum(".include \"lib/panel.asm\"\n", "0x1fe0", "GREEN"))
        .file("class/part/sum.asm", ".include \"code/part.asm\"\n")
        .file("class/part/code/part.asm", sum("", "", ""))
        .file("class/J\u{f6}rg M./sum.asm", sum("", "", ""))
        .file("class/own red/sum.asm", sum("RED = 100\n", " HALT\n", " ST RED\n HALT\n"))
        .file("class/twice/sum.asm", sum("", " LD x\n", " LDI 9\n ST 0x1fe0\n LD x\n"))
        .file("class/routine/sum.asm", routine);
    let points = points(&bench);
    assert_eq!(points.len(), 10, "{points:?}");
    assert!(points.iter().all(|(_, points)| points == "1"), "{points:?}");
}

//! Reads of memory that nothing has written, as the debugger and the commands report them.

use crate::support::{Bench, RunResult};

/// The first loop reads `total` before it is written. The second one reads `never`.
const SOURCE: &str = "\
.var total
.var never
.var count
.pool
        LDI 3
        ST count
loop:   LD total
        ADD #1
        ST total
        LD count
        ADD #0xff
        ST count
        JC loop
again:  LD never
        ADD 0x1ffe
        JMP again
";

#[test]
fn a_log_point_names_each_unwritten_byte_that_is_read() {
    let bench = Bench::new().file("p.asm", SOURCE);
    let log = |options: &str| {
        let command = format!("run p.asm --allow unwritten --max-instructions 39 {options}");
        let mut command = bench.command(&command);
        RunResult::run(command.args(["--log", "unwritten: {moment} {byte} {place}"]))
            .status(3)
            .err()
    };
    let never = "34 never p.asm:14\n37 never p.asm:14\nstopped at 0x000f after 39 instructions\n";
    for options in ["", "--engine chips", "--engine timed --seed 1", "--ram random:1 --trace t"] {
        assert_eq!(log(options), format!("6 total p.asm:7\n{never}"), "{options}");
    }
    assert_eq!(log("--set 0:total=4"), never, "a planted value counts as written");
    let late = log("--set 36:never=0");
    assert_eq!(late.lines().nth(1), Some("34 never p.asm:14"), "{late}");
    assert!(!late.contains("37 never"), "{late}");
}

/// The break is set at the end, so the writes of the past are found by executing it again.
#[test]
fn a_break_on_unwritten_bytes_goes_both_ways_and_names_the_byte() {
    let bench = Bench::new().file("p.asm", SOURCE);
    let reason = |keys: &str| {
        let mut command = bench.command("screenshot p.asm --allow unwritten --size 120x30 --keys");
        let keys = format!("Space wait:2000i Space g 3 6 Enter B u n w r i t t e n Enter {keys}");
        let screen = RunResult::run(command.arg(keys)).status(0).text();
        let line = screen.lines().find(|line| line.contains("break unwritten")).map(str::to_owned);
        line.unwrap_or(screen)
    };
    let never = "never: never written, read next by LD at again (p.asm:14)";
    for keys in ["c", "C", "c C"] {
        let line = reason(keys);
        assert!(line.contains(never), "{keys}: {line}");
    }
    for keys in ["C C", "c C C", "C C c C"] {
        let line = reason(keys);
        let total = "total: never written, read next by LD at loop (p.asm:7)";
        assert!(line.contains(total), "{keys}: {line}");
    }
}

#[test]
fn two_runs_differ_in_the_unwritten_bytes_that_they_read() {
    let bench = Bench::new().file("a.asm", SOURCE);
    let other = SOURCE.replace("LD never", "LD spare").replace(".pool", ".var spare\n.pool");
    let bench = bench.file("b.asm", &other);
    let run = |program: &str| format!("{program}.asm --allow unwritten --allow unused");
    let mut command = bench.command("diff --by unwritten");
    let ran = RunResult::run(command.args([run("a"), run("b")])).status(1).text();
    let expected = "\
first difference: hit 2
A: moment 34, again (a.asm:14): reads never, which nothing has written
    again is reached because `JC loop` (line 13, moment 34) did not jump.
    gray1 debug a.asm --allow unwritten --allow unused --at 34
B: moment 34, again (b.asm:15): reads spare, which nothing has written
    again is reached because `JC loop` (line 14, moment 34) did not jump.
    gray1 debug b.asm --allow unwritten --allow unused --at 34
";
    assert_eq!(ran, expected);
}

#[test]
fn a_chain_of_causes_ends_in_the_byte_that_nothing_had_written() {
    let bench = Bench::new().file("p.asm", SOURCE);
    let why = bench.gray1("why p.asm total --at 9 --all --allow unwritten").status(0).text();
    let leaf = "  total is 0x00: nothing had written total before this\n";
    assert!(why.contains(leaf), "{why}");
}

//! `gray1 test`: the results that a teacher relies on, and the messages that a student sees.

use crate::support::terminal::Setup;
use crate::support::{Bench, RunResult, root};

/// A folder with a program and its test file, both named `p`.
pub(super) fn bench(program: &str, cases: &str) -> Bench {
    let tests = format!("Tests(version: 1, cases: [\n{cases}\n])\n");
    Bench::new().file("p.asm", program).file("p.test.ron", tests)
}

/// Prints `ab`, lights LEDs in two rows, and halts with 3 in `x`.
pub(super) const PROGRAM: &str = "\
.include \"lib/panel.asm\"
.var x
        LDI  'a'
        ST   MAILBOX
        LDI  3
        ST   x
        ST   GREEN
        ST   RED + 1
        LDI  'b'
        ST   MAILBOX
done:   HALT
";

/// Typical mistakes, made in copies of our programs. Each row has the program, the original code
/// and the replacement.
const MISTAKES: [(&str, &str, &str); 15] = [
    ("counter", "        ADD  #1\n", "        ADD  #2\n"),
    ("fibonacci", "copy this, RED + row", "copy next, RED + row"),
    ("primes", "(63 - @n * @n) / @n + 1", "(63 - @n * @n) / @n"),
    ("life", "ADD  #1\n        JC   count ", "ADD  #0\n        JC   count "),
    ("scroll", "set  columns + 4, 0", "set  columns + 4, 1"),
    ("selftest", "expect_byte data, 0x5a\n", "expect_byte data, 0x5b\n"),
    ("queens", "ADD  leftward\n        ADD  stack + n ", "ADD  leftward\n        NAND stack + n "),
    ("queens-bits", "increment found", "copy found, found"),
    ("queens-bits-draw", "JC   @queen", "bnc  @queen"),
    ("queens-odometer", "set  RED + @r, 1", "set  RED + @r, 2"),
    ("queens-packed", "LDI  256 - 64", "LDI  256 - 56"),
    ("queens-permute", "  .if @k % 2 == 0", "  .if @k % 2 == 1"),
    ("queens-repair", "@below = (r + 1) % 8", "@below = (r + 2) % 8"),
    ("snake", "increment length", "decrement length"),
    ("puzzle", "move_up cursor", "move_down cursor"),
];

/// The programs pass with any contents of memory at power-up, except those of the first lessons,
/// before the one that clears the panel.
#[test]
fn our_programs_pass_their_tests() {
    let bench = Bench::new();
    let run =
        |words: &str| RunResult::run(bench.command(words).current_dir(root().join("programs")));
    let ran = run("test").status(0);
    assert!(ran.text().ends_with(": all passed\n"), "{}", ran.text());
    for ram in ["ones", "random:4", "random:5"] {
        let text = run(&format!("test --ram {ram}")).status(1).text();
        let failed = text.lines().filter_map(|line| line.strip_prefix("FAILED  lessons/"));
        let failed: Vec<&str> = failed.map(|name| &name[..2]).collect();
        assert_eq!(failed, ["01", "02", "03"], "{text}");
        assert!(text.contains(" cases: 3 failed; "), "{text}");
    }
}

#[test]
fn a_mutation_of_each_of_our_programs_is_found() {
    let programs = root().join("programs");
    let read = |name: &str| std::fs::read_to_string(programs.join(name)).unwrap();
    for (name, right, wrong) in MISTAKES {
        let source = read(&format!("{name}.asm"));
        assert!(source.contains(right), "{name}.asm has no {right:?}");
        let bench = Bench::new()
            .file("p.asm", source.replacen(right, wrong, 1))
            .file("p.test.ron", read(&format!("{name}.test.ron")));
        let ran = bench.gray1("test p.asm").status(1);
        let out = ran.text();
        // The assembler accepts the program, and a case fails.
        assert!(
            out.starts_with("FAILED  p.asm: "),
            "{name}: {wrong:?} instead of {right:?}\n{out}"
        );
    }
}

#[test]
fn a_passing_program_takes_one_line() {
    let bench = bench(
        PROGRAM,
        r#"(name: "all steps", steps: [
            Set("x", 5), Is("[x]", 5), Bytes("x", [5]),
            Prints("a"), Is("[x]", 5), AtMost(2), AtLeast(2),
            RunTo("write x"), Is("[x]", "A"),
            RunToLeds("
                G G . . . . . .
                R R . . . . . .
                ........
                ........
                ........
                ........
                ........
                ? ? ? ? ? ? ? ?
            "),
            Hold("left+a"), Is("[BUTTONS]", 0b0001_0100), Hold("-"),
            Run(2), Prints("b"), Halts, Is("PC", "done"), AtLeast(9), Reset,
            Is("PC", 0), Prints("ab"),
        ]),
        (name: "another", ram: "ones", engine: "chips", steps: [PrintsMore, Halts]),"#,
    );
    bench
        .gray1("test")
        .status(0)
        .stdout("ok      p.asm: 2 cases, 26 instructions\n1 program, 2 cases: all passed\n")
        .stderr("");
    bench
        .gray1("test p.test.ron --engine chips --ram random:1 --case another")
        .status(0)
        .stdout("ok      p.asm: 1 case, 9 instructions\n1 program, 1 case: all passed\n");
}

/// The explanation of a failure with these steps, without its first line and the case's name.
fn why(steps: &str) -> String {
    let bench = bench(PROGRAM, &format!("(name: \"c\", limit: 50, steps: [{steps}])"));
    let ran = bench.gray1("test").status(1);
    let out = ran.text();
    let head = "FAILED  p.asm: 1 of 1 case failed\n\n    case c\n    p.test.ron:2:";
    let tail = "      gray1 debug --test p.test.ron --case c\n\n1 program, 1 case: 1 failed\n";
    let rest = out.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
    let why = rest.and_then(|rest| rest.split_once(": "));
    why.unwrap_or_else(|| panic!("{out}")).1.to_owned()
}

/// Failing steps, with the messages about them.
const FAILURES: [(&str, &str); 8] = [
    (
        "RunToLeds(\"R G . . . . . .\\n? . . . . . . .\\n? . . . . . . .\\n? . . . . . . .\\n? . . . . . . .\\n\
         ? . . . . . . .\\n? . . . . . . .\\n? . . . . . . .\")",
        "\
the program halted before the LEDs showed this
      expected           actual
      R G . . . . . .    G G . . . . . .  <
      ? . . . . . . .    R R . . . . . .  <
      ? . . . . . . .    . . . . . . . .
      ? . . . . . . .    . . . . . . . .
      ? . . . . . . .    . . . . . . . .
      ? . . . . . . .    . . . . . . . .
      ? . . . . . . .    . . . . . . . .
      ? . . . . . . .    . . . . . . . .
    after 9 instructions, at done (p.asm:11)
",
    ),
    (
        "Prints(\"axe\")",
        "\
the output first differs at line 1, column 2
      expected  axe
      actual    ab
                 ^
    after 8 instructions, at done (p.asm:11)
",
    ),
    (
        "Lines([\"ab\"])",
        "\
the program halted before it had printed this
      expected  ab\\n
      actual    ab
                  ^
    after 9 instructions, at done (p.asm:11)
",
    ),
    (
        "Prints(\"a\"), Halts",
        "\
more output than expected, starting at line 1, column 2
      expected  a
      actual    ab
                 ^
    after 8 instructions, at done (p.asm:11)
",
    ),
    (
        "Is(\"[x]\", 7), Halts",
        "\
`[x]` differs
      expected  7 (0x07)
      actual    0 (0x00)
    after 0 instructions, at 0x0000 (p.asm:3)
",
    ),
    (
        "Bytes(\"x\", [0, 1]), Halts",
        "\
0x0001 differs
      expected  0x00 0x01
      actual    0x00 0x00
                        ^
    after 0 instructions, at 0x0000 (p.asm:3)
",
    ),
    (
        "RunTo(\"mailbox 'c'\")",
        "\
the program halted before `mailbox 'c'`
    after 9 instructions, at done (p.asm:11)
",
    ),
    (
        "Run(40)",
        "\
the program halted
      expected  40 instructions
      actual    9 instructions
    after 9 instructions, at done (p.asm:11)
",
    ),
];

#[test]
fn a_failure_shows_the_position_of_the_first_difference() {
    for (steps, expected) in FAILURES {
        assert_eq!(why(steps), expected, "{steps}");
    }
}

#[test]
fn mistakes_in_a_test_file_have_a_place() {
    for (cases, message) in [
        (
            "(name: \"c\", steps: [Fly])",
            "p.test.ron:2:21: unknown name `Fly`; known are Hold, Set, ",
        ),
        ("(name: \"c\", steps: [Halts], engine: \"x\")", "p.test.ron:2:38: engine: expected instr"),
        ("(name: \"c\", points: 1.5, steps: [Halts])", "p.test.ron:2:21: points: expected a whole"),
    ] {
        let ran = bench(PROGRAM, cases).gray1("test").status(1);
        let out = ran.text();
        assert!(out.contains(message), "{message}\n{out}");
    }
    let bench = Bench::new().file("p.asm", PROGRAM);
    bench.gray1("test").error("there is no test file (*.test.ron) in .");
    bench.gray1("test p.asm").error("there is no test file (*.test.ron) next to p.asm");
}

#[test]
fn a_teacher_tests_a_program_from_elsewhere() {
    let bench = bench("FLY\n", "(name: \"c\", steps: [Prints(\"ab\"), Halts])")
        .file("student.asm", PROGRAM)
        .file(
            "other.test.ron",
            "Tests(version: 1, program: \"student.asm\", cases: [(name: \"c\", \
              steps: [Halts])])",
        );
    bench.gray1("test p.test.ron --program student.asm").status(0);
    let ran = bench.gray1("test").status(1);
    let out = ran.text();
    assert!(out.starts_with("ok      student.asm: 1 case, 9 instructions\nERROR   p.asm\n"));
    assert!(out.contains("unknown instruction `FLY`"), "{out}");
    assert!(out.ends_with("2 programs, 2 cases: 1 failed; 1 of 2 programs passed\n"), "{out}");
}

#[test]
fn a_condition_that_would_take_seconds_to_watch_is_refused() {
    let endless = ".pool\n.var n\nloop: LD n\n ADD #1\n ST n\n JMP loop\n";
    // 99 and 101 names, numbers and operators.
    for (terms, why) in [
        (49, "the limit of 999 instructions was reached before"),
        (50, "expected at most 100 names, numbers and operators"),
    ] {
        let condition = format!("when {} == 0xfffff", vec!["A"; terms].join("+"));
        let case = format!("(name: \"a\", limit: 999, steps: [RunTo(\"{condition}\")])");
        let stdout = bench(endless, &case).gray1("test").status(1).text();
        assert!(stdout.contains(why), "{terms}: {stdout}");
    }
}

#[test]
fn autograders_read_json_and_junit() {
    let cases =
        "(name: \"good <&>\\\"\", steps: [Halts]), (name: \"bad\", steps: [Prints(\"ax\")])";
    let bench = bench(PROGRAM, cases);
    let json = bench.gray1("test --format json").status(1);
    let json: serde_json::Value = serde_json::from_slice(json.out()).unwrap();
    assert_eq!((&json["cases"], &json["failed"]), (&2.into(), &1.into()));
    let [good, bad] = [0, 1].map(|n| &json["programs"][0]["cases"][n]);
    assert_eq!((&good["passed"], &good["instructions"]), (&true.into(), &9.into()));
    let failure = &bad["failure"];
    for (key, value) in [
        ("position", "p.test.ron:2:61"),
        ("expected", "ax"),
        ("actual", "ab"),
        ("place", "done (p.asm:11)"),
        ("debug", "gray1 debug --test p.test.ron --case bad"),
    ] {
        assert_eq!(failure[key], value, "{failure}");
    }
    assert_eq!(failure["moment"], 8);

    let junit = bench.gray1("test --format junit").status(1);
    let junit = junit.text();
    for line in [
        "<testsuites name=\"gray1\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"0.",
        "<testcase name=\"good &lt;&amp;&gt;&quot;\" classname=\"p.test.ron\" time=\"0.",
        "<failure message=\"the output first differs at line 1, column 2\">",
    ] {
        assert!(junit.contains(line), "{line}\n{junit}");
    }
}

/// The debugger replays the buttons that the case holds, so it can go back past them.
#[test]
fn the_command_of_a_failure_opens_the_debugger_at_that_moment() {
    let program = "\
again:  LD   0x1ffe
        ST   0x1fe0
        JMP  again
";
    let case = "(name: \"a button\", steps: [Run(30), Hold(\"up\"), Run(30), Is(\"[0x1fe0]\", 2)])";
    let bench = bench(program, case);
    let ran = bench.gray1("test").status(1);
    let command = "gray1 debug --test p.test.ron --case 'a button'";
    assert!(ran.text().contains(command), "{}", ran.text());

    let setup = Setup::gray1(&bench.path(""), "debug --test p.test.ron");
    let mut terminal = setup.env("NO_COLOR", "1").env("LC_ALL", "C").start();
    terminal.wait_for("count 60");
    terminal.wait_for("p.test.ron:2:58: `[0x1fe0]` differs: expected 2");
    // Goes back to the LED change that the button caused. The button is held from instruction 30.
    terminal.keys("N");
    terminal.wait_for("count 32");
    terminal.wait_for("green row 0: 00 -> 01");
    terminal.keys("q");
    terminal.ends_with(0);
    // Without a terminal, the answers are sentences.
    let listened = bench.gray1_with_input("debug --test p.test.ron", b"back led\n").status(0);
    let answer = "LED row 0, column 0 turned green. Line";
    assert!(listened.text().contains(answer), "{}", listened.text());
}

/// The instructions of library macros count at the lines that call them.
#[test]
fn a_profile_shows_the_cost_of_each_line() {
    let program = "\
.include \"lib/panel.asm\"
.include \"lib/std.asm\"
.var left
.pool
        set  left, 3
turn:   set  MAILBOX, 'x'
        LD   left
        ADD  #-1
        ST   left
        bnz  left, turn
        JMP  done
        SHR
done:   HALT
";
    let bench = Bench::new().file("p.asm", program);
    let ran = bench.gray1("run p.asm --allow unreachable --profile").status(0).stdout("xxx");
    ran.stderr(
        "          times    instructions   share  line
              3               9   30.0%  p.asm:10  bnz  left, turn
              3               6   20.0%  p.asm:6   turn:   set  MAILBOX, 'x'
              3               3   10.0%  p.asm:7   LD   left
              3               3   10.0%  p.asm:8   ADD  #-1
              3               3   10.0%  p.asm:9   ST   left
              1               2    6.7%  p.asm:4   .pool
              1               2    6.7%  p.asm:5   set  left, 3
              1               1    3.3%  p.asm:11  JMP  done
              1               1    3.3%  p.asm:13  done:   HALT
executed: 14 of 15 instructions, 9 of 10 lines
never executed: p.asm:12
halted at 0x000e after 30 instructions
",
    );
    for engine in ["instruction", "chips"] {
        let options = format!("--allow unreachable --engine {engine} --message-format json");
        let run = format!("run p.asm --profile {options}");
        let err = bench.gray1(&run).status(0).err();
        let json: serde_json::Value = serde_json::from_str(err.lines().next().unwrap()).unwrap();
        assert_eq!((&json["instructions"], &json["words_executed"]), (&30.into(), &14.into()));
        let turn = &json["lines"][2];
        assert_eq!((&turn["line"], &turn["times"]), (&6.into(), &3.into()), "{turn}");
        assert_eq!(json["counts"][4], serde_json::json!([4, 3]));
    }
}

/// A test file with cases of these names. Their programs end at once.
fn tests(program: &str, names: &[&str]) -> String {
    let case = |name: &&str| format!("(name: \"{name}\", steps: [Halts])");
    let cases: Vec<String> = names.iter().map(case).collect();
    format!("Tests(version: 1, {program}cases: [\n{}\n])\n", cases.join(",\n"))
}

#[test]
fn a_case_is_chosen_by_its_name_among_all_files() {
    let bench = Bench::new()
        .file("p.asm", "HALT\n")
        .file("p.test.ron", tests("", &["one", "two"]))
        // A missing program fails only its own cases.
        .file("q.test.ron", tests("", &["three"]));
    let ran = bench.gray1("test --case two").status(0);
    assert!(ran.text().contains("1 program, 1 case"), "{}", ran.text());
    bench.gray1("test --case four").error("there is no case called \"four\"");
    bench.gray1("test --case three").status(1);
    bench.gray1("test --program p.asm").error(
        "--program needs exactly one test file; --test FILE runs one test file on several \
         programs",
    );
    // The arguments that a shell makes of `--program class/*`.
    bench.gray1("test p.test.ron --program p.asm no-tests.asm").error(
        "there is no test file (*.test.ron) next to no-tests.asm; --test FILE runs one test file \
         on several programs",
    );
    bench.gray1("test --program p.asm q.test.ron").status(0);
}

#[test]
fn test_files_are_searched_for_where_they_are_not_hidden() {
    let bench = Bench::new()
        .file("a/p.asm", "HALT\n")
        .file("a/p.test.ron", tests("", &["shown"]))
        .file(".b/p.asm", "HALT\n")
        .file(".b/p.test.ron", tests("", &["hidden"]));
    let ran = bench.gray1("test").status(0);
    assert!(ran.text().contains("1 program, 1 case"), "{}", ran.text());
    // A program without a suffix is found by its tests as well.
    let bench = bench
        .file("a/program", "HALT\n")
        .file("a/q.test.ron", tests("program: \"program\", ", &["beside"]));
    bench.gray1("test a/q.test.ron").status(0);
}

#[test]
fn options_override_the_machine_of_a_case() {
    let case = "(name: \"c\", engine: \"timed\", seed: 3, steps: [Prints(\"b\")])";
    let bench = bench("LDI 'a'\nST 0x1fff\nHALT\n", case);
    let ran = bench.gray1("test --engine chips --ram ones").status(1);
    let debug = "gray1 debug --test p.test.ron --case c --engine chips --ram ones";
    assert!(ran.text().contains(debug), "{}", ran.text());
    assert!(!ran.text().contains("--seed"), "{}", ran.text());
}

/// The report is one line with the counts of the run on zeros if all runs pass. Otherwise it shows
/// the first run that fails.
#[test]
fn a_case_runs_with_any_contents_of_memory() {
    let case = "(name: \"c\", ram: \"any\", steps: [Halts, Is(\"[0x1fe0] < 128\", 1)])";
    let bench = bench("        LD 0\n        ST 0x1fe0\ndone:   HALT\n", case);
    let failed = |options: &str, summary: &str, ram: &str| {
        let text = bench.gray1(&format!("test{options}")).status(1).text();
        let debug = format!("gray1 debug --test p.test.ron --case c --ram {ram}\n");
        assert!(text.contains(summary) && text.contains(&debug), "{text}");
        assert!(text.ends_with("\n1 program, 1 case: 1 failed\n"), "{text}");
    };
    failed("", "differs (memory at power-up: ones; nothing wrote 0x0000 before)\n", "ones");
    failed(" --ram random:7", "differs\n", "random:7");
    bench.gray1("test --ram zero").status(0);
    for command in ["debug --test p.test.ron", "debug --test p.test.ron --case c --ram ones"] {
        let setup = Setup::gray1(&bench.path(""), command);
        let mut terminal = setup.env("NO_COLOR", "1").env("LC_ALL", "C").start();
        terminal.wait_for("A  ff 1111 1111");
        terminal.wait_for("count 3");
        terminal.keys("q");
        terminal.ends_with(0);
    }

    let loops = "        LD 0\n        ADD 0\n        JC done\n        LDI 1\ndone:   HALT\n";
    let bench = bench.file("p.asm", loops);
    let any = tests("", &["c"]).replace("steps", "ram: \"any\", steps");
    let ran = bench.file("p.test.ron", any).gray1("test").status(0);
    assert_eq!(
        ran.text(),
        "ok      p.asm: 1 case, 5 instructions\n        c: 5 contents tried, not proved\n1 \
         program, 1 case: all passed\n"
    );
}

#[test]
fn a_long_test_shows_its_progress() {
    let case = "(name: \"c\", limit: 1000000000000, steps: [Halts])";
    let bench = bench(".var n\nloop: ADD n\n JMP loop\n", case);
    let terminal = Setup::gray1(&bench.path(""), "test").plain().size(100, 20).start();
    terminal.wait_for("p.asm: c: ").wait_for(" instructions");
    terminal.signal(rustix::process::Signal::TERM);
    let left = terminal.ends_with(143);
    assert!(!left.contains(" instructions"), "{left}");
}

//! `gray1 test --mistakes`: finds the parts of a program that its tests do not check.

use super::test::{PROGRAM, bench};
use crate::support::{Bench, root};

/// Lines whose mutations pass all cases are reported, unless the test file accepts them.
#[test]
fn mistakes_that_no_case_notices_are_reported() {
    let bench = bench(PROGRAM, "(name: \"c\", steps: [Prints(\"ab\"), Halts])");
    bench.gray1("test --mistakes").status(1).stdout(
        "\
FAILED  p.asm: 1 case, 9 instructions
    line 5, `LDI 3`: no case notices if it is missing
    line 6, `ST x`: no case notices if it is missing
    line 7, `ST GREEN`: no case notices if it is missing
    line 8, `ST RED + 1`: no case notices if it is missing
1 program, 1 case: all passed, 4 mistakes go unnoticed
",
    );
    let ran = bench.gray1("test --mistakes --format json").status(1);
    let report: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
    let expected = serde_json::json!({
        "file": "p.asm", "line": 5, "source": "LDI 3", "instruction": "LDI 0x03",
        "replacement": null,
    });
    assert_eq!(report["programs"][0]["mistakes"][0], expected);
    bench.gray1("test --mistakes --format junit").status(2);

    let tests = |accepted: &str| {
        format!(
            "Tests(version: 1, accepted: [{accepted}], cases: [(name: \"c\", ram: \"any\", \
             steps: [Prints(\"ab\"), Halts, Is(\"[GREEN]\", 3), Is(\"[RED + 1]\", 3)])])"
        )
    };
    let bench =
        bench.file("p.test.ron", tests("(\"ST  x\", \"it is not read\"), (\"ADD #1\", \"\")"));
    bench.gray1("test --mistakes").status(1).stdout(
        "\
FAILED  p.asm: 1 case, 9 instructions
    `ADD #1` need not be accepted: a case notices it, or there is no such line
1 program, 1 case: all passed, no mistake goes unnoticed
",
    );
    // The accepted line need not exist in another program.
    bench.gray1("test --mistakes p.test.ron --program p.asm").status(0);
    let bench = bench.file("p.test.ron", tests("(\"ST x\", \"it is not read\")"));
    bench.gray1("test --mistakes").status(0);
}

/// With `JMP loop` instead of `JC loop`, the program never ends. With `LDI 4` instead of `LDI 3`,
/// it takes longer.
#[test]
fn a_mutation_that_never_ends_is_stopped() {
    let program = ".pool\n        LDI  3\nloop:   ST   0x1fe0\n        ADD  #-1\n        \
                   JC   loop\n        HALT\n";
    let steps = "Halts, Is(\"[0x1fe0]\", 0), AtLeast(16), AtMost(16)";
    let case = format!("(name: \"c\", ram: \"any\", limit: 1000000000000, steps: [{steps}])");
    let ran = bench(program, &case).gray1("test --mistakes").status(0);
    assert!(ran.text().ends_with("all passed, no mistake goes unnoticed\n"), "{}", ran.text());
}

/// Checks that incomplete tests of two programs miss a mistake, and that the present tests of
/// several programs miss none.
#[test]
fn our_programs_have_no_mistakes_that_no_case_notices() {
    for (program, steps, line) in [
        ("queens-bits", "Lines([\"92\"]), Halts, AtMost(60_000)", "line 66, `ST RED + 7`"),
        (
            "primes",
            "Prints(\"2\\n3\\n5\\n7\\n\"), PrintsMore, Halts",
            "line 46, `set RED + @n / 8, 1 << @n % 8`",
        ),
    ] {
        let tests = format!(
            "Tests(version: 1, program: \"{program}\", cases: [(name: \"c\", ram: \"any\", \
             steps: [{steps}])])"
        );
        let ran = Bench::new().file("p.test.ron", tests).gray1("test --mistakes").status(1);
        let reported = format!("    {line}: no case notices if it is missing\n");
        assert!(ran.text().contains(&reported), "{}", ran.text());
    }
    // Checks only the programs that take no more than seconds.
    for program in ["bring-up", "counter", "fibonacci", "primes", "queens-bits", "scroll"] {
        let path = root().join(format!("programs/{program}.test.ron"));
        let ran = Bench::new().gray1(&format!("test --mistakes {}", path.display())).status(0);
        assert!(ran.text().ends_with("no mistake goes unnoticed\n"), "{}", ran.text());
    }
}

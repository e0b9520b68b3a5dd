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
        "file": "p.asm", "line": 5, "index": 2, "source": "LDI 3", "instruction": "LDI 0x03",
        "replacement": null, "executed": true,
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
1 program, 1 case: all passed, each of 21 mistakes is noticed, accepted or has no effect
",
    );
    // The accepted line need not exist in another program.
    bench.gray1("test --mistakes p.test.ron --program p.asm").status(0);
    let bench = bench.file("p.test.ron", tests("(\"ST x\", \"it is not read\")"));
    bench.gray1("test --mistakes").status(0);
}

/// A line that no case executes is reported, and so is an image, by its indexes.
#[test]
fn lines_that_no_case_executes_are_reported() {
    let program = "        LDI  0\n        JC   other\n        ST   0x1fff\n        HALT\n\
                   other:  LDI  1\t; never\n        HALT\n";
    let case = "(name: \"c\", steps: [Prints(\"\\0\"), Halts])";
    let bench = bench(program, case);
    let tests = std::fs::read(bench.path("p.test.ron")).unwrap();
    let never = "no case executes it";
    bench.gray1("test --mistakes").status(1).stdout(format!(
        "\
FAILED  p.asm: 1 case, 4 instructions
    line 5, `other: LDI 1`: {never}
    line 6, `HALT`: {never}
1 program, 1 case: all passed, each of 10 mistakes is noticed or has no effect, 2 lines never executed
"
    ));
    bench.gray1("asm p.asm -o q.bin -q").status(0);
    let bench = bench.file("q.test.ron", tests);
    let ran = bench.gray1("test --mistakes q.test.ron --program q.bin").status(1);
    let out = ran.text();
    assert!(out.contains(&format!("    0x0004, `LDI 0x01`: {never}\n")), "{out}");
}

/// In a repeat, a case may notice that all rows are missing, but not that one is.
#[test]
fn one_iteration_of_a_repeat_is_left_out_at_a_time() {
    let program =
        ".include \"lib/panel.asm\"\n LDI 0\n.repeat 8, r\n ST GREEN + r\n.endrepeat\n HALT\n";
    let case = |name: &str, row: &str| {
        format!("(name: \"{name}\", ram: \"ones\", steps: [Halts, Is(\"[GREEN + {row}]\", 0)])")
    };
    let bench = bench(program, &case("one", "1"));
    let out = bench.gray1("test --mistakes").status(1).text();
    let line =
        "    line 4, `ST GREEN + r`: no case notices if it is missing in iteration 0, at 0x0001\n";
    assert!(out.contains(line), "{out}");
    assert!(out.ends_with("all passed, 1 mistake goes unnoticed\n"), "{out}");

    let bytes = "Bytes(\"GREEN\", [0, 0, 0, 0, 0, 0, 0, 0])";
    let all = format!("(name: \"all\", ram: \"ones\", steps: [Halts, {bytes}])");
    let tests = format!("Tests(version: 1, cases: [{all}, {}])", case("one", "1"));
    let bench = bench.file("p.test.ron", tests);
    bench.gray1("test --mistakes").status(0);
    // With all cases for each mistake, it is seen that one of them is not needed.
    let csv = bench.gray1("test --mistakes --format csv").status(0).text();
    for line in [
        "program,file,line,index,source,mistake,effect,'all','one'",
        "'p.asm','p.asm',4,1,'ST GREEN + r','if it is missing in iteration 0, at 0x0001',1,1,0",
        "'p.asm','p.asm',4,2,'ST GREEN + r','if it is missing in iteration 1, at 0x0002',1,1,1",
        "'p.asm',,,,,'notices no mistake that the other cases do not notice',,0,1",
    ] {
        assert!(csv.replace('"', "'").lines().any(|it| it == line), "{line}\n{csv}");
    }
    let json = bench.gray1("test --mistakes --format json").status(0).text();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let matrix = &json["programs"][0]["matrix"];
    assert_eq!(matrix["superfluous"], serde_json::json!(["one"]));
    let trial = matrix["trials"].as_array().unwrap().last().unwrap();
    assert_eq!(trial["noticed_by"], serde_json::json!(["all", "one"]));
    let broken =
        bench.file("p.asm", " FLY\n").gray1("test --mistakes --format csv").status(1).text();
    assert!(broken.contains("\"p.asm\",\"error: unknown instruction `FLY`\""), "{broken}");
}

/// A program without instructions runs through erased words, so there is nothing to change.
#[test]
fn nothing_tried_is_not_good() {
    let bench = bench(".title \"nothing\"\n", "(name: \"c\", steps: [Run(1)])");
    let out = bench.gray1("test --mistakes").status(1).text();
    assert!(out.ends_with("1 program, 1 case: all passed, no mistake was tried\n"), "{out}");
}

/// An entry that accepts several lines says which, and an entry with a number accepts one.
#[test]
fn an_accepted_line_is_named_by_its_number() {
    let program = "        LDI  'k'\n        ST   0x1fe0\t; one\n        ST   0x1fff\n\
                   SHR\n        ST   0x1fe0;two\n        HALT\n";
    let tests = |accepted: &str| {
        format!(
            "Tests(version: 1, accepted: [(\"SHR\", \"\"), (\"{accepted}\", \"\")], \
             cases: [(name: \"c\", steps: [Prints(\"k\"), Halts])])"
        )
    };
    let bench = bench(program, "").file("p.test.ron", tests("ST 0x1fe0"));
    let out = bench.gray1("test --mistakes").status(0).text();
    let several = "    `ST 0x1fe0` accepts lines 2, 5; `2: ST 0x1fe0` accepts one of them\n";
    assert!(out.contains(several), "{out}");
    let json = bench.gray1("test --mistakes --format json").status(0).text();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!([{ "entry": "ST 0x1fe0", "lines": [2, 5] }]);
    assert_eq!(json["programs"][0]["ambiguous"], expected);
    let bench = bench.file("p.test.ron", tests("2: ST 0x1fe0"));
    let out = bench.gray1("test --mistakes").status(1).text();
    assert!(out.contains("line 5, `ST 0x1fe0`: no case notices"), "{out}");
    assert!(!out.contains("line 2"), "{out}");
}

/// Instructions of an image have no lines, so an entry accepts all that look the same.
#[test]
fn an_entry_accepts_several_instructions_of_an_image() {
    let program = " LDI 'k'\n ST 0x1fff\n LDI 1\n ST 5\n LDI 2\n ST 5\n HALT\n";
    let tests = "Tests(version: 1, program: \"q.hex\", accepted: [(\"ST 0x0005\", \"\"), \
                 (\"LDI 0x01\", \"\"), (\"LDI 0x02\", \"\")], \
                 cases: [(name: \"c\", steps: [Prints(\"k\"), Halts])])";
    let bench = bench(program, "").file("q.test.ron", tests);
    bench.gray1("asm p.asm -o q.hex -q").status(0);
    let out = bench.gray1("test --mistakes q.test.ron").status(0).text();
    assert!(
        out.ends_with(
            "1 case: all passed, each of 11 mistakes is noticed, accepted or has no effect\n"
        ),
        "{out}"
    );
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
    assert!(ran.text().ends_with("is noticed or has no effect\n"), "{}", ran.text());
}

/// Checks that incomplete tests of two programs miss a mistake, and that the present tests of
/// several programs miss none.
#[test]
fn our_programs_have_no_mistakes_that_no_case_notices() {
    for (program, steps, line) in [
        ("queens-bits", "Lines([\"92\"]), Halts, AtMost(60_000)", "line 67, `ST RED + 7`"),
        (
            "primes",
            "Prints(\"2\\n3\\n5\\n7\\n\"), PrintsMore, Halts",
            "line 47, `set RED + @n / 8, 1 << @n % 8`",
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
        let text = ran.text();
        assert!(text.ends_with(" or has no effect\n"), "{text}");
    }
}

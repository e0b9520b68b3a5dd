//! Good news must be earned: what each command says if there was nothing to look at.

use crate::support::Bench;

/// A capture of one wire that never changes.
const CAPTURE: &str = "$timescale 1 ns $end\n$var wire 1 ! PHASE.0 $end\n$enddefinitions $end\n\
    #0\n0!\n#9000\n";
/// A program that prints nothing, lights nothing and stores nothing.
const LOOP: &str = "again: LDI 1\n JMP again\n";

/// A command, its exit status, and a part of its report or of its messages.
const CASES: [(&str, i32, &str); 18] = [
    ("test run.test.ron", 1, "no step lets the program run"),
    ("test shows.test.ron", 1, "this step looks at nothing"),
    ("test number.test.ron", 1, "this step looks at nothing"),
    ("test loop.test.ron --case other", 1, "there is no case called \"other\""),
    ("test folder", 1, "there is no test file"),
    ("test loop.test.ron --mistakes", 1, "all passed, no mistake has an effect"),
    ("test empty.test.ron --mistakes", 1, "all passed, no mistake was tried"),
    ("diff halt.asm halt.asm", 0, "nothing was compared: neither run has a printed byte"),
    ("diff halt.asm halt.asm --format json", 0, "\"differs\":null"),
    ("diff halt.asm halt.asm --by unwritten", 0, "nothing was compared: neither run has a hit"),
    ("probe still.vcd", 2, "no captured wire changes"),
    ("probe still.vcd halt.asm --run", 2, "no instruction can be compared with the program"),
    ("learn verify --course folder", 1, "there are no lessons"),
    ("asm empty.asm", 0, "warning[end]: this source has no instructions"),
    ("run empty.asm", 0, "note: the program has no instructions"),
    ("run halt.asm --ram any", 1, "disproved"),
    ("fmt --check", 2, "required"),
    ("why loop.asm again+1 --at 1", 0, "this instruction was not executed"),
];

#[test]
fn nothing_looked_at_is_no_good_news() {
    let test = |program: &str, steps: &str| {
        format!(
            "Tests(version: 1, program: \"{program}.asm\", \
             cases: [(name: \"c\", steps: [{steps}])])"
        )
    };
    let any_leds = ["????????"; 8].join("\\n");
    let bench = Bench::new()
        .file("loop.asm", LOOP)
        .file("halt.asm", " LDI 1\n HALT\n")
        .file("empty.asm", "; nothing\n")
        .file("still.vcd", CAPTURE)
        .file("folder/notes.txt", "")
        .file("run.test.ron", test("loop", "Run(0), AtMost(5)"))
        .file("shows.test.ron", test("loop", &format!("Run(1), RunToLeds(\"{any_leds}\")")))
        .file("number.test.ron", test("halt", "Halts, Is(\"2 + 3\", 5)"))
        .file("loop.test.ron", test("loop", "RunTo(\"when moment == 3\")"))
        .file("empty.test.ron", test("empty", "Run(1)"));
    for (command, status, says) in CASES {
        let ran = bench.gray1(command).status(status);
        let said = ran.text() + &ran.err();
        assert!(said.contains(says), "{command}: {said}");
    }
}

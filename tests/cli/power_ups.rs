//! `gray1 run --ram any`: verdicts, the commands that show a difference, and refusals.

use std::io::Read as _;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Bench, RunResult, UncheckedResult};

/// Prints the byte `seed`, which nothing writes.
const PRINTS: &str = ".var seed\n LDI 'a'\n ST 0x1fff\n LD seed\n ST 0x1fff\n HALT\n";
/// Waits in a different loop for each value of bit 0 of `seed`, with all LEDs dark.
const BRANCHES: &str = "
.var seed
    LDI 0
.repeat 16, n
    ST 0x1fe0 + n
.endrepeat
    LD seed
    SHR
    JC one
zero: HALT
one: HALT
";

fn prove(bench: &Bench, options: &str) -> UncheckedResult {
    bench.gray1(&format!("run p.asm --allow unwritten --ram any {options}"))
}

fn bench(source: &str) -> Bench {
    Bench::new().file("p.asm", source)
}

#[test]
fn a_program_is_proved_for_every_memory_at_power_up() {
    let bench = Bench::new();
    let halts = bench.gray1("run queens --ram any").status(0);
    assert_eq!(halts.out(), bench.gray1("run queens").out());
    assert_eq!(
        halts.err(),
        "proved for every content of memory, A and C at power-up: halts after 184,039 \
         instructions; the output and all LEDs are known\nhalted at 0x02d8 after 184039 \
         instructions\n"
    );
    let repeats = bench.gray1("run bring-up --ram any").status(0).err();
    assert!(repeats.starts_with(
        "proved for every content of memory, A and C at power-up: repeats every 83 instructions \
         from moment 48; the output and all LEDs are known\nstopped at "
    ));
}

#[test]
fn a_disproof_shows_two_power_ups_that_differ() {
    for (source, what, output, by) in [
        (BRANCHES, "whether `JC one` at 0x0013 (p.asm:9) jumps", "", "instructions"),
        (PRINTS, "the byte printed by `ST mailbox` at 0x0003 (p.asm:5)", "a", "output"),
        (
            ".var seed\n LD seed\n ST 0x1fe2\n LDI 0\n ST 0x1fe2\n HALT",
            "the LED in column 0 of green row 0 at 0x0004 (p.asm:6)",
            "",
            "leds",
        ),
    ] {
        let bench = bench(source);
        let ran = prove(&bench, "").status(1).stdout(output.as_bytes());
        let err = ran.err();
        let lines: Vec<&str> = err.lines().collect();
        let [verdict, first, second, diff, last] = lines[..] else { panic!("{err}") };
        assert!(verdict.starts_with(&format!("disproved: {what} depends on power-up")), "{err}");
        let open = "  gray1 debug p.asm --allow unwritten --set '0: ";
        assert!(first != second && [first, second].iter().all(|it| it.starts_with(open)), "{err}");
        assert!(diff.ends_with(&format!(" --by {by}")) && last.contains(" at 0x0"), "{err}");
        let args = shlex::split(diff.trim()).unwrap();
        let mut command = bench.command("");
        RunResult::run(command.args(&args[1..])).status(1);
    }
}

#[test]
fn the_bits_that_decide_are_named() {
    let err = prove(&bench(BRANCHES), "").status(1).err();
    assert!(err.contains(" depends on power-up at moment 19: on bit 0 of seed\n"), "{err}");
    let err = prove(&bench(PRINTS), "").status(1).err();
    assert!(err.contains(" depends on power-up at moment 3: on seed\n"), "{err}");
}

#[test]
fn inputs_are_known_unless_they_depend_on_memory() {
    prove(&bench(BRANCHES), "--set '0: seed = 4'").status(0);
    let refused = prove(&bench(BRANCHES), "--set '0: seed = [seed] + 1'").status(2).err();
    assert!(refused.contains("this depends on what memory, A and C held at power-up"), "{refused}");
}

/// `bit` and its complement are never equal, but both are unknown.
const AGREE: &str = "
.var bit
.var complement
    LD bit
    NAND bit
    ST complement
    NAND bit
    ADD #1
    JC all
other: HALT
all: HALT
";

#[test]
fn unknown_bits_that_always_agree_are_not_proved() {
    let ran = prove(&bench(&format!(".pool{AGREE}")), "").status(3);
    assert!(ran.err().starts_with("not proved: whether `JC all` at "), "{}", ran.err());
    assert!(ran.err().contains("unknown bits that always agree are followed separately\n"));
}

/// A program that counts to 65536, prints a byte and then depends on memory, so that the search for
/// an example begins after the byte and takes long.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_search_for_an_example() {
    let count = "
.pool
.var low
.var high
    LDI 0
    ST low
    ST high
count: LD low
    ADD #1
    ST low
    JC carry
    JMP count
carry: LD high
    ADD #1
    ST high
    JC counted
    JMP count
counted: LDI 'a'
    ST 0x1fff
";
    let bench = bench(&format!("{count}{AGREE}"));
    let mut command = bench.command("run p.asm --allow unwritten --ram any");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 1]).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.starts_with("not proved: stopped after 328,715 instructions; "), "{message}");
}

#[test]
fn a_limit_ends_a_proof_without_a_verdict() {
    let ran = Bench::new().gray1("run counter --ram any --max-instructions 5000").status(3);
    assert_eq!(
        ran.err(),
        "not proved: stopped after 5,000 instructions; each jump and printed byte before that \
         is known\nstopped at 0x0017 after 5000 instructions\n"
    );
}

#[test]
fn a_verdict_in_json_has_the_commands() {
    let ran = prove(&bench(PRINTS), "--format json").status(1);
    let verdict: serde_json::Value =
        serde_json::from_str(ran.err().lines().next().unwrap()).unwrap();
    assert_eq!(verdict["verdict"], "disproved");
    assert_eq!(verdict["commands"].as_array().unwrap().len(), 3);
}

#[test]
fn what_needs_one_run_refuses_any() {
    let bench = bench(PRINTS).file("p.test.ron", "Tests(version: 1, cases: [])");
    for command in [
        "run p.asm --engine instruction",
        "run p.asm --board gray1",
        "run p.asm --trace t",
        "run p.asm --vcd t",
        "run p.asm --log '0: x'",
        "debug p.asm",
        "why p.asm A",
        "link p.asm",
        "screenshot p.asm",
        "record p.asm -o p.gif",
        "compare p.asm",
        "test p.test.ron",
    ] {
        let ran = bench.gray1(&format!("{command} --ram any")).status(2);
        assert!(ran.err().contains("--ram any"), "{command}: {}", ran.err());
    }
    let mut command = bench.command("diff");
    RunResult::run(command.args(["p.asm --ram any", "p.asm"])).status(2);
}

/// Runs a case with these fields and steps on a program.
fn test(source: &str, case: &str, options: &str) -> UncheckedResult {
    let tests = format!("Tests(version: 1, cases: [(name: \"a\", ram: \"any\", {case})])");
    let bench = bench(source).file("p.test.ron", &tests);
    bench.gray1(&format!("test --allow unwritten p.asm {options}"))
}

const NOT_PROVED: &str = "        a: 5 contents tried, not proved\n";

#[test]
fn a_check_of_a_byte_that_was_never_written_fails_and_names_it() {
    let copy = ".var x\n.var y\n LD x\n ST y\nend: HALT\n";
    for (step, expected) in [
        ("Is(\"[y]\", 0)", "`[y]` differs (memory at power-up: ones; nothing wrote x before)"),
        ("Bytes(\"y\", [0])", "y differs (memory at power-up: ones; nothing wrote x before)"),
        ("Is(\"[y]\", 255)", "`[y]` differs (nothing wrote x before)"),
    ] {
        let ran = test(copy, &format!("steps: [Halts, {step}]"), "").status(1);
        assert!(ran.text().contains(expected), "{}", ran.text());
    }
    let dark = "........ ".repeat(8).replace(' ', "\\n");
    let ran = test(copy, &format!("steps: [Halts, Leds(\"{dark}\")]"), "").status(1);
    let expected = "first in row 0, column 0 (memory at power-up: ones; nothing wrote green row 0 ";
    assert!(ran.text().contains(expected), "{}", ran.text());
    assert!(ran.text().contains(" --ram ones\n"), "the command shows the failure: {}", ran.text());
    let ran = test(PRINTS, "steps: [Prints(\"a\"), Halts]", "").status(1);
    assert!(ran.text().contains("nothing wrote seed before)"), "{}", ran.text());
}

/// Lights the fourth LED of the top row unless `x` is 0x5a, without a jump.
const RARE: &str = "
.pool
.var x
.var z
.var t
.macro fold count               ; z = z | z >> count
    LD z
.repeat count
    SHR
.endrepeat
    NAND #0xff
    ST t
    LD z
    NAND z
    NAND t
    ST z
.endmacro
    LDI 0
.repeat 16, n
    ST 0x1fe0 + n
.endrepeat
    LD x
    ADD #-0x5a
    ST z
    fold 4
    fold 2
    fold 1
.repeat 3
    ADD z
    ST z
.endrepeat
    NAND #8
    ST t
    NAND t
    ST 0x1fe0
    HALT
";

#[test]
fn a_check_that_rare_contents_fail_fails() {
    let lit = "...G....\\n".to_owned() + &"........\\n".repeat(7);
    let ran = test(RARE, &format!("steps: [Halts, Leds(\"{lit}\")]"), "").status(1);
    for expected in [
        "first in row 0, column 3 (memory at power-up: ",
        ", but x = 90; nothing wrote x before)\n",
        " --set '0: x = 90'\n",
    ] {
        assert!(ran.text().contains(expected), "{}", ran.text());
    }
    // Everything else is known.
    let any = lit.replace('G', "?");
    let ran = test(RARE, &format!("steps: [Halts, Leds(\"{any}\")]"), "").status(0);
    assert!(!ran.text().contains("tried"), "{}", ran.text());
    let ran = test(RARE, "steps: [Halts, Is(\"[z] - [z]\", 0)]", "").status(0);
    assert!(ran.text().contains("a: 1,280 contents tried, not proved\n"), "{}", ran.text());
}

#[test]
fn a_case_is_proved_if_what_it_looks_at_is_known() {
    let read = |ran: &UncheckedResult| ran.status(0).text().contains("tried");
    // Planted bytes are known, and so is a byte that only passes through.
    let case = "steps: [Set(\"seed\", 4), Halts, Is(\"PC\", \"zero\"), Is(\"[GREEN + 9]\", 0)]";
    let source = &format!("GREEN = 0x1fe0\n{BRANCHES}");
    assert!(!read(&test(source, case, "")));
    for steps in [
        // The jump depends on the seed.
        "Halts",
        // Memory may hold this picture at power-up.
        &format!(
            "RunToLeds(\"{}\"), Set(\"seed\", 1), Halts",
            "????????\\n".repeat(7) + ".???????"
        ),
        "Set(\"seed\", 4), RunTo(\"when PC == zero && [x] >= 0\"), Halts",
        "Set(\"seed\", 4), RunTo(\"zero if [x] >= 0\"), Halts",
    ] {
        let source = &source.replace(".var seed", ".var seed\n.var x");
        let ran = test(source, &format!("steps: [{steps}]"), "").status(0);
        assert!(ran.text().contains(NOT_PROVED), "{}", ran.text());
    }
    let planted = "steps: [Set(\"seed\", 4), Halts]";
    for options in ["--engine chips", "--board gray1-b"] {
        assert!(test(source, planted, options).status(0).text().contains(NOT_PROVED));
    }
    let on_chips = format!("engine: \"chips\", {planted}");
    assert!(test(source, &on_chips, "").status(0).text().contains(NOT_PROVED));
    assert!(!read(&test(source, "steps: [Halts]", "--ram ones")), "one run was asked for");
}

#[test]
fn a_seed_stays_one_in_images_and_converted_files() {
    let source = BRANCHES.replace(".var seed", ".seed seed");
    let bench = bench(&source);
    let verdict = "proved for every content of memory except seed; of that, 5 contents tried: ";
    let is_proved = |file: &str| {
        let err = bench.gray1(&format!("run {file} --ram any")).status(0).err();
        assert!(err.starts_with(verdict), "{file}: {err}");
    };
    is_proved("p.asm");
    bench.gray1("asm p.asm").status(0);
    is_proved("p.ron");
    bench.gray1("convert p.ron -o p.bin").status(0);
    bench.gray1("convert p.ron -o p.sym").status(0);
    is_proved("p.bin");
    bench.gray1("disasm p.ron -o again.asm").status(0);
    is_proved("again.asm");
}

//! `gray1 diff`: the first difference between two runs.

use crate::support::{Bench, RunResult};

/// Prints 3, 6, 12, and so on.
const DOUBLES: &str = "\
.var x
        LDI 3
        ST  x
loop:   LD  x
        ST  0x1fff
        ADD x
        ST  x
        JC  end
        JMP loop
end:    HALT
";

#[test]
fn a_change_leads_to_the_first_difference_and_its_cause() {
    let bench = Bench::new().file("p.asm", DOUBLES);
    let ran = bench.command("diff p.asm --at 4 --set x=7").args(["--by", "write x"]).output();
    let stdout = String::from_utf8(ran.unwrap().stdout).unwrap();
    assert_eq!(
        stdout,
        "\
first difference: hit 2
A: moment 6, loop+3 (p.asm:7): writes 0x06 to x
    x is 0x06 because `ST x` (line 7) stored it, `ADD x` (line 6) changed it, and `LDI 0x03` (line 2, \
     moment 1) set it to 0x03.
    gray1 debug p.asm --at 6
B: moment 6, loop+3 (p.asm:7): writes 0x0a to x
    x is 0x0a because `ST x` (line 7) stored it, and it was changed by hand at moment 4.
    gray1 debug p.asm --set '4: x=7' --at 6
"
    );
}

#[test]
fn an_instruction_without_effect_does_not_change_the_output() {
    let longer = DOUBLES.replace("loop:", "        LDI 3\nloop:");
    let bench = Bench::new().file("p.asm", DOUBLES).file("q.asm", &longer);
    bench.gray1("diff p.asm q.asm").status(0).stdout(
        "no difference: 7 printed bytes are the same\n\
         A: halted at end (p.asm:10) after 44 instructions\n\
         B: halted at end (q.asm:11) after 45 instructions\n",
    );
    let stdout = bench.gray1("diff p.asm q.asm --by instructions").status(1).text();
    assert!(stdout.starts_with("first difference: instruction 3\n"), "{stdout}");
}

#[test]
fn the_leds_and_wires_at_power_up_are_compared() {
    let bench = Bench::new().file("p.asm", " LDI 1\n ST 0\nend: HALT\n");
    let run = |by: &str| {
        let sides = ["p.asm --engine chips", "p.asm --engine chips --ram ones", "--by", by];
        let ran = bench.command("diff").args(sides).output().unwrap();
        assert_eq!(ran.status.code(), Some(1));
        String::from_utf8(ran.stdout).unwrap()
    };
    let stdout = run("leds");
    let expected = "first difference: power-up\nA: moment 0, 0x0000 (p.asm:1): led 0, 0 is dark\n";
    assert!(stdout.starts_with(expected), "{stdout}");
    let stdout = run("wires");
    assert!(stdout.starts_with("first difference: power-up\nA: moment 0, "), "{stdout}");
    assert!(stdout.contains("T1: "), "{stdout}");
}

/// The counter of this board does not count in Gray code, so it fails when lines have delays.
#[test]
fn a_machine_that_miscounts_is_found_by_instructions_and_by_wires() {
    let bench = Bench::new();
    let run = |first: &str, by: &str| {
        let second = "queens --board binary-counter --engine timed --seed 4";
        let mut command = bench.command("diff");
        let ran = command.args([first, second, "--by", by]).output().unwrap();
        assert_eq!(ran.status.code(), Some(1));
        String::from_utf8(ran.stdout).unwrap()
    };
    let stdout = run("queens", "instructions");
    assert!(stdout.contains("0000 was executed again where 0001 should follow"), "{stdout}");
    assert!(stdout.contains("PCL is the first chip with a wrong output, in T0"), "{stdout}");
    let stdout = run("queens --engine chips", "wires");
    assert!(stdout.contains("T0: PCL.0=0 PCL.1=0"), "{stdout}");
}

#[test]
fn a_run_that_halts_early_differs_from_one_that_was_stopped() {
    let bench = Bench::new().file("p.asm", DOUBLES).file("short.asm", " HALT\n");
    let stdout = bench.gray1("diff p.asm short.asm").status(1).text();
    assert!(stdout.starts_with("B ended early, before printed byte 1\nA: moment 4, "), "{stdout}");
    let ran = bench.command("diff").args(["p.asm --max-instructions 9", "p.asm"]).output().unwrap();
    let stdout = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(ran.status.code(), Some(3), "{stdout}");
    assert!(stdout.starts_with("B is ahead: A was stopped before printed byte 2\n"), "{stdout}");
}

#[test]
fn each_side_accepts_the_arguments_of_run() {
    let bench = Bench::new().file("p.asm", DOUBLES);
    for (side, why) in [
        ("p.asm --trace t", "'p.asm --trace t': unexpected argument '--trace' found"),
        ("p.asm 'x", "'p.asm 'x': a quote is not closed"),
        ("", "'': the following required arguments were not provided"),
    ] {
        let ran = bench.command("diff").args(["p.asm", side]).output().unwrap();
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(why), "{stderr}");
    }
    let timed = bench.command("run p.asm --engine timed").args(["--set", "2: A=1"]).output();
    let stderr = String::from_utf8(timed.unwrap().stderr).unwrap();
    assert!(stderr.contains("'2: A=1': on this board only data memory can be changed"), "{stderr}");
    for (options, why) in [
        ("p.asm", "required"),
        ("p.asm p.asm --by wires", "`--by wires` needs `--engine chips`"),
        ("p.asm p.asm --by x y", "unexpected argument"),
        ("p.asm --set y=1", "column 1: the program has no `y`"),
        ("p.asm p.asm --at 9", "cannot be used with"),
        ("p.asm --set x=1 --at 99", "the program ended at 44"),
    ] {
        let ran = bench.gray1(&format!("diff {options}"));
        let status = if options.ends_with("99") { 1 } else { 2 };
        assert!(ran.status(status).err().contains(why), "{options}");
    }
}

/// Whatever the name of an existing file looks like, it is that file.
#[test]
fn the_name_of_a_file_is_no_command_line() {
    let names = ["-x.asm", "a b.asm", "it's.asm", "p.asm --ram ones"];
    let bench = names.iter().fold(Bench::new(), |bench, name| bench.file(name, DOUBLES));
    for name in names {
        let ran = bench.command("diff").args(["--", name, name]).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{name}: {ran:?}");
    }
}

/// The expected difference is the first line in which the two traces differ.
#[test]
fn damaged_images_differ_where_their_traces_do() {
    let bench = Bench::new();
    bench.gray1("asm queens -o queens.bin").status(0);
    let image = bench.read("queens.bin");
    for number in 0..24 {
        let mut other = image.clone();
        other[number * 37 % 600] ^= 1 << (number % 8);
        std::fs::write(bench.path("other.bin"), &other).unwrap();
        let trace = |program: &str| {
            let run = format!("run {program} --max-instructions 3000 --trace t");
            drop(bench.command(&run).output().unwrap());
            String::from_utf8(bench.read("t")).unwrap()
        };
        let traces = [trace("queens.bin"), trace("other.bin")];
        let pairs = traces[0].lines().zip(traces[1].lines());
        let same = pairs.take_while(|(a, b)| a == b).count();
        let [a, b] = ["queens.bin", "other.bin"].map(|it| format!("{it} --max-instructions 3000"));
        let ran = bench.command("diff").args([&a, &b, "--by", "instructions"]).output().unwrap();
        let stdout = String::from_utf8(ran.stdout).unwrap();
        if same == 3000 {
            assert!(stdout.starts_with("no difference"), "{number}: {stdout}");
        } else if same < traces[1].lines().count() {
            let first = format!("first difference: instruction {}\n", same + 1);
            assert!(stdout.replace(',', "").starts_with(&first), "{number}: {stdout}");
        }
    }
}

/// Runs without an event are not called equal, and two layouts of the same variable are.
#[test]
fn nothing_is_said_about_what_was_not_compared() {
    let light = |number: u8| format!(" LDI {number}\n ST 0x1fe0\n HALT\n");
    let count = |pad: &str| {
        format!("{pad}.var n\n LDI 3\n ST n\nloop: LD n\n ADD 8\n ST n\n JC loop\n HALT\n")
    };
    let bench = Bench::new()
        .file("a.asm", light(1))
        .file("b c.asm", light(2))
        .file("one.asm", count(""))
        .file("two.asm", count(".allow unused\n.var pad, 5\n"));
    bench.gray1("diff a.asm a.asm").status(0).stdout(
        "nothing was compared: neither run has a printed byte; --by leds compares the LEDs\n\
         A: halted at 0x0002 (a.asm:3) after 3 instructions\n\
         B: halted at 0x0002 (a.asm:3) after 3 instructions\n",
    );
    // A name with a blank is a file and not a command line.
    let differs = RunResult::run(bench.command("diff a.asm --by leds").arg("b c.asm")).status(1);
    assert!(differs.text().contains("B: moment 2, 0x0001 (b c.asm:2): led 0, 0 is dark\n"));
    let ran = bench.gray1("diff one.asm two.asm --by 'write pad'").status(2);
    let error = "error: one.asm: --by 'write pad': column 7: the program has no `pad`\n";
    assert!(ran.err().contains(error), "{}", ran.err());
    let by = ["--by", "when [n] == 3"];
    let ran = RunResult::run(bench.command("diff one.asm two.asm").args(by)).status(0);
    assert!(ran.text().starts_with("no difference: 1 hit is the same\n"), "{}", ran.text());
}

/// A program that prints numbers, and one that prints their digits, store the same numbers.
#[test]
fn outputs_that_differ_by_a_constant_lead_to_a_variable() {
    let count = |print: &str| {
        format!(
            ".pool\n.var n\n.var left\n LDI 3\n ST left\nloop: LD n\n ADD #1\n ST n\n{print} \
             ST 0x1fff\n LD left\n ADD #-1\n ST left\n JC loop\n HALT\n"
        )
    };
    let bench = Bench::new()
        .file("numbers.asm", count(""))
        .file("digits.asm", count(" ADD #'0'\n"))
        .file("other.asm", count(" ADD n\n"));
    let line = |sides: &str| {
        let text = bench.gray1(&format!("diff {sides}")).status(1).text();
        text.lines().nth(1).unwrap().to_owned()
    };
    let offer = |by: &str| {
        format!(
            "so far, B's bytes that differ are A's {by} 48; --by \"write n\" compares the stores \
             to n, which are the same"
        )
    };
    assert_eq!(line("numbers.asm digits.asm"), offer("plus"));
    assert_eq!(line("digits.asm numbers.asm"), offer("minus"));
    assert!(line("numbers.asm other.asm").starts_with("A: "));
    let same = bench.gray1("diff numbers.asm digits.asm --by 'write n'").status(0).text();
    assert!(same.starts_with("no difference: 4 hits are the same\n"), "{same}");
}

//! `gray1 debug --plain`: commands in lines, answers in sentences.

use serde_json::Value;

use crate::support::{Bench, RunResult, root};

/// Stores twice, lights an LED, prints and halts.
const PROGRAM: &str = "\
.var x
        LDI 3
        ST  x
        ADD x
        ST  x
        LDI 0b10
        ST  0x1fe0
        LDI '\\n'
        ST  0x1fff
end:    JMP end
";

fn bench() -> Bench {
    Bench::new().file("p.asm", PROGRAM)
}

/// The answers to these commands, each in its line.
fn session(options: &str, commands: &str) -> RunResult {
    bench().gray1_with_input(&format!("debug p.asm {options}"), commands.as_bytes()).status(0)
}

/// Otherwise nothing would tell an endless loop from a slow machine.
#[test]
fn a_long_run_in_a_pipe_is_announced() {
    let bench = Bench::new().file("loop.asm", "again: LDI 1\n JMP again\n");
    let commands = b"go 9_000_000\ngo 20_000_000\n";
    let text = bench.gray1_with_input("debug loop.asm --plain", commands).status(0).text();
    let said: Vec<&str> = text.lines().collect();
    assert!(
        said[3].starts_with("Still running: 10,000,000 instructions, now at line "),
        "{said:?}"
    );
    assert!(said.len() == 5 && said[4].ends_with(" Moment 20,000,000."), "{said:?}");
}

#[test]
fn a_negative_number_is_not_taken_for_an_address() {
    let ran = bench().gray1_with_input("debug p.asm --plain", b"go -1\n").status(1);
    let expected = "expected a moment: a number of instructions, from 0 on";
    assert!(ran.err().contains(expected), "{}", ran.err());
}

/// A session with its answers. The commands follow `> `.
const SESSION: &str = "\
Debugging p.asm
Moment 0. Next is line 2, LDI 3.
> step
Line 2, LDI 3. A is 3.
> s # a comment
Line 3, ST x. x from 0 to 3.
> # nothing else
> over
Over line 4. A is 6, C is 0. Next is line 5, ST x.
> led
LED row 0, column 1 turned green. Line 7.
> leds
row 0: green 1
row 1: dark
row 2: dark
row 3: dark
row 4: dark
row 5: dark
row 6: dark
row 7: dark
> back
Back before line 7, ST green row 0. LED row 0, column 1 went dark.
> back led
Error: no earlier LED change
> where
Moment 5. Next is line 7, ST green row 0.
> registers
A is 2, C is 0, PC is 0x0005.
> result
Printed line 1: 
Line 9, ST mailbox. Printed a line end.
> step
Halted at line 10, JMP end. Moment 9.
> break write x
Break set: write x. Number 1.
> C
Break write x. Line 5, ST x. x from 3 to 6. Next is line 6, LDI 2. Moment 4.
> breaks
1: write x, 2 hits since power-up
> back 2
Break write x. Back before line 4, ADD x.
> Step  2
Break write x. Line 5, ST x. x from 3 to 6.
> reverse 3
At the start. Next is line 2, LDI 3.
> back 2
Error: already at the beginning
> continue 2
Break write x. Line 5, ST x. x from 3 to 6. Next is line 6, LDI 2. Moment 4.
> print [x]
[x] is 6.
> print [x] * 2
[x] * 2 is 12.
> set x = 9
Changed x from 6 to 9. Running from here starts a new future.
> memory x..x+2
x: 9, 0
> source
4: ADD x
5: ST  x
next, 6: LDI 0b10
7: ST  0x1fe0
8: LDI '\\n'
> jump back
Break write x. Line 3, ST x. x from 0 to 3. Next is line 4, ADD x. Moment 2.
> go 5
Line 6, LDI 2. A is 2. Next is line 7, ST green row 0. Moment 5.
> go :4
Printed line 1: 
Halted at line 10, JMP end. LED row 0, column 1 turned green. Moment 9.
Error: the program ended before that
> go line 1
Line 9, ST mailbox. Printed a line end. Next is line 10, JMP end. Moment 8.
> why led 0, 1
LED 0, 1 is green because `ST green row 0` (line 7) stored it, and `LDI 2` (line 6, moment 5) set \
it to 2.
1: green LED 0, 1 is 1: LDI 2; ST green row 0. Line 7, moment 6.
> why [x]
x is 9 because it was changed by hand at moment 4.
1: x is 9: changed by hand at moment 4.
> why led 0, 1
LED 0, 1 is green because `ST green row 0` (line 7) stored it, and `LDI 2` (line 6, moment 5) set \
it to 2.
1: green LED 0, 1 is 1: LDI 2; ST green row 0. Line 7, moment 6.
> 1
LED row 0, column 1 turned green. Line 7. Next is line 8, LDI 10. Moment 6.
> why back
Line 9, ST mailbox. Printed a line end. Next is line 10, JMP end. Moment 8.
> delete 1
Break removed: write x
> watch [x]
Watch added: [x]
> back 3
Back before line 7, ST green row 0. LED row 0, column 1 went dark.
> back 3
Back before line 4, ADD x.
[x] is 3.
> back 3
At the start. Next is line 2, LDI 3.
[x] is 0.
Error: already at the beginning
> go 5
Line 6, LDI 2. A is 2. Next is line 7, ST green row 0. Moment 5.
[x] is 9.
> watch [x]
Watch removed: [x]
> restart
Restarted at moment 5. Memory keeps its contents. Next is line 2, LDI 3.
> step
Line 2, LDI 3. A is 3.
> back
At the restart. Next is line 2, LDI 3.
> compare 2
These differ between moments 2 and 5.
A from 3 to 2.
PC from 0x0002 to 0x0000.
x from 3 to 9.
> compare 5
Nothing differs between moments 5 and 5.
> led 0, 1
LED 0, 1 is dark. The program has not written this row yet.
> print [green row 0] + [x]
[green row 0] + [x] is 9.
> break read buttons
Break set: read buttons (the program has no instruction that does this). Number 2.
> break when [green row 0] == 2
Break set: when [green row 0] == 2. Number 3.
> delete 2
Break removed: read buttons
> continue
Break when [green row 0] == 2. LED row 0, column 1 turned green. Line 7. Next is line 8, LDI 10. \
Moment 11.
> breaks
3: when [green row 0] == 2, 1 hit since power-up
> delete
Break removed: when [green row 0] == 2
> breaks
No breaks.
> help compare
compare MOMENT: what differs between this known moment and now: registers, LEDs and memory (for \
example: compare 0)
> quit
";

/// What a listener must not believe: the wrong cause, the wrong instruction, the wrong place.
const QUEENS: &str = "\
Debugging queens: Place eight queens so that none attacks another.
Moment 0. Next is line 55, LDI 255. Start with no queens: all squares are free.
> led 1, 1
LED 1, 1 is dark. The program has not written this row yet.
> leds
All LEDs are dark.
> break :78
Break set: :78 (line 82 is the next with an instruction). Number 1.
> break write 5000
Break set: write 5000 (the program has no instruction that does this). Number 2.
> delete
Break removed: write 5000
Break removed: :78
> delete
No breaks.
> go 300
Line 110, LD excluded+14. A is 65. Next is line 111, NAND #255. Moment 300.
> set A = 3
Changed A from 65 to 3. Running from here starts a new future.
> set RED = 255
Changed red row 0 from 1 to 255. Running from here starts a new future.
> why led 0, 5
LED 0, 5 is yellow (queen being placed) because it was changed by hand at moment 300.
1: The queen stays: each row below has a free square. Line 122, moment 164.
2: Does a row below have no free square now? Withdraw her. Line 116, moment 160.
3: Place a queen on the leftmost square still to be tried: untried.5 is 1. Line 94, moment 48.
4: Place a queen on the leftmost square still to be tried: others.5 is 1. Line 86, moment 40.
5: Is there a square left to try in this row? Line 74, moment 35.
> set GREEN + 3 = 0
Changed green row 3 from 246 to 0. Running from here starts a new future.
> why led 3, 4
LED 3, 4 is dark (attacked or tried) because it was changed by hand at moment 300.
1: Start with no queens: all squares are free. Line 59, moment 14.
> go 1000
Line 163, ST N. N from 3 to 4. Next is line 166, LD excluded+36. Moment 1,000.
> step 5
Line 167, NAND #255. A is 8. In 5 steps: LED row 4, column 7 went dark.
> over 3
Over line 168, 3 times. A is 104. Next is line 168, ST green row 6.
> expect [RED] == 255
[RED] == 255 is true.
> expect [RED] < 3
Error: this is not true now (255 and 3)
> help why back
why VALUE, w: explain led 4, 3, a byte, A or PC; then the number of a step goes there, and why \
back returns (for example: why led 4, 3)
> quit
";

/// Runs the commands of a session, and checks the answers.
fn check(arguments: &str, session: &str) {
    let commands = session.lines().filter_map(|line| line.strip_prefix("> "));
    let commands: String = commands.flat_map(|command| [command, "\n"]).collect();
    let arguments = format!("debug {arguments} --plain --echo --keep-going");
    bench().gray1_with_input(&arguments, commands.as_bytes()).status(0).stdout(session);
}

#[test]
fn a_script_says_what_happened_where_and_what_changed() {
    check("p.asm", SESSION);
}

#[test]
fn an_answer_does_not_blame_the_wrong_instruction() {
    check("queens", QUEENS);
}

/// A listener chooses among the steps of an answer, so they must sound different.
#[test]
fn the_steps_of_an_answer_differ() {
    for (program, moment) in [("primes", 700), ("queens-packed", 2000), ("snake", 2000)] {
        let questions = ["2, 1", "4, 4", "6, 7", "A", "C", "PC"].map(|it| format!("why {it}\n"));
        let options = format!("debug {program} --plain --at {moment} --format json");
        let said = bench().gray1_with_input(&options, questions.concat().as_bytes()).status(0);
        for line in said.text().lines() {
            let answer: Value = serde_json::from_str(line).unwrap();
            let lines = answer["answer"].as_array().unwrap();
            let lines = lines.iter().filter_map(|line| line.as_str()?.split_once(": "));
            let steps: Vec<&str> = lines.map(|(_, step)| step).collect();
            for (number, step) in steps.iter().enumerate() {
                assert!(!steps[..number].contains(step), "{program}: {line}");
            }
        }
    }
}

#[test]
fn where_says_the_iteration_of_a_repeat() {
    let program = ".var x\n.repeat 3, i\n@n = i + 1\nLDI @n\nST x\n.endrepeat\nHALT\n";
    let bench = Bench::new().file("p.asm", program);
    let said = bench.gray1_with_input("debug p.asm --plain", b"go 4\nwhere\nprint @n\n").status(1);
    let last = "Moment 4. Next is line 4, LDI 3, iteration 2 of the repeat in line 2.";
    assert!(said.text().ends_with(&format!("{last}\n")), "{}", said.text());
    said.stderr(
        "error: line 3: print @n: column 1: the program has no `@n`: names with @ are known only \
         while it is assembled (for example: print A + 1)\n",
    );
}

#[test]
fn a_script_ends_at_the_first_command_that_fails() {
    let bench = bench();
    let run = bench.gray1_with_input("debug p.asm --plain", b"step\n\nstpe\nstep\n").status(1);
    assert_eq!(run.text().lines().count(), 3, "{}", run.text());
    run.stderr("error: line 3: stpe: no command `stpe`; did you mean `step`?\n");
    for (command, problem) in [
        ("back", "already at the beginning"),
        ("back over", "already at the beginning"),
        ("out", "this instruction is not in a macro call, a repeat or a routine"),
        ("go line 5", "the program ended before that"),
        ("go line x", "expected the number of a line, from 1 on (for example: go line 50)"),
        ("go :99", "column 2: no instruction at or after this line (for example: go line 50)"),
        ("print y", "column 1: the program has no `y` (for example: print A + 1)"),
        (
            "print x == 3",
            "column 1: this condition never changes: write [x] for the byte at x \
            (for example: print A + 1)",
        ),
        (
            "print xx",
            "column 1: the program has no `xx`; did you mean `x`? (for example: print A + 1)",
        ),
        (
            "why led 0, 1 --depth 2",
            "no options here: `gray1 why` in a shell takes --depth and --all \
            (for example: why led 4, 3)",
        ),
        ("step x", "expected how many times (for example: step 3)"),
        ("break write", "column 6: expected a value, found the end (for example: break led 4, 3)"),
        ("set 1", "expected a register or a byte, '=' and its new value (for example: set A = 0)"),
        (
            "memory 5..5",
            "expected FROM..TO, which does not include TO (for example: memory 0x1fe0..0x1fe8)",
        ),
        ("source 99", "the source has no such line"),
        ("press up", "this program does not read the buttons"),
        (
            "press fire",
            "no button is called 'fire' (expected up, down, left, right, a, b, select, \
            start, joined by '+', or '-' for none) (for example: press left)",
        ),
        ("chips PLC", "no chip `PLC`; did you mean `PCL`?"),
        ("where now", "where takes no argument"),
        ("3", "no step 3: ask why first"),
        ("why back", "no question was asked"),
        (
            "led 9, 1",
            "column 5: expected a row and a column from 0 to 7, found 9 (for example: led 4, 3)",
        ),
        ("compare 9", "this moment is not known yet: go there and compare from there"),
        ("compare x", "expected a moment (for example: compare 0)"),
        ("delete 1", "expected a number that breaks has listed (for example: delete 1)"),
        ("delete x", "expected a number that breaks has listed (for example: delete 1)"),
        ("hlp", "no command `hlp`; did you mean `help`?"),
        ("exit", "no command `exit`; help lists the commands"),
        ("help stpe", "no command `stpe`; did you mean `step`?"),
    ] {
        let run = bench.gray1_with_input("debug p.asm --plain", command.as_bytes()).status(1);
        run.stderr(&format!("error: line 1: {command}: {problem}\n"));
    }
}

#[test]
fn a_missed_place_and_a_false_condition_are_errors() {
    let bench = bench();
    for (command, problem) in [
        ("go write 5000", "the program ended before that"),
        ("expect A + 1 == 300", "this is not true now (1 and 300)"),
        ("press -", "expected a button (for example: press left)"),
        (
            "break write led 0, 4",
            "column 7: the program has no `led`: led 4, 3 is a condition by itself, and GREEN + 4 \
            and RED + 4 are the rows (for example: break led 4, 3)",
        ),
    ] {
        let run = bench.gray1_with_input("debug p.asm --plain", command.as_bytes()).status(1);
        run.stderr(&format!("error: line 1: {command}: {problem}\n"));
    }
}

#[test]
fn the_end_of_a_program_and_of_the_input_are_no_errors() {
    let ended = session("--plain --at 100 --keep-going", "where\nstep");
    let said = "Moment 9. Halted at line 10, JMP end.\n\
        Error: the program has ended: back goes back, restart starts it again\n";
    assert!(ended.text().ends_with(said), "{}", ended.text());
    session("--plain", "").stdout("Debugging p.asm\nMoment 0. Next is line 2, LDI 3.\n");
}

#[test]
fn a_pipe_and_the_environment_choose_the_plain_debugger() {
    let plain = session("--plain", "step\n").text();
    assert_eq!(session("", "step\n").text(), plain);
    assert_eq!(session("--keep-going", "step\n").text(), plain);
    let bench = bench();
    for options in ["debug - --plain", "debug -", "debug - --echo"] {
        bench
            .gray1_with_input(options, PROGRAM.as_bytes())
            .misuse("the commands come from standard input, so the program cannot");
    }
    bench.gray1("debug p.asm --plain --watch").misuse("--watch needs a terminal, and not --plain");
}

#[test]
fn a_refusal_of_the_session_is_an_error() {
    let breaks: Vec<String> = (0..65).map(|it| format!("break :3 if A == {it}\n")).collect();
    let run = bench().gray1_with_input("debug p.asm --plain", breaks.concat().as_bytes()).status(1);
    run.stderr("error: line 62: break :3 if A == 61: too many breaks: remove one first\n");
    let run = bench().gray1_with_input("debug p.asm --engine timed", b"step\nset A = 9\n");
    run.status(1)
        .stderr("error: line 2: set A = 9: on this board only data memory can be changed\n");
}

#[test]
fn each_command_has_an_object_in_json() {
    let answers = session("--format json --keep-going", "step\nstpe\n").text();
    let objects: Vec<Value> = answers.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[1]["answer"][0], "Line 2, LDI 3. A is 3.");
    assert_eq!((&objects[1]["moment"], &objects[1]["error"]), (&1.into(), &Value::Null));
    assert_eq!(objects[2]["error"], "no command `stpe`; did you mean `step`?");
}

#[test]
fn phases_and_chips_are_explained() {
    let said = session("--plain --at 1", "phase\nphase\nchips IRH\nback phase\nchips\n").text();
    let lines: Vec<&str> = said.lines().skip(2).collect();
    assert_eq!(
        lines[..4],
        [
            "Phase T1: PROG shows the first byte of the instruction. IRH does not take it yet. \
             PHASE moved.",
            "Phase T2: IRH takes the first byte. The opcode in it says which instruction this is. \
             PHASE, CTRL, IRH moved.",
            "IRH 0x40: IRH_EN rose: opens to PROG",
            "Phase T1: PROG shows the first byte of the instruction. IRH does not take it yet. \
             PHASE moved.",
        ]
    );
    assert_eq!(lines[4..].len(), 14);
}

/// Moves a dot when the button is pressed.
const BUTTONS: &str = "\
wait:   LD  0x1ffe
        ADD #0xff
        JC  seen
        JMP wait
seen:   LDI 1
        ST  0x1fe0
end:    JMP end
";

#[test]
fn a_button_is_pressed_until_the_program_has_read_it() {
    let bench = Bench::new().file("b.asm", format!(".pool\n{BUTTONS}"));
    let commands = b"go 40\npress left\nled\npress up up\nback led\n";
    let said = bench.gray1_with_input("debug b.asm --plain --keep-going", commands).status(0);
    let said = said.text();
    assert!(said.contains("\nHolding left until the program has read it.\nLED row 0, "), "{said}");
    assert!(said.contains(" The program has read left.\nHolding up"), "{said}");
}

/// A break at each read of the buttons must not hold a button for ever.
#[test]
fn a_puzzle_can_be_played_from_read_to_read() {
    let commands = b"break read buttons\ncontinue\npress right\ncontinue 2\nleds\n\
        press right\ncontinue 2\nleds\n";
    let said = bench().gray1_with_input("debug puzzle --plain", commands).status(0).text();
    let cursors: Vec<&str> = said.lines().filter(|line| line.starts_with("row 3")).collect();
    assert_eq!(cursors, ["row 3: green 4", "row 3: green 5"]);
}

#[test]
fn log_points_and_printed_lines_are_reported_during_a_run() {
    let program = ".var x\nLDI 10\nST 0x1fff\nST x\nSHR\nST x\nLDI 10\nST 0x1fff\nHALT\n";
    let commands = b"break write x: x # {[x]}\ncontinue\n";
    let bench = Bench::new().file("p.asm", program);
    let said = bench.gray1_with_input("debug p.asm", commands).status(0).text();
    let lines: Vec<&str> = said.lines().skip(3).collect();
    assert_eq!(
        lines,
        [
            "Printed line 1: ",
            "x # 10",
            "x # 5",
            "Printed line 2: ",
            "Halted at line 9, JMP 0x0007. Moment 8."
        ]
    );
}

#[test]
fn the_session_in_the_document_is_real() {
    let document = std::fs::read_to_string(root().join("docs/ACCESSIBILITY.md")).unwrap();
    let (_, shown) = document.split_once("$ gray1 debug --plain queens\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    check("queens", shown);
}

#[test]
fn a_comparison_says_how_many_bytes_it_leaves_out() {
    let program = "        LDI 1\n.repeat 70, n\n        ST  0x100 + n\n.endrepeat\n        HALT\n";
    let bench = Bench::new().file("p.asm", program);
    let run = bench.gray1_with_input("debug p.asm --plain", b"go 71\ncompare 0\n").status(0);
    let said = String::from_utf8_lossy(run.out());
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.ends_with(" from 0 to 1.")).count(), 1 + 64);
    assert_eq!(lines.last(), Some(&"Also 6 bytes more."), "{said}");
}

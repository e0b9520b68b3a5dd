//! `gray1 run` as scripts rely on it: output streams and exit statuses.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};

use crate::support::{Bench, RunResult, TIMEOUT, Watchdog, arrangements};

/// Prints an exclamation mark for ever.
const CHATTY: &str = " LDI '!'\nloop: ST 0x1fff\n JMP loop\n";

#[test]
fn the_profile_of_an_endless_program_shows_where_it_ran() {
    let bench = Bench::new().file("p.asm", "start: LDI 1\n ST 0x1fe0\n");
    let text = bench.gray1("run p.asm --allow end").status(0).err();
    assert_eq!(
        text,
        "note: the program ran into erased memory at 0x0002; the last instruction was line 2 of \
         p.asm\nhalted at 0x1555 after 4 instructions\n"
    );
    let json = bench.gray1("run p.asm --message-format json").status(0).err();
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&first["name"], &first["line"]), (&"end".into(), &2.into()), "{json}");
    let mut screen = bench.command("screenshot p.asm --size 120x30");
    let screen = RunResult::run(screen.args(["--keys", "s s s s 2"])).status(0);
    let screen = screen.text();
    assert!(screen.contains("ran into erased memory at 0x0002"), "{screen}");
}

/// The symbol file belongs to another program. The note about it must not break the JSON.
#[test]
fn notes_are_json_if_messages_are() {
    let bench = Bench::new().file("p.asm", " LDI 1\n HALT\n");
    bench.gray1("asm p.asm -o p.bin").status(0);
    let bench = bench.file("p.sym", "start label 0x9 1");
    let stderr = bench.gray1("run p.bin --message-format json").status(0).err();
    let note: serde_json::Value = serde_json::from_str(stderr.lines().next().unwrap()).unwrap();
    let message = "ignoring the names in p.sym: they belong to another program";
    assert_eq!(note, serde_json::json!({ "severity": "note", "message": message }));
}

#[test]
fn the_later_of_two_lines_of_buttons_for_one_moment_counts() {
    let source = " LD 0x1ffe\n ST 0x1fff\n HALT\n";
    let bench = Bench::new().file("p.asm", source).file("keys", "0 left\n0 a\n0 -\n0 right\n");
    let both = bench.gray1("run p.asm --buttons keys").status(0);
    let bench = bench.file("keys", "0 right\n");
    bench.gray1("run p.asm --buttons keys").status(0).stdout(both.out());
    assert_ne!(both.out(), b"\0");
}

#[test]
fn every_engine_dumps_the_final_state() {
    let source = ".pool\n.var p, 20\n LDI 7\n ST p\n LDI 200\n ADD #100\n ST p + 17\n HALT\n";
    let bench = Bench::new().file("p.asm", source);
    let first = bench.gray1("run p.asm --dump p..p+1").status(0).err();
    let registers = first.lines().next().unwrap().to_owned();
    assert!(registers.starts_with("A=0x2c C=1 PC=0x"), "{registers}");
    for engine in ["instruction", "chips", "timed"] {
        let run = |ranges: &str| {
            let ran = bench.gray1(&format!("run p.asm --engine {engine} {ranges}")).status(0);
            let stderr = ran.err();
            let (dump, _) = stderr.split_once("halted at").unwrap();
            let (start, dump) = dump.split_once('\n').unwrap();
            assert_eq!(start, registers, "{engine}");
            dump.to_owned()
        };
        let zeros = " 00".repeat(15);
        assert_eq!(run("--dump p..p+18"), format!("0x0001: 07{zeros}\n0x0011: 00 2c\n"));
        assert_eq!(run("--dump p+[p]..p+[p]+1"), "0x0008: 00\n");
        assert_eq!(
            run("--dump p..p+1 --dump 8191.. --dump ..1"),
            "0x0001: 07\n0x1fff: 00\n0x0000: 64\n"
        );
    }
    // A run that reaches its limit also prints the dump.
    let cut = bench.gray1("run p.asm --max-instructions 4 --dump 1..2").status(3).err();
    assert!(cut.contains("\n0x0001: 07\nstopped at"), "{cut}");
    let range = "expected FROM..TO within 0..8192";
    for (wrong, why) in [
        ("p", "--dump p: expected FROM..TO"),
        ("p..q", "--dump p..q: "),
        ("8..1", range),
        ("0..8193", range),
        ("9000..[p]", range),
        ("[p]..9000", range),
    ] {
        // The mistake is reported before the program runs.
        let ran = bench.gray1(&format!("run p.asm --dump {wrong}")).status(2);
        assert!(ran.err().contains(why) && !ran.err().contains("halted"), "{}", ran.err());
    }
    let stderr = bench.gray1("run p.asm --dump [p]-8..9").status(1).err();
    assert!(stderr.contains(range), "{stderr}");
    let empty = bench.gray1("run p.asm --dump p..p+[p]-7").status(0).err();
    assert!(empty.contains("A=0x") && !empty.contains("\n0x"), "{empty}");
}

#[test]
fn queens_prints_the_92_and_says_where_it_halted() {
    let ran = Bench::new().gray1("run queens").status(0).stdout(arrangements());
    let last = ran.err().lines().last().map(str::to_owned);
    assert_eq!(last.as_deref(), Some("halted at 0x02d8 after 184039 instructions"));
}

/// A press at the instruction at which a run ends is part of that moment, as in `gray1 why`.
#[test]
fn a_press_at_the_last_instruction_comes_before_it() {
    let source = "a: LDI 1\n LDI 2\n LDI 3\nb: JMP a\n";
    let bench = Bench::new().file("p.asm", source).file("keys", "2 left\n");
    let run = "run p.asm --buttons keys --max-instructions 2 --dump 0x1ffe..0x1fff";
    assert!(bench.gray1(run).status(3).err().contains("0x1ffe: 04\n"));
    let why = "why p.asm 0x1ffe --at 2 --buttons keys --format json";
    assert!(bench.gray1(why).status(0).text().contains("\"value\":4"));
}

#[test]
fn log_points_print_a_message_at_each_hit() {
    let source = ".var n\n.pool\n LDI 3\n ST n\nloop: LD n\n ADD #0xff\n ST n\n ST 0x1fff\n JC loop\n \
                  HALT\n";
    let bench = Bench::new().file("p.asm", source);
    let run = "run p.asm --max-instructions 12";
    let log = |words: &[&str]| {
        RunResult::run(bench.command(run).args(words.iter().flat_map(|word| ["--log", word])))
    };
    let ran = log(&[
        "write n: {moment} {place} {[n]}",
        "loop if A > 1:{A}:",
        "0: start",
        "p.asm:7 if moment < 8: {{{[n]}}}",
        "0x20: -",
    ]);
    let expected = "\
start
4 p.asm:4 3
3:
{3}
7 p.asm:7 2
2:
12 p.asm:7 1
note: --log '0x20: -' never came true
stopped at 0x0007 after 12 instructions
";
    assert_eq!(ran.status(3).err(), expected);
    for (text, why) in [
        ("write m: x", "--log 'write m: x': column 7: the program has no `m`"),
        ("write n: {m}", "--log 'write n: {m}': '{m}', column 1: the program has no `m`"),
        ("q.asm:7: x", "column 1: the program has no `q.asm`; did you mean `p.asm`?"),
        ("p.asm:11: x", "column 7: no instruction at or after this line"),
        ("write n", "--log 'write n': expected `CONDITION: MESSAGE`"),
        ("wire PCL rises: x", "--log 'wire PCL rises: x': column 1: "),
    ] {
        assert!(log(&[text]).status(2).err().contains(why), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn messages_of_log_points_that_cannot_be_written_end_the_run() {
    let bench = Bench::new();
    let mut command = bench.command("run life --log");
    command.arg("led: {moment}").stdout(Stdio::null());
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    assert_eq!(command.stderr(full).status().unwrap().code(), Some(1));
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let _watchdog = Watchdog::new(&child, *TIMEOUT);
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Recording other things must not change the instructions that follow a hit.
#[test]
fn a_trace_a_profile_or_a_waveform_does_not_change_log_points() {
    let bench = Bench::new();
    let log = "run queens --max-instructions 3000 --log";
    let condition = "led: {moment} {place} {A} {PC}";
    let messages = |options: &str| {
        let ran =
            RunResult::run(bench.command(log).arg(condition).args(options.split_whitespace()));
        let stderr = ran.status(3).err();
        let lines = stderr.lines().filter(|line| line.contains("built-in:queens.asm"));
        lines.filter(|line| line.split(' ').count() == 4).map(str::to_owned).collect::<Vec<_>>()
    };
    let alone = messages("");
    assert!(alone.len() > 3, "{alone:?}");
    for options in ["--trace t", "--profile", "--trace t --profile", "--engine chips --vcd v"] {
        assert_eq!(messages(options), alone, "{options}");
    }
}

#[test]
fn without_a_terminal_the_front_end_works_like_run() {
    let bench = Bench::new();
    let expected = bench.gray1("run queens");
    bench.gray1("").status(0).stdout(expected.out()).stderr(&expected.err());
    bench.gray1("queens").status(0).stdout(expected.out());
}

#[test]
fn a_trace_has_a_line_for_each_instruction() {
    let source = "\
.var x
.var y
        LDI 0x81
        ST  x
        ADD x
        NAND x
        SHR
        JC  skip
        LDI 0
skip:   LD  x
        ST  y
        JMP @end
@end:   HALT
";
    let bench = Bench::new().file("all.asm", source);
    bench.gray1("run all.asm --trace t").status(0);
    let expected = "\
0000 LDI 0081 81 0
0001 ST 0000 81 0
0002 ADD 0000 02 1
0003 NAND 0000 ff 1
0004 SHR 0000 7f 1
0005 JC 0007 7f 1
0007 LD 0000 81 1
0008 ST 0001 81 1
0009 JMP 000a 81 1
000a JMP 000a 81 1
";
    assert_eq!(String::from_utf8(bench.read("t")).unwrap(), expected);
}

#[test]
fn buttons_are_held_from_their_instruction_on() {
    // The loop has three instructions, so instructions 0, 3, 6 and 9 read the buttons.
    let source = "loop: LD 0x1ffe\n ST 0x1fff\n JMP loop\n";
    let bench =
        Bench::new().file("look.asm", source).file("keys", "0 -\n4 left+a\n\n7 START\r  10 -\n");
    bench.gray1("run look.asm --buttons keys --max-instructions 12").status(3).stdout([
        0,
        0,
        0b0001_0100,
        0x80,
    ]);
}

/// An input counts like an instruction where something changes.
#[test]
fn log_points_are_hit_by_presses_and_changed_values() {
    let bench = Bench::new()
        .file("p.asm", "loop: LD 0x1ffe\n ST 0x1fe0\n JMP loop\n")
        .file("keys", "0 up\n4 left\n20 -\n");
    let log = |machine: &str, condition: &str| {
        let inputs = "--buttons keys --set 9:0x1fe1=7 --max-instructions 40";
        let mut command = bench.command(&format!("run -q p.asm {machine} {inputs} --log"));
        RunResult::run(command.arg(format!("{condition}: {{moment}}"))).status(3).err()
    };
    for (machine, condition, moments) in [
        ("", "when [0x1ffe] == 4", "4\n"),
        ("", "when [0x1ffe] & 1", "0\n"),
        ("", "led 1, 2", "9\n"),
        ("", "led if PC == 1", ""),
        ("", "write 0x1fe1", ""),
        ("--board gray1-b --engine chips", "wire BUTTON.2 rises", "4\n"),
        ("--board gray1-b --engine timed", "wire BUTTON.2 falls", "20\n"),
        ("--board gray1-b --engine timed", "double GREEN1", "9\n"),
    ] {
        assert_eq!(log(machine, condition), moments, "{machine} {condition}");
    }
}

#[test]
fn bad_button_files_are_refused_at_their_line() {
    for (keys, why) in [
        (
            "0 fire",
            "keys:1: no button is called 'fire' (expected up, down, left, right, a, b, \
            select, start, joined by '+', or '-' for none)",
        ),
        ("\nx a", "keys:2: expected an instruction number, found 'x'"),
        ("9 a\n8 b", "keys:2: instruction 8 is before the one on the line above"),
        ("9", "keys:1: expected an instruction number and the buttons to hold"),
    ] {
        let bench = Bench::new().file("keys", keys);
        bench.gray1("run queens --buttons keys").error(why);
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let bench = Bench::new().file("chatty.asm", CHATTY);
    let mut child = bench
        .command("run chatty.asm")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _watchdog = Watchdog::new(&child, *TIMEOUT);
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((first, output.status.code()), ([b'!'], Some(0)));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_and_prints_its_position() {
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("XCPU", 152)] {
        let bench = Bench::new().file("chatty.asm", CHATTY);
        let mut child = bench
            .command("run chatty.asm --trace t")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _watchdog = Watchdog::new(&child, *TIMEOUT);
        // `gray1` handles signals before it prints, so after its first output a signal is not too
        // early.
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.fill_buf().unwrap();
        kill(&child, signal);
        std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{message}");
        assert!(message.starts_with("stopped at 0x000"), "{message}");
        // The trace is complete up to here, and no temporary file is left.
        assert!(bench.read("t").ends_with(b"\n"));
        assert_eq!(bench.names(), ["chatty.asm", "t"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let bench = Bench::new().file("chatty.asm", CHATTY);
    let mut child = std::process::Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" run chatty.asm", env!("CARGO_BIN_EXE_gray1")])
        .current_dir(bench.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _watchdog = Watchdog::new(&child, *TIMEOUT);
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 1]).unwrap();
    kill(&child, "HUP");
    // Far more output than it writes between two checks for a signal.
    stdout.read_exact(&mut vec![0; 4 << 20]).unwrap();
    kill(&child, "TERM");
    std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[cfg(unix)]
fn kill(child: &Child, signal: &str) {
    let kill = format!("kill -{signal} {}", child.id());
    std::process::Command::new("sh").args(["-c", &kill]).status().unwrap();
}

#[test]
fn mistyped_commands_and_programs_get_suggestions() {
    let bench = Bench::new();
    for mistyped in ["rnu", "rnu queens", "rnu queens --trace t"] {
        let ran = bench.gray1(mistyped).status(2);
        assert!(ran.err().contains("did you mean `run`?"), "{}", ran.err());
    }
    let ran = bench.gray1("run quens").status(1);
    assert!(ran.err().contains("help: did you mean `queens`?"), "{}", ran.err());
    bench.gray1("run --frobnicate queens").status(2);
    bench.gray1("run").status(2);
    bench.gray1("queens run").status(2);
    let ran = bench.gray1("help frobnicate").status(2);
    assert!(ran.err().contains("'frobnicate'"), "{}", ran.err());
}

#[test]
fn a_limit_ends_a_program_that_does_not_halt() {
    let bench = Bench::new().file("two.asm", " LDI 1\n HALT\n");
    for (limit, status, expected) in [
        (0, 3, "stopped at 0x0000 after 0 instructions\n"),
        (1, 3, "stopped at 0x0001 after 1 instruction\n"),
        (2, 0, "halted at 0x0001 after 2 instructions\n"),
    ] {
        let ran = bench.gray1(&format!("run two.asm --max-instructions {limit}"));
        ran.status(status).stdout("").stderr(expected);
    }
}

#[test]
fn an_empty_file_is_an_erased_chip() {
    let bench = Bench::new().file("empty.asm", "");
    let stderr = bench.gray1("run empty.asm").status(0).err();
    assert!(stderr.starts_with("warning[end]: this source has no instructions\n"), "{stderr}");
    let end = "note: the program has no instructions: erased memory holds jumps to 0x1555\n\
               halted at 0x1555 after 2 instructions\n";
    assert!(stderr.ends_with(end), "{stderr}");
    bench.gray1("asm empty.asm --format bin -o empty.bin").status(0);
    assert_eq!(bench.read("empty.bin"), [0xff; 16384]);
}

#[test]
fn memory_has_the_requested_contents_at_power_up() {
    let bench = Bench::new().file("show.asm", " LD 5\n ST 0x1fff\n HALT\n");
    let shown = |ram: &str| bench.gray1(&format!("run show.asm {ram}")).status(0).out().to_vec();
    assert_eq!([shown(""), shown("--ram ones")], [[0], [0xff]]);
    assert_eq!(shown("--ram random:1"), shown("--ram random:1"));
    bench.gray1("run show.asm --ram lots").status(2);
}

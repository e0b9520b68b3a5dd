//! Options that several commands share. An option has the same meaning in all of them.

use crate::support::Bench;
use crate::support::terminal::Setup;

#[test]
fn numbers_are_accepted_in_the_forms_that_are_shown() {
    let bench = Bench::new().file("presses", "0x0 left\n1,000 -\n");
    for (command, number, status) in [
        ("run queens --buttons presses --max-instructions", "5,000", 3),
        ("run queens --ram random:0xff --seed", "1_0", 2),
        ("run queens --engine timed --max-instructions 0x10 --pulse 2_4 --glitch", "1,000", 3),
        ("run queens --engine chips --max-instructions 20 --vcd v --vcd-window 0x5..", "1,0", 3),
        ("run queens --max-instructions 5 --set", "0x2:A=1", 3),
        ("why queens A --depth 0x1 --at", "8,547", 0),
        ("link queens --short --at", "8_547", 0),
        ("record queens -o film.gif --changes 0x2 --skip 1_0 --rate", "0xa", 0),
        ("compare fibonacci --lines 0x2 --max-instructions", "1,000", 0),
        ("check --access", "PCH=0x46", 0),
        ("screenshot queens --size 80x24 --keys", "wait:5,000i", 0),
        ("diff fibonacci --set A=0 --at", "0x0", 0),
    ] {
        let separator = if number.ends_with(",0") { "" } else { " " };
        bench.gray1(&format!("{command}{separator}{number}")).status(status).err();
    }
    for (command, problem) in [
        ("record queens -o film.gif --rate 51", "'--rate <N>': expected a number from 1 to 50"),
        (
            "run queens --engine timed --glitch 0",
            "'--glitch <N>': expected a number from 1 to 18,446,744,073,709,551,615",
        ),
        (
            "run queens --engine timed --glitch 9 --pulse 0",
            "'--pulse <NS>': expected a number from 1 to 4,294,967,295",
        ),
    ] {
        let stderr = bench.gray1(command).status(2).err();
        assert!(stderr.contains(problem), "{stderr}");
    }
}

#[test]
fn unknown_suffixes_get_the_same_message_everywhere() {
    let bench = Bench::new().file("p.asm", "HALT\n");
    for (command, format) in [
        ("asm p.asm", "ihex (.hex)"),
        ("convert p.asm", "ihex (.hex)"),
        ("screenshot p.asm", "ansi (.ans)"),
        ("record p.asm", "gif (.gif)"),
    ] {
        let stderr = bench.gray1(&format!("{command} -o picture.png")).status(2).err();
        let wording = "error: picture.png: unknown suffix .png; choose a format with --format";
        assert!(stderr.starts_with(wording) && stderr.contains(format), "{stderr}");
        let (name, _) = command.split_once(' ').unwrap();
        assert!(stderr.contains(&format!("Usage: gray1 {name} ")), "{stderr}");
        assert_eq!(bench.names(), ["p.asm"]);
        // Suffixes may be in capitals. Without one, the default format is used.
        for output in ["p.SVG", "p.GIF", "p.HEX", "p"] {
            let has = matches!((output, format), ("p.SVG", "ansi (.ans)"))
                || matches!((output, format), ("p.GIF", "gif (.gif)"))
                || matches!((output, format), ("p.HEX", "ihex (.hex)"))
                || output == "p";
            bench.gray1(&format!("{command} -o {output}")).status(if has { 0 } else { 2 }).err();
            let _ = std::fs::remove_file(bench.path(output));
        }
    }
}

#[test]
fn the_default_moment_is_the_end_of_the_run() {
    let bench = Bench::new()
        .file("sum.asm", ".var sum\nLDI 3\nADD sum\nST sum\nHALT\n")
        .file("loop.asm", "top: LDI 1\nJMP top\n");
    for command in ["why sum.asm sum", "link sum.asm"] {
        let end = bench.gray1(&format!("{command} --at 4")).status(0);
        bench.gray1(command).status(0).stdout(end.out()).stderr("");
    }
    for command in ["why loop.asm A", "link loop.asm"] {
        let endless =
            "loop.asm has not ended after 1,000,000,000 instructions: choose a moment with --at";
        bench.gray1(command).status(1).error(endless);
    }
}

#[test]
fn a_warning_is_denied_or_allowed_wherever_a_program_is_loaded() {
    let bench = Bench::new()
        .file("p.asm", "UNUSED = 1\n LDI 1\n HALT\n")
        .file("p.test.ron", "Tests(version: 1, cases: [(name: \"a\", steps: [Halts])])")
        .file("c.vcd", "$enddefinitions $end\n");
    for command in [
        "asm p.asm -o -",
        "convert p.asm -o -",
        "disasm p.asm",
        "run p.asm",
        "why p.asm A",
        "link p.asm",
        "screenshot p.asm",
        "record p.asm -o -",
        "export bom -o bom p.asm",
        "compare p.asm",
        "diff 'p.asm --deny all' p.asm",
        "test p.asm",
        "probe c.vcd p.asm",
        "p.asm",
    ] {
        let stderr = bench.gray1(&format!("{command} --deny all")).err();
        let report = bench.gray1(&format!("{command} --deny unused")).text();
        let denied = "error[unused]: constant `UNUSED` is never used";
        if !command.starts_with("diff") {
            assert!(
                stderr.contains(denied) || report.contains(denied),
                "{command}: {stderr}{report}"
            );
            let allowed = bench.gray1(&format!("{command} --deny all --allow unused")).err();
            assert!(!allowed.contains("UNUSED"), "{command}: {allowed}");
        }
    }
    let stderr = bench.gray1("diff 'p.asm --deny all' p.asm").status(1).err();
    assert!(stderr.contains("error[unused]"), "{stderr}");
}

#[test]
fn quiet_and_colour_are_options_of_all_commands() {
    let bench = Bench::new().file("p.asm", "UNUSED = 1\n LDI 1\n HALT\n");
    for command in ["-q run p.asm --allow all", "run p.asm -q", "asm p.asm -q", "--quiet p.asm"] {
        let command = command.replace("--allow all", "--allow unused");
        let stderr = bench.gray1(&command).status(0).err();
        assert!(!stderr.contains("halted") && !stderr.contains("wrote"), "{command}: {stderr}");
        assert_eq!(stderr.contains("UNUSED"), !command.contains("--allow"), "{command}: {stderr}");
    }
    bench
        .gray1("run p.asm -q --allow unused --dump 0..1")
        .status(0)
        .stderr("A=0x01 C=0 PC=0x0001\n0x0000: 00\n");
    for (command, is_coloured) in [
        ("--color always run p.asm", true),
        ("run p.asm --color=always", true),
        ("asm nothing.asm --color always", true),
        ("run p.asm --color never", false),
        ("run p.asm --color auto", false),
        ("run --wrong --color always", true),
        ("run --wrong", false),
    ] {
        let stderr = bench.gray1(command).err();
        assert_eq!(stderr.contains('\u{1b}'), is_coloured, "{command}: {stderr}");
    }
    bench.gray1("run p.asm --color sometimes").status(2).err();
    let versions = ["-V", "run -V", "asm --version"].map(|it| bench.gray1(it).status(0).text());
    assert!(versions.iter().all(|it| it.contains(env!("CARGO_PKG_VERSION"))), "{versions:?}");
    // The wrong command is reported even after a global option.
    let stderr = bench.gray1("-q rnu queens").status(2).err();
    assert!(stderr.contains("did you mean `run`?"), "{stderr}");
    let stderr = bench.gray1("watch p.asm").status(2).err();
    assert!(stderr.contains("did you mean `gray1 --watch`?"), "{stderr}");
}

#[test]
fn with_json_messages_standard_error_has_nothing_else() {
    let bench = Bench::new().file("p.asm", "UNUSED = 1\n LDI 1\n ST 0x1fff\n HALT\n");
    for options in ["--profile", "--profile --leds --dump ..20"] {
        let command = format!("run p.asm {options} --message-format json");
        let ran = bench.gray1(&command).status(0).stdout("\u{1}");
        let stderr = ran.err();
        let lines: Vec<serde_json::Value> =
            stderr.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        assert!(lines.iter().any(|it| it["instructions"] == 3), "{stderr}");
        let end = "halted at 0x0002 after 3 instructions";
        assert_eq!(lines.last().unwrap()["message"], end);
        assert_eq!(lines.iter().any(|it| it["bytes"].is_array()), options.contains("dump"));
    }
    for command in ["convert p.asm -o p.bin", "screenshot p.asm -o p.svg", "disasm p.asm -o d.asm"]
    {
        let stderr = bench.gray1(&format!("{command} --message-format json")).status(0).err();
        assert!(stderr.lines().all(|line| line.starts_with('{')), "{stderr}");
    }
}

#[test]
fn an_option_of_other_commands_gets_a_tip_about_the_one_that_was_meant() {
    let bench = Bench::new();
    for (command, option, tip) in [
        ("debug queens", "--max-instructions", "`--at N` opens the program after N instructions"),
        (
            "diff queens life",
            "--max-instructions",
            "in quotes, a program takes it: 'A --max-instructions N'",
        ),
        ("why queens A", "--limit", "`--depth N` limits the steps back, and `--at N` the run"),
    ] {
        for value in ["", " 5", "=5"] {
            let stderr = bench.gray1(&format!("{command} {option}{value}")).status(2).err();
            assert!(stderr.contains(&format!("unexpected argument '{option} ")), "{stderr}");
            assert!(stderr.contains(tip) && !stderr.contains("similar argument"), "{stderr}");
        }
        let (name, _) = command.split_once(' ').unwrap();
        let help = bench.gray1(&format!("{name} --help")).text();
        assert!(!help.lines().any(|line| line.trim_start().starts_with(option)), "{help}");
    }
}

#[test]
fn standard_output_is_not_a_folder() {
    let bench = Bench::new();
    for command in ["export bom -o -", "man -o -"] {
        let stderr = bench.gray1(command).status(2).err();
        assert!(stderr.contains("expected a folder, not standard output"), "{stderr}");
    }
    assert!(bench.names().is_empty());
}

#[test]
fn the_front_end_has_the_colours_of_the_command_line() {
    let bench = Bench::new();
    for (option, no_color, is_coloured) in
        [("never", "", false), ("always", "1", true), ("auto", "1", false), ("auto", "", true)]
    {
        let setup = Setup::gray1(&bench.path(""), &format!("--color {option} debug queens"));
        let mut terminal = setup.env("NO_COLOR", no_color).start();
        terminal.wait_for("paused");
        let has_colour = |screen: &vt100::Screen| {
            let cells = (0..24).flat_map(|row| (0..80).map(move |column| (row, column)));
            cells.filter_map(|(row, column)| screen.cell(row, column)).any(|cell| {
                [cell.fgcolor(), cell.bgcolor()].iter().any(|it| *it != vt100::Color::Default)
            })
        };
        assert_eq!(terminal.inspect(has_colour), is_coloured, "{option} {no_color}");
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

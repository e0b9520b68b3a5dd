//! `gray1 export` as a maker uses it: images to burn, a model that other simulators run, readable
//! tables, and one clear message for an export that is not possible.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{Bench, RunResult, UncheckedResult, are_installed, root};

/// Prints all bytes from FF down to 00, which tests the panel as well as the board.
const COUNTDOWN: &str = "
.var n
.var minus1
        LDI  -1
        ST   minus1
again:  ST   n
        ST   0x1fff
        ADD  minus1
        JC   again              ; C = 1 unless n was 0
        HALT
";

/// The first lines of an exported text file.
fn head(bench: &Bench, name: &str, lines: usize) -> String {
    let text = String::from_utf8(bench.read(name)).unwrap();
    text.lines().take(lines).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn an_exported_image_can_be_burned() {
    let bench = Bench::new();
    let ran = bench.gray1("export images -o new/chips fibonacci").status(0).stdout("");
    ran.stderr("wrote 28 files to new/chips\n");
    bench.gray1("convert fibonacci --format bin -o fibonacci.bin").status(0);
    let burned = bench.read("new/chips/PROG.bin");
    assert_eq!(burned, bench.read("fibonacci.bin"));
    // The burned file can be loaded as a program.
    let expected = bench.gray1("run fibonacci");
    bench.gray1("run new/chips/PROG.hex").status(0).stdout(expected.out());
    // PHASE has four bytes for each phase: one for OSC = 0 and one for OSC = 1, then two more for
    // both levels under reset, which stops at phase 1.
    assert_eq!(
        head(&bench, "new/chips/PHASE.hex", 3),
        ":1000000000010001030101010602060203020302CE\n\
         :100010000004000405040504060706070507050794\n\
         :00000001FF\n"
    );
    assert!(!bench.path("new/chips/RAM.bin").exists(), "a RAM is not burned");
}

#[test]
fn the_program_is_burned_in_the_code_of_the_board() {
    let bench = Bench::new().file("two.asm", " LDI 0x12\n HALT\n");
    bench.gray1("export images -o gray two.asm").status(0);
    bench.gray1("export images -o binary two.asm --board binary-counter").status(0);
    assert_eq!(bench.read("gray/PROG.bin")[..4], [0x00, 0x12, 0x01, 0xe0]);
    assert_eq!(bench.read("binary/PROG.bin")[..4], [0x00, 0x12, 0xe0, 0x01]);
}

/// The golden files, which people have reviewed, are in the library's tests.
#[test]
fn the_wiring_and_the_model_are_the_golden_ones() {
    let bench = Bench::new();
    bench.gray1("export netlist -o .").status(0).stdout("").stderr("wrote 1 file to .\n");
    assert_eq!(bench.names(), ["netlist.csv"]);
    bench.gray1("export verilog -o .").status(0).stdout("").stderr("wrote 15 files to .\n");
    for name in ["netlist.csv", "board.v", "gray1_tb.v"] {
        let golden = root().join("hardware/src/export/tests/goldens").join(name);
        assert!(bench.read(name) == std::fs::read(golden).unwrap(), "{name}");
    }
}

#[test]
fn the_parts_list_has_the_parts_that_were_chosen() {
    let bench = Bench::new();
    bench.gray1("export bom -o . --board gray1-b --part AS=SST39SF040").status(0).stdout("");
    let text = String::from_utf8(bench.read("bom.csv")).unwrap();
    let row = "1,1,SST39SF040,flash memory 524288x8,DIP-32,15.24,AS,U11,70,SST39SF040-70-4C-PHE,";
    assert!(text.lines().any(|line| line.starts_with(row)), "{text}");
    // Each component is in exactly one row.
    bench.gray1("export netlist -o . --board gray1-b").status(0);
    let wiring = String::from_utf8(bench.read("netlist.csv")).unwrap();
    let references = wiring.lines().skip(1).map(|row| row.rsplit(',').next().unwrap());
    let references: BTreeSet<&str> = references.collect();
    let rows = text.lines().skip(1);
    let words: Vec<&str> = rows.flat_map(|row| row.split([',', ' '])).collect();
    for reference in &references {
        // A component without a name of its own has its reference in the name column as well.
        let is_its_name = wiring.lines().any(|row| row.starts_with(&format!("{reference},")));
        let count = words.iter().filter(|word| *word == reference).count();
        assert!(count == 1 || is_its_name && count == 2, "{reference}: {count}");
    }
    assert!(references.len() > 300, "{}", references.len());
    // The default board has no clock and no panel, so it cannot be built.
    bench.gray1("export bom -o out").error(
        "Gray-1 lacks a clock, reset and panel (`around`), so it is not a complete machine; \
         `--board gray1-b` is",
    );
    assert!(!bench.path("out").exists());
}

#[test]
fn the_board_is_drawn_and_one_with_other_chips_is_refused() {
    let bench = Bench::new();
    bench.gray1("export drawing -o new").status(0).stdout("").stderr("wrote 1 file to new\n");
    let svg = String::from_utf8(bench.read("new/drawing.svg")).unwrap();
    for name in ["PHASE", "CTRL", "PROG", "RAM", "ALUL", ">27C020<", "prefers-color-scheme"] {
        assert!(svg.contains(name), "{name}");
    }
    bench.gray1("export drawing -o other --board gray1-b").error(
        "Gray-1 B cannot be drawn, because its chips or wires differ from those of `--board gray1`; \
         `gray1 export netlist` lists the wires of any board",
    );
    assert!(!bench.path("other").exists());
}

/// Runs the maker's script with a fake `minipro` that records its arguments.
#[test]
fn the_script_burns_each_chip_into_its_part() {
    let note = "#!/bin/sh\ncmp -s \"$4\" \"$4\" && echo \"$@\" >>notes\n";
    let bench = Bench::new().file("bin/minipro", note);
    run_in_shell(&bench.path(""), "chmod +x bin/minipro").status(0);
    bench.gray1("export images -o . --board gray1-b --part CTRL=27C010").status(0);
    let run = |chips: &str, status| {
        let line = format!("yes '' | PATH=\"$PWD/bin:$PATH\" sh ./burn.sh {chips}");
        run_in_shell(&bench.path(""), &line).status(status).err()
    };
    let notes = || {
        let notes = String::from_utf8(bench.read("notes")).unwrap();
        std::fs::remove_file(bench.path("notes")).unwrap();
        notes
    };
    let unknown = "burn.sh: not burned, as minipro's names for their parts are not known: CTRL\n";
    assert!(run("", 1).ends_with(unknown));
    let all = notes();
    assert_eq!(all.lines().count(), 14, "a part without a name is left out: {all}");
    for line in ["-p SST39SF010A -w PHASE.bin", "-p SST39SF020A -w PCL.bin"] {
        assert!(all.lines().any(|found| found == line), "{line}: {all}");
    }
    assert_eq!(run("AS FLAGS", 0), "");
    assert_eq!(notes(), "-p SST39SF010A -w AS.bin\n-p SST39SF010A -w FLAGS.bin\n");
    // A wrong name prevents all burning.
    assert_eq!(run("CTRL", 1), unknown);
    for chips in ["PROG.bin", "prog", "AS PRGO", "''"] {
        assert!(run(chips, 2).starts_with("burn.sh: no chip is called '"), "{chips}");
    }
    assert!(!bench.path("notes").exists());
    // A user's board can give a part any `minipro` name, so the script must quote it.
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let parts = read("roms/parts.ron");
    let part = parts.split("    (\n").find(|part| part.contains("name: \"SST39SF010A\"")).unwrap();
    let part = part.replacen("minipro: \"SST", "minipro: \"it's; touch owned; ", 1);
    let board =
        read("roms/gray1-b.ron").replacen("chips: [", &format!("parts: [({part}],\nchips: ["), 1);
    let bench = bench.file("odd.ron", board);
    bench.gray1("export images -o . --board odd.ron").status(0);
    let line = "yes '' | PATH=\"$PWD/bin:$PATH\" sh ./burn.sh PHASE";
    run_in_shell(&bench.path(""), line).status(0);
    assert_eq!(bench.read("notes"), b"-p it's; touch owned; 39SF010A -w PHASE.bin\n");
    assert!(!bench.path("owned").exists());
}

#[test]
fn a_larger_part_fits_the_socket_of_a_smaller_one() {
    let bench = Bench::new();
    let nets = |folder: &str, part: &str| -> Vec<String> {
        bench.gray1(&format!("export netlist -o {folder} {part}")).status(0);
        let text = String::from_utf8(bench.read(&format!("{folder}/netlist.csv"))).unwrap();
        let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        rows.map(|row| [row[0], row[3], row[5]].join(" ")).collect()
    };
    let stock = nets("stock", "");
    assert_eq!(nets("eeprom", "--part PROG=AT28C256"), stock);
    assert_eq!(nets("w27c", "--part PROG=W27C512"), stock);
    assert_eq!(nets("large", "--part AS=27C020"), stock);
    bench.gray1("export images -o eeprom fibonacci --part PROG=AT28C256").status(0);
    let burned = bench.read("eeprom/PROG.bin");
    bench.gray1("convert fibonacci --format bin -o fibonacci.bin").status(0);
    assert_eq!(burned[0x4000..], bench.read("fibonacci.bin"));
}

/// Runs the commands that the test bench lists after this word, in the exported folder, and returns
/// the output of the last one.
fn simulate(folder: &Path, simulator: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(folder.join("gray1_tb.v")).unwrap();
    let commands = text.lines().filter_map(|line| line.strip_prefix("//     $ "));
    let ours = commands.skip_while(|line| !line.starts_with(simulator)).take(2);
    let ran: Vec<RunResult> = ours.map(|line| shell(folder, line)).collect();
    assert_eq!(ran.len(), 2, "{simulator} is named with its two commands");
    ran.last().expect("there are two").out().to_owned()
}

/// Runs a shell command, which must succeed and leave standard error empty.
fn shell(folder: &Path, line: &str) -> RunResult {
    run_in_shell(folder, line).status(0).stderr("")
}

fn run_in_shell(folder: &Path, line: &str) -> UncheckedResult {
    RunResult::run(Command::new("sh").args(["-c", line]).current_dir(folder))
}

/// The programs that each simulator's commands need.
const ICARUS: &[&str] = &["iverilog", "vvp"];
const VERILATOR: &[&str] = &["verilator", "g++", "make"];

/// Exports a program, simulates it, and compares the output with `gray1 run`.
#[track_caller]
fn the_model_prints_the_same(bench: &Bench, arguments: &str, program: &str, simulator: &str) {
    bench.gray1(&format!("export verilog -o model {program} {arguments}")).status(0);
    let expected = bench.gray1(&format!("run {program}")).status(0);
    assert!(!expected.out().is_empty(), "{program} prints something");
    let printed = simulate(&bench.path("model"), simulator);
    let shown = String::from_utf8_lossy(&printed);
    assert!(printed == expected.out(), "{program} {arguments} on {simulator}: {shown}");
}

#[test]
fn icarus_runs_the_model() {
    if !are_installed(ICARUS) {
        return;
    }
    let bench = Bench::new().file("countdown.asm", COUNTDOWN);
    for board in ["gray1", "gray1-b", "binary-counter"] {
        for program in ["fibonacci", "countdown.asm"] {
            the_model_prints_the_same(&bench, &format!("--board {board}"), program, "iverilog");
        }
    }
}

#[test]
fn the_test_bench_shows_leds_writes_waveforms_and_stops_at_a_limit() {
    /// Lights a green LED, prints a line, lights a red LED on the same square, and repeats for
    /// ever.
    const ENDLESS: &str = "
        LDI 0b10
        ST  0x1fe0
        LDI '\\n'
        ST  0x1fff
        LDI 0b11
        ST  0x1fe8
again:  ADD 0
        JMP again
";
    if !are_installed(ICARUS) {
        return;
    }
    let bench = Bench::new().file("endless.asm", ENDLESS);
    bench.gray1("export verilog -o . endless.asm").status(0);
    shell(&bench.path(""), "iverilog -o gray1.vvp -s gray1_tb board.v gray1_tb.v");
    let run = |arguments: &str, printed: &[u8]| {
        let line = format!("vvp -n gray1.vvp {arguments}");
        run_in_shell(&bench.path(""), &line).status(0).stdout(printed).err()
    };
    let stopped =
        |count| format!("stopped after {count} instructions; +limit=N sets another limit\n");
    assert_eq!(run("+limit=1000", b"\n"), stopped(1000));
    // The fourth instruction prints.
    assert_eq!(run("+limit=3", b""), stopped(3));
    assert_eq!(run("+limit=4", b"\n"), stopped(4));
    assert!(!bench.path("gray1.vcd").exists(), "waveforms on request only");

    let dark = "........\n".repeat(7);
    let leds = format!(".G......\n{dark}\nRY......\n{dark}\n{}", stopped(99));
    assert_eq!(run("+leds +limit=99", b"\n"), leds);
    let note = b"VCD info: dumpfile gray1.vcd opened for output.\n\n";
    assert_eq!(run("+vcd +limit=99", note), stopped(99));
    // Each line of the board appears under its name.
    let waveforms = String::from_utf8(bench.read("gray1.vcd")).unwrap();
    for line in ["$scope module gray1 $end", " PHASE [2:0] $end", " nWE $end", " BUS [7:0] $end"] {
        assert!(waveforms.contains(line), "{line}");
    }
}

#[test]
fn verilator_runs_the_model() {
    if !are_installed(VERILATOR) {
        return;
    }
    let bench = Bench::new().file("countdown.asm", COUNTDOWN);
    the_model_prints_the_same(&bench, "", "countdown.asm", "verilator");
}

#[test]
fn the_commands_of_the_pages_for_makers_work() {
    let bench = Bench::new();
    let pages = ["BUILD-IT", "BRING-UP", "JIG", "FPGA"]
        .map(|page| std::fs::read_to_string(root().join(format!("docs/{page}.md"))).unwrap());
    let lines = pages.iter().flat_map(|page| page.lines());
    let commands: Vec<&str> = lines.filter_map(|line| line.strip_prefix("gray1 export ")).collect();
    assert_eq!(commands.len(), 10);
    for command in commands {
        let ran = bench.gray1(&format!("export {command}")).status(0).stdout("");
        assert!(ran.err().starts_with("wrote "), "{}", ran.err());
    }
    let folders = ["board", "bringup", "jig", "model", "queens-fpga", "selftest-fpga"];
    assert_eq!(bench.names(), folders);
}

/// The wiring in docs/FIRST-STEP.md is that of the chip PHASE in the netlist.
#[test]
fn the_page_on_the_first_step_wires_the_chip_as_the_netlist_does() {
    let bench = Bench::new();
    bench.gray1("export netlist -o . --board gray1-b").status(0);
    let netlist = String::from_utf8(bench.read("netlist.csv")).unwrap();
    let page = std::fs::read_to_string(root().join("docs/FIRST-STEP.md")).unwrap();
    let rows = page.lines().skip_while(|line| *line != "| pin | name | wire |").skip(2);
    let mut pins = 0;
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<Vec<&str>> = row
            .split('|')
            .map(|cell| cell.trim().split(", ").flat_map(|it| it.split(": ")).collect())
            .collect();
        for (at, pin) in cells[1].iter().enumerate() {
            let wire = cells[3].get(at).unwrap_or(&cells[3][0]);
            let wire = if *wire == "open" { String::new() } else { wire.replace(' ', "") };
            let line = netlist
                .lines()
                .find(|it| it.starts_with(&format!("PHASE,SST39SF010A,DIP-32,{pin},")));
            assert_eq!(line.unwrap().split(',').nth(5), Some(&*wire), "pin {pin}: {row}");
            pins += 1;
        }
    }
    assert_eq!(pins, 32);
}

#[test]
fn any_names_of_lines_can_be_exported() {
    // Renames lines to keywords, to names that the model itself uses, and to the name of a group of
    // lines.
    let mut board = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    for (name, other) in [
        ("\"nWE\"", "\"wire\""),
        ("\"CLR\"", "\"PCH\""),
        ("\"OSC\"", "\"power\""),
        ("\"RST\"", "\"AS_shows\""),
        ("\"PC_LOAD\"", "\"PCL_chip\""),
        ("title: \"Gray-1\"", "title: \"*/ \\n endmodule {mailbox}\""),
    ] {
        assert!(board.contains(name));
        board = board.replace(name, other);
    }
    let bench = Bench::new().file("odd.ron", board);
    if !are_installed(ICARUS) {
        return;
    }
    the_model_prints_the_same(&bench, "--board odd.ron", "fibonacci", "iverilog");
}

#[test]
fn contents_files_are_read_next_to_the_board() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("boards")).unwrap();
    let text = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let from_file = text.replacen("does: Buffer(", "contents: File(\"buf.bin\"), does: Buffer(", 1);
    let bench = bench.file("boards/own.ron", from_file).file("boards/buf.bin", [0x5a; 2048]);
    let ran = bench.gray1("export images -o chips --board boards/own.ron").status(0);
    ran.stderr("wrote 28 files to chips\n");
    assert_eq!(bench.read("chips/BUF.bin"), [0x5a; 2048]);
    let bench = bench.file("boards/buf.bin", [0; 2047]);
    bench.gray1("export images -o other --board boards/own.ron").error(
        "boards/own.ron: BUF: the contents have 2047 bytes, the part 2716 has 2048 \
             (256 where its tied pins leave it)",
    );
    std::fs::remove_file(bench.path("boards/buf.bin")).unwrap();
    bench.gray1("export images -o other --board boards/own.ron").error(
        "boards/own.ron: BUF: the contents 'buf.bin': No such file or directory (os error 2)",
    );
    assert!(!bench.path("other").exists(), "nothing is made for a board that is refused");
}

#[test]
fn an_invalid_board_is_refused_with_the_place_of_the_error() {
    let bench = Bench::new()
        .file("cut.ron", "Board(\n  version: 1,\n  title: 5,\n)\n")
        .file("image.ron", "Image(version: 1)")
        .file("binary.ron", [0xff, 0xfe]);
    for (board, message) in [
        ("cut.ron", "cut.ron:3:9: Expected string"),
        ("image.ron", "image.ron: this describes a program (Image); expected a board (Board)"),
        ("binary.ron", "binary.ron:1:1: this byte is not UTF-8 (save the file as UTF-8)"),
        ("nothing.ron", "cannot read nothing.ron: No such file or directory (os error 2)"),
        (
            "gray2",
            "there is no built-in board called `gray2`, only `gray1`, `gray1-b` and `binary-counter`",
        ),
    ] {
        bench.gray1(&format!("export bom -o out --board {board}")).error(message);
    }
    assert!(!bench.path("out").exists());
}

#[test]
fn other_files_stay_and_older_exports_are_replaced() {
    let bench = Bench::new().file("netlist.csv", "old").file("notes.txt", "mine");
    bench.gray1("export netlist -o .").status(0);
    assert_eq!(bench.names(), ["netlist.csv", "notes.txt"]);
    assert_eq!(bench.read("notes.txt"), b"mine");
    assert_ne!(bench.read("netlist.csv"), b"old");
}

#[test]
fn a_failed_export_has_one_message() {
    let bench = Bench::new().file("taken", "a file").file("bad.asm", " HALTT\n");
    bench.gray1("export netlist -o taken").error("taken is not a folder");
    std::os::unix::fs::symlink("nowhere", bench.path("link")).unwrap();
    bench.gray1("export netlist -o link").error("link is a broken link");
    std::fs::remove_file(bench.path("link")).unwrap();
    bench
        .gray1("export netlist -o taken/below")
        .error("cannot create taken/below: Not a directory (os error 20)");
    std::fs::create_dir(bench.path("netlist.csv")).unwrap();
    bench.gray1("export netlist -o .").error("cannot write ./netlist.csv: is a directory");
    bench
        .gray1("export bom -o out queen")
        .error("there is no built-in program called `queen`\nhelp: did you mean `queens`?");
    bench.gray1("export verilog -o out bad.asm").status(1);
    bench.gray1("export bom").status(2);
    let unknown = bench.gray1("export gerber -o out").status(2);
    let possible = "[possible values: images, verilog, fpga, netlist, bom, drawing]";
    assert!(unknown.err().contains(possible), "{}", unknown.err());
    assert_eq!(bench.names(), ["bad.asm", "netlist.csv", "taken"]);
}

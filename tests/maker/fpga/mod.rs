//! `gray1 export fpga`, as a user builds and simulates it: the same instructions as in the
//! simulator, on the Verilog and on the netlist for an iCE40, and faults that must be noticed.

use std::process::Command;

use crate::support::{Bench, RunResult, UncheckedResult, are_installed, arrangements, root};

const VERILATOR: &[&str] = &["verilator", "g++", "make"];
const ICARUS: &[&str] = &["iverilog", "vvp"];
const ICE40: &[&str] = &["yosys", "nextpnr-ice40", "icepack", "make"];
/// The models of an iCE40's cells, in the package of yosys.
const CELLS: &str = "/usr/share/yosys/ice40/cells_sim.v";
/// The number of instructions in which a fault must show.
const FIRST: usize = 2000;
/// The sources of the machine.
const SOURCES: &str = "top.v board.v ram.v conductor.v serial.v displays.v";

/// Runs a shell command in the folder of the export.
fn run_in_shell(bench: &Bench, line: &str) -> UncheckedResult {
    RunResult::run(Command::new("sh").args(["-c", line]).current_dir(bench.path("fpga")))
}

/// Runs a shell command that must succeed.
#[track_caller]
fn shell(bench: &Bench, line: &str) -> RunResult {
    run_in_shell(bench, line).status(0)
}

/// Exports a program into a folder.
fn export(arguments: &str) -> Bench {
    let bench = Bench::new();
    bench.gray1(&format!("export fpga {arguments} -o fpga")).status(0);
    bench
}

/// Compares a run of the machine with `gray1 run`: each instruction in `fpga/trace.txt`, the output
/// after the greeting, and the LEDs at the end. Returns the number of instructions.
#[track_caller]
fn assert_same(bench: &Bench, arguments: &str, ran: &RunResult) -> usize {
    let expected = bench.gray1(&format!("run {arguments} --trace trace.txt --leds"));
    let [theirs, ours] = ["fpga/trace.txt", "trace.txt"].map(|name| bench.read(name));
    let lines = |trace: &[u8]| trace.split(|byte| *byte == b'\n').count() - 1;
    let same = ours.iter().zip(&theirs).take_while(|(ours, theirs)| ours == theirs).count();
    let first = 1 + lines(&ours[..same]);
    assert!(ours == theirs, "{arguments}: line {first} of {} differs", lines(&ours));
    assert!(ran.out() == [b"gray1\n", expected.out()].concat(), "{arguments}: {:?}", ran.text());
    let leds: String = expected.err().lines().take(8).flat_map(|row| [row, "\n"]).collect();
    assert_eq!(ran.err(), leds, "{arguments}");
    lines(&ours)
}

/// The number of instructions that agree with the simulator before the first difference, of the
/// first instructions of `selftest` in a model for Icarus.
fn count_agreeing(bench: &Bench, options: &str, sources: &str) -> usize {
    let compile = format!("iverilog -g2005 {options} -s bench -o bench.vvp bench.v {sources}");
    shell(bench, &compile);
    shell(bench, &format!("vvp -n bench.vvp +trace=trace.txt +limit={FIRST}"));
    bench.gray1(&format!("run selftest --trace trace.txt --max-instructions {FIRST}")).err();
    let [theirs, ours] = ["fpga/trace.txt", "trace.txt"]
        .map(|name| String::from_utf8_lossy(&bench.read(name)).into_owned());
    ours.lines().zip(theirs.lines()).take_while(|(ours, theirs)| ours == theirs).count()
}

#[test]
fn the_verilog_executes_what_the_simulator_executes() {
    if !are_installed(VERILATOR) {
        return;
    }
    for (program, instructions) in [("queens", 184_039), ("selftest", 588_080)] {
        let bench = export(program);
        let ran = shell(&bench, "make -s sim ARGS='+trace=trace.txt +leds'");
        assert_eq!(assert_same(&bench, program, &ran), instructions);
        if program == "queens" {
            assert_eq!(ran.text(), format!("gray1\n{}", arrangements()));
        }
    }
}

/// The buttons change in the middle of `snake`, and a board with another arithmetic unit runs it, as
/// in the simulator.
#[test]
fn games_run_with_buttons_and_on_a_board_with_other_contents() {
    if !are_installed(VERILATOR) {
        return;
    }
    let all = std::env::var_os("GRAY1_ALL_FPGA").is_some();
    let programs = if all { &["snake", "life", "puzzle"][..] } else { &["snake"] };
    for program in programs {
        for board in ["gray1-b", "odd.ron"] {
            let bench = Bench::new();
            bench.gray1("export images --board gray1-b -o images").status(0);
            // NAND becomes AND in the low half of A.
            let mut contents = bench.read("images/ALUL.bin");
            let nand = (0..contents.len()).filter(|address| address >> 12 & 7 == 4);
            nand.for_each(|address| contents[address] ^= 0x0f);
            let text = std::fs::read_to_string(root().join("roms/gray1-b.ron")).unwrap();
            let odd =
                text.replacen("does: AluLow(", "contents: File(\"alul.bin\"), does: AluLow(", 1);
            // Instruction 20,001, in the middle of a move, and again later.
            let presses = [
                (20_001, "up", 1),
                (35_000, "left+a", 0x14),
                (50_000, "-", 0),
                (70_003, "down", 2),
            ];
            let line = |at: u32, what: String| format!("{at} {what}\n");
            let names: String =
                presses.iter().map(|(at, name, _)| line(*at, name.to_string())).collect();
            let masks: String =
                presses.iter().map(|(at, _, mask)| line(*at, format!("{mask:x}"))).collect();
            let bench = bench.file("odd.ron", odd).file("alul.bin", contents).file("names", names);
            bench.gray1(&format!("export fpga {program} --board {board} -o fpga")).status(0);
            let bench = bench.file("fpga/masks", masks);
            let options = "+trace=trace.txt +leds +buttons=masks +limit=100000";
            let ran = shell(&bench, &format!("make -s sim ARGS='{options}'"));
            let run = format!(
                "{program} --board {board} --engine chips --buttons names --max-instructions 100000"
            );
            let instructions = assert_same(&bench, &run, &ran);
            assert!(instructions == 100_000 || board == "odd.ron", "{program}: {instructions}");
        }
    }
}

#[test]
fn the_netlist_of_an_ice40_executes_what_the_simulator_executes() {
    if !are_installed(ICE40) || !are_installed(VERILATOR) || !are_installed(ICARUS) {
        return;
    }
    let bench = export("selftest");
    shell(&bench, "make -s BOARD=icebreaker FAST=1");
    assert!(bench.read("fpga/icebreaker.bin").len() > 100_000);
    shell(&bench, "yosys -q -p 'read_json icebreaker.json; write_verilog -noattr netlist.v'");
    let options = "-DNETLIST -DNO_ICE40_DEFAULT_ASSIGNMENTS";
    shell(
        &bench,
        &format!(
            "verilator --binary -O3 -Wno-fatal -Wno-lint -Wno-WIDTH -Wno-UNOPTFLAT {options} \
             --timescale 1ns/1ns -GRESET_LOW=1 \"-GBUTTONS_LOW=8'he3\" --top-module bench bench.v \
             netlist.v {CELLS}"
        ),
    );
    let ran = shell(&bench, "obj_dir/Vbench +trace=trace.txt +leds");
    assert_eq!(assert_same(&bench, "selftest", &ran), 588_080);
    // A wrong lookup table of the FPGA in the processor is noticed.
    let options = format!("{options} -P bench.RESET_LOW=1 -P \"bench.BUTTONS_LOW=8'he3\"");
    let sources = format!("netlist.v {CELLS}");
    assert_eq!(count_agreeing(&bench, &options, &sources), FIRST);
    let netlist = String::from_utf8(bench.read("fpga/netlist.v")).unwrap();
    let (before, _) = netlist.split_once(") \\board.ALUL_chip").expect("a lookup table of ALUL");
    let at = before.rfind("16'h").unwrap() + 4;
    let inverted = !u16::from_str_radix(&netlist[at..at + 4], 16).unwrap();
    let wrong = format!("{}{inverted:04x}{}", &netlist[..at], &netlist[at + 4..]);
    std::fs::write(bench.path("fpga/netlist.v"), wrong).unwrap();
    let agreeing = count_agreeing(&bench, &options, &sources);
    assert!(agreeing < FIRST, "{agreeing}");
}

#[test]
fn a_wrong_table_and_too_short_a_tick_are_noticed() {
    if !are_installed(ICARUS) {
        return;
    }
    let bench = export("selftest");
    assert_eq!(count_agreeing(&bench, "", SOURCES), FIRST);
    let agreeing = count_agreeing(&bench, "-P bench.CLOCKS=3", SOURCES);
    assert!(agreeing < FIRST, "{agreeing}");
    let board = String::from_utf8(bench.read("fpga/board.v")).unwrap();
    let (before, table) = board.split_once("module table_ALUL ").unwrap();
    let wrong = table.replacen("? 1'b1 : 1'b0;", "? 1'b0 : 1'b1;", 1);
    std::fs::write(bench.path("fpga/board.v"), format!("{before}module table_ALUL {wrong}"))
        .unwrap();
    let agreeing = count_agreeing(&bench, "", SOURCES);
    assert!(agreeing < FIRST, "{agreeing}");
}

/// The number of clocks in the Makefile comes from one computation. Another one is the slowest path
/// of a board that has the same chips with access times of 1 ns, and no filters.
#[test]
fn a_tick_is_longer_than_check_says_for_chips_of_one_nanosecond() {
    let read = |name: &str| std::fs::read_to_string(root().join("roms").join(name)).unwrap();
    let parts: String = read("parts.ron")
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| match line.split_once("access_ns: ") {
            Some((before, after)) => {
                let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("{before}access_ns: 1{after}\n")
            }
            None => format!("{line}\n"),
        })
        .collect();
    let (_, parts) = parts.split_once('[').unwrap();
    let (parts, _) = parts.rsplit_once(']').unwrap();
    let text = read("gray1-b.ron");
    let (before, filters) = text.split_once("    filters: [").unwrap();
    let (_, after) = filters.split_once("\n    ],\n").unwrap();
    let board =
        format!("{before}{after}").replacen("chips: [", &format!("parts: [{parts}],\nchips: ["), 1);
    let bench = Bench::new().file("unit.ron", board);
    bench.gray1("export fpga queens -o fpga").status(0);
    let checked = bench.gray1("check --board unit.ron").text();
    assert!(checked.contains("a phase must last longer than 9 ns:"), "{checked}");
    let makefile = String::from_utf8(bench.read("fpga/Makefile")).unwrap();
    assert!(makefile.contains("\nCLOCKS = 10\n"), "{makefile}");
}

#[test]
fn letters_hold_their_buttons_for_150_ms_after_the_last_one() {
    if !are_installed(ICARUS) {
        return;
    }
    let bench = export("queens").file("fpga/keys.v", include_str!("keys.v"));
    shell(&bench, "iverilog -g2005 -s bench -o keys.vvp keys.v serial.v");
    let printed = shell(&bench, "vvp -n keys.vvp").text();
    let lines: Vec<&str> = printed.lines().collect();
    // Four letters, 100 ms apart, then one letter after another, and one without a button.
    let expected = ["01 after 1 ms", "00 after 450 ms", "02 after 150 ms", "04 after 0 ms"];
    assert_eq!(lines[1..5], expected, "{printed}");
    let others: Vec<&str> = lines[5..].iter().map(|line| &line[..2]).collect();
    assert_eq!(others, ["08", "10", "20", "40", "80", "00", "80", "00"], "{printed}");
}

#[test]
fn the_conductor_keeps_its_promises() {
    if !are_installed(&["yosys"]) {
        return;
    }
    let bench = export("queens");
    let conductor = String::from_utf8(bench.read("fpga/conductor.v")).unwrap();
    let prove = |promises: &str| {
        let with = conductor.replace("endmodule", &format!("{promises}endmodule"));
        std::fs::write(bench.path("fpga/promises.sv"), with).unwrap();
        let script = "read_verilog -formal -sv promises.sv; hierarchy -top conductor; proc; \
            async2sync; sat -tempinduct -prove-asserts -verify";
        run_in_shell(&bench, &format!("yosys -p '{script}'"))
    };
    let promises = include_str!("promises.sv");
    let proved = prove(promises).status(0);
    assert!(proved.text().contains("Induction step proven: SUCCESS!"), "{}", proved.text());
    // It does not wait for longer than that.
    let false_promise = promises.replace("assert (since == TICK);", "assert (since > TICK);");
    assert_ne!(promises, false_promise);
    prove(&false_promise).status(1);
}

#[test]
fn make_says_what_is_missing_or_too_large() {
    if !are_installed(&["make"]) {
        return;
    }
    let bench = export("selftest");
    let fails = |line: &str, message: &str| {
        let ran = run_in_shell(&bench, line).status(2);
        assert!(ran.err().starts_with(message), "{}", ran.err());
    };
    let too_large =
        "the program takes 9216 bytes of block RAM, and hx8k has room for 8192\nmake: ***";
    fails("make -s BOARD=hx8k", too_large);
    let missing = "no-yosys is not installed: the page FPGA.md of the project says where";
    fails("make -s BOARD=ulx3s TOOLS=no-", missing);
    let unknown = "Makefile:24: *** there is no file with the pins of a board called `tang`; the \
        names are colorlight-i5 hx8k icebreaker tangnano9k ulx3s.";
    fails("make BOARD=tang", unknown);
    let bright = "Makefile:28: *** BRIGHTNESS is `16`, expected a number from 0 to 15.";
    fails("make BRIGHTNESS=16", bright);
    fails("make FAST=no", "Makefile:31: *** FAST is `no`, expected 0 or 1.");
}

#[test]
fn the_bench_says_which_file_it_cannot_use() {
    if !are_installed(ICARUS) {
        return;
    }
    // The names of buttons are for `gray1 run --buttons`.
    let bench = export("fibonacci").file("fpga/names", "1 left+a\n").file("fpga/masks", "1 14\n");
    shell(&bench, &format!("iverilog -g2005 -s bench -o bench.vvp bench.v {SOURCES}"));
    for (option, message) in [
        ("buttons=masks", ""),
        ("buttons=none", "cannot read none\n"),
        ("trace=none/trace", "cannot write none/trace\n"),
        ("buttons=names", "a line of +buttons is not a moment and a mask, as in `5000 14`\n"),
    ] {
        let run = format!("vvp -n bench.vvp +limit=9 +{option}");
        assert_eq!(shell(&bench, &run).err(), message);
    }
}

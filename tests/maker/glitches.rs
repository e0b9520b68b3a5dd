//! The exported Verilog of a board with filters and glitching ROMs, run in Icarus Verilog.
#![allow(clippy::print_stderr, reason = "a test that cannot be run here has to say so")]

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use gray1_isa::format::{Contents, load};
use gray1_isa::{PowerUp, gray};
use gray1_sim::{Engine as _, Machine};

use crate::support::{Bench, RunResult, are_installed};

const PROGRAM: &[u8] = include_bytes!("../../roms/queens-bits.hex");

/// The executed instructions in the format of the Verilog bench.
fn expected(instructions: usize) -> Vec<String> {
    let Ok(Contents::Image(program)) = load(PROGRAM) else { panic!("it is no image") };
    let mut machine = Machine::new(&program, PowerUp::Zero);
    let line = |_| {
        let (pc, a) = (machine.pc(), machine.registers().a);
        let word = program.word(pc).bits();
        machine.step();
        format!("{:04x} {word:04x} {a:02x}", gray::encode(pc.get()))
    };
    (0..instructions).map(line).collect()
}

/// Compiles the model of the board with glitching ROMs. Without filters, each filter is a wire.
fn compile(bench: &Bench, has_filters: bool) {
    bench.gray1("export verilog -o . queens-bits --board gray1-b").status(0);
    let model = String::from_utf8(bench.read("board.v")).unwrap();
    let mut text = String::new();
    let mut is_burned = false;
    for line in model.lines() {
        if let Some((_, part)) = line.trim().strip_prefix("// ").and_then(|it| it.split_once(": "))
        {
            is_burned = part.starts_with("SST39");
        }
        let rom = if is_burned { "    glitching #" } else { "    rom #" };
        writeln!(text, "{}", line.replace("    rom #", rom)).unwrap();
    }
    if !has_filters {
        for delay in ["#STOPS ", "#(DELAY - STOPS) "] {
            assert!(text.contains(delay), "{delay}");
            text = text.replace(delay, "");
        }
    }
    std::fs::write(bench.path("board.v"), text).unwrap();
    std::fs::write(bench.path("glitches.v"), include_str!("glitches.v")).unwrap();
    shell(bench, "iverilog -g2005 -o glitches.vvp -s bench board.v glitches.v");
}

fn shell(bench: &Bench, command: &str) -> String {
    let ran = RunResult::run(Command::new("sh").args(["-c", command]).current_dir(bench.path("")));
    String::from_utf8(ran.status(0).stderr("").out().to_vec()).unwrap()
}

/// Runs the simulation up to the first wrong instruction or the end of `expected`. Returns the
/// number of correct instructions.
fn right(bench: &Bench, seed: u32, expected: &[String]) -> usize {
    let mut simulation = Command::new("vvp")
        .args([
            "-n",
            "glitches.vvp",
            &format!("+seed={seed}"),
            &format!("+limit={}", expected.len()),
        ])
        .current_dir(bench.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(simulation.stdout.take().unwrap()).lines().map(Result::unwrap);
    let count = lines.zip(expected).take_while(|(found, expected)| found == *expected).count();
    simulation.kill().unwrap();
    simulation.wait().unwrap();
    count
}

fn survive(seeds: std::ops::Range<u32>, instructions: usize) {
    if !are_installed(&["iverilog", "vvp"]) {
        return;
    }
    let expected = expected(instructions);
    let bench = Bench::new();
    compile(&bench, true);
    for seed in seeds.clone() {
        assert_eq!(right(&bench, seed, &expected), instructions, "seed {seed}");
    }
    // Without the filters, the machine soon fails.
    compile(&bench, false);
    for seed in seeds {
        assert!(right(&bench, seed, &expected) < instructions, "seed {seed}");
    }
}

#[test]
fn the_exported_model_survives_glitches_of_its_roms() {
    survive(0..1, 500);
}

#[test]
#[ignore = "it takes some minutes"]
fn the_exported_model_survives_glitches_of_its_roms_for_long() {
    survive(0..8, 20_000);
}

//! Programs on the board of memory chips: the same in every line as on the instruction engine.

use std::sync::Arc;

use gray1_board::Board;
use gray1_circuit::Noise;
use gray1_isa::panel::Buttons;
use gray1_isa::{Executed, Image, PowerUp};
use gray1_sim::{Engine, Hardware, Setup};

use crate::support::{self, Bench, Ran, arrangements, root, word};

#[test]
fn the_queens_search_runs_alike_on_both_engines() {
    let bench = Bench::new();
    bench.gray1("run queens --trace instructions").status(0);
    let ran = bench.gray1("run queens --engine chips --trace chips");
    ran.status(0).stdout(arrangements());
    assert!(bench.read("instructions") == bench.read("chips"), "the traces differ");
}

#[test]
fn the_front_end_shows_the_same_on_both_engines() {
    let bench = Bench::new();
    let screen = |engine: &str| {
        let mut command = bench.command(&format!("screenshot queens --engine {engine}"));
        let ran = Ran::of(command.args(["--keys", "n n n 5 p p p p P"])).status(0);
        String::from_utf8(ran.out().to_vec()).unwrap()
    };
    let instruction = screen("instruction");
    assert!(instruction.contains("[T3]"), "{instruction}");
    assert_eq!(instruction, screen("chips"));
}

#[test]
fn the_front_end_refuses_what_run_refuses() {
    let bench = Bench::new();
    for command in ["run queens", "screenshot queens", "queens"] {
        let why = "--seed chooses delays, which only --engine timed has";
        bench.gray1(&format!("{command} --engine chips --seed 3")).misuse(why);
    }
}

#[test]
fn without_a_terminal_the_front_end_runs_on_the_machine_that_is_asked_for() {
    let bench = Bench::new().file("first.asm", "LD 0\n ST 0x1fff\n HALT\n");
    let byte = bench.gray1("run first.asm --ram random:7").status(0).out().to_vec();
    assert_ne!(byte, [0], "a byte that is 0 anyway proves nothing");
    bench.gray1("first.asm --ram random:7 --engine chips").status(0).stdout(&byte);
}

/// The names of all programs.
fn programs() -> Vec<String> {
    let files = std::fs::read_dir(root().join("programs")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "asm"));
    sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Buttons that are pressed one after the other, each for a while.
fn held(executed: u64) -> Buttons {
    let (press, time) = (executed / 5, executed % 5);
    let names = ["start", "right", "a", "down", "b", "left", "select", "up", "a"];
    let button = names[press as usize % names.len()];
    if time < 3 { Buttons::NONE } else { button.parse().unwrap() }
}

/// A board of the repository.
fn board(name: &str) -> Arc<Board> {
    let text = std::fs::read_to_string(root().join(format!("roms/{name}.ron"))).unwrap();
    Arc::new(Board::load(&text, gray1_roms::parts(), |_| Err(String::new())).unwrap())
}

/// A comparison of a machine with the instruction engine.
#[derive(Clone, Copy)]
struct Comparison {
    power_up: PowerUp,
    /// How many instructions are executed, if the program does not end before.
    limit: u64,
    /// After how many instructions the buttons can change.
    look: u64,
    /// How many instructions are executed at a go.
    stride: u64,
}

/// Executes so many instructions; what a single one did.
fn advance(engine: &mut dyn Engine, count: u64) -> Option<Executed> {
    if count == 1 {
        return engine.step();
    }
    engine.run(count);
    None
}

/// Runs a program on two machines with buttons that are pressed, and compares what they execute.
fn run_alike(program: &str, hardware: Hardware, comparison: Comparison) {
    let Comparison { power_up, limit, look, stride } = comparison;
    let image: Image = support::image(program);
    let engine = |hardware| Setup { hardware, power_up }.engine(&image).unwrap();
    let (mut machine, mut other) = (engine(Hardware::default()), engine(hardware));
    while machine.executed() < limit && !machine.halted() {
        if machine.executed().is_multiple_of(look) {
            let buttons = held(machine.executed() / look);
            machine.hold(buttons);
            other.hold(buttons);
        }
        let states = [&mut machine, &mut other].map(|engine| {
            let executed = advance(&mut **engine, stride);
            (executed, engine.registers(), engine.executed())
        });
        assert_eq!(states[0], states[1], "{program}");
    }
    assert_eq!(machine.halted(), other.halted(), "{program}");
    assert_eq!(machine.take_output(), other.take_output(), "{program}");
    assert!(machine.ram() == other.ram(), "{program}");
}

#[test]
fn every_program_runs_alike_on_chips_with_buttons_too() {
    let power_up = PowerUp::Random(14);
    let comparison = Comparison { power_up, limit: 100_000, look: 1_000, stride: 1 };
    for program in programs() {
        run_alike(&program, Hardware::Chips(board("gray1")), comparison);
    }
}

#[test]
fn every_program_runs_alike_on_chips_at_full_speed() {
    let power_up = PowerUp::Random(15);
    let comparison = Comparison { power_up, limit: 1_000_000, look: 1_000, stride: 250 };
    for program in programs() {
        run_alike(&program, Hardware::Chips(board("gray1")), comparison);
    }
}

/// Settled, the binary counter is right; in time it is not.
#[test]
fn every_program_runs_alike_with_the_binary_counter_settled() {
    let power_up = PowerUp::Random(16);
    let comparison = Comparison { power_up, limit: 50_000, look: 1_000, stride: 1 };
    for program in programs() {
        run_alike(&program, Hardware::Chips(board("binary-counter")), comparison);
    }
}

#[test]
fn every_program_runs_alike_in_time_whatever_the_delays() {
    for seed in 0..3 {
        let power_up = PowerUp::Random(seed);
        let comparison = Comparison { power_up, limit: 4_000, look: 100, stride: 1 };
        for program in programs() {
            run_alike(&program, Hardware::Timed(board("gray1"), Noise::seeded(seed)), comparison);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run_on_a_board_that_fails() {
    let bench = Bench::new();
    let run = |seed| {
        let options = "run fibonacci --board binary-counter --engine timed --max-instructions 2000";
        let ran = bench.gray1(&format!("{options} --seed {seed} --trace trace"));
        (ran.err(), bench.read("trace"))
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2), "the delays decide where the binary counter goes");
    let good = bench.gray1("run fibonacci --engine timed").status(0);
    bench.gray1("run fibonacci").stdout(good.out());
}

#[test]
fn a_seed_is_for_the_timed_engine() {
    Bench::new()
        .gray1("run queens --engine chips --seed 3")
        .misuse("--seed chooses delays, which only --engine timed has");
}

#[test]
fn glitches_are_for_the_timed_engine_and_follow_from_the_seed() {
    let bench = Bench::new();
    let why = "--glitch is for chips in time, which only --engine timed has";
    bench.gray1("run queens --engine chips --glitch 3").misuse(why);
    bench.gray1("link queens --glitch 3").misuse(why);
    bench.gray1("run queens --engine timed --glitch 0").status(2);
    let run = |seed: u32, glitch: u64| {
        let options = "run fibonacci --engine timed --max-instructions 2000 --trace trace";
        let ran = bench.gray1(&format!("{options} --seed {seed} --glitch {glitch}"));
        (ran.err(), bench.read("trace"))
    };
    assert_eq!(run(1, 200), run(1, 200));
    assert_ne!(run(1, 200), run(2, 200), "the seed decides where the board fails");
    let (_, rare) = run(1, u64::MAX);
    bench.gray1("run fibonacci --trace good").status(0);
    assert!(rare == bench.read("good"), "glitches that do not come change nothing");
}

#[test]
fn the_leds_at_the_end_are_printed_beside_the_output() {
    let source =
        "LDI 0x81\nST 0x1fe0\nLDI 1\nST 0x1fe8\nLDI 'x'\nST 0x1fff\nLDI 2\nST 0x1fef\nHALT\n";
    let bench = Bench::new().file("leds.asm", source);
    let dark = ". . . . . . . .\n".repeat(6);
    for engine in ["instruction", "chips", "timed"] {
        bench
            .gray1(&format!("run leds.asm --leds --engine {engine}"))
            .status(0)
            .stdout("x")
            .stderr(&format!(
                "Y . . . . . . G\n{dark}. R . . . . . .\nhalted at 0x0008 after 9 instructions\n"
            ));
    }
}

#[test]
fn power_up_contents_limits_and_buttons_are_the_same_too() {
    let source = "loop: LD 0x1ffe\n ST 0x1fff\n LD 7\n ST 0x1fff\n JMP loop\n";
    let bench = Bench::new().file("look.asm", source).file("keys", "3 a\n9 left+b\n12 -\n");
    for ram in ["zero", "ones", "random:5"] {
        let options = format!("run look.asm --ram {ram} --buttons keys --max-instructions 24");
        let expected = bench.gray1(&options);
        bench
            .gray1(&format!("{options} --engine chips"))
            .status(3)
            .stdout(expected.out())
            .stderr(&expected.err());
    }
}

#[test]
fn a_board_of_another_kind_runs_by_name_or_from_its_file() {
    let file = root().join("roms/binary-counter.ron");
    let bench = Bench::new();
    for board in ["binary-counter", &word(&file)] {
        let options = format!("run fibonacci --engine chips --board {board}");
        bench.gray1(&options).status(0).stdout(bench.gray1("run fibonacci").out());
    }
}

#[test]
fn a_board_that_the_instruction_engine_does_not_know_runs_on_its_chips() {
    let bench = Bench::new();
    let ran = bench.gray1("run fibonacci --board binary-counter").status(0);
    let note = "note: running the chips one by one: the board has other chips than the stock board";
    assert_eq!(ran.err().lines().next(), Some(note));
    bench.gray1("run fibonacci").stdout(ran.out());
}

#[test]
fn bad_boards_are_refused_with_one_message() {
    let stock = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    for (from, to, message) in [
        ("Board(", "Image(", "b.ron: this describes a program (Image); expected a board (Board)"),
        ("version: 1", "version: 9", "unknown Board version 9"),
        ("part: \"82S123\"", "part: \"82S124\"", "82S124"),
        ("address: [\"OSC\", \"RST\"", "address: [\"OSK\", \"RST\"", "OSK"),
        ("title: \"Gray-1\",", "title: \"Gray-1\"", "b.ron:"),
    ] {
        assert!(stock.contains(from), "{from}");
        let bench = Bench::new().file("b.ron", stock.replacen(from, to, 1));
        let ran = bench.gray1("run queens --engine chips --board b.ron").status(1).stdout("");
        let errors = ran.err().lines().filter(|line| line.starts_with("error: ")).count();
        assert!(errors == 2 && ran.err().contains(message), "{}", ran.err());
    }
}

/// A run that stops for another reason than its program's end is no success.
#[test]
fn a_board_that_gets_stuck_is_an_error() {
    let stock = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let counter = "contents: File(\"stuck.bin\"), does: Counter(";
    let board = stock.replacen("does: Counter(", counter, 1);
    let bench = Bench::new().file("stuck.ron", board).file("stuck.bin", [1; 32]);
    for command in ["run fibonacci --engine chips", "run fibonacci --engine timed"] {
        let ran = bench.gray1(&format!("{command} --board stuck.ron --max-instructions 9"));
        ran.error("the phase does not return to T0 within 64 edges of the oscillator");
    }
}

/// The values that a vector takes in a value change dump, one after the other.
fn values(dump: &str, vector: &str) -> Vec<u32> {
    let declared = dump.lines().find(|line| line.contains(&format!(" {vector} ["))).unwrap();
    let code = declared.split(' ').nth(3).unwrap();
    let values = dump.lines().filter_map(|line| line.strip_prefix('b')?.split_once(' '));
    values
        .filter(|(_, of)| *of == code)
        .map(|(bits, _)| u32::from_str_radix(bits, 2).unwrap())
        .collect()
}

#[test]
fn a_waveform_shows_the_lines_between_the_edges() {
    let bench = Bench::new();
    let plain = bench.gray1("run fibonacci");
    bench
        .gray1("run fibonacci --engine chips --vcd w.vcd --vcd-window 100..120")
        .status(0)
        .stdout(plain.out())
        .stderr(&plain.err());
    let dump = String::from_utf8(bench.read("w.vcd")).unwrap();
    let phases = values(&dump, "PHASE");
    let one_by_one = phases.windows(2).all(|two| (two[0] ^ two[1]).is_power_of_two());
    assert!(one_by_one, "the phase counts in Gray code: {phases:?}");
    assert_eq!(phases.len(), 1 + 20 * 8, "twenty instructions of eight phases");
    // Movements between the edges are there: when the latch of the opcode opens, its lines move
    // one after the other, and the arithmetic unit answers to each.
    let operands_fetched = 2 * 20;
    assert!(values(&dump, "ALUL").len() > operands_fetched);
    let times: Vec<u64> =
        dump.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
    assert!(times.is_sorted() && !times.is_empty());
}

/// The wires move as those of the machine that runs the program, whose buttons are pressed.
#[test]
fn a_waveform_shows_what_pressed_buttons_do() {
    let source = "loop: LD 0x1ffe\n ST 0x1fff\n JMP loop\n";
    let bench = Bench::new().file("p.asm", source).file("keys", "30 right\n");
    let window = "--max-instructions 60 --vcd w.vcd --vcd-window 10..50";
    let ran = bench.gray1(&format!("run p.asm --engine chips --buttons keys {window}")).status(3);
    let held = u32::from(*ran.out().last().unwrap());
    let dump = String::from_utf8(bench.read("w.vcd")).unwrap();
    let accumulator: Vec<u32> = values(&dump, "AS").iter().map(|bits| bits & 0xff).collect();
    assert!(held != 0 && accumulator.contains(&held), "{held} {accumulator:?}");
}

#[test]
fn a_waveform_needs_chips() {
    let bench = Bench::new();
    bench
        .gray1("run fibonacci --vcd w.vcd")
        .misuse("only chips have wires to show: add --engine chips");
    bench.gray1("run fibonacci --engine chips --vcd-window 1..2").status(2);
    assert!(bench.names().is_empty());
}

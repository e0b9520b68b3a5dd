//! Programs on the board of memory chips: the same in every line as on the instruction engine.

mod support;

use gray1_isa::panel::Buttons;
use gray1_sim::circuit::{self, Circuit as _, Panel, Settled};
use gray1_sim::{Board, Machine, PowerUp};
use support::{Bench, arrangements, root};

#[test]
fn the_queens_search_runs_alike_on_both_engines() {
    let bench = Bench::new();
    bench.gray1("run queens --trace instructions").status(0);
    let ran = bench.gray1("run queens --engine chips --trace chips");
    ran.status(0).stdout(arrangements());
    assert!(bench.read("instructions") == bench.read("chips"), "the traces differ");
}

/// The names of all programs.
fn programs() -> Vec<String> {
    let files = std::fs::read_dir(root().join("programs")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "asm"));
    sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Which buttons somebody holds who presses one after the other, each for a while.
fn held(executed: u64) -> Buttons {
    let (press, time) = (executed / 5_000, executed % 5_000);
    let names = ["start", "right", "a", "down", "b", "left", "select", "up", "a"];
    let button = names[press as usize % names.len()];
    if time < 3_000 { Buttons::NONE } else { button.parse().unwrap() }
}

#[test]
fn every_program_runs_alike_on_both_engines_with_buttons_too() {
    let text = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let stock = Board::load(&text, |_| Err(String::new())).unwrap();
    let power_up = PowerUp::Random(14);
    for program in programs() {
        let image = support::image(&program);
        let board = stock.with_program(&image);
        let contents = power_up.contents();
        let on_the_board =
            circuit::PowerUp::holding(&board, contents.ram, contents.a, contents.carry);
        let mut chips = Panel::new(Settled::power_up(&board, &on_the_board).unwrap()).unwrap();
        let mut machine = Machine::new(&image, power_up);
        while machine.executed() < 100_000 && !machine.halted() {
            let buttons = held(machine.executed());
            if machine.executed().is_multiple_of(1_000) {
                machine.hold(buttons);
                chips.press(buttons).unwrap();
            }
            let expected = machine.step().unwrap();
            let write = expected.write.map(|write| (write.address, write.new));
            let found = chips.step().unwrap();
            let written = found.writes.first().map(|write| (write.address, write.byte));
            assert_eq!(
                (found.index, found.a, found.carry, written, found.writes.len() < 2),
                (expected.index, machine.a(), machine.carry(), write, true),
                "{program} after {}",
                machine.executed()
            );
        }
        assert_eq!(chips.halted(), machine.halted(), "{program}");
        assert!(chips.circuit().memory() == machine.ram(), "{program}");
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
    for board in ["binary-counter", &file.display().to_string()] {
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
        ("Board(", "Image(", "b.ron: this is an Image; expected a Board"),
        ("version: 1", "version: 9", "version 9"),
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

#[test]
fn a_waveform_needs_chips() {
    let bench = Bench::new();
    bench
        .gray1("run fibonacci --vcd w.vcd")
        .error("only chips have lines to show: add --engine chips");
    bench.gray1("run fibonacci --engine chips --vcd-window 1..2").status(2);
    assert!(bench.names().is_empty());
}

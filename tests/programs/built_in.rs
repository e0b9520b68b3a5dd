//! The built-in programs do what their header comments promise.

use std::collections::BTreeSet;

use gray1_isa::PowerUp;
use gray1_sim::{BoardEngine, Engine as _, Machine};

use crate::support::{self, Bench, arrangements};

/// The column of the red queen in each row, or `None` for an empty row.
fn queens(machine: &Machine) -> [Option<u32>; 8] {
    machine.display().red.map(|row| {
        assert!(row.count_ones() <= 1, "two queens in a row: {row:08b}");
        (row != 0).then_some(row.trailing_zeros())
    })
}

/// Whether no two of these queens attack each other.
fn is_peaceful(queens: &[Option<u32>; 8]) -> bool {
    let placed: Vec<(u32, u32)> =
        (0..8).zip(queens).filter_map(|(row, column)| Some((row, (*column)?))).collect();
    let attack =
        |a: (u32, u32), b: (u32, u32)| a.1 == b.1 || a.0.abs_diff(b.0) == a.1.abs_diff(b.1);
    placed.iter().enumerate().all(|(i, &a)| placed[..i].iter().all(|&b| !attack(a, b)))
}

/// Runs a built-in program, which must halt, from several power-up contents. Its output must be the
/// same each time.
fn run_from_any_memory(program: &str) -> String {
    let image = support::image(program);
    let runs = [PowerUp::Zero, PowerUp::Ones, PowerUp::Random(92)].map(|power_up| {
        let mut machine = Machine::new(&image, power_up);
        machine.run(10_000_000);
        assert!(machine.halted(), "{program} from {power_up}");
        String::from_utf8(machine.take_output()).unwrap()
    });
    assert!(runs.iter().all(|run| *run == runs[0]), "{program} depends on what memory holds");
    runs.into_iter().next().unwrap()
}

/// Without a panel, the halt address and A give the verdict, as docs/BRING-UP.md explains.
#[test]
fn the_self_test_gives_its_verdict_in_pc_and_a() {
    let image = support::image("selftest");
    let page = std::fs::read_to_string(support::root().join("docs/BRING-UP.md")).unwrap();
    let place = |name: &str| {
        let index = image.symbol(name).unwrap().value;
        let code = index ^ index >> 1;
        // PCH.0-6 and PCL.1-6 hold the Gray code of the index.
        let row = format!("| `{name}` | 0x{index:04x} | {:07b} | {:06b} |", code >> 6, code & 0x3f);
        assert!(page.contains(&row), "docs/BRING-UP.md lacks: {row}");
        index
    };
    let (passed, failed) = (place("passed"), place("failed_in"));
    let mut machine = Machine::new(&image, PowerUp::Zero);
    machine.run(1_000_000);
    assert_eq!((i64::from(machine.pc().get()), machine.registers().a), (passed, 0xff));

    // On the chips, the arithmetic unit gets a fault in one instruction.
    let board = gray1_roms::stock();
    for (code, case) in [(4, 0x04), (5, 0x05)] {
        let alu = board.chip_named("ALUL").unwrap();
        let mut contents = board.chip(alu).contents().to_vec();
        for (address, byte) in contents.iter_mut().enumerate() {
            *byte ^= u8::from(address >> 12 & 7 == code);
        }
        let faulty = board.with_contents(alu, contents).unwrap().with_program(&image);
        let mut engine = BoardEngine::settled(&faulty, PowerUp::Zero).unwrap();
        engine.run(1_000_000);
        assert!(engine.halted() && engine.take_output() == b"fail\n", "{case:02x}");
        assert_eq!(i64::from(engine.pc().get()), failed, "{case:02x}");
        let a = engine.registers().a;
        assert_eq!(a, case);
        assert_eq!(engine.display().red[usize::from(a >> 4)], 1 << (a & 7), "its LED is red");
    }
}

/// The programs that search row by row show queens in red. They show the squares still to be tried
/// in green, and only down to the first row without a queen. No position repeats, and none is
/// missing.
#[test]
fn the_searches_show_every_position_once() {
    for program in ["queens-bits", "queens-bits-draw", "queens-packed"] {
        let mut machine = Machine::new(&support::image(program), PowerUp::Ones);
        machine.run(200);
        let mut boards = vec![[None; 8]];
        while machine.step().is_some() {
            let queens = queens(&machine);
            let placed = queens.iter().flatten().count();
            for (row, green) in machine.display().green.iter().enumerate() {
                assert!(*green == 0 || row <= placed, "{program}: row {row} below {queens:?}");
            }
            if queens != boards[boards.len() - 1] {
                assert!(is_peaceful(&queens), "{program}: {queens:?}");
                let gap = queens[placed..].iter().any(Option::is_some);
                assert!(!gap, "{program}: a gap in {queens:?}");
                boards.push(queens);
            }
        }
        let full = |board: &&[Option<u32>; 8]| board.iter().all(Option::is_some);
        assert_eq!(boards.iter().filter(full).count(), 92);
        // A search without look-ahead places 2,056 queens. The empty board is one more position.
        assert_eq!(boards.iter().collect::<BTreeSet<_>>().len(), 2057, "{program}");
    }
}

#[test]
fn the_drawings_are_the_92() {
    let drawing = |line: &str| {
        let row = |digit: u8| {
            let column = usize::from(digit - b'1');
            format!("{}Q{}\n", ".".repeat(column), ".".repeat(7 - column))
        };
        line.bytes().map(row).collect::<String>()
    };
    let expected: Vec<String> = arrangements().lines().map(drawing).collect();
    let printed = run_from_any_memory("queens-bits-draw");
    assert_eq!(printed, expected.join("\n"));
}

#[test]
fn the_odometer_finds_the_92_among_all_boards() {
    let ran = Bench::new().gray1("run queens-odometer").status(0).stdout(arrangements());
    assert!(ran.err().ends_with(" after 779262269 instructions\n"), "{}", ran.err());
}

#[test]
fn the_searches_find_the_92_whatever_memory_holds() {
    assert_eq!(run_from_any_memory("queens"), arrangements());
    let printed = run_from_any_memory("queens-permute");
    let mut lines: Vec<&str> = printed.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines.join("\n") + "\n", arrangements());
}

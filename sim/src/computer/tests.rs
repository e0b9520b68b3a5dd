//! Boards against the programmer's view of the machine.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{BUTTONS, Buttons};
use gray1_isa::{Image, Op, RamAddr, RomIndex, Word};

use super::reference::{
    BINARY, GRAY1, Reference, board, insert, parts, random_contents, random_program, random_timing,
    timed_run,
};
use super::*;
use crate::SplitMix64;
use crate::board::checked::{ChipId, Source};
use crate::proofs::Prover;

mod length;

/// Runs random programs on a board and on the reference, instruction by instruction.
fn lockstep(board: &Board, seeds: std::ops::Range<u64>, instructions: usize) {
    let mut computer = Computer::settled(board, PowerUp::Zero).unwrap();
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let program = random_program(&mut random);
        let contents = random_contents(&mut random);
        computer = insert(computer, &program, contents.clone());
        let mut reference = Reference::new(&program, contents);
        for n in 0..instructions {
            assert!(reference.agrees(&mut computer), "seed {seed}, instruction {n}");
        }
        assert_eq!(differing(computer.ram(), &reference.memory), [0; 0], "seed {seed}");
    }
}

/// The same with several instructions at a go, and resets in between.
#[test]
fn at_full_speed_random_programs_run_as_a_programmer_expects() {
    let random = &mut SplitMix64::new(4);
    for text in [GRAY1, BINARY] {
        let mut computer = Computer::settled(&board(text), PowerUp::Zero).unwrap();
        for run in 0..40 {
            let program = random_program(random);
            let contents = random_contents(random);
            computer = insert(computer, &program, contents.clone());
            let mut reference = Reference::new(&program, contents);
            for _ in 0..30 {
                // At the end of a program the hardware goes on.
                computer.halted = false;
                let executed = computer.run(1 + random.below(50));
                for _ in 0..executed {
                    reference.step();
                }
                assert_eq!(computer.registers(), reference.registers, "run {run}");
                assert_eq!(differing(computer.ram(), &reference.memory), [0; 0], "run {run}");
                if random.below(10) == 0 {
                    assert!(reference.agrees_after_reset(&mut computer, random.below(8)));
                }
            }
        }
    }
}

#[test]
fn at_full_speed_what_is_printed_and_the_end_are_noticed() {
    // Prints all bytes from 'a' on, until the sum carries.
    let [one, mailbox] = [0x10, 0x1fff].map(RamAddr::truncate);
    let [again, end] = [3, 7].map(RomIndex::truncate);
    let words = [
        Word::ldi(1),
        Word::data(Op::St, one),
        Word::ldi(b'a' - 1),
        Word::data(Op::Add, one),
        Word::data(Op::St, mailbox),
        Word::jump(Op::Jc, end),
        Word::jump(Op::Jmp, again),
        Word::jump(Op::Jmp, end),
    ];
    let letters: Vec<u8> = (b'a'..=0xff).chain([0]).collect();
    let count = 3 + 4 * letters.len() as u64;
    let mut computer = computer(&words, PowerUp::Ones);
    for limit in [7, u64::MAX, 50] {
        let mut printed = Vec::new();
        while computer.run(limit) > 0 {
            printed.extend(computer.take_output());
        }
        assert_eq!(printed, letters);
        assert!(computer.halted() && computer.error().is_none());
        assert_eq!((computer.pc(), computer.executed()), (end, count));
        computer.reset();
    }
}

/// The addresses at which two memories differ.
fn differing(one: &[u8; RAM_BYTES], other: &[u8; RAM_BYTES]) -> Vec<usize> {
    (0..RAM_BYTES).filter(|&address| one[address] != other[address]).collect()
}

#[test]
fn a_thousand_random_programs_run_as_a_programmer_expects() {
    lockstep(&board(GRAY1), 0..1000, 300);
}

#[test]
fn settled_the_binary_counter_runs_too() {
    lockstep(&board(BINARY), 0..50, 300);
}

/// Two buffers in place of one: wires that are shared in two ways.
#[test]
fn a_bus_may_be_shared_with_a_chip_for_each_half() {
    let (begin, end) =
        (GRAY1.find("        (\n            name: \"BUF\"").unwrap(), "        ),\n");
    let length = GRAY1[begin..].find(end).unwrap() + end.len();
    let (buffer, rest) = GRAY1[begin..].split_at(length);
    let half = |name: &str, wires: &str| {
        let zeros = r#""0", "#.repeat(4);
        let buffer = buffer
            .replace("BUF", name)
            .replace(r#""0", "0", "0""#, &format!(r#"{zeros}"0", "0", "0""#));
        buffer.replace("0-7", wires)
    };
    let text = [&GRAY1[..begin], &half("BUFL", "0-3"), &half("BUFH", "4-7"), rest].concat();
    let board = board(&text);
    assert_eq!(board.chips().len(), 15);
    lockstep(&board, 0..10, 100);
}

/// The same description with its chips in the opposite order.
fn with_chips_reversed(text: &str) -> String {
    let begin = "        (\n            name: \"";
    let (head, chips) = text.split_once(begin).unwrap();
    let (chips, tail) = chips.rsplit_once("    ],\n)").unwrap();
    let chips: String = chips.rsplit(begin).flat_map(|chip| [begin, chip]).collect();
    format!("{head}{chips}    ],\n){tail}")
}

#[test]
fn the_order_in_which_chips_are_described_does_not_matter() {
    for text in [GRAY1, BINARY] {
        let board = board(&with_chips_reversed(text));
        assert_eq!(board.chips()[0].name(), "RAM");
        lockstep(&board, 0..20, 100);
        let mut random = SplitMix64::new(1);
        let mut computer =
            Computer::settled(&board.with_program(&random_program(&mut random)), PowerUp::Zero)
                .unwrap();
        computer.run(100);
        assert!(computer.circuit.knows_cycles());
    }
}

/// Runs a board with its plans and without, several edges at a go, until it does not settle.
fn compare_with_and_without_plans(board: &Board, random: &mut SplitMix64) {
    let board = board.with_program(&random_program(random));
    let state = initial::holding(&board, random_contents(random));
    let planned = Settled::new(&board, &state).unwrap();
    compare_with_all_orders(planned, &state, random);
}

/// The same, from a state on, for a circuit that may have plans of another board too.
fn compare_with_all_orders(mut planned: Settled, state: &ChipState, random: &mut SplitMix64) {
    let board = planned.board().clone();
    let mut tried = Settled::new(&board, state).unwrap().without_plans();
    for _ in 0..60 {
        let edges = 1 + random.below(12) as u32;
        let outcome = planned.edges(edges);
        assert_eq!(outcome.is_ok(), tried.edges(edges).is_ok());
        if outcome.is_err() {
            return;
        }
        for net in board.net_ids() {
            let name = board.net(net).name();
            assert_eq!(planned.level(net), tried.level(net), "{name} after {edges} edges");
        }
        assert_eq!(planned.writes(), tried.writes());
        planned.forget_writes();
        tried.forget_writes();
    }
}

#[test]
fn without_plans_the_outcome_is_the_same() {
    let random = &mut SplitMix64::new(1);
    (0..10).for_each(|_| compare_with_and_without_plans(&board(GRAY1), random));
}

/// Strobes that come where they should not leave edges without a plan among those with one.
#[test]
fn without_plans_a_faulty_control_table_does_the_same() {
    let stock = board(GRAY1);
    let control = stock.chip_named("CTRL").unwrap();
    let random = &mut SplitMix64::new(2);
    for _ in 0..100 {
        let mut contents = stock.chip(control).contents().to_vec();
        contents[random.below(0x80) as usize] ^= 1 << random.below(8);
        let faulty = stock.with_contents(control, contents).unwrap();
        compare_with_and_without_plans(&faulty, random);
    }
}

/// Where a wrong bit leaves an edge without a plan, the plan of the right board does as well as
/// trying all orders, unless the bit matters: then all orders are tried as ever.
#[test]
fn with_the_plans_of_a_model_the_outcome_is_the_same() {
    let stock = board(GRAY1);
    let random = &mut SplitMix64::new(3);
    for name in ["PCH", "PCL", "IRH", "IRL", "ALUL", "ALUH", "AM", "AS", "FLAGS", "BUF"] {
        let chip = stock.chip_named(name).unwrap();
        for _ in 0..2 {
            let stock = stock.with_program(&random_program(random));
            let state = initial::holding(&stock, random_contents(random));
            let right = Settled::new(&stock, &state).unwrap();
            let mut contents = stock.chip(chip).contents().to_vec();
            // One that will hardly matter, and one that will some time.
            let somewhere = random.below(contents.len() as u64) as usize;
            for address in [somewhere, address_seen(&stock, &state, chip)] {
                contents[address] ^= 1 << random.below(8);
            }
            let faulty = stock.with_contents(chip, contents).unwrap();
            let Ok(planned) = Settled::new(&faulty, &state) else { continue };
            compare_with_all_orders(planned.with_model(&right), &state, random);
        }
    }
}

/// An address that a chip sees after some edges.
fn address_seen(board: &Board, state: &ChipState, chip: ChipId) -> usize {
    let mut circuit = Settled::new(board, state).unwrap();
    circuit.edges(150).unwrap();
    let pins = board.chip(chip).address().iter().enumerate();
    pins.fold(0, |address, (pin, source)| {
        let level = match *source {
            Source::Net(net) => circuit.level(net),
            Source::Tied(level) => level,
        };
        address | usize::from(level) << pin
    })
}

/// The stock board with a program.
fn computer(words: &[Word], power_up: PowerUp) -> Computer<Settled> {
    let board = board(GRAY1).with_program(&Image::from_words(words).unwrap());
    Computer::settled(&board, power_up).unwrap()
}

#[test]
fn a_jump_to_itself_halts_and_counts() {
    let address = RamAddr::truncate(0x1fff);
    let end = RomIndex::truncate(2);
    let words = [Word::ldi(b'!'), Word::data(Op::St, address), Word::jump(Op::Jmp, end)];
    let mut computer = computer(&words, PowerUp::Zero);
    assert_eq!(computer.run(2), 2);
    assert!(!computer.halted());
    assert_eq!(computer.run(100), 1);
    assert!(computer.halted() && computer.error().is_none());
    assert_eq!((computer.pc(), computer.executed()), (end, 3));
    assert_eq!(computer.take_output(), b"!");
    computer.reset();
    assert_eq!((computer.pc(), computer.halted()), (RomIndex::default(), false));
}

#[test]
fn buttons_are_seen_by_the_next_instruction() {
    let words = [Word::data(Op::Ld, BUTTONS), Word::jump(Op::Jmp, RomIndex::default())];
    let mut computer = computer(&words, PowerUp::Ones);
    computer.step();
    assert_eq!(computer.a(), 0, "reset clears the buttons");
    computer.step();
    computer.hold(Buttons(0x81));
    computer.step();
    assert_eq!(computer.a(), 0x81);
}

#[test]
fn reset_keeps_registers_and_memory() {
    let random = &mut SplitMix64::new(7);
    let mut computer = Computer::settled(&board(GRAY1), PowerUp::Zero).unwrap();
    for _ in 0..50 {
        let program = random_program(random);
        let contents = random_contents(random);
        computer = insert(computer, &program, contents.clone());
        let mut reference = Reference::new(&program, contents);
        for _ in 0..5 {
            for _ in 0..random.below(30) {
                assert!(reference.agrees(&mut computer));
            }
            assert!(reference.agrees_after_reset(&mut computer, random.below(8)));
        }
    }
}

fn board_with(program: &Image) -> Board {
    board(GRAY1).with_program(program)
}

#[test]
fn delays_and_glitches_do_not_show_in_a_hundred_random_programs() {
    let random = &mut SplitMix64::new(100);
    for run in 0..100 {
        let program = random_program(random);
        let board = board_with(&program);
        let timing = random_timing(&board, random);
        assert_eq!(timed_run(&board, &program, &timing, random), None, "run {run}: {timing:?}");
    }
}

#[test]
fn delays_undo_the_binary_counter() {
    let random = &mut SplitMix64::new(200);
    for run in 0..10 {
        let program = random_program(random);
        let board = board(BINARY).with_program(&program);
        let timing = random_timing(&board, random);
        assert!(timed_run(&board, &program, &timing, random).is_some(), "run {run}: {timing:?}");
    }
}

#[test]
fn a_phase_must_be_longer_than_the_slowest_path() {
    let random = &mut SplitMix64::new(250);
    let slowest_ns = Prover::new(&board(GRAY1)).slowest_path(|_| 100).unwrap().total_ns();
    for run in 0..10 {
        let program = random_program(random);
        let board = board_with(&program);
        let delays_ps = vec![(100_000, 100_000); board.chips().len()];
        let mut at = |phase_ns: u32| {
            let (phase_ps, delays_ps) = (1000 * u64::from(phase_ns), delays_ps.clone());
            let timing = Timing { delays_ps, phase_ps, mixes: true, seed: run, glitch: None };
            timed_run(&board, &program, &timing, random)
        };
        assert_eq!(at(slowest_ns + 1), None, "run {run}");
        // The sum has a phase more than it needs, for it is taken as the latch closes in T6.
        assert!(at(slowest_ns / 4).is_some(), "run {run}");
    }
}

#[test]
fn the_same_seed_gives_the_same_glitches() {
    let random = &mut SplitMix64::new(300);
    let program = random_program(random);
    let board = board_with(&program);
    let state = initial::holding(&board, random_contents(random));
    let timing = random_timing(&board, random);
    let movements = |timing: &Timing| {
        let mut circuit = Timed::new(&board, &state, timing.clone()).unwrap();
        let mut changes = Vec::new();
        for _ in 0..100 {
            circuit.edge().unwrap();
            changes.extend_from_slice(circuit.changes());
        }
        changes
    };
    assert_eq!(movements(&timing), movements(&timing));
    assert_ne!(movements(&timing), movements(&Timing { seed: 0, ..timing.clone() }));
}

/// A and all of memory are FF, so whoever drives the bus, both or none, its wires stand.
#[test]
fn a_bus_moves_only_where_its_drivers_disagree() {
    let store = |address| Word::data(Op::St, RamAddr::truncate(address));
    let halt = Word::jump(Op::Jmp, RomIndex::truncate(3));
    let program = Image::from_words(&[store(1), store(2), store(0x1abc), halt]).unwrap();
    let board = board_with(&program);
    let timing = Timing::of(&board, 5);
    let mut computer = Computer::timed(&board, PowerUp::Ones, timing).unwrap();
    while computer.executed() < 4 {
        computer.edge();
        for change in computer.circuit().unwrap().changes() {
            let name = board.net(change.net).name();
            assert!(!name.starts_with("BUS."), "{name} in {}", computer.phase());
        }
    }
}

/// While data memory is written its address has to stand: each cell that it leaves takes the byte.
#[test]
fn a_write_whose_address_moves_spoils_the_cells_on_the_way() {
    let (from, to) = (0x55, 0x12);
    let store = Word::data(Op::St, RamAddr::truncate(to));
    let program = Image::from_words(&[Word::ldi(from), store, Word::ERASED]).unwrap();
    let stock = board_with(&program);
    // Data memory is written before the low byte of the address is there.
    let control = stock.chip_named("CTRL").unwrap();
    let mut contents = stock.chip(control).contents().to_vec();
    for (address, strobes) in (0..).zip(&mut contents) {
        let op = Op::from_code((address >> 3 & 7) as u8);
        if op == Op::St && [Phase::T3, Phase::T4].contains(&Phase::from_code(address & 7)) {
            *strobes &= !(1 << 4);
        }
    }
    let board = stock.with_contents(control, contents).unwrap();
    let (from, to) = (usize::from(from), usize::from(to));
    for seed in 0..10 {
        let timing = Timing { mixes: false, ..Timing::of(&board, seed) };
        let mut computer = Computer::timed(&board, PowerUp::Zero, timing).unwrap();
        assert_eq!(computer.run(2), 2);
        let spoilt = differing(computer.ram(), &[0; RAM_BYTES]);
        assert!(spoilt.contains(&from) && spoilt.contains(&to));
        assert!(spoilt.iter().all(|cell| usize::from(computer.ram()[*cell]) == from));
    }
}

#[test]
fn a_race_is_an_error_that_names_chips_and_wires() {
    // The flags' master and slave open at once on the same strobe: the slave then shows the old
    // or the new carry, whichever of its wires comes first - but wires of one chip move together.
    // Two latches that hold each other's complement are a true race.
    let text = GRAY1.replace(
        "(\n            name: \"PHASE\"",
        r#"(
            name: "SET", part: "82S123", address: ["OSC", "OUT.0", "0", "0", "0"],
            data: ["SET.0"], does: Table, contents: File("nor"),
        ),
        (
            name: "OUT", part: "82S123", address: ["OSC", "SET.0", "0", "0", "0"],
            data: ["OUT.0"], does: Table, contents: File("nor"),
        ),
        (
            name: "PHASE""#,
    );
    let nor = |_: &str| Ok((0..32).map(|address| u8::from(address % 4 == 0)).collect());
    let board = Board::load(&text, &parts(), nor).unwrap();
    let state = initial::holding(&board, PowerUp::Zero.contents());
    let mut circuit = Settled::new(&board, &state).unwrap();
    circuit.edge().unwrap();
    let race = circuit.edge().unwrap_err();
    assert_eq!(
        race.to_string(),
        "in phase T1 (oscillator high) the outcome depends on which chip is faster: \
         SET.0, OUT.0 of SET, OUT"
    );
}

#[test]
fn a_board_that_never_rests_is_an_error_that_names_chips_and_wires() {
    let text = GRAY1.replace(
        "(\n            name: \"PHASE\"",
        r#"(
            name: "RING", part: "82S123", address: ["OSC", "RING.0", "0", "0", "0"],
            data: ["RING.0"], does: Table, contents: File("nand"),
        ),
        (
            name: "PHASE""#,
    );
    let nand = |_: &str| Ok((0..32).map(|address| u8::from(address % 4 != 3)).collect());
    let board = Board::load(&text, &parts(), nand).unwrap();
    let state = initial::holding(&board, PowerUp::Zero.contents());
    let mut circuit = Settled::new(&board, &state).unwrap();
    let endless = circuit.edge().unwrap_err();
    assert_eq!(
        endless.to_string(),
        "in phase T0 (oscillator low) wires never come to rest: RING.0, PHASE.0 of RING, PHASE"
    );
}

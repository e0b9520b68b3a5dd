//! Boards against the programmer's view of the machine.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{BUTTONS, Buttons};
use gray1_isa::{Image, Op, RamAddr, RomIndex, SplitMix64, Word, random_program};
use gray1_roms::{BINARY_COUNTER, GRAY1, load};

use super::*;
use crate::board_engine::reference::{
    Reference, insert, random_contents, random_timing, timed_run,
};

mod length;

/// Runs random programs on a board and on the reference, instruction by instruction.
fn lockstep(board: &Board, seeds: std::ops::Range<u64>, instructions: usize) {
    let mut engine = BoardEngine::settled(board, PowerUp::Zero).unwrap();
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let program = random_program(&mut random);
        let contents = random_contents(&mut random);
        engine = insert(engine, &program, contents.clone());
        let mut reference = Reference::new(&program, contents);
        for n in 0..instructions {
            assert!(reference.agrees(&mut engine), "seed {seed}, instruction {n}");
        }
        assert_eq!(differing(engine.ram(), &reference.memory), [0; 0], "seed {seed}");
    }
}

/// The same with several instructions at a go, and resets in between.
#[test]
fn at_full_speed_random_programs_run_as_a_programmer_expects() {
    let random = &mut SplitMix64::new(4);
    for text in [GRAY1, BINARY_COUNTER] {
        let mut engine = BoardEngine::settled(&load(text).unwrap(), PowerUp::Zero).unwrap();
        for run in 0..40 {
            let program = random_program(random);
            let contents = random_contents(random);
            engine = insert(engine, &program, contents.clone());
            let mut reference = Reference::new(&program, contents);
            for _ in 0..30 {
                // At the end of a program the hardware goes on.
                engine.halted = false;
                let executed = engine.run(1 + random.below(50));
                for _ in 0..executed {
                    reference.step();
                }
                assert_eq!(engine.registers(), reference.registers, "run {run}");
                assert_eq!(differing(engine.ram(), &reference.memory), [0; 0], "run {run}");
                if random.below(10) == 0 {
                    assert!(reference.agrees_after_reset(&mut engine, random.below(8)));
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
    let mut engine = engine(&words, PowerUp::Ones);
    for limit in [7, u64::MAX, 50] {
        let mut printed = Vec::new();
        while engine.run(limit) > 0 {
            printed.extend(engine.take_output());
        }
        assert_eq!(printed, letters);
        assert!(engine.halted() && engine.error().is_none());
        assert_eq!((engine.pc(), engine.executed()), (end, count));
        engine.reset();
    }
}

/// The addresses at which two memories differ.
fn differing(one: &[u8; RAM_BYTES], other: &[u8; RAM_BYTES]) -> Vec<usize> {
    (0..RAM_BYTES).filter(|&address| one[address] != other[address]).collect()
}

#[test]
fn a_thousand_random_programs_run_as_a_programmer_expects() {
    lockstep(&load(GRAY1).unwrap(), 0..1000, 300);
}

#[test]
fn settled_the_binary_counter_runs_too() {
    lockstep(&load(BINARY_COUNTER).unwrap(), 0..50, 300);
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
    let board = load(&text).unwrap();
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
    for text in [GRAY1, BINARY_COUNTER] {
        let board = load(&with_chips_reversed(text)).unwrap();
        assert_eq!(board.chips()[0].name(), "RAM");
        lockstep(&board, 0..20, 100);
    }
}

/// The stock board with a program.
fn engine(words: &[Word], power_up: PowerUp) -> BoardEngine<Settled> {
    let board = load(GRAY1).unwrap().with_program(&Image::from_words(words).unwrap());
    BoardEngine::settled(&board, power_up).unwrap()
}

#[test]
fn a_jump_to_itself_halts_and_counts() {
    let address = RamAddr::truncate(0x1fff);
    let end = RomIndex::truncate(2);
    let words = [Word::ldi(b'!'), Word::data(Op::St, address), Word::jump(Op::Jmp, end)];
    let mut engine = engine(&words, PowerUp::Zero);
    assert_eq!(engine.run(2), 2);
    assert!(!engine.halted());
    assert_eq!(engine.run(100), 1);
    assert!(engine.halted() && engine.error().is_none());
    assert_eq!((engine.pc(), engine.executed()), (end, 3));
    assert_eq!(engine.take_output(), b"!");
    engine.reset();
    assert_eq!((engine.pc(), engine.halted()), (RomIndex::default(), false));
}

#[test]
fn buttons_are_seen_by_the_next_instruction() {
    let words = [Word::data(Op::Ld, BUTTONS), Word::jump(Op::Jmp, RomIndex::default())];
    let mut engine = engine(&words, PowerUp::Ones);
    engine.step();
    assert_eq!(engine.a(), 0, "reset clears the buttons");
    engine.step();
    engine.hold(Buttons(0x81));
    engine.step();
    assert_eq!(engine.a(), 0x81);
}

#[test]
fn reset_keeps_registers_and_memory() {
    let random = &mut SplitMix64::new(7);
    let mut engine = BoardEngine::settled(&load(GRAY1).unwrap(), PowerUp::Zero).unwrap();
    for _ in 0..50 {
        let program = random_program(random);
        let contents = random_contents(random);
        engine = insert(engine, &program, contents.clone());
        let mut reference = Reference::new(&program, contents);
        for _ in 0..5 {
            for _ in 0..random.below(30) {
                assert!(reference.agrees(&mut engine));
            }
            assert!(reference.agrees_after_reset(&mut engine, random.below(8)));
        }
    }
}

fn board_with(program: &Image) -> Board {
    load(GRAY1).unwrap().with_program(program)
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
        let board = load(BINARY_COUNTER).unwrap().with_program(&program);
        let timing = random_timing(&board, random);
        assert!(timed_run(&board, &program, &timing, random).is_some(), "run {run}: {timing:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_glitches() {
    let random = &mut SplitMix64::new(300);
    let program = random_program(random);
    let board = board_with(&program);
    let state = power_up_state(&board, random_contents(random));
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
    let mut engine = BoardEngine::timed(&board, PowerUp::Ones, timing).unwrap();
    while engine.executed() < 4 {
        engine.edge();
        for change in engine.circuit().unwrap().changes() {
            let name = board.net(change.net).name();
            assert!(!name.starts_with("BUS."), "{name} in {}", engine.phase());
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
        let mut engine = BoardEngine::timed(&board, PowerUp::Zero, timing).unwrap();
        assert_eq!(engine.run(2), 2);
        let spoilt = differing(engine.ram(), &[0; RAM_BYTES]);
        assert!(spoilt.contains(&from) && spoilt.contains(&to));
        assert!(spoilt.iter().all(|cell| usize::from(engine.ram()[*cell]) == from));
    }
}

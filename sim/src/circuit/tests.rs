//! The settled engine against the programmer's view of the machine.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{BUTTONS, Buttons};
use gray1_isa::{Image, Op, RamAddr, RomIndex, Word};

use super::reference::{
    BINARY, Dice, GRAY1, Reference, board, random_memory, random_program, random_timing, timed_run,
};
use super::*;
use crate::proofs::slowest_path;

fn power_up(board: &Board, dice: &mut Dice) -> (PowerUp, u8, bool) {
    let (a, carry) = (dice.byte(), dice.below(2) == 1);
    (PowerUp::holding(board, random_memory(dice), a, carry), a, carry)
}

/// Runs random programs on a board and on the reference, instruction by instruction.
fn lockstep(board: &Board, seeds: std::ops::Range<u64>, instructions: usize) {
    let start = PowerUp::holding(board, Box::new([0; RAM_BYTES]), 0, false);
    let mut circuit = Settled::power_up(board, &start).unwrap();
    for seed in seeds {
        let mut dice = Dice(seed);
        let program = random_program(&mut dice);
        let (power_up, a, carry) = power_up(board, &mut dice);
        circuit.insert(&program);
        circuit.power_up_again(&power_up).unwrap();
        let mut panel = Panel::new(circuit).unwrap();
        let mut reference = Reference::new(&program, &power_up, a, carry);
        for n in 0..instructions {
            assert_eq!(panel.step().unwrap(), reference.step(), "seed {seed}, instruction {n}");
        }
        assert_eq!(differing(panel.circuit().memory(), &reference.memory), [0; 0], "seed {seed}");
        circuit = panel.into_circuit();
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

/// Runs a board with its plans and without, several edges at a go, until it does not settle.
fn compare_with_and_without_plans(board: &Board, dice: &mut Dice) {
    let board = board.with_program(&random_program(dice));
    let (power_up, ..) = power_up(&board, dice);
    let mut planned = Settled::power_up(&board, &power_up).unwrap();
    let mut tried = Settled::power_up(&board, &power_up).unwrap().without_plans();
    for _ in 0..60 {
        let edges = 1 + dice.below(12) as u32;
        let outcome = planned.edges(edges);
        assert_eq!(outcome.is_ok(), tried.edges(edges).is_ok());
        if outcome.is_err() {
            return;
        }
        for net in board.net_ids() {
            let name = board.net(net).name();
            assert_eq!(planned.level(net), tried.level(net), "{name} after {edges} edges");
        }
        assert_eq!(planned.take_writes(), tried.take_writes());
    }
}

#[test]
fn without_plans_the_outcome_is_the_same() {
    let dice = &mut Dice(1);
    (0..10).for_each(|_| compare_with_and_without_plans(&board(GRAY1), dice));
}

/// Strobes that come where they should not leave edges without a plan among those with one.
#[test]
fn without_plans_a_faulty_control_table_does_the_same() {
    let stock = board(GRAY1);
    let control = stock.chip_named("CTRL").unwrap();
    let dice = &mut Dice(2);
    for _ in 0..100 {
        let mut contents = stock.chip(control).contents().to_vec();
        contents[dice.below(0x80) as usize] ^= 1 << dice.below(8);
        let faulty = stock.with_contents(control, contents).unwrap();
        compare_with_and_without_plans(&faulty, dice);
    }
}

#[test]
fn a_jump_to_itself_halts_and_counts() {
    let address = RamAddr::truncate(0x1fff);
    let end = RomIndex::truncate(2);
    let words = [Word::ldi(b'!'), Word::data(Op::St, address), Word::jump(Op::Jmp, end)];
    let board = board(GRAY1).with_program(&Image::from_words(&words).unwrap());
    let power_up = PowerUp::holding(&board, Box::new([0; RAM_BYTES]), 0, false);
    let mut panel = Panel::new(Settled::power_up(&board, &power_up).unwrap()).unwrap();
    let mut printed = Vec::new();
    assert_eq!(panel.run(2, |byte| printed.push(byte)), Ok(2));
    assert!(!panel.halted());
    assert_eq!(panel.run(100, |byte| printed.push(byte)), Ok(1));
    assert!(panel.halted());
    assert_eq!((panel.index(), panel.executed()), (end, 3));
    assert_eq!(printed, b"!");
    panel.reset().unwrap();
    assert_eq!((panel.index(), panel.halted()), (RomIndex::default(), false));
}

#[test]
fn buttons_are_seen_by_the_next_instruction() {
    let words = [Word::data(Op::Ld, BUTTONS), Word::jump(Op::Jmp, RomIndex::default())];
    let board = board(GRAY1).with_program(&Image::from_words(&words).unwrap());
    let power_up = PowerUp::holding(&board, Box::new([0x55; RAM_BYTES]), 0, false);
    let mut panel = Panel::new(Settled::power_up(&board, &power_up).unwrap()).unwrap();
    assert_eq!(panel.step().unwrap().a, 0, "reset clears the buttons");
    panel.step().unwrap();
    panel.press(Buttons(0x81)).unwrap();
    assert_eq!(panel.step().unwrap().a, 0x81);
}

#[test]
fn reset_keeps_registers_and_memory() {
    let dice = &mut Dice(7);
    let board = board(GRAY1);
    let start = PowerUp::holding(&board, Box::new([0; RAM_BYTES]), 0, false);
    let mut circuit = Settled::power_up(&board, &start).unwrap();
    for _ in 0..50 {
        let program = random_program(dice);
        let (power_up, a, carry) = power_up(&board, dice);
        circuit.insert(&program);
        circuit.power_up_again(&power_up).unwrap();
        let mut panel = Panel::new(circuit).unwrap();
        let mut reference = Reference::new(&program, &power_up, a, carry);
        for _ in 0..5 {
            for _ in 0..dice.below(30) {
                assert_eq!(panel.step().unwrap(), reference.step());
            }
            // Into the middle of an instruction, which reset lets complete once it has begun.
            let edges = dice.below(8);
            (0..edges).for_each(|_| panel.circuit_mut().edge().unwrap());
            if panel.phase_number() > 1 || panel.phase_number() == 0 && edges > 0 {
                reference.step();
            }
            panel.reset().unwrap();
            reference.index = RomIndex::default();
            reference.memory[BUTTONS.to_usize()] = 0;
            assert_eq!((panel.a(), panel.carry()), (reference.a, reference.carry));
            assert_eq!(differing(panel.circuit().memory(), &reference.memory), [0; 0]);
        }
        circuit = panel.into_circuit();
    }
}

fn board_with(program: &Image) -> Board {
    board(GRAY1).with_program(program)
}

#[test]
fn delays_and_glitches_do_not_show_in_a_hundred_random_programs() {
    let dice = &mut Dice(100);
    for run in 0..100 {
        let program = random_program(dice);
        let board = board_with(&program);
        let timing = random_timing(&board, dice);
        assert_eq!(timed_run(&board, &program, &timing, dice), None, "run {run}: {timing:?}");
    }
}

#[test]
fn delays_undo_the_binary_counter() {
    let dice = &mut Dice(200);
    for run in 0..10 {
        let program = random_program(dice);
        let board = board(BINARY).with_program(&program);
        let timing = random_timing(&board, dice);
        assert!(timed_run(&board, &program, &timing, dice).is_some(), "run {run}: {timing:?}");
    }
}

#[test]
fn a_phase_must_be_longer_than_the_slowest_path() {
    let dice = &mut Dice(250);
    let slowest_ns = slowest_path(&board(GRAY1), |_| 100).unwrap().total_ns();
    for run in 0..10 {
        let program = random_program(dice);
        let board = board_with(&program);
        let delays_ps = vec![(100_000, 100_000); board.chips().len()];
        let mut at = |phase_ns: u32| {
            let (phase_ps, delays_ps) = (1000 * u64::from(phase_ns), delays_ps.clone());
            let timing = Timing { delays_ps, phase_ps, mixes: true, seed: run };
            timed_run(&board, &program, &timing, dice)
        };
        assert_eq!(at(slowest_ns + 1), None, "run {run}");
        // The sum has a phase more than it needs, for it is taken as the latch closes in T6.
        assert!(at(slowest_ns / 4).is_some(), "run {run}");
    }
}

#[test]
fn the_same_seed_gives_the_same_glitches() {
    let dice = &mut Dice(300);
    let program = random_program(dice);
    let board = board_with(&program);
    let power_up = PowerUp::holding(&board, random_memory(dice), 1, false);
    let timing = random_timing(&board, dice);
    let movements = |timing: &Timing| {
        let mut circuit = Timed::power_up(&board, &power_up, timing).unwrap();
        circuit.record(true);
        circuit.edges(100).unwrap();
        circuit.take_changes()
    };
    assert_eq!(movements(&timing), movements(&timing));
    assert_ne!(movements(&timing), movements(&Timing { seed: 0, ..timing.clone() }));
}

#[test]
fn a_race_is_an_error_that_names_chips_and_lines() {
    // The flags' master and slave open at once on the same strobe: the slave then shows the old
    // or the new carry, whichever of its lines comes first - but lines of one chip move together.
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
    let board = Board::load(&text, nor).unwrap();
    let power_up = PowerUp::holding(&board, Box::new([0; RAM_BYTES]), 0, false);
    let mut circuit = Settled::power_up(&board, &power_up).unwrap();
    circuit.edge().unwrap();
    let race = circuit.edge().unwrap_err();
    assert_eq!(
        race.to_string(),
        "in phase T1 (oscillator high) the outcome depends on which chip is faster: \
         SET.0, OUT.0 of SET, OUT"
    );
}

#[test]
fn a_board_that_never_rests_is_an_error_that_names_chips_and_lines() {
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
    let board = Board::load(&text, nand).unwrap();
    let power_up = PowerUp::holding(&board, Box::new([0; RAM_BYTES]), 0, false);
    let mut circuit = Settled::power_up(&board, &power_up).unwrap();
    let endless = circuit.edge().unwrap_err();
    assert_eq!(
        endless.to_string(),
        "in phase T0 (oscillator low) lines never come to rest: RING.0, PHASE.0 of RING, PHASE"
    );
}

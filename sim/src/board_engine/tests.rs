//! Tests that boards do the same as the instruction engine.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Image, Op, RamAddr, RomIndex, SplitMix64, Word, random_program};
use gray1_roms::{BINARY_COUNTER, GRAY1, load};

use super::*;
use crate::Machine;

mod length;

/// A board and an instruction engine with the same program and the same state.
struct Pair<C> {
    chips: BoardEngine<C>,
    machine: Machine,
}

impl<C: RunsCycles + Clone + 'static> Pair<C> {
    /// Executes one instruction on both. Returns whether they did the same.
    fn step(&mut self) -> bool {
        self.clear_halt();
        let is_alike = self.chips.step() == self.machine.step();
        is_alike && self.chips.registers() == self.machine.registers()
    }

    /// Clears the halt of both, because the hardware continues at the end of a program.
    fn clear_halt(&mut self) {
        self.chips.halted = false;
        self.machine.load(self.machine.registers());
    }

    /// Presses reset after this many edges. Returns whether registers and memory are then the same
    /// on both.
    fn reset(&mut self, edges: u64) -> bool {
        self.clear_halt();
        for _ in 0..edges {
            self.chips.edge();
        }
        // A reset lets the current instruction complete.
        let phase = self.chips.phase();
        if phase > Phase::T1 || phase == Phase::T0 && edges > 0 {
            self.machine.step();
        }
        self.chips.reset();
        self.machine.reset();
        self.chips.registers() == self.machine.registers() && self.chips.ram() == self.machine.ram()
    }

    /// Runs both for a hundred instructions with resets at random moments. Returns the number of
    /// the first instruction at which they differ.
    fn first_difference(&mut self, random: &mut SplitMix64) -> Option<u64> {
        (0..100).find(|_| {
            let agrees = self.step();
            let resets = random.below(10) == 0;
            !agrees || resets && !self.reset(random.below(8))
        })
    }
}

/// Checks random programs on a board against the instruction engine.
fn assert_agrees(board: &Board, programs: u64) {
    for seed in 0..programs {
        let mut random = SplitMix64::new(seed);
        let program = random_program(&mut random);
        let power_up = PowerUp::Random(seed);
        let chips = BoardEngine::settled(&board.with_program(&program), power_up).unwrap();
        let mut pair = Pair { chips, machine: Machine::new(&program, power_up) };
        assert_eq!(pair.first_difference(&mut random), None, "seed {seed}");
        assert_eq!(differing(pair.chips.ram(), pair.machine.ram()), [0; 0], "seed {seed}");
    }
}

#[test]
fn both_boards_do_the_same_whatever_the_order_of_their_chips() {
    for text in [GRAY1, BINARY_COUNTER] {
        assert_agrees(&load(text).unwrap(), 200);
        let reversed = load(&with_chips_reversed(text)).unwrap();
        assert_eq!(reversed.chips()[0].name(), "RAM");
        assert_agrees(&reversed, 20);
    }
}

/// Reverses the order of the chips in a board description.
fn with_chips_reversed(text: &str) -> String {
    let begin = "        (\n            name: \"";
    let (head, chips) = text.split_once(begin).unwrap();
    let (chips, tail) = chips.rsplit_once("    ],\n)").unwrap();
    let chips: String = chips.rsplit(begin).flat_map(|chip| [begin, chip]).collect();
    format!("{head}{chips}    ],\n){tail}")
}

/// Returns the addresses at which two memories differ.
fn differing(one: &[u8; RAM_BYTES], other: &[u8; RAM_BYTES]) -> Vec<usize> {
    (0..RAM_BYTES).filter(|&address| one[address] != other[address]).collect()
}

/// Two buffers replace one, and each of them drives half of the bus.
#[test]
fn a_bus_can_be_shared_by_a_chip_for_each_half() {
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
    assert_agrees(&board, 10);
}

fn board_with(program: &Image) -> Board {
    load(GRAY1).unwrap().with_program(program)
}

/// Returns random delays for every chip, with a phase that is longer than any path through the
/// board.
fn random_timing(board: &Board, random: &mut SplitMix64) -> Timing {
    let mut timing = Timing::new(board, random.next());
    for delay_ps in &mut timing.delays_ps {
        let longest = 1 + random.below(200_000);
        *delay_ps = random.below(longest)..=longest;
    }
    timing.phase_ps = timing.delays_ps.iter().map(std::ops::RangeInclusive::end).sum();
    timing.mixes = random.coin();
    timing
}

/// Powers up a board with random contents, and runs it against the instruction engine. Returns the
/// number of the first instruction at which they differ.
fn timed_run(
    board: &Board,
    program: &Image,
    timing: &Timing,
    random: &mut SplitMix64,
) -> Option<u64> {
    let outputs = board.chips().iter().map(|_| random.byte()).collect();
    let memory = PowerUp::Random(random.next()).contents().ram;
    let timed = Timed::new(board, &ChipState { memory, outputs }, timing.clone()).unwrap();
    let chips = BoardEngine::new(timed).ok()?;
    let mut machine = Machine::new(program, PowerUp::Zero);
    machine.load(chips.registers());
    for (address, byte) in (0..).zip(chips.ram()) {
        machine.poke(RamAddr::truncate(address), *byte);
    }
    Pair { chips, machine }.first_difference(random)
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
fn delays_break_the_binary_counter() {
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
    let state = power_up_state(&board, PowerUp::Random(random.next()).contents());
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

/// A and all of memory are FF. The wires of the bus therefore keep their levels, whether both chips
/// drive it or neither does.
#[test]
fn a_bus_changes_only_where_its_drivers_disagree() {
    let store = |address| Word::data(Op::St, RamAddr::truncate(address));
    let halt = Word::jump(Op::Jmp, RomIndex::truncate(3));
    let program = Image::from_words(&[store(1), store(2), store(0x1abc), halt]).unwrap();
    let board = board_with(&program);
    let timing = Timing::new(&board, 5);
    let mut engine = BoardEngine::timed(&board, PowerUp::Ones, timing).unwrap();
    while engine.executed() < 4 {
        engine.edge();
        for change in engine.circuit().unwrap().changes() {
            let name = board.net(change.net).name();
            assert!(!name.starts_with("BUS."), "{name} in {}", engine.phase());
        }
    }
}

/// The address must not change during a write, because each cell that it selects in the meantime
/// stores the byte.
#[test]
fn a_write_with_a_changing_address_spoils_other_cells() {
    let (from, to) = (0x55, 0x12);
    let store = Word::data(Op::St, RamAddr::truncate(to));
    let program = Image::from_words(&[Word::ldi(from), store, Word::ERASED]).unwrap();
    let stock = board_with(&program);
    // The write begins before the low byte of the address arrives.
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
        let timing = Timing { mixes: false, ..Timing::new(&board, seed) };
        let mut engine = BoardEngine::timed(&board, PowerUp::Zero, timing).unwrap();
        assert_eq!(engine.run(2), 2);
        let spoilt = differing(engine.ram(), &[0; RAM_BYTES]);
        assert!(spoilt.contains(&from) && spoilt.contains(&to));
        assert!(spoilt.iter().all(|cell| usize::from(engine.ram()[*cell]) == from));
    }
}

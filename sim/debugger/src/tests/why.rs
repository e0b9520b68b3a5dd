//! Tests explanations on all engines and on a damaged board, including explanations with causes far
//! in the past.

use std::sync::Arc;

use gray1_board::Board;
use gray1_board::role::{Function, Role};
use gray1_isa::SplitMix64;
use gray1_roms::{GRAY1, GRAY1_B, load};
use gray1_sim::{BoardEngine, BurnedUnit};

use super::engines::{LIMITS, engines, program};
use super::*;
use crate::why::{Asked, CausalNode, Cell, Fact, FactOrigin, Leaf, Question, Subject};

const fn at(address: u16) -> Cell {
    Cell::Byte(RamAddr::truncate(address))
}

fn debugger(engine: Box<dyn Engine>, limits: HistoryLimits, count: u64) -> Debugger {
    let history = History::with_limits(engine, limits);
    let mut debugger = Debugger::new(Arc::new(Image::erased()), history);
    debugger.go(Goal::Instructions(count)).unwrap();
    while debugger.is_busy() {
        debugger.advance(1 << 20);
    }
    debugger
}

/// Returns a fact with its cause, and the number of slices of time that the search took.
fn look_up(debugger: &mut Debugger, fact: Fact) -> (CausalNode, u32) {
    let asked = Asked::Subject(fact.subject);
    debugger.ask(Question { asked, depth: 0, is_folded: false }, fact.moment);
    let mut slices = 0;
    while debugger.is_busy() {
        debugger.advance(0);
        slices += 1;
    }
    (debugger.explanation().unwrap().nodes[0].node, slices)
}

fn node(debugger: &mut Debugger, cell: Cell, mask: u8, moment: u64) -> CausalNode {
    look_up(debugger, Fact::bits(cell, mask, moment)).0
}

#[test]
fn all_engines_give_the_same_explanation() {
    let mut random = SplitMix64::new(44);
    let mut debuggers = engines(&program(), 5).map(|engine| debugger(engine, LIMITS, 300));
    for _ in 0..60 {
        let cell = match random.below(10) {
            0 | 1 => Cell::A,
            2 => Cell::Carry,
            address => at(address as u16),
        };
        let mut fact = Fact::bits(cell, 1 << random.below(8), random.below(301));
        for _ in 0..6 {
            let [node, chips, timed] =
                debuggers.each_mut().map(|debugger| look_up(debugger, fact).0);
            assert_eq!((chips, timed), (node, node));
            let Some(next) = node.causes().0.pop() else { break };
            fact = next;
        }
    }
}

/// If a bit that an explanation names is flipped before the step, the explained bit changes. If
/// several bits force the value, the explained bit only has to change for some values of the bits
/// that are not named.
#[test]
fn flipping_a_bit_of_an_explanation_changes_the_result() {
    let mut random = SplitMix64::new(51);
    let [engine, ..] = engines(&program(), 5);
    let mut debugger = debugger(engine, LIMITS, 300);
    let mut steps = 0;
    while steps < 1000 {
        let cell = [Cell::A, Cell::Carry, at(random.below(10) as u16)][random.below(3) as usize];
        let mask = if cell == Cell::Carry { 1 } else { 1 << random.below(8) };
        let node = node(&mut debugger, cell, mask, random.below(301));
        let FactOrigin::Step(step) = node.origin else { continue };
        let causes = node.causes().0;
        let named: Vec<(Cell, u8)> = causes.iter().filter_map(cell_of).collect();
        for &(flipped, bits) in &named {
            // The lowest bit of a sum names both of its bits, although one would be enough.
            let lowest = u8::from(step.recorded.word.op() == Op::Add);
            let bits = bits & !lowest;
            for bit in (0..8).map(|bit| 1 << bit).filter(|bit| bits & bit != 0) {
                let before = debugger.history().replay_at(step.before).engine;
                let address = step.recorded.word.address();
                let changes = (0..100).any(|round| {
                    let mut engine = before.clone();
                    // First try with the original values of the other bits.
                    for other in [Cell::A, Cell::Carry, Cell::Byte(address)] {
                        let all = if other == Cell::Carry { 1 } else { 0xff };
                        let own = named.iter().filter(|(cell, _)| *cell == other);
                        let free = all & !own.fold(0, |own, (_, mask)| own | mask);
                        if round > 0 {
                            flip(&mut *engine, other, free & random.byte());
                        }
                    }
                    let mut other = engine.clone();
                    flip(&mut *other, flipped, bit);
                    [engine, other]
                        .map(|mut engine| {
                            engine.step();
                            value(&*engine, cell) & mask
                        })
                        .windows(2)
                        .all(|values| values[0] != values[1])
                });
                assert!(changes, "{node:?}: {flipped:?} {bit:#04x}");
            }
        }
        steps += 1;
    }
}

fn cell_of(fact: &Fact) -> Option<(Cell, u8)> {
    match fact.subject {
        Subject::Bits(cell, mask) => Some((cell, mask)),
        _ => None,
    }
}

fn value(engine: &dyn Engine, cell: Cell) -> u8 {
    match cell {
        Cell::A => engine.a(),
        Cell::Carry => u8::from(engine.carry()),
        Cell::Byte(address) => engine.ram()[address.to_usize()],
    }
}

fn flip(engine: &mut dyn Engine, cell: Cell, bits: u8) {
    let (changed, registers) = (value(engine, cell) ^ bits, engine.registers());
    match cell {
        Cell::A => assert!(engine.load(Registers { a: changed, ..registers })),
        Cell::Carry => assert!(engine.load(Registers { carry: changed != 0, ..registers })),
        Cell::Byte(panel::BUTTONS) => engine.hold(Buttons(changed)),
        Cell::Byte(address) => engine.poke(address, changed),
    }
}

/// The stock board with arithmetic chips whose `NAND` always gives 0.
fn board_without_nand() -> Board {
    let stock = load(GRAY1).unwrap();
    ["ALUL", "ALUH"].into_iter().fold(stock, |board, name| {
        let id = board.chip_named(name).unwrap();
        let chip = board.chip(id);
        let Role::Function(Function::AluLow(slice) | Function::AluHigh(slice)) = chip.role() else {
            panic!("{name} is half of the arithmetic unit")
        };
        let mut contents = chip.contents().to_vec();
        for address in chip.addresses() {
            if slice.opcode.extract(address) == u32::from(Op::Nand.code()) {
                contents[address as usize] = 0;
            }
        }
        board.with_contents(id, contents).unwrap()
    })
}

#[test]
fn all_operand_bits_are_named_for_a_board_that_deviates() {
    let words = [Word::ldi(0), Word::data(Op::Nand, RamAddr::truncate(3)), Word::shr()];
    let image = image(&words);
    let board = board_without_nand();
    let unit = BurnedUnit::new(&board, &load(GRAY1).unwrap()).unwrap();
    let machine = Machine::new(&image, PowerUp::Zero).with_unit(unit);
    let chips = BoardEngine::settled(&board.with_program(&image), PowerUp::Zero).unwrap();
    let chips = chips.with_reference(gray1_roms::nearest);
    for engine in [Box::new(machine) as Box<dyn Engine>, Box::new(chips)] {
        let mut debugger = debugger(engine, LIMITS, 3);
        let nand = node(&mut debugger, Cell::A, 1, 2);
        let all = [Fact::bits(Cell::A, 0xff, 1), Fact::bits(at(3), 0xff, 1)];
        assert_eq!(nand.causes(), (all.to_vec(), None));
        assert!(!nand.step().unwrap().is_minimal && nand.value == 0);
        let shr = node(&mut debugger, Cell::A, 1, 3);
        assert_eq!(shr.causes(), (vec![Fact::bits(Cell::A, 2, 2)], None));
        assert!(shr.step().unwrap().is_minimal);
    }
}

#[test]
fn a_store_that_has_no_effect_is_not_a_cause() {
    let words = [Word::ldi(7), Word::data(Op::St, panel::BUTTONS), Word::shr()];
    let image = image(&words);
    let origin = |board: &str| {
        let board = load(board).unwrap();
        let unit = BurnedUnit::new(&board, &board).unwrap();
        let machine = Machine::new(&image, PowerUp::Zero).with_unit(unit);
        let mut debugger = debugger(Box::new(machine), LIMITS, 3);
        node(&mut debugger, Cell::Byte(panel::BUTTONS), 0xff, 3).origin
    };
    assert_eq!(origin(GRAY1_B), FactOrigin::Leaf(Leaf::Reset(0)));
    assert!(matches!(origin(GRAY1), FactOrigin::Step(step) if step.before == 1));
}

/// A program that stores 1 in byte 5, and then increments byte 6 forever. No path leads to the
/// store to 8.
fn counting_for_ever() -> Image {
    let data = |op, address| Word::data(op, RamAddr::truncate(address));
    image(&[
        Word::ldi(1),
        data(Op::St, 5),
        data(Op::Add, 6),
        data(Op::St, 6),
        Word::ldi(1),
        Word::jump(Op::Jmp, RomIndex::truncate(2)),
        data(Op::St, 8),
    ])
}

#[test]
fn a_write_long_ago_is_found_at_once_if_no_later_one_is_possible() {
    let machine = Machine::new(&counting_for_ever(), PowerUp::Zero);
    let limits = HistoryLimits::from_engine(&machine);
    let mut debugger = debugger(Box::new(machine), limits, 100_000_000);
    let now = debugger.position().moment;
    let mut ask = |cell| look_up(&mut debugger, Fact::bits(cell, 0xff, now));
    let (stored, slices) = ask(at(5));
    assert_eq!((stored.step().unwrap().before, stored.value), (1, 1));
    assert!(slices < 10, "{slices}");
    for never in [8, 9] {
        let (never, slices) = ask(at(never));
        assert_eq!((never.origin, never.value), (FactOrigin::Leaf(Leaf::PowerUp), 0));
        assert!(slices < 10, "{slices}");
    }
    // The user can jump there by changing the program counter.
    let registers = debugger.engine().registers();
    debugger.give(Input::Load(Registers { pc: RomIndex::truncate(6), ..registers }));
    debugger.go(Goal::Instructions(1)).unwrap();
    while debugger.is_busy() {
        debugger.advance(1);
    }
    let stored = node(&mut debugger, at(8), 0xff, now + 1);
    assert_eq!(stored.step().unwrap().before, now);
}

#[test]
fn a_forgotten_cause_is_reported_as_forgotten() {
    let machine = Machine::new(&counting_for_ever(), PowerUp::Zero);
    let mut debugger = debugger(Box::new(machine), SMALL, 10);
    for n in 0..40 {
        debugger.go(Goal::Instructions(7)).unwrap();
        while debugger.is_busy() {
            debugger.advance(7);
        }
        debugger.give(Input::Hold(Buttons(n)));
    }
    let now = debugger.position().moment;
    assert!(debugger.history().start() > 10);
    let (forgotten, _) = look_up(&mut debugger, Fact::bits(at(5), 0xff, now));
    assert_eq!((forgotten.origin, forgotten.value), (FactOrigin::Leaf(Leaf::Forgotten), 1));
    let (held, _) = look_up(&mut debugger, Fact::bits(Cell::Byte(panel::BUTTONS), 1, now));
    assert_eq!(held.origin, FactOrigin::Leaf(Leaf::Buttons(now)));
}

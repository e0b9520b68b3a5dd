//! Tests with damaged boards, which do not do what their programs say. Every answer must show what
//! the machine did, and name the first wrong chip.

use std::num::NonZeroU64;
use std::sync::Arc;

use gray1_board::Board;
use gray1_circuit::{Noise, PULSE_PS};
use gray1_roms::{BINARY_COUNTER, GRAY1, load, nearest};
use gray1_sim::{Hardware, Setup};

use super::engines::LIMITS;
use super::*;
use crate::why::{Asked, Cell, Explanation, Fact, Question, Subject};

const MOMENTS: u64 = 16;
const BYTES: u16 = 8;

fn engine(hardware: Hardware, image: &Image) -> Option<Box<dyn Engine>> {
    Setup { hardware, power_up: PowerUp::Zero }.engine(image).ok()
}

/// A program that counts, with carries, shifts, jumps and stores to a few bytes.
fn program() -> Image {
    let data = |op, address| Word::data(op, RamAddr::truncate(address));
    let jump = |op, target| Word::jump(op, RomIndex::truncate(target));
    image(&[
        Word::ldi(0x53),
        data(Op::St, 1),
        data(Op::Add, 2),
        data(Op::St, 2),
        data(Op::Nand, 1),
        data(Op::St, 3),
        Word::shr(),
        jump(Op::Jc, 9),
        data(Op::St, 4),
        data(Op::Ld, 2),
        data(Op::Add, 3),
        data(Op::St, 5),
        jump(Op::Jc, 2),
        jump(Op::Jmp, 4),
    ])
}

/// The stock board with a damaged chip: one of its data bits is 1 at all addresses in which one
/// address bit is 1.
fn damaged(chip: &str, address_bit: u32, bit: u32) -> Board {
    let board = load(GRAY1).unwrap();
    let id = board.chip_named(chip).unwrap();
    let contents = (0..).zip(board.chip(id).contents()).map(|(address, byte): (u32, _)| {
        if address >> address_bit & 1 == 1 { byte | 1 << bit } else { *byte }
    });
    let contents = contents.collect();
    board.with_contents(id, contents).unwrap()
}

fn answer(debugger: &mut Debugger, asked: Asked, moment: u64) -> Arc<Explanation> {
    debugger.ask(Question { asked, depth: 1, is_folded: false }, moment);
    while debugger.is_busy() {
        debugger.advance(0);
    }
    Arc::clone(debugger.explanation().unwrap())
}

/// Asks about all registers and some bytes at a moment, and compares the answers with the machine.
/// Returns the chips that the answers name.
fn ask_all(debugger: &mut Debugger, moment: u64) -> Vec<String> {
    debugger.seek(moment, 0);
    let (registers, ram) = (debugger.engine().registers(), *debugger.engine().ram());
    let bytes = (0..BYTES)
        .map(|address| (Cell::Byte(RamAddr::truncate(address)), ram[usize::from(address)]));
    let values = [(Cell::A, registers.a), (Cell::Carry, registers.carry.into())];
    let mut chips = Vec::new();
    let mut collect_chip = |explanation: &Explanation| {
        let Some((chip, _)) = explanation.nodes[0].node.deviation().and_then(|it| it.chip) else {
            return;
        };
        chips.push(explanation.chips[chip.index()].clone());
        assert!(explanation.sentence.contains("though"), "{}", explanation.sentence);
    };
    for (cell, value) in values.into_iter().chain(bytes) {
        let fact = Fact::bits(cell, 0xff, moment);
        let explanation = answer(debugger, Asked::Subject(fact.subject), moment);
        assert_eq!(
            explanation.nodes[0].node.value, value,
            "{cell:?} at {moment}: {}",
            explanation.sentence
        );
        collect_chip(&explanation);
    }
    let asked = Asked::Subject(Subject::Executed(registers.pc));
    let explanation = answer(debugger, asked, moment);
    collect_chip(&explanation);
    chips
}

fn debugger(engine: Box<dyn Engine>, image: Image) -> Debugger {
    let mut debugger = Debugger::new(Arc::new(image), History::with_limits(engine, LIMITS));
    debugger.go(Goal::Instructions(MOMENTS)).unwrap();
    while debugger.is_busy() {
        debugger.advance(1 << 20);
    }
    debugger
}

#[test]
fn answers_about_a_damaged_board_show_what_it_did_and_name_the_chip() {
    let mut named = 0;
    for (chip, address_bit, bit) in [
        ("AM", 16, 5),
        ("AS", 16, 1),
        ("BUF", 0, 3),
        ("FLAGS", 0, 1),
        ("IRL", 16, 1),
        ("IRH", 16, 5),
        ("ALUL", 3, 2),
        ("ALUH", 9, 0),
        ("PCL", 1, 0),
        ("CTRL", 4, 0),
    ] {
        let hardware = Hardware::Chips(Arc::new(damaged(chip, address_bit, bit)), nearest);
        let Some(engine) = engine(hardware, &program()) else { continue };
        let mut debugger = debugger(engine, program());
        for moment in 0..debugger.position().moment {
            let chips = ask_all(&mut debugger, moment);
            assert!(chips.iter().all(|it| it == chip), "{chips:?} for {chip} at {moment}");
            named += chips.len();
        }
    }
    assert!(named > 40, "{named}");
}

#[test]
fn answers_show_what_a_board_with_delays_did_when_it_first_deviates() {
    let mut explained = 0;
    for seed in 0..20 {
        let glitch = NonZeroU64::new(300);
        let noise = Noise { seed, glitch, pulse_ps: 2 * PULSE_PS };
        let hardware = Hardware::Timed(Arc::new(load(GRAY1).unwrap()), noise);
        let Some(mut engine) = engine(hardware, &program()) else { continue };
        let mut should = Machine::new(&program(), PowerUp::Zero);
        let start = engine.boxed_clone();
        let deviates =
            |_: &u64| engine.step() != should.step() || engine.registers() != should.registers();
        if let Some(moment) = (1..=MOMENTS).find(deviates) {
            let mut debugger = debugger(start, program());
            explained += usize::from(!ask_all(&mut debugger, moment).is_empty());
        }
    }
    assert!(explained >= 5, "{explained}");
}

#[test]
fn a_lost_step_of_the_counter_is_reported_as_the_cause() {
    let image = image(&[Word::ldi(1); 12]);
    let board = Arc::new(load(BINARY_COUNTER).unwrap());
    let hardware = Hardware::Timed(board, Noise::seeded(0));
    let mut debugger = debugger(engine(hardware, &image).unwrap(), image);
    let mut lost = 0;
    for moment in 1..12 {
        debugger.seek(moment - 1, 0);
        let index = debugger.engine().pc();
        if index.get() >= 12 {
            break;
        }
        debugger.seek(moment, 0);
        let pc = debugger.engine().pc();
        let explanation = answer(&mut debugger, Asked::Subject(Subject::Executed(pc)), moment);
        if pc != index.next() {
            let (next, at, should) = (pc.get(), index.get(), index.next().get());
            let sentence = format!(
                "{next:#06x} came next, though LDI 0x01 at {at:#06x} leads to {should:#06x} \
                 (moment {moment}). PCL is the first chip with a wrong output"
            );
            assert!(
                explanation.sentence.starts_with(&sentence),
                "{} {sentence}",
                explanation.sentence
            );
            lost += 1;
        }
    }
    assert!(lost > 0);
}

/// The breakpoints are on all bytes that the program uses or that a wrong address bit selects.
#[test]
fn data_breakpoints_and_searches_find_stray_writes() {
    for (chip, address_bit, bit) in [("IRL", 16, 1), ("IRL", 16, 4), ("IRH", 16, 5), ("CTRL", 4, 0)]
    {
        let hardware = Hardware::Chips(Arc::new(damaged(chip, address_bit, bit)), nearest);
        let Some(mut model) = engine(hardware.clone(), &program()) else { continue };
        let changes = (0..32).map(|address| {
            Event::Changes { address: RamAddr::truncate(address), mask: 0xff }.into()
        });
        let mut history = History::with_limits(engine(hardware, &program()).unwrap(), LIMITS);
        let watch_set = WatchSet::new(changes.collect(), history.engine());
        let mut expected = Vec::new();
        for moment in 1..=MOMENTS {
            let before = *model.ram();
            if model.step().is_none() {
                break;
            }
            if before[..32] != model.ram()[..32] {
                expected.push(moment);
            }
        }
        let mut found = Vec::new();
        while let RunResult::Hit(hit) = history.run(&watch_set, MOMENTS - history.moment()) {
            found.push(hit.moment);
        }
        assert_eq!(found, expected, "{chip}");
        let mut search = Search::new(&history, watch_set);
        let mut back = Vec::new();
        loop {
            match search.advance(&history, 100) {
                SearchResult::Hit(hit) => back.push(hit.moment),
                SearchResult::DownTo(_) => {}
                SearchResult::Nothing => break,
            }
        }
        back.reverse();
        // A search before the present must not find a hit at the present.
        expected.retain(|moment| *moment < history.moment());
        assert_eq!(back, expected, "{chip}");
    }
}

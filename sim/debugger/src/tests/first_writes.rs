//! Checks that first writes are right after an input has replaced the future.

use std::sync::Arc;

use super::*;

/// The byte that only the second loop writes.
const BYTE: RamAddr = RamAddr::truncate(3);
/// The loops of the program.
const WRITING: u16 = 2;
const READING: u16 = 5;

const LIMITS: HistoryLimits =
    HistoryLimits { checkpoints_max: 4, distance_min: 8, distance_max: 8, inputs_max: 8 };

/// A program of three loops. The first one neither reads nor writes.
fn program() -> Image {
    let to = |index| Word::jump(Op::Jmp, RomIndex::truncate(index));
    let (store, load) = (Word::data(Op::St, BYTE), Word::data(Op::Ld, BYTE));
    image(&[Word::ldi(1), to(0), store, load, to(WRITING), load, to(READING)])
}

/// An input that continues with a loop.
fn enter(start: u16) -> Input {
    Input::Load(Registers { a: 0, carry: false, pc: RomIndex::truncate(start) })
}

/// Returns a history of 1,000 instructions of the first loop.
fn recorded() -> History {
    let mut history =
        History::with_limits(Box::new(Machine::new(&program(), PowerUp::Zero)), LIMITS);
    history.prepare(&watch_set(&["unwritten".to_owned()], &program()));
    history.advance(1000);
    history
}

#[test]
fn an_input_during_a_seek_does_not_bring_the_old_future_back() {
    let mut history = recorded();
    history.seek(600);
    let mut debugger = Debugger::new(Arc::new(program()), history);
    debugger.seek(100, 0);
    assert!(debugger.is_busy(), "the moment is too near");
    debugger.give(enter(WRITING));
    while debugger.is_busy() {
        debugger.advance(10);
    }
    assert_eq!((debugger.position(), debugger.history().end()), (Position::at(100), 600));
    let unwritten = [590, 600, 601, 900].map(|moment| {
        debugger.go(Goal::Instructions(moment - debugger.position().moment)).unwrap();
        while debugger.is_busy() {
            debugger.advance(1000);
        }
        debugger.is_unwritten(BYTE)
    });
    assert_eq!(unwritten, [true, true, false, false]);
}

#[test]
fn a_count_of_hits_continues_in_the_new_future() {
    let mut history = recorded();
    history.seek(600);
    history.give(enter(WRITING));
    history.advance(400);
    history.seek(500);
    let mut hits = HitCounts::default();
    hits.set(watch_set(&["unwritten".to_owned()], &program()), []);
    assert!(!hits.recount(&history, 100), "it has counted too much");
    history.give(enter(READING));
    hits.cut(500);
    history.advance(500);
    while !hits.recount(&history, 100) {}
    assert_eq!(hits.counts(), [251]);
}

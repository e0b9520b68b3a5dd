//! Tests of the recent past: the last instructions, and the wires before the last edge.

use std::sync::Arc;

use super::engines::engines;
use super::*;

fn debugger(words: &[Word]) -> Debugger {
    let image = Arc::new(image(words));
    let history = history(&image);
    Debugger::new(image, history)
}

/// Returns a debugger for an engine with wires.
fn on_chips(words: &[Word]) -> Debugger {
    let image = Arc::new(image(words));
    let [_, chips, _] = engines(&image, 5);
    Debugger::new(Arc::clone(&image), History::new(chips))
}

/// A program that adds the buttons plus 1 to the byte at 0 and prints it, forever.
fn counting() -> [Word; 6] {
    let at = |op, address| Word::data(op, RamAddr::truncate(address));
    [
        Word::ldi(1),
        Word::data(Op::Add, panel::BUTTONS),
        at(Op::Add, 0),
        at(Op::St, 0),
        Word::data(Op::St, panel::MAILBOX),
        Word::jump(Op::Jmp, RomIndex::default()),
    ]
}

fn run(debugger: &mut Debugger, count: u64) {
    debugger.go(Goal::Instructions(count)).unwrap();
    while debugger.is_busy() {
        debugger.advance(count);
    }
}

/// Returns the levels of all wires before the last edge.
fn before(debugger: &mut Debugger) -> Option<Vec<bool>> {
    debugger.levels().unwrap().before
}

/// Formats the recent past and the state of the machine.
fn shown(debugger: &mut Debugger) -> String {
    let state = debugger.engine().save();
    format!("{:?} {state:?}", debugger.recent())
}

#[test]
fn the_last_instructions_depend_only_on_the_moment() {
    let mut straight = debugger(&counting());
    let mut seen = Vec::new();
    for n in 0..600 {
        if n == 150 {
            straight.give(Input::Hold(Buttons(9)));
        }
        if n == 300 {
            straight.give(Input::Reset);
        }
        seen.push(shown(&mut straight));
        run(&mut straight, 1);
    }
    // Now move back, and then by large distances.
    for n in (0..600_u64).rev().step_by(7).chain([299, 300, 301, 599, 0, 64, 65, 66]) {
        straight.seek(n, 0);
        assert_eq!(shown(&mut straight), seen[n as usize], "back at {n}");
        run(&mut straight, 1 + n % 90);
        let now = straight.position().moment as usize;
        if now < 600 {
            assert_eq!(shown(&mut straight), seen[now], "from {n} on to {now}");
        }
    }
}

#[test]
fn the_levels_before_the_last_edge_depend_only_on_the_moment() {
    let mut straight = on_chips(&counting());
    let mut seen = Vec::new();
    for n in 0..40 {
        if n == 20 {
            straight.give(Input::Reset);
        }
        seen.push(before(&mut straight));
        run(&mut straight, 1);
    }
    let starts = (0..40).filter(|n| seen[*n].is_none());
    assert_eq!(starts.collect::<Vec<_>>(), [0, 20], "just after a reset");
    for n in (0..40_u64).rev() {
        straight.seek(n, 0);
        assert!(before(&mut straight) == seen[n as usize], "back at {n}");
        run(&mut straight, 1 + n % 9);
        if let Some(levels) = seen.get(straight.position().moment as usize) {
            assert!(before(&mut straight) == *levels, "from {n} on");
        }
    }
}

#[test]
fn at_the_end_of_a_program_no_wire_has_just_changed() {
    let mut debugger = on_chips(&[]);
    debugger.go(Goal::Run).unwrap();
    assert_eq!(debugger.advance(100), Some(Stop::Halted));
    assert!(before(&mut debugger).is_none());
    debugger.seek(debugger.position().moment, 0);
    assert!(before(&mut debugger).is_none());
}

#[test]
fn at_the_end_of_a_program_there_are_no_recent_steps() {
    for limit in [1, 1000] {
        let mut debugger = debugger(&[]);
        debugger.go(Goal::Run).unwrap();
        while debugger.is_busy() {
            debugger.advance(limit);
        }
        let recent = debugger.recent();
        assert_eq!((recent.newest(), recent.last()), (None, Word::ERASED));
    }
}

#[test]
fn the_age_of_a_byte_counts_from_its_last_write() {
    let (mut debugger, zero) = (debugger(&counting()), RamAddr::default());
    run(&mut debugger, 4);
    assert_eq!(debugger.recent().age(zero), Some(0));
    run(&mut debugger, 3);
    assert_eq!(debugger.recent().age(zero), Some(3));
    assert_eq!(debugger.recent().age(RamAddr::truncate(1)), None);
    debugger.give(Input::Reset);
    assert_eq!(debugger.recent().age(zero), None);
}

/// Until the new instruction is fetched, a replica executes the one in its instruction register,
/// which must therefore have no effect.
#[test]
fn after_a_change_of_registers_the_last_instruction_has_no_effect() {
    let mut debugger = debugger(&counting());
    run(&mut debugger, 2);
    debugger.give(Input::Hold(Buttons(1)));
    assert_eq!(debugger.recent().last(), counting()[1]);
    debugger.give(Input::Load(Registers { a: 5, carry: true, pc: RomIndex::truncate(3) }));
    assert_eq!(debugger.recent().last(), Word::ldi(0));
    run(&mut debugger, 1);
    assert_eq!(debugger.recent().last(), counting()[3]);
    debugger.seek(2, 0);
    assert_eq!(debugger.recent().last(), Word::ldi(0));
}

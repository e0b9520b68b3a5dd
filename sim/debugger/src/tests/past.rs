//! Checks that every moment since power-up can be reached again, however few checkpoints there are.

use std::sync::Arc;

use gray1_isa::SplitMix64;
use gray1_sim::Snapshot;

use super::engines::{engines, program};
use super::*;

/// Limits with so few checkpoints that some are removed all the time.
const FEW: HistoryLimits =
    HistoryLimits { checkpoints_max: 5, distance_min: 4, distance_max: 8, inputs_max: 1 << 20 };

fn debugger(engine: Box<dyn Engine>) -> Debugger {
    Debugger::new(Arc::new(program()), History::with_limits(engine, FEW))
}

fn settle(debugger: &mut Debugger) -> Option<Stop> {
    let mut stop = None;
    while debugger.is_busy() {
        stop = debugger.advance(1 << 20);
    }
    stop
}

/// Returns the states of a machine after each instruction. The buttons change every 1000
/// instructions.
fn states(mut engine: Box<dyn Engine>, count: u64) -> Vec<Snapshot> {
    let mut states = vec![engine.save()];
    for n in 1..=count {
        engine.step();
        if n % 1000 == 0 {
            engine.hold(Buttons((n / 1000) as u8));
        }
        states.push(engine.save());
    }
    states
}

#[test]
fn every_moment_can_be_reached_again_after_checkpoints_were_removed() {
    for (engine, count) in engines(&program(), 5).into_iter().zip([20_000, 6_000, 400]) {
        let states = states(engine.clone(), count);
        let mut debugger = debugger(engine);
        for n in 1..=count {
            debugger.go(Goal::Instructions(1)).unwrap();
            settle(&mut debugger);
            if n % 1000 == 0 {
                debugger.give(Input::Hold(Buttons((n / 1000) as u8)));
            }
        }
        assert_eq!(debugger.history().start(), 0);
        let mut random = SplitMix64::new(count);
        for round in 0..60 {
            let target = if round == 0 { 0 } else { random.below(count + 1) };
            debugger.seek(target, 0);
            settle(&mut debugger);
            assert_eq!(debugger.position(), Position::at(target));
            assert_eq!(debugger.engine().save(), states[target as usize], "at {target}");
            let newest = debugger.recent().newest().map(|step| step.index);
            assert_eq!(newest.is_some(), target > 0);
            assert!(debugger.history().checkpoints().len() <= FEW.checkpoints_max);
        }
    }
}

#[test]
fn going_far_back_shows_progress_and_can_be_cancelled() {
    let image = image(&[Word::shr(), Word::jump(Op::Jmp, RomIndex::default())]);
    let limits = HistoryLimits {
        checkpoints_max: 64,
        distance_min: 1 << 12,
        distance_max: 1 << 12,
        inputs_max: 8,
    };
    let machine = Machine::new(&image, PowerUp::Zero);
    let mut history = History::with_limits(Box::new(machine), limits);
    history.advance(100_000_000);
    let now = history.position();
    let mut debugger = Debugger::new(Arc::new(image), history);
    let target = 31_000_123;
    debugger.seek(target, 0);
    assert!(debugger.is_busy(), "it is far from all checkpoints");
    debugger.advance(0);
    let Activity::Seeking { reached, target: end } = debugger.activity() else {
        panic!("it seeks")
    };
    assert!(reached < target && end == target);
    assert_eq!(debugger.position(), now, "the machine stays until it is there");
    debugger.pause();
    assert_eq!((debugger.activity(), debugger.position()), (Activity::Idle, now));
    debugger.seek(target, 0);
    assert_eq!(settle(&mut debugger), Some(Stop::Goal));
    assert_eq!(debugger.position(), Position::at(target));
    // From there, the next step back must be quick.
    debugger.seek(target - 1, 0);
    assert!(!debugger.is_busy());
}

/// Between the change of the program counter and the reset, the loop at 100 never reaches 0.
#[test]
fn a_search_finds_a_hit_caused_by_a_reset_after_a_loop_without_hits() {
    let mut words = vec![Word::ldi(0); 101];
    words.push(Word::jump(Op::Jmp, RomIndex::truncate(100)));
    let image = image(&words);
    let machine = Machine::new(&image, PowerUp::Zero);
    for reset in 7..40 {
        let mut history = History::with_limits(machine.boxed_clone(), SMALL);
        history.advance(3);
        let registers = Registers { pc: RomIndex::truncate(100), ..history.engine().registers() };
        history.give(Input::Load(registers));
        history.advance(reset - 3);
        history.give(Input::Reset);
        history.advance(18);
        let mut search = Search::new(&history, watch_set(&["0".to_owned()], &image));
        let hits = [(); 3].map(|()| last_hit(&mut search, &history, 19).map(|hit| hit.moment));
        assert_eq!(hits, [Some(reset), Some(0), None]);
    }
}

#[test]
fn a_press_at_the_end_neither_ends_a_search_nor_restarts_counts() {
    let [machine, ..] = engines(&program(), 5);
    let mut debugger = debugger(machine);
    debugger.go(Goal::Instructions(20_000)).unwrap();
    settle(&mut debugger);
    let mut counter = ExecutionCounter::new(debugger.history());
    counter.advance(debugger.history(), 15_000);
    debugger.seek(9_999, 0);
    assert!(debugger.is_busy(), "it is far from all checkpoints");
    debugger.press(Buttons(1));
    assert_eq!(settle(&mut debugger), Some(Stop::Goal));
    assert_eq!(debugger.position(), Position::at(9_999));
    debugger.seek(20_000, 0);
    settle(&mut debugger);
    debugger
        .go_back(Goal::Condition(Condition::from(Event::reaches(RomIndex::default()))))
        .unwrap();
    debugger.press(Buttons(2));
    assert_eq!(settle(&mut debugger), Some(Stop::Goal));
    assert_eq!((debugger.engine().pc(), debugger.history().end()), (RomIndex::default(), 20_000));
    debugger.seek(20_000, 0);
    settle(&mut debugger);
    assert_eq!(debugger.held(), Buttons(3));
    counter.advance(debugger.history(), 5_000);
    assert_eq!(counter.moment(), 20_000, "what was counted stays");
    debugger.press(Buttons(4));
    assert!(counter.is_complete(debugger.history()));
    // An input in the past does restart the counts.
    debugger.seek(10_000, 0);
    settle(&mut debugger);
    debugger.give(Input::Hold(Buttons(8)));
    assert!(!counter.is_complete(debugger.history()));
    counter.advance(debugger.history(), 10);
    assert_eq!(counter.moment(), 10);
}

//! Checks that the levels of a replica equal those of a running board.

use std::sync::Arc;

use gray1_isa::{SplitMix64, random_program};
use gray1_roms::{GRAY1, load};

use super::engines::engines;
use super::*;

/// Returns a debugger for an engine without wires, one for an engine with wires, and the latter
/// engine.
fn debuggers(image: &Image) -> ([Debugger; 2], Box<dyn Engine>) {
    let [instruction, chips, _] = engines(image, 7);
    let running = chips.clone();
    let debuggers = [instruction, chips].map(|engine| {
        Debugger::new(Arc::new(image.clone()), History::new(engine))
            .with_board(Box::new(|| load(GRAY1).unwrap()))
    });
    (debuggers, running)
}

fn levels(engine: &dyn Engine) -> Vec<bool> {
    engine.circuit().unwrap().levels()
}

#[test]
fn levels_equal_those_of_the_running_board_in_each_phase_forward_and_back() {
    const PHASES: usize = 8 * 100;
    let mut random = SplitMix64::new(8);
    for _ in 0..3 {
        let (debuggers, mut running) = debuggers(&random_program(&mut random));
        let mut seen = vec![levels(&*running)];
        for _ in 1..PHASES {
            running.edge();
            seen.push(levels(&*running));
        }
        for mut debugger in debuggers {
            let check = |debugger: &mut Debugger, phase: usize| {
                let shown = debugger.levels().unwrap();
                assert!(shown.now == seen[phase], "in phase {phase}");
                let before = phase.checked_sub(1).map(|before| &seen[before]);
                assert!(shown.before.as_ref() == before, "before phase {phase}");
            };
            check(&mut debugger, 0);
            for phase in 1..PHASES {
                debugger.edge();
                check(&mut debugger, phase);
            }
            for phase in (1..PHASES - 1).rev().take(20) {
                debugger.edge_back();
                check(&mut debugger, phase);
            }
        }
    }
}

#[test]
fn levels_after_some_edges_equal_those_after_running() {
    let (debuggers, mut running) = debuggers(&super::engines::program());
    running.run(19_999);
    (0..7).for_each(|_| _ = running.edge());
    let before = levels(&*running);
    running.edge();
    for mut debugger in debuggers {
        debugger.go(Goal::Instructions(20_000)).unwrap();
        while debugger.is_busy() {
            debugger.advance(u64::MAX);
        }
        let shown = debugger.levels().unwrap();
        assert!(shown.now == levels(&*running));
        assert!(shown.before.as_ref() == Some(&before));
    }
}

#[test]
fn changed_registers_appear_on_the_wires() {
    let (debuggers, mut running) = debuggers(&super::engines::program());
    let registers = Registers { a: 0x5a, carry: true, pc: RomIndex::truncate(7) };
    running.run(3);
    running.load(registers);
    for mut debugger in debuggers {
        debugger.go(Goal::Instructions(3)).unwrap();
        debugger.advance(u64::MAX);
        debugger.change(Input::Load(registers)).unwrap();
        assert!(debugger.levels().unwrap().now == levels(&*running));
    }
}

#[test]
fn a_newly_loaded_program_shows_its_own_levels() {
    let mut random = SplitMix64::new(9);
    let images = [(); 2].map(|()| random_program(&mut random));
    let (debuggers, _) = debuggers(&images[0]);
    let (others, _) = self::debuggers(&images[1]);
    for (mut debugger, mut other) in debuggers.into_iter().zip(others) {
        assert!(debugger.levels().unwrap().before.is_none());
        let history = History::new(other.engine().boxed_clone());
        debugger.load(Arc::new(images[1].clone()), history);
        // Check the phases from reset to after T1 of the next instruction.
        for phase in 0..12 {
            let (shown, expected) = (debugger.levels().unwrap(), other.levels().unwrap());
            assert!(shown.now == expected.now && shown.before == expected.before, "{phase}");
            assert_eq!(shown.before.is_none(), phase == 0);
            debugger.edge();
            other.edge();
        }
    }
}

//! Tests of the length of an instruction on boards with a wrong order of phases.

use super::*;

/// Returns the stock board with a wrong phase after T3.
fn with_another_phase_after_t3(phase: Phase) -> BoardEngine<Settled> {
    let words = [Word::ldi(0x11), Word::data(Op::St, RamAddr::truncate(5)), Word::ldi(0x22)];
    let stock = board_with(&Image::from_words(&words).unwrap());
    let wrong = (Phase::T4.code() ^ phase.code()) as u8;
    let address = (Phase::T3.code() as usize) << 2;
    let board = stock.with_wrong_bits(stock.chip_named("PHASE").unwrap(), address, wrong);
    BoardEngine::settled(&board, PowerUp::Zero).unwrap()
}

#[test]
fn an_instruction_takes_at_least_eight_edges_and_ends_in_t0() {
    // With T6 after T3, T0 comes every six edges.
    let engine = with_another_phase_after_t3(Phase::T6);
    let [mut by_edges, mut by_steps, mut running] = [(); 3].map(|()| engine.clone());
    for edges in [11, 12, 12, 12] {
        let needed = (1..100).find(|_| by_edges.edge().is_some());
        assert_eq!(needed, Some(edges), "the first one begins in T1");
        by_steps.step();
        assert_eq!((by_steps.phase(), by_steps.edges()), (Phase::T0, 0));
        assert_eq!(by_steps.save(), by_edges.save());
    }
    assert_eq!(running.run(4), 4);
    assert_eq!(running.save(), by_edges.save());
}

#[test]
fn a_phase_that_is_never_reached_is_an_error() {
    // With T2 after T3, the two phases alternate forever.
    let mut engine = with_another_phase_after_t3(Phase::T2);
    let [mut stepping, mut running] = [(); 2].map(|()| engine.clone());
    for edge in 0..EDGES_MAX {
        assert_eq!((engine.edges(), engine.edge()), (edge, None));
    }
    assert!(!engine.halted());
    assert_eq!((stepping.step(), running.run(10)), (None, 0));
    engine.edge();
    for mut engine in [engine, stepping, running] {
        assert_eq!(engine.error(), Some(&EngineError::NoPhase));
        assert!(engine.halted() && engine.executed() == 0);
        // The engine reports as many edges as the phase allows.
        assert_eq!((engine.phase(), engine.edges()), (Phase::T3, 2));
        assert_eq!((engine.step(), engine.edge(), engine.run(1)), (None, None, 0));
        engine.reset();
        assert!(engine.error().is_none() && !engine.halted());
    }
}

//! Checks that waves, which are recorded by executing the history again, equal those of a machine
//! that is stepped edge by edge.

use std::sync::Arc;

use gray1_board::NetId;
use gray1_circuit::{Change, Noise};
use gray1_isa::{SplitMix64, random_program};
use gray1_roms::{GRAY1, load, nearest};
use gray1_sim::{Hardware, Setup};

use super::*;
use crate::replica::Replica;

/// Limits that lead to several checkpoints.
const LIMITS: HistoryLimits =
    HistoryLimits { checkpoints_max: 8, distance_min: 4, distance_max: 8, inputs_max: 8 };
const INSTRUCTIONS: u64 = 40;
/// The inputs at the panel, with their moments.
const INPUTS: [(u64, Input); 4] = [
    (9, Input::Hold(Buttons(5))),
    (14, Input::Reset),
    (17, Input::Poke(RamAddr::truncate(5), 0x5a)),
    (20, Input::Hold(Buttons(2))),
];

/// The observations at an edge.
struct Seen {
    position: Position,
    /// The levels of all wires after the edge.
    levels: Vec<bool>,
    /// The changes of wires, with times since the edge.
    changes: Vec<Change>,
    /// The time in ps until the wires are stable.
    duration_ps: u64,
}

impl Seen {
    fn moves(&self, net: NetId) -> usize {
        self.changes.iter().filter(|change| change.net == net).count()
    }
}

fn engine(hardware: Hardware, image: &Image) -> Box<dyn Engine> {
    Setup { hardware, power_up: PowerUp::Zero }.engine(image).unwrap()
}

fn hardware(seed: Option<u64>) -> Hardware {
    let board = Arc::new(load(GRAY1).unwrap());
    match seed {
        None => Hardware::Chips(board, nearest),
        Some(seed) => Hardware::Timed(board, Noise::seeded(seed)),
    }
}

/// Steps an engine with wires through the whole test, edge by edge.
fn stepped(mut engine: Box<dyn Engine>) -> Vec<Seen> {
    let mut moment = 0;
    let mut seen = Vec::new();
    let time_ps = |engine: &dyn Engine| engine.circuit().unwrap().time_ps().unwrap_or(0);
    let observe = |engine: &dyn Engine, moment, changes, duration_ps| {
        let position = Position { moment, edges: engine.edges() };
        let levels = engine.circuit().unwrap().levels();
        Seen { position, levels, changes, duration_ps }
    };
    seen.push(observe(&*engine, 0, Vec::new(), 0));
    while moment < INSTRUCTIONS && !engine.halted() {
        let start_ps = time_ps(&*engine);
        let is_complete = engine.edge().is_some();
        let duration_ps = time_ps(&*engine) - start_ps;
        let mut changes = engine.circuit().unwrap().changes().to_vec();
        for change in &mut changes {
            change.time_ps -= start_ps;
        }
        moment += u64::from(is_complete);
        for (_, input) in INPUTS.iter().filter(|(at, _)| is_complete && *at == moment) {
            match input {
                Input::Reset => engine.reset(),
                Input::Hold(buttons) => engine.hold(*buttons),
                Input::Poke(address, byte) => engine.poke(*address, *byte),
                Input::Load(_) => unreachable!("a board in time does not take registers"),
            }
        }
        seen.push(observe(&*engine, moment, changes, duration_ps));
    }
    seen
}

/// Returns the history of a machine after the whole test.
fn history(engine: Box<dyn Engine>) -> History {
    let mut history = History::with_limits(engine, LIMITS);
    for (moment, input) in INPUTS {
        history.advance(moment - history.moment());
        history.give(input);
    }
    history.advance(INSTRUCTIONS - history.moment());
    history
}

/// Compares the waves around many positions with the observations there.
fn compare(history: &mut History, mut replica: Option<Replica>, seen: &[Seen], reach: usize) {
    let (board, has_wires) = (load(GRAY1).unwrap(), replica.is_none());
    for (present, Seen { position, .. }) in seen.iter().enumerate().step_by(5) {
        history.seek_edge(position.moment, position.edges);
        let waves = history.waves(reach, replica.as_mut());
        assert_eq!(history.position(), *position, "observing changes nothing");
        let first = present.saturating_sub(reach);
        let now = waves.last_up_to(*position);
        assert_eq!(now, present - first, "{position:?}");
        assert_eq!(waves.is_whole_past, first == 0, "{position:?}");
        assert!(waves.edges.len() == now + 1 + reach || waves.is_whole_future);
        let mut levels_before = &seen[first].levels;
        for (n, (edge, seen)) in waves.edges.iter().zip(&seen[first..]).enumerate() {
            let Seen { position: at, levels, .. } = seen;
            assert_eq!(edge.position, *at, "around {position:?}");
            if n > 0 && has_wires {
                assert_eq!(edge.changes(), seen.changes, "at {at:?}");
                assert_eq!(edge.duration_ps, seen.duration_ps, "at {at:?}");
            }
            for net in board.net_ids() {
                let name = board.net(net).name();
                assert_eq!(edge.level(net), levels[net.index()], "{name} at {at:?}");
                if n > 0 && has_wires {
                    let moves = seen.moves(net);
                    assert_eq!(edge.moves(net), moves, "{name} at {at:?}");
                    let goes = levels_before[net.index()] != edge.level(net);
                    let pulses = moves.saturating_sub(usize::from(goes)) / 2;
                    assert_eq!(edge.glitches(net), pulses, "{name} at {at:?}");
                }
            }
            levels_before = levels;
        }
    }
}

/// Returns a program that runs as long as the test.
fn program(seed: u64) -> Image {
    random_program(&mut SplitMix64::new(seed))
}

#[test]
fn waves_equal_a_record_of_single_edges() {
    let image = program(3);
    let seen = stepped(engine(hardware(None), &image));
    for reach in [1, 20, 1000] {
        compare(&mut history(engine(hardware(None), &image)), None, &seen, reach);
    }
}

#[test]
fn waves_of_an_engine_with_delays_have_every_change() {
    let image = program(4);
    for seed in [1, 2] {
        let seen = stepped(engine(hardware(Some(seed)), &image));
        compare(&mut history(engine(hardware(Some(seed)), &image)), None, &seen, 20);
        let nets = || load(GRAY1).unwrap().net_ids().collect::<Vec<_>>();
        assert!(seen.iter().any(|edge| nets().iter().any(|&net| edge.moves(net) > 1)));
    }
}

#[test]
fn a_replica_shows_the_waves_of_the_chips_for_an_engine_without_wires() {
    let image = program(5);
    let seen = stepped(engine(hardware(None), &image));
    let replica = Replica::new(load(GRAY1).unwrap(), &image);
    let machine = engine(Hardware::Instruction(None), &image);
    compare(&mut history(machine), Some(replica), &seen, 20);
}

#[test]
fn waves_end_where_the_program_ends() {
    let halt = Word::jump(Op::Jmp, RomIndex::truncate(2));
    let image = image(&[Word::ldi(1), Word::ldi(2), halt]);
    let history = History::new(engine(hardware(None), &image));
    let waves = history.waves(100, None);
    // A reset ends in T1 of the first instruction.
    assert_eq!((waves.edges.len(), waves.last_up_to(Position::at(0))), (1 + 7 + 8 + 8, 0));
    assert!(waves.is_whole_past && waves.is_whole_future);
}

#[test]
fn waves_are_reused_for_the_next_steps() {
    const REACH: usize = 20;
    let image = Arc::new(program(6));
    let machine = engine(Hardware::Instruction(None), &image);
    let mut debugger = Debugger::new(Arc::clone(&image), History::new(machine))
        .with_board(Box::new(|| load(GRAY1).unwrap()));
    for is_back in [false, true] {
        debugger.go(Goal::Instructions(100)).unwrap();
        debugger.advance(u64::MAX);
        let first = debugger.waves(REACH).unwrap();
        assert_eq!((first.now(), first.edges().len()), (REACH, 2 * REACH + 1));
        for steps in 1..=REACH + 1 {
            if is_back {
                debugger.edge_back();
            } else {
                debugger.edge();
            }
            let record = debugger.waves(REACH).unwrap().record;
            assert_eq!(Arc::ptr_eq(&first.record, &record), steps <= REACH, "{steps}");
        }
    }
    // A new press of a button may change the future, so the record is no longer valid.
    let record = debugger.waves(REACH).unwrap().record;
    debugger.give(Input::Hold(Buttons(1)));
    assert!(!Arc::ptr_eq(&record, &debugger.waves(REACH).unwrap().record));
}

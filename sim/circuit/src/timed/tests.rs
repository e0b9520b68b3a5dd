//! Single level changes: their effects on chips, wires and data memory, and when they happen.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use gray1_isa::PowerUp;
use gray1_roms::{GRAY1, GRAY1_B, load};

use super::*;
use crate::power_up_state;

/// All chips respond after one nanosecond.
fn even_timing(board: &Board) -> Timing {
    let delays_ps = vec![1000..=1000; board.chips().len()];
    Timing { delays_ps, phase_ps: 100_000, mixes: false, ..Timing::new(board, 1) }
}

fn power_up(board: &Board, timing: Timing) -> Timed {
    Timed::new(board, &power_up_state(board, PowerUp::Zero.contents()), timing).unwrap()
}

/// The stock board, settled, for changing single wires.
fn stock() -> Timed {
    let board = load(GRAY1).unwrap();
    power_up(&board, even_timing(&board))
}

impl Timed {
    fn net(&self, name: &str) -> NetId {
        self.board.net_named(name).unwrap()
    }

    fn chip(&self, name: &str) -> usize {
        self.board.chip_named(name).unwrap().index()
    }

    fn toggle(&mut self, name: &str) {
        let net = self.net(name);
        self.move_wire(net, !self.state.levels[net.index()]);
    }

    /// Sets the wires of the data bus to a byte, ignoring their drivers.
    fn set_bus(&mut self, byte: u8) {
        for bit in 0..8 {
            let net = self.net(&format!("BUS.{bit}"));
            self.state.levels[net.index()] = byte >> bit & 1 == 1;
        }
    }
}

#[test]
fn the_default_phase_is_the_sum_of_all_access_times() {
    let timing = Timing::new(&load(GRAY1).unwrap(), 7);
    let access_ns = [50, 450, 120, 120, 150, 120, 120, 120, 120, 120, 120, 50, 450, 35];
    assert_eq!(timing.delays_ps, access_ns.map(|ns| ns * 100..=ns * 1000));
    // 2145 ns, rounded up to a tenth of a microsecond.
    assert_eq!((timing.phase_ps, timing.mixes, timing.seed), (2_200_000, true, 7));
}

#[test]
fn every_input_notices_a_change_after_a_separate_delay() {
    let mut timed = stock();
    let readers = |timed: &Timed, name: &str| timed.readers[timed.net(name).index()].clone();
    let [phase, control, counter] = ["PHASE", "CTRL", "PCL"].map(|name| timed.chip(name));
    assert_eq!(readers(&timed, "PHASE.2"), [(phase, 4), (control, 2), (counter, 15)]);
    // Enables come after the address.
    let [buffer, memory] = ["BUF", "RAM"].map(|name| timed.chip(name));
    assert_eq!(readers(&timed, "nWE"), [(buffer, 11), (memory, 13)]);

    timed.timing.delays_ps[phase] = 10..=10;
    timed.timing.delays_ps[control] = 20..=25;
    timed.timing.delays_ps[counter] = 500..=600;
    timed.state.now_ps = 1_000_000;
    let net = timed.net("PHASE.2");
    let before = timed.state.levels[net.index()];
    timed.move_wire(net, before);
    assert!(timed.state.events.is_empty() && timed.state.changes.is_empty());
    for movement in 1..=20 {
        timed.state.events.clear();
        timed.toggle("PHASE.2");
        let level = timed.state.levels[net.index()];
        assert_eq!(level, before ^ (movement % 2 == 1));
        let change = Change { time_ps: 1_000_000, net, level };
        assert_eq!(timed.state.changes.last(), Some(&change));
        let seen: Vec<_> = timed.state.events.iter().map(|one| (one.chip, one.target)).collect();
        let expected = [(phase, 4), (control, 2), (counter, 15)];
        let expected = expected.map(|(chip, pin)| (chip, Target::Input(pin)));
        assert_eq!(seen, expected, "in order of their delays");
        for event in &timed.state.events {
            let delays_ps = &timed.timing.delays_ps[event.chip];
            assert!(delays_ps.contains(&(event.time_ps - 1_000_000)));
            assert_eq!((event.movement, event.level), (movement, level));
            let Target::Input(pin) = event.target else { panic!("{event:?}") };
            let pin = timed.state.chips[event.chip].pins[pin];
            assert_eq!((pin.noticed, pin.moved), (0, movement));
        }
    }
    assert_eq!(timed.state.changes.len(), 20);
}

/// A wire rises and falls again. In either order of arrival, the chip ends with it low.
#[test]
fn a_change_that_arrives_after_a_later_one_is_ignored() {
    for is_late in [false, true] {
        let mut timed = stock();
        let buffer = timed.chip("BUF");
        let rest = timed.state.chips[buffer].clone();
        timed.toggle("AS.5");
        timed.toggle("AS.5");
        let events = timed.state.events.iter().filter(|one| one.chip == buffer).copied();
        let mut events: Vec<Event> = events.collect();
        if is_late {
            events.reverse();
        }
        timed.apply(events[0]);
        let seen = if is_late { 0 } else { 1 << 5 };
        assert_eq!(timed.state.chips[buffer].address, rest.address ^ seen);
        assert_eq!(timed.state.chips[buffer].shown, rest.shown ^ seen as u8);
        timed.apply(events[1]);
        assert_eq!(timed.state.chips[buffer].address, rest.address);
        assert_eq!(timed.state.chips[buffer].pins[5], InputPin { noticed: 2, moved: 2 });
    }
}

/// Chips other than counters may output the byte at any mix of the changing address pins.
#[test]
fn a_mix_consists_of_the_changing_pins() {
    for (power_up, a) in [(PowerUp::Zero, 0x00), (PowerUp::Ones, 0xff)] {
        let board = load(GRAY1).unwrap();
        let state = power_up_state(&board, power_up.contents());
        let mut timed = Timed::new(&board, &state, even_timing(&board)).unwrap();
        let buffer = timed.chip("BUF");
        for wire in ["AS.0", "AS.3", "AS.7"] {
            timed.toggle(wire);
        }
        let mut mixes = BTreeSet::new();
        for _ in 0..200 {
            timed.output_mix(buffer);
            assert_eq!(timed.state.chips[buffer].address, a);
            mixes.insert(timed.state.chips[buffer].shown ^ a as u8);
        }
        assert!(mixes.into_iter().eq([0, 0x01, 0x08, 0x09, 0x80, 0x81, 0x88, 0x89]));
    }
}

/// Two wires change, and the second change takes effect first. With mixes, an output that depends
/// only on the first wire may change briefly at that time, but not on a counter.
#[test]
fn chips_other_than_counters_may_output_mixes() {
    let settled = stock();
    let glitches = |mixes, wires: [&str; 2], chip, output| {
        let is_seen = |seed| {
            let mut timed = settled.clone();
            (timed.timing.mixes, timed.state.random) = (mixes, SplitMix64::new(seed));
            for wire in wires {
                timed.toggle(wire);
            }
            let (chip, output) = (timed.chip(chip), timed.net(output));
            let mut events = timed.state.events.iter().copied();
            let second = events.find(|one| one.chip == chip && one.movement == 2).unwrap();
            timed.apply(second);
            let mut seen = timed.changes().iter().filter(|change| change.net == output);
            seen.next().is_some()
        };
        (0..50).filter(|seed| is_seen(*seed)).count()
    };
    // For LDI, the output of ALUL is the operand. PCL loads part of the operand.
    assert_eq!(glitches(false, ["IRL.1", "IRL.0"], "ALUL", "ALUL.1"), 0);
    assert!((1..50).contains(&glitches(true, ["IRL.1", "IRL.0"], "ALUL", "ALUL.1")));
    assert_eq!(glitches(true, ["IRL.0", "PC_LOAD"], "PCL", "PCL.1"), 0);
}

/// Outputs that are the same before and after may be inverted. Other outputs and RAMs may not. The
/// pulse ends within the maximum delay.
#[test]
fn a_glitch_is_a_pulse_on_outputs_that_should_stay_constant() {
    let mut ever = 0;
    for seed in 0..50 {
        let mut timed = stock();
        (timed.timing.glitch, timed.state.random) = (NonZeroU64::new(1), SplitMix64::new(seed));
        let (buffer, memory) = (timed.chip("BUF"), timed.chip("RAM"));
        let before = timed.state.chips[buffer].shown;
        timed.toggle("AS.5");
        let events: Vec<Event> = timed.state.events.iter().copied().collect();
        let event = events.iter().find(|one| one.chip == buffer).unwrap();
        timed.state.events.clear();
        timed.apply(*event);
        let shown = timed.state.chips[buffer].shown;
        assert_eq!((shown ^ before) >> 5 & 1, 1, "what should move does");
        let end = timed.state.events.iter().find(|one| one.target == Target::Glitch).copied();
        let Some(end) = end else { continue };
        let pulses = timed.state.chips[buffer].glitch.pulses;
        assert_eq!((shown ^ before, pulses >> 5 & 1), (1 << 5 | pulses, 0));
        assert!((1..=PULSE_PS).contains(&(end.time_ps - timed.state.now_ps)));
        timed.end_glitch(end);
        assert_eq!(timed.state.chips[buffer].shown, before ^ 1 << 5);
        assert_eq!(timed.glitches(), 1);
        ever |= pulses;
        timed.maybe_glitch(memory, 0);
        assert_eq!(timed.glitches(), 1, "a RAM does not");
    }
    assert_eq!(ever, !(1 << 5));
}

/// If a data pin changes back in time, its wire does not change. If it stays changed, the wire
/// follows between the filter's two delays.
#[test]
fn a_filter_suppresses_pulses_and_delays_lasting_changes() {
    let board = load(GRAY1_B).unwrap();
    let net = board.net_named("AS.5").unwrap();
    let filter = board.net(net).filter.unwrap();
    let (stops_ps, delay_ps) = (filter.stops_ps(), filter.delay_ps());
    let moves = |pulse_ps: u64, seed| {
        let mut timed = power_up(&board, Timing { seed, ..even_timing(&board) });
        let slave = timed.chip("AS");
        let shown = timed.state.chips[slave].shown;
        timed.state.chips[slave].shown ^= 1 << 5;
        timed.drive(slave, 1 << 5);
        timed.advance(pulse_ps).unwrap();
        timed.state.chips[slave].shown = shown;
        timed.drive(slave, 1 << 5);
        timed.advance(10 * delay_ps).unwrap();
        let of_wire = timed.changes().iter().filter(|change| change.net == net);
        of_wire.map(|change| change.time_ps).collect::<Vec<u64>>()
    };
    for seed in 0..20 {
        assert_eq!(moves(stops_ps, seed), []);
        let [there, back] = moves(delay_ps + 1, seed)[..] else { panic!("it moves, and back") };
        assert!((stops_ps..=delay_ps).contains(&there));
        assert!((stops_ps..=delay_ps).contains(&(back - delay_ps - 1)));
    }
    let between = (0..20).filter(|seed| moves(stops_ps.midpoint(delay_ps), *seed).is_empty());
    assert!((1..20).contains(&between.count()), "in between it may pass");
}

/// Glitches are part of the state, so they repeat after a snapshot is restored.
#[test]
fn glitches_repeat_after_a_snapshot_is_restored() {
    let board = load(GRAY1).unwrap();
    let timing = Timing { glitch: NonZeroU64::new(50), ..Timing::new(&board, 4) };
    let mut timed = power_up(&board, timing);
    let later = |timed: &mut Timed| {
        let mut changes = Vec::new();
        for _ in 0..200 {
            let _ = timed.edge();
            changes.extend_from_slice(timed.changes());
        }
        (changes, timed.glitches())
    };
    later(&mut timed);
    // A phase can end during a glitch.
    let (kept, glitches) = (timed.save(), timed.glitches());
    let first = later(&mut timed);
    assert!(first.1 > glitches + 5, "{}", first.1);
    timed.restore(&kept);
    assert_eq!(later(&mut timed), first);
}

#[test]
fn a_shared_wire_follows_the_driver_that_is_on() {
    let mut timed = stock();
    let (low, high) = (timed.chip("BUF"), timed.chip("RAM"));
    let net = timed.net("BUS.3");
    let mut seen = |low_on, low_shows, high_on, high_shows, level| {
        (timed.state.chips[low].enabled, timed.state.chips[low].shown) = (low_on, low_shows);
        (timed.state.chips[high].enabled, timed.state.chips[high].shown) = (high_on, high_shows);
        timed.state.levels[net.index()] = level;
        let levels: BTreeSet<bool> = (0..50).map(|_| timed.driven_level(net)).collect();
        Vec::from_iter(levels)
    };
    for level in [false, true] {
        assert_eq!(seen(true, 0x08, false, 0xf7, level), [true]);
        assert_eq!(seen(true, 0xf7, false, 0x08, level), [false]);
        assert_eq!(seen(false, 0xf7, true, 0x08, level), [true]);
        assert_eq!(seen(false, 0x08, true, 0xf7, level), [false]);
        assert_eq!(seen(true, 0x08, true, 0x18, level), [true], "they agree");
        assert_eq!(seen(true, 0xf7, true, 0x07, level), [false], "they agree");
        assert_eq!(seen(true, 0x08, true, 0xf7, level), [false, true], "they do not");
        assert_eq!(seen(false, 0x08, false, 0x08, level), [level], "none is on");
    }
}

#[test]
fn a_wire_with_two_differing_drivers_keeps_to_their_levels() {
    let mut timed = stock();
    let (buffer, memory) = (timed.chip("BUF"), timed.chip("RAM"));
    timed.state.chips[memory].shown = 0xff;
    timed.state.chips[buffer].enabled = true;
    for _ in 0..50 {
        timed.look_up(buffer, 0);
        assert_eq!(timed.state.chips[buffer].shown, 0);
    }
    assert_eq!(timed.state.changes, []);
    (0..50).for_each(|at| timed.look_up(buffer, at % 2));
    let moved: BTreeSet<NetId> = timed.state.changes.iter().map(|change| change.net).collect();
    assert!(moved.into_iter().eq([timed.net("BUS.0")]));
}

/// nWE switches the outputs of its chips but does not change their addresses.
#[test]
fn a_write_begins_and_ends_with_its_enable() {
    let mut timed = stock();
    let (buffer, memory) = (timed.chip("BUF"), timed.chip("RAM"));
    let address = timed.state.chips[memory].address;
    for is_writing in [true, false] {
        timed.toggle("nWE");
        while let Some(event) = timed.state.events.pop_front() {
            timed.apply(event);
        }
        assert_eq!(timed.state.chips[memory].address, address);
        assert_eq!(timed.state.chips[memory].enabled, !is_writing);
        assert_eq!(timed.state.chips[buffer].enabled, is_writing);
        assert_eq!(timed.state.writes.len(), usize::from(!is_writing), "taken as it ends");
    }
}

#[test]
fn a_cell_whose_address_changes_during_a_write_stores_the_byte_on_the_bus() {
    let mut timed = stock();
    let (buffer, memory) = (timed.chip("BUF"), timed.chip("RAM"));
    timed.state.chips[memory].address = 0x1234;
    timed.state.chips[buffer].enabled = false;
    timed.set_bus(0xa6);
    timed.corrupt_old_cell(memory, 0x1235);
    assert_eq!(timed.state.writes, [], "it is read");
    timed.state.chips[memory].enabled = false;
    timed.corrupt_old_cell(memory, 0x1234);
    timed.corrupt_old_cell(buffer, 0x1235);
    timed.toggle("AM.0");
    assert_eq!(timed.state.writes, [], "no cell is left");
    timed.corrupt_old_cell(memory, 0x1235);
    let address = RamAddr::truncate(0x1234);
    assert_eq!(timed.state.writes, [Write { address, old: 0, new: 0xa6 }]);
    assert_eq!(timed.state.memory[0x1234], 0xa6);
}

#[test]
fn in_the_harder_setting_a_write_that_is_too_short_may_take_place() {
    let taken = |mixes, enabled| {
        let mut timed = stock();
        timed.timing.mixes = mixes;
        let memory = timed.board.memory();
        timed.state.chips[memory.index()].enabled = enabled;
        (0..50).for_each(|_| timed.end_write(memory));
        timed.state.writes.len()
    };
    assert_eq!(taken(false, true), 0);
    assert_eq!((taken(false, false), taken(true, false)), (50, 50));
    assert!((1..50).contains(&taken(true, true)));
}

/// The stock board with two chips whose wires oscillate while the oscillator is high.
fn ring_oscillator() -> Board {
    let phase = "(\n            name: \"PHASE\"";
    let ring = r#"(
            name: "NAND", part: "82S123", address: ["OSC", "SAME.0", "0", "0", "0"],
            data: ["NAND.0"], does: Table, contents: File("nand"),
        ),
        (
            name: "SAME", part: "82S123", address: ["NAND.0", "0", "0", "0", "0"],
            data: ["SAME.0"], does: Table, contents: File("same"),
        ),
        "#;
    let contents = |name: &str| {
        let shows = |address: u8| match name {
            "nand" => u8::from(address & 3 != 3),
            _ => address & 1,
        };
        Ok((0..32).map(shows).collect())
    };
    Board::load(&GRAY1.replace(phase, &format!("{ring}{phase}")), gray1_roms::parts(), contents)
        .unwrap()
}

#[test]
fn a_phase_with_too_many_events_is_an_error_that_names_the_changing_wires() {
    let board = ring_oscillator();
    // Returns the number of events in a phase, and the result of the edge.
    let events = |phase_ps: u64| {
        let mut timed = power_up(&board, Timing { phase_ps, ..even_timing(&board) });
        let outcome = timed.edge();
        let moved = timed.changes().iter().map(|change| timed.readers[change.net.index()].len());
        (moved.sum::<usize>() - timed.state.events.len(), outcome)
    };
    let (few, outcome) = events(1_000_000);
    assert_eq!(outcome, Ok(()));
    // One event every nanosecond.
    let longest_ps = 1_000_000 + 1000 * (u64::from(EVENTS_MAX) - few as u64);
    assert_eq!(events(longest_ps), (EVENTS_MAX as usize, Ok(())));
    let (many, outcome) = events(longest_ps + 1000);
    assert_eq!(many, 1 + EVENTS_MAX as usize);
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "in phase T1 (oscillator high) wires never come to rest: NAND.0, SAME.0 of NAND, SAME"
    );
}

/// An event at the time of the next edge is applied after the edge.
#[test]
fn events_at_the_next_edge_come_after_it() {
    for (phase_ps, moved) in [(1000, 1), (1001, 2)] {
        let mut timed = stock();
        timed.timing.phase_ps = phase_ps;
        timed.edge().unwrap();
        assert_eq!(timed.changes().len(), moved, "the oscillator, and PHASE after 1000 ps");
    }
}

#[test]
fn each_call_that_changes_wires_takes_a_phase_and_clears_the_changes() {
    let mut timed = stock();
    let board = timed.board.clone();
    let instants =
        |timed: &Timed| timed.changes().iter().map(|one| one.time_ps).collect::<Vec<_>>();
    timed.edge().unwrap();
    assert_eq!(timed.time_ps(), Some(100_000));
    let first = &timed.changes()[0];
    assert_eq!((first.net, first.level, first.time_ps), (board.oscillator(), true, 0));
    assert_eq!(timed.changes()[1].net, timed.net("PHASE.0"));
    timed.set_reset(true).unwrap();
    assert_eq!((instants(&timed)[0], timed.time_ps()), (100_000, Some(200_000)));
    assert_eq!(timed.changes()[0].net, board.reset());
    assert!(instants(&timed).iter().all(|time_ps| (100_000..200_000).contains(time_ps)));
    timed.set_reset(true).unwrap();
    assert_eq!((instants(&timed), timed.time_ps()), (vec![], Some(300_000)));
    // The output follows at once.
    let cell = timed.state.chips[timed.chip("RAM")].address;
    timed.poke(RamAddr::truncate(cell as u16), 0x81).unwrap();
    let nets: Vec<NetId> = timed.changes().iter().take(2).map(|change| change.net).collect();
    assert_eq!(nets, ["BUS.0", "BUS.7"].map(|name| timed.net(name)));
    assert_eq!((instants(&timed)[0], timed.time_ps()), (300_000, Some(400_000)));
    timed.poke(RamAddr::truncate(cell as u16 ^ 1), 0x81).unwrap();
    assert_eq!((timed.changes(), timed.time_ps()), (&[][..], Some(500_000)));
    timed.edges(3).unwrap();
    assert_eq!(timed.time_ps(), Some(800_000));
    assert_eq!(timed.levels(), timed.state.levels);
}

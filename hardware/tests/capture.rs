//! Captures of machines in time, good ones and such with a single fault: the good ones give no
//! alarm, and for each fault that does harm the first sentence names the chip or the wire.
//!
//! By default some thousand phases and some hundred faults are tried. With `GRAY1_ALL_FAULTS` set
//! it is a million phases, every bit of PHASE, CTRL and FLAGS, a thousand bits of the other chips,
//! and all wires, which takes a quarter of an hour with optimisation; `--nocapture` shows the
//! figures.
#![allow(clippy::print_stdout, reason = "a campaign reports")]

#[path = "capture/bench.rs"]
mod bench;
#[path = "capture/examination.rs"]
mod examination;

use gray1_board::{Board, NetId, Source};
use gray1_circuit::{ChipState, Circuit, Timed, Timing};
use gray1_hardware::capture::{Report, Verdict};
use gray1_isa::SplitMix64;
use gray1_proofs::Prover;

use bench::{Bench, Fault, Movement, Winner};
use examination::{BOARD, Clips, Reference, Score, Turn, drivers, turns};

/// All wires of CTRL: as many as a common analyser has channels.
const CTRL: &str = "PHASE.* IRH.5 IRH.6 IRH.7 FLAGS.1 RST IRH_EN IRL_EN AM_EN CM_EN nWE AS_EN \
    PC_LOAD CLR";
/// The time between two samples at 24 MHz, the speed of the cheapest analysers, and at 1 GHz.
const SLOW_PS: i64 = 41_667;
const FAST_PS: i64 = 1000;

fn is_campaign() -> bool {
    std::env::var_os("GRAY1_ALL_FAULTS").is_some()
}

/// A number of cases, the second one in a campaign.
fn cases(few: usize, many: usize) -> usize {
    if is_campaign() { many } else { few }
}

/// Captures of the good board on the timed engine, with reset pressed at random.
fn reports_of_the_good_board(seed: u64, phases: usize, captures: &[Clips]) -> Vec<Report> {
    let mut random = SplitMix64::new(seed);
    let state = ChipState {
        memory: Box::new(std::array::from_fn(|_| random.byte())),
        outputs: BOARD.chips().iter().map(|_| random.byte()).collect(),
    };
    let mut circuit = Timed::new(&BOARD, &state, Timing::of(&BOARD, seed)).unwrap();
    let mut checkers: Vec<_> = captures.iter().map(|it| it.checker(&circuit.levels())).collect();
    let turns = turns(phases as u32);
    for turn in turns {
        match turn {
            Turn::Oscillator => circuit.edge().unwrap(),
            Turn::Reset => circuit.set_reset(!circuit.level(BOARD.reset())).unwrap(),
        }
        let movement = |change: &gray1_circuit::Change| {
            (change.time_ps.cast_signed(), change.net, change.level)
        };
        let movements: Vec<Movement> = circuit.changes().iter().map(movement).collect();
        for (checker, clips) in checkers.iter_mut().zip(captures) {
            clips.show(checker, &movements);
        }
    }
    let end_ps = circuit.time_ps().unwrap().cast_signed();
    let reports = checkers.into_iter().zip(captures);
    reports.map(|(checker, clips)| checker.finish(clips.sampled(end_ps))).collect()
}

#[test]
fn the_good_board_gives_no_alarm() {
    let seeds = cases(4, 20);
    let phases = cases(20_000, 1_000_000) / seeds;
    let half = |which: usize| {
        let wires = BOARD.net_ids().filter(|net| net.index() % 2 == which).collect();
        Clips { wires, sample_ps: FAST_PS }
    };
    let all = [1, FAST_PS, SLOW_PS, 250_000].map(Clips::all).to_vec();
    let captures = [all, vec![half(0), half(1), Clips::on(CTRL, SLOW_PS)]].concat();
    let mut checks = 0;
    for seed in 0..seeds as u64 {
        for (report, clips) in
            reports_of_the_good_board(seed, phases, &captures).iter().zip(&captures)
        {
            let sample_ps = clips.sample_ps;
            assert_eq!(report.verdict(), Verdict::Sound, "seed {seed}, {sample_ps} ps:\n{report}");
            assert!(report.glitches.is_empty(), "seed {seed}, {sample_ps} ps:\n{report}");
            checks += report.chips.iter().map(|chip| chip.checks).sum::<u64>();
        }
    }
    println!("the good board: {} phases, {checks} checks, no alarm", phases * seeds);
}

/// The board with a wrong bit.
fn with_wrong_bit(chip: &str, address: u32, pin: u8) -> Board {
    let id = BOARD.chip_named(chip).unwrap();
    let mut contents = BOARD.chip(id).contents().to_vec();
    contents[address as usize] ^= 1 << pin;
    BOARD.with_contents(id, contents).unwrap()
}

/// The bits of a chip at addresses that can occur at rest.
fn bits(chip: &str) -> Vec<(u32, u8)> {
    let id = BOARD.chip_named(chip).unwrap();
    let reach = Prover::new(&BOARD).reach().unwrap().swap_remove(id.index());
    let chip = BOARD.chip(id);
    let settled = chip.addresses().filter(|&address| reach.settled(address));
    let pins = chip.data().len() as u8;
    settled.flat_map(|address| (0..pins).map(move |pin| (address, pin))).collect()
}

/// Tries bits of a chip, and says which were not named.
fn try_bits(reference: &Reference, chip: &str, bits: &[(u32, u8)], captures: &[Clips]) -> Score {
    let mut score = Score::new(&format!("wrong bits of {chip}"));
    for &(address, pin) in bits {
        let examination =
            reference.examine(&with_wrong_bit(chip, address, pin), Fault::None, captures);
        score.add(&format!("bit {pin} of {address:x}"), &examination, &[chip]);
    }
    score
}

/// Every fault that does harm was named, and nothing else was blamed.
#[track_caller]
fn assert_named(score: &Score) {
    let Score { kind, tried, harmful, missed } = score;
    println!("{kind}: {tried} tried, {harmful} harmful, {} not named", missed.len());
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(*harmful > 0, "{kind}: nothing was tried");
}

#[test]
fn wrong_bits_of_the_small_chips_are_named() {
    let reference = Reference::new(4000);
    let all = [FAST_PS, SLOW_PS].map(Clips::all);
    for (chip, step) in [("PHASE", 5), ("CTRL", 97), ("FLAGS", 5)] {
        let bits: Vec<_> = bits(chip).into_iter().step_by(cases(step, 1)).collect();
        assert_named(&try_bits(&reference, chip, &bits, &all));
    }
}

#[test]
fn sixteen_channels_see_the_control() {
    let reference = Reference::new(4000);
    let bits: Vec<_> = bits("CTRL").into_iter().step_by(cases(89, 1)).collect();
    assert_named(&try_bits(&reference, "CTRL", &bits, &[Clips::on(CTRL, FAST_PS)]));
    let Score { harmful, missed, .. } =
        try_bits(&reference, "CTRL", &bits, &[Clips::on(CTRL, SLOW_PS)]);
    println!("CTRL at 24 MHz: {harmful} harmful, {} not named", missed.len());
    // A wrong enable can let in the very bits that end it, between two samples. Then the capture
    // shows nothing wrong, and nothing else is blamed.
    assert!(missed.iter().all(|missed| missed.ends_with(": nothing")), "{}", missed.join("\n"));
    assert!(missed.len() <= 1 + harmful as usize / 100, "{}", missed.join("\n"));
}

/// Bits of a chip at addresses that a machine passes.
fn some_bits(reference: &Reference, chip: &str, count: usize) -> Vec<(u32, u8)> {
    let chip = BOARD.chip(BOARD.chip_named(chip).unwrap());
    let addresses = reference.addresses(chip);
    let mut random = SplitMix64::new(23);
    let bit = |_| {
        let address = addresses[random.below(addresses.len() as u64) as usize];
        (address, random.below(chip.data().len() as u64) as u8)
    };
    (0..count).map(bit).collect()
}

#[test]
fn wrong_bits_of_the_other_chips_are_named() {
    let reference = Reference::new(2000);
    let all = [FAST_PS, SLOW_PS].map(Clips::all);
    for chip in ["PCH", "PCL", "PROG", "IRH", "IRL", "ALUL", "ALUH", "AM", "AS", "BUF"] {
        let bits = some_bits(&reference, chip, cases(4, 100));
        let Score { harmful, missed, .. } = try_bits(&reference, chip, &bits, &all);
        println!("{chip}: {harmful} harmful, {} not named", missed.len());
        // A counter can step over its wrong bit between two samples, and be right again.
        assert!(missed.len() * 50 <= harmful as usize, "{}", missed.join("\n"));
    }
}

#[test]
fn sixteen_channels_see_a_latch_or_a_counter_in_two_captures() {
    let reference = Reference::new(2000);
    for (chip, halves) in [
        (
            "IRH",
            [
                "PROG.0 PROG.1 PROG.2 PROG.3 IRH.0 IRH.1 IRH.2 IRH.3 IRH_EN OSC",
                "PROG.4 PROG.5 PROG.6 PROG.7 IRH.4 IRH.5 IRH.6 IRH.7 IRH_EN OSC",
            ],
        ),
        (
            "IRL",
            [
                "PROG.0 PROG.1 PROG.2 PROG.3 IRL.0 IRL.1 IRL.2 IRL.3 IRL_EN OSC",
                "PROG.4 PROG.5 PROG.6 PROG.7 IRL.4 IRL.5 IRL.6 IRL.7 IRL_EN OSC",
            ],
        ),
        (
            "AM",
            [
                "ALUL.0 ALUL.1 ALUL.2 ALUL.3 AM.0 AM.1 AM.2 AM.3 AM_EN OSC",
                "ALUH.0 ALUH.1 ALUH.2 ALUH.3 AM.4 AM.5 AM.6 AM.7 AM_EN OSC",
            ],
        ),
        (
            "AS",
            [
                "AM.0 AM.1 AM.2 AM.3 AS.0 AS.1 AS.2 AS.3 AS_EN OSC",
                "AM.4 AM.5 AM.6 AM.7 AS.4 AS.5 AS.6 AS.7 AS_EN OSC",
            ],
        ),
        (
            "PCL",
            [
                "PCL.* PHASE.2 PC_LOAD CLR PCH.7 IRL.0 IRL.1 IRL.2 IRL.3",
                "PCL.* PHASE.2 PC_LOAD CLR PCH.7 IRL.4 IRL.5",
            ],
        ),
        (
            "PCH",
            [
                "PCH.* PCL.7 PC_LOAD CLR IRL.6 IRL.7 IRH.0 IRH.1 IRH.2",
                "PCH.4 PCH.5 PCH.6 PCH.7 PCL.7 PC_LOAD CLR IRL.6 IRL.7 IRH.0 IRH.1 IRH.2 IRH.3 IRH.4",
            ],
        ),
    ] {
        let captures = halves.map(|names| Clips::on(names, SLOW_PS));
        assert!(captures.iter().all(|clips| clips.wires.len() <= 16));
        let bits = some_bits(&reference, chip, cases(4, 100));
        let Score { harmful, missed, .. } = try_bits(&reference, chip, &bits, &captures);
        println!("{chip} in two captures: {harmful} harmful, {} not named", missed.len());
        // With half of its inputs unknown, a chip may have taken what it seems to have lost.
        assert!(missed.len() * 10 <= harmful as usize, "{}", missed.join("\n"));
    }
}

fn name(net: NetId) -> &'static str {
    BOARD.net(net).name()
}

#[test]
fn stuck_wires_are_named() {
    let reference = Reference::new(2000);
    let mut score = Score::new("stuck wires");
    for net in BOARD.net_ids().step_by(cases(6, 1)) {
        for level in [false, true] {
            // A machine that is never reset is a machine.
            if net == BOARD.reset() && !level {
                continue;
            }
            let clips = [Clips::all(SLOW_PS)];
            let examination = reference.examine(&BOARD, Fault::Stuck(net, level), &clips);
            let right = [vec![name(net)], drivers(net)].concat();
            score.add(&format!("{} at {level}", name(net)), &examination, &right);
        }
    }
    assert_named(&score);
}

/// Pairs of wires: neighbours, and such that are far from each other.
fn pairs(count: usize) -> Vec<(NetId, NetId)> {
    let nets: Vec<NetId> = BOARD.net_ids().collect();
    let mut random = SplitMix64::new(5);
    let mut pick = |count: usize| random.below(count as u64) as usize;
    let pair = |number| {
        let first = pick(nets.len());
        let distance = if number % 2 == 0 { 1 } else { 1 + pick(nets.len() - 1) };
        (nets[first], nets[(first + distance) % nets.len()])
    };
    (0..count).map(pair).collect()
}

#[test]
fn swapped_and_shorted_wires_are_named() {
    type New = fn(NetId, NetId) -> Fault;
    let reference = Reference::new(2000);
    let swapped: New = Fault::Swapped;
    let shorted: New = |a, b| Fault::Shorted(a, b, Winner::Low);
    for (kind, fault) in [("swapped wires", swapped), ("shorted wires", shorted)] {
        let mut score = Score::new(kind);
        for (a, b) in pairs(cases(24, 500)) {
            let clips = [Clips::all(SLOW_PS)];
            let examination = reference.examine(&BOARD, fault(a, b), &clips);
            let right = [vec![name(a), name(b)], drivers(a), drivers(b)].concat();
            score.add(&format!("{} and {}", name(a), name(b)), &examination, &right);
        }
        assert_named(&score);
    }
}

#[test]
fn shorted_outputs_of_a_latch_are_named_and_not_its_enable() {
    // In a short capture two wires that touch are often low, or high, all the time.
    let reference = Reference::new(100);
    let mut score = Score::new("shorted outputs of a latch");
    let mut faults = Vec::new();
    for latch in ["IRH", "IRL", "AM", "AS"] {
        let nets = BOARD.chip(BOARD.chip_named(latch).unwrap()).data();
        for (&a, &b) in nets.iter().flat_map(|a| nets.iter().map(move |b| (a, b))) {
            if a != b {
                faults.extend([Winner::Low, Winner::High, Winner::First].map(|it| (a, b, it)));
            }
        }
    }
    for &(a, b, winner) in faults.iter().step_by(cases(5, 1)) {
        let fault = Fault::Shorted(a, b, winner);
        let examination = reference.examine(&BOARD, fault, &[Clips::all(SLOW_PS)]);
        let kind = format!("{} and {}, {winner:?}", name(a), name(b));
        score.add(&kind, &examination, &[name(a), name(b)]);
    }
    assert_named(&score);
}

#[test]
fn address_pins_that_are_open_or_crossed_are_named() {
    let reference = Reference::new(2000);
    let mut score = Score::new("address pins");
    let chips = BOARD.chips().iter().enumerate();
    // The RAM does not care which of its cells is which.
    for (index, chip) in chips.filter(|(index, _)| *index != BOARD.memory().index()) {
        let is_wired = |pin: &u8| matches!(chip.address()[usize::from(*pin)], Source::Net(_));
        let pins: Vec<u8> = (0..chip.address().len() as u8).filter(is_wired).collect();
        let open = pins.iter().flat_map(|&pin| [false, true].map(|it| Fault::Deaf(index, pin, it)));
        let crossed = pins.windows(2).map(|pair| Fault::Crossed(index, pair[0], pair[1]));
        for fault in open.chain(crossed).step_by(cases(11, 1)) {
            let examination = reference.examine(&BOARD, fault, &[Clips::all(SLOW_PS)]);
            let wires = chip.data().iter().map(|net| name(*net));
            let right: Vec<&str> = wires.chain([chip.name()]).collect();
            score.add(&format!("{fault:?} of {}", chip.name()), &examination, &right);
        }
    }
    assert_named(&score);
}

/// A report about a good machine one of whose wires was seen at the other level for a while.
fn with_pulse(wire: &str, duration_ps: i64) -> Report {
    let clips = Clips::all(SLOW_PS);
    let net = BOARD.net_named(wire).unwrap();
    let mut bench = Bench::new(&BOARD, Fault::None, 4);
    let mut checker = clips.checker(bench.levels());
    bench.take_movements();
    for number in 0..200 {
        let start_ps = bench.time_ps();
        bench.edge();
        let mut movements = bench.take_movements();
        if number == 100 {
            let level = bench.levels()[net.index()];
            // Long after all wires have come to rest.
            let pulse_ps = start_ps + 1_500_000;
            movements.push((pulse_ps, net, !level));
            movements.push((pulse_ps + duration_ps, net, level));
        }
        clips.show(&mut checker, &movements);
    }
    checker.finish(clips.sampled(bench.time_ps()))
}

#[test]
fn a_glitch_of_one_sample_is_no_wrong_level() {
    for (wire, chip) in [("PHASE.1", "PHASE"), ("ALUL.2", "ALUL"), ("CLR", "CTRL")] {
        let report = with_pulse(wire, SLOW_PS);
        assert_eq!(report.verdict(), Verdict::Sound, "{report}");
        let glitch = report.glitches.first().map(String::as_str).unwrap_or_default();
        assert!(glitch.starts_with(&format!("a glitch: {wire} moved")), "{report}");
        let report = with_pulse(wire, 640_000);
        assert_eq!(report.verdict(), Verdict::Faulty, "{report}");
        assert!(examination::names(&report, &[chip, wire]), "{report}");
    }
}

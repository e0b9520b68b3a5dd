//! Tests with captures of machines that have random delays and at most one fault. A good machine
//! must raise no alarm. For each harmful fault, the first sentence of the report must name the chip
//! or the wire, nearly always exactly.
//!
//! The tests try a few hundred faults. If `GRAY1_ALL_FAULTS` is set, they try every bit of PHASE,
//! CTRL and FLAGS, hundreds of bits of the other chips, seven hundred faults on both boards, and
//! sixty in captures with few samples and missing channels, and all pairs of exchanged chips.
//! `--nocapture` shows the figures.
#![allow(clippy::print_stdout, reason = "a campaign reports")]

#[path = "capture/bench.rs"]
mod bench;
#[path = "capture/burning.rs"]
mod burning;
#[path = "capture/campaign.rs"]
mod campaign;
#[path = "capture/examination.rs"]
mod examination;
#[path = "capture/formats.rs"]
mod formats;
#[path = "capture/machine.rs"]
mod machine;
#[path = "capture/recordings.rs"]
mod recordings;
#[path = "capture/runs.rs"]
mod runs;

use gray1_board::NetId;
use gray1_hardware::capture::{Report, Verdict};
use gray1_isa::SplitMix64;
use gray1_proofs::Prover;

use bench::{Bench, Conditions, Fault, Winner, pins};
use campaign::sentences;
use examination::{Clips, Reference, STOCK, Score, WITH_PANEL, turns};

/// All wires of CTRL. There are 16, as many as a common analyser has channels.
const CTRL_WIRES: [&str; 16] = [
    "PHASE.0", "PHASE.1", "PHASE.2", "IRH.5", "IRH.6", "IRH.7", "FLAGS.1", "RST", "IRH_EN",
    "IRL_EN", "AM_EN", "CM_EN", "nWE", "AS_EN", "PC_LOAD", "CLR",
];

/// The time between two samples at 24 MHz, the speed of the cheapest analysers. `FAST_PS` is the
/// time at 1 GHz.
const SLOW_PS: i64 = 41_667;
const FAST_PS: i64 = 1000;

fn is_campaign() -> bool {
    std::env::var_os("GRAY1_ALL_FAULTS").is_some()
}

/// Returns the number of cases to try: `many` in a campaign, that is, if `GRAY1_ALL_FAULTS` is set,
/// and `few` otherwise.
fn cases(few: usize, many: usize) -> usize {
    if is_campaign() { many } else { few }
}

/// A wrong bit of a chip of the stock board.
fn wrong_bit(chip: &str, address: u32, pin: u8) -> Fault {
    Fault::Bit(STOCK.machine.chip_named(chip), address, pin)
}

/// Returns the bits of a chip, as address and data pin, at all addresses at which the chip can
/// settle.
fn bits(chip: &str) -> Vec<(u32, u8)> {
    let id = STOCK.board.chip_named(chip).unwrap();
    let reach = Prover::new(&STOCK.board).reach().unwrap().swap_remove(id.index());
    let chip = STOCK.board.chip(id);
    let settled = chip.addresses().filter(|&address| reach.settled.contains(address as usize));
    let pins = chip.data.len() as u8;
    settled.flat_map(|address| (0..pins).map(move |pin| (address, pin))).collect()
}

/// Examines the stock machine once for each of these bits of a chip, with that bit wrong, and
/// tallies which faults the reports named.
fn try_bits(reference: &Reference, chip: &str, bits: &[(u32, u8)], captures: &[Clips]) -> Score {
    let mut score = Score::new(&format!("wrong bits of {chip}"));
    for &(address, pin) in bits {
        let examination = reference.examine(wrong_bit(chip, address, pin), captures);
        score.add(&format!("bit {pin} of {address:x}"), &examination, &[chip]);
    }
    score
}

/// Asserts that every harmful fault was named and that nothing else was blamed.
#[track_caller]
fn assert_found(score: &Score) {
    let Score { kind, tried, harmful, missed } = score;
    println!("{kind}: {tried} tried, {harmful} harmful, {} not named", missed.len());
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(*harmful > 0, "{kind}: nothing was tried");
}

#[test]
fn wrong_bits_of_the_small_chips_are_found() {
    let reference = Reference::new(&STOCK, turns(4000));
    let all = [FAST_PS, SLOW_PS].map(|sample_ps| Clips::all(&STOCK, sample_ps));
    for (chip, step) in [("PHASE", 5), ("CTRL", 97), ("FLAGS", 5)] {
        let bits: Vec<_> = bits(chip).into_iter().step_by(cases(step, 1)).collect();
        assert_found(&try_bits(&reference, chip, &bits, &all));
    }
}

#[test]
fn sixteen_channels_find_wrong_bits_of_the_control() {
    let reference = Reference::new(&STOCK, turns(4000));
    let bits: Vec<_> = bits("CTRL").into_iter().step_by(cases(89, 1)).collect();
    let control = CTRL_WIRES.join(" ");
    assert_found(&try_bits(&reference, "CTRL", &bits, &[Clips::on(&control, FAST_PS)]));
    let Score { harmful, missed, .. } =
        try_bits(&reference, "CTRL", &bits, &[Clips::on(&control, SLOW_PS)]);
    println!("CTRL at 24 MHz: {harmful} harmful, {} not named", missed.len());
    // Between two samples, a wrong enable can latch bits that end the enable again. Such a capture
    // shows no fault, and no other chip is blamed.
    assert!(missed.iter().all(|missed| missed.ends_with(": nothing")), "{}", missed.join("\n"));
    assert!(missed.len() <= 1 + harmful as usize / 100, "{}", missed.join("\n"));
}

/// Returns random bits of a chip at addresses that occur in the good machine.
fn some_bits(reference: &Reference, chip: &str, count: usize) -> Vec<(u32, u8)> {
    let index = STOCK.machine.chip_named(chip);
    let addresses = reference.addresses(index);
    let pins = STOCK.machine.chips[index].data.len() as u64;
    let mut random = SplitMix64::new(23);
    let bit = |_| {
        let address = addresses[random.below(addresses.len() as u64) as usize];
        (address, random.below(pins) as u8)
    };
    (0..count).map(bit).collect()
}

/// Two captures of at most 16 wires for each latch of a byte, and for each half of the program
/// counter.
const HALVES: [(&str, [&str; 2]); 6] = [
    ("IRH", ["PROG.0-3 IRH.0-3 IRH_EN OSC", "PROG.4-7 IRH.4-7 IRH_EN OSC"]),
    ("IRL", ["PROG.0-3 IRL.0-3 IRL_EN OSC", "PROG.4-7 IRL.4-7 IRL_EN OSC"]),
    ("AM", ["ALUL.0-3 AM.0-3 AM_EN OSC", "ALUH.0-3 AM.4-7 AM_EN OSC"]),
    ("AS", ["AM.0-3 AS.0-3 AS_EN OSC", "AM.4-7 AS.4-7 AS_EN OSC"]),
    (
        "PCL",
        ["PCL.0-7 PHASE.2 PC_LOAD CLR PCH.7 IRL.0-3", "PCL.0-7 PHASE.2 PC_LOAD CLR PCH.7 IRL.4-5"],
    ),
    (
        "PCH",
        ["PCH.0-7 PCL.7 PC_LOAD CLR IRL.6-7 IRH.0-2", "PCH.4-7 PCL.7 PC_LOAD CLR IRL.6-7 IRH.0-4"],
    ),
];

#[test]
fn two_captures_of_sixteen_channels_find_wrong_bits_of_a_latch_or_a_counter() {
    let reference = Reference::new(&STOCK, turns(2000));
    for (chip, halves) in HALVES {
        let captures = halves.map(|names| Clips::on(names, SLOW_PS));
        assert!(captures.iter().all(|clips| clips.wires.len() <= 16));
        let bits = some_bits(&reference, chip, cases(4, 100));
        let Score { harmful, missed, .. } = try_bits(&reference, chip, &bits, &captures);
        println!("{chip} in two captures: {harmful} harmful, {} not named", missed.len());
        // Some faults cannot be named. If half of the inputs are unknown, a chip that seems to lose
        // a byte can have latched a new byte with the same captured bits.
        assert!(missed.iter().all(|missed| missed.ends_with(": nothing")), "{}", missed.join("\n"));
        assert!(missed.len() * 4 <= harmful as usize, "{}", missed.join("\n"));
    }
}

#[test]
fn faults_of_captured_pins_are_named_in_half_a_capture() {
    let reference = Reference::new(&STOCK, turns(2000));
    let (mut exact, mut named, mut tried) = (0, 0, 0);
    for (name, names) in HALVES.iter().flat_map(|(chip, halves)| halves.map(|it| (chip, it))) {
        let clips = Clips::on(names, SLOW_PS);
        let chip = STOCK.machine.chip_named(name);
        let is_seen = |wire: usize| {
            let is_clipped =
                |net: &NetId| STOCK.board.net(*net).name() == STOCK.machine.wires[wire];
            reference.count_changes(wire) > 3 && clips.wires.iter().any(is_clipped)
        };
        let pins = pins(&STOCK.machine, &STOCK.machine.chips[chip]).filter(|it| is_seen(it.1));
        let pins: Vec<u8> = pins.map(|(pin, _)| pin).collect();
        let pairs = pins.iter().flat_map(|&a| pins.iter().map(move |&b| (a, b)));
        let crossed = pairs.filter(|(a, b)| a < b).map(|(a, b)| Fault::Crossed(chip, a, b));
        let deaf = pins.iter().map(|&pin| Fault::Deaf(chip, pin, pin % 2 == 0));
        for fault in crossed.chain(deaf).step_by(cases(11, 1)) {
            let examination = reference.examine(fault, std::slice::from_ref(&clips));
            let report = &examination.reports[0];
            let Some(first) = report.findings.first().filter(|_| examination.is_harmed) else {
                continue;
            };
            let right = sentences(&STOCK.machine, fault);
            tried += 1;
            named += u32::from(examination::names(report, &[name]));
            exact += u32::from(right.iter().any(|it| first.headline.to_string().starts_with(it)));
            println!("{names}: {}: {}", right[0], first.headline);
        }
    }
    println!("half captures: {tried} tried, {named} name the chip, {exact} exact");
    assert!(exact * 10 >= tried * 7 && named * 10 >= tried * 9 && tried > 20);
}

#[test]
fn shorted_outputs_of_a_latch_are_reported_and_not_its_enable() {
    // In a short capture, two wires that touch often keep one level.
    let reference = Reference::new(&STOCK, turns(100));
    let mut score = Score::new("shorted outputs of a latch");
    let mut faults = Vec::new();
    let machine = &STOCK.machine;
    for latch in ["IRH", "IRL", "AM", "AS"] {
        let wires = &machine.chips[machine.chip_named(latch)].data;
        for (&a, &b) in wires.iter().flat_map(|a| wires.iter().map(move |b| (a, b))) {
            if a != b {
                faults.extend([Winner::Low, Winner::High, Winner::First].map(|it| (a, b, it)));
            }
        }
    }
    let name = |wire: usize| machine.wires[wire].as_str();
    for &(a, b, winner) in faults.iter().step_by(cases(5, 1)) {
        let fault = Fault::Shorted(a, b, winner);
        let examination = reference.examine(fault, &[Clips::all(&STOCK, SLOW_PS)]);
        let kind = format!("{} and {}, {winner:?}", name(a), name(b));
        score.add(&kind, &examination, &[name(a), name(b)]);
    }
    assert_found(&score);
}

/// The duration of a pulse that is longer than any chip's access time.
const LONG_PULSE_PS: i64 = 800_000;

/// Returns the report on a good machine in which one wire is inverted for this time.
fn with_pulse(wire: &str, duration_ps: i64) -> Report {
    let clips = Clips::all(&STOCK, SLOW_PS);
    let wire = STOCK.machine.wire_named(wire);
    let oscillator = STOCK.machine.wire_named("OSC");
    let phase_ps = STOCK.phase_ps_min.unwrap().cast_unsigned() * 3;
    let conditions = Conditions { phase_ps: [phase_ps; 2], ..STOCK.conditions.clone() };
    let mut bench = Bench::new(&STOCK.machine, &conditions, Fault::None, 4);
    let mut checker = clips.start_check(&bench);
    bench.take_changes();
    for number in 0..200 {
        bench.turn(oscillator);
        let mut changes = bench.take_changes();
        if number == 100 {
            let level = bench.levels()[wire];
            // The pulse starts when all wires have settled. A long one ends with the next edge.
            let pulse_ps = bench.time_ps() - LONG_PULSE_PS;
            changes.push((pulse_ps, wire, !level));
            changes.push((pulse_ps + duration_ps, wire, level));
        }
        clips.show(&mut checker, &changes);
    }
    checker.finish(clips.sampled(bench.time_ps()))
}

#[test]
fn a_glitch_of_one_sample_is_not_a_fault() {
    for (wire, chip) in [("PHASE.1", "PHASE"), ("ALUL.2", "ALUL"), ("CLR", "CTRL")] {
        let report = with_pulse(wire, SLOW_PS);
        assert_eq!(report.verdict(), Verdict::Sound, "{report}");
        let glitch = report.glitches.first().map(String::as_str).unwrap_or_default();
        assert!(glitch.starts_with(&format!("a glitch: {wire} moved")), "{report}");
        let report = with_pulse(wire, LONG_PULSE_PS);
        assert_eq!(report.verdict(), Verdict::Faulty, "{report}");
        assert!(examination::names(&report, &[chip, wire]), "{report}");
    }
}

/// Returns the report on a capture in which PHASE shows these codes, one after each edge of the
/// oscillator.
fn counted(codes: &[u8]) -> Report {
    let clips = Clips::on("OSC RST PHASE.0-2", FAST_PS);
    let net = |name: &str| STOCK.board.net_named(name).unwrap();
    let phase = [0, 1, 2].map(|bit| net(&format!("PHASE.{bit}")));
    let mut checker = clips.checker(0, |_| false);
    let mut time_ps = 0;
    for (edge, code) in codes.iter().enumerate() {
        time_ps += 10_000_000;
        checker.set_level(time_ps, net("OSC"), Some(edge % 2 == 0));
        for (bit, net) in phase.into_iter().enumerate() {
            checker.set_level(time_ps + FAST_PS, net, Some(code >> bit & 1 == 1));
        }
    }
    checker.finish(time_ps + 10_000_000)
}

#[test]
fn a_counter_that_skips_a_state_is_found() {
    let report = counted(&[0b001, 0b011, 0b010, 0b110, 0b111]);
    assert_eq!(report.verdict(), Verdict::Sound, "{report}");
    let report = counted(&[0b001, 0b011, 0b111, 0b101, 0b100]);
    assert_eq!(report.verdict(), Verdict::Faulty, "{report}");
    let should = "at address 0d (OSC=1 RST=0 PHASE.2-0=011) its image holds 02: PHASE.2-0=010";
    assert!(report.findings[0].details.iter().any(|it| it == should), "{report}");
}

/// The report on a good machine that is held in reset from before the capture on.
fn held_in_reset(phases: u32) -> Report {
    let clips = Clips::all(&WITH_PANEL, SLOW_PS);
    let mut bench = WITH_PANEL.bench(Fault::None, 3);
    let [oscillator, reset] = ["OSC", "RST"].map(|name| WITH_PANEL.machine.wire_named(name));
    bench.turn(oscillator);
    bench.turn(reset);
    bench.take_changes();
    let mut checker = clips.start_check(&bench);
    for _ in 0..phases {
        bench.turn(oscillator);
        clips.show(&mut checker, &bench.take_changes());
    }
    checker.finish(clips.sampled(bench.time_ps()))
}

#[test]
fn a_machine_that_is_held_in_reset_does_not_pass() {
    // PHASE still moves to T1.
    let said = held_in_reset(100).first_line().to_string();
    assert_eq!(said, "RST is high all the time: the machine is held in reset");
    // An analyser with little memory may record only a part of a reset.
    assert_ne!(held_in_reset(8).verdict(), Verdict::Faulty);
}

/// The report on data memory that shows this byte at an address at which it has stored 2a. The bus
/// carries it in the sample in which the write ends, as with a fast memory.
fn after_a_write(byte: u8) -> Report {
    let clips = Clips::on("IRL.0-7 IRH.0-4 nWE BUS.0-7", SLOW_PS);
    let wires = &clips.wires;
    let (address, write, bus) = (wires[0], wires[13], &wires[14..]);
    let mut checker = clips.checker(0, |net| net == write);
    let carry = |byte: u8| (0..8).map(move |bit| byte >> bit & 1 == 1);
    let moments: [(bool, bool, u8); 5] = [
        (false, true, 0),
        (false, false, 0x2a),
        (false, true, byte),
        (true, true, 0),
        (false, true, byte),
    ];
    for (moment, (is_other, is_read, byte)) in (1..).zip(moments) {
        let time_ps = moment * 2_000_000;
        for (&net, level) in bus.iter().zip(carry(byte)) {
            checker.set_level(time_ps, net, Some(level));
        }
        checker.set_level(time_ps, write, Some(is_read));
        checker.set_level(time_ps, address, Some(is_other));
    }
    checker.finish(14_000_000)
}

#[test]
fn a_memory_that_stores_nothing_does_not_pass() {
    assert_eq!(after_a_write(0x2a).verdict(), Verdict::Sound);
    // Since only one address wire moves here, a loose clip would explain it as well.
    let (said, fault) =
        (after_a_write(0).to_string(), "RAM shows 00 at address 0000, where 2a was written before");
    assert!(said.contains(fault), "{said}");
}

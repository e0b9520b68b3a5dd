//! Faults of all kinds on both boards, drawn at random: nearly all of those that do harm are named
//! exactly.

use gray1_hardware::capture::Verdict;
use gray1_isa::SplitMix64;

use super::bench::{Fault, Winner, pins};
use super::examination::{Clips, Reference, STOCK, Subject, WITH_PANEL, steady_turns};
use super::machine::{ChipRule, Machine};
use super::{SLOW_PS, cases, is_campaign};

/// The kinds of faults, in turn.
const KINDS: u64 = 7;

/// How often a wire must move.
const MOVES_MIN: usize = 4;

/// Draws a fault of a kind, at a wire that the program uses.
fn draw(reference: &Reference, kind: u64, random: &mut SplitMix64) -> Fault {
    let machine = &reference.subject.machine;
    let is_used = |wire: usize| reference.moves(wire) >= MOVES_MIN;
    let chip = random.below(machine.chips.len() as u64) as usize;
    let address = pins(machine, &machine.chips[chip]).filter(|(_, wire)| is_used(*wire));
    let address: Vec<u8> = address.map(|(pin, _)| pin).collect();
    let data = (0..).zip(&machine.chips[chip].data).filter(|(_, wire)| is_used(**wire));
    let data: Vec<u8> = data.map(|(pin, _)| pin).collect();
    if data.is_empty() || address.is_empty() {
        return Fault::None;
    }
    let data_pin = data[random.below(data.len() as u64) as usize];
    let mut wire = || loop {
        let wire = random.below(machine.wires.len() as u64) as usize;
        if machine.drivers(wire).next().is_some() && is_used(wire) {
            return wire;
        }
    };
    let (a, b) = (wire(), wire());
    let is_high = random.coin();
    let mut pin = || address[random.below(address.len() as u64) as usize];
    match kind {
        0 => Fault::Stuck(a, is_high),
        1 if a != b => Fault::Swapped(a, b),
        2 if a != b => {
            let winners = [Winner::Low, Winner::High, Winner::First];
            Fault::Shorted(a, b, winners[random.below(3) as usize])
        }
        3 => Fault::Deaf(chip, pin(), is_high),
        4 => {
            let (a, b) = (pin(), pin());
            let limit = machine.chips[chip].address.len();
            let is_address = |pin: u8| usize::from(pin) < limit;
            let is_memory = machine.chips[chip].does == ChipRule::Memory;
            // Data memory does not care which of its cells is which.
            if a == b || is_memory || !is_address(a) || !is_address(b) {
                return Fault::None;
            }
            Fault::Crossed(chip, a, b)
        }
        5 => Fault::Mute(chip, data_pin, is_high),
        6 if matches!(machine.chips[chip].does, ChipRule::Table(_)) => {
            let addresses = reference.addresses(chip);
            let address = addresses[random.below(addresses.len() as u64) as usize];
            Fault::Bit(chip, address, data_pin)
        }
        _ => Fault::None,
    }
}

/// The beginnings of the sentences that name a fault exactly.
fn sentences(machine: &Machine, fault: Fault) -> Vec<String> {
    let wire = |wire: usize| machine.wires[wire].as_str();
    let name = |chip: usize| machine.chips[chip].name.as_str();
    let input = |chip: usize, pin: u8| {
        let found = pins(machine, &machine.chips[chip]).find(|(it, _)| *it == pin);
        wire(found.unwrap().1)
    };
    let output = |chip: usize, pin: u8| wire(machine.chips[chip].data[usize::from(pin)]);
    let either = |a: &str, b: &str, how: &str| {
        [(a, b), (b, a)].map(|(a, b)| format!("{a} and {b} are {how}")).to_vec()
    };
    let stuck = |wire: &str, is_high: bool| {
        format!("{wire} is stuck {}", if is_high { "high" } else { "low" })
    };
    // Chips whose output is one of their inputs, at most delayed: no capture can tell what is wrong
    // behind them from what is wrong in front of them.
    let shows_its_input = |chip: usize, pin: u8| {
        let is_latch = machine.chips[chip].does == ChipRule::Transparent;
        pin < 8 && (is_latch || ["IRH", "IRL", "AM", "AS", "BUF", "INPUT"].contains(&name(chip)))
    };
    match fault {
        Fault::None => Vec::new(),
        Fault::Stuck(at, is_high) => vec![stuck(wire(at), is_high)],
        Fault::Swapped(a, b) => either(wire(a), wire(b), "exchanged"),
        Fault::Shorted(a, b, _) => either(wire(a), wire(b), "shorted"),
        Fault::Deaf(chip, pin, is_high) => {
            let mut right = vec![format!("{} does not see {}", name(chip), input(chip, pin))];
            if shows_its_input(chip, pin) {
                right.push(stuck(output(chip, pin), is_high));
            }
            // PHASE then stands where it stood when it was switched on.
            right.extend((right[0] == "PHASE does not see OSC").then(|| "PHASE.0 is stuck".into()));
            right
        }
        Fault::Crossed(chip, a, b) => {
            let (first, second) = (input(chip, a), input(chip, b));
            let chip_name = name(chip);
            let mut right = [(first, second), (second, first)]
                .map(|(a, b)| format!("{chip_name} has {a} and {b} exchanged"))
                .to_vec();
            if shows_its_input(chip, a) && shows_its_input(chip, b) {
                right.extend(either(output(chip, a), output(chip, b), "exchanged"));
            }
            right
        }
        Fault::Mute(chip, pin, is_high) => {
            let (at, chip_name) = (output(chip, pin), name(chip));
            let mute = format!("{chip_name} does not drive {at}");
            match machine.drivers(machine.wire_named(at)).count() {
                1 => vec![stuck(at, is_high)],
                _ if chip_name == "BUF" => vec![mute, format!("BUF does not see AS.{pin}")],
                _ => vec![mute],
            }
        }
        Fault::Bit(chip, address, _) => {
            // As many digits as the part's addresses have.
            let place =
                |width| format!("{} has a wrong bit: at address {address:0width$x} ", name(chip));
            (1..=5).map(place).collect()
        }
    }
}

/// What was said of the faults that do harm.
#[derive(Debug, Default)]
struct Tally {
    harmful: usize,
    exact: usize,
    inexact: Vec<String>,
    /// Faults that nothing was said about, and those among them that stop the machine.
    silent: Vec<String>,
    silent_and_dead: Vec<String>,
    /// Harmless faults that were called faults.
    alarms: Vec<String>,
}

fn run(subject: &'static Subject, count: u64, tally: &mut Tally) {
    let reference = Reference::new(subject, steady_turns(2000));
    let mut random = SplitMix64::new(39);
    let clips = [Clips::all(subject, SLOW_PS)];
    let mut number = 0;
    while number < count {
        let fault = draw(&reference, number % KINDS, &mut random);
        if fault == Fault::None {
            continue;
        }
        number += 1;
        let examination = reference.examine(fault, &clips);
        let report = &examination.reports[0];
        let headline = report.findings.first().map_or("", |finding| &finding.headline);
        let machine = &subject.machine;
        let right = sentences(machine, fault).pop().unwrap_or_default();
        let others = report.findings.first().map(|finding| &finding.details);
        let others = others.into_iter().flatten().filter(|it| it.starts_with("or: "));
        let others: String = others.cloned().collect();
        let said = format!("{fault:?} {right}: {headline} {others}");
        if !examination.is_harmed {
            if report.verdict() != Verdict::Sound {
                tally.alarms.push(said);
            }
            continue;
        }
        tally.harmful += 1;
        let is_exact = |sentence: &String| headline.starts_with(sentence);
        if sentences(machine, fault).iter().any(is_exact) {
            tally.exact += 1;
        } else if report.verdict() != Verdict::Sound {
            tally.inexact.push(said);
        } else if examination.is_dead {
            tally.silent_and_dead.push(said);
        } else {
            tally.silent.push(said);
        }
    }
}

#[test]
fn faults_of_all_kinds_are_named_exactly() {
    let mut tally = Tally::default();
    for subject in [&*STOCK, &*WITH_PANEL] {
        run(subject, cases(42, 350) as u64, &mut tally);
    }
    println!("{tally:#?}");
    assert!(tally.silent_and_dead.is_empty(), "{:#?}", tally.silent_and_dead);
    assert!(tally.silent.len() * 50 <= tally.harmful, "{:#?}", tally.silent);
    assert!(tally.exact * 100 >= 85 * tally.harmful, "{:#?}", tally.inexact);
    assert!(!is_campaign() || tally.harmful >= 300, "{}", tally.harmful);
}

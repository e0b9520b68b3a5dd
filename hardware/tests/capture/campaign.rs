//! Tests random faults of all kinds on both boards. In captures of all wires, the reports must name
//! nearly all harmful ones exactly.

use std::collections::BTreeMap;

use gray1_hardware::capture::{Report, Verdict};
use gray1_isa::SplitMix64;

use super::bench::{Fault, Winner, pins};
use super::examination::{
    Clips, Examination, Reference, STOCK, Subject, WITH_PANEL, steady_turns, words,
};
use super::machine::{ChipRule, Machine};
use super::{SLOW_PS, cases, is_campaign};

/// The number of kinds of faults.
pub(crate) const KINDS: u64 = 7;

/// The number of times that a wire must change in a good machine so that it can get a fault.
const CHANGES_MIN: usize = 4;

/// Draws a random fault of a kind, at wires that the program uses. Returns `Fault::None` if the
/// kind is not possible at the place that was drawn.
pub(crate) fn draw(reference: &Reference, kind: u64, random: &mut SplitMix64) -> Fault {
    let machine = &reference.subject.machine;
    let is_used = |wire: usize| reference.count_changes(wire) >= CHANGES_MIN;
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
            // Exchanged address pins of data memory do no harm.
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

/// Returns the beginnings of the sentences that name a fault exactly.
pub(crate) fn sentences(machine: &Machine, fault: Fault) -> Vec<String> {
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
    // Chips that only pass an input on, perhaps delayed. No capture can distinguish a fault at
    // their output from one at their input.
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
            // PHASE then keeps its code from power-up.
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
            // The number of digits of an address depends on the part. If wires are not captured,
            // the sentence starts with `with` and has levels instead of an address.
            let wrong = |place: &str| format!("{} has a wrong bit: {place}", name(chip));
            let place = |width| wrong(&format!("at address {address:0width$x} "));
            [wrong("with ")].into_iter().chain((1..=5).map(place)).collect()
        }
    }
}

/// How well a report on a machine with a harmful fault names that fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    /// The first sentence names the fault exactly.
    Exact,
    /// The first sentence does not name the fault exactly, but names a wire or a chip of it. With
    /// `Later`, only a later sentence names one, and with `Other`, none does.
    Part,
    Later,
    Other,
    /// The report finds no fault, or cannot judge any chip.
    Silent,
}

fn answer(machine: &Machine, fault: Fault, report: &Report) -> Answer {
    let sentences = sentences(machine, fault);
    let is_name = |word: &&str| {
        machine.wires.iter().any(|it| it == word) || machine.chips.iter().any(|it| it.name == *word)
    };
    let names: Vec<&str> = sentences.iter().flat_map(|it| words(it)).filter(is_name).collect();
    let names_it = |text: &str| words(text).any(|word| names.contains(&word));
    let Some(first) = report.findings.first() else { return Answer::Silent };
    let others = first.details.iter().filter(|it| it.starts_with("or: ")).cloned();
    let mut later = others.chain(report.findings[1..].iter().map(|it| it.headline.to_string()));
    let headline = first.headline.to_string();
    if sentences.iter().any(|it| headline.starts_with(it)) {
        Answer::Exact
    } else if names_it(&headline) {
        Answer::Part
    } else if later.any(|it| names_it(&it)) {
        Answer::Later
    } else {
        Answer::Other
    }
}

/// The results of a campaign: how well the reports named its faults.
#[derive(Debug, Default)]
struct Tally {
    /// The harmful faults that were not named exactly. `harmful` is the number of all harmful
    /// faults.
    inexact: BTreeMap<Answer, Vec<String>>,
    harmful: usize,
    /// Machines that do not run but were called sound.
    sound_and_dead: Vec<String>,
    /// Faults that were reported although no wire had a wrong level at the end of any phase.
    harmless: Vec<String>,
}

impl Tally {
    fn add(&mut self, machine: &Machine, fault: Fault, examination: &Examination) {
        let report = &examination.reports[0];
        let first = report.findings.first();
        let headline = first.map_or(String::new(), |it| it.headline.to_string());
        let details = first.map_or(&[][..], |it| &it.details);
        let others = details.iter().filter(|it| it.starts_with("or: "));
        let others: String = others.cloned().collect();
        let said = format!("{fault:?} {:?}: {headline} {others}", sentences(machine, fault).pop());
        if !examination.is_harmed {
            self.harmless.extend((report.verdict() == Verdict::Faulty).then_some(said));
            return;
        }
        self.harmful += 1;
        if examination.is_dead && report.verdict() == Verdict::Sound {
            self.sound_and_dead.push(said.clone());
        }
        let answer = answer(machine, fault, report);
        if answer != Answer::Exact {
            self.inexact.entry(answer).or_default().push(said);
        }
    }

    fn exact(&self) -> usize {
        self.harmful - self.inexact.values().map(Vec::len).sum::<usize>()
    }

    fn silent(&self) -> usize {
        self.inexact.get(&Answer::Silent).map_or(0, Vec::len)
    }

    /// Prints the figures.
    fn print(&self) {
        let counts: Vec<_> = self.inexact.iter().map(|(it, said)| (it, said.len())).collect();
        println!("{self:#?}\n{} harmful, {} exact, {counts:?}", self.harmful, self.exact());
    }
}

#[test]
fn faults_of_all_kinds_are_found() {
    let mut tally = Tally::default();
    for subject in [&*STOCK, &*WITH_PANEL] {
        let reference = Reference::new(subject, steady_turns(2000));
        let mut random = SplitMix64::new(39);
        let mut number = 0;
        while number < cases(42, 350) as u64 {
            let fault = draw(&reference, number % KINDS, &mut random);
            if fault != Fault::None {
                number += 1;
                let examination = reference.examine(fault, &[Clips::all(subject, SLOW_PS)]);
                tally.add(&subject.machine, fault, &examination);
            }
        }
    }
    tally.print();
    assert!(tally.sound_and_dead.is_empty(), "{:#?}", tally.sound_and_dead);
    assert!(tally.silent() * 50 <= tally.harmful, "{:#?}", tally.inexact);
    assert!(tally.exact() * 100 >= 85 * tally.harmful, "{:#?}", tally.inexact);
    assert!(!is_campaign() || tally.harmful >= 300, "{}", tally.harmful);
}

/// A capture of 4 to 16 samples a phase, in which up to 40 wires are missing.
fn poor_capture(subject: &'static Subject, random: &mut SplitMix64) -> Clips {
    let samples = random.between(4, 16);
    let mut clips = Clips::all(subject, (subject.conditions.phase_ps[0] / samples).cast_signed());
    for _ in 0..random.below(41) {
        clips.wires.swap_remove(random.below(clips.wires.len() as u64) as usize);
    }
    clips
}

#[test]
fn poor_captures_find_most_faults() {
    let mut tally = Tally::default();
    for subject in [&*STOCK, &*WITH_PANEL] {
        let reference = Reference::new(subject, steady_turns(2000));
        let mut random = SplitMix64::new(41);
        let (mut number, count) = (0, tally.harmful + cases(7, 30));
        while tally.harmful < count {
            let fault = draw(&reference, number % KINDS, &mut random);
            if fault == Fault::None {
                continue;
            }
            number += 1;
            let clips = poor_capture(subject, &mut random);
            let good = reference.examine(Fault::None, std::slice::from_ref(&clips));
            assert!(good.reports[0].findings.is_empty(), "{fault:?}: {}", good.reports[0]);
            tally.add(&subject.machine, fault, &reference.examine(fault, &[clips]));
        }
    }
    tally.print();
    assert!(tally.sound_and_dead.is_empty(), "{:#?}", tally.sound_and_dead);
    assert!(tally.harmless.is_empty(), "{:#?}", tally.harmless);
    assert!(tally.exact() * 3 >= tally.harmful, "{:#?}", tally.inexact);
    assert!(tally.silent() * 10 <= 3 * tally.harmful, "{:#?}", tally.inexact);
}

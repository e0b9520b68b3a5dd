//! A machine under a logic analyser: what is done to it, what is captured, what is said about it.

use std::sync::LazyLock;

use gray1_board::{Board, Chip, NetId, Parts};
use gray1_hardware::capture::{Checker, Circumstances, Report};
use gray1_isa::{Image, SplitMix64, Word, gray};
use gray1_proofs::shortest_phase_ps;

use super::bench::{Bench, Fault, Movement};

/// The stock board with a program of all opcodes, whose jumps lead to the next instruction.
pub(crate) static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let text = include_str!("../../../roms/gray1.ron");
    let parts = Parts::load(include_str!("../../../roms/parts.ron")).unwrap();
    let board = Board::load(text, &parts, |_| Err(String::new())).unwrap();
    let mut random = SplitMix64::new(9);
    let word = |index: u16| {
        let word = random.next() as u16;
        let is_jump = word >> 13 >= 6;
        let next = gray::encode((index + 1) % 8192);
        Word::from_bits(if is_jump { word & 0xe000 | next } else { word })
    };
    let words: Vec<Word> = (0..8192).map(word).collect();
    board.with_program(&Image::from_words(&words).unwrap())
});

static PHASE_PS_MIN: LazyLock<Option<i64>> = LazyLock::new(|| shortest_phase_ps(&BOARD));

/// What is done to the wires from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Oscillator,
    Reset,
}

/// So many phases, with resets of different lengths at all moments.
pub(crate) fn turns(phases: u32) -> Vec<Turn> {
    let mut random = SplitMix64::new(17);
    let mut turns = vec![Turn::Oscillator, Turn::Reset];
    let (mut next, mut is_reset) = (12, true);
    for phase in 1..=phases {
        turns.push(Turn::Oscillator);
        if phase % 2 == 0 && phase >= next {
            turns.push(Turn::Reset);
            is_reset = !is_reset;
            let most = if random.below(8) == 0 { 1000 } else { 60 };
            next = phase + 10 + if is_reset { 0 } else { random.below(most) as u32 };
        }
    }
    turns
}

/// Some of the wires, and the time between two samples.
#[derive(Debug, Clone)]
pub(crate) struct Clips {
    pub(crate) wires: Vec<NetId>,
    pub(crate) sample_ps: i64,
}

impl Clips {
    /// All wires.
    pub(crate) fn all(sample_ps: i64) -> Self {
        Self { wires: BOARD.net_ids().collect(), sample_ps }
    }

    /// Wires by their names; a last `*` stands for the rest of a name.
    pub(crate) fn on(names: &str, sample_ps: i64) -> Self {
        let is_meant = |net: &NetId| {
            let wire = BOARD.net(*net).name();
            let matches = |it: &str| it.strip_suffix('*').is_some_and(|it| wire.starts_with(it));
            names.split(' ').any(|it| wire == it || matches(it))
        };
        Self { wires: BOARD.net_ids().filter(is_meant).collect(), sample_ps }
    }

    /// Begins a check of a machine whose wires have these levels.
    pub(crate) fn checker(&self, levels: &[bool]) -> Checker<'static> {
        let Self { wires, sample_ps } = self.clone();
        let circumstances = Circumstances {
            wires,
            resolution_ps: sample_ps,
            phase_ps_min: *PHASE_PS_MIN,
            knows_program: true,
        };
        let mut checker = Checker::new(&BOARD, circumstances);
        for &net in &self.wires {
            checker.movement(0, net, Some(levels[net.index()]));
        }
        checker
    }

    /// The sample that shows a movement first.
    pub(crate) fn sampled(&self, time_ps: i64) -> i64 {
        (time_ps + self.sample_ps - 1) / self.sample_ps * self.sample_ps
    }

    /// Shows a checker what an analyser sees: of several movements of a wire between two samples
    /// the last one.
    pub(crate) fn show(&self, checker: &mut Checker<'_>, movements: &[Movement]) {
        for sample in movements.chunk_by(|a, b| self.sampled(a.0) == self.sampled(b.0)) {
            for (at, &(time_ps, net, level)) in sample.iter().enumerate() {
                let is_last = sample[at + 1..].iter().all(|(_, later, _)| *later != net);
                if is_last && self.wires.contains(&net) {
                    checker.movement(self.sampled(time_ps), net, Some(level));
                }
            }
        }
    }
}

/// The turns that a machine is examined with, and the levels of the good machine after each.
pub(crate) struct Reference {
    turns: Vec<Turn>,
    levels: Vec<Vec<bool>>,
}

/// What captures have shown.
pub(crate) struct Examination {
    /// True if the wires were not always those of the good machine at the end of a phase.
    pub(crate) is_harmed: bool,
    pub(crate) reports: Vec<Report>,
}

impl Reference {
    pub(crate) fn new(phases: u32) -> Self {
        let mut bench = Bench::new(&BOARD, Fault::None, 1);
        let turns = turns(phases);
        let levels = turns.iter().map(|&turn| after(&mut bench, turn)).collect();
        Self { turns, levels }
    }

    /// Captures wires of a machine with a fault.
    pub(crate) fn examine(&self, actual: &Board, fault: Fault, captures: &[Clips]) -> Examination {
        let mut bench = Bench::new(actual, fault, 2);
        let mut checkers: Vec<_> = captures.iter().map(|it| it.checker(bench.levels())).collect();
        bench.take_movements();
        let mut is_harmed = false;
        for (turn, levels) in self.turns.iter().zip(&self.levels) {
            is_harmed |= after(&mut bench, *turn) != *levels;
            let movements = bench.take_movements();
            for (checker, clips) in checkers.iter_mut().zip(captures) {
                clips.show(checker, &movements);
            }
        }
        let reports = checkers.into_iter().zip(captures);
        let reports =
            reports.map(|(checker, clips)| checker.finish(clips.sampled(bench.time_ps())));
        Examination { is_harmed, reports: reports.collect() }
    }

    /// The addresses at which a chip comes to rest in the good machine, in rising order.
    pub(crate) fn addresses(&self, chip: &Chip) -> Vec<u32> {
        let address = |levels: &Vec<bool>| {
            let high = chip.inputs().filter(|(_, net)| levels[net.index()]);
            let pins = high.filter_map(|(pin, _)| match pin {
                gray1_board::Pin::Address(pin) => Some(1 << pin),
                _ => None,
            });
            pins.fold(chip.tied().1, |address, pin: u32| address | pin)
        };
        let mut addresses: Vec<u32> = self.levels.iter().map(address).collect();
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    }
}

fn after(bench: &mut Bench<'_>, turn: Turn) -> Vec<bool> {
    match turn {
        Turn::Oscillator => bench.edge(),
        Turn::Reset => bench.turn_reset(),
    }
    bench.levels().to_vec()
}

/// True if the first sentence of a report names one of these.
pub(crate) fn names(report: &Report, names: &[&str]) -> bool {
    let Some(first) = report.findings.first() else { return false };
    let is_between = |c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c));
    first.headline.split(is_between).any(|word| names.contains(&word))
}

/// The chips that drive a wire; those from outside have none.
pub(crate) fn drivers(net: NetId) -> Vec<&'static str> {
    BOARD.net(net).driver().pins().map(|pin| BOARD.chip(pin.chip).name()).collect()
}

/// The tally of a kind of fault.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) kind: String,
    pub(crate) tried: u32,
    pub(crate) harmful: u32,
    /// The harmful faults that no report named, and the faults for which something else was blamed.
    pub(crate) missed: Vec<String>,
}

impl Score {
    pub(crate) fn new(kind: &str) -> Self {
        Self { kind: kind.to_owned(), tried: 0, harmful: 0, missed: Vec::new() }
    }

    /// Adds a fault, for which one of these names is right.
    pub(crate) fn add(&mut self, fault: &str, examination: &Examination, right: &[&str]) {
        let reports = &examination.reports;
        self.tried += 1;
        self.harmful += u32::from(examination.is_harmed);
        let wrong = reports.iter().find(|it| !it.findings.is_empty() && !names(it, right));
        let is_named = reports.iter().any(|report| names(report, right));
        if wrong.is_some() || examination.is_harmed && !is_named {
            let said = wrong.map_or("nothing", |report| &report.findings[0].headline);
            self.missed.push(format!("{}, {fault}: {said}", self.kind));
        }
    }
}

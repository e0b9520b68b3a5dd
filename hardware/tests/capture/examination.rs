//! A machine that is connected to a logic analyser: its inputs, the captured wires, and the report.

use std::sync::LazyLock;

use gray1_board::{Board, NetId};
use gray1_hardware::capture::{CaptureConditions, Checker, Report};
use gray1_isa::{Image, SplitMix64, Word, gray};
use gray1_proofs::shortest_phase_ps;
use gray1_roms::{GRAY1, GRAY1_B, load};

use super::bench::{Bench, Conditions, Fault, LevelChange};
use super::machine::Machine;

/// The stock board. `WITH_PANEL` is the board with the panel.
pub(crate) static STOCK: LazyLock<Subject> = LazyLock::new(|| Subject::new(GRAY1));
pub(crate) static WITH_PANEL: LazyLock<Subject> = LazyLock::new(|| Subject::new(GRAY1_B));

/// A machine, and the board that it is checked against.
pub(crate) struct Subject {
    pub(crate) board: Board,
    pub(crate) machine: Machine,
    pub(crate) conditions: Conditions,
    pub(crate) phase_ps_min: Option<i64>,
    /// The wires of the board, by their numbers in the machine.
    nets: Vec<NetId>,
}

/// A program of all opcodes, whose jumps lead to the next instruction. Most of its data addresses
/// are 0, a power of two, or the address of an LED row, so that it often reads back what it wrote.
fn program() -> Vec<u16> {
    let mut random = SplitMix64::new(9);
    let mut pick = |count| random.below(count) as u16;
    let mut word = |index: u16| {
        let byte = match pick(14) {
            0 => 0,
            bit => 1 << (bit - 1),
        };
        let led = 0x1fe0 + pick(16);
        let opcode = [0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7][usize::from(pick(11))];
        opcode << 13
            | match opcode {
                6 | 7 => gray::encode((index + 1) % 8192),
                1..=4 if pick(8) == 0 => pick(8192),
                2 if pick(2) == 0 => led,
                1..=4 => byte,
                _ => pick(8192),
            }
    };
    (0..8192).map(&mut word).collect()
}

impl Subject {
    fn new(file: &str) -> Self {
        Self::with_program(file, &program())
    }

    pub(crate) fn with_program(file: &str, words: &[u16]) -> Self {
        let words: Vec<Word> = words.iter().copied().map(Word::from_bits).collect();
        let board = load(file).unwrap().with_program(&Image::from_words(&words).unwrap());
        let access_ps = board.chips().iter().map(|chip| 1000 * u64::from(chip.access_ns));
        let phase_ps_min = shortest_phase_ps(&board);
        let phase = phase_ps_min.unwrap().cast_unsigned() * 3 / 2;
        let access_ps = access_ps.collect();
        let conditions = Conditions { phase_ps: [phase; 2], access_ps, power_up: 0 };
        let (machine, nets) = (Machine::new(&board), board.net_ids().collect());
        Self { board, machine, conditions, phase_ps_min, nets }
    }

    pub(crate) fn bench(&self, fault: Fault, seed: u64) -> Bench<'_> {
        Bench::new(&self.machine, &self.conditions, fault, seed)
    }
}

/// A number of input edges after which the first reset is over.
const START: usize = 20;

/// An edge that the bench makes at an input of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Oscillator,
    Reset,
}

impl Turn {
    pub(crate) fn take(self, bench: &mut Bench<'_>, machine: &Machine) {
        bench.turn(machine.wire_named(match self {
            Self::Oscillator => "OSC",
            Self::Reset => "RST",
        }));
    }
}

/// Returns the input edges for this many phases, with resets at random moments.
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

/// Returns the input edges for this many phases, with a reset at the start and one in the middle.
pub(crate) fn steady_turns(phases: u32) -> Vec<Turn> {
    // Reset changes while the oscillator is high.
    let middle = phases / 4 * 2 + 1;
    let resets = [1, 13, middle, middle + 12];
    let turn = |phase: u32| {
        let reset = resets.contains(&phase).then_some(Turn::Reset);
        [Turn::Oscillator].into_iter().chain(reset)
    };
    (1..=phases).flat_map(turn).collect()
}

/// The captured wires, and the time between two samples.
#[derive(Clone)]
pub(crate) struct Clips {
    subject: &'static Subject,
    pub(crate) wires: Vec<NetId>,
    pub(crate) sample_ps: i64,
}

impl Clips {
    /// Puts a clip on every wire of the board.
    pub(crate) fn all(subject: &'static Subject, sample_ps: i64) -> Self {
        Self { subject, wires: subject.board.net_ids().collect(), sample_ps }
    }

    /// Puts clips on the wires of the stock board in a list such as `PHASE.0-2 RST`.
    pub(crate) fn on(list: &str, sample_ps: i64) -> Self {
        let named = |name: &str| STOCK.board.net_named(name).unwrap();
        let nets = |word: &str| -> Vec<NetId> {
            let Some((from, to)) = word.split_once('-') else { return vec![named(word)] };
            let (bus, from) = from.split_once('.').unwrap();
            let numbers = from.parse::<u8>().unwrap()..=to.parse().unwrap();
            numbers.map(|number| named(&format!("{bus}.{number}"))).collect()
        };
        let wires = list.split(' ').flat_map(nets).collect();
        Self { subject: &STOCK, wires, sample_ps }
    }

    /// Starts the check of a machine at a moment. `level` returns the level of a wire at that
    /// moment.
    pub(crate) fn checker(&self, time_ps: i64, level: impl Fn(NetId) -> bool) -> Checker<'static> {
        let Self { wires, sample_ps, .. } = self.clone();
        let conditions = CaptureConditions {
            wires,
            resolution_ps: sample_ps,
            phase_ps_min: self.subject.phase_ps_min,
            knows_program: true,
        };
        let mut checker = Checker::new(&self.subject.board, conditions);
        for &net in &self.wires {
            checker.set_level(self.sampled(time_ps), net, Some(level(net)));
        }
        checker
    }

    /// Starts the check of a machine on the bench.
    pub(crate) fn start_check(&self, bench: &Bench<'_>) -> Checker<'static> {
        let wires: Vec<(NetId, bool)> =
            self.subject.nets.iter().copied().zip(bench.levels().iter().copied()).collect();
        self.checker(bench.time_ps(), |net| wires.contains(&(net, true)))
    }

    /// Returns the time of the first sample that shows a change at this time.
    pub(crate) fn sampled(&self, time_ps: i64) -> i64 {
        (time_ps + self.sample_ps - 1) / self.sample_ps * self.sample_ps
    }

    /// Passes the changes to a checker as an analyser sees them. The analyser sees only the last of
    /// several changes between two samples.
    pub(crate) fn show(&self, checker: &mut Checker<'_>, changes: &[LevelChange]) {
        for sample in changes.chunk_by(|a, b| self.sampled(a.0) == self.sampled(b.0)) {
            for (at, &(time_ps, wire, level)) in sample.iter().enumerate() {
                let is_last = sample[at + 1..].iter().all(|(_, later, _)| *later != wire);
                let net = self.subject.nets[wire];
                if is_last && self.wires.contains(&net) {
                    checker.set_level(self.sampled(time_ps), net, Some(level));
                }
            }
        }
    }
}

/// The input edges of an examination, and the levels of the good machine after each.
pub(crate) struct Reference {
    pub(crate) subject: &'static Subject,
    turns: Vec<Turn>,
    levels: Vec<Vec<bool>>,
}

/// The results of all captures of a machine.
pub(crate) struct Examination {
    /// True if a wire had another level than in the good machine at the end of a phase after the
    /// first reset.
    pub(crate) is_harmed: bool,
    /// True if no wire of PHASE has changed since power-up.
    pub(crate) is_dead: bool,
    pub(crate) reports: Vec<Report>,
}

impl Reference {
    pub(crate) fn new(subject: &'static Subject, turns: Vec<Turn>) -> Self {
        let mut bench = subject.bench(Fault::None, 1);
        let levels = turns.iter().map(|turn| {
            turn.take(&mut bench, &subject.machine);
            bench.levels().to_vec()
        });
        let levels = levels.collect();
        Self { subject, turns, levels }
    }

    /// Runs a machine with a fault, captures it with each of these sets of clips, and checks the
    /// captures.
    pub(crate) fn examine(&self, fault: Fault, captures: &[Clips]) -> Examination {
        self.watch(self.subject.bench(fault, 2), captures)
    }

    /// Does the same with a machine whose chips have other contents.
    pub(crate) fn examine_machine(&self, machine: &Machine, captures: &[Clips]) -> Examination {
        let bench = Bench::new(machine, &self.subject.conditions, Fault::None, 2);
        self.watch(bench, captures)
    }

    fn watch(&self, mut bench: Bench<'_>, captures: &[Clips]) -> Examination {
        let mut checkers: Vec<_> = captures.iter().map(|it| it.start_check(&bench)).collect();
        bench.take_changes();
        let (mut is_harmed, mut is_dead) = (false, true);
        let phase = [0, 1, 2].map(|bit| self.subject.machine.wire_named(&format!("PHASE.{bit}")));
        for (turn_number, (turn, levels)) in self.turns.iter().zip(&self.levels).enumerate() {
            turn.take(&mut bench, &self.subject.machine);
            // Before the first reset, the state of a good machine is random as well.
            is_harmed |= turn_number > START && bench.levels() != levels;
            let changes = bench.take_changes();
            is_dead &= !changes.iter().any(|(_, wire, _)| phase.contains(wire));
            for (checker, clips) in checkers.iter_mut().zip(captures) {
                clips.show(checker, &changes);
            }
        }
        let reports = checkers.into_iter().zip(captures);
        let reports =
            reports.map(|(checker, clips)| checker.finish(clips.sampled(bench.time_ps())));
        Examination { is_harmed, is_dead, reports: reports.collect() }
    }

    /// Counts the input edges after which a wire of the good machine settles at another level than
    /// before.
    pub(crate) fn count_changes(&self, wire: usize) -> usize {
        self.levels[START..].windows(2).filter(|pair| pair[0][wire] != pair[1][wire]).count()
    }

    /// Returns the settled addresses of a chip in the good machine, in rising order.
    pub(crate) fn addresses(&self, chip: usize) -> Vec<u32> {
        let pins = &self.subject.machine.chips[chip].address;
        let address = |levels: &Vec<bool>| {
            let high = |(pin, wire): (usize, &Option<usize>)| {
                wire.is_some_and(|wire| levels[wire]).then_some(1 << pin)
            };
            pins.iter().enumerate().filter_map(high).sum()
        };
        let mut addresses: Vec<u32> = self.levels.iter().map(address).collect();
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    }
}

/// Returns the words of a sentence. The name of a wire or a chip is one word.
pub(crate) fn words(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c)))
}

/// True if the first sentence of a report contains one of these names.
pub(crate) fn names(report: &Report, names: &[&str]) -> bool {
    let Some(first) = report.findings.first() else { return false };
    words(&first.headline.to_string()).any(|word| names.contains(&word))
}

/// The results for one kind of fault.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) kind: String,
    pub(crate) tried: u32,
    pub(crate) harmful: u32,
    /// The harmful faults that no report named, and the faults for which a report blamed another
    /// part.
    pub(crate) missed: Vec<String>,
}

impl Score {
    pub(crate) fn new(kind: &str) -> Self {
        Self { kind: kind.to_owned(), tried: 0, harmful: 0, missed: Vec::new() }
    }

    /// Counts a fault that was examined. A report is correct if it names one of the parts in
    /// `right`.
    pub(crate) fn add(&mut self, fault: &str, examination: &Examination, right: &[&str]) {
        let reports = &examination.reports;
        self.tried += 1;
        self.harmful += u32::from(examination.is_harmed);
        let wrong = reports.iter().find(|it| !it.findings.is_empty() && !names(it, right));
        let is_named = reports.iter().any(|report| names(report, right));
        if wrong.is_some() || examination.is_harmed && !is_named {
            let said =
                wrong.map_or("nothing".into(), |report| report.findings[0].headline.to_string());
            self.missed.push(format!("{}, {fault}: {said}", self.kind));
        }
    }
}

//! Tests of captures that are read as runs of a program. The traces of good machines must equal the
//! simulator's, and nearly always, the first wrong instruction of a faulty machine must be found.

use std::io::Cursor;

use gray1_board::Board;
use gray1_hardware::capture::format::Capture;
use gray1_hardware::capture::{CapturedRun, match_wires};
use gray1_isa::panel::{BUTTONS, Buttons};

use gray1_isa::{Image, Op, RamAddr, Registers, RomIndex, SplitMix64, Word, gray, random_program};
use gray1_roms::{GRAY1, GRAY1_B};
use gray1_sim::{Engine, Setup};

use super::bench::{Bench, Conditions, Fault};
use super::campaign::{KINDS, draw};
use super::cases;
use super::examination::{Reference, STOCK, Subject, WITH_PANEL, steady_turns};
use super::machine::Machine;
use super::recordings::{FORMATS, Format, Recording, conditions};

/// The phases in which RST changes: the start and the end of the only reset.
const RESETS: [u32; 2] = [1, 13];

/// A machine, its program, and the conditions under which it runs.
struct Test<'a> {
    board: Board,
    machine: Machine,
    conditions: Conditions,
    image: &'a Image,
}

/// A run on the bench, as an analyser with all wires sees it and as a programmer sees it.
struct Watched {
    recording: Recording,
    /// The trace line of each instruction since the reset, with the buttons that are held at its
    /// end.
    lines: Vec<(String, u8)>,
    /// A, C and data memory at the end of the reset.
    start: (u8, bool, Vec<u8>),
}

impl Test<'_> {
    /// Runs a machine. `presses` is called in each phase in which an instruction is fetched, and
    /// returns the number of the button that changes in that phase, if any.
    fn watch(
        &self,
        fault: Fault,
        phases: u32,
        hertz: u64,
        mut presses: impl FnMut() -> Option<u64>,
    ) -> Watched {
        let Self { board, machine, conditions, .. } = self;
        let mut bench = Bench::new(machine, conditions, fault, hertz);
        bench.take_changes();
        let start_ps = bench.time_ps();
        let rows = vec![(0, bench.levels().to_vec())];
        let mut recording = Recording { names: machine.wires.clone(), hertz, rows, samples: 0 };
        let phase = machine.wire_named("PHASE.2");
        let (mut lines, mut start, mut first) = (Vec::new(), (0, false, Vec::new()), None);
        for turn in 1..=phases {
            let before = bench.levels().to_vec();
            bench.turn(board.oscillator().index());
            match (before[phase], bench.levels()[phase]) {
                (false, true) => first = Some(before),
                (true, false) => lines.extend(first.take().map(|it| self.line(&it, &before))),
                _ => {}
            }
            if RESETS.contains(&turn) {
                bench.turn(board.reset().index());
            }
            if turn == RESETS[1] {
                let carry = bench.levels()[machine.wire_named("FLAGS.1")];
                let a = self.number("AS", 8, bench.levels()) as u8;
                start = (a, carry, bench.memory().to_vec());
                (first, lines) = (None, Vec::new());
            }
            if turn > RESETS[1]
                && !bench.levels()[phase]
                && let Some(button) = presses()
            {
                bench.turn(machine.wire_named(&format!("BUTTON.{button}")));
            }
            recording.take(start_ps, bench.take_changes());
        }
        recording.samples = recording.sample(bench.time_ps() - start_ps);
        Watched { recording, lines, start }
    }

    /// Returns the number on the lowest `width` wires of a bus.
    fn number(&self, bus: &str, width: u8, levels: &[bool]) -> u16 {
        let wires = (0..width).map(|bit| self.machine.wire_named(&format!("{bus}.{bit}")));
        wires.enumerate().fold(0, |number, (bit, wire)| number | u16::from(levels[wire]) << bit)
    }

    /// Returns a trace line and the held buttons, from the levels at the end of T3 and at the end
    /// of T7.
    fn line(&self, first: &[bool], end: &[bool]) -> (String, u8) {
        let address = self.number("PCL", 7, first) | self.number("PCH", 7, first) << 7;
        let word = self.number("IRL", 8, end) | self.number("IRH", 8, end) << 8;
        let word = Word::from_bits(word);
        let carry = u8::from(end[self.machine.wire_named("FLAGS.1")]);
        let index = self.board.code().decode(address) / 2;
        let (a, op, operand) = (self.number("AS", 8, end), word.op(), word.operand());
        let line = format!("{index:04x} {op} {operand:04x} {a:02x} {carry}");
        let has_buttons = self.board.panel().is_some();
        (line, if has_buttons { self.number("BUTTON", 8, end) as u8 } else { 0 })
    }

    /// Reads a capture as a run of the program. Returns a line for each instruction since the last
    /// reset, and the first difference.
    fn read(&self, file: Vec<u8>) -> (Vec<String>, Option<(u64, String)>) {
        let Self { board, image, .. } = self;
        let mut capture = Capture::open(Cursor::new(file)).unwrap();
        let channels =
            match_wires(board, capture.channels(), |it| capture.source(it), &[]).unwrap();
        let mut run = CapturedRun::new(board, image, capture.resolution_ps);
        for change in capture.by_ref() {
            let change = change.unwrap();
            run.set_level(change.time_ps, channels[change.channel].unwrap(), change.level);
        }
        run.finish();
        let start = run.steps.iter().rposition(|step| step.number == 1).unwrap_or_default();
        let lines = run.steps[start..].iter().map(ToString::to_string).collect();
        (lines, run.difference.map(|it| (it.step, it.words)))
    }

    /// Returns the simulator's trace from the same start, with the same buttons and at most as many
    /// instructions. It contains a jump that halts the machine only once.
    fn simulate(&self, watched: &Watched) -> Vec<String> {
        let mut engine: Box<dyn Engine> = Setup::default().engine(self.image).unwrap();
        let (a, carry, memory) = &watched.start;
        for (address, byte) in (0..).zip(memory) {
            engine.poke(RamAddr::truncate(address), *byte);
        }
        engine.load(Registers { a: *a, carry: *carry, pc: RomIndex::default() });
        let mut lines = Vec::new();
        for (_, held) in &watched.lines {
            if self.board.panel().is_some() {
                engine.hold(Buttons(*held));
            }
            let Some(executed) = engine.step() else { break };
            let (op, operand) = (executed.word.op(), executed.word.operand());
            let (index, carry) = (executed.index.get(), u8::from(engine.carry()));
            lines.push(format!("{index:04x} {op} {operand:04x} {:02x} {carry}", engine.a()));
        }
        lines
    }
}

/// A program of random words that reads the buttons now and then.
fn program(random: &mut SplitMix64) -> Image {
    let image = random_program(random);
    let words = image.words().iter().map(|&word| match word.op() {
        Op::Ld if random.below(3) == 0 => Word::data(Op::Ld, BUTTONS),
        _ => word,
    });
    Image::from_words(&words.collect::<Vec<_>>()).unwrap()
}

/// A program that reads only bytes that it has written, like programs that people write.
fn tidy_program() -> Vec<u16> {
    const BYTES: u64 = 16;
    const WORDS: u16 = 400;
    let mut random = SplitMix64::new(8);
    let mut words = Vec::new();
    for byte in 0..BYTES as u16 {
        words.extend([random.byte().into(), 2 << 13 | byte]);
    }
    // An ADD also gives C a known value.
    words.push(3 << 13);
    let first = words.len() as u16;
    for index in first..WORDS {
        let op = random.below(8) as u16;
        let target = gray::encode(index + 1 + random.below(4) as u16);
        let operand = match op {
            6 | 7 => target,
            1..=4 => random.below(BYTES) as u16,
            5 => 0,
            _ => random.byte().into(),
        };
        words.push(op << 13 | operand);
    }
    words.extend([7 << 13 | gray::encode(first); 4]);
    words
}

fn test<'a>(subject: &Subject, image: &'a Image, conditions: Conditions) -> Test<'a> {
    let board = subject.board.with_program(image);
    let machine = Machine::new(&board);
    Test { board, machine, conditions, image }
}

#[test]
fn traces_of_good_machines_equal_those_of_the_simulator() {
    let mut random = SplitMix64::new(50);
    let (mut executed, mut reads) = (0, 0);
    for number in 0..cases(24, 500) {
        let subject = if random.coin() { &*STOCK } else { &*WITH_PANEL };
        let (low, high) = (random.between(105, 300), random.between(105, 300));
        let conditions = conditions(subject, low, high, random.next());
        let shortest_ps = conditions.phase_ps.into_iter().min().unwrap();
        let slowest = 4_000_000_000_000_u64.div_ceil(shortest_ps);
        let hertz = random.between(slowest, slowest.max(24_000_000) * 2);
        let image = program(&mut random);
        let test = test(subject, &image, conditions);
        let has_buttons = test.board.panel().is_some();
        let mut press = SplitMix64::new(random.next());
        let presses = || (has_buttons && press.below(20) == 0).then(|| press.below(8));
        let watched = test.watch(Fault::None, 1600, hertz, presses);
        let format = FORMATS[random.below(FORMATS.len() as u64) as usize];
        let format = if matches!(format, Format::Csv) { Format::Sr } else { format };
        let (lines, difference) = test.read(watched.recording.write(format));
        let case = format!("{number}: {format:?}, {hertz} Hz, {:?}", test.conditions.phase_ps);
        let expected = test.simulate(&watched);
        assert_eq!(lines, expected, "{case}");
        assert_eq!(difference, None, "{case}");
        executed += lines.len();
        reads += lines.iter().filter(|line| line.contains("LD 1ffe")).count();
    }
    println!("{executed} instructions, {reads} looks at the buttons");
    assert!(executed > 1000 && reads > 20);
}

#[test]
fn the_first_wrong_instruction_is_found() {
    let (mut shown, mut missed, mut early) = (0, Vec::new(), Vec::new());
    let mut random = SplitMix64::new(77);
    let words = tidy_program();
    let image = Image::from_words(&words.iter().copied().map(Word::from_bits).collect::<Vec<_>>());
    let image = image.unwrap();
    let subjects = [GRAY1, GRAY1_B].map(|file| -> &'static Subject {
        Box::leak(Box::new(Subject::with_program(file, &words)))
    });
    let references = subjects.map(|subject| Reference::new(subject, steady_turns(1600)));
    let mut number = 0;
    while shown < cases(12, 100) {
        number += 1;
        let reference = &references[number % 2];
        let fault = draw(reference, random.below(KINDS), &mut random);
        let subject = subjects[number % 2];
        if fault == Fault::None {
            continue;
        }
        let test = test(subject, &image, subject.conditions.clone());
        let good = test.watch(Fault::None, 1600, 24_000_000, || None);
        let faulty = test.watch(fault, 1600, 24_000_000, || None);
        let first = good.lines.iter().zip(&faulty.lines).position(|(good, bad)| good.0 != bad.0);
        let registers = |line: &str| (line[..4].to_owned(), line[line.len() - 5..].to_owned());
        let is_in_registers =
            |(good, bad): (&(String, u8), &(String, u8))| registers(&good.0) != registers(&bad.0);
        let (Some(first), true) =
            (first, good.lines.iter().zip(&faulty.lines).any(is_in_registers))
        else {
            continue;
        };
        shown += 1;
        let (_, difference) = test.read(faulty.recording.write(Format::Sr));
        let (right, found) = (first as u64 + 1, difference.as_ref().map(|it| it.0));
        if found != Some(right) {
            missed.push(format!("{fault:?}: {difference:?}, but it is {right}"));
        }
        if found.is_some_and(|found| found < right) {
            early.push(format!("{fault:?}"));
        }
    }
    println!("{shown} faults, {} not at their instruction: {missed:#?}", missed.len());
    assert!(early.is_empty(), "{early:#?}");
    assert!(missed.len() * 20 <= shown, "{missed:#?}");
}

//! `gray1 compare`: programs side by side, in a table of their costs.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::{Duration, Instant};

use clap::builder::TypedValueParser as _;
use gray1_board::Phase;
use gray1_debugger::{Event, Run, Stretch, WatchSet};
use gray1_isa::panel::MAILBOX;
use gray1_isa::text::grouped;
use gray1_isa::{Image, Word};
use gray1_programs::{EngineKind, MachineSpec, ResolvedMachine};
use gray1_proofs::shortest_phase_ps;
use gray1_sim::{Engine, Setup};

use super::machine::{self, MachineOptions, check, power_up};
use super::messages::Messages;
use super::numbers::number;
use super::{Done, Failure, Outcome, SourceOptions, failure, load, print};
use crate::board;
use crate::program::Program;

#[derive(clap::Args)]
#[command(after_help = "One line for each program: its instructions in program memory; those it \
    executes; what the programs declare with `.count`, which is how often LEDs of a colour came on \
    (`-`: not declared); the time that it takes on the engine `instruction`, on `chips` (`~`: \
    extrapolated from the first 20,000,000 instructions), and on a built machine at the highest \
    speed that `gray1 check` allows it (`-`: not on this board). `--engine` chooses the engine for \
    the counts.")]
pub(super) struct CompareOptions {
    /// The programs: paths or built-in names
    #[arg(required = true, value_name = "PROGRAM", add = super::complete::programs())]
    programs: Vec<OsString>,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    machine: MachineOptions,
    /// Stop each program after N instructions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, alias = "limit", value_parser = number())]
    max_instructions: u64,
    /// Stop each program when it has printed N different lines
    #[arg(long, value_name = "N", value_parser = number().try_map(usize::try_from))]
    lines: Option<usize>,
}

/// The most instructions that are timed on the chips, some seconds' worth. The time of longer
/// programs is extrapolated.
const CHIPS_MAX: u64 = 20_000_000;
/// How long short programs are timed repeatedly; the shortest time counts.
const TIMED: Duration = Duration::from_millis(200);
/// The width of a column of counts: millions.
const COUNT_MIN: usize = "100,000,000".len();
/// The most bytes of a printed line that are compared.
const LINE_MAX: usize = 256;

pub(super) fn compare(options: &CompareOptions, messages: &mut Messages) -> Outcome {
    let programs = options.programs.iter().map(|word| load(word, &options.sources, messages));
    let programs: Vec<Program> = programs.collect::<Result<_, _>>()?;
    let machine = options.machine.spec();
    let counting = machine::resolve(&machine, messages)?.setup;
    let clocks = Clocks::of(machine)?;
    let names = programs.iter().map(|program| program.name.chars().count());
    let width = names.chain(["program".len()]).max().unwrap_or_default();
    let captions = captions(&programs);
    let columns = columns(&captions);
    print(&row(
        "program",
        width,
        columns.iter().map(|(heading, width)| (*heading, *width)),
        "end",
    ))?;
    for program in &programs {
        let counts = RunCounts::of(power_up(&counting, &program.image)?, &program.image, options)?;
        let [fast, slow, built] = clocks.times(&program.image, counts.executed)?;
        let words = program.image.words().iter().filter(|word| **word != Word::ERASED).count();
        let [words, executed] = [words as u64, counts.executed].map(grouped);
        let counted = captions.iter().map(|caption| counts.of_caption(caption, &program.image));
        let cells: Vec<String> =
            [words, executed].into_iter().chain(counted).chain([fast, slow, built]).collect();
        let cells = cells.iter().map(String::as_str).zip(columns.iter().map(|(_, width)| *width));
        print(&row(&program.name, width, cells, counts.end))?;
    }
    Ok(Done::Well)
}

/// The captions of the programs' counts, without duplicates.
fn captions(programs: &[Program]) -> Vec<&str> {
    let counts = programs.iter().flat_map(|program| &program.image.presentation().counts);
    let mut captions = Vec::new();
    for count in counts {
        if !captions.contains(&count.caption.as_str()) {
            captions.push(&count.caption);
        }
    }
    captions
}

/// The headings of the columns between the program's name and its end, with their widths.
fn columns<'a>(captions: &[&'a str]) -> Vec<(&'a str, usize)> {
    let counted = captions.iter().map(|caption| (*caption, caption.chars().count().max(COUNT_MIN)));
    let before = [("words", 6), ("executed", 13)].into_iter().chain(counted);
    before.chain([("run time", 9), ("on chips", 9), ("built", 9)]).collect()
}

/// The machines that programs are timed on.
struct Clocks {
    /// Present if the instruction engine knows the board.
    instruction: Option<Setup>,
    chips: Setup,
    /// The shortest phase, if it is known.
    phase_ns: Option<u64>,
}

impl Clocks {
    fn of(MachineSpec { board, ram, .. }: MachineSpec) -> Result<Self, Failure> {
        let on = |engine| {
            let (engine, board) = (Some(engine), board.clone());
            let spec = MachineSpec { engine, board, ram, ..MachineSpec::default() };
            spec.resolve(board::load).map_err(failure)
        };
        let ResolvedMachine { setup, note, board } = on(EngineKind::Instruction)?;
        let board = board.unwrap_or_else(board::stock);
        let phase_ps = shortest_phase_ps(&board);
        Ok(Self {
            instruction: note.is_none().then_some(setup),
            chips: on(EngineKind::Chips)?.setup,
            phase_ns: phase_ps.map(|phase_ps| phase_ps.unsigned_abs() / 1000),
        })
    }

    /// The times of this number of instructions on the instruction engine, on the chips and on a
    /// built machine, as text.
    fn times(&self, image: &Image, executed: u64) -> Result<[String; 3], Failure> {
        let shortest_on = |setup, count| shortest(|| timed(power_up(setup, image)?, count));
        let fast = self.instruction.as_ref().map(|setup| shortest_on(setup, executed));
        let fast = fast.transpose()?.map(time);
        let on_chips = executed.min(CHIPS_MAX);
        let slow = shortest_on(&self.chips, on_chips)?;
        let slow = if on_chips == executed {
            time(slow)
        } else {
            let nanoseconds = slow.as_nanos() * u128::from(executed) / u128::from(on_chips);
            format!("~{}", time(Duration::from_nanos(nanoseconds as u64)))
        };
        let built = self.phase_ns.map(|phase_ns| {
            let instruction_ns = u64::from(Phase::COUNT) * phase_ns;
            time(Duration::from_nanos(executed.saturating_mul(instruction_ns)))
        });
        Ok([fast, Some(slow), built].map(|cell| cell.unwrap_or("-".to_owned())))
    }
}

/// A line of the table: the name, cells with the widths of their columns, and how the program
/// ended.
fn row<'a>(
    name: &str,
    width: usize,
    cells: impl Iterator<Item = (&'a str, usize)>,
    end: &str,
) -> String {
    let cells: Vec<String> = cells.map(|(cell, width)| format!(" {cell:>width$}")).collect();
    format!("{name:width$}{}  {end}\n", cells.concat())
}

/// The counts of a run.
struct RunCounts {
    executed: u64,
    /// The LEDs that came on, for each of the program's counts.
    lit: Vec<u64>,
    /// How it ended, as text.
    end: &'static str,
}

impl RunCounts {
    /// The counts of a program that was powered up.
    fn of(
        machine: Box<dyn Engine>,
        image: &Image,
        options: &CompareOptions,
    ) -> Result<Self, Failure> {
        let counted = &image.presentation().counts;
        let mut lines = PrintedLines::default();
        let (mut lit, mut end) = (vec![0; counted.len()], "stopped");
        let writes =
            WatchSet::new(vec![Event::Display.into(), Event::Prints(None).into()], &*machine);
        let mut run = Run::new(machine, []);
        while let Some(hit) = run.drive(Stretch::ToHit(&writes), options.max_instructions) {
            let Some(write) = hit.executed.and_then(|executed| executed.write) else { continue };
            for (count, lit) in counted.iter().zip(&mut lit) {
                if count.color.row_of(write.address).is_some() {
                    *lit += u64::from((write.new & !write.old).count_ones());
                }
            }
            if write.address == MAILBOX {
                run.take_output();
                let enough = options.lines.is_some_and(|enough| lines.take(write.new) >= enough);
                if enough {
                    end = "all lines";
                    break;
                }
            }
        }
        check(run.engine())?;
        let end = if run.engine().halted() { "halted" } else { end };
        Ok(Self { executed: run.moment(), lit, end })
    }

    /// The cell for a caption.
    fn of_caption(&self, caption: &str, image: &Image) -> String {
        let counts = image.presentation().counts.iter().zip(&self.lit);
        let of_caption = counts.filter(|(count, _)| count.caption == caption);
        let total = of_caption.map(|(_, lit)| *lit).reduce(|sum, lit| sum + lit);
        total.map_or("-".to_owned(), grouped)
    }
}

/// The lines that a program has printed so far.
#[derive(Default)]
struct PrintedLines {
    seen: BTreeSet<Vec<u8>>,
    line: Vec<u8>,
}

impl PrintedLines {
    /// Adds a byte, and returns the number of different lines.
    fn take(&mut self, byte: u8) -> usize {
        if byte == b'\n' {
            self.seen.insert(std::mem::take(&mut self.line));
        } else if self.line.len() < LINE_MAX {
            self.line.push(byte);
        }
        self.seen.len()
    }
}

/// The time that an engine takes for this number of instructions.
fn timed(engine: Box<dyn Engine>, instructions: u64) -> Result<Duration, Failure> {
    let start = Instant::now();
    let mut run = Run::new(engine, []);
    while run.moment() < instructions && !run.engine().halted() {
        run.drive(Stretch::Fast, instructions.min(run.moment() + run.engine().slice()));
        run.take_output();
    }
    check(run.engine())?;
    Ok(start.elapsed())
}

/// The shortest time of several runs.
fn shortest(run: impl Fn() -> Result<Duration, Failure>) -> Result<Duration, Failure> {
    let start = Instant::now();
    let mut best = run()?;
    while start.elapsed() < TIMED {
        best = best.min(run()?);
    }
    Ok(best)
}

/// A time with about three digits.
fn time(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 600.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds >= 1.0 => format!("{seconds:.1} s"),
        seconds if seconds >= 0.001 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{:.0} µs", 1e6 * seconds),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use super::*;

    /// A machine of chips with this program, and its image.
    fn chips(source: &str) -> (Setup, Arc<Image>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.asm");
        std::fs::write(&path, source).unwrap();
        let program = crate::program::load(&path).ok().unwrap();
        let clocks = Clocks::of(MachineSpec::default()).ok().unwrap();
        (clocks.chips, program.image)
    }

    #[test]
    fn times_are_told_in_a_unit_that_suits_them() {
        for (nanoseconds, told) in [
            (0, "0 µs"),
            (999_400, "999 µs"),
            (1_000_000, "1.0 ms"),
            (999_900_000, "999.9 ms"),
            (1_000_000_000, "1.0 s"),
            (599_900_000_000, "599.9 s"),
            (600_000_000_000, "10 min"),
            (7_200_000_000_000, "120 min"),
        ] {
            assert_eq!(time(Duration::from_nanos(nanoseconds)), told);
        }
    }

    #[test]
    fn the_shortest_of_several_runs_counts() {
        let runs = Cell::new(0);
        let run = || {
            runs.set(runs.get() + 1);
            Ok(Duration::from_millis(if runs.get() == 2 { 5 } else { 9 }))
        };
        assert!(shortest(run).is_ok_and(|best| best == Duration::from_millis(5)));
        assert!(runs.get() > 2, "a short program is timed again and again");
        let run = || {
            runs.set(runs.get() + 1);
            if runs.get() < 3 { Ok(Duration::ZERO) } else { Err(super::super::failure("broken")) }
        };
        runs.set(0);
        assert!(shortest(run).is_err(), "a run that fails has no time");
    }

    #[test]
    fn a_run_is_timed_to_its_last_instruction() {
        let (setup, image) = chips("again: JMP on\non: JMP again\n");
        let timed = |count| timed(power_up(&setup, &image).ok().unwrap(), count).ok().unwrap();
        // No machine simulates a chip in less than some nanoseconds.
        assert!(timed(100_000) > Duration::from_millis(1));
    }

    #[test]
    fn what_takes_too_long_on_chips_is_worked_out_and_marked() {
        let (setup, image) = chips(" LDI 1\n HALT\n");
        let clocks = Clocks { instruction: None, chips: setup, phase_ns: Some(1000) };
        let times = |executed| clocks.times(&image, executed).ok().unwrap();
        let [fast, slow, built] = times(2);
        assert_eq!((fast.as_str(), built.as_str()), ("-", "16 µs"));
        assert!(slow.ends_with(" µs") || slow.ends_with(" ms"), "{slow}");
        assert!(!slow.contains('~'), "{slow}");
        // As if it ran 10^10 times as long: it takes 100 ns to 60 ms.
        let [_, slow, _] = times(10_000_000_000 * CHIPS_MAX);
        let minutes = slow.strip_prefix('~').and_then(|slow| slow.strip_suffix(" min"));
        let minutes: f64 = minutes.expect("so many instructions take long").parse().unwrap();
        assert!((16.0..10_000_000.0).contains(&minutes), "{slow}");
        let unproved = Clocks { phase_ns: None, ..clocks };
        assert_eq!(unproved.times(&image, 2).ok().unwrap()[2], "-");
    }

    #[test]
    fn counts_with_one_caption_are_added() {
        let source = ".count green, \"lit\"\n.count red, \"lit\"\n HALT\n";
        let (_, image) = chips(source);
        let counts = RunCounts { executed: 1, lit: vec![3, 1000], end: "halted" };
        assert_eq!(counts.of_caption("lit", &image), "1,003");
        assert_eq!(counts.of_caption("dark", &image), "-");
    }

    #[test]
    fn lines_are_counted_once_and_told_apart_by_their_beginnings() {
        let long = "x".repeat(LINE_MAX - 1);
        for (text, different) in [
            (String::new(), 0),
            ("no end".to_owned(), 0),
            ("\n".to_owned(), 1),
            ("a\nb\na\n".to_owned(), 2),
            ("a\n\nab\n".to_owned(), 3),
            (format!("{long}a\n{long}b\n"), 2),
            (format!("{long}aa\n{long}ab\n{long}a\n"), 1),
        ] {
            let mut lines = PrintedLines::default();
            let found = text.bytes().map(|byte| lines.take(byte)).last();
            assert_eq!(found.unwrap_or_default(), different, "{text:?}");
        }
    }
}

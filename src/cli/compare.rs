//! `gray1 compare`: a table that compares the costs of programs.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::builder::TypedValueParser as _;
use gray1_board::Phase;
use gray1_debugger::{Event, Happened, Input, Run, Watch, WatchSet};
use gray1_isa::panel::MAILBOX;
use gray1_isa::text::grouped;
use gray1_isa::{Image, Word};
use gray1_programs::STOCK;
use gray1_proofs::shortest_phase_ps;
use gray1_sim::{Engine, EngineKind, MachineSpec, ResolvedMachine, Setup};
use serde_json::json;

use super::run::RunTarget;
use super::shared::complete;
use super::shared::debugger::RUN_MAX;
use super::shared::machine::{self, MachineOptions, check, power_up};
use super::shared::messages::Messages;
use super::shared::options::{FormatOptions, number};
use super::shared::outcome::{Done, Failure, Outcome, failure, print};
use super::shared::progress::ProgressLine;
use super::shared::signals::Signals;
use super::shared::source_options::{SourceOptions, load};
use crate::{board, files};

/// Compare the size, the instruction count and the run time of programs
#[derive(clap::Args)]
#[command(
    after_help = "Each line shows the size of a program, the number of instructions that it \
    executes, how often LEDs of a colour came on (if the program declares `.count`), and its run \
    time on the engine `instruction`, on `chips` (`~`: extrapolated from the first 20,000,000 \
    instructions), and on a built machine at the highest speed that `gray1 check` allows (`-`: not \
    on this board). `--engine` selects the engine for the counts.\n\n\
    In quotes, a program can have options of `gray1 run`, as for `gray1 diff`: \
    'mine.asm --set \"0: x = 3\"'."
)]
pub(super) struct CompareOptions {
    /// The programs: paths or built-in names
    #[arg(required = true, value_name = "PROGRAM", add = complete::programs())]
    programs: Vec<OsString>,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    machine: MachineOptions,
    /// Stop each program after N instructions [default: 1,000,000,000]
    #[arg(long, value_name = "N", value_parser = number())]
    max_instructions: Option<u64>,
    /// Stop each program when it has printed N different lines
    #[arg(long, value_name = "N", value_parser = number().try_map(usize::try_from))]
    lines: Option<usize>,
    #[command(flatten)]
    format: FormatOptions,
}

/// The maximum number of instructions timed on the chip engine, which takes a few seconds. The time
/// of a longer program is extrapolated.
const CHIPS_MAX: u64 = 20_000_000;
/// Short programs are timed repeatedly for this long. The shortest time counts.
const TIMED: Duration = Duration::from_millis(200);
/// The minimum width of a column of counts, enough for nine digits.
const COUNT_MIN: usize = "100,000,000".len();
/// The result shown for a run that `--max-instructions` stopped.
const STOPPED: &str = "stopped";
/// The maximum number of bytes of a printed line that are compared.
const LINE_MAX: usize = 256;

pub(super) fn compare(options: &CompareOptions, messages: &mut Messages) -> Outcome {
    let mut known = Vec::new();
    let programs =
        options.programs.iter().map(|text| Contestant::load(text, options, &mut known, messages));
    let programs: Vec<Contestant> = programs.collect::<Result<_, _>>()?;
    let names = programs.iter().map(|contestant| contestant.name.chars().count());
    let width = names.chain(["program".len()]).max().unwrap_or_default();
    let captions = collect_captions(&programs);
    let columns = columns(&captions);
    let print = |line: String| if options.format.is_json() { Ok(()) } else { print(&line) };
    print(row("program", width, columns.iter().map(|(heading, width)| (*heading, *width)), "end"))?;
    let mut json_rows = Vec::new();
    for contestant in &programs {
        let Contestant { name, image, limit, .. } = contestant;
        let mut progress = ProgressLine::new();
        let counts = RunCounts::measure(contestant, options.lines, &mut progress)?;
        let times = contestant.timed.measure(contestant, counts.executed, &mut progress)?;
        progress.clear();
        if counts.end == STOPPED && limit.is_none() {
            let executed = grouped(counts.executed);
            messages.note(&format!(
                "{name} was stopped after {executed} instructions; \
                 --max-instructions changes the limit"
            ));
        }
        let words = image.words().iter().filter(|word| **word != Word::ERASED).count();
        let counted = captions.iter().map(|caption| counts.for_caption(caption, image));
        let counted: Vec<Option<u64>> = counted.collect();
        let seconds = times.map(|time| time.map(|(time, _)| time.as_secs_f64()));
        json_rows.push(json!({
            "program": name, "words": words, "executed": counts.executed,
            "counts": captions.iter().copied().zip(&counted).collect::<BTreeMap<_, _>>(),
            "run_seconds": seconds[0], "chips_seconds": seconds[1], "built_seconds": seconds[2],
            "is_extrapolated": times[1].is_some_and(|(_, is_exact)| !is_exact),
            "end": counts.end,
        }));
        let numbers = [Some(words as u64), Some(counts.executed)].into_iter().chain(counted);
        let numbers = numbers.map(|number| number.map(grouped));
        let cells = numbers.chain(times.map(|known| known.map(format_time)));
        let cells: Vec<String> = cells.map(|cell| cell.unwrap_or("-".to_owned())).collect();
        let cells = cells.iter().map(String::as_str).zip(columns.iter().map(|(_, width)| *width));
        print(row(name, width, cells, counts.end))?;
    }
    options.format.print(String::new, || json!({ "programs": json_rows })).map(|()| Done::Success)
}

/// A program to compare, with the machine on which its instructions are counted.
struct Contestant {
    /// The program, with its options if it has some.
    name: String,
    image: Arc<Image>,
    engine: Box<dyn Engine>,
    inputs: Vec<(u64, Input)>,
    limit: Option<u64>,
    timed: Rc<TimedMachines>,
}

/// The machines of one choice of the user. Programs with the same choice share them, because it
/// takes a proof to find the shortest phase of a board.
struct KnownMachines {
    spec: MachineSpec,
    counting: Setup,
    timed: Rc<TimedMachines>,
}

impl KnownMachines {
    fn new(spec: MachineSpec, messages: &mut Messages) -> Result<Self, Failure> {
        let counting = machine::resolve(&spec, messages)?.setup;
        let timed = Rc::new(TimedMachines::new(spec.clone())?);
        Ok(Self { spec, counting, timed })
    }
}

impl Contestant {
    /// Loads a program that can have options of `gray1 run` in the same string. They take
    /// precedence over those of the command.
    fn load(
        text: &OsStr,
        options: &CompareOptions,
        known: &mut Vec<KnownMachines>,
        messages: &mut Messages,
    ) -> Result<Self, Failure> {
        let RunTarget { program, sources, machine, inputs, max_instructions } =
            RunTarget::parse(text)?;
        let is_plain = program == text;
        let program = load(program, &options.sources.clone().with(sources), messages)?;
        let spec = machine.spec().or(options.machine.spec());
        let place = known.iter().position(|it| it.spec == spec).unwrap_or(known.len());
        if place == known.len() {
            known.push(KnownMachines::new(spec, messages)?);
        }
        let KnownMachines { counting, timed, .. } = &known[place];
        let engine = power_up(counting, &program.image)?;
        let limit = max_instructions.or(options.max_instructions);
        let end = limit.unwrap_or(RUN_MAX);
        let inputs = inputs.read(&program.image, &*engine, end, &Signals::default())?;
        let name = if is_plain { program.name } else { files::printable(text) };
        let timed = Rc::clone(timed);
        Ok(Self { name, image: program.image, engine, inputs, limit, timed })
    }

    /// Starts a run on an engine, with the program's inputs.
    fn run(&self, engine: Box<dyn Engine>) -> Run {
        Run::new(engine, self.inputs.iter().copied())
    }
}

/// Returns the captions of the programs' counts, without duplicates.
fn collect_captions(programs: &[Contestant]) -> Vec<&str> {
    let counts = programs.iter().flat_map(|program| &program.image.presentation().counts);
    let mut captions = Vec::new();
    for count in counts {
        if !captions.contains(&count.caption.as_str()) {
            captions.push(&count.caption);
        }
    }
    captions
}

/// The headings of the columns between the program's name and its result, with their widths.
fn columns<'a>(captions: &[&'a str]) -> Vec<(&'a str, usize)> {
    let counted = captions.iter().map(|caption| (*caption, caption.chars().count().max(COUNT_MIN)));
    let before = [("words", 6), ("executed", 13)].into_iter().chain(counted);
    before.chain([("run time", 9), ("on chips", 9), ("built", 9)]).collect()
}

/// The machines on which programs are timed.
struct TimedMachines {
    /// Present if the instruction engine supports the board.
    instruction: Option<Setup>,
    chips: Setup,
    /// The shortest phase of the board, if it is known.
    phase_ns: Option<u64>,
}

impl TimedMachines {
    fn new(MachineSpec { board, ram, .. }: MachineSpec) -> Result<Self, Failure> {
        let on = |engine| {
            let (engine, board) = (Some(engine), board.clone());
            let spec = MachineSpec { engine, board, ram, ..MachineSpec::default() };
            spec.resolve(STOCK, board::load).map_err(failure)
        };
        let ResolvedMachine { setup, note, board, .. } = on(EngineKind::Instruction)?;
        let board = board.unwrap_or_else(board::stock);
        let phase_ps = shortest_phase_ps(&board);
        Ok(Self {
            instruction: note.is_none().then_some(setup),
            chips: on(EngineKind::Chips)?.setup,
            phase_ns: phase_ps.map(|phase_ps| phase_ps.unsigned_abs() / 1000),
        })
    }

    /// Returns how long this number of instructions takes on the instruction engine, on the chip
    /// engine and on a built machine. A time is `None` if it is unknown. The flag is true if the
    /// time is exact, and false if it is extrapolated.
    fn measure(
        &self,
        contestant: &Contestant,
        executed: u64,
        progress: &mut ProgressLine,
    ) -> Result<[Option<(Duration, bool)>; 3], Failure> {
        let Contestant { name, image, .. } = contestant;
        let mut shortest_on = |setup, count| {
            shortest(|| {
                let run = contestant.run(power_up(setup, image)?);
                time_run(run, count, |at| progress.update(name, at))
            })
        };
        let fast = self.instruction.as_ref().map(|setup| shortest_on(setup, executed));
        let fast = fast.transpose()?.map(|fast| (fast, true));
        let on_chips = executed.min(CHIPS_MAX);
        let slow = shortest_on(&self.chips, on_chips)?;
        let slow_ns = slow.as_nanos() * u128::from(executed) / u128::from(on_chips.max(1));
        let slow = (Duration::from_nanos(slow_ns as u64), on_chips == executed);
        let built = self.phase_ns.map(|phase_ns| {
            let instruction_ns = u64::from(Phase::COUNT) * phase_ns;
            (Duration::from_nanos(executed.saturating_mul(instruction_ns)), true)
        });
        Ok([fast, Some(slow), built])
    }
}

/// Formats a line of the table: the name, the cells with their column widths, and the result.
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
    /// For each of the program's counts, how often LEDs of its colour were switched on.
    lit: Vec<u64>,
    /// The result of the run.
    end: &'static str,
}

impl RunCounts {
    /// Runs a program from power-up until it ends or reaches a limit, and collects its counts.
    fn measure(
        contestant: &Contestant,
        lines_max: Option<usize>,
        progress: &mut ProgressLine,
    ) -> Result<Self, Failure> {
        let Contestant { name, image, engine, limit, .. } = contestant;
        let counted = &image.presentation().counts;
        let mut lines = PrintedLines::default();
        let (mut lit, mut end) = (vec![0; counted.len()], STOPPED);
        let writes =
            WatchSet::new(vec![Event::Display.into(), Event::Prints(None).into()], &**engine);
        let (mut run, mut watch) = (contestant.run(engine.clone()), Watch::hits(&writes));
        let limit = limit.unwrap_or(RUN_MAX);
        while !run.engine().halted() && run.moment() < limit {
            progress.update(name, run.moment());
            let to = limit.min(run.moment() + run.engine().slice());
            let Some(Happened::Hit(hit)) = run.next(&mut watch, to) else { continue };
            let Some(write) = hit.executed.and_then(|executed| executed.write) else { continue };
            for (count, lit) in counted.iter().zip(&mut lit) {
                if count.color.row_of(write.address).is_some() {
                    *lit += u64::from((write.new & !write.old).count_ones());
                }
            }
            if write.address == MAILBOX {
                run.take_output();
                if lines_max.is_some_and(|limit| lines.add(write.new) >= limit) {
                    end = "all lines";
                    break;
                }
            }
        }
        check(run.engine())?;
        let end = if run.engine().halted() { "halted" } else { end };
        Ok(Self { executed: run.moment(), lit, end })
    }

    /// The sum of the program's counts with this caption, or `None` if it has none.
    fn for_caption(&self, caption: &str, image: &Image) -> Option<u64> {
        let counts = image.presentation().counts.iter().zip(&self.lit);
        let for_caption = counts.filter(|(count, _)| count.caption == caption);
        for_caption.map(|(_, lit)| *lit).reduce(|sum, lit| sum + lit)
    }
}

/// The distinct lines that a program has printed so far.
#[derive(Default)]
struct PrintedLines {
    seen: BTreeSet<Vec<u8>>,
    line: Vec<u8>,
}

impl PrintedLines {
    /// Adds a byte and returns the number of distinct lines.
    fn add(&mut self, byte: u8) -> usize {
        if byte == b'\n' {
            self.seen.insert(std::mem::take(&mut self.line));
        } else if self.line.len() < LINE_MAX {
            self.line.push(byte);
        }
        self.seen.len()
    }
}

/// Measures how long an engine takes for this number of instructions.
fn time_run(
    mut run: Run,
    instructions: u64,
    mut progress: impl FnMut(u64),
) -> Result<Duration, Failure> {
    let start = Instant::now();
    while run.moment() < instructions && !run.engine().halted() {
        run.go_to(instructions.min(run.moment() + run.engine().slice()));
        run.take_output();
        progress(run.moment());
    }
    check(run.engine())?;
    Ok(start.elapsed())
}

/// The shortest time of several runs.
fn shortest(mut run: impl FnMut() -> Result<Duration, Failure>) -> Result<Duration, Failure> {
    let start = Instant::now();
    let mut best = run()?;
    while start.elapsed() < TIMED {
        best = best.min(run()?);
    }
    Ok(best)
}

/// Formats a time with about three digits, and marks it unless it is exact.
fn format_time((time, is_exact): (Duration, bool)) -> String {
    let mark = if is_exact { "" } else { "~" };
    let time = match time.as_secs_f64() {
        seconds if seconds >= 600.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds >= 1.0 => format!("{seconds:.1} s"),
        seconds if seconds >= 0.001 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{:.0} µs", 1e6 * seconds),
    };
    format!("{mark}{time}")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A machine on the chip engine with this program, and its image.
    fn chips(source: &str) -> (Setup, Contestant) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.asm");
        std::fs::write(&path, source).unwrap();
        let image = crate::program::load(&path).ok().unwrap().image;
        let machines = || TimedMachines::new(MachineSpec::default()).ok().unwrap();
        let (chips, engine) = (machines().chips, machines().chips.engine(&image).ok().unwrap());
        let (name, inputs, limit) = ("p.asm".to_owned(), Vec::new(), None);
        let timed = Rc::new(machines());
        (chips, Contestant { name, image, engine, inputs, limit, timed })
    }

    #[test]
    fn times_have_a_suitable_unit() {
        for (nanoseconds, expected) in [
            (0, "0 µs"),
            (999_400, "999 µs"),
            (1_000_000, "1.0 ms"),
            (999_900_000, "999.9 ms"),
            (1_000_000_000, "1.0 s"),
            (599_900_000_000, "599.9 s"),
            (600_000_000_000, "10 min"),
            (7_200_000_000_000, "120 min"),
        ] {
            assert_eq!(format_time((Duration::from_nanos(nanoseconds), true)), expected);
        }
    }

    #[test]
    fn the_shortest_time_of_several_runs_is_shown() {
        let runs = Cell::new(0);
        let run = || {
            runs.set(runs.get() + 1);
            Ok(Duration::from_millis(if runs.get() == 2 { 5 } else { 9 }))
        };
        assert!(shortest(run).is_ok_and(|best| best == Duration::from_millis(5)));
        assert!(runs.get() > 2, "a short program is timed again and again");
        let run = || {
            runs.set(runs.get() + 1);
            if runs.get() < 3 { Ok(Duration::ZERO) } else { Err(failure("broken")) }
        };
        runs.set(0);
        assert!(shortest(run).is_err(), "a run that fails has no time");
    }

    #[test]
    fn a_run_is_timed_to_its_last_instruction() {
        let (setup, program) = chips("again: JMP on\non: JMP again\n");
        let timed = |count| {
            let run = program.run(power_up(&setup, &program.image).ok().unwrap());
            time_run(run, count, |_| ()).ok().unwrap()
        };
        // Simulating a chip takes at least a few nanoseconds.
        assert!(timed(100_000) > Duration::from_millis(1));
    }

    #[test]
    fn long_times_on_chips_are_extrapolated_and_marked() {
        let (setup, program) = chips(" LDI 1\n HALT\n");
        let machines = TimedMachines { instruction: None, chips: setup, phase_ns: Some(1000) };
        let times = |machines: &TimedMachines, executed| {
            let times =
                machines.measure(&program, executed, &mut ProgressLine::new()).ok().unwrap();
            times.map(|known| known.map_or("-".to_owned(), format_time))
        };
        let [fast, slow, built] = times(&machines, 2);
        assert_eq!((fast.as_str(), built.as_str()), ("-", "16 µs"));
        assert!(slow.ends_with(" µs") || slow.ends_with(" ms"), "{slow}");
        assert!(!slow.contains('~'), "{slow}");
        // Pretends that the program ran 10^10 times as long as the measured part, which takes 100
        // ns to 60 ms.
        let [_, slow, _] = times(&machines, 10_000_000_000 * CHIPS_MAX);
        let minutes = slow.strip_prefix('~').and_then(|slow| slow.strip_suffix(" min"));
        let minutes: f64 = minutes.expect("so many instructions take long").parse().unwrap();
        assert!((16.0..10_000_000.0).contains(&minutes), "{slow}");
        let unproved = TimedMachines { phase_ns: None, ..machines };
        assert_eq!(times(&unproved, 2)[2], "-");
    }

    #[test]
    fn counts_with_one_caption_are_added() {
        let source = ".count green, \"lit\"\n.count red, \"lit\"\n HALT\n";
        let (_, Contestant { image, .. }) = chips(source);
        let counts = RunCounts { executed: 1, lit: vec![3, 1000], end: "halted" };
        assert_eq!(counts.for_caption("lit", &image), Some(1003));
        assert_eq!(counts.for_caption("dark", &image), None);
    }

    #[test]
    fn repeated_lines_count_once_and_long_lines_differ_by_their_beginnings() {
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
            let found = text.bytes().map(|byte| lines.add(byte)).last();
            assert_eq!(found.unwrap_or_default(), different, "{text:?}");
        }
    }
}

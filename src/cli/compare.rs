//! `gray1 compare`: a table that compares the costs of programs.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::Duration;

use clap::builder::TypedValueParser as _;
use gray1_board::Phase;
use gray1_debugger::{Event, Happened, Input, Run, Watch, WatchSet};
use gray1_isa::panel::MAILBOX;
use gray1_isa::text::grouped;
use gray1_isa::{Image, Word};
use gray1_proofs::shortest_phase_ps;
use gray1_sim::{Engine, MachineSpec, ResolvedMachine, Setup};
use serde_json::json;

use super::run::RunTarget;
use super::shared::complete;
use super::shared::debugger::RUN_MAX;
use super::shared::machine::{self, MachineOptions, check, power_up};
use super::shared::messages::Messages;
use super::shared::options::{FormatOptions, number};
use super::shared::outcome::{Done, Failure, Outcome, print};
use super::shared::progress::ProgressLine;
use super::shared::signals::Signals;
use super::shared::source_options::{SourceOptions, load};
use crate::{board, files};

/// Compare the size, the instruction count and the run time of programs
#[derive(clap::Args)]
#[command(
    after_help = "Each line shows the size of a program, the number of instructions that it \
    executes, how often LEDs of a colour came on (if the program declares `.count`), and its run \
    time on a built machine at the highest speed that `gray1 check` allows (`-`: not on this \
    board). `--engine` selects the engine for the counts.\n\n\
    Put a program in quotes to give it options of `gray1 run`, as for `gray1 diff`: \
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
        let Contestant { name, image, limit, instruction_ns, .. } = contestant;
        let mut progress = ProgressLine::new();
        let counts = RunCounts::measure(contestant, options.lines, &mut progress)?;
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
        let built_ns = instruction_ns.map(|ns| counts.executed.saturating_mul(ns));
        json_rows.push(json!({
            "program": name, "words": words, "executed": counts.executed,
            "counts": captions.iter().copied().zip(&counted).collect::<BTreeMap<_, _>>(),
            "built_seconds": built_ns.map(|ns| Duration::from_nanos(ns).as_secs_f64()),
            "end": counts.end,
        }));
        let numbers = [Some(words as u64), Some(counts.executed)].into_iter().chain(counted);
        let numbers = numbers.map(|number| number.map(grouped));
        let cells = numbers.chain([built_ns.map(format_time)]);
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
    /// The time of an instruction on a built machine, if it is known.
    instruction_ns: Option<u64>,
}

/// A machine that the user chose. Programs with the same choice share it, because it takes a proof
/// to find the shortest phase of a board.
struct KnownMachine {
    spec: MachineSpec,
    setup: Setup,
    /// The time of an instruction on a built machine, if the board's shortest phase is known.
    instruction_ns: Option<u64>,
}

impl KnownMachine {
    fn new(spec: MachineSpec, messages: &mut Messages) -> Result<Self, Failure> {
        let ResolvedMachine { setup, board, .. } = machine::resolve(&spec, messages)?;
        let phase = shortest_phase_ps(&board.unwrap_or_else(board::stock));
        let instruction_ns = phase.map(|ps| u64::from(Phase::COUNT) * (ps.unsigned_abs() / 1000));
        Ok(Self { spec, setup, instruction_ns })
    }
}

impl Contestant {
    /// Loads a program that can have options of `gray1 run` in the same string. They take
    /// precedence over those of the command.
    fn load(
        text: &OsStr,
        options: &CompareOptions,
        known: &mut Vec<KnownMachine>,
        messages: &mut Messages,
    ) -> Result<Self, Failure> {
        let RunTarget { program, sources, machine, inputs, max_instructions } =
            RunTarget::parse(text)?;
        let is_plain = program == text;
        let program = load(program, &options.sources.clone().with(sources), messages)?;
        let spec = machine.spec().or(options.machine.spec());
        let place = known.iter().position(|it| it.spec == spec).unwrap_or(known.len());
        if place == known.len() {
            known.push(KnownMachine::new(spec, messages)?);
        }
        let KnownMachine { setup, instruction_ns, .. } = &known[place];
        let engine = power_up(setup, &program.image)?;
        let limit = max_instructions.or(options.max_instructions);
        let end = limit.unwrap_or(RUN_MAX);
        let inputs = inputs.read(&program.image, &*engine, end, &Signals::default())?;
        let name = if is_plain { program.name } else { files::printable(text) };
        let instruction_ns = *instruction_ns;
        Ok(Self { name, image: program.image, engine, inputs, limit, instruction_ns })
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
    before.chain([("built", 9)]).collect()
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
        let Contestant { name, image, engine, inputs, limit, .. } = contestant;
        let counted = &image.presentation().counts;
        let mut lines = PrintedLines::default();
        let (mut lit, mut end) = (vec![0; counted.len()], STOPPED);
        let writes =
            WatchSet::new(vec![Event::Display.into(), Event::Prints(None).into()], &**engine);
        let mut run = Run::new(engine.clone(), inputs.iter().copied());
        let mut watch = Watch::hits(&writes);
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

/// Formats a time with about three digits.
fn format_time(ns: u64) -> String {
    match Duration::from_nanos(ns).as_secs_f64() {
        seconds if seconds >= 600.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds >= 1.0 => format!("{seconds:.1} s"),
        seconds if seconds >= 0.001 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{:.0} µs", 1e6 * seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_suitable_unit() {
        for (ns, expected) in [
            (0, "0 µs"),
            (999_400, "999 µs"),
            (1_000_000, "1.0 ms"),
            (999_900_000, "999.9 ms"),
            (1_000_000_000, "1.0 s"),
            (599_900_000_000, "599.9 s"),
            (600_000_000_000, "10 min"),
            (7_200_000_000_000, "120 min"),
        ] {
            assert_eq!(format_time(ns), expected);
        }
    }

    #[test]
    fn counts_with_one_caption_are_added() {
        let source = ".count green, \"lit\"\n.count red, \"lit\"\n HALT\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.asm");
        std::fs::write(&path, source).unwrap();
        let image = crate::program::load(&path).ok().unwrap().image;
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

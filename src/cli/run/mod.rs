//! `gray1 run`: runs a program without a screen until it halts.

mod dump;
mod log;
mod proof;
mod waveform;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use gray1_debugger::{Happened, Run, Watch};
use gray1_isa::text::{plural, printable};
use gray1_isa::{Executed, Image, run_off};
use gray1_programs::profile_json;
use gray1_sim::{Engine, ExecutionCounts};
use serde_json::json;

use super::shared::complete;
use super::shared::inputs::InputOptions;
use super::shared::machine::{self, MachineOptions};
use super::shared::messages::Messages;
use super::shared::options::number;
use super::shared::outcome::{Done, Failure, Outcome, cannot_write, failure};
use super::shared::profile;
use super::shared::progress::ProgressLine;
use super::shared::signals::Signals;
use super::shared::source_options::{SourceOptions, load};
use crate::files::{self, Output, STDIO};
use dump::DumpRange;
use log::Log;
use waveform::{Waveform, WaveformOptions};

/// The program to run, its machine and its inputs, and the length of the run.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct RunTarget {
    /// The program: a path, `-`, or a built-in name
    #[arg(add = complete::programs())]
    pub(super) program: OsString,
    #[command(flatten)]
    pub(super) sources: SourceOptions,
    #[command(flatten)]
    pub(super) machine: MachineOptions,
    #[command(flatten)]
    pub(super) inputs: InputOptions,
    /// Stop after N instructions, with status 3
    #[arg(long, value_name = "N", value_parser = number())]
    pub(super) max_instructions: Option<u64>,
}

/// The arguments of a run in one string.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct QuotedTarget {
    #[command(flatten)]
    target: RunTarget,
}

impl RunTarget {
    /// Parses a program that can have options in the same string, such as `queens --ram ones`.
    pub(super) fn parse(program: &OsStr) -> Result<Self, Failure> {
        let refused = |why: &str| Failure::Usage(format!("'{}': {why}", files::printable(program)));
        // The name of a file is no command line, whatever is in it.
        let args = match program.to_str() {
            Some(line) if !Path::new(program).is_file() => {
                let words = shlex::split(line).ok_or_else(|| refused("a quote is not closed"))?;
                words.into_iter().map(OsString::from).collect()
            }
            _ => vec!["--".into(), program.to_owned()],
        };
        let parsed = QuotedTarget::try_parse_from(args).map_err(|error| {
            let error = error.to_string();
            refused(error.lines().next().unwrap_or_default().trim_start_matches("error: "))
        })?;
        Ok(parsed.target)
    }
}

/// Run a program without a screen until it halts; its output goes to standard output
#[derive(Default, clap::Args)]
pub(super) struct RunOptions {
    #[command(flatten)]
    target: RunTarget,
    /// Write a line for every instruction to this file: index, mnemonic, operand, A, C
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print a message to standard error whenever a condition becomes true, like a log point in the
    /// debugger: `write N: {moment} {[N]}`, with expressions, `moment` or `place` in braces;
    /// can be repeated
    #[arg(long, value_name = "CONDITION: MESSAGE")]
    log: Vec<String>,
    /// Print the final state of the LEDs to standard error: G is green, R is red, Y is both
    #[arg(long)]
    leds: bool,
    /// Print the final A, C and PC to standard error, and data memory from FROM up to but not
    /// including TO; both are debugger expressions, as in `stack..stack+8`; can be repeated
    #[arg(long, value_name = "FROM..TO")]
    dump: Vec<String>,
    /// Print to standard error how often each line was executed, and its share of all instructions
    #[arg(long)]
    profile: bool,
    #[command(flatten)]
    waveform: WaveformOptions,
}

impl RunOptions {
    /// The options of `gray1 run PROGRAM` with this machine.
    pub(super) fn new(program: &OsStr, sources: &SourceOptions, machine: &MachineOptions) -> Self {
        let (program, sources, machine) = (program.to_owned(), sources.clone(), machine.clone());
        let target = RunTarget { program, sources, machine, ..RunTarget::default() };
        Self { target, ..Self::default() }
    }
}

pub(super) fn run(options: &RunOptions, messages: &mut Messages) -> Outcome {
    if proof::is_asked(options) {
        return proof::prove(&options.target, messages);
    }
    let RunTarget { program, sources, machine, inputs, max_instructions } = &options.target;
    // Before the first file is created, because an unhandled signal would leave it behind.
    let signals = Signals::listen()?;
    let program = load(program, sources, messages)?;
    let dumps = options.dump.iter().map(|text| DumpRange::parse(text, &program.image));
    let dumps: Vec<DumpRange> = dumps.collect::<Result<_, _>>()?;
    let engine = machine::engine(&machine.spec(), &program.image, messages)?;
    let end = max_instructions.unwrap_or(u64::MAX);
    let inputs = inputs.read(&program.image, &*engine, end, &signals)?;
    let trace = options.trace.as_deref().map(TraceFile::create).transpose()?;
    let waveform = options.waveform.create(&*engine, &program.image)?;
    let log = Log::new(&options.log, &program.image, &*engine, messages.are_json())?;

    let mut runner = Runner {
        run: Run::new(engine, inputs),
        end,
        trace,
        log,
        counts: options.profile.then(ExecutionCounts::default),
        waveform,
        name: program.name,
        progress: ProgressLine::new(),
    };
    let done = runner.run(&signals)?;
    if let Some(error) = runner.engine().error().map(ToString::to_string) {
        runner.finish_at_failure(messages)?;
        return Err(failure(error));
    }
    if matches!(done, Done::Signal(_)) {
        runner.waveform.take_if(|waveform| !waveform.has_begun());
    }
    runner.finish()?;
    runner.log.report_missed(messages);
    runner.progress.end_line();
    runner.print_requested(options, &program.image, &dumps, messages)?;
    let halted_at = runner.engine().halted().then(|| runner.engine().pc());
    if let Some(explanation) = halted_at.and_then(|at| run_off(&program.image, at)) {
        messages.note(&printable(&explanation));
    } else if program.image.used_words() == 0 {
        messages.note("the program has no instructions: erased memory holds jumps to 0x1555");
    }
    messages.print_status(&status(runner.engine()));
    Ok(done)
}

/// A running program.
struct Runner {
    run: Run,
    /// The instruction count at which to stop.
    end: u64,
    trace: Option<TraceFile>,
    log: Log,
    /// Counts of executed instructions, for `--profile`.
    counts: Option<ExecutionCounts>,
    waveform: Option<Waveform>,
    name: String,
    progress: ProgressLine,
}

impl Runner {
    fn engine(&self) -> &dyn Engine {
        self.run.engine()
    }

    fn run(&mut self, signals: &Signals) -> Outcome {
        loop {
            if let Some(number) = signals.received() {
                return Ok(Done::Signal(number));
            }
            let now = self.run.moment();
            let (mut to, mut slice) = (self.end, self.engine().slice());
            if let Some(waveform) = &mut self.waveform {
                to = to.min(waveform.next(&self.run)?);
                // An edge that is recorded takes much longer than one that is not.
                slice = if waveform.is_open() { (slice / 256).max(1) } else { slice };
            }
            to = to.min(now.saturating_add(slice));
            self.advance(to)?;
            self.print_output()?;
            self.log.flush()?;
            self.progress.update(&self.name, self.run.moment());
            if self.engine().halted() {
                return Ok(Done::Success);
            }
            if self.run.moment() >= self.end {
                return Ok(Done::Limit);
            }
        }
    }

    /// Runs to a moment, but stops earlier after [`log::HITS_MAX`] hits of log points.
    fn advance(&mut self, to: u64) -> Result<(), Failure> {
        let conditions = Arc::clone(&self.log.conditions);
        let records_edges = self.waveform.as_ref().is_some_and(Waveform::is_open);
        let mut watch = match &mut self.counts {
            _ if records_edges => Watch::edges(&conditions),
            None if self.trace.is_none() => Watch::hits(&conditions),
            Some(counts) if self.trace.is_none() && conditions.is_empty() => {
                self.run.next(&mut Watch::counting(counts), to);
                return Ok(());
            }
            _ => Watch::instructions(&conditions),
        };
        let mut hits = 0;
        while hits < log::HITS_MAX
            && let Some(happened) = self.run.next(&mut watch, to)
        {
            match happened {
                Happened::Step(executed) => self.note(executed.as_ref())?,
                Happened::Input(_) => self.note(None)?,
                Happened::Hit(hit) => {
                    self.print_output()?;
                    self.progress.clear();
                    self.log.write(&hit, self.run.engine())?;
                    hits += 1;
                }
            }
        }
        Ok(())
    }

    /// Notes a step, with the instruction that it completed, or an input.
    fn note(&mut self, executed: Option<&Executed>) -> Result<(), Failure> {
        let engine = self.run.engine();
        if let Some(waveform) = &mut self.waveform {
            waveform.record(engine, executed.is_some())?;
        }
        let Some(executed) = executed else { return Ok(()) };
        if let Some(counts) = &mut self.counts {
            counts.add(executed.index, 1);
        }
        self.trace.as_mut().map_or(Ok(()), |trace| trace.write(executed, engine))
    }

    /// Prints the program's new output.
    fn print_output(&mut self) -> Result<(), Failure> {
        let bytes = self.run.take_output();
        self.progress.print(&bytes)
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let waveform = self.waveform.take();
        waveform.map_or(Ok(()), |waveform| waveform.finish(self.run.engine()))?;
        self.trace.take().map_or(Ok(()), TraceFile::finish)
    }

    /// Completes the output files after the board has failed, because they show the cause.
    fn finish_at_failure(&mut self, messages: &mut Messages) -> Result<(), Failure> {
        self.waveform.take_if(|waveform| !waveform.has_begun());
        let trace = self.trace.as_ref().map(|trace| trace.path.clone());
        let waveform = self.waveform.as_ref().map(|waveform| waveform.path.clone());
        self.finish()?;
        for path in [trace, waveform].into_iter().flatten().filter(|path| path != STDIO) {
            messages.note(&format!("{} ends where the board failed", files::printable(&path)));
        }
        Ok(())
    }

    /// Prints the requested information about the end of the run.
    fn print_requested(
        &self,
        options: &RunOptions,
        image: &Image,
        dumps: &[DumpRange],
        messages: &mut Messages,
    ) -> Result<(), Failure> {
        if let Some(counts) = &self.counts {
            let counts = counts.by_index();
            messages.print(|| profile::table(image, &counts), || profile_json(image, &counts));
        }
        if options.leds {
            let leds = self.engine().display().to_string();
            messages.print(|| leds.clone(), || json!({ "leds": leds.lines().collect::<Vec<_>>() }));
        }
        if !dumps.is_empty() {
            let (text, json) = dump::format_registers(self.engine().registers());
            messages.print(|| text, || json);
        }
        for dump in dumps {
            let (from, bytes) = dump.bytes(&self.run).map_err(failure)?;
            if !bytes.is_empty() {
                messages.print(
                    || dump::format_bytes(from, bytes),
                    || json!({ "address": from, "bytes": bytes }),
                );
            }
        }
        Ok(())
    }
}

/// The last line of a run.
fn status(engine: &dyn Engine) -> String {
    let has_ended = engine.halted() && engine.error().is_none();
    let how = if has_ended { "halted" } else { "stopped" };
    let (pc, count) = (engine.pc().get(), engine.executed());
    format!("{how} at 0x{pc:04x} after {count} {}", plural(count, "instruction"))
}

/// The trace file: a line for each instruction, written after its execution.
struct TraceFile {
    path: PathBuf,
    output: Output,
}

impl TraceFile {
    fn create(path: &Path) -> Result<Self, Failure> {
        let output = Output::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Self { path: path.to_owned(), output })
    }

    fn write(&mut self, executed: &Executed, after: &dyn Engine) -> Result<(), Failure> {
        let Executed { index, word, .. } = executed;
        let written = writeln!(
            self.output,
            "{:04x} {} {:04x} {:02x} {}",
            index.get(),
            word.op(),
            word.operand(),
            after.a(),
            u8::from(after.carry()),
        );
        written.map_err(|error| cannot_write(&self.path, &error))
    }

    fn finish(self) -> Result<(), Failure> {
        let Self { path, output, .. } = self;
        output.finish().map_err(|error| cannot_write(&path, &error))
    }
}

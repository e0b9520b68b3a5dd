//! `gray1 probe`: compares a capture of a real machine with the board.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use gray1_board::buses::combine_names;
use gray1_board::{Board, NetId};
use gray1_hardware::capture::format::{Capture, CaptureError, LevelChange, parse_hertz};
use gray1_hardware::capture::{
    CaptureConditions, CapturedRun, ChannelName, Checker, Difference, Report, Statement, Verdict,
    match_wires,
};
use gray1_isa::Image;
use gray1_isa::source_text::lines;
use gray1_isa::text::grouped;
use gray1_proofs::shortest_phase_ps;
use serde_json::json;

use super::shared::complete;
use super::shared::messages::Messages;
use super::shared::options::{FormatOptions, board_name};
use super::shared::outcome::{Done, Failure, Outcome, failure, print};
use super::shared::progress::ProgressLine;
use super::shared::signals::Signals;
use super::shared::source_options::{SourceOptions, load};
use crate::{board, files};

/// Find the faulty chip or wire of a real machine in a logic analyser's capture
#[derive(clap::Args)]
#[command(after_help = "\
The channels of the capture need the names of the board's wires (`gray1 export netlist` lists \
them); PHASE.0 may also be written PHASE0, PHASE_0, PHASE[0] or in lower case. Channels with \
other names are left out, and the report lists the first ten of them.\n\n\
Exit status: 0 no fault was found; 1 a fault was found; 2 the capture cannot be read to its end, \
or has too few wires to judge any chip.")]
pub(super) struct ProbeOptions {
    /// The capture: VCD, sigrok's .sr or CSV, Saleae's CSV, or OLS; `-` is standard input
    #[arg(value_hint = clap::ValueHint::FilePath)]
    capture: PathBuf,
    /// The program that the machine runs: a path or a built-in name [default: PROG is not checked]
    #[arg(add = complete::programs())]
    program: Option<OsString>,
    #[command(flatten)]
    sources: SourceOptions,
    /// The board: a path or a built-in name [default: the built-in board that has the most of the
    /// captured wires]
    #[arg(long, value_name = "BOARD", value_parser = board_name(), add = complete::boards())]
    board: Option<String>,
    /// Name a channel after the wire that it is clipped to: `D0=PHASE.0`; can be repeated
    #[arg(long, value_name = "CHANNEL=WIRE", value_parser = parse_pair)]
    name: Vec<ChannelName>,
    /// Read such names from a file, one per line; `#` begins a comment
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// The samples per second, if the capture does not state them: `24MHz`
    #[arg(long, value_name = "RATE", value_parser = parse_rate)]
    rate: Option<u64>,
    /// Print the instructions that the machine executed, as lines of a trace with their source
    /// lines, and the first one that differs from the program; dashes mark values that were not
    /// captured
    #[arg(long, requires = "program")]
    run: bool,
    #[command(flatten)]
    format: FormatOptions,
}

fn parse_pair(text: &str) -> Result<ChannelName, &'static str> {
    let (channel, wire) = text.split_once('=').ok_or("expected CHANNEL=WIRE")?;
    Ok(ChannelName { channel: channel.trim().to_owned(), wire: wire.trim().to_owned() })
}

fn parse_rate(text: &str) -> Result<u64, &'static str> {
    let hertz = text.ends_with("Hz").then(|| parse_hertz(text)).flatten();
    hertz.ok_or("expected samples per second with a unit, such as 24MHz")
}

/// Runs the command. Status 1 means that the machine is faulty, so all other errors have status 2.
pub(super) fn probe(options: &ProbeOptions, messages: &mut Messages) -> Outcome {
    match examine(options, messages) {
        Err(stopped @ (Failure::PipeClosed | Failure::Signal(_))) => Err(stopped),
        Err(failure) => {
            messages.report(&failure);
            Ok(Done::Undecided)
        }
        done => done,
    }
}

fn examine(options: &ProbeOptions, messages: &mut Messages) -> Outcome {
    let program = options.program.as_ref();
    let program = program.map(|it| load(it, &options.sources, messages)).transpose()?;
    let image = program.as_ref().map(|program| &*program.image);
    let path = options.capture.as_path();
    let path = if path.as_os_str() == files::STDIO { files::STDIN_NAME.as_ref() } else { path };
    let name = files::printable(path);
    let named = options.names.as_deref().map(read_names).transpose()?.unwrap_or_default();
    let (places, mut pairs): (Vec<String>, Vec<_>) = named.into_iter().unzip();
    pairs.extend(options.name.iter().cloned());
    let file = files::open_stream(&options.capture)
        .map_err(|error| failure(format!("cannot read {name}: {error}")))?;
    let capture = Capture::open_at(file, options.rate)
        .map_err(|error| failure(files::message(path, error.position, &error)))?;
    let (mut fits, notes) =
        fitting_boards(options.board.as_deref(), &capture, &pairs).map_err(|(pair, why)| {
            let place = pair.and_then(|pair| places.get(pair)).unwrap_or(&name);
            failure(format!("{place}: {why}"))
        })?;
    if let Some(image) = image {
        for fit in &mut fits {
            fit.board = fit.board.with_program(image);
        }
    }
    let run = image.filter(|_| options.run);
    let run =
        run.map(|image| (CapturedRun::new(&fits[0].board, image, capture.resolution_ps), image));
    let knows_program = image.is_some();
    Probe { path, fits: &fits, format: options.format, knows_program, run, notes }.check(capture)
}

/// A board that has the captured wires.
struct Fit<'a> {
    name: &'a str,
    board: Board,
    /// The wire of each channel.
    wires: Vec<Option<NetId>>,
}

/// A check of a capture against all boards that match it.
struct Probe<'a> {
    path: &'a Path,
    fits: &'a [Fit<'a>],
    format: FormatOptions,
    knows_program: bool,
    /// The run and its program, if the run was requested.
    run: Option<(CapturedRun<'a>, &'a Image)>,
    /// The notes at the end of the report.
    notes: Vec<String>,
}

impl<'a> Probe<'a> {
    fn check<R: Read + Seek + 'static>(&mut self, mut capture: Capture<R>) -> Outcome {
        let signals = Signals::listen()?;
        let resolution_ps = capture.resolution_ps;
        let mut checkers: Vec<Checker<'_>> =
            self.fits.iter().map(|fit| self.checker(fit, resolution_ps)).collect();
        let (mut seen_ps, mut damage) = (0, None);
        let (mut progress, name) = (ProgressLine::new(), files::printable(self.path));
        for (count, change) in capture.by_ref().enumerate() {
            let LevelChange { time_ps, channel, level } = match change {
                Ok(change) => change,
                Err(error) => {
                    damage = Some(error);
                    break;
                }
            };
            seen_ps = time_ps;
            for (fit, checker) in self.fits.iter().zip(&mut checkers) {
                if let Some(net) = fit.wires[channel] {
                    checker.set_level(time_ps, net, level);
                }
            }
            if let (Some((run, _)), Some(net)) = (&mut self.run, self.fits[0].wires[channel]) {
                run.set_level(time_ps, net, level);
            }
            if count % 4096 == 0 {
                self.print_steps()?;
                // The steps of a run show how far it has come.
                if self.run.is_none() {
                    progress.show(|| format!("{name}: {} changes", grouped(count as u64)));
                }
                signals.check()?;
            }
        }
        progress.clear();
        let end_ps = if damage.is_some() { seen_ps } else { capture.end_ps() };
        let reports = checkers.into_iter().map(|checker| checker.finish(end_ps)).collect();
        self.report(reports, damage)
    }

    fn checker(&self, fit: &'a Fit<'a>, resolution_ps: i64) -> Checker<'a> {
        let conditions = CaptureConditions {
            wires: fit.wires.iter().flatten().copied().collect(),
            resolution_ps,
            phase_ps_min: shortest_phase_ps(&fit.board),
            knows_program: self.knows_program,
        };
        Checker::new(&fit.board, conditions)
    }

    /// Prints the reports of all boards as a single report. If the capture is damaged, returns an
    /// error that says where.
    fn report(&mut self, mut reports: Vec<Report>, damage: Option<CaptureError>) -> Outcome {
        let is_faulty = |report: &Report| report.verdict() == Verdict::Faulty;
        let do_differ = reports.iter().any(|it| is_faulty(it) != is_faulty(&reports[0]));
        let mut verdicts = Vec::new();
        for (fit, report) in self.fits.iter().zip(&reports) {
            verdicts.push(format!("as {}: {}", fit.name, report.first_line().claim));
        }
        let mut report = reports.swap_remove(0);
        let has_judged = report.chips.iter().any(|chip| chip.checks > 0);
        if do_differ {
            let obstacle = Statement::new("which board is this? Name it with --board", "");
            report = Report { obstacle: Some(obstacle), notes: verdicts, ..Report::default() };
        } else if is_faulty(&report) {
            report.notes.extend(verdicts.into_iter().skip(1));
        }
        report.notes.append(&mut self.notes);
        if let Some((run, _)) = &mut self.run {
            run.finish();
            let wires: Vec<NetId> = self.fits[0].wires.iter().flatten().copied().collect();
            report.notes.extend(run.list_gaps(&wires));
        }
        self.print_steps()?;
        if damage.is_none() || has_judged {
            self.print(&report)?;
        }
        if let Some(damage) = damage {
            let message = files::message(self.path, damage.position, &damage);
            let extent = if has_judged { "; only the data up to there was examined" } else { "" };
            return Err(failure(message + extent));
        }
        let run = self.run.as_ref().map(|(run, _)| (run.compared, run.difference.is_some()));
        Ok(match (report.verdict(), run) {
            (Verdict::Faulty, _) | (_, Some((_, true))) => Done::Refuted,
            (Verdict::Undecided, _) | (_, Some((0, _))) => Done::Undecided,
            (Verdict::Sound, _) => Done::Success,
        })
    }

    /// Prints the instructions that have been read, one line each.
    fn print_steps(&mut self) -> Result<(), Failure> {
        let Some((run, image)) = &mut self.run else { return Ok(()) };
        let is_json = self.format.is_json();
        let lines = run.steps.drain(..).map(|step| {
            let line = step.index.map_or(String::new(), |index| image.line_or_place(index));
            if is_json {
                json!({ "step": step.number, "trace": step.to_string(), "line": line }).to_string()
            } else {
                format!("{step}  {line}").trim_end().to_owned()
            }
        });
        print(&lines.map(|line| line + "\n").collect::<String>())
    }

    /// Prints the report, with the result of the run first.
    fn print(&self, report: &Report) -> Result<(), Failure> {
        let run = self.run.as_ref().map(|(run, image)| (run, run_result(run, image, report)));
        let text = || {
            let result = run.as_ref().map_or(String::new(), |(_, text)| format!("{text}\n\n"));
            result + &report.to_string()
        };
        self.format.print(text, || {
            let mut json = json!(report);
            json["verdict"] = json!(report.verdict());
            json["summary"] = json!(report.first_line());
            if let Some((CapturedRun { compared, difference, .. }, text)) = &run {
                json["run"] =
                    json!({ "summary": text, "compared": compared, "difference": difference });
            }
            json
        })
    }
}

/// A sentence about the end of a run.
fn run_result(run: &CapturedRun<'_>, image: &Image, report: &Report) -> String {
    let Some(Difference { step, index, words }) = &run.difference else {
        return match run.compared {
            0 => "no instruction can be compared with the program".to_owned(),
            count => {
                format!("no difference: {} instructions match the program", grouped(count))
            }
        };
    };
    let (number, instruction) = (grouped(*step), image.instruction(*index));
    let place = image.place_and_line(*index);
    let suspect = report.findings.first().map_or(String::new(), |it| format!("; {}", it.suspect));
    format!(
        "first differs at instruction {number}, `{instruction}`: {words}{suspect}\n  at {place}"
    )
}

/// A message, and the index of the channel name that it is about, if it is about one.
type NameError = (Option<usize>, String);

/// Returns the given board, or otherwise the boards that have the largest number of captured wires.
/// Also returns notes about the boards and about the channels that are left out.
fn fitting_boards<'a, R: Read + Seek + 'static>(
    given: Option<&'a str>,
    capture: &Capture<R>,
    pairs: &[ChannelName],
) -> Result<(Vec<Fit<'a>>, Vec<String>), NameError> {
    let channels = capture.channels();
    let source = |channel| capture.source(channel);
    let count = |fit: &Fit<'_>| fit.wires.iter().flatten().count();
    // The board with binary counters is never built.
    let all = board::names().into_iter().filter(|name| *name != "binary-counter");
    let names = given.map_or_else(|| all.collect(), |name| vec![name]);
    let (mut fits, mut problem) = (Vec::new(), None);
    for name in names {
        let board = board::load(name).map_err(|why| (None, why))?;
        match match_wires(&board, channels, source, pairs) {
            Ok(wires) => fits.push(Fit { name, board, wires }),
            Err(why) => drop(problem.get_or_insert(why)),
        }
    }
    let most = fits.iter().map(count).max().ok_or_else(|| problem.unwrap_or_default())?;
    if most == 0 {
        let some: Vec<String> = channels.iter().take(8).map(files::printable).collect();
        let some = some.join(" ");
        let why = "no channel is named after a wire";
        return Err((None, format!("{why} (found {some}); name them with --name or --names")));
    }
    fits.retain(|fit| count(fit) == most);
    // If all wires of one of these boards are captured, choose that board.
    if let Some(whole) = fits.iter().position(|fit| fit.board.nets().len() == most) {
        fits = vec![fits.swap_remove(whole)];
    }
    let names: Vec<&str> = fits.iter().map(|fit| fit.name).collect();
    let ask = if names.len() > 1 { ": name yours with --board" } else { "" };
    let fit = format!("the captured wires fit the board {}{ask}", names.join(" or "));
    let mut notes: Vec<String> = given.is_none().then_some(fit).into_iter().collect();
    let mut known = vec![false; channels.len()];
    for (channel, wire) in fits[0].wires.iter().enumerate() {
        known[source(channel)] |= wire.is_some();
    }
    let left = (0..channels.len()).filter(|channel| !known[source(*channel)]);
    let left: Vec<&str> = left.map(|channel| channels[channel].as_str()).collect();
    if !left.is_empty() {
        let left = files::printable(join_names(&left));
        notes.push(format!("left out, because {} has no such wires: {left}", names[0]));
    }
    Ok((fits, notes))
}

/// The maximum number of names in a list, so that it stays readable.
const NAMES_MAX: usize = 10;

/// Joins the first names in their order, each once, with neighbours on a bus combined:
/// `GREEN3.0-7 D5`.
fn join_names(names: &[&str]) -> String {
    let mut seen = HashSet::new();
    let mut runs: Vec<String> = combine_names(names).filter(|it| seen.insert(it.clone())).collect();
    let more = runs.len().saturating_sub(NAMES_MAX);
    runs.truncate(NAMES_MAX);
    runs.extend((more > 0).then(|| format!("and {more} more")));
    runs.join(" ")
}

/// Reads a file of channels and wires, each with its place in the file.
fn read_names(path: &Path) -> Result<Vec<(String, ChannelName)>, Failure> {
    let text = files::read_text(path).map_err(failure)?;
    let mut pairs = Vec::new();
    for (number, line) in (1..).zip(lines(&text)) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let place = format!("{}:{number}:1", files::printable(path));
        let pair = parse_pair(line).map_err(|why| failure(format!("{place}: {why}")))?;
        pairs.push((place, pair));
    }
    Ok(pairs)
}

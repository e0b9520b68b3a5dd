//! `gray1 probe`: holds a capture of a real machine against the board.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use gray1_board::{Board, NetId};
use gray1_hardware::capture::format::{Capture, CaptureError};
use gray1_hardware::capture::{Checker, Circumstances, Verdict, wires};
use gray1_isa::source_text::lines;
use gray1_proofs::shortest_phase_ps;

use super::boards::spelled;
use super::messages::Messages;
use super::signals::Signals;
use super::{Done, Failure, Outcome, SourceOptions, failure, load, print};
use crate::{board, files};

#[derive(clap::Args)]
#[command(after_help = "\
The channels of the capture carry the names of the board's wires (`gray1 export netlist` lists \
them); PHASE.0 may also be written PHASE0, PHASE_0 or PHASE[0]. Other channels are left out.\n\n\
Exit status: 0 nothing wrong is seen; 1 a fault is named; 2 the capture cannot be read to its end, \
or has too few wires to judge any chip.")]
pub(super) struct ProbeOptions {
    /// The capture: VCD, sigrok's .sr or CSV, or Saleae's CSV
    #[arg(value_hint = clap::ValueHint::FilePath)]
    capture: PathBuf,
    /// The program that the machine runs: a path or a built-in name [default: PROG is not checked]
    #[arg(add = super::complete::programs())]
    program: Option<OsString>,
    #[command(flatten)]
    sources: SourceOptions,
    /// The board: a path or a built-in name
    #[arg(long, value_name = "BOARD", default_value = board::DEFAULT, value_parser = spelled())]
    #[arg(add = super::complete::boards())]
    board: String,
    /// Name a channel after the wire that it is clipped to: `D0=PHASE.0`; may be given several
    /// times
    #[arg(long, value_name = "CHANNEL=WIRE", value_parser = pair)]
    name: Vec<(String, String)>,
    /// Read such names from a file, a line each; `#` begins a comment
    #[arg(long = "names", alias = "map", value_name = "FILE")]
    map: Option<PathBuf>,
}

fn pair(text: &str) -> Result<(String, String), &'static str> {
    let (channel, wire) = text.split_once('=').ok_or("expected CHANNEL=WIRE")?;
    Ok((channel.trim().to_owned(), wire.trim().to_owned()))
}

/// Status 1 means that the machine is faulty, so all other errors have status 2.
pub(super) fn probe(options: &ProbeOptions, messages: &mut Messages) -> Outcome {
    match examine(options, messages) {
        Err(Failure::PipeClosed) => Err(Failure::PipeClosed),
        Err(failure) => {
            messages.failure(&failure);
            Ok(Done::Undecided)
        }
        done => done,
    }
}

fn examine(options: &ProbeOptions, messages: &mut Messages) -> Outcome {
    let mut board = board::load(&options.board).map_err(failure)?;
    if let Some(program) = &options.program {
        board = board.with_program(&load(program, &options.sources, messages)?.image);
    }
    let path = options.capture.as_path();
    let name = files::printable(path);
    let file =
        files::stream(path).map_err(|error| failure(format!("cannot read {name}: {error}")))?;
    let capture = Capture::open(file).map_err(|error| refused(path, &error))?;
    let mut pairs = options.map.as_deref().map(read_map).transpose()?.unwrap_or_default();
    pairs.extend(options.name.iter().cloned());
    let channels = wires(&board, capture.channels(), |it| capture.source(it), &pairs)
        .map_err(|error| failure(format!("{name}: {error}")))?;
    if channels.iter().all(Option::is_none) {
        let some: Vec<String> = capture.channels().iter().take(8).map(files::printable).collect();
        return Err(failure(format!(
            "{name}: no channel is called like a wire, but {}; name them by --name or --names",
            some.join(" ")
        )));
    }
    check(path, capture, &board, &channels, options.program.is_some())
}

fn check<R: std::io::Read + std::io::Seek + 'static>(
    path: &Path,
    mut capture: Capture<R>,
    board: &Board,
    channels: &[Option<NetId>],
    knows_program: bool,
) -> Outcome {
    let signals = Signals::listen()?;
    let wires = channels.iter().flatten().copied().collect();
    let resolution_ps = capture.resolution_ps();
    let phase_ps_min = shortest_phase_ps(board);
    let circumstances = Circumstances { wires, resolution_ps, phase_ps_min, knows_program };
    let mut checker = Checker::new(board, circumstances);
    let (mut seen_ps, mut damage) = (0, None);
    for (count, movement) in capture.by_ref().enumerate() {
        let movement = match movement {
            Ok(movement) => movement,
            Err(error) => {
                damage = Some(error);
                break;
            }
        };
        seen_ps = movement.time_ps;
        if let Some(net) = channels[movement.channel] {
            checker.movement(movement.time_ps, net, movement.level);
        }
        if count % 4096 == 0
            && let Some(number) = signals.received()
        {
            return Ok(Done::Signal(number));
        }
    }
    let report = checker.finish(if damage.is_some() { seen_ps } else { capture.end_ps() });
    let has_judged = report.chips.iter().any(|chip| chip.checks > 0);
    if damage.is_none() || has_judged {
        print(&report.to_string())?;
    }
    if let Some(damage) = damage {
        let refused = files::refused(path, damage.position, &damage);
        let extent = if has_judged { "; only what comes before was examined" } else { "" };
        return Err(failure(refused + extent));
    }
    Ok(match report.verdict() {
        Verdict::Sound => Done::Well,
        Verdict::Faulty => Done::Refuted,
        Verdict::Undecided => Done::Undecided,
    })
}

fn refused(path: &Path, error: &CaptureError) -> Failure {
    failure(files::refused(path, error.position, error))
}

/// Reads a file of channels and wires.
fn read_map(path: &Path) -> Result<Vec<(String, String)>, Failure> {
    let text = files::read_text(path).map_err(failure)?;
    let mut pairs = Vec::new();
    for (number, line) in (1..).zip(lines(&text)) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let name = files::printable(path);
        pairs.push(pair(line).map_err(|why| failure(format!("{name}:{number}:1: {why}")))?);
    }
    Ok(pairs)
}

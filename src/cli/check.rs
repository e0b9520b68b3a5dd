//! `gray1 check`: proves a board, and says how fast it may run.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use gray1_board::{ACCESS_NS_MAX, Board};
use gray1_isa::text::{grouped, number};
use gray1_proofs::clock::{self, ClockProof};
use gray1_proofs::{Proof, ProofOutcome, Prover, SlowestPath};

use super::boards::BoardOptions;
use super::progress::Progress;
use super::{Done, Outcome, failure, print};
use crate::files;

#[derive(clap::Args)]
pub(super) struct CheckOptions {
    #[command(flatten)]
    board: BoardOptions,
    /// Override the access time of a chip, in nanoseconds: `PCH=120`
    #[arg(long, value_name = "CHIP=NS", value_parser = access)]
    access: Vec<(String, u32)>,
}

/// What a data sheet does not promise, and no proof can show.
const ASSUMPTION: &str = "\nassumed: an output whose value is the same before and after the move of \
    one address wire stays still\n\
    (a part may break this: docs/JIG.md measures it, and `run --engine timed --glitch N` tries it)\n";

fn access(text: &str) -> Result<(String, u32), String> {
    let (chip, time) = text.split_once('=').ok_or("expected CHIP=NS")?;
    let time = number(time).and_then(|time| u32::try_from(time).ok());
    let time = time.filter(|time| (1..=ACCESS_NS_MAX).contains(time));
    let time = time.ok_or(format!("expected a time from 1 to {ACCESS_NS_MAX} ns"))?;
    Ok((chip.to_owned(), time))
}

pub(super) fn check(options: &CheckOptions) -> Outcome {
    let board = options.board.load()?;
    let times: HashMap<&str, u32> =
        options.access.iter().map(|(chip, time)| (chip.as_str(), *time)).collect();
    if let Some(unknown) = times.keys().find(|chip| board.chip_named(chip).is_none()) {
        let unknown = files::printable(unknown);
        return Err(failure(format!("the board has no chip called `{unknown}`")));
    }
    let mut prover = Prover::new(&board);
    let mut progress = Progress::new();
    let proofs = prover.check(&mut |number, cases| {
        progress.show(|| format!("proof {number}: {} cases", grouped(cases)));
    });
    progress.clear();
    let mut report = String::new();
    push_proofs(&mut report, &proofs);
    report.push_str(ASSUMPTION);
    push_addresses(&mut report, &board, &prover);
    let phase_ns_min = push_speed(&mut report, &board, &mut prover, &times);
    let is_timed = push_clock(&mut report, &board, phase_ns_min);
    push_levels(&mut report, &board);
    print(&report)?;
    let holds = is_timed && proofs.iter().all(|proof| proof.outcome == ProofOutcome::Holds);
    Ok(if holds { Done::Well } else { Done::Refuted })
}

fn push_proofs(report: &mut String, proofs: &[Proof]) {
    let width = proofs.iter().map(|proof| proof.title.len()).max().unwrap_or_default();
    for Proof { number, title, cases, outcome } in proofs {
        let examined = format!("{:>9} cases", grouped(*cases));
        let (verdict, story) = match outcome {
            ProofOutcome::Holds => (format!("holds  {examined}"), String::new()),
            ProofOutcome::Fails(story) => (format!("FAILS  {examined}"), story.to_string()),
            ProofOutcome::NotExamined(failed) => {
                (format!("not examined, since proof {failed} fails"), String::new())
            }
        };
        let _ = writeln!(report, "{number}. {title:width$}  {verdict}");
        report.extend(story.lines().map(|line| format!("     {line}\n")));
    }
}

/// The number of addresses of each chip that can occur. A board without known steps has none to
/// tell.
fn push_addresses(report: &mut String, board: &Board, prover: &Prover<'_>) {
    let Ok(reaches) = prover.reach() else { return };
    report.push_str("\naddresses that can occur:  settled  in between       of\n");
    for reach in reaches {
        let chip = board.chip(reach.chip);
        let [settled, between, bytes] =
            [reach.count_settled(), reach.count_between(), chip.part().bytes()]
                .map(|count| grouped(count as u64));
        let _ = writeln!(report, "  {:<23} {settled:>9}  {between:>10}  {bytes:>7}", chip.name());
    }
}

/// The slowest path, and how long it takes, in ns. A board without known steps has none.
fn push_speed(
    report: &mut String,
    board: &Board,
    prover: &mut Prover<'_>,
    times: &HashMap<&str, u32>,
) -> Option<u32> {
    let access_ns = |id| {
        let chip = board.chip(id);
        times.get(chip.name()).copied().unwrap_or(chip.access_ns())
    };
    let path = prover.slowest_path(access_ns).ok()?;
    let SlowestPath { from, to, cause, hops } = &path;
    let _ = writeln!(report, "\nslowest to settle: {from} to {to}, when {cause}");
    let has_filters = hops.iter().any(|hop| hop.filter_ns > 0);
    for hop in hops {
        let chip = board.chip(hop.chip).name();
        let filter = match hop.filter_ns {
            _ if !has_filters => String::new(),
            0 => format!("{:16}", ""),
            ns => format!("filter {ns:>4} ns, "),
        };
        let _ = writeln!(
            report,
            "  {:<8} {filter}reaches {chip:<6} {:>4} ns, settled after {:>5} ns",
            hop.wire, hop.access_ns, hop.settled_ns
        );
    }
    let _ = writeln!(
        report,
        "a phase must last longer than {} ns: an oscillator with equal halves may run at up to {:.3} MHz",
        path.total_ns(),
        path.oscillator_hz_max() / 1e6
    );
    Some(path.total_ns())
}

/// Clock and reset of a board that makes them itself; false if they are wrong.
fn push_clock(report: &mut String, board: &Board, phase_ns_min: Option<u32>) -> bool {
    let Some(proof) = clock::prove(board) else { return true };
    let ClockProof { source_hz, phase_ps, apart_periods, reset_phases, cases } = match proof {
        Ok(proof) => proof,
        Err(fault) => {
            let _ = writeln!(report, "\nclock and reset  FAIL: {fault}");
            return false;
        }
    };
    let is_slow_enough = phase_ns_min.is_none_or(|ns| phase_ps > u64::from(ns) * 1000);
    let verdict = if is_slow_enough { "hold" } else { "FAIL: the phases are too short" };
    let [megahertz, nanoseconds] =
        [(source_hz, 1e6), (phase_ps as u32, 1e3)].map(|(count, unit)| f64::from(count) / unit);
    let _ = writeln!(
        report,
        "\nclock and reset  {verdict}  {} cases\n  phases of {nanoseconds:.1} ns, from an \
             oscillator of {megahertz} MHz\n  reset moves {} of its periods after the clock rises \
             and {} before it falls, for {} phases or more",
        grouped(cases),
        apart_periods.0,
        apart_periods.1,
        grouped(reset_phases)
    );
    is_slow_enough
}

/// The worst-case margins of levels, part by part. They are a note: a real part keeps more than its
/// data sheet promises.
fn push_levels(report: &mut String, board: &Board) {
    let margins = gray1_board::margins(board);
    report.push_str("\nmargins of levels, at worst            low      high\n");
    for margin in &margins {
        let pair = format!("{} to {}", margin.from.name, margin.to.name);
        let Some((low, high)) = margin.low_and_high_mv() else {
            let _ = writeln!(report, "  {pair:<30}   unknown   unknown");
            continue;
        };
        let wires = margin.wires;
        let verdict =
            if low.min(high) > 0 { String::new() } else { format!("  no margin on {wires} wires") };
        let _ = writeln!(report, "  {pair:<30} {low:>6} mV {high:>6} mV{verdict}");
    }
    let parts = margins.iter().flat_map(|margin| [margin.from, margin.to]);
    let unconfirmed = parts.filter(|part| part.levels.is_some() && part.sources.levels.is_empty());
    let unconfirmed: BTreeSet<&str> = unconfirmed.map(|part| part.name.as_str()).collect();
    if !unconfirmed.is_empty() {
        let names: Vec<&str> = unconfirmed.into_iter().collect();
        let _ = writeln!(
            report,
            "  unconfirmed, without a data sheet of the part: {}",
            names.join(", ")
        );
    }
}

//! `gray1 check`: proves that a board works, and computes its highest speed.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use gray1_board::{ACCESS_NS_MAX, Board};
use gray1_hardware::soldered::clock::{self, ClockProof, Distances};
use gray1_hardware::soldered::{Margin, margins};
use gray1_isa::text::{grouped, parse_number};
use gray1_proofs::{Hop, Proof, ProofOutcome, Prover, SlowestPath};
use serde_json::{Value, json};

use super::shared::options::{BoardOptions, FormatOptions};
use super::shared::outcome::{Done, Outcome, failure};
use super::shared::progress::ProgressLine;
use crate::{board, files};

/// Prove that a board works for any delays of its chips, and compute its highest speed
#[derive(clap::Args)]
pub(super) struct CheckOptions {
    #[command(flatten)]
    board: BoardOptions,
    /// Override the access time of a chip, in nanoseconds: `PCH=120`
    #[arg(long, value_name = "CHIP=NS", value_parser = parse_access)]
    access: Vec<(String, u32)>,
    #[command(flatten)]
    format: FormatOptions,
}

/// The report as text and as JSON.
#[derive(Default)]
struct CheckReport {
    text: String,
    json: Value,
}

/// The assumption that data sheets do not guarantee and that cannot be proved.
const ASSUMPTION: &str = "\nassumed: when one address wire changes, an output with the same value \
    before and after does not glitch\n\
    (some parts may: docs/JIG.md explains how to measure this, and\n\
    `run --engine timed --glitch N` simulates it)\n";

fn parse_access(text: &str) -> Result<(String, u32), String> {
    let (chip, time) = text.split_once('=').ok_or("expected CHIP=NS")?;
    let time = parse_number(time).and_then(|time| u32::try_from(time).ok());
    let time = time.filter(|time| (1..=ACCESS_NS_MAX).contains(time));
    let time = time.ok_or(format!("expected a time from 1 to {ACCESS_NS_MAX} ns"))?;
    Ok((chip.to_owned(), time))
}

pub(super) fn check(options: &CheckOptions) -> Outcome {
    let board = options.board.load(board::DEFAULT)?;
    let times: HashMap<&str, u32> =
        options.access.iter().map(|(chip, time)| (chip.as_str(), *time)).collect();
    if let Some(unknown) = times.keys().find(|chip| board.chip_named(chip).is_none()) {
        let unknown = files::printable(unknown);
        return Err(failure(format!("the board has no chip called `{unknown}`")));
    }
    let mut prover = Prover::new(&board);
    let mut progress = ProgressLine::new();
    let proofs = prover.check(&mut |number, cases| {
        progress.show(|| format!("proof {number}: {} cases", grouped(cases)));
    });
    progress.clear();
    let mut report = CheckReport::default();
    push_proofs(&mut report, &proofs);
    report.text.push_str(ASSUMPTION);
    push_addresses(&mut report, &board, &prover);
    let phase_ns_min = push_speed(&mut report, &board, &mut prover, &times);
    let is_timed = push_clock(&mut report, &board, phase_ns_min);
    push_levels(&mut report, &board);
    let holds = is_timed && proofs.iter().all(|proof| proof.outcome == ProofOutcome::Holds);
    report.json["holds"] = holds.into();
    options.format.print(|| report.text, || report.json)?;
    Ok(if holds { Done::Success } else { Done::Refuted })
}

fn push_proofs(report: &mut CheckReport, proofs: &[Proof]) {
    let mut list = Vec::new();
    let width = proofs.iter().map(|proof| proof.title.len()).max().unwrap_or_default();
    for Proof { number, title, cases, outcome } in proofs {
        let (holds, failed) = match outcome {
            ProofOutcome::Holds => (Some(true), None),
            ProofOutcome::Fails(failed) => (Some(false), Some(failed)),
            ProofOutcome::NotExamined(_) => (None, None),
        };
        list.push(json!({
            "number": number, "title": title, "cases": cases, "holds": holds,
            "law": failed.map(|it| it.law),
            "events": failed.map_or(&[][..], |it| &it.events),
        }));
        let cases = grouped(*cases);
        let verdict = match outcome {
            ProofOutcome::Holds => format!("holds  {cases:>9} cases"),
            ProofOutcome::Fails(_) => format!("FAILS  {cases:>9} cases"),
            ProofOutcome::NotExamined(failed) => {
                format!("not examined because proof {failed} fails")
            }
        };
        let _ = writeln!(report.text, "{number}. {title:width$}  {verdict}");
        let explanation = failed.map(ToString::to_string).unwrap_or_default();
        report.text.extend(explanation.lines().map(|line| format!("     {line}\n")));
    }
    report.json["proofs"] = list.into();
}

/// Adds the number of addresses that can occur at each chip. Adds nothing if the board's strobes do
/// not depend on the phase.
fn push_addresses(report: &mut CheckReport, board: &Board, prover: &Prover<'_>) {
    let Ok(reaches) = prover.reach() else { return };
    report.text.push_str("\naddresses that can occur:  settled  in between       of\n");
    let mut addresses = Vec::new();
    for reach in reaches {
        let chip = board.chip(reach.chip);
        let (settled, bytes) = (reach.settled.len(), chip.part().bytes());
        let between = reach.all.len() - settled;
        addresses.push(json!({
            "chip": chip.name(), "settled": settled, "in_transition": between, "bytes": bytes,
        }));
        let [settled, between, bytes] =
            [settled, between, bytes].map(|count| grouped(count as u64));
        let line = format!("  {:<23} {settled:>9}  {between:>10}  {bytes:>7}\n", chip.name());
        report.text.push_str(&line);
    }
    report.json["addresses"] = addresses.into();
}

/// Adds the slowest path and its delay in ns. Adds nothing if the prover finds no such path, for
/// example because wires depend on each other in a cycle.
fn push_speed(
    report: &mut CheckReport,
    board: &Board,
    prover: &mut Prover<'_>,
    times: &HashMap<&str, u32>,
) -> Option<u32> {
    let access_ns = |id| {
        let chip = board.chip(id);
        times.get(chip.name()).copied().unwrap_or(chip.access_ns)
    };
    let path = prover.slowest_path(access_ns).ok()?;
    let SlowestPath { from, to, cause, hops } = &path;
    let (total_ns, hz_max) = (path.total_ns(), path.oscillator_hz_max());
    let mut list = Vec::new();
    let text = &mut report.text;
    let _ = writeln!(text, "\nslowest to settle: {from} to {to}, when {cause}");
    let has_filters = hops.iter().any(|hop| hop.filter_ns > 0);
    for Hop { wire, chip, filter_ns, access_ns, settled_ns } in hops {
        let chip = board.chip(*chip).name();
        list.push(json!({
            "wire": wire, "chip": chip, "filter_ns": filter_ns, "access_ns": access_ns,
            "settled_ns": settled_ns,
        }));
        let filter = match filter_ns {
            _ if !has_filters => String::new(),
            0 => format!("{:16}", ""),
            ns => format!("filter {ns:>4} ns, "),
        };
        let _ = writeln!(
            text,
            "  {wire:<8} {filter}reaches {chip:<6} {access_ns:>4} ns, settled after {settled_ns:>5} ns"
        );
    }
    let _ = writeln!(
        text,
        "a phase must last longer than {total_ns} ns: an oscillator with equal halves may run at up to {:.3} MHz",
        hz_max / 1e6
    );
    report.json["slowest"] = json!({
        "from": from.to_string(), "to": to.to_string(), "cause": cause.to_string(),
        "hops": list, "total_ns": total_ns, "oscillator_hz_max": hz_max,
    });
    Some(total_ns)
}

/// Adds the clock and reset circuits of a board that has its own. Returns false if they are wrong.
fn push_clock(report: &mut CheckReport, board: &Board, phase_ns_min: Option<u32>) -> bool {
    let Some(proof) = clock::prove(board) else { return true };
    let ClockProof { source_hz, phase_ps, apart_periods, reset_phases, cases } = match proof {
        Ok(proof) => proof,
        Err(fault) => {
            let _ = writeln!(report.text, "\nclock and reset  FAIL: {fault}");
            report.json["clock"] = json!({ "holds": false, "fault": fault });
            return false;
        }
    };
    let Distances { before, after } = apart_periods;
    let is_slow_enough = phase_ns_min.is_none_or(|ns| phase_ps > u64::from(ns) * 1000);
    report.json["clock"] = json!({
        "holds": is_slow_enough, "cases": cases, "source_hz": source_hz, "phase_ps": phase_ps,
        "apart_periods": [before, after], "reset_phases": reset_phases,
    });
    let verdict = if is_slow_enough { "hold" } else { "FAIL: the phases are too short" };
    let [megahertz, nanoseconds] =
        [(source_hz, 1e6), (phase_ps as u32, 1e3)].map(|(count, unit)| f64::from(count) / unit);
    let _ = writeln!(
        report.text,
        "\nclock and reset  {verdict}  {} cases\n  phases of {nanoseconds:.1} ns, from an \
             oscillator of {megahertz} MHz\n  reset changes {before} of the oscillator's periods \
             after the clock rises and {after} before it falls, and lasts {} phases or more",
        grouped(cases),
        grouped(reset_phases)
    );
    is_slow_enough
}

/// Adds the worst-case noise margins, part by part. A lack of margin does not fail the check,
/// because real parts do better than their data sheets guarantee.
fn push_levels(report: &mut CheckReport, board: &Board) {
    let margins = margins(board);
    let mut list = Vec::new();
    let text = &mut report.text;
    text.push_str("\nmargins of levels, at worst            low      high\n");
    for margin in &margins {
        let Margin { from, to, wires, .. } = margin;
        let (low_mv, high_mv) = (margin.low_mv(), margin.high_mv());
        list.push(json!({
            "from": from.name, "to": to.name, "wires": wires, "low_mv": low_mv, "high_mv": high_mv,
        }));
        let pair = format!("{} to {}", from.name, to.name);
        let line = match low_mv.zip(high_mv) {
            None => format!("  {pair:<30}   unknown   unknown"),
            Some((low, high)) if low.min(high) > 0 => {
                format!("  {pair:<30} {low:>6} mV {high:>6} mV")
            }
            Some((low, high)) => {
                format!("  {pair:<30} {low:>6} mV {high:>6} mV  no margin on {wires} wires")
            }
        };
        let _ = writeln!(text, "{line}");
    }
    let parts = margins.iter().flat_map(|margin| [margin.from, margin.to]);
    let unconfirmed = parts.filter(|part| part.levels.is_some() && part.sources.levels.is_empty());
    let unconfirmed: BTreeSet<&str> = unconfirmed.map(|part| part.name.as_str()).collect();
    if !unconfirmed.is_empty() {
        let names: Vec<&str> = unconfirmed.into_iter().collect();
        let _ = writeln!(text, "  not confirmed by a data sheet: {}", names.join(", "));
    }
    report.json["margins"] = list.into();
}

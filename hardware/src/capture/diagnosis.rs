//! From evidence to a cause: one sentence that names the chip or the wires.

use gray1_board::buses::names;
use gray1_board::{DataPin, NetId};
use gray1_isa::text::grouped;

use super::capture_evidence::CaptureEvidence;
use super::clock::ClockViolation;
use super::evidence::{AddressEvidence, ChipEvidence, FirstSeen};
use super::report::{ChipCoverage, Finding, Report};
use super::suspicion::Suspicion;
use super::watched::LateMovement;
use super::words::{Suspect, duration, first_at, shorted, times};

/// The most wrong addresses of a chip with wrong bits; with more, it has another fault.
const WRONG_BITS_MAX: usize = 8;
/// The fewest addresses at which a wire must carry another wire's signal to exclude chance.
const CARRIED_MIN: usize = 4;

/// How certain a fault is, the most certain first. A chip may seem to make an impossible
/// transition, to forget, or not to come to rest, because an input moved too quickly to be sampled.
/// Then the driver of that input is the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    AtRest,
    Moving,
    Doubtful,
}

/// A fault with the time at which it was first seen.
struct TimedFinding {
    first_ps: i64,
    certainty: Certainty,
    finding: Finding,
}

/// The report of a finished check.
pub(super) fn report(capture: &CaptureEvidence<'_>) -> Report {
    let mut found = Vec::new();
    let mut explained: Vec<NetId> = Vec::new();
    if capture.clock.is_blurred() {
        return capture.blurred();
    }
    let rules = capture.rules();
    for net in capture.wrong_wires() {
        if !explained.contains(&net)
            && let Some((timed, nets)) = capture.wire(net)
        {
            explained.extend(nets);
            found.push(timed);
        }
    }
    for index in 0..capture.chips.len() {
        found.extend(chip(capture, index, &explained));
    }
    found.sort_by_key(|timed| (timed.certainty, timed.first_ps));
    Report {
        findings: rules.into_iter().chain(found.into_iter().map(|timed| timed.finding)).collect(),
        glitches: capture.glitches(),
        chips: capture.coverage(),
        obstacle: None,
        notes: capture.notes(),
    }
}

impl CaptureEvidence<'_> {
    fn name(&self, net: NetId) -> &str {
        self.board.net(net).name()
    }

    /// The report of a capture with too few samples.
    fn blurred(&self) -> Report {
        let CaptureEvidence { clock, circumstances, .. } = self;
        let shortest = duration(clock.shortest_ps.unwrap_or_default());
        let resolution = duration(circumstances.resolution_ps);
        let obstacle = format!(
            "too few samples: one in {resolution}, but phases of {shortest}; take four a phase or more"
        );
        Report {
            findings: Vec::new(),
            glitches: Vec::new(),
            chips: Vec::new(),
            obstacle: Some(obstacle),
            notes: Vec::new(),
        }
    }

    /// The oscillator and the reset wire.
    fn rules(&self) -> Option<Finding> {
        let CaptureEvidence { board, clock, wires, .. } = self;
        let [oscillator, reset] = [board.oscillator(), board.reset()].map(|net| self.name(net));
        let is_captured = self.circumstances.wires.contains(&board.oscillator());
        if is_captured && clock.edges == 0 {
            let headline = format!("{oscillator} never moves: the machine has no clock");
            return Some(Finding { headline, details: Vec::new() });
        }
        if clock.reset_moves == 0 && wires.constant(board.reset()) == Some(true) {
            let headline = format!("{reset} is high all the time: the machine is held in reset");
            return Some(Finding { headline, details: Vec::new() });
        }
        let FirstSeen { what: breach, time_ps, count } = clock.breach?;
        let headline = match breach {
            ClockViolation::ShortPhase { duration_ps, is_high } => {
                let level = if is_high { "high" } else { "low" };
                let [lasted, needed] =
                    [duration_ps, clock.phase_ps_min.unwrap_or_default()].map(duration);
                format!(
                    "{oscillator} is too fast: it was {level} for {lasted} only; the board needs {needed}"
                )
            }
            ClockViolation::ResetWhileLow => format!(
                "{reset} moves while {oscillator} is low; it may do so only while that is high"
            ),
            ClockViolation::ResetNearEdge { distance_ps } => {
                let distance = duration(distance_ps);
                format!("{reset} moves {distance} from an edge of {oscillator}, which is too close")
            }
            ClockViolation::ShortReset { phases } => {
                format!("{reset} was high for {phases} phases only; a reset takes nine")
            }
        };
        Some(Finding { headline, details: vec![first_at(time_ps, count)] })
    }

    /// The wires that had another level at rest than their chips should have given them.
    fn wrong_wires(&self) -> Vec<NetId> {
        let is_wrong = |net: &NetId| self.wires.is_wrong(*net);
        self.board.net_ids().filter(is_wrong).collect()
    }

    /// A fault of a wire, with the wires that it explains: all the wrong wires of their chips.
    fn wire(&self, net: NetId) -> Option<(TimedFinding, Vec<NetId>)> {
        let (index, pin) = self.driver(net)?;
        let evidence = &self.chip_evidence[index];
        let addresses = evidence.wrong_addresses(pin);
        let (headline, nets) = self.suspected_wire(net, addresses)?;
        let explains = |net: NetId| {
            let Some((index, _)) = self.driver(net) else { return true };
            let wrong = self.suspect(index).wires_of(self.chip_evidence[index].wrong_pins());
            wrong.iter().all(|wrong| nets.contains(wrong))
        };
        if !nets.iter().all(|&net| explains(net)) {
            return None;
        }
        let FirstSeen { what: address, time_ps, .. } = evidence.wrong?;
        let suspect = self.suspect(index);
        let seen = evidence.seen.get(&(address & suspect.clips.known));
        let driven = format!(
            "{} is driven by {}, and wrong at {} of its addresses",
            self.name(net),
            suspect.name(),
            grouped(addresses as u64)
        );
        let wires = match seen {
            Some(seen) => suspect.wires_at(address, seen.data),
            None => suspect.inputs_at(address),
        };
        let details = vec![format!("at {}: {wires}", duration(time_ps)), driven];
        let finding = Finding { headline, details };
        Some((TimedFinding { first_ps: time_ps, certainty: Certainty::AtRest, finding }, nets))
    }

    /// The fault of a wire that was wrong at this number of its chip's addresses, with the wires
    /// that are involved.
    fn suspected_wire(&self, net: NetId, addresses: usize) -> Option<(String, Vec<NetId>)> {
        if addresses < 2 {
            return None;
        }
        let (wires, name) = (&self.wires, self.name(net));
        if let Some(level) = wires.stuck(net) {
            let level = if level { "high" } else { "low" };
            return Some((format!("{name} is stuck {level}"), vec![net]));
        }
        let others = || self.board.net_ids().filter(move |&other| other != net);
        let carries = |other: &NetId| wires.carries(net, *other);
        if let Some(other) = others().filter(carries).find(|&other| wires.carries(other, net)) {
            return Some((
                format!("{name} and {} are exchanged", self.name(other)),
                vec![net, other],
            ));
        }
        if let Some(other) = others().find(|&other| wires.always_equal(net, other)) {
            return Some((shorted(name, self.name(other)), vec![net, other]));
        }
        let other = others().find(carries).filter(|_| addresses >= CARRIED_MIN)?;
        Some((format!("{name} carries the signal of {}", self.name(other)), vec![net]))
    }

    /// The chip and the data pin that drive a wire; of two drivers, the one that was wrong more
    /// often.
    fn driver(&self, net: NetId) -> Option<(usize, u8)> {
        let place = |pin: DataPin| {
            let index = self.chips.iter().position(|it| it.clips.chip == pin.chip)?;
            Some((index, 1 << pin.pin))
        };
        let wrong = |&(index, pin): &(usize, u8)| self.chip_evidence[index].wrong_addresses(pin);
        self.board.net(net).driver().pins().filter_map(place).max_by_key(wrong)
    }

    fn suspect(&self, index: usize) -> Suspect<'_> {
        Suspect::new(self.board, &self.chips[index].clips)
    }

    /// The chips that are judged, and the evidence about each.
    fn suspects(&self) -> impl Iterator<Item = (Suspect<'_>, &ChipEvidence)> {
        (0..self.chips.len()).map(|index| self.suspect(index)).zip(&self.chip_evidence)
    }

    fn glitches(&self) -> Vec<String> {
        let glitch = |(suspect, evidence): (Suspect<'_>, &ChipEvidence)| {
            let FirstSeen { what: LateMovement { pins, .. }, time_ps, count } = evidence.glitch?;
            Some(format!(
                "a glitch: {} moved for a moment at {} while the inputs of {} stood still{}",
                suspect.names_of(pins),
                duration(time_ps),
                suspect.name(),
                times(count)
            ))
        };
        self.suspects().filter_map(glitch).collect()
    }

    fn coverage(&self) -> Vec<ChipCoverage> {
        let coverage = |(Suspect { chip, .. }, evidence): (Suspect<'_>, &ChipEvidence)| {
            let is_captured = |net: &NetId| self.circumstances.wires.contains(net);
            let inputs = chip.inputs().map(|(_, net)| net);
            let mut missing: Vec<NetId> = Vec::new();
            for net in inputs.chain(chip.data().iter().copied()) {
                if !is_captured(&net) && !missing.contains(&net) {
                    missing.push(net);
                }
            }
            ChipCoverage {
                chip: chip.name().to_owned(),
                checks: evidence.checks,
                addresses: evidence.seen.len(),
                missing: names(self.board, &missing),
            }
        };
        self.suspects().map(coverage).collect()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let board = self.board;
        if !self.circumstances.knows_program {
            let program = board.chip(board.program()).name();
            notes.push(format!("{program} is not checked: name the program that it holds"));
        }
        let CaptureEvidence { clock, circumstances, .. } = self;
        if circumstances.wires.contains(&board.reset()) && clock.reset_moves == 0 {
            notes.push(format!("{} never moves", self.name(board.reset())));
        }
        let oscillator = self.name(board.oscillator());
        if !circumstances.wires.contains(&board.oscillator()) {
            notes.push(format!(
                "{oscillator} is not captured: the lengths of the phases are not checked"
            ));
        } else if clock.edges > 0 {
            let shortest = clock
                .shortest_ps
                .map_or_else(String::new, |it| format!(", the shortest phase {}", duration(it)));
            notes.push(format!("{oscillator}: {} edges{shortest}", grouped(clock.edges)));
        }
        notes
    }
}

/// The fault of a chip, unless these wires explain all that is wrong with it.
fn chip(capture: &CaptureEvidence<'_>, index: usize, explained: &[NetId]) -> Option<TimedFinding> {
    let (suspect, evidence) = (capture.suspect(index), &capture.chip_evidence[index]);
    let first_ps = evidence.first_wrong_ps()?;
    if suspect.chip.data().iter().any(|net| explained.contains(net)) {
        return None;
    }
    let (certainty, finding) = if let Some(forgotten) = evidence.forgotten {
        (Certainty::Doubtful, suspect.forgot(forgotten))
    } else if let Some(first) = evidence.wrong {
        (Certainty::AtRest, wrong(&suspect, evidence, first))
    } else if let Some(brief) = evidence.brief {
        (Certainty::Moving, suspect.shows_briefly(brief))
    } else if let Some(impossible) = evidence.impossible {
        (Certainty::Moving, suspect.impossible_transition(impossible))
    } else {
        (Certainty::Moving, suspect.never_rests(evidence.restless?))
    };
    Some(TimedFinding { first_ps, certainty, finding })
}

/// A chip that shows bytes which its image does not hold.
fn wrong(suspect: &Suspect<'_>, evidence: &ChipEvidence, first: FirstSeen<u32>) -> Finding {
    let (clips, name) = (suspect.clips, suspect.name());
    let mut wrong: Vec<(u32, AddressEvidence)> = evidence
        .seen
        .iter()
        .filter(|(_, seen)| seen.wrong > 0)
        .map(|(it, seen)| (*it, *seen))
        .collect();
    wrong.sort_by_key(|(address, _)| *address);
    let all = evidence.seen.len();
    let at = first.what & clips.known;
    let (address, seen) = *wrong.iter().find(|(address, _)| *address == at).unwrap_or(&wrong[0]);
    let (count, right) = (wrong.len(), all - wrong.len());
    let is_whole = clips.missing() == 0;
    let suspicions = if is_whole && count >= 2 {
        Suspicion::of(suspect.chip.contents(), &evidence.seen, clips.wired, clips.data)
    } else {
        Vec::new()
    };
    let mut suspicions = suspicions.into_iter().map(|it| suspect.suspected(it));
    let place = suspect.shown_at(address, seen.data);
    let headline = match suspicions.next() {
        Some(suspicion) => suspicion,
        None if seen.right > 0 => {
            format!(
                "{name} is unreliable: {place}, in {} of {} looks",
                seen.wrong,
                seen.wrong + seen.right
            )
        }
        None if count > WRONG_BITS_MAX && count * 4 > all => {
            format!(
                "{name} holds another image or has no supply: {count} of {all} addresses are wrong"
            )
        }
        None => format!("{name} has a wrong bit: {place}"),
    };
    let mut details = vec![
        format!("at {}: {}", duration(first.time_ps), suspect.inputs_at(first.what)),
        suspect.shown(clips.data, seen.data),
    ];
    details.extend(suspicions.map(|it| format!("or: {it}")));
    for (address, seen) in wrong.iter().take(WRONG_BITS_MAX).filter(|_| count > 1) {
        details.push(suspect.shown_at(*address, seen.data));
    }
    details.push(format!(
        "seen {} times; of its addresses {} wrong, {} right",
        grouped(first.count),
        grouped(count as u64),
        grouped(right as u64)
    ));
    Finding { headline, details }
}

//! Derives a cause from the evidence, as one sentence that names the chip or the wires.

use gray1_board::buses::names;
use gray1_board::{Driver, NetId};
use gray1_isa::text::grouped;

use super::capture_evidence::CaptureEvidence;
use super::clock::{ClockViolation, RESET_PHASES_MIN};
use super::evidence::{AddressEvidence, FirstSeen};
use super::hypothesis::Hypothesis;
use super::report::{ChipCoverage, Finding, Report, Statement};
use super::sentences::{Suspect, format_count, format_duration, format_first};
use super::watched::WatchedChip;

/// Up to this number of wrong addresses, the diagnosis is a wrong bit. More of them can indicate
/// another image or a missing supply.
const WRONG_BITS_MAX: usize = 8;
/// After this number of edges of the oscillator, every wire of PHASE must have changed.
const EDGES_MIN: u64 = 16;
/// The maximum number of other explanations that are reported.
const OTHERS_MAX: usize = 3;

impl CaptureEvidence<'_> {
    /// Creates the report. `explanation` has the hypotheses that explain the capture, and the
    /// evidence under the first of them.
    pub(super) fn report(&self, explanation: Option<(Vec<Hypothesis>, Self)>) -> Report {
        let mut findings = self.list_findings();
        if let Some((mut hypotheses, rest)) = explanation
            && !findings.is_empty()
        {
            // The commonest mistakes are named next, however many faults explain as much.
            if let Some(at @ 1..) = hypotheses.iter().position(|it| it.is_about_images()) {
                hypotheses[1..=at].rotate_right(1);
            }
            let otherwise = findings.swap_remove(0);
            let mut described = hypotheses.iter().filter_map(|it| it.describe(self));
            findings = rest.list_findings();
            if let Some(mut first) = described.next() {
                first.details = if hypotheses[0].is_about_clips() {
                    vec![format!("otherwise: {}", otherwise.headline)]
                } else {
                    otherwise.details
                };
                let others = described.take(OTHERS_MAX);
                first.details.extend(others.map(|it| format!("or: {}", it.headline)));
                findings.insert(usize::from(rest.violation().is_some()), first);
            }
        }
        findings.splice(0..0, self.find_missing_supply());
        Report {
            obstacle: if findings.is_empty() { self.find_obstacle() } else { None },
            findings,
            glitches: self.list_glitches(),
            chips: self.list_coverage(),
            notes: self.list_notes(),
        }
    }

    /// The chips that misbehaved, most certain first. If an input of a chip changes too quickly to
    /// be sampled, the chip may seem to make an impossible transition, to forget a byte, or not to
    /// settle, although the driver of that input is the cause.
    pub(super) fn faulty_chips(&self) -> Vec<&WatchedChip> {
        let mut faulty: Vec<&WatchedChip> = self.chips.iter().collect();
        faulty.retain(|it| it.evidence.first_wrong_ps().is_some());
        faulty.sort_by_key(|WatchedChip { evidence: it, .. }| {
            (it.forgotten.is_some(), it.wrong.is_none(), it.first_wrong_ps())
        });
        faulty
    }

    /// The faults, most certain first.
    fn list_findings(&self) -> Vec<Finding> {
        let suspects = self.faulty_chips().into_iter().map(|it| Suspect::new(self.board, it));
        let chips = suspects.filter_map(|it| describe_fault(&it));
        self.violation().into_iter().chain(chips).collect()
    }

    /// Returns the fault that no chip has a supply: several are wrong, and all outputs are low.
    fn find_missing_supply(&self) -> Option<Finding> {
        let is_low = |&net: &NetId| {
            let is_outside = self.board.net(net).driver == Driver::Outside;
            is_outside || self.wires.constant(net) == Some(false)
        };
        let is_dead = self.faulty_chips().len() > 1 && self.conditions.wires.iter().all(is_low);
        let why = "all their captured outputs are always low";
        is_dead.then(|| Finding::new("the chips", "have no supply", why))
    }

    fn name(&self, net: NetId) -> &str {
        self.board.net(net).name()
    }

    /// Creates the report on a capture with too few samples.
    pub(super) fn report_undersampled(&self) -> Report {
        let CaptureEvidence { clock, conditions, .. } = self;
        let resolution_ps = conditions.resolution_ps;
        let seen = match clock.shortest_ps.filter(|it| *it < 2 * resolution_ps) {
            Some(shortest_ps) => {
                format!("but a phase lasts only {}", format_duration(shortest_ps))
            }
            None => "and some phases are missing".to_owned(),
        };
        let resolution = format_duration(resolution_ps);
        let reason =
            format!("one every {resolution}, {seen}; take at least four samples per phase");
        Report { obstacle: Some(Statement::new("too few samples", reason)), ..Report::default() }
    }

    /// Returns the fault of the oscillator or the reset wire: it never changes, or it violates a
    /// rule.
    fn violation(&self) -> Option<Finding> {
        let CaptureEvidence { board, clock, wires, .. } = self;
        let [oscillator, reset] = [board.oscillator(), board.reset()].map(|net| self.name(net));
        let is_captured = self.conditions.wires.contains(&board.oscillator());
        // A shorter capture of a good machine may lie within a phase or a reset.
        let phases_ps = clock.phase_ps_min.unwrap_or_default() * EDGES_MIN.cast_signed();
        let is_long = self.duration_ps >= phases_ps;
        if is_captured && clock.edges == 0 && is_long {
            let does_run = wires.phase_changes > 0;
            let why = if does_run { "its clip is loose" } else { "the machine has no clock" };
            return Some(Finding::new(oscillator, "never moves", why));
        }
        let is_parked = wires.phase_changes <= u64::from(RESET_PHASES_MIN);
        let is_reset = clock.reset_changes == 0 && wires.constant(board.reset()) == Some(true);
        if is_parked && is_reset && is_long {
            let why = "the machine is held in reset";
            return Some(Finding::new(reset, "is high all the time", why));
        }
        let FirstSeen { what: violation, time_ps, count } = clock.violation?;
        let finding = match violation {
            ClockViolation::ShortPhase { duration_ps, is_high } => {
                let level = if is_high { "high" } else { "low" };
                let [lasted, needed] =
                    [duration_ps, clock.phase_ps_min.unwrap_or_default()].map(format_duration);
                let why = format!("it was {level} for only {lasted}; the board needs {needed}");
                Finding::new(oscillator, "is too fast", why)
            }
            ClockViolation::ResetWhileLow => {
                let fault = format!(
                    "moves while {oscillator} is low; it may move only while {oscillator} is high"
                );
                Finding::new(reset, &fault, "")
            }
            ClockViolation::ResetNearEdge { distance_ps } => {
                let distance = format_duration(distance_ps);
                let fault =
                    format!("moves {distance} from an edge of {oscillator}, which is too close");
                Finding::new(reset, &fault, "")
            }
            ClockViolation::ShortReset { phases } => {
                let fault = format!("was high for only {phases} phases; a reset takes nine");
                Finding::new(reset, &fault, "")
            }
        };
        Some(finding.with([format_first(time_ps, count)]))
    }

    /// The chips that are checked.
    pub(super) fn suspects(&self) -> impl Iterator<Item = Suspect<'_>> {
        self.chips.iter().map(|watched| Suspect::new(self.board, watched))
    }

    /// The reason why a capture without faults proves nothing, such as a stopped machine.
    fn find_obstacle(&self) -> Option<Statement> {
        let Self { board, clock, wires, conditions, .. } = self;
        let has_changed = |net: &NetId| wires.changed.contains(*net);
        let mut phase = board.probes().phase.clone();
        phase.retain(|net| conditions.wires.contains(net));
        let others = conditions.wires.iter().filter(|net| **net != board.reset());
        let is_idle = match clock.free_edges {
            0 => !others.copied().any(|net| has_changed(&net)),
            edges => edges >= EDGES_MIN && !phase.iter().all(has_changed),
        };
        is_idle.then(|| {
            let (edges, oscillator) = (grouped(clock.free_edges), self.name(board.oscillator()));
            let claim = match clock.free_edges {
                0 => "no captured wire changes".to_owned(),
                _ => format!("the machine does not move during {edges} edges of {oscillator}"),
            };
            Statement::new(claim, "")
        })
    }

    fn list_glitches(&self) -> Vec<String> {
        let pulse = self.pulse.map(|FirstSeen { what, time_ps, count }| {
            let (wire, time) = (self.name(what), format_duration(time_ps));
            format!("a glitch: {wire} moved for one sample at {time}{}", format_count(count))
        });
        let glitches = self.suspects().filter_map(|suspect| {
            let FirstSeen { what, time_ps, count } = suspect.watched.evidence.glitch?;
            Some(format!(
                "a glitch: {} moved for a moment at {} while the inputs of {} were stable{}",
                suspect.data_names(what.pins),
                format_duration(time_ps),
                suspect.name(),
                format_count(count)
            ))
        });
        pulse.into_iter().chain(glitches).collect()
    }

    fn list_coverage(&self) -> Vec<ChipCoverage> {
        let mut coverage = Vec::new();
        for Suspect { chip, watched, .. } in self.suspects() {
            let inputs = chip.inputs().map(|(_, net)| net);
            let mut missing: Vec<NetId> = Vec::new();
            for net in inputs.chain(chip.data.iter().copied()) {
                if !self.conditions.wires.contains(&net) && !missing.contains(&net) {
                    missing.push(net);
                }
            }
            coverage.push(ChipCoverage {
                chip: chip.name().to_owned(),
                checks: watched.evidence.checks,
                addresses: watched.evidence.seen.len(),
                missing: names(self.board, &missing),
            });
        }
        coverage
    }

    fn list_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let board = self.board;
        if !self.conditions.knows_program {
            let program = board.chip(board.program()).name();
            notes.push(format!("{program} is not checked: name the program that it holds"));
        }
        let chips = self.list_coverage().into_iter();
        for it in chips.filter(|it| it.missing.is_empty() && it.checks == 0) {
            let chip = it.chip;
            notes.push(format!(
                "all wires of {chip} are captured, but it was never seen settled and enabled"
            ));
        }
        let CaptureEvidence { clock, conditions, .. } = self;
        if conditions.wires.contains(&board.reset()) && clock.reset_changes == 0 {
            notes.push(format!("{} never moves", self.name(board.reset())));
        }
        let oscillator = self.name(board.oscillator());
        if !conditions.wires.contains(&board.oscillator()) {
            notes.push(format!(
                "{oscillator} is not captured: the lengths of the phases are not checked"
            ));
        } else if clock.edges > 0 {
            let shortest = clock.shortest_ps.map_or_else(String::new, |it| {
                format!(", the shortest phase {}", format_duration(it))
            });
            notes.push(format!("{oscillator}: {} edges{shortest}", grouped(clock.edges)));
        }
        notes
    }
}

/// Describes the fault of a chip. Returns `None` if it has none.
fn describe_fault(suspect: &Suspect<'_>) -> Option<Finding> {
    let evidence = &suspect.watched.evidence;
    Some(if let Some(forgotten) = evidence.forgotten {
        suspect.describe_forgotten(forgotten)
    } else if let Some(first) = evidence.wrong {
        describe_wrong(suspect, first)
    } else if let Some(brief) = evidence.brief {
        suspect.describe_brief(brief)
    } else if let Some(impossible) = evidence.impossible {
        suspect.describe_transition(impossible)
    } else {
        suspect.describe_restless(evidence.restless?)
    })
}

/// Describes the fault of a chip whose outputs differ from its image.
fn describe_wrong(suspect: &Suspect<'_>, first: FirstSeen<u32>) -> Finding {
    let name = suspect.name();
    let evidence = &suspect.watched.evidence;
    let mut wrong: Vec<(u32, AddressEvidence)> = evidence
        .seen
        .iter()
        .filter(|(_, seen)| seen.wrong > 0)
        .map(|(it, seen)| (*it, *seen))
        .collect();
    wrong.sort_by_key(|(address, _)| *address);
    let all = evidence.seen.len();
    let (address, seen) =
        *wrong.iter().find(|(address, _)| *address == first.what).unwrap_or(&wrong[0]);
    let (count, right) = (wrong.len(), all - wrong.len());
    let place = suspect.describe_bytes(address, seen.data);
    let finding = if seen.right > 0 {
        let (wrong, checks) = (seen.wrong, seen.wrong + seen.right);
        Finding::new(name, "is unreliable", format!("{place}, in {wrong} of {checks} checks"))
    } else if count > WRONG_BITS_MAX && count * 4 > all {
        let why = format!("{count} of {all} addresses are wrong");
        Finding::new(name, "holds another image or has no supply", why)
    } else {
        Finding::new(name, "has a wrong bit", place)
    };
    let mut details = vec![
        format!("at {}: {}", format_duration(first.time_ps), suspect.show_inputs(first.what)),
        suspect.show_data(suspect.watched.captured, seen.data),
    ];
    for (address, seen) in wrong.iter().take(WRONG_BITS_MAX).filter(|_| count > 1) {
        details.push(suspect.describe_bytes(*address, seen.data));
    }
    details.push(format!(
        "seen {} times; addresses: {} wrong, {} right",
        grouped(first.count),
        grouped(count as u64),
        grouped(right as u64)
    ));
    finding.with(details)
}

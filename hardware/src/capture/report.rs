//! The result of a check, as a report for users: the fault first, then its evidence, then the wires
//! and states that were not seen.

use std::fmt;

use gray1_isa::text::{counted, grouped, plural};

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// The faults. The likeliest cause of all the errors comes first.
    pub findings: Vec<Finding>,
    /// Pulses on external wires, and on outputs of chips whose inputs were stable, as sentences.
    pub glitches: Vec<String>,
    /// The chips, in the order of the board.
    pub chips: Vec<ChipCoverage>,
    /// The reason why the capture proves nothing.
    pub obstacle: Option<Statement>,
    /// Other facts about the capture, as sentences.
    pub notes: Vec<String>,
}

/// A sentence, which may give details after a colon. It is serialized as a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The part before the colon.
    pub claim: String,
    /// The part after the colon. If it is empty, there is no colon.
    pub reason: String,
}

impl Statement {
    /// Creates a sentence.
    pub fn new(claim: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { claim: claim.into(), reason: reason.into() }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { claim, reason } = self;
        if reason.is_empty() { f.write_str(claim) } else { write!(f, "{claim}: {reason}") }
    }
}

impl serde::Serialize for Statement {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// The faulty chip or wires, with which the headline begins.
    #[serde(skip)]
    pub suspect: String,
    /// The fault.
    pub headline: Statement,
    /// Details, one line each, such as the times and addresses at which the fault was seen.
    pub details: Vec<String>,
}

impl Finding {
    /// Creates a finding without details. `fault` is the predicate of a sentence about the suspect.
    pub(super) fn new(suspect: impl Into<String>, fault: &str, reason: impl Into<String>) -> Self {
        let suspect = suspect.into();
        let headline = Statement::new(format!("{suspect} {fault}"), reason);
        Self { suspect, headline, details: Vec::new() }
    }

    /// Adds details.
    pub(super) fn with(self, details: impl Into<Vec<String>>) -> Self {
        Self { details: details.into(), ..self }
    }
}

/// How much of a chip was seen.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ChipCoverage {
    /// The chip's name.
    pub chip: String,
    /// The number of settled states in which an error would have been visible.
    pub checks: u64,
    /// The number of different captured addresses in these states.
    pub addresses: usize,
    /// The wires that must also be captured to see the whole chip.
    pub missing: String,
}

/// The conclusion about the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The capture shows no fault.
    Sound,
    /// The capture shows a fault.
    Faulty,
    /// Too few wires were captured, or they changed too little, for a conclusion.
    Undecided,
}

impl Report {
    pub fn verdict(&self) -> Verdict {
        let checks: u64 = self.chips.iter().map(|chip| chip.checks).sum();
        if self.obstacle.is_some() || self.findings.is_empty() && checks == 0 {
            return Verdict::Undecided;
        }
        if self.findings.is_empty() { Verdict::Sound } else { Verdict::Faulty }
    }

    /// The report in one sentence.
    pub fn first_line(&self) -> Statement {
        match (self.verdict(), self.findings.first()) {
            (Verdict::Undecided, _) => self
                .obstacle
                .clone()
                .unwrap_or_else(|| Statement::new("too little was captured to judge any chip", "")),
            (_, Some(finding)) => finding.headline.clone(),
            (_, None) => {
                let checks: u64 = self.chips.iter().map(|chip| chip.checks).sum();
                let chips = self.chips.iter().filter(|chip| chip.checks > 0).count();
                let headline = format!("no fault was found in {chips} {}", plural(chips, "chip"));
                Statement::new(headline, counted(checks, "check"))
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.first_line())?;
        for (number, finding) in self.findings.iter().enumerate() {
            if number > 0 {
                writeln!(f, "\n{}", finding.headline)?;
            }
            finding.details.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        }
        self.glitches.iter().try_for_each(|glitch| writeln!(f, "\n{glitch}"))?;
        if !self.chips.is_empty() && !self.notes.is_empty() {
            writeln!(f)?;
        }
        // The table is long, so the notes come first.
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))?;
        if self.chips.is_empty() { Ok(()) } else { self.write_chips(f) }
    }
}

impl Report {
    /// Writes the chips as a table.
    fn write_chips(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.chips.iter().map(|chip| chip.chip.len()).max().unwrap_or_default().max(4);
        writeln!(
            f,
            "\n{:width$}  {:>9}  {:>9}  add these wires to see all of it",
            "chip", "checks", "addresses"
        )?;
        for ChipCoverage { chip, checks, addresses, missing } in &self.chips {
            let [checks, addresses] = [*checks, *addresses as u64].map(grouped);
            let line = format!("{chip:width$}  {checks:>9}  {addresses:>9}  {missing}");
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

//! The result of a check, as a report for users: the fault first, then its evidence, then the wires
//! and states that were not seen.

use std::fmt;

use gray1_isa::text::grouped;

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// The faults. The likeliest cause of all the errors comes first.
    pub findings: Vec<Finding>,
    /// Pulses on external wires, and on outputs of chips whose inputs were stable, as sentences.
    pub glitches: Vec<String>,
    /// The chips, in the order of the board.
    pub chips: Vec<ChipCoverage>,
    /// The reason why the capture proves nothing, as a sentence.
    pub obstacle: Option<String>,
    /// Other facts about the capture, as sentences.
    pub notes: Vec<String>,
}

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// A sentence that names the faulty chip or wires, and the fault.
    pub headline: String,
    /// Details, one line each, such as the times and addresses at which the fault was seen.
    pub details: Vec<String>,
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
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let checks: u64 = self.chips.iter().map(|chip| chip.checks).sum();
        if self.obstacle.is_some() || self.findings.is_empty() && checks == 0 {
            return Verdict::Undecided;
        }
        if self.findings.is_empty() { Verdict::Sound } else { Verdict::Faulty }
    }

    /// The report in one sentence.
    #[must_use]
    pub fn first_line(&self) -> String {
        match (self.verdict(), self.findings.first()) {
            (Verdict::Undecided, _) => {
                let too_little = || "too little was captured to judge any chip".to_owned();
                self.obstacle.clone().unwrap_or_else(too_little)
            }
            (_, Some(finding)) => finding.headline.clone(),
            (_, None) => {
                let checks: u64 = self.chips.iter().map(|chip| chip.checks).sum();
                let chips = self.chips.iter().filter(|chip| chip.checks > 0).count();
                let plural = if chips == 1 { "" } else { "s" };
                format!("nothing wrong is seen: {chips} chip{plural}, {} checks", grouped(checks))
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

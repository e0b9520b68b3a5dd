//! The outcome of a check, in words: the fault first, then how it shows, then what was not seen.

use std::fmt;

use gray1_isa::text::grouped;

/// The outcome of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// The faults; the likeliest cause of all that is wrong comes first.
    pub findings: Vec<Finding>,
    /// Pulses of a wire whose chip had come to rest, in words.
    pub glitches: Vec<String>,
    /// The chips, in the order of the board.
    pub chips: Vec<ChipCoverage>,
    /// Why nothing can be said, in words.
    pub obstacle: Option<String>,
    /// Other facts about the capture, in words.
    pub notes: Vec<String>,
}

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// The chip or the wires that are wrong, and how, in a sentence.
    pub headline: String,
    /// When and where it was seen, a line each.
    pub details: Vec<String>,
}

/// How much of a chip was seen.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ChipCoverage {
    /// The chip's name.
    pub chip: String,
    /// The number of times that it was seen at rest and could have been wrong.
    pub checks: u64,
    /// The number of different addresses among them, as far as they are captured.
    pub addresses: usize,
    /// The wires that would have to be captured as well to see all of it.
    pub missing: String,
}

/// What a check says about the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing wrong was seen.
    Sound,
    /// A fault was seen.
    Faulty,
    /// The wires are too few, or moved too little, to say anything.
    Undecided,
}

impl Report {
    /// The verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let checks: u64 = self.chips.iter().map(|chip| chip.checks).sum();
        if self.obstacle.is_some() || self.findings.is_empty() && checks == 0 {
            return Verdict::Undecided;
        }
        if self.findings.is_empty() { Verdict::Sound } else { Verdict::Faulty }
    }

    /// The report in a sentence.
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
        if !self.chips.is_empty() {
            self.write_chips(f)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

impl Report {
    /// The chips as a table.
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

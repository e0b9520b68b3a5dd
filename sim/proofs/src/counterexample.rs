//! Counterexamples, explained step by step.

use std::fmt;

/// The outcome of the proof of a law.
pub(super) type Verdict = Result<(), Counterexample>;

/// A counterexample: how a board breaks a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The law that is broken.
    pub law: &'static str,
    /// The events, one per line.
    pub events: Vec<String>,
}

/// The cause of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The oscillator changes its level.
    Oscillator,
    /// The panel raises reset.
    ResetRises,
    /// The panel lowers reset.
    ResetFalls,
}

impl Counterexample {
    pub(super) fn new(law: &'static str, events: Vec<String>) -> Self {
        Self { law, events }
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.law)?;
        self.events.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Oscillator => "the oscillator changes",
            Self::ResetRises => "reset rises",
            Self::ResetFalls => "reset falls",
        })
    }
}

// Lines of explanations.

pub(super) fn wire_moves(wire: &str, level: bool) -> String {
    format!("{wire} {}", if level { "rises" } else { "falls" })
}

pub(super) fn wire_can_move(wire: &str) -> String {
    format!("{wire} can move")
}

pub(super) fn wire_closes(wire: &str, chip: &str) -> String {
    format!("{wire} closes {chip} in the same step")
}

pub(super) fn chip_takes_either(chip: &str) -> String {
    format!("{chip} takes either")
}

pub(super) fn chip_shows(chip: &str, address: u32, shown: u8, expected: Option<u8>) -> String {
    let expected = expected.map_or(String::new(), |byte| format!(", expected {byte:02x}"));
    format!("{chip} shows {shown:02x} at address {address:#x}{expected}")
}

pub(super) fn outcome(what: &str, found: u32, expected: u32) -> String {
    format!("{what} is {found:#x} afterwards, expected {expected:#x}")
}

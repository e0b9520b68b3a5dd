//! The eight phases of an instruction, their order, their codes, and the sentences that explain
//! them.

use std::fmt;

use gray1_isa::text::is_harmful;
use gray1_isa::{Op, gray};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::net::NetId;

/// A phase of an instruction. Each edge of the oscillator advances to the next phase. The board
/// stores the phase as a three-bit Gray code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[expect(missing_docs, reason = "the table in docs/MACHINE.md says what is open in each phase")]
pub enum Phase {
    T0,
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    T7,
}

/// The number of phases for which the panel holds reset. That is enough to reach T1 from any phase,
/// and to release reset while the oscillator is high.
pub const RESET_PHASES: u32 = 10;

/// The maximum length of a sentence in characters: the width of a line in the terminal's board
/// pane.
const SENTENCE_MAX: usize = 90;

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 8] =
        [Self::T0, Self::T1, Self::T2, Self::T3, Self::T4, Self::T5, Self::T6, Self::T7];
    /// The number of phases in an instruction.
    pub const COUNT: u32 = Self::ALL.len() as u32;
    /// The phase that reset holds.
    pub const AFTER_RESET: Self = Self::T1;

    /// Returns the phase for a Gray code. Only the lowest three bits are used.
    pub const fn from_code(code: u32) -> Self {
        Self::ALL[(gray::decode(code as u16 & 7) & 7) as usize]
    }

    /// Returns the Gray code of the phase.
    pub const fn code(self) -> u32 {
        gray::encode(self as u16) as u32
    }

    /// Returns the number of the phase, 0 for T0.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Returns the phase after this many edges of the oscillator.
    #[must_use]
    pub const fn after(self, edges: u32) -> Self {
        Self::ALL[((self.number() + edges) % Self::COUNT) as usize]
    }

    /// Returns the number of edges of the oscillator from this phase to the next T0.
    pub const fn edges_to_go(self) -> u32 {
        Self::COUNT - self.number()
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}", self.number())
    }
}

/// A sentence that explains some phases of some instructions, and the condition for showing it. In
/// a description, `Wire` is a name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseSentence<Wire = NetId> {
    /// The phases.
    pub at: Vec<Phase>,
    /// The instructions. An empty list means all of them.
    #[serde(default)]
    pub of: Vec<Op>,
    /// The required carry, if it matters.
    pub carry: Option<bool>,
    /// The strobes that are on. All others are off.
    #[serde(default = "Vec::new")]
    pub on: Vec<Wire>,
    /// The sentence.
    #[serde(deserialize_with = "sentence")]
    pub says: String,
}

/// Reads a sentence of one line.
pub(super) fn sentence<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let sentence = String::deserialize(deserializer)?;
    let length = sentence.chars().count();
    if sentence.trim().is_empty() || length > SENTENCE_MAX || sentence.contains(is_harmful) {
        return Err(D::Error::custom(format!(
            "invalid sentence of {length} characters \
             (expected one line of 1 to {SENTENCE_MAX} printable characters)"
        )));
    }
    Ok(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phases_follow_one_another_in_gray_code() {
        let codes = [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100];
        assert_eq!(codes.map(Phase::from_code), Phase::ALL);
        assert_eq!(Phase::ALL.map(Phase::code), codes);
        for (number, phase) in (0..).zip(Phase::ALL) {
            assert_eq!((phase.number(), phase.to_string()), (number, format!("T{number}")));
            assert_eq!(phase.after(phase.edges_to_go()), Phase::T0);
        }
    }
}

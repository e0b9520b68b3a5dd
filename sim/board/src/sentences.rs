//! The sentences of a description that explain what happens in each phase of an instruction.

use gray1_isa::Op;
use gray1_isa::text::is_harmful;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::board::{Board, number};
use super::error::BoardError;
use super::names::Names;
use super::net::NetId;
use super::phase::Phase;
use super::registers;
use super::role::{Function, Role};

/// The maximum length of a sentence in characters: the width of a line in the terminal's board
/// pane.
const SENTENCE_MAX: usize = 90;

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

impl PhaseSentence<String> {
    /// Replaces the names of strobes with the wires of a board.
    pub(super) fn resolve(self, board: &Board, names: &Names) -> Result<PhaseSentence, BoardError> {
        let strobe = |text: &String| {
            let wire = names.wire("phases", text)?;
            let is_strobe = strobes(board).any(|(strobe, _)| strobe == wire);
            let refusal = || BoardError::at("phases", format!("the wire '{text}' is not a strobe"));
            is_strobe.then_some(wire).ok_or_else(refusal)
        };
        let on = self.on.iter().map(strobe).collect::<Result<_, _>>()?;
        let Self { at, of, carry, says, .. } = self;
        Ok(PhaseSentence { at, of, carry, on, says })
    }
}

/// Returns the wires of the strobes, each with its active level.
fn strobes(board: &Board) -> impl Iterator<Item = (NetId, bool)> + '_ {
    board.chips().iter().flat_map(|chip| {
        let Role::Function(Function::Control(control)) = chip.role() else { return Vec::new() };
        let write_low = control.strobes.write_low;
        let strobe = |pin: u8| (chip.data()[usize::from(pin)], pin != write_low);
        control.strobes.pins().map(strobe).to_vec()
    })
}

impl Board {
    /// The sentences that explain the phases.
    #[must_use]
    pub fn phase_sentences(&self) -> &[PhaseSentence] {
        &self.phase_sentences
    }

    /// Returns the sentence for these levels of the wires. It is empty if no sentence applies. A
    /// sentence only applies if it lists exactly the strobes that are on.
    #[must_use]
    pub fn phase_sentence(&self, level: impl Fn(NetId) -> bool) -> &str {
        let phase = Phase::from_code(number(&self.probes().phase, &level));
        let opcode = registers::opcode_wires(self).unwrap_or_default();
        let op = Op::from_code(number(&opcode, &level) as u8);
        let fits = |it: &&PhaseSentence| {
            it.at.contains(&phase)
                && (it.of.is_empty() || it.of.contains(&op))
                && it.carry.is_none_or(|carry| carry == level(self.probes().carry))
                && strobes(self).all(|(wire, on)| (level(wire) == on) == it.on.contains(&wire))
        };
        self.phase_sentences.iter().find(fits).map_or("", |it| &it.says)
    }
}

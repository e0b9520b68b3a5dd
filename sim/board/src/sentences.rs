//! Finds the sentence of a description that explains what happens in a phase of an instruction.

use gray1_isa::Op;

use super::board::{Board, number};
use super::error::BoardError;
use super::names::Names;
use super::net::NetId;
use super::phase::{Phase, PhaseSentence};
use super::registers;
use super::role::{Function, Role};

impl PhaseSentence<String> {
    /// Replaces the names of strobes with the wires of a board.
    pub(super) fn resolve(self, board: &Board, names: &Names) -> Result<PhaseSentence, BoardError> {
        let Self { at, of, carry, on: texts, says } = self;
        let mut on = Vec::new();
        for text in &texts {
            let wire = names.wire("phases", text)?;
            if !strobes(board).any(|(strobe, _)| strobe == wire) {
                return Err(BoardError::at("phases", format!("the wire '{text}' is not a strobe")));
            }
            on.push(wire);
        }
        Ok(PhaseSentence { at, of, carry, on, says })
    }
}

/// Returns the wires of the strobes, each with its active level.
fn strobes(board: &Board) -> impl Iterator<Item = (NetId, bool)> + '_ {
    board.chips().iter().flat_map(|chip| {
        let Role::Function(Function::Control(control)) = chip.role() else { return Vec::new() };
        let write_low = control.strobes.write_low;
        let pins = control.strobes.pins();
        pins.map(|pin| (chip.data[usize::from(pin)], pin != write_low)).to_vec()
    })
}

impl Board {
    /// The sentences that explain the phases.
    pub fn phase_sentences(&self) -> &[PhaseSentence] {
        &self.phase_sentences
    }

    /// Returns the sentence for these levels of the wires. It is empty if no sentence applies. A
    /// sentence only applies if it lists exactly the strobes that are on.
    pub fn phase_sentence(&self, level: impl Fn(NetId) -> bool) -> &str {
        let phase = Phase::from_code(number(&self.probes().phase, &level));
        let opcode = registers::opcode_wires(self).unwrap_or_default();
        let op = Op::from_code(number(&opcode, &level) as u8);
        let sentence = self.phase_sentences.iter().find(|it| {
            it.at.contains(&phase)
                && (it.of.is_empty() || it.of.contains(&op))
                && it.carry.is_none_or(|carry| carry == level(self.probes().carry))
                && strobes(self).all(|(wire, on)| (level(wire) == on) == it.on.contains(&wire))
        });
        sentence.map_or("", |it| &it.says)
    }
}

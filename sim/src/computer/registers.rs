//! The registers of a board as probes on its lines: masters and slaves.

use gray1_isa::Word;

use crate::board::checked::NetId;
use crate::board::registers::{address_lines, master, opcode};
use crate::circuit::interface::Circuit;
use crate::circuit::probe::Probe;

/// The lines of A, C and the instruction register.
#[derive(Debug)]
pub(crate) struct RegisterProbes {
    pub(crate) a: Probe,
    pub(crate) a_master: Probe,
    pub(crate) carry: Probe,
    pub(crate) carry_master: Probe,
    opcode: Probe,
    operand: Probe,
}

impl RegisterProbes {
    /// Finds the registers of a board. The error names one that is not made of latches.
    pub(crate) fn of(circuit: &impl Circuit) -> Result<Self, &'static str> {
        let board = circuit.board();
        let probes = board.probes();
        let masters = |lines: &[NetId], register: &'static str| -> Result<Probe, &'static str> {
            let masters = lines.iter().map(|&line| master(board, line));
            let masters: Vec<NetId> = masters.collect::<Option<_>>().ok_or(register)?;
            Ok(circuit.probe(&masters))
        };
        Ok(Self {
            a: circuit.probe(&probes.a),
            a_master: masters(&probes.a, "A")?,
            carry: circuit.probe(&[probes.carry]),
            carry_master: masters(&[probes.carry], "C")?,
            opcode: circuit.probe(&opcode(board).ok_or("the opcode")?),
            operand: circuit.probe(&address_lines(board, board.memory())),
        })
    }

    /// The levels of the lines while the registers hold this, masters and slaves alike.
    pub(crate) fn holding(&self, a: u8, carry: bool, word: Word) -> [(&Probe, u32); 6] {
        [
            (&self.a, a.into()),
            (&self.a_master, a.into()),
            (&self.carry, carry.into()),
            (&self.carry_master, carry.into()),
            (&self.opcode, word.op().code().into()),
            (&self.operand, word.field().into()),
        ]
    }
}

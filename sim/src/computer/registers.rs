//! The registers of a board as probes on its wires: masters and slaves.

use gray1_isa::{RomIndex, Word};

use crate::board::checked::NetId;
use crate::board::registers::{address_lines, master, opcode, program_counters};
use crate::board::role::Code;
use crate::circuit::interface::Circuit;
use crate::circuit::plans::batch::Batch;
use crate::circuit::probe::Probe;

/// The wires of A, C and the instruction register.
#[derive(Debug)]
pub(crate) struct RegisterProbes {
    pub(crate) a: Probe,
    pub(crate) a_master: Probe,
    pub(crate) carry: Probe,
    pub(crate) carry_master: Probe,
    /// The instruction register, as the bits of a word.
    word: Probe,
}

/// A part of the program counter.
#[derive(Debug)]
pub(crate) struct CounterWires {
    wires: Probe,
    /// The number of bits that it has.
    width: u32,
    /// How many bits of the program's address lie below it.
    shift: u32,
}

impl CounterWires {
    /// The parts of a board's program counter. The error names it if there are none.
    pub(crate) fn of(circuit: &impl Circuit) -> Result<Vec<Self>, &'static str> {
        let counters = program_counters(circuit.board()).into_iter().map(|(wires, shift)| Self {
            wires: circuit.probe(&wires),
            width: wires.len() as u32,
            shift,
        });
        let counters: Vec<Self> = counters.collect();
        if counters.is_empty() { Err("the program counter") } else { Ok(counters) }
    }

    /// The levels of its wires at the first byte of an instruction.
    pub(crate) fn holding(&self, pc: RomIndex, code: Code) -> (&Probe, u32) {
        // Two bytes an instruction; a code of few bits is the low end of the number's.
        let count = ((2 * pc.get()) >> self.shift) & u16::MAX >> (u16::BITS - self.width);
        (&self.wires, u32::from(code.encode(count)))
    }
}

impl RegisterProbes {
    /// Finds the registers of a board. The error names one that is not made of latches.
    pub(crate) fn of(circuit: &impl Circuit) -> Result<Self, &'static str> {
        let board = circuit.board();
        let probes = board.probes();
        let masters = |wires: &[NetId], register: &'static str| -> Result<Probe, &'static str> {
            let masters = wires.iter().map(|&wire| master(board, wire));
            let masters: Vec<NetId> = masters.collect::<Option<_>>().ok_or(register)?;
            Ok(circuit.probe(&masters))
        };
        let mut word = address_lines(board, board.memory());
        word.extend(opcode(board).ok_or("the opcode")?);
        Ok(Self {
            a: circuit.probe(&probes.a),
            a_master: masters(&probes.a, "A")?,
            carry: circuit.probe(&[probes.carry]),
            carry_master: masters(&[probes.carry], "C")?,
            word: circuit.probe(&word),
        })
    }

    /// The word that the instruction register holds.
    pub(crate) fn word(&self, circuit: &impl Circuit) -> Word {
        Word::from_bits(circuit.read(&self.word) as u16)
    }

    /// The word that the instruction register holds in one of several states.
    pub(crate) fn word_in(&self, states: &Batch, state: usize) -> Word {
        Word::from_bits(states.read(&self.word, state) as u16)
    }

    /// The levels of the wires while the registers hold this, masters and slaves alike.
    pub(crate) fn holding(&self, a: u8, carry: bool, word: Word) -> [(&Probe, u32); 5] {
        [
            (&self.a, a.into()),
            (&self.a_master, a.into()),
            (&self.carry, carry.into()),
            (&self.carry_master, carry.into()),
            (&self.word, word.bits().into()),
        ]
    }
}

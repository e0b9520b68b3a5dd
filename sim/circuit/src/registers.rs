//! The registers of a board as probes on its wires: masters and slaves. What an instruction means
//! is unknown here: the instruction register holds 16 bits.

use gray1_board::NetId;
use gray1_board::registers::{address_wires, master, opcode, program_counters};
use gray1_board::role::Code;
use gray1_isa::RomIndex;

use crate::{Circuit, Probe};

/// The wires of A, C and the instruction register.
#[derive(Debug)]
pub struct RegisterProbes {
    /// A: the slave.
    pub a: Probe,
    /// The master of A.
    pub a_master: Probe,
    /// C: the slave.
    pub carry: Probe,
    /// The master of C.
    pub carry_master: Probe,
    instruction: Probe,
}

/// A part of the program counter.
#[derive(Debug)]
pub struct CounterWires {
    wires: Probe,
    /// The number of bits that it has.
    width: u32,
    /// How many bits of the program's address lie below it.
    shift: u32,
}

impl CounterWires {
    /// The parts of a board's program counter.
    ///
    /// # Errors
    /// Names the program counter if the board has none.
    pub fn of(circuit: &impl Circuit) -> Result<Vec<Self>, &'static str> {
        let counters = program_counters(circuit.board()).into_iter().map(|(wires, shift)| Self {
            wires: circuit.probe(&wires),
            width: wires.len() as u32,
            shift,
        });
        let counters: Vec<Self> = counters.collect();
        if counters.is_empty() { Err("the program counter") } else { Ok(counters) }
    }

    /// The levels of its wires at the first byte of an instruction.
    #[must_use]
    pub fn holding(&self, pc: RomIndex, code: Code) -> (&Probe, u32) {
        // Two bytes an instruction; a code of few bits is the low end of the number's.
        let count = ((2 * pc.get()) >> self.shift) & u16::MAX >> (u16::BITS - self.width);
        (&self.wires, u32::from(code.encode(count)))
    }
}

impl RegisterProbes {
    /// Finds the registers of a board.
    ///
    /// # Errors
    /// Names one that is not made of latches.
    pub fn of(circuit: &impl Circuit) -> Result<Self, &'static str> {
        let board = circuit.board();
        let probes = board.probes();
        let masters = |wires: &[NetId], register: &'static str| -> Result<Probe, &'static str> {
            let masters = wires.iter().map(|&wire| master(board, wire));
            let masters: Vec<NetId> = masters.collect::<Option<_>>().ok_or(register)?;
            Ok(circuit.probe(&masters))
        };
        let mut instruction = address_wires(board, board.memory());
        instruction.extend(opcode(board).ok_or("the opcode")?);
        Ok(Self {
            a: circuit.probe(&probes.a),
            a_master: masters(&probes.a, "A")?,
            carry: circuit.probe(&[probes.carry]),
            carry_master: masters(&[probes.carry], "C")?,
            instruction: circuit.probe(&instruction),
        })
    }

    /// The bits that the instruction register holds.
    pub fn instruction(&self, circuit: &impl Circuit) -> u16 {
        circuit.read(&self.instruction) as u16
    }

    /// The levels of the wires while the registers hold this, masters and slaves alike.
    #[must_use]
    pub fn holding(&self, a: u8, carry: bool, instruction: u16) -> [(&Probe, u32); 5] {
        [
            (&self.a, a.into()),
            (&self.a_master, a.into()),
            (&self.carry, carry.into()),
            (&self.carry_master, carry.into()),
            (&self.instruction, instruction.into()),
        ]
    }
}

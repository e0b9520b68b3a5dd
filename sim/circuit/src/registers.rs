//! Probes on the registers of a board: masters and slaves. This module does not interpret
//! instructions, so the instruction register is just a 16-bit number.

use gray1_board::NetId;
use gray1_board::registers::{address_wires, master_wire, opcode_wires, program_counters};
use gray1_board::role::Code;
use gray1_isa::RomIndex;

use crate::{Circuit, Probe};

/// Probes on A, C and the instruction register.
#[derive(Debug)]
pub struct RegisterProbes {
    /// The slave of A, which is its visible value.
    pub a: Probe,
    /// The master of A.
    pub a_master: Probe,
    /// The slave of C, which is its visible value.
    pub carry: Probe,
    /// The master of C.
    pub carry_master: Probe,
    instruction: Probe,
}

/// Part of the program counter.
#[derive(Debug)]
pub struct CounterWires {
    wires: Probe,
    /// The number of bits.
    width: u32,
    /// The number of bits of the program's address below this part.
    shift: u32,
}

impl CounterWires {
    /// Returns the parts of a board's program counter.
    ///
    /// # Errors
    /// The name of the program counter, if the board has none.
    pub fn find(circuit: &impl Circuit) -> Result<Vec<Self>, &'static str> {
        let counters = program_counters(circuit.board()).into_iter().map(|(wires, shift)| Self {
            wires: circuit.probe(&wires),
            width: wires.len() as u32,
            shift,
        });
        let counters: Vec<Self> = counters.collect();
        if counters.is_empty() { Err("the program counter") } else { Ok(counters) }
    }

    /// Returns the levels of its wires at the first byte of an instruction.
    pub fn levels_for(&self, pc: RomIndex, code: Code) -> (&Probe, u32) {
        // There are two bytes per instruction. The code of a low part depends only on the low bits.
        let count = ((2 * pc.get()) >> self.shift) & u16::MAX >> (u16::BITS - self.width);
        (&self.wires, u32::from(code.encode(count)))
    }
}

impl RegisterProbes {
    /// Finds the registers of a board.
    ///
    /// # Errors
    /// The name of a register that is not made of latches.
    pub fn find(circuit: &impl Circuit) -> Result<Self, &'static str> {
        let board = circuit.board();
        let probes = board.probes();
        let masters = |wires: &[NetId], register: &'static str| -> Result<Probe, &'static str> {
            let masters = wires.iter().map(|&wire| master_wire(board, wire));
            let masters: Vec<NetId> = masters.collect::<Option<_>>().ok_or(register)?;
            Ok(circuit.probe(&masters))
        };
        let mut instruction = address_wires(board, board.memory());
        instruction.extend(opcode_wires(board).ok_or("the opcode")?);
        Ok(Self {
            a: circuit.probe(&probes.a),
            a_master: masters(&probes.a, "A")?,
            carry: circuit.probe(&[probes.carry]),
            carry_master: masters(&[probes.carry], "C")?,
            instruction: circuit.probe(&instruction),
        })
    }

    /// Returns the 16 bits of the instruction register.
    pub fn instruction(&self, circuit: &impl Circuit) -> u16 {
        circuit.read(&self.instruction) as u16
    }

    /// Returns the levels of the wires for these register values, the same for masters and slaves.
    pub fn levels_for(&self, a: u8, carry: bool, instruction: u16) -> [(&Probe, u32); 5] {
        [
            (&self.a, a.into()),
            (&self.a_master, a.into()),
            (&self.carry, carry.into()),
            (&self.carry_master, carry.into()),
            (&self.instruction, instruction.into()),
        ]
    }
}

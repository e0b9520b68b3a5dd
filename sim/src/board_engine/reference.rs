//! For tests: the programmer's view of the machine in a few lines, which boards are compared with.

use gray1_board::{Board, Phase};
use gray1_circuit::{ChipState, Circuit, RunsCycles, Settled, Timed, Timing, power_up_state};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::BUTTONS;
use gray1_isa::{Executed, Image, Op, PowerUpContents, RomIndex, SplitMix64, Write};

use super::BoardEngine;
use crate::Registers;
use crate::engine::Engine;

/// The machine as a programmer sees it.
#[derive(Debug, Clone)]
pub(crate) struct Reference<'a> {
    pub(crate) program: &'a Image,
    pub(crate) registers: Registers,
    pub(crate) memory: Box<[u8; RAM_BYTES]>,
}

impl<'a> Reference<'a> {
    pub(crate) fn new(program: &'a Image, contents: PowerUpContents) -> Self {
        let PowerUpContents { a, carry, ram: memory } = contents;
        Self { program, registers: Registers { a, carry, pc: RomIndex::default() }, memory }
    }

    pub(crate) fn step(&mut self) -> Executed {
        let Registers { a, carry, pc: index } = &mut self.registers;
        let (at, word) = (*index, self.program.word(*index));
        let x = word.address();
        let byte = &mut self.memory[x.to_usize()];
        let mut write = None;
        *index = at.next();
        match word.op() {
            Op::Ldi => *a = word.immediate(),
            Op::Ld => *a = *byte,
            Op::St => {
                write = Some(Write { address: x, old: *byte, new: *a });
                *byte = *a;
            }
            Op::Add => {
                let sum = u16::from(*a) + u16::from(*byte);
                (*a, *carry) = (sum as u8, sum > 255);
            }
            Op::Nand => *a = 255 - (*a & *byte),
            Op::Shr => (*carry, *a) = (*a % 2 == 1, *a / 2),
            Op::Jc if !*carry => {}
            Op::Jc | Op::Jmp => *index = word.target(),
        }
        let read = matches!(word.op(), Op::Ld | Op::Add | Op::Nand).then_some(*byte);
        Executed { index: at, word, write, read }
    }

    /// Executes an instruction here and on a computer; whether they did the same.
    pub(crate) fn agrees<C: RunsCycles + Clone + 'static>(
        &mut self,
        engine: &mut BoardEngine<C>,
    ) -> bool {
        // At the end of a program the hardware goes on.
        engine.halted = false;
        engine.step() == Some(self.step()) && engine.registers() == self.registers
    }

    /// Presses reset on an engine some edges into an instruction; whether the registers and
    /// memory are as they should be.
    pub(crate) fn agrees_after_reset<C: RunsCycles + Clone + 'static>(
        &mut self,
        engine: &mut BoardEngine<C>,
        edges: u64,
    ) -> bool {
        engine.halted = false;
        for _ in 0..edges {
            engine.edge();
        }
        // Reset lets an instruction complete that has begun.
        let phase = engine.phase();
        if phase > Phase::T1 || phase == Phase::T0 && edges > 0 {
            self.step();
        }
        engine.reset();
        self.registers.pc = RomIndex::default();
        self.memory[BUTTONS.to_usize()] = 0;
        engine.registers() == self.registers && *engine.ram() == *self.memory
    }
}

/// Another program in the socket of a board, which is powered up again.
pub(crate) fn insert(
    engine: BoardEngine<Settled>,
    program: &Image,
    contents: PowerUpContents,
) -> BoardEngine<Settled> {
    let mut circuit = engine.into_circuit();
    let board = circuit.board().with_program(program);
    let state = power_up_state(&board, contents);
    circuit.insert(board);
    circuit.power_up(&state).unwrap();
    BoardEngine::new(circuit).unwrap()
}

pub(crate) fn random_memory(random: &mut SplitMix64) -> Box<[u8; RAM_BYTES]> {
    let mut memory = Box::new([0; RAM_BYTES]);
    memory.iter_mut().for_each(|byte| *byte = random.byte());
    // The panel clears the buttons as it resets.
    memory[gray1_isa::panel::BUTTONS.to_usize()] = 0;
    memory
}

/// Random registers and memory.
pub(crate) fn random_contents(random: &mut SplitMix64) -> PowerUpContents {
    let (a, carry) = (random.byte(), random.coin());
    PowerUpContents { a, carry, ram: random_memory(random) }
}

/// Random delays for every chip, and a phase longer than any path through the board.
pub(crate) fn random_timing(board: &Board, random: &mut SplitMix64) -> Timing {
    let mut timing = Timing::of(board, random.next());
    for (shortest, longest) in &mut timing.delays_ps {
        *longest = 1 + random.below(200_000);
        *shortest = random.below(*longest);
    }
    timing.phase_ps = timing.delays_ps.iter().map(|(_, longest)| longest).sum();
    timing.mixes = random.coin();
    timing
}

/// Powers a board up in any state, and runs it against the reference with resets at random
/// moments; at which instruction it differed.
pub(crate) fn timed_run(
    board: &Board,
    program: &Image,
    timing: &Timing,
    random: &mut SplitMix64,
) -> Option<u64> {
    let outputs = board.chips().iter().map(|_| random.byte()).collect();
    let state = ChipState { memory: random_memory(random), outputs };
    let timed = Timed::new(board, &state, timing.clone()).unwrap();
    let mut engine = BoardEngine::new(timed).ok()?;
    let Registers { a, carry, .. } = engine.registers();
    let ram = Box::new(*engine.ram());
    let mut reference = Reference::new(program, PowerUpContents { a, carry, ram });
    (0..100).find(|_| {
        let agrees = reference.agrees(&mut engine);
        let resets = random.below(10) == 0;
        !agrees || resets && !reference.agrees_after_reset(&mut engine, random.below(8))
    })
}

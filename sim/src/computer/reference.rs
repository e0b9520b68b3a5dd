//! For tests: the programmer's view of the machine in a few lines, which boards are compared with,
//! and random programs, for any 16 bits are an instruction.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::BUTTONS;
use gray1_isa::{Image, Op, RomIndex, Word};

use super::{Computer, Restorable, initial};
use crate::board::{Board, ChipId, Parts};
use crate::circuit::{ChipState, Circuit, Settled, Timed, Timing};
use crate::engine::Engine;
use crate::power_up::PowerUpContents;
use crate::{Executed, Phase, Registers, SplitMix64, Write};

pub(crate) const GRAY1: &str = include_str!("../../../roms/gray1.ron");
pub(crate) const BINARY: &str = include_str!("../../../roms/binary-counter.ron");
pub(crate) const PANEL: &str = include_str!("../../../roms/gray1-b.ron");

/// The parts of the built-in boards.
pub(crate) fn parts() -> Parts {
    Parts::load(include_str!("../../../roms/parts.ron")).unwrap()
}

pub(crate) fn board(text: &str) -> Board {
    Board::load(text, &parts(), |_| Err(String::new())).unwrap()
}

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
    pub(crate) fn agrees<C: Restorable>(&mut self, computer: &mut Computer<C>) -> bool {
        // At the end of a program the hardware goes on.
        computer.halted = false;
        computer.step() == Some(self.step()) && computer.registers() == self.registers
    }

    /// Presses reset on a computer some edges into an instruction; whether the registers and
    /// memory are as they should be.
    pub(crate) fn agrees_after_reset<C: Restorable>(
        &mut self,
        computer: &mut Computer<C>,
        edges: u64,
    ) -> bool {
        computer.halted = false;
        for _ in 0..edges {
            computer.edge();
        }
        // Reset lets an instruction complete that has begun.
        let phase = computer.phase();
        if phase > Phase::T1 || phase == Phase::T0 && edges > 0 {
            self.step();
        }
        computer.reset();
        self.registers.pc = RomIndex::default();
        self.memory[BUTTONS.to_usize()] = 0;
        computer.registers() == self.registers && *computer.ram() == *self.memory
    }
}

/// A board with this program, powered up with these contents, and the reference.
pub(crate) fn settled(
    board: &Board,
    program: &Image,
    contents: PowerUpContents,
) -> Computer<Settled> {
    let state = initial::holding(board, contents);
    Computer::new(Settled::new(&board.with_program(program), &state).unwrap()).unwrap()
}

/// A board with a random program and power-up contents.
pub(crate) fn settled_at_random(board: &Board, random: &mut SplitMix64) -> Settled {
    let program = random_program(random);
    settled(board, &program, random_contents(random)).into_circuit()
}

/// A board with wrong bits in a byte of a chip.
pub(crate) fn with_wrong_bits(board: &Board, chip: ChipId, address: usize, bits: u8) -> Board {
    let mut contents = board.chip(chip).contents().to_vec();
    contents[address] ^= bits;
    board.with_contents(chip, contents).unwrap()
}

/// Another program in the socket of a board, which is powered up again.
pub(crate) fn insert(
    computer: Computer<Settled>,
    program: &Image,
    contents: PowerUpContents,
) -> Computer<Settled> {
    let mut circuit = computer.into_circuit();
    let board = circuit.board().with_program(program);
    let state = initial::holding(&board, contents);
    circuit.insert(board);
    circuit.power_up(&state).unwrap();
    Computer::new(circuit).unwrap()
}

/// A program of random words, jumps kept near so that it does not soon end in a loop of two, and
/// data kept near so that it is read again.
pub(crate) fn random_program(random: &mut SplitMix64) -> Image {
    let wild = random.below(4) == 0;
    let words: Vec<Word> = (0..8192)
        .map(|index| {
            let bits = random.next() as u16;
            let word = Word::from_bits(bits);
            let near = RomIndex::truncate((index + random.below(40) + 8192 - 8) as u16);
            match word.op() {
                op @ (Op::Jc | Op::Jmp) if !wild => Word::jump(op, near),
                op @ (Op::Ld | Op::St | Op::Add | Op::Nand) if !wild => {
                    Word::data(op, gray1_isa::RamAddr::truncate(word.address().get() & 0x1f))
                }
                _ => word,
            }
        })
        .collect();
    Image::from_words(&words).unwrap()
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
    let mut computer = Computer::new(timed).ok()?;
    let Registers { a, carry, .. } = computer.registers();
    let ram = Box::new(*computer.ram());
    let mut reference = Reference::new(program, PowerUpContents { a, carry, ram });
    (0..100).find(|_| {
        let agrees = reference.agrees(&mut computer);
        let resets = random.below(10) == 0;
        !agrees || resets && !reference.agrees_after_reset(&mut computer, random.below(8))
    })
}

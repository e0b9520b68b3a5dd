//! For tests: the programmer's view of the machine in a few lines, to hold the boards to. And
//! random programs, for any 16 bits are an instruction.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::BUTTONS;
use gray1_isa::{Image, Op, RomIndex, Word};

use super::panel::{Executed, Panel};
use super::{Circuit, PowerUp, Timed, Timing, Write};
use crate::board::Board;

pub(crate) const GRAY1: &str = include_str!("../../../roms/gray1.ron");
pub(crate) const BINARY: &str = include_str!("../../../roms/binary-counter.ron");

pub(crate) fn board(text: &str) -> Board {
    Board::load(text, |_| Err(String::new())).unwrap()
}

/// The machine as a programmer sees it.
#[derive(Debug, Clone)]
pub(crate) struct Reference<'a> {
    pub(crate) program: &'a Image,
    pub(crate) index: RomIndex,
    pub(crate) a: u8,
    pub(crate) carry: bool,
    pub(crate) memory: Box<[u8; RAM_BYTES]>,
}

impl<'a> Reference<'a> {
    pub(crate) fn new(program: &'a Image, power_up: &PowerUp, a: u8, carry: bool) -> Self {
        let memory = power_up.memory.clone();
        Self { program, index: RomIndex::default(), a, carry, memory }
    }

    pub(crate) fn step(&mut self) -> Executed {
        let (index, word) = (self.index, self.program.word(self.index));
        let x = word.address();
        let mut writes = Vec::new();
        self.index = index.next();
        match word.op() {
            Op::Ldi => self.a = word.immediate(),
            Op::Ld => self.a = self.memory[x.to_usize()],
            Op::St => {
                self.memory[x.to_usize()] = self.a;
                writes.push(Write { address: x, byte: self.a });
            }
            Op::Add => {
                let sum = u16::from(self.a) + u16::from(self.memory[x.to_usize()]);
                (self.a, self.carry) = (sum as u8, sum > 255);
            }
            Op::Nand => self.a = 255 - (self.a & self.memory[x.to_usize()]),
            Op::Shr => (self.carry, self.a) = (self.a % 2 == 1, self.a / 2),
            Op::Jc if !self.carry => {}
            Op::Jc | Op::Jmp => self.index = word.target(),
        }
        Executed { index, word, a: self.a, carry: self.carry, writes }
    }
}

/// A source of random numbers that gives the same ones every time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> u64 {
        // Knuth's multiplier; the high bits are the good ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0 >> 32
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.roll() as u8
    }
}

/// A program of random words, jumps kept near so that it does not soon end in a loop of two, and
/// data kept near so that it is read again.
pub(crate) fn random_program(dice: &mut Dice) -> Image {
    let wild = dice.below(4) == 0;
    let words: Vec<Word> = (0..8192)
        .map(|index| {
            let bits = dice.roll() as u16;
            let word = Word::from_bits(bits);
            let near = RomIndex::truncate((index + dice.below(40) + 8192 - 8) as u16);
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

pub(crate) fn random_memory(dice: &mut Dice) -> Box<[u8; RAM_BYTES]> {
    let mut memory = Box::new([0; RAM_BYTES]);
    memory.iter_mut().for_each(|byte| *byte = dice.byte());
    // The panel clears the buttons as it resets.
    memory[gray1_isa::panel::BUTTONS.to_usize()] = 0;
    memory
}

/// Random delays for every chip, and a phase longer than any path through the board.
pub(crate) fn random_timing(board: &Board, dice: &mut Dice) -> Timing {
    let mut timing = Timing::of(board, 0, dice.roll());
    for (shortest, longest) in &mut timing.delays_ps {
        *longest = 1 + dice.below(200_000);
        *shortest = dice.below(*longest);
    }
    timing.phase_ps = timing.delays_ps.iter().map(|(_, longest)| longest).sum();
    timing.mixes = dice.below(2) == 1;
    timing
}

/// Powers a board up in any state, and runs it against the reference with resets at random
/// moments; says at which instruction it differed.
pub(crate) fn timed_run(
    board: &Board,
    program: &Image,
    timing: &Timing,
    dice: &mut Dice,
) -> Option<u64> {
    let outputs = board.chips().iter().map(|_| dice.byte()).collect();
    let power_up = PowerUp { memory: random_memory(dice), outputs };
    let mut panel = Panel::new(Timed::power_up(board, &power_up, timing).unwrap()).ok()?;
    let memory = Box::new(*panel.circuit().memory());
    let power_up = PowerUp { memory, outputs: Vec::new() };
    let mut reference = Reference::new(program, &power_up, panel.a(), panel.carry());
    for n in 0..100 {
        if panel.step() != Ok(reference.step()) {
            return Some(n);
        }
        if dice.below(10) == 0 {
            let edges = dice.below(8);
            (0..edges).for_each(|_| panel.circuit_mut().edge().unwrap());
            if panel.phase_number() > 1 || panel.phase_number() == 0 && edges > 0 {
                reference.step();
            }
            panel.reset().unwrap();
            reference.index = RomIndex::default();
            reference.memory[BUTTONS.to_usize()] = 0;
            let registers = (panel.a(), panel.carry()) == (reference.a, reference.carry);
            if !registers || panel.circuit().memory() != &*reference.memory {
                return Some(n);
            }
        }
    }
    None
}

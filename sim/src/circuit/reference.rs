//! For tests: the programmer's view of the machine in a few lines, to hold the boards to. And
//! random programs, for any 16 bits are an instruction.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Image, Op, RomIndex, Word};

use super::panel::Executed;
use super::{PowerUp, Write};
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

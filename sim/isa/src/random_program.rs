//! Random programs for comparing engines. Any 16 bits are a valid instruction.

use crate::address::ROM_WORDS;
use crate::{Image, Op, RamAddr, RomIndex, SplitMix64, Word};

/// Generates a program of random words.
///
/// In three quarters of the programs, jumps go to nearby instructions, so that they rarely end in a
/// loop of two instructions. Data addresses are close together, so that programs read bytes that
/// they wrote.
///
/// # Panics
/// Never. The words exactly fill program memory.
pub fn random_program(random: &mut SplitMix64) -> Image {
    let wild = random.below(4) == 0;
    let words: Vec<Word> = (0..ROM_WORDS as u64)
        .map(|index| {
            let word = Word::from_bits(random.next() as u16);
            let near = RomIndex::truncate((index + random.below(40) + 8192 - 8) as u16);
            match word.op() {
                op @ (Op::Jc | Op::Jmp) if !wild => Word::jump(op, near),
                op @ (Op::Ld | Op::St | Op::Add | Op::Nand) if !wild => {
                    Word::data(op, RamAddr::truncate(word.address().get() & 0x1f))
                }
                _ => word,
            }
        })
        .collect();
    Image::from_words(&words).expect("the words fill program memory")
}

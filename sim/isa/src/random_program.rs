//! Random programs, to compare engines on: any 16 bits are an instruction.

use crate::address::ROM_WORDS;
use crate::{Image, Op, RamAddr, RomIndex, SplitMix64, Word};

/// A program of random words. In three quarters of them jumps are near, so that they do not soon
/// end in a loop of two, and data are near, so that bytes are read again.
///
/// # Panics
/// Never: the words fill program memory.
#[must_use]
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

//! Makes new inputs from known ones: it deletes bytes, words or lines, replaces them by others, or
//! repeats them. Its output depends only on the seed.

use std::ops::Range;

use gray1_isa::SplitMix64;

/// The maximum total length of an input and another input of which a piece is inserted. Repetition
/// can make inputs longer.
const SPLICED_BYTES_MAX: usize = 1 << 16;
/// The maximum length of an input.
const BYTES_MAX: usize = 1 << 21;
/// The maximum number of repetitions. It is large enough to reach the limits of the code under
/// test.
const REPEATS_MAX: usize = 20_000;
/// Numbers at or next to limits.
const NUMBERS: &str = "0 1 -1 5 64 65 255 256 -129 8191 8192 0x1fdf 262145 9223372036854775807";

/// A generator of new inputs.
pub(crate) struct Mutator {
    random: SplitMix64,
    /// The words, numbers and signs of the original inputs.
    tokens: Vec<Vec<u8>>,
}

impl Mutator {
    pub(crate) fn new(seed: u64, inputs: &[Vec<u8>]) -> Self {
        let numbers = NUMBERS.split(' ').map(str::as_bytes);
        let words = inputs.iter().flat_map(|input| words(input));
        let words = words.filter(|word| word.len() <= 40 && !word[0].is_ascii_whitespace());
        let mut tokens: Vec<Vec<u8>> = numbers.chain(words).map(<[u8]>::to_vec).collect();
        tokens.sort_unstable();
        tokens.dedup();
        Self { random: SplitMix64::new(seed), tokens }
    }

    /// A random number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit as u64) as usize
    }

    /// Makes a new input from one of these and pieces of others.
    pub(crate) fn mutant(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        // Prefers the shorter of two: short inputs run faster and find as much.
        let candidates = [0; 2].map(|_| &inputs[self.below(inputs.len())]);
        let mut input = candidates.into_iter().min_by_key(|input| input.len()).unwrap().clone();
        for _ in 0..=self.below(6) {
            let other = &inputs[self.below(inputs.len())];
            self.change(&mut input, other);
        }
        input.truncate(BYTES_MAX);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let mut range = self.range(input);
        let new = match self.below(16) {
            0..=2 => Vec::new(),
            3 => vec![self.random.byte()],
            4..=10 => {
                let token = self.below(self.tokens.len());
                self.tokens[token].clone()
            }
            11 | 12 => {
                let times = if self.below(16) == 0 { REPEATS_MAX } else { 70 };
                let times = self.below(times).min(BYTES_MAX / (range.len() + 1));
                input[range.clone()].repeat(times)
            }
            _ if input.len() + other.len() > SPLICED_BYTES_MAX => Vec::new(),
            _ => other[self.range(other)].to_vec(),
        };
        // The new piece replaces the old one, or is inserted before it.
        if !new.is_empty() && self.below(3) == 0 {
            range.end = range.start;
        }
        input.splice(range, new);
    }

    /// A random range of bytes, often a short one, a word, or some lines.
    fn range(&mut self, input: &[u8]) -> Range<usize> {
        let (lengths, count): (Vec<usize>, _) = match self.below(4) {
            0 if self.below(4) == 0 => (vec![1; input.len()], input.len()),
            0 => (vec![1; input.len()], 12),
            1 => (input.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::len).collect(), 8),
            _ => (words(input).map(<[u8]>::len).collect(), 1),
        };
        let first = self.below(lengths.len() + 1);
        let count = 1 + self.below(count.max(1));
        let start: usize = lengths[..first].iter().sum();
        start..start + lengths[first..].iter().take(count).sum::<usize>()
    }
}

/// Splits an input into words and the single bytes between them. Dots and `@` are parts of words.
fn words(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.@".contains(byte);
    input.chunk_by(move |a, b| is_word(a) && is_word(b))
}

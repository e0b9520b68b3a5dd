//! Makes new inputs out of known ones: cuts, copies, splices, swaps tokens and bytes. What it makes
//! depends on the seed alone.

use gray1_isa::SplitMix64;

/// Longer inputs than this come only of repeating a piece.
const SPLICED_BYTES_MAX: usize = 1 << 16;
/// No input is longer.
const BYTES_MAX: usize = 1 << 21;
/// How often a piece is repeated, at most.
const REPEATS_MAX: usize = 20_000;
/// Numbers at which something ends.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "5",
    "64",
    "65",
    "255",
    "256",
    "-129",
    "8191",
    "8192",
    "0x1fdf",
    "262145",
    "9223372036854775807",
];

/// Random numbers.
struct Random(SplitMix64);

impl Random {
    /// A number below a limit; 0 if there is none.
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// See the top of this file.
pub(crate) struct Mutator {
    random: Random,
    /// Words, numbers and signs of the inputs that it was made for.
    tokens: Vec<Vec<u8>>,
}

impl Mutator {
    pub(crate) fn new(seed: u64, inputs: &[Vec<u8>]) -> Self {
        let mut tokens: Vec<Vec<u8>> = NUMBERS.iter().map(|text| text.as_bytes().into()).collect();
        tokens.extend(inputs.iter().flat_map(|input| words(input)).map(<[u8]>::to_vec));
        tokens.sort_unstable();
        tokens.dedup();
        Self { random: Random(SplitMix64::new(seed)), tokens }
    }

    /// A new input, made of one of these and pieces of others.
    pub(crate) fn mutant(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        // Short inputs are quick, and as good as long ones.
        let candidates = [self.random.pick(inputs), self.random.pick(inputs)];
        let mut input = candidates.into_iter().min_by_key(|input| input.len()).unwrap().clone();
        for _ in 0..=self.random.below(6) {
            let other = self.random.pick(inputs);
            self.change(&mut input, other);
        }
        input.truncate(BYTES_MAX);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        match self.random.below(16) {
            0 => self.cut(input),
            1 => self.cut_lines(input),
            2 => self.flip(input),
            3 => {
                let byte = self.random.0.byte();
                self.replace_piece(input, &[byte]);
            }
            4 => self.repeat(input),
            5 | 6 => {
                let at = self.random.below(input.len() + 1);
                let token = self.random.pick(&self.tokens).clone();
                input.splice(at..at, token);
            }
            7..=11 => self.replace_token(input),
            12 => input.truncate(self.random.below(input.len() + 1)),
            13 => {
                let piece = self.piece(other).to_vec();
                self.replace_piece(input, &piece);
            }
            _ => self.insert_lines(input, other),
        }
    }

    /// A stretch of the input, often a short one.
    fn range(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let start = self.random.below(input.len() + 1);
        let longest = if self.random.below(4) == 0 { input.len() } else { 12 };
        let end = start + self.random.below(longest.min(input.len() - start) + 1);
        start..end
    }

    fn piece<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let range = self.range(input);
        &input[range]
    }

    fn cut(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input);
        input.drain(range);
    }

    fn flip(&mut self, input: &mut [u8]) {
        let at = self.random.below(input.len());
        if let Some(byte) = input.get_mut(at) {
            *byte ^= 1 << self.random.below(8);
        }
    }

    fn replace_piece(&mut self, input: &mut Vec<u8>, piece: &[u8]) {
        let range = self.range(input);
        if input.len() + piece.len() <= SPLICED_BYTES_MAX {
            input.splice(range, piece.iter().copied());
        }
    }

    fn replace_token(&mut self, input: &mut Vec<u8>) {
        let all = words(input);
        let Some(word) = (!all.is_empty()).then(|| *self.random.pick(&all)) else { return };
        let start = word.as_ptr() as usize - input.as_ptr() as usize;
        let range = start..start + word.len();
        let token = self.random.pick(&self.tokens).clone();
        input.splice(range, token);
    }

    /// Whole lines from a random one on.
    fn lines(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let starts: Vec<usize> = std::iter::once(0)
            .chain((0..input.len()).filter(|&at| input[at] == b'\n').map(|at| at + 1))
            .chain([input.len()])
            .collect();
        let first = self.random.below(starts.len() - 1);
        let count = 1 + self.random.below(8);
        starts[first]..starts[(first + count).min(starts.len() - 1)]
    }

    fn cut_lines(&mut self, input: &mut Vec<u8>) {
        let range = self.lines(input);
        input.drain(range);
    }

    fn insert_lines(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let lines = other[self.lines(other)].to_vec();
        let at = self.lines(input).start;
        if input.len() + lines.len() <= SPLICED_BYTES_MAX {
            input.splice(at..at, lines);
        }
    }

    /// Repeats a piece, now and then so often that bounds are met.
    fn repeat(&mut self, input: &mut Vec<u8>) {
        let range = if self.random.below(2) == 0 { self.lines(input) } else { self.range(input) };
        let times = if self.random.below(16) == 0 { REPEATS_MAX } else { 70 };
        let times = self.random.below(times).min(BYTES_MAX / (range.len() + 1));
        let piece = input[range.clone()].repeat(times);
        input.splice(range.end..range.end, piece);
    }
}

/// The words of a text, with a dot or an `@` before them, and the signs between.
fn words(input: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.@".contains(byte);
    let same = |a: &u8, b: &u8| is_word(a) && is_word(b);
    let words = input.chunk_by(same);
    words.filter(|word| word.len() <= 40 && !word[0].is_ascii_whitespace()).collect()
}

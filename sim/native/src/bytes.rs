//! The bytes of data memory that a program accesses, numbered, and sets of these bytes.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Operand, RamAddr};

use crate::flow::{Flow, Step};

/// Used in place of a number for a byte that the program does not access.
const NONE: u16 = u16::MAX;

/// The bytes that a program accesses.
#[derive(Debug)]
pub(crate) struct Accessed {
    /// The number of each byte of data memory, by address, or [`NONE`].
    numbers: Box<[u16; RAM_BYTES]>,
    /// The bytes, indexed by number.
    bytes: Vec<RamAddr>,
}

/// A set of accessed bytes, one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ByteSet(Box<[u64]>);

impl Accessed {
    /// Numbers the bytes that a program accesses.
    pub(crate) fn new(flow: &Flow<'_>) -> Self {
        let mut accessed = Self { numbers: Box::new([NONE; RAM_BYTES]), bytes: Vec::new() };
        for block in flow.blocks() {
            for step in flow.steps(block.head) {
                if let Step::Plain(word, _) = step
                    && word.op().operand() == Operand::Data
                    && accessed.number(word.address()) == NONE
                {
                    let number = accessed.bytes.len() as u16;
                    accessed.numbers[word.address().to_usize()] = number;
                    accessed.bytes.push(word.address());
                }
            }
        }
        accessed
    }

    pub(crate) fn number(&self, address: RamAddr) -> u16 {
        self.numbers[address.to_usize()]
    }

    /// The accessed bytes, indexed by number.
    pub(crate) fn bytes(&self) -> &[RamAddr] {
        &self.bytes
    }

    /// Returns the empty set.
    pub(crate) fn none(&self) -> ByteSet {
        ByteSet(vec![0; self.bytes.len().div_ceil(64)].into())
    }
}

impl ByteSet {
    pub(crate) fn contains(&self, number: u16) -> bool {
        self.0[usize::from(number / 64)] >> (number % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, number: u16) {
        self.0[usize::from(number / 64)] |= 1 << (number % 64);
    }

    pub(crate) fn remove(&mut self, number: u16) {
        self.0[usize::from(number / 64)] &= !(1 << (number % 64));
    }

    /// Removes the bytes that the other set does not contain. Returns whether there were any.
    pub(crate) fn intersect(&mut self, other: &Self) -> bool {
        let mut removed = 0;
        for (bits, others) in self.0.iter_mut().zip(&other.0) {
            removed |= *bits & !others;
            *bits &= others;
        }
        removed != 0
    }

    /// Removes the bytes that the other set contains.
    pub(crate) fn subtract(&mut self, other: &Self) {
        for (bits, others) in self.0.iter_mut().zip(&other.0) {
            *bits &= !others;
        }
    }

    /// The numbers of the bytes in the set.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(word as u16 * 64 + bit as u16)
            })
        })
    }
}

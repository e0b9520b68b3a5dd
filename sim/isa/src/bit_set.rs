//! Sets of numbers below a limit, with one bit for each number.

use std::marker::PhantomData;

use crate::RomIndex;
use crate::address::ROM_WORDS;

/// A set of numbers below a limit, with one bit for each number.
///
/// `T` is the type of its members. `W` holds the bits. It is an array if the limit is constant,
/// otherwise a `Vec`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitSet<T, W> {
    words: W,
    members: PhantomData<T>,
}

/// A set of instruction indexes.
pub type Indexes = BitSet<RomIndex, [u64; ROM_WORDS / 64]>;

impl<T, const WORDS: usize> BitSet<T, [u64; WORDS]> {
    /// The empty set of numbers below `64 * WORDS`.
    pub const NONE: Self = Self { words: [0; WORDS], members: PhantomData };
}

impl<T> BitSet<T, Vec<u64>> {
    /// Creates an empty set of numbers below `limit`.
    pub fn below(limit: usize) -> Self {
        Self { words: vec![0; limit.div_ceil(64)], members: PhantomData }
    }

    /// The bits of the members, 64 numbers in each word.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }
}

/// A member that is not below the set's limit panics.
impl<T: Into<usize>, W: AsRef<[u64]> + AsMut<[u64]>> BitSet<T, W> {
    /// Returns true if the set contains this member.
    #[inline]
    pub fn contains(&self, member: T) -> bool {
        let number = member.into();
        self.words.as_ref()[number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds a member. Returns whether it is new.
    #[inline]
    pub fn insert(&mut self, member: T) -> bool {
        self.set(member, true)
    }

    /// Adds or removes a member. Returns whether that changes the set.
    #[inline]
    pub fn set(&mut self, member: T, is_in: bool) -> bool {
        let number = member.into();
        let word = &mut self.words.as_mut()[number / 64];
        let bit = 1 << (number % 64);
        let before = *word;
        *word = if is_in { before | bit } else { before & !bit };
        *word != before
    }

    /// Adds all members of the other set.
    pub fn insert_all(&mut self, other: &Self) {
        self.combine(other, |own, others| own | others);
    }

    /// Combines the words of two sets with the same limit. Returns whether that changes this set.
    pub fn combine(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> bool {
        let mut changes = 0;
        for (word, others) in self.words.as_mut().iter_mut().zip(other.words.as_ref()) {
            let before = std::mem::replace(word, combine(*word, *others));
            changes |= before ^ *word;
        }
        changes != 0
    }

    /// Returns true if the set has no members.
    pub fn is_empty(&self) -> bool {
        self.words.as_ref().iter().all(|word| *word == 0)
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.words.as_ref().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Iterates over the members as numbers, in counting order.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.as_ref().iter().enumerate().flat_map(|(word, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(word * 64 + bit)
            })
        })
    }
}

impl Indexes {
    /// Iterates over the members in counting order.
    pub fn iter(&self) -> impl Iterator<Item = RomIndex> + '_ {
        self.numbers().map(|number| RomIndex::truncate(number as u16))
    }
}

impl<T, const WORDS: usize> Default for BitSet<T, [u64; WORDS]> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<T: Into<usize>, const WORDS: usize> FromIterator<T> for BitSet<T, [u64; WORDS]> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Self::NONE;
        for member in members {
            set.insert(member);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_exactly_the_inserted_indexes() {
        let some = |numbers: &[u16]| numbers.iter().map(|&n| RomIndex::truncate(n)).collect();
        let mut set: Indexes = some(&[0, 63, 64, 8191]);
        let members: Vec<u16> = set.iter().map(RomIndex::get).collect();
        assert_eq!(members, [0, 63, 64, 8191]);
        assert!(Indexes::NONE.is_empty() && !set.is_empty());
        assert!(set.combine(&some(&[63, 65]), |own, others| own ^ others));
        assert_eq!(set, some(&[0, 64, 65, 8191]));
        assert!(!set.combine(&some(&[64]), |own, others| own | others));
        assert!(set.set(RomIndex::MAX, false) && !set.set(RomIndex::MAX, false));
        assert_eq!(set.len(), 3);
    }
}

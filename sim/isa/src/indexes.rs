//! A set of instruction indexes.

use crate::RomIndex;
use crate::address::ROM_WORDS;

/// A set of instruction indexes, with one bit for each place of program memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexes([u64; ROM_WORDS / 64]);

impl Indexes {
    /// The empty set.
    pub const NONE: Self = Self([0; ROM_WORDS / 64]);

    /// Returns true if the set contains the index.
    #[must_use]
    pub const fn contains(&self, index: RomIndex) -> bool {
        self.0[index.to_usize() / 64] >> (index.get() % 64) & 1 == 1
    }

    /// Adds an index.
    pub const fn insert(&mut self, index: RomIndex) {
        self.0[index.to_usize() / 64] |= 1 << (index.get() % 64);
    }

    /// Adds all members of the other set.
    pub fn insert_all(&mut self, other: &Self) {
        for (bits, more) in self.0.iter_mut().zip(other.0) {
            *bits |= more;
        }
    }

    /// Returns true if the set has no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// Iterates over the members in counting order.
    pub fn iter(&self) -> impl Iterator<Item = RomIndex> + '_ {
        RomIndex::all().filter(|index| self.contains(*index))
    }

    /// Returns the indexes that are in exactly one of the two sets.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|n| self.0[n] ^ other.0[n]))
    }
}

impl Default for Indexes {
    fn default() -> Self {
        Self::NONE
    }
}

impl FromIterator<RomIndex> for Indexes {
    fn from_iter<T: IntoIterator<Item = RomIndex>>(indexes: T) -> Self {
        let mut set = Self::NONE;
        indexes.into_iter().for_each(|index| set.insert(index));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_exactly_the_inserted_indexes() {
        let some = |numbers: &[u16]| numbers.iter().map(|&n| RomIndex::truncate(n)).collect();
        let set: Indexes = some(&[0, 63, 64, 8191]);
        let members: Vec<u16> = set.iter().map(RomIndex::get).collect();
        assert_eq!(members, [0, 63, 64, 8191]);
        assert_eq!(set.differences(&some(&[63, 65])), some(&[0, 64, 65, 8191]));
        assert!(Indexes::NONE.is_empty() && !set.is_empty());
    }
}

//! Maps and sets of small keys that are asked millions of times: a hash of a few instructions.
//!
//! Nobody gains from keys that collide: the work that these maps save is bounded without them.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map with quick hashes.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;
/// A set with quick hashes.
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<QuickHasher>>;

/// Mixes word by word.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    const fn mix(&mut self, word: u64) {
        // 2^64 divided by the golden ratio: an odd number without a pattern.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        rest.iter().for_each(|&byte| self.mix(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    /// The high bits of the product depend on all bits before it, the low ones hardly.
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

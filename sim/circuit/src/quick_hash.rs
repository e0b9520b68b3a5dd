//! Maps and sets with small keys and millions of lookups. Their hash is fast and the same in every
//! run.
//!
//! The hash is not protected against keys chosen to collide. The work is bounded even without these
//! maps, so an attacker would gain nothing.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

/// A map with fast hashes.
pub type QuickMap<K, V> = HashMap<K, V, FixedState>;
/// A set with fast hashes.
pub type QuickSet<K> = HashSet<K, FixedState>;

/// Creates an empty set with this capacity.
pub(crate) fn quick_set<K>(capacity: usize) -> QuickSet<K> {
    QuickSet::with_capacity_and_hasher(capacity, FixedState::default())
}

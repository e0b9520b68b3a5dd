//! Maps and sets of small keys that are asked millions of times: with a hash that is quick, and the
//! same in every run.
//!
//! Keys made to collide would gain an attacker nothing: the work that these maps save is bounded
//! without them.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

/// A map with quick hashes.
pub type QuickMap<K, V> = HashMap<K, V, FixedState>;
/// A set with quick hashes.
pub type QuickSet<K> = HashSet<K, FixedState>;

/// An empty set with room for so many keys.
pub(crate) fn quick_set<K>(capacity: usize) -> QuickSet<K> {
    QuickSet::with_capacity_and_hasher(capacity, FixedState::default())
}

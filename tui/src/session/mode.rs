//! What a session is about: it stands, runs, or is on the way to something.

use std::sync::Arc;

use gray1_sim::debugger::{Search, WatchSet};

use super::{Destination, Goal};

/// What the session is about.
pub(super) enum Mode {
    Paused,
    Running,
    /// On the way to something, however far that is.
    Seeking(Arc<WatchSet>, Until),
    /// Looking for something in the past; the machine stays where it is meanwhile.
    Searching(Box<BackwardSearch>),
}

/// A search in the past.
pub(super) struct BackwardSearch {
    pub(super) goal: Goal,
    pub(super) search: Search,
    /// Nothing was found from this moment on.
    pub(super) down_to: u64,
}

/// The end of a way.
#[derive(Clone, Copy)]
pub(super) enum Until {
    /// The goal among the conditions.
    Goal,
    /// A moment or a line.
    There(Destination),
}

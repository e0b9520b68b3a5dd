//! Facts that indexes depend on although they are known only at the end: the bytes of the pool and
//! the calls of the routines. A program is placed with a plan, and linking finds the right one; if
//! that is another, the program is placed again.

use std::collections::HashMap;

use crate::names::Name;

/// The assumptions that a program is placed with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Plan {
    /// The number of bytes that `.pool` makes room for.
    pub(crate) pool_bytes: u16,
    /// The routines that the program calls; `None` the first time.
    pub(crate) called: Option<HashMap<Name, CalledRoutine>>,
}

/// The facts about a routine that are needed when its lines are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CalledRoutine {
    /// The number of places that call it.
    pub(crate) sites: usize,
    pub(crate) has_result: bool,
}

impl Plan {
    /// The facts about a routine, or a guess the first time; `None` if the program never calls it.
    pub(crate) fn called(&self, name: Name) -> Option<CalledRoutine> {
        match &self.called {
            Some(called) => called.get(&name).copied(),
            None => Some(CalledRoutine { sites: 1, has_result: false }),
        }
    }
}

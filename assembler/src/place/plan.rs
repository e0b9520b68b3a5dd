//! The plan: sizes that determine indexes but are known only at the end. They are the number of
//! bytes in the pool and the number of calls of each routine. A program is placed with a plan, and
//! linking finds the right sizes. If the plan was wrong, the program is placed again with the right
//! sizes.

use std::collections::HashMap;

use crate::names::Name;

/// The sizes that a program is placed with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Plan {
    /// The number of bytes that `.pool` reserves.
    pub(crate) pool_bytes: u16,
    /// The routines that the program calls. `None` at the first attempt.
    pub(crate) called: Option<HashMap<Name, CalledRoutine>>,
}

/// The facts about a called routine that are needed to place its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CalledRoutine {
    /// The number of places that call it.
    pub(crate) sites: usize,
    pub(crate) has_result: bool,
}

impl Plan {
    /// Returns facts about a routine, or a guess at the first attempt. Returns `None` if the
    /// program never calls it.
    pub(crate) fn called(&self, name: Name) -> Option<CalledRoutine> {
        match &self.called {
            Some(called) => called.get(&name).copied(),
            None => Some(CalledRoutine { sites: 1, has_result: false }),
        }
    }
}

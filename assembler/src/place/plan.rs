//! Facts that indexes depend on although they are known only at the end: the bytes of the pool, the
//! bytes of the routines and the calls of them. A program is placed with a plan, and linking finds
//! the right one; if that is another, the program is placed again.

use std::collections::HashMap;

use crate::names::Name;

/// The assumptions that a program is placed with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Plan {
    /// The number of bytes that `.pool` makes room for.
    pub(crate) pool_bytes: u16,
    /// The routines that the program calls; `None` the first time.
    pub(crate) frames: Option<HashMap<Name, RoutineFrame>>,
}

/// The facts about a routine that are needed when its lines are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoutineFrame {
    /// The address of its first byte.
    pub(crate) base: i64,
    /// The number of places that call it.
    pub(crate) sites: usize,
    pub(crate) has_result: bool,
}

impl Plan {
    /// The frame of a routine, or a guess the first time; `None` if the program never calls it.
    pub(crate) fn frame(&self, name: Name) -> Option<RoutineFrame> {
        match &self.frames {
            Some(frames) => frames.get(&name).copied(),
            None => Some(RoutineFrame { base: 0, sites: 1, has_result: false }),
        }
    }
}

//! The values and counts that evaluation keeps from one expression to the next.

use std::collections::HashMap;

use super::unknown::Unknown;
use crate::report::Reported;
use crate::symbols::{Known, ThunkId};

/// The values of thunks, and the work that has been done.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The state of each thunk that is no longer waiting.
    states: HashMap<ThunkId, ThunkState>,
    /// The levels of operators in the functions that are active.
    pub(super) function_depth: u32,
    /// The number of function calls so far.
    pub(super) function_calls: u32,
    /// The bytes of all names that were built.
    pub(super) built_bytes: usize,
}

/// The states of a thunk.
#[derive(Debug)]
pub(super) enum ThunkState {
    Waiting,
    /// Its evaluation has started: if it needs itself, that is a cycle.
    Started,
    Done(Known),
    /// It has no value.
    Failed(Reported),
}

impl Memo {
    pub(super) fn state(&self, id: ThunkId) -> &ThunkState {
        self.states.get(&id).unwrap_or(&ThunkState::Waiting)
    }

    /// The value of a thunk, if it is evaluated.
    pub(super) fn value(&self, id: ThunkId) -> Result<Known, Unknown> {
        match self.state(id) {
            ThunkState::Done(known) => Ok(known.clone()),
            ThunkState::Failed(reported) => Err((*reported).into()),
            ThunkState::Waiting | ThunkState::Started => Err(Unknown::Waits(id)),
        }
    }

    pub(super) fn set_state(&mut self, id: ThunkId, state: ThunkState) {
        self.states.insert(id, state);
    }
}

//! Values and counts that evaluation keeps between expressions.

use std::collections::HashMap;

use super::unknown::Unknown;
use crate::report::Reported;
use crate::symbols::{Known, ThunkId};

/// The values of thunks, and the amount of work so far.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The state of each thunk whose evaluation has started.
    states: HashMap<ThunkId, ThunkState>,
    /// The levels of operators in the active functions.
    pub(super) function_depth: u32,
    /// The number of function calls so far.
    pub(super) function_calls: u32,
    /// The total length of all names built from numbers, in bytes.
    pub(super) built_bytes: usize,
}

#[derive(Debug)]
pub(super) enum ThunkState {
    Waiting,
    /// The evaluation of the thunk has started. If the thunk needs its own value in this state,
    /// there is a cycle.
    Started,
    Done(Known),
    /// It has no value, and the error was reported.
    Failed(Reported),
}

impl Memo {
    pub(super) fn state(&self, id: ThunkId) -> &ThunkState {
        self.states.get(&id).unwrap_or(&ThunkState::Waiting)
    }

    /// Returns the value of a thunk, if it is evaluated.
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

//! A way from one stop to the next: its goal, its direction, and the results of its slices.

use std::sync::Arc;

use super::backward_search::Search;
use super::condition::Condition;
use super::goal::Goal;
use super::seek::Seek;
use super::watch_set::WatchSet;

/// A way to the next stop.
pub(super) enum Motion {
    /// Forward, up to a moment at most.
    Forward {
        goal: Goal,
        /// The end of the way, besides breakpoints.
        condition: Option<Condition>,
        watch_set: Arc<WatchSet>,
        end: u64,
    },
    Backward(Box<BackwardRun>),
    /// To a moment that takes some time to reach, and some edges on; then this is the stop.
    /// Breakpoints are not looked for.
    Seeking(Box<Seek>, u32, Stop),
}

/// A way back, on which the past is searched.
pub(super) struct BackwardRun {
    pub(super) goal: Goal,
    /// The end of the way, besides breakpoints.
    pub(super) condition: Option<Condition>,
    /// The position to which a way of some instructions leads.
    pub(super) target: Option<(u64, u32)>,
    pub(super) search: Search,
    /// Nothing was found from this moment on.
    pub(super) down_to: u64,
}

/// A stop, by its kind; [`Debugger::reason`](crate::Debugger::reason) has the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// At the goal.
    Goal,
    /// At the breakpoints of these [ids](crate::Breakpoint::id).
    Breakpoints(Vec<i64>),
    /// At the beginning, since nothing to stop at lies before.
    Beginning,
    /// Where the machine was, since the goal does not lie before.
    Nothing,
    /// At the end of the program.
    Halted,
    /// The board cannot go on; [`Engine::error`](gray1_sim::Engine::error) says why.
    Failed,
}

/// What a debugger is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// The machine stands.
    Standing,
    /// It runs forward.
    Running,
    /// It stands while its past is searched. Nothing was found from this moment on.
    Searching(u64),
    /// It stands while hits in its past are counted, up to this moment so far.
    Counting(u64),
    /// It stands while its past is executed again to reach a moment.
    Seeking {
        /// How far the way has come.
        reached: u64,
        /// Its end.
        target: u64,
    },
}

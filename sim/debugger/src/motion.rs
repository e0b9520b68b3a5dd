//! The current run of a debugger, and how it can end.

use super::backward_search::Search;
use super::condition::Condition;
use super::goal::Goal;
use super::seek::Seek;
use super::why::Asking;

/// A run to the next stop.
pub(super) enum Motion {
    /// A forward run, up to the moment `end` at most.
    Forward {
        goal: Goal,
        /// What ends it besides breakpoints.
        condition: Option<Condition>,
        end: u64,
    },
    Backward(Box<BackwardRun>),
    /// A seek to a distant moment, then some edges, and the stop to report there. It ignores
    /// breakpoints.
    Seeking(Box<Seek>, u32, Stop),
    /// A question that is being answered.
    Asking(Box<Asking>),
}

/// A backward run, which searches the past.
pub(super) struct BackwardRun {
    pub(super) goal: Goal,
    /// What ends it besides breakpoints.
    pub(super) condition: Option<Condition>,
    /// The position to stop at in any case, for a run of some instructions.
    pub(super) target: Option<(u64, u32)>,
    pub(super) search: Search,
    /// The search has found nothing from this moment on.
    pub(super) down_to: u64,
}

/// How a run ended. [`Debugger::reason`](crate::Debugger::reason) describes it in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// At the goal.
    Goal,
    /// At the breakpoints of these [ids](crate::Breakpoint::id).
    Breakpoints(Vec<i64>),
    /// At the beginning: there was nothing to stop at.
    Beginning,
    /// Where it started, because the goal was not found in the past.
    Nothing,
    /// At the end of the program.
    Halted,
    /// Where it started: the question is [answered](crate::Debugger::story).
    Answered,
    /// The board cannot go on, because of an [error](gray1_sim::Engine::error).
    Failed,
}

/// What a debugger is doing. While it works on the past, the machine stays where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Nothing: there is no run.
    Standing,
    /// Running forward.
    Running,
    /// Searching the past. Nothing was found from this moment on.
    Searching(u64),
    /// `ExecutionCounter` past hits, up to this moment so far.
    Counting(u64),
    /// Executing the past again to reach a moment.
    Seeking {
        /// The moment reached so far.
        reached: u64,
        /// The moment to reach.
        target: u64,
    },
}

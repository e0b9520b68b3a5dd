//! The current run of a debugger, the ways in which it can end, and the present activity.

use super::backward_search::Search;
use super::condition::Condition;
use super::goal::Goal;
use super::position::Position;
use super::seek::Seek;
use super::why::ExplanationSearch;

/// A run to the next stop.
pub(super) enum Motion {
    /// A forward run to at most the moment `end`.
    Forward {
        goal: Goal,
        /// A condition that ends the run besides breakpoints.
        condition: Option<Condition>,
        end: u64,
    },
    Backward(Box<BackwardRun>),
    /// A move to a distant moment and then by a number of edges, with the stop to report on
    /// arrival. It ignores breakpoints.
    Seeking(Box<Seek>, u32, Stop),
    /// The search for the answer to a question.
    Explaining(Box<ExplanationSearch>),
}

/// A backward run, which searches the past.
pub(super) struct BackwardRun {
    pub(super) goal: Goal,
    /// A condition that ends the run besides breakpoints.
    pub(super) condition: Option<Condition>,
    /// The position at which a backward run by a given number of instructions must stop. `None` for
    /// other goals.
    pub(super) target: Option<Position>,
    pub(super) search: Search,
    /// The search has found nothing from this moment on.
    pub(super) down_to: u64,
}

/// The way in which a run ended. [`Debugger::reason`](crate::Debugger::reason) describes it for
/// users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It reached the goal.
    Goal,
    /// It reached breakpoints with these [ids](crate::Breakpoint::id).
    Breakpoints(Vec<i64>),
    /// It reached the beginning of the history without another reason to stop.
    Beginning,
    /// It found nothing in the past, so the machine did not move.
    Nothing,
    /// It reached the end of the program.
    Halted,
    /// The question is [answered](crate::Debugger::explanation). The machine did not move.
    Answered,
    /// The board cannot continue because of an [error](gray1_sim::Engine::error).
    Failed,
}

/// The present activity of a debugger. While it works on the past, the machine does not move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// There is no run.
    Idle,
    /// The machine is running forward.
    Running,
    /// The debugger is searching the past. It has found nothing from this moment on.
    Searching(u64),
    /// The debugger is counting past hits, and has reached this moment.
    Counting(u64),
    /// The debugger is executing the past again to reach a moment.
    Seeking {
        /// The moment reached so far.
        reached: u64,
        /// The target moment.
        target: u64,
    },
}

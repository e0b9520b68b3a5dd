//! What a player can be told.

use gray1_isa::panel::Buttons;
use gray1_isa::{RamAddr, RomIndex};

use super::{Goal, Opened};

/// What the deck can be told.
#[derive(Debug, Clone)]
pub(crate) enum Command {
    /// Run if it does not, else pause.
    RunOrPause,
    /// Execute one instruction, and pause.
    Step,
    /// Let one phase pass, and pause.
    StepPhase,
    /// Go back by one phase of the instruction under way, and pause.
    StepPhaseBack,
    /// Go back by one instruction, or to the start of the one under way, and pause.
    StepBack,
    /// Run to something or to a break, and pause.
    Go(Goal),
    /// Go back to something or to a break, and pause.
    GoBack(Goal),
    /// Go behind the last instruction that has written one of these bytes, and pause.
    WhoWrote { first: RamAddr, last: RamAddr },
    /// Go to a moment, or the nearest one that is known, and pause.
    Seek(u64),
    /// Go back by a fiftieth of what is known, and pause.
    ScrubBack,
    /// Go on by a fiftieth of what is known, and pause.
    ScrubForward,
    /// Give up a search.
    Cancel,
    /// Set a break on an instruction, or take it away.
    BreakHere(RomIndex),
    /// Set a break.
    AddBreak(String),
    /// Take the break of this number away.
    RemoveBreak(usize),
    /// Switch the break of this number off or on.
    SwitchBreak(usize),
    /// One rung up the ladder of paces.
    Faster,
    /// One rung down.
    Slower,
    /// No longer count LED changes: time goes on, whether or not the display moves.
    PaceEvenly,
    /// Hold these buttons for a moment.
    Hold(Buttons),
    /// Start the program again; memory keeps what it holds.
    Reset,
    /// Put another program in, and run it.
    Load(Box<Opened>),
    /// Put the same program in, assembled anew, and start it; run only if the machine does.
    Reload(Box<Opened>),
}

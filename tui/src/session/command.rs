//! What a session can be told.

use gray1_isa::panel::Buttons;
use gray1_isa::{RamAddr, RomIndex};

use super::{Goal, Program};

/// What a session can be told.
#[derive(Debug, Clone)]
pub enum Command {
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
    WhoWrote {
        /// The first byte.
        first: RamAddr,
        /// The last byte.
        last: RamAddr,
    },
    /// Go to a moment, or the nearest one that is known, and pause.
    Seek(u64),
    /// Go back by a fiftieth of what is known, and pause.
    ScrubBack,
    /// Go on by a fiftieth of what is known, and pause.
    ScrubForward,
    /// Give up a search.
    Cancel,
    /// Change the breaks or the watches.
    Change(BreakChange),
    /// One rung up the ladder of paces.
    Faster,
    /// One rung down.
    Slower,
    /// No longer count LED changes: time goes on, whether or not the display moves.
    PaceEvenly,
    /// Dwell on printed lines, or no longer.
    SetDwelling(bool),
    /// Hold these buttons for a moment.
    Hold(Buttons),
    /// Start the program again; memory keeps what it holds.
    Reset,
    /// Put another program in, or the same one assembled again. It runs if the machine ran.
    Load(Box<Program>),
    /// Work out the levels of the board's lines for each snapshot, or no longer.
    ShowLevels(bool),
}

/// A change of the breaks and watches.
#[derive(Debug, Clone)]
pub enum BreakChange {
    /// Set a break on an instruction, or remove it.
    Toggle(RomIndex),
    /// Set a break.
    Add(String),
    /// Remove the break of this number.
    Remove(usize),
    /// Switch the break of this number off or on.
    Switch(usize),
    /// Watch an expression.
    Watch(String),
    /// Remove the watch of this number.
    Unwatch(usize),
}

impl Command {
    /// Whether it does nothing at the end of a program.
    #[must_use]
    pub fn needs_a_future(&self) -> bool {
        matches!(self, Self::RunOrPause | Self::Step | Self::StepPhase | Self::Go(_))
    }
}

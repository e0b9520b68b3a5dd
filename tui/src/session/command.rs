//! What a session can be told.

use gray1_debugger::{Goal, Input};
use gray1_isa::RomIndex;
use gray1_isa::panel::Buttons;
use serde::{Deserialize, Serialize};

use super::Program;

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
    /// Go to a moment, or the nearest one that is known, and pause.
    Seek(u64),
    /// Go to an edge of the oscillator, so many edges after a moment, and pause. Where nothing is
    /// known yet, the machine executes what leads there.
    SeekEdge(u64, u32),
    /// Go to a moment or the end of a line that is printed, if need be by running there, and pause.
    RunTo(Destination),
    /// Go back to where the machine was before the last jump: a search, or a run to something.
    JumpBack,
    /// Go forward again after [`Self::JumpBack`].
    JumpForward,
    /// Go back to the last picture of the album before now, and pause.
    PictureBack,
    /// Go to the first picture of the album after now, and pause.
    PictureForward,
    /// Go back by a fiftieth of what is known, and pause.
    ScrubBack,
    /// Go on by a fiftieth of what is known, and pause.
    ScrubForward,
    /// Give up a search.
    Cancel,
    /// Change the breaks or the watches.
    Change(BreakChange),
    /// Change a byte of data memory or the registers at the present moment.
    ChangeState(Input),
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
    /// Work out so much of the board's lines for each snapshot.
    ShowWires(WireDetail),
    /// Count how often instructions were executed, for each snapshot, or no longer.
    ShowProfile(bool),
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
    /// Let the break of this number wait for something else.
    Replace(usize, String),
    /// Watch an expression.
    Watch(String),
    /// Watch something else in place of the watch of this number.
    Rewatch(usize, String),
    /// Remove the watch of this number.
    Unwatch(usize),
    /// Set these breaks and watches instead of all others.
    Restore(SavedBreakpoints),
}

/// Breaks and watches as they are kept from one time to the next.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedBreakpoints {
    /// The breaks as they were written, and whether each is on.
    pub breaks: Vec<(String, bool)>,
    /// The watched expressions as they were written.
    pub watches: Vec<String>,
}

/// How much is worked out of the board's wires for each snapshot: what the pane in front draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WireDetail {
    /// Nothing.
    #[default]
    Nothing,
    /// Their levels now and before the last edge.
    Levels,
    /// What they do over the last and the next edges.
    Waves,
}

/// Somewhere in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Destination {
    /// After so many instructions.
    Moment(u64),
    /// After so many printed lines.
    Line(usize),
}

impl Command {
    /// Whether it does nothing at the end of a program.
    #[must_use]
    pub fn needs_a_future(&self) -> bool {
        matches!(self, Self::RunOrPause | Self::Step | Self::StepPhase | Self::Go(_))
    }
}

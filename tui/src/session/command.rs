//! Commands to a session.

use gray1_debugger::why::Asked;
use gray1_debugger::{Goal, Input};
use gray1_isa::RomIndex;
use gray1_isa::panel::Buttons;
use serde::{Deserialize, Serialize};

use super::Program;

/// Commands to a session.
#[derive(Debug, Clone)]
pub enum Command {
    /// Toggle run and pause.
    RunOrPause,
    /// Execute one instruction, and pause.
    Step,
    /// Advance by one phase, and pause.
    StepPhase,
    /// Go back by one phase, and pause.
    StepPhaseBack,
    /// Go back by one instruction, or to the start of the one under way, and pause.
    StepBack,
    /// Run to a goal or a break, and pause.
    Go(Goal),
    /// Go back to a goal or a break, and pause.
    GoBack(Goal),
    /// Find out why something is as it is, and pause. The story comes in a snapshot.
    Ask(Asked),
    /// Go to a moment, or to the nearest known one, and pause.
    Seek(u64),
    /// Go to an edge of the oscillator, counted from a moment, and pause. Beyond the known history
    /// the machine runs there.
    SeekEdge(u64, u32),
    /// Go to a moment or the end of a printed line, running there if necessary, and pause.
    RunTo(Destination),
    /// Go back to where the machine was before the last jump: a search or a run to a goal.
    JumpBack,
    /// Go forward again after [`Self::JumpBack`].
    JumpForward,
    /// Go back to the last picture of the album before now, and pause.
    PictureBack,
    /// Go to the first picture of the album after now, and pause.
    PictureForward,
    /// Go back by a fiftieth of the known history, and pause.
    ScrubBack,
    /// Go forward by a fiftieth of the known history, and pause.
    ScrubForward,
    /// Cancel a search.
    Cancel,
    /// Change the breaks or the watches.
    Change(BreakChange),
    /// Change a byte of data memory, or the registers.
    ChangeState(Input),
    /// Run.
    Play,
    /// Run faster by one step.
    Faster,
    /// Run slower by one step.
    Slower,
    /// Run phase by phase, one a second, or pause. The pace comes back after that.
    PlayPhases,
    /// Begin a tour of an instruction near here, phase by phase, and pause; or end the tour.
    TakeTour,
    /// Set whether to dwell on printed lines.
    SetDwelling(bool),
    /// Press these buttons and let go of them: a key whose release is not reported.
    Tap(Buttons),
    /// Hold these buttons down, and release the others: the keys that are down now.
    Hold(Buttons),
    /// Start the program again; memory keeps its contents.
    Reset,
    /// Load another program, or the same one assembled again. It runs if the machine was running.
    Load(Box<Program>),
    /// Include this much of the board's wires in each snapshot.
    ShowWires(WireDetail),
    /// Set whether snapshots include execution counts.
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
    /// Change the condition of the break of this number.
    Replace(usize, String),
    /// Watch an expression.
    Watch(String),
    /// Change the expression of the watch of this number.
    Rewatch(usize, String),
    /// Remove the watch of this number.
    Unwatch(usize),
    /// Replace all breaks and watches by these.
    Restore(SavedBreakpoints),
}

/// Breaks and watches as the settings save them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedBreakpoints {
    /// The breaks as they were written, and whether each is on.
    pub breaks: Vec<(String, bool)>,
    /// The watched expressions as they were written.
    pub watches: Vec<String>,
}

/// How much of the board's wires a snapshot includes: what the pane in front draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WireDetail {
    /// Nothing.
    #[default]
    Nothing,
    /// Their levels at the present and before the last edge.
    Levels,
    /// Their waves: levels over the last and the next edges.
    Waves,
}

/// A destination in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Destination {
    /// After this many instructions.
    Moment(u64),
    /// At the end of the printed line with this number.
    Line(usize),
}

impl Command {
    /// Whether it has no effect at the end of a program.
    #[must_use]
    pub fn needs_a_future(&self) -> bool {
        matches!(
            self,
            Self::RunOrPause | Self::Step | Self::StepPhase | Self::PlayPhases | Self::Go(_)
        )
    }
}

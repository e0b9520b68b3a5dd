//! The commands that control a session.

use gray1_debugger::why::Asked;
use gray1_debugger::{Changeable, Goal, Input, Position};
use gray1_isa::RomIndex;
use gray1_isa::panel::Buttons;
use serde::{Deserialize, Serialize};

use super::{Program, Snapshot};

/// A command to a session.
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
    /// Go back by one instruction, or to the start of the one in progress, and pause.
    StepBack,
    /// Run to a goal or a breakpoint, and pause.
    Go(Goal),
    /// Go back to a goal or a breakpoint, and pause.
    GoBack(Goal),
    /// Explain the cause of a value or event, and pause. A later snapshot has the answer.
    Ask(Asked),
    /// Go to a moment, or to the nearest known one, and pause.
    Seek(u64),
    /// Go to an edge of the oscillator, and pause. If the edge is beyond the known history, the
    /// machine runs to it.
    SeekEdge(Position),
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
    /// Change the breakpoints or the watches.
    Change(BreakChange),
    /// Change a byte of data memory, or the registers.
    ChangeState(Input),
    /// Run.
    Play,
    /// Run faster by one step.
    Faster,
    /// Run slower by one step.
    Slower,
    /// Run phase by phase, one a second, or pause. Afterwards the previous pace is restored.
    PlayPhases,
    /// Begin a tour of an instruction near here, phase by phase, and pause. If there is a tour, end
    /// it.
    ToggleTour,
    /// Set whether to pause at printed lines.
    SetDwelling(bool),
    /// Press these buttons and release them soon, for a key whose release is not reported.
    Tap(Buttons),
    /// Hold these buttons down and release the others: the keys that are down now.
    Hold(Buttons),
    /// Start the program again. Memory keeps its contents.
    Reset,
    /// Load another program, or the same one assembled again. It runs if the machine was running.
    Load(Box<Program>),
    /// Include this detail of the board's wires in each snapshot.
    ShowWires(WireDetail),
    /// Set whether snapshots include execution counts.
    ShowProfile(bool),
}

/// A change of the breakpoints and watches.
#[derive(Debug, Clone)]
pub enum BreakChange {
    /// Set or remove a breakpoint on an instruction.
    Toggle(RomIndex),
    /// Set a breakpoint.
    Add(String),
    /// Remove the breakpoint with this number.
    Remove(usize),
    /// Switch the breakpoint with this number off or on.
    Switch(usize),
    /// Change the condition of the breakpoint with this number.
    Replace(usize, String),
    /// Watch an expression.
    Watch(String),
    /// Change the expression of the watch with this number.
    Rewatch(usize, String),
    /// Remove the watch with this number.
    Unwatch(usize),
    /// Replace all breakpoints and watches by these.
    Restore(SavedBreakpoints),
}

/// Breakpoints and watches as the settings save them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedBreakpoints {
    /// The conditions of the breakpoints as the user wrote them, and whether each is on.
    pub breaks: Vec<(String, bool)>,
    /// The watched expressions as the user wrote them.
    pub watches: Vec<String>,
}

/// The detail of the board's wires in a snapshot, as needed by the pane in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WireDetail {
    #[default]
    Nothing,
    /// Their current levels, and their levels before the last edge.
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

/// The error in the number of a line.
pub const EXPECTED_LINE: &str = "expected the number of a line, from 1 on";
const EXPECTED_MOMENT: &str = "expected a moment: a number of instructions, from 0 on";

impl Destination {
    /// Parses a moment, such as `41,255`, or the number of a printed line, such as `line 50`.
    /// Returns `None` for anything else.
    ///
    /// # Errors
    /// If it is a negative number, or not the number of a line. The error is a message for users.
    pub fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        let Some(line) = text.strip_prefix("line ") else {
            if text.strip_prefix('-').and_then(parse_count).is_some() {
                return Err(EXPECTED_MOMENT);
            }
            return Ok(parse_count(text).map(Self::Moment));
        };
        let line = parse_line(line).ok_or(EXPECTED_LINE)?;
        Ok(Some(Self::Line(line as usize)))
    }
}

/// Parses the number of a line, which is not 0.
pub fn parse_line(text: &str) -> Option<u32> {
    u32::try_from(parse_count(text)?).ok().filter(|line| *line > 0)
}

/// Parses a decimal number, which may be grouped as on the screen. Numbers with `0x` are addresses.
fn parse_count(text: &str) -> Option<u64> {
    text.trim().replace(['_', ','], "").parse().ok()
}

impl Command {
    /// Parses a question. An empty one is about the byte that the last instruction accessed.
    ///
    /// # Errors
    /// If it is not a question. The error is a message for users.
    pub fn ask(text: &str, snapshot: &Snapshot) -> Result<Self, String> {
        let asked = match snapshot.last_byte().filter(|_| text.is_empty()) {
            Some(byte) => Ok(Asked::byte(byte)),
            None => Asked::parse(text, snapshot.scope(), snapshot.cpu.pc),
        };
        asked.map(Self::Ask).map_err(|error| error.to_string())
    }

    /// Parses an assignment to a register or a byte, such as `total = 0`.
    ///
    /// # Errors
    /// If it is not such an assignment. The error is a message for users.
    pub fn change_state(text: &str, snapshot: &Snapshot) -> Result<Self, String> {
        let input = Changeable::assignment(text, snapshot.scope(), snapshot.view());
        input.map(Self::ChangeState).map_err(|error| error.to_string())
    }

    /// Whether the command makes the machine run forward, which has no effect at the end of a
    /// program.
    pub fn needs_a_future(&self) -> bool {
        matches!(
            self,
            Self::RunOrPause | Self::Step | Self::StepPhase | Self::PlayPhases | Self::Go(_)
        )
    }
}

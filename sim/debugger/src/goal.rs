//! The goals a machine can be sent to, forward and backward.

use gray1_isa::{Image, RomIndex};

use super::condition::{Condition, Event};
use super::source_lines::SourceLines;

/// A goal of a run. Breakpoints stop the machine before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// The next breakpoint. Without one, a forward run ends with the program and a backward run at
    /// the beginning.
    Run,
    /// A breakpoint. If there is no earlier one, a backward run leaves the machine where it is.
    Breakpoint,
    /// An event.
    Event(Event),
    /// An event, perhaps only where an expression holds.
    Condition(Condition),
    /// Past the shown line; backward, to the start of the line that was left.
    Over,
    /// Past the instruction and the routine it calls.
    OverInstruction,
    /// The next shown line.
    Into,
    /// Out of the macro call, repeat or routine around the shown line.
    Out,
    /// The moment this many instructions later or earlier. An instruction under way counts as one.
    Instructions(u64),
}

/// The reason a machine cannot be sent to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GoalError {
    /// No macro call, repeat or routine is around the instruction.
    #[error("this instruction is not in a macro call, a repeat or a routine")]
    NotInside,
    /// This is the beginning of the history.
    #[error("this is the beginning")]
    Beginning,
}

impl Goal {
    /// A change of an LED.
    pub const LED_CHANGE: Self = Self::Event(Event::Display);
    /// A printed byte.
    pub const MAILBOX_BYTE: Self = Self::Event(Event::Prints(None));
    /// The end of a printed line.
    pub const PRINTED_LINE: Self = Self::Event(Event::Prints(Some(b'\n')));

    /// Whether it is a step: how long a step takes is of no account.
    pub(super) const fn is_step(&self) -> bool {
        matches!(
            self,
            Self::Over | Self::OverInstruction | Self::Into | Self::Out | Self::Instructions(_)
        )
    }

    /// The condition that ends a forward run besides breakpoints, if any. `pc` is the next
    /// instruction.
    pub(super) fn ahead(
        &self,
        image: &Image,
        lines: &SourceLines,
        pc: RomIndex,
    ) -> Result<Option<Condition>, GoalError> {
        let event = match self {
            Self::Run | Self::Breakpoint | Self::Instructions(_) => return Ok(None),
            Self::Condition(condition) => return Ok(Some(condition.clone())),
            Self::Event(event) => event.clone(),
            Self::Over => lines.over(image, pc),
            Self::OverInstruction => Event::leaves(image, [pc].into_iter().collect()),
            Self::Into => lines.into(image, pc),
            Self::Out => lines.out(image, pc).ok_or(GoalError::NotInside)?,
        };
        Ok(Some(event.into()))
    }

    /// The same for a backward run; `last` is the instruction executed last.
    pub(super) fn behind(
        &self,
        image: &Image,
        lines: &SourceLines,
        pc: RomIndex,
        last: Option<RomIndex>,
    ) -> Result<Option<Condition>, GoalError> {
        let event = match self {
            Self::Out => lines.back_out(image, pc).ok_or(GoalError::NotInside)?,
            Self::Over => lines.back_over(image, last.ok_or(GoalError::Beginning)?, pc),
            _ => return self.ahead(image, lines, pc),
        };
        Ok(Some(event.into()))
    }
}

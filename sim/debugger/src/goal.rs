//! The goals to which a machine can run, forward or backward.

use gray1_isa::{Image, RomIndex};

use super::condition::{Condition, Event};
use super::source_lines::SourceLines;

/// The goal of a run. A breakpoint before the goal stops the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// The next breakpoint. If there is none, a forward run stops at the end of the program, and a
    /// backward run at the beginning of the history.
    Run,
    /// The next breakpoint. If there is none, a backward run leaves the machine where it is.
    Breakpoint,
    /// The next time that an event happens.
    Event(Event),
    /// The next time that a condition is true.
    Condition(Condition),
    /// The next line after the shown one. In a backward run, the start of the line before the
    /// present position.
    Over,
    /// The instruction after this one, or after the routine that this one calls.
    OverInstruction,
    /// The next shown line, which can be inside a macro or a routine.
    Into,
    /// The first instruction outside the macro call, repeat or routine that contains the shown
    /// line.
    Out,
    /// The moment this many instructions later or earlier. A partly executed instruction counts as
    /// one.
    Instructions(u64),
}

/// The reason why a machine cannot run to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GoalError {
    /// The instruction is not in a macro call, repeat or routine.
    #[error("this instruction is not in a macro call, a repeat or a routine")]
    NotInside,
    /// The machine is at the beginning of the history.
    #[error("already at the beginning")]
    Beginning,
}

impl Goal {
    /// The next change of an LED.
    pub const LED_CHANGE: Self = Self::Event(Event::Display);
    /// The next printed byte.
    pub const MAILBOX_BYTE: Self = Self::Event(Event::Prints(None));
    /// The end of the next printed line.
    pub const PRINTED_LINE: Self = Self::Event(Event::Prints(Some(b'\n')));

    /// Returns true if the goal is a step. The time that a step takes does not count towards the
    /// duration of button presses.
    pub(super) const fn is_step(&self) -> bool {
        matches!(
            self,
            Self::Over | Self::OverInstruction | Self::Into | Self::Out | Self::Instructions(_)
        )
    }

    /// Returns the condition that ends a forward run, or `None` if only breakpoints do. `pc` is the
    /// next instruction.
    pub(super) fn condition(
        &self,
        image: &Image,
        lines: &SourceLines,
        pc: RomIndex,
    ) -> Result<Option<Condition>, GoalError> {
        let event = match self {
            Self::Run | Self::Breakpoint | Self::Instructions(_) => return Ok(None),
            Self::Condition(condition) => return Ok(Some(condition.clone())),
            Self::Event(event) => event.clone(),
            Self::Over => lines.step_over(image, pc),
            Self::OverInstruction => Event::leaves(image, [pc].into_iter().collect()),
            Self::Into => lines.step_into(image, pc),
            Self::Out => lines.step_out(image, pc).ok_or(GoalError::NotInside)?,
        };
        Ok(Some(event.into()))
    }

    /// Returns the condition that ends a backward run, or `None` if only breakpoints do. `last` is
    /// the last executed instruction.
    pub(super) fn backward_condition(
        &self,
        image: &Image,
        lines: &SourceLines,
        pc: RomIndex,
        last: Option<RomIndex>,
    ) -> Result<Option<Condition>, GoalError> {
        let event = match self {
            Self::Out => lines.step_back_out(image, pc).ok_or(GoalError::NotInside)?,
            Self::Over => lines.step_back_over(image, last.ok_or(GoalError::Beginning)?, pc),
            _ => return self.condition(image, lines, pc),
        };
        Ok(Some(event.into()))
    }
}

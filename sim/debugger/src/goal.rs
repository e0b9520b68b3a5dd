//! What a machine can be sent to, forward and backward.

use gray1_isa::{Image, RamAddr, RomIndex};

use super::condition::{Access, Condition, Event};
use super::source_lines::SourceLines;

/// Something to go to. Breakpoints stop the machine on the way there, except on the way back to the
/// [writer](Self::Writer) of a byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Nothing but a breakpoint. Where there is none, a run forward ends with the program, and a
    /// run backward at the beginning.
    Run,
    /// A breakpoint. Where there is none before, the machine stays where it is.
    Breakpoint,
    /// Something that happens.
    Event(Event),
    /// Something that happens, perhaps only where an expression holds.
    Condition(Condition),
    /// Past the line that is shown; backward, to the start of the line that was left.
    Over,
    /// Past the instruction, with the routine that it calls.
    OverInstruction,
    /// The next line that is shown.
    Into,
    /// Out of the macro call, repeat or routine around the line that is shown.
    Out,
    /// The moment some instructions after the present one. In the middle of an instruction that
    /// one counts.
    Instructions(u64),
    /// The last store to a byte, or to one of several in a row; that of the last instruction
    /// counts, too.
    Writer {
        /// The first of them.
        first: RamAddr,
        /// The last of them.
        last: RamAddr,
    },
}

/// There is nothing of the kind to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoWay {
    /// The program has one level here.
    #[error("this instruction is not in a macro call, a repeat or a routine")]
    NotInside,
    /// Nothing lies before.
    #[error("this is the beginning")]
    Beginning,
}

impl Goal {
    /// A change of an LED.
    pub const LED_CHANGE: Self = Self::Event(Event::Display);
    /// A byte in the mailbox.
    pub const MAILBOX_BYTE: Self = Self::Event(Event::Prints(None));
    /// The end of a printed line.
    pub const PRINTED_LINE: Self = Self::Event(Event::Prints(Some(b'\n')));

    /// What ends a run forward besides breakpoints; `None` for nothing. `pc` is where the machine
    /// is.
    pub(super) fn ahead(
        &self,
        image: &Image,
        lines: &SourceLines,
        pc: RomIndex,
    ) -> Result<Option<Condition>, NoWay> {
        let event = match self {
            Self::Run | Self::Breakpoint | Self::Instructions(_) => return Ok(None),
            Self::Condition(condition) => return Ok(Some(condition.clone())),
            Self::Event(event) => event.clone(),
            Self::Over => lines.over(image, pc),
            Self::OverInstruction => Event::leaves(image, [pc].into_iter().collect()),
            Self::Into => lines.into(image, pc),
            Self::Out => lines.out(image, pc).ok_or(NoWay::NotInside)?,
            Self::Writer { first, last } => Event::Touches(Access::Write, *first..=*last),
        };
        Ok(Some(event.into()))
    }

    /// The same for a run backward; `last` is the instruction executed last.
    pub(super) fn behind(
        &self,
        image: &Image,
        lines: &SourceLines,
        pc: RomIndex,
        last: Option<RomIndex>,
    ) -> Result<Option<Condition>, NoWay> {
        let event = match self {
            Self::Out => lines.back_out(image, pc).ok_or(NoWay::NotInside)?,
            Self::Over => lines.back_over(image, last.ok_or(NoWay::Beginning)?, pc),
            _ => return self.ahead(image, lines, pc),
        };
        Ok(Some(event.into()))
    }
}

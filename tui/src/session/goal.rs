//! What can be gone to, forward and back.

use gray1_isa::{Image, RamAddr, RomIndex};
use gray1_sim::debugger::{Access, Event};

/// The message that there is nothing to leave.
const NOT_INSIDE: &str = "this instruction is not in a macro call, a repeat or a routine";
/// The message that there is no way back.
pub(super) const BEGINNING: &str = "this is the beginning";

/// Something to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// A change of an LED.
    LedChange,
    /// A break.
    Break,
    /// A byte in the mailbox.
    MailboxByte,
    /// The end of a line that is printed.
    Line,
    /// An instruction outside the line, macro call, repeat or routine under way.
    Outside,
    /// The instruction behind the macro call, repeat or call of a routine that comes next, or
    /// behind the next instruction; backward, in front of the last one.
    Over,
    /// An instruction.
    Instruction(RomIndex),
    /// A store to a byte, or to one of several in a row.
    Write {
        /// The first of them.
        first: RamAddr,
        /// The last of them.
        last: RamAddr,
    },
}

impl Goal {
    /// What to run to besides the breaks; `None` for nothing. `pc` is where the machine is.
    ///
    /// # Errors
    /// In words, if there is nothing of the kind.
    pub(super) fn event(self, image: &Image, pc: RomIndex) -> Result<Option<Event>, &'static str> {
        Ok(Some(match self {
            Self::Break => return Ok(None),
            Self::LedChange => Event::Display,
            Self::MailboxByte => Event::Prints(None),
            Self::Line => Event::Prints(Some(b'\n')),
            Self::Outside => Event::leaves_unit(image, pc).ok_or(NOT_INSIDE)?,
            Self::Over => Event::passes_unit(image, pc),
            Self::Instruction(index) => Event::reaches(index),
            Self::Write { first, last } => Event::Touches(Access::Write, first..=last),
        }))
    }

    /// What to go back to besides the breaks; `last` is the instruction executed last.
    ///
    /// # Errors
    /// In words, if there is nothing of the kind.
    pub(super) fn earlier_event(
        self,
        image: &Image,
        pc: RomIndex,
        last: Option<RomIndex>,
    ) -> Result<Option<Event>, &'static str> {
        match self {
            Self::Outside => Event::enters_unit(image, pc).map(Some).ok_or(NOT_INSIDE),
            Self::Over => {
                last.map(|last| Some(Event::precedes_unit(image, last, pc))).ok_or(BEGINNING)
            }
            _ => self.event(image, pc),
        }
    }

    /// The message that there is none before now.
    pub(super) const fn none_before(self) -> &'static str {
        match self {
            Self::LedChange => "no earlier LED change",
            Self::Break => "no break was hit earlier",
            Self::MailboxByte => "nothing was printed earlier",
            Self::Line => "no line ended earlier",
            Self::Outside => "nothing earlier is outside this macro, repeat or routine",
            Self::Over => BEGINNING,
            Self::Instruction(_) => "the machine was not there earlier",
            Self::Write { .. } => "no instruction has written that byte",
        }
    }
}

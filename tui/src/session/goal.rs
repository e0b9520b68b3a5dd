//! What can be gone to, forward and back.

use gray1_isa::{Image, RamAddr, RomIndex};
use gray1_sim::debugger::{Access, Event};

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
    /// An instruction outside the macro call or repeat under way.
    Outside,
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
    /// What to look for besides the breaks; `None` for nothing. `pc` is where the machine is.
    ///
    /// # Errors
    /// In words, if there is nothing of the kind.
    pub(super) fn event(self, image: &Image, pc: RomIndex) -> Result<Option<Event>, &'static str> {
        Ok(Some(match self {
            Self::Break => return Ok(None),
            Self::LedChange => Event::Display,
            Self::MailboxByte => Event::Prints(None),
            Self::Line => Event::Prints(Some(b'\n')),
            Self::Outside => Event::leaves_expansion(image, pc)
                .ok_or("this instruction is not in a macro call or a repeat")?,
            Self::Instruction(index) => Event::reaches(index),
            Self::Write { first, last } => Event::Touches(Access::Write, first..=last),
        }))
    }

    /// The message that there is none before now.
    pub(super) const fn none_before(self) -> &'static str {
        match self {
            Self::LedChange => "no earlier LED change",
            Self::Break => "no break was met earlier",
            Self::MailboxByte => "nothing was printed earlier",
            Self::Line => "no line ended earlier",
            Self::Outside => "the machine was not outside earlier",
            Self::Instruction(_) => "the machine was not there earlier",
            Self::Write { .. } => "no instruction has written that byte",
        }
    }
}

//! Conditions that are waited for together, and what is told when one of them comes true.

use gray1_isa::{RomIndex, Word};

use super::Replay;
use super::condition::Condition;
use super::expression::View;
use crate::{Executed, Indexes, Write};

/// How many conditions can be waited for at once.
pub const CONDITIONS_MAX: usize = 64;

/// Conditions that are waited for together, made ready for one program.
#[derive(Debug, Clone, Default)]
pub struct Lookout {
    conditions: Vec<Condition>,
    /// All others cannot make a condition come true, and run at full speed.
    watched: Indexes,
}

/// Some of a lookout's conditions, by their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Which(u64);

/// A moment at which conditions came true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// When.
    pub moment: u64,
    /// Which conditions.
    pub which: Which,
    /// The instruction that did it; `None` where it was only waited for `next`.
    pub done: Option<Done>,
    /// The index of the instruction that comes next.
    pub next: RomIndex,
}

/// What an instruction was, and what it did to data memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// Where it stands.
    pub index: RomIndex,
    /// The instruction.
    pub word: Word,
    /// The byte that it wrote, or read: then the old value is the new one.
    pub touched: Option<Write>,
}

impl Hit {
    /// Whether the instruction changed an LED.
    #[must_use]
    pub fn changes_led(&self) -> bool {
        self.done.and_then(|done| done.touched).is_some_and(|write| write.changes_led())
    }
}

impl Lookout {
    /// Waits for these conditions in a program.
    ///
    /// # Panics
    /// If there are more than [`CONDITIONS_MAX`].
    #[must_use]
    pub fn new(conditions: Vec<Condition>, word: impl Fn(RomIndex) -> Word) -> Self {
        assert!(conditions.len() <= CONDITIONS_MAX, "there are too many conditions");
        let mut watched = Indexes::NONE;
        for condition in &conditions {
            watched.insert_all(&condition.instructions(&word));
        }
        Self { conditions, watched }
    }

    /// The instructions at which something may come true.
    #[must_use]
    pub fn watched(&self) -> &Indexes {
        &self.watched
    }

    fn which(&self, test: impl Fn(usize, &Condition) -> bool) -> Which {
        let matching = self.conditions.iter().enumerate().filter(|(n, c)| test(*n, c));
        Which(matching.fold(0, |bits, (n, _)| bits | 1 << n))
    }

    /// Which expressions hold.
    pub(super) fn holding(&self, view: View) -> Which {
        self.which(|_, condition| condition.holds(view))
    }

    /// What an instruction has done, where `held` were holding before it.
    pub(super) fn done(&self, executed: &Executed, held: Which, after: View) -> Which {
        self.which(|n, condition| condition.was_done(executed, held.contains(n), after))
    }

    /// Which conditions wait for the instruction that comes next.
    pub(super) fn reached(&self, now: View) -> Which {
        self.which(|_, condition| condition.is_reached(now))
    }
}

impl Which {
    /// Whether the condition of this number is one of them.
    #[must_use]
    pub const fn contains(self, number: usize) -> bool {
        number < CONDITIONS_MAX && self.0 >> number & 1 == 1
    }

    /// Whether it is none.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The conditions of these numbers.
    #[cfg(test)]
    pub(super) fn of(numbers: &[usize]) -> Self {
        Self(numbers.iter().fold(0, |bits, number| bits | 1 << number))
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Done {
    /// What a machine has just executed.
    pub(super) fn by(executed: &Executed, after: &impl Replay) -> Self {
        let Executed { index, word, write } = *executed;
        let read = || {
            let address = word.address();
            let byte = after.ram()[address.to_usize()];
            word.op().reads_memory().then_some(Write { address, old: byte, new: byte })
        };
        Self { index, word, touched: write.or_else(read) }
    }
}

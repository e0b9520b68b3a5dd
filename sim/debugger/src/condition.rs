//! The conditions a debugger can wait for, and how to tell that an instruction met them.

use std::ops::RangeInclusive;

use gray1_circuit::Circuit;
use gray1_isa::panel;
use gray1_isa::{Executed, Indexes, RamAddr, RomIndex, Word, Write};
use gray1_language::Binary;

use super::expression::{Expression, MachineView, Node};
use super::wires::WireEvent;

/// An event at an instruction boundary or within an instruction, with an optional guard.
///
/// Inputs from outside, such as buttons and resets, are not events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    event: Event,
    /// An expression that must hold when it happens.
    guard: Option<Expression>,
}

/// Something that happens to a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// An instruction of the set is about to be executed.
    Reaches(Box<Indexes>),
    /// A byte of the range was read, written, or either, even if its value stayed the same.
    Touches(Access, RangeInclusive<RamAddr>),
    /// Some LED changed.
    Display,
    /// The LEDs of one square of the display changed.
    Square {
        /// From the top, 0 to 7.
        row: u8,
        /// From the left, 0 to 7.
        column: u8,
    },
    /// Some of these bits of a byte changed.
    Changes {
        /// The byte.
        address: RamAddr,
        /// Its bits.
        mask: u8,
    },
    /// A byte was printed: this one, or any.
    Prints(Option<u8>),
    /// Wires of the board moved.
    Wires(WireEvent),
    /// An expression became true: it did not hold before the instruction.
    Turns(Expression),
}

/// A kind of access to a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// `LD`, `ADD` and `NAND` read.
    Read,
    /// `ST` writes.
    Write,
    /// Either.
    Any,
}

impl From<Event> for Condition {
    fn from(event: Event) -> Self {
        Self { event, guard: None }
    }
}

impl Condition {
    /// A condition that is never true.
    pub(super) fn never() -> Self {
        Event::Reaches(Box::default()).into()
    }

    /// The same condition, but only where an expression holds as well.
    #[must_use]
    pub fn only_if(self, guard: Expression) -> Self {
        let guard = match self.guard {
            Some(before) => Node::Binary(Binary::LogicalAnd, Box::new([before, guard])).into(),
            None => guard,
        };
        Self { guard: Some(guard), ..self }
    }

    /// The instructions that could cause it, or that it waits for.
    #[must_use]
    pub fn instructions(&self, word: impl Fn(RomIndex) -> Word) -> Indexes {
        match &self.event {
            Event::Reaches(indexes) => Indexes::clone(indexes),
            Event::Wires(_) => RomIndex::all().collect(),
            event => RomIndex::all().filter(|index| event.is_caused_by(word(*index))).collect(),
        }
    }

    /// Whether it waits for this instruction, whatever its guard.
    pub(super) fn waits_for(&self, index: RomIndex) -> bool {
        matches!(&self.event, Event::Reaches(indexes) if indexes.contains(index))
    }

    /// The first of the instructions it waits for, if it waits for any.
    #[must_use]
    pub fn instruction(&self) -> Option<RomIndex> {
        match &self.event {
            Event::Reaches(indexes) => indexes.iter().next(),
            _ => None,
        }
    }

    /// The event.
    #[must_use]
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// An expression that must hold when it happens.
    #[must_use]
    pub fn guard(&self) -> Option<&Expression> {
        self.guard.as_ref()
    }

    /// Whether the expression that it waits for holds; false if it waits for none.
    pub(super) fn holds(&self, view: MachineView) -> bool {
        matches!(&self.event, Event::Turns(expression) if expression.holds(view))
    }

    /// Whether an instruction made it true. `strays` are the bytes that it wrote besides its own,
    /// and `turned` says that [`Self::holds`] is true after it and was not before.
    pub(super) fn was_done(
        &self,
        executed: &Executed,
        strays: &[Write],
        turned: bool,
        after: MachineView,
    ) -> bool {
        let done = match &self.event {
            Event::Reaches(_) => false,
            Event::Turns(_) => turned,
            event => event.was_done(executed, strays),
        };
        done && self.is_guarded(after)
    }

    /// The number of names, numbers and operators in its expressions: what it takes to look whether
    /// it is true.
    #[must_use]
    pub fn size(&self) -> u64 {
        let event = match &self.event {
            Event::Turns(expression) => Some(expression),
            _ => None,
        };
        event.into_iter().chain(&self.guard).map(Expression::size).sum()
    }

    /// Whether the last edge made it true. `before` has the levels of all wires before that edge.
    pub(super) fn was_done_by_edge(
        &self,
        before: &[bool],
        circuit: &dyn Circuit,
        after: MachineView,
    ) -> bool {
        let done = matches!(&self.event, Event::Wires(event) if event.was_done(before, circuit));
        done && self.is_guarded(after)
    }

    /// Whether it waits for the next instruction.
    pub(super) fn is_reached(&self, now: MachineView) -> bool {
        self.waits_for(now.pc) && self.is_guarded(now)
    }

    fn is_guarded(&self, view: MachineView) -> bool {
        self.guard.as_ref().is_none_or(|guard| guard.holds(view))
    }
}

impl Event {
    /// The event that the instruction at an index is about to be executed.
    #[must_use]
    pub fn reaches(index: RomIndex) -> Self {
        Self::Reaches(Box::new(Indexes::from_iter([index])))
    }

    /// Whether an instruction could cause it. Operands are fixed addresses, so the word is enough
    /// to tell.
    fn is_caused_by(&self, word: Word) -> bool {
        let address = word.address();
        match self {
            Self::Reaches(_) | Self::Wires(_) => false,
            Self::Touches(access, range) => access.is_of(word) && range.contains(&address),
            Self::Display => word.op().writes_memory() && panel::is_led(address),
            Self::Square { row, .. } => word.op().writes_memory() && is_in_row(address, *row),
            Self::Changes { address: at, .. } => word.op().writes_memory() && address == *at,
            Self::Prints(_) => word.op().writes_memory() && address == panel::MAILBOX,
            Self::Turns(expression) => expression.is_changed_by(word),
        }
    }

    fn was_done(&self, Executed { word, write, .. }: &Executed, strays: &[Write]) -> bool {
        let wrote = |test: &dyn Fn(&Write) -> bool| strays.iter().chain(write).any(test);
        match self {
            Self::Reaches(_) | Self::Wires(_) | Self::Turns(_) => false,
            Self::Touches(access, range) => {
                let read = word.op().reads_memory() && range.contains(&word.address());
                let written = wrote(&|write| range.contains(&write.address));
                access.reads() && read || access.writes() && written
            }
            Self::Display => wrote(&Write::changes_led),
            Self::Square { row, column } => wrote(&|write| {
                is_in_row(write.address, *row) && (write.old ^ write.new) >> column & 1 == 1
            }),
            Self::Changes { address, mask } => {
                wrote(&|write| write.address == *address && (write.old ^ write.new) & mask != 0)
            }
            Self::Prints(byte) => wrote(&|write| {
                write.address == panel::MAILBOX && byte.is_none_or(|byte| byte == write.new)
            }),
        }
    }
}

impl Access {
    const fn reads(self) -> bool {
        matches!(self, Self::Read | Self::Any)
    }

    const fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Any)
    }

    const fn is_of(self, word: Word) -> bool {
        self.reads() && word.op().reads_memory() || self.writes() && word.op().writes_memory()
    }
}

/// Whether a row of the display has its LEDs at an address.
fn is_in_row(address: RamAddr, row: u8) -> bool {
    [panel::GREEN, panel::RED].iter().any(|first| address.get() == first.get() + u16::from(row))
}

//! The conditions that a debugger can wait for, and the check whether an instruction made one of
//! them true.

use std::ops::RangeInclusive;

use gray1_circuit::Circuit;
use gray1_isa::panel;
use gray1_isa::{Executed, Indexes, RamAddr, RomIndex, Word, Write};
use gray1_language::Binary;

use super::expression::{Expression, MachineView};
use super::power_up::PowerUpPlace;
use super::wires::WireEvent;

/// An event at an instruction boundary or within an instruction, with an optional guard.
///
/// An input counts like an instruction where something changes: LEDs, the bits of a byte, wires, or
/// the value of an expression. Only instructions read, write and print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    event: Event,
    /// An expression that must be true when the event happens.
    guard: Option<Expression>,
}

/// An event that conditions can wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The machine is about to execute an instruction of this set.
    Reaches(Box<Indexes>),
    /// An instruction read or wrote a byte in this range. A write counts even if it keeps the
    /// value.
    Touches(Access, RangeInclusive<RamAddr>),
    /// Any LED changed.
    Display,
    /// At least one of the LEDs of a square of the display changed.
    Square {
        /// The row, counted from the top, 0 to 7.
        row: u8,
        /// The column, counted from the left, 0 to 7.
        column: u8,
    },
    /// At least one of the given bits of a byte changed.
    Changes {
        /// The address of the byte.
        address: RamAddr,
        /// The bits, as a mask.
        mask: u8,
    },
    /// An instruction printed this byte, or any byte if it is `None`.
    Prints(Option<u8>),
    /// The machine is about to read a byte that nothing has written since power-up.
    Unwritten,
    /// The wires of a signal changed as the `WireEvent` describes.
    Wires(WireEvent),
    /// An expression became true. Before the instruction or the input it was false.
    Turns(Expression),
}

/// A kind of access to a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A read by `LD`, `ADD` or `NAND`.
    Read,
    /// A write by `ST`.
    Write,
    /// A read or a write.
    Any,
}

impl From<Event> for Condition {
    fn from(event: Event) -> Self {
        Self { event, guard: None }
    }
}

impl Condition {
    /// Returns a condition that is never true.
    pub(super) fn never() -> Self {
        Event::Reaches(Box::default()).into()
    }

    /// Adds an expression that must also be true when the event happens.
    #[must_use]
    pub fn only_if(self, guard: Expression) -> Self {
        let guard = match self.guard {
            Some(before) => Expression::Binary(Binary::LogicalAnd, Box::new([before, guard])),
            None => guard,
        };
        Self { guard: Some(guard), ..self }
    }

    /// Returns the instructions that could cause the event. For [`Event::Reaches`], returns the
    /// instructions that the event waits for.
    pub fn instructions(&self, word: impl Fn(RomIndex) -> Word) -> Indexes {
        match &self.event {
            Event::Reaches(indexes) => Indexes::clone(indexes),
            Event::Wires(_) => RomIndex::all().collect(),
            event => RomIndex::all().filter(|index| event.is_caused_by(word(*index))).collect(),
        }
    }

    /// Returns true if the event is that the machine reaches this instruction. Ignores the guard.
    pub(super) fn waits_for(&self, index: RomIndex) -> bool {
        matches!(&self.event, Event::Reaches(indexes) if indexes.contains(index))
    }

    /// Returns the first instruction for which the condition waits, if it waits for any.
    pub fn instruction(&self) -> Option<RomIndex> {
        match &self.event {
            Event::Reaches(indexes) => indexes.iter().next(),
            _ => None,
        }
    }

    /// Returns the event, without its guard.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Returns the guard: the expression that must be true when the event happens.
    pub fn guard(&self) -> Option<&Expression> {
        self.guard.as_ref()
    }

    /// Returns true if the expression of an [`Event::Turns`] is true now. Returns false for other
    /// events.
    pub(super) fn holds(&self, view: MachineView) -> bool {
        matches!(&self.event, Event::Turns(expression) if expression.holds(view))
    }

    /// Returns true if an input can cause the event, apart from a jump.
    pub(super) fn sees_inputs(&self) -> bool {
        match self.event {
            Event::Reaches(_) | Event::Touches(..) | Event::Prints(_) | Event::Unwritten => false,
            Event::Display
            | Event::Square { .. }
            | Event::Changes { .. }
            | Event::Wires(_)
            | Event::Turns(_) => true,
        }
    }

    /// Returns true if an instruction caused the event, or an input if `executed` is `None`.
    /// `changes` are the bytes that it changed besides the write in `executed`. `turned` means that
    /// [`Self::holds`] became true.
    pub(super) fn occurred(
        &self,
        executed: Option<&Executed>,
        changes: &[Write],
        turned: bool,
        after: MachineView,
    ) -> bool {
        let occurred = match &self.event {
            Event::Reaches(_) => false,
            Event::Turns(_) => turned,
            event => event.occurred(executed, changes),
        };
        (occurred || self.event.unknown_place(after).is_some()) && self.is_guarded(after)
    }

    /// Returns the number of operators and operands in the condition's expressions, which is the
    /// cost of evaluating them.
    pub fn size(&self) -> u64 {
        let event = match &self.event {
            Event::Turns(expression) => Some(expression),
            _ => None,
        };
        event.into_iter().chain(&self.guard).map(Expression::size).sum()
    }

    /// Returns true if the last edge or input caused the event. `before` contains the levels of all
    /// wires before it.
    pub(super) fn moved_wires(
        &self,
        before: &[bool],
        circuit: &dyn Circuit,
        after: MachineView,
    ) -> bool {
        let fits = matches!(&self.event, Event::Wires(event) if event.occurred(before, circuit));
        fits && self.is_guarded(after)
    }

    /// Returns true if the condition waits for the machine's next instruction and its guard holds.
    /// `reads_unwritten` means that this instruction reads a byte that nothing has written.
    pub(super) fn is_reached(&self, now: MachineView, reads_unwritten: bool) -> bool {
        let is_unwritten = reads_unwritten && self.event == Event::Unwritten;
        (is_unwritten || self.waits_for(now.pc)) && self.is_guarded(now)
    }

    /// Returns true if the guard is true, or if that is unknown. So a run on a machine that may
    /// hold anything stops where the condition may be true.
    fn is_guarded(&self, view: MachineView) -> bool {
        let guard = self.guard.as_ref();
        guard.is_none_or(|guard| guard.holds(view) || guard.unknown_place(view).is_some())
    }

    /// Returns a register or byte with unknown bits that decide now whether the condition is true.
    pub fn unknown_place(&self, view: MachineView) -> Option<PowerUpPlace> {
        let place = self.event.unknown_place(view);
        place.or_else(|| self.guard.as_ref()?.unknown_place(view))
    }
}

impl Event {
    /// Returns the event that happens when the machine is about to execute the instruction at an
    /// index.
    pub fn reaches(index: RomIndex) -> Self {
        Self::Reaches(Box::new(Indexes::from_iter([index])))
    }

    /// Returns true if an instruction could cause the event. Operands are fixed addresses, so the
    /// word is enough to decide.
    fn is_caused_by(&self, word: Word) -> bool {
        let address = word.address();
        match self {
            Self::Reaches(_) | Self::Wires(_) => false,
            Self::Touches(access, range) => access.includes(word) && range.contains(&address),
            Self::Display => word.op().writes_memory() && panel::is_led(address),
            Self::Square { row, .. } => word.op().writes_memory() && is_in_row(address, *row),
            Self::Changes { address: at, .. } => word.op().writes_memory() && address == *at,
            Self::Prints(_) => word.op().writes_memory() && address == panel::MAILBOX,
            Self::Unwritten => word.op().reads_memory() && address != panel::BUTTONS,
            Self::Turns(expression) => expression.is_changed_by(word),
        }
    }

    /// Returns a register or byte with unknown bits that decide whether the event happens, now or
    /// at their next change.
    pub fn unknown_place(&self, view: MachineView) -> Option<PowerUpPlace> {
        let byte = |address| Expression::At(address).unknown_place(view);
        match self {
            Self::Turns(expression) => expression.unknown_place(view),
            Self::Display => panel::leds().find_map(byte),
            Self::Square { row, .. } => {
                panel::leds().filter(|address| is_in_row(*address, *row)).find_map(byte)
            }
            Self::Changes { address, .. } => byte(*address),
            // Which instructions ran, and so which bytes they wrote, is known.
            Self::Reaches(_)
            | Self::Touches(..)
            | Self::Prints(_)
            | Self::Wires(_)
            | Self::Unwritten => None,
        }
    }

    fn occurred(&self, executed: Option<&Executed>, changes: &[Write]) -> bool {
        let last = executed.and_then(|executed| executed.write.as_ref());
        let wrote = |test: &dyn Fn(&Write) -> bool| changes.iter().chain(last).any(test);
        match self {
            Self::Reaches(_) | Self::Unwritten | Self::Wires(_) | Self::Turns(_) => false,
            Self::Touches(access, range) => executed.is_some_and(|Executed { word, .. }| {
                let read = word.op().reads_memory() && range.contains(&word.address());
                let written = wrote(&|write| range.contains(&write.address));
                access.reads() && read || access.writes() && written
            }),
            Self::Display => wrote(&Write::changes_led),
            Self::Square { row, column } => wrote(&|write| {
                is_in_row(write.address, *row) && (write.old ^ write.new) >> column & 1 == 1
            }),
            Self::Changes { address, mask } => {
                wrote(&|write| write.address == *address && (write.old ^ write.new) & mask != 0)
            }
            Self::Prints(byte) => {
                let prints = wrote(&|write| {
                    write.address == panel::MAILBOX && byte.is_none_or(|byte| byte == write.new)
                });
                executed.is_some() && prints
            }
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

    const fn includes(self, word: Word) -> bool {
        self.reads() && word.op().reads_memory() || self.writes() && word.op().writes_memory()
    }
}

/// Returns true if an address holds the LEDs of a row of the display.
fn is_in_row(address: RamAddr, row: u8) -> bool {
    [panel::GREEN, panel::RED].iter().any(|first| address.get() == first.get() + u16::from(row))
}

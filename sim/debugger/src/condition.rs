//! What a debugger can wait for, and how it is told from what an instruction did.

use std::ops::RangeInclusive;

use gray1_circuit::Circuit;
use gray1_isa::panel::{self, SIDE};
use gray1_isa::{Executed, Indexes, RamAddr, RomIndex, SymbolKind, Word, Write};
use gray1_language::{Binary, Operators};

use super::expression::{Expression, Node, View};
use super::parse::{self, ParseError, Parser, Problem};
use super::scope::Scope;
use super::wires::WireEvent;

/// Something that happens to a machine, between two instructions or by one.
///
/// The panel's own doing, buttons and resets, is none of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    event: Event,
    /// What must hold as it happens.
    guard: Option<Expression>,
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// An instruction of the set comes next. It is not executed yet.
    Reaches(Box<Indexes>),
    /// A byte of the range was read, written, or either; be it with the value it had.
    Touches(Access, RangeInclusive<RamAddr>),
    /// Some LED looks different now.
    Display,
    /// A square of the display looks different now.
    Square {
        /// From the top, 0 to 7.
        row: u8,
        /// From the left, 0 to 7.
        column: u8,
    },
    /// A byte was printed: this one, or any.
    Prints(Option<u8>),
    /// Wires of the board move.
    Wires(WireEvent),
    /// An expression holds that did not hold before the instruction.
    Turns(Expression),
}

/// What is done to a byte.
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
    /// A condition that is never met.
    pub(super) fn never() -> Self {
        Event::Reaches(Box::default()).into()
    }

    /// The same, but only where an expression holds, too.
    #[must_use]
    pub fn only_if(self, guard: Expression) -> Self {
        let guard = match self.guard {
            Some(before) => Node::Binary(Binary::LogicalAnd, Box::new([before, guard])).into(),
            None => guard,
        };
        Self { guard: Some(guard), ..self }
    }

    /// Reads a condition as people write it, with the symbols of a program:
    ///
    /// - `row3`, `row3 + 2`, `0x12`, `multiply`: the instruction there comes next, or the first one
    ///   of a routine
    /// - `write stack`, `read N`, `access N + 1`: a byte, or all bytes of a variable
    /// - `led`, `led 0, 7`: any square; row and column
    /// - `mailbox`, `mailbox '\n'`: any byte that is printed, or this one
    /// - `wire PCL.3 rises` (`falls`, `changes`), `wire PC_LOAD = 1`: a wire, or all of a name
    /// - `glitch PCL.3`: a wire moves more than once in an edge of the oscillator
    /// - `double PCL`: two or more wires of this name move in the same edge
    /// - `when [N] == 8 && A > 3`: an expression turns true
    ///
    /// and behind any of them `if` with an expression that must hold then.
    ///
    /// # Errors
    /// If the text is not a condition; the error says where and why.
    pub fn parse<'a>(text: &'a str, scope: impl Into<Scope<'a>>) -> Result<Self, ParseError> {
        Self::read(&mut Parser::new(text, scope.into())?)
    }

    /// A condition in a form that means the same wherever the machine is: names of the routine
    /// around [`Scope::at`] as `routine.name`.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub fn qualified(text: &str, scope: Scope) -> Result<String, ParseError> {
        parse::qualified(text, scope, Self::read)
    }

    fn read(parser: &mut Parser) -> Result<Self, ParseError> {
        let event = Event::parse(parser)?;
        let guard = if parser.takes_word("if") { Some(parser.expression()?) } else { None };
        parser.end()?;
        Ok(Self { event, guard })
    }

    /// The instructions at which it can happen: those that could cause it, or that it waits for.
    #[must_use]
    pub fn instructions(&self, word: impl Fn(RomIndex) -> Word) -> Indexes {
        match &self.event {
            Event::Reaches(indexes) => Indexes::clone(indexes),
            Event::Wires(_) => RomIndex::all().collect(),
            event => RomIndex::all().filter(|index| event.is_caused_by(word(*index))).collect(),
        }
    }

    /// Whether it waits for this instruction to come next, whatever must hold then.
    pub(super) fn waits_for(&self, index: RomIndex) -> bool {
        matches!(&self.event, Event::Reaches(indexes) if indexes.contains(index))
    }

    /// The first instruction that it waits for, if it waits for instructions.
    #[must_use]
    pub fn instruction(&self) -> Option<RomIndex> {
        match &self.event {
            Event::Reaches(indexes) => indexes.iter().next(),
            _ => None,
        }
    }

    /// What happens.
    #[must_use]
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// What must hold as it happens.
    #[must_use]
    pub fn guard(&self) -> Option<&Expression> {
        self.guard.as_ref()
    }

    /// Whether its expression holds; false for what has none.
    pub(super) fn holds(&self, view: View) -> bool {
        matches!(&self.event, Event::Turns(expression) if expression.holds(view))
    }

    /// Whether an instruction has done it. `held` is what [`Self::holds`] said before.
    pub(super) fn was_done(&self, executed: &Executed, held: bool, after: View) -> bool {
        let done = match &self.event {
            Event::Reaches(_) => false,
            Event::Turns(expression) => !held && expression.holds(after),
            event => event.was_done(executed),
        };
        done && self.is_guarded(after)
    }

    /// The size of its expressions.
    pub(super) fn size(&self) -> u64 {
        let event = match &self.event {
            Event::Turns(expression) => Some(expression),
            _ => None,
        };
        event.into_iter().chain(&self.guard).map(Expression::size).sum()
    }

    /// Whether the last edge has done it. `before` holds the levels of all wires before that edge.
    pub(super) fn was_done_by_edge(
        &self,
        before: &[bool],
        circuit: &dyn Circuit,
        after: View,
    ) -> bool {
        let done = matches!(&self.event, Event::Wires(event) if event.was_done(before, circuit));
        done && self.is_guarded(after)
    }

    /// Whether the instruction that comes next is waited for.
    pub(super) fn is_reached(&self, now: View) -> bool {
        self.waits_for(now.pc) && self.is_guarded(now)
    }

    fn is_guarded(&self, view: View) -> bool {
        self.guard.as_ref().is_none_or(|guard| guard.holds(view))
    }
}

impl Event {
    fn parse(parser: &mut Parser) -> Result<Self, ParseError> {
        for (word, access) in
            [("read", Access::Read), ("write", Access::Write), ("access", Access::Any)]
        {
            if parser.takes_word(word) {
                return Self::parse_bytes(parser, access);
            }
        }
        if let Some(event) = WireEvent::parse(parser)? {
            Ok(Self::Wires(event))
        } else if parser.takes_word("led") {
            Self::parse_square(parser)
        } else if parser.takes_word("mailbox") {
            Self::parse_mailbox(parser)
        } else if parser.takes_word("when") {
            parser.expression().map(Self::Turns)
        } else {
            Self::parse_instruction(parser)
        }
    }

    fn parse_bytes(parser: &mut Parser, access: Access) -> Result<Self, ParseError> {
        let (first, symbol) = parser.place("data memory")?;
        let size = symbol.map_or(1, |symbol| symbol.size.max(1));
        let last = RamAddr::new(first.saturating_add(size - 1)).unwrap_or(RamAddr::MAX);
        Ok(Self::Touches(access, RamAddr::truncate(first)..=last))
    }

    fn parse_instruction(parser: &mut Parser) -> Result<Self, ParseError> {
        if let Some(entry) = parser.takes_routine() {
            return Ok(Self::reaches(entry));
        }
        let start = parser.at();
        let (index, symbol) = parser.place("program memory")?;
        match symbol {
            Some(symbol) if symbol.kind == SymbolKind::Variable => {
                Err(parser.error_at(start, Problem::Variable(symbol.name.clone())))
            }
            _ => Ok(Self::reaches(RomIndex::truncate(index))),
        }
    }

    fn parse_square(parser: &mut Parser) -> Result<Self, ParseError> {
        if !parser.has_more() || parser.next_word_is("if") {
            return Ok(Self::Display);
        }
        let row = Self::parse_side(parser)?;
        if !parser.takes(",") {
            return Err(parser.expected("a comma and a column"));
        }
        Ok(Self::Square { row, column: Self::parse_side(parser)? })
    }

    fn parse_side(parser: &mut Parser) -> Result<u8, ParseError> {
        let start = parser.at();
        let (number, _) = parser.place("numbers")?;
        let side = u8::try_from(number).ok().filter(|side| usize::from(*side) < SIDE);
        side.ok_or_else(|| parser.error_at(start, Problem::NoSquare(number)))
    }

    fn parse_mailbox(parser: &mut Parser) -> Result<Self, ParseError> {
        if !parser.has_more() || parser.next_word_is("if") {
            return Ok(Self::Prints(None));
        }
        let start = parser.at();
        let (number, _) = parser.place("numbers")?;
        let byte = u8::try_from(number);
        byte.map(|byte| Self::Prints(Some(byte)))
            .map_err(|_| parser.error_at(start, Problem::NoByte(number)))
    }

    /// The instruction at an index comes next.
    #[must_use]
    pub fn reaches(index: RomIndex) -> Self {
        Self::Reaches(Box::new(Indexes::from_iter([index])))
    }

    /// Whether an instruction could do it. Operands are fixed addresses: the word tells.
    fn is_caused_by(&self, word: Word) -> bool {
        let address = word.address();
        match self {
            Self::Reaches(_) | Self::Wires(_) => false,
            Self::Touches(access, range) => access.is_of(word) && range.contains(&address),
            Self::Display => word.op().writes_memory() && panel::is_led(address),
            Self::Square { row, .. } => word.op().writes_memory() && is_in_row(address, *row),
            Self::Prints(_) => word.op().writes_memory() && address == panel::MAILBOX,
            Self::Turns(expression) => expression.is_changed_by(word),
        }
    }

    fn was_done(&self, Executed { word, write, .. }: &Executed) -> bool {
        let wrote = |test: &dyn Fn(&Write) -> bool| write.as_ref().is_some_and(test);
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

/// Whether an address holds LEDs of a row of the display.
fn is_in_row(address: RamAddr, row: u8) -> bool {
    [panel::GREEN, panel::RED].iter().any(|first| address.get() == first.get() + u16::from(row))
}

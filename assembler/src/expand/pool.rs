//! Constants that live in data memory: the bytes that `#` names, and the `.pool` that plants them.
//!
//! How many bytes there are is known only at the end, yet everything below a `.pool` moves with its
//! size. So the program is expanded with room for as many as it needed the time before, until that
//! is right.

use gray1_isa::{Op, RamAddr, Symbol, SymbolKind, Word};

use super::layout::{Content, Placed};
use super::{At, Expander};
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};

/// The bytes of a pool, one a value.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// How many bytes `.pool` makes room for.
    reserved: u16,
    /// Where the `.pool` stands, and the address of its first byte.
    place: Option<(Location, RamAddr)>,
    /// The values that instructions use, in the order of their addresses.
    values: Vec<u8>,
    /// That there is no `.pool` was reported.
    missing: Option<Reported>,
}

/// Half of what plants a byte: its value into A, or A into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Planting {
    Load(u16),
    Store(u16),
}

impl Pool {
    /// A pool for another expansion, with room for the bytes that are used.
    pub(super) fn again(&self) -> Self {
        Self { reserved: self.values.len() as u16, ..Self::default() }
    }

    /// Whether there was room for another number of bytes than are used.
    pub(super) fn is_unsettled(&self) -> bool {
        self.place.is_some() && self.values.len() != usize::from(self.reserved)
    }

    /// Where the `.pool` stands.
    pub(super) fn location(&self) -> Option<Location> {
        self.place.map(|(location, _)| location)
    }

    /// The address of the byte that holds a value; `None` if nothing plants it.
    fn address_of(&mut self, value: u8) -> Option<RamAddr> {
        let (_, first) = self.place?;
        let number = self.values.iter().position(|known| *known == value).unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        Some(RamAddr::truncate(first.get() + number as u16))
    }

    /// An instruction that plants a byte, now that all values are known.
    pub(super) fn planting(&self, planting: Planting) -> Option<Word> {
        let (_, first) = self.place?;
        Some(match planting {
            Planting::Load(number) => Word::ldi(*self.values.get(usize::from(number))?),
            Planting::Store(number) => Word::data(Op::St, RamAddr::truncate(first.get() + number)),
        })
    }

    /// The bytes as symbols. No name of the language looks like theirs.
    pub(super) fn symbols(&self) -> impl Iterator<Item = Symbol> {
        let first = self.place.map_or(0, |(_, first)| first.get());
        (i64::from(first)..).zip(&self.values).map(|(value, byte)| Symbol {
            name: format!("#0x{byte:02x}"),
            kind: SymbolKind::Variable,
            value,
            size: 1,
        })
    }
}

impl Expander<'_> {
    /// `.pool`
    pub(super) fn place_pool(&mut self, span: Span, at: At) {
        let scope = self.scope(at);
        if let Some(first) = self.pool.location() {
            self.report_with(&Problem::PoolTwice, span, &scope, |_, diagnostic| {
                diagnostic.note("the first one is here", Some(first))
            });
            return;
        }
        let first =
            self.layout.reserve(self.pool.reserved.into()).unwrap_or_else(|(start, last)| {
                self.report(&Problem::PoolReachesPanel { start, last }, span, &scope);
                start
            });
        let first = RamAddr::truncate(first.cast_unsigned() as u16);
        self.pool.place = Some((Location { file: at.file, span }, first));
        for number in 0..self.pool.reserved {
            self.place(Content::Plant(Planting::Load(number)), span, at);
            self.place(Content::Plant(Planting::Store(number)), span, at);
        }
    }

    /// The word of an instruction whose operand is `#value`.
    pub(super) fn pooled_word(
        &mut self,
        op: Op,
        value: u8,
        operand: Span,
        placed: &Placed,
    ) -> Result<Word, Reported> {
        if !matches!(op, Op::Ld | Op::Add | Op::Nand) {
            return Err(self.report(&Problem::PooledOperand(op), operand, &placed.scope));
        }
        if let Some(address) = self.pool.address_of(value) {
            return Ok(Word::data(op, address));
        }
        let reported = self.lost.pool().or(self.pool.missing).unwrap_or_else(|| {
            self.report_with(&Problem::NoPool, operand, &placed.scope, |_, diagnostic| {
                let help = "write `.pool` where the program starts: it plants the bytes there";
                diagnostic.help(Some(help.to_owned()))
            })
        });
        self.pool.missing = Some(reported);
        Err(reported)
    }
}

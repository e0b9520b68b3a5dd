//! The pool: constants in data memory that operands refer to by `#`.

use gray1_isa::{Op, RamAddr, Symbol, Word};

use crate::evaluate::Evaluator;
use crate::place::{PlacedPool, PlacedWord, Placement};
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::Span;

/// The bytes of the pool, one for each value, by address.
#[derive(Debug)]
pub(super) struct PoolBytes<'a> {
    placed: Option<&'a PlacedPool>,
    values: Vec<u8>,
    /// The error that there is no `.pool`, if it was reported.
    missing: Option<Reported>,
}

impl<'a> PoolBytes<'a> {
    pub(super) fn new(placement: &'a Placement) -> Self {
        Self { placed: placement.pool.as_ref(), values: Vec::new(), missing: None }
    }

    /// Returns the word of an instruction that takes `#value`.
    pub(super) fn make_word(
        &mut self,
        op: Op,
        value: u8,
        operand: Span,
        placed: &PlacedWord,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Word, Reported> {
        if let Some(pool) = self.placed {
            return Ok(Word::data(op, address(pool, self.find_or_add(value))));
        }
        let evidence = evaluator.symbols.lost.pool().or(self.missing);
        let reported = evidence.unwrap_or_else(|| {
            let reported = evaluator.report(&Problem::NoPool, operand, &placed.scope);
            evaluator.findings.without_pool = Some(reported);
            reported
        });
        self.missing = Some(reported);
        Err(reported)
    }

    /// Returns the number of the byte that holds a value. Adds the byte if it is new.
    fn find_or_add(&mut self, value: u8) -> u16 {
        let known = self.values.iter().position(|known| *known == value);
        let number = known.unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        number as u16
    }

    /// Returns the `LDI` that loads the value of this byte of the pool. Call it only after all
    /// values are known. Returns `None` if the byte was planned but is not needed.
    pub(super) fn load(&self, number: u16) -> Option<Word> {
        self.values.get(usize::from(number)).map(|value| Word::ldi(*value))
    }

    /// Returns the instruction that stores A in a byte.
    pub(super) fn store(&self, number: u16) -> Option<Word> {
        self.placed.map(|pool| Word::data(Op::St, address(pool, number)))
    }

    /// Returns the values by address, or `None` without a `.pool`.
    pub(super) fn into_values(self) -> Option<Vec<u8>> {
        self.placed.map(|_| self.values)
    }
}

/// Returns the address of a byte of the pool.
fn address(pool: &PlacedPool, number: u16) -> RamAddr {
    RamAddr::truncate(pool.first.get() + number)
}

/// Returns symbols for the bytes.
pub(super) fn symbols(placement: &Placement, values: &[u8]) -> impl Iterator<Item = Symbol> {
    let first = placement.pool.map_or(0, |pool| pool.first.get());
    (i64::from(first)..).zip(values).map(|(address, byte)| Symbol::pool_constant(*byte, address))
}

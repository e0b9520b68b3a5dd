//! Makes the words of program memory by giving every operand its value.

use std::collections::HashMap;

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{Op, Operand, RamAddr, RomIndex, Word};

use super::pool::PoolBytes;
use super::routines::{CallLinks, link_calls};
use crate::evaluate::{Evaluator, Findings};
use crate::limits::{ADDRESSES, IMMEDIATES};
use crate::names::Names;
use crate::place::{PlacedReason, PlacedWord, Placement, Plan, WordContent};
use crate::problem::Problem;
use crate::report::Reported;
use crate::symbols::{DefinitionId, Meaning, Scope, Value};
use crate::syntax::Expr;

/// The values of a program.
#[derive(Debug)]
pub(crate) struct Linked {
    /// The words of program memory, if all have values. Otherwise there is an error, or a word
    /// depends on a plan that is not right yet.
    pub(crate) words: Result<Vec<Word>, Option<Reported>>,
    pub(crate) constants: HashMap<DefinitionId, Value>,
    pub(crate) pool: Vec<u8>,
    /// The plan with the sizes that this placement turned out to need.
    pub(crate) plan: Plan,
}

/// Finds all values of a program that was placed with a plan.
pub(crate) fn link(
    placement: &Placement,
    plan: &Plan,
    names: &mut Names,
    findings: &mut Findings,
) -> Linked {
    let symbols = &placement.symbols;
    let mut evaluator = Evaluator { symbols, names, findings, is_complete: true };
    let (calls, called) = link_calls(placement, &mut evaluator);
    let constants = evaluate_constants(&mut evaluator);
    let mut linker = Linker { evaluator, calls, pool: PoolBytes::new(placement) };
    let words = linker.link_words(&placement.words);
    for word in &placement.left_out {
        // The errors were reported.
        linker.check_word(word).ok();
    }
    for (assertion, scope) in &placement.assertions {
        // If the assertion failed or could not be evaluated, that has already been reported.
        linker.evaluator.assert(assertion, scope).unwrap_or_default();
    }
    let presentation = &placement.settings.presentation;
    for PlacedReason { reason, span, scope } in placement.reasons.values().flatten() {
        // A grid can follow the reason, so this is checked at the end.
        if let Err(error) = presentation.check_marks(reason) {
            linker.evaluator.report(&Problem::Presentation(error), *span, scope);
        }
    }
    let pool = linker.pool.into_values();
    let plan = Plan {
        pool_bytes: pool.as_ref().map_or(plan.pool_bytes, |values| values.len() as u16),
        called: called.filter(|_| !placement.routines.is_empty()).or_else(|| plan.called.clone()),
    };
    Linked { words, constants, pool: pool.unwrap_or_default(), plan }
}

/// Evaluates all constants, including local ones, to find every error.
fn evaluate_constants(evaluator: &mut Evaluator<'_>) -> HashMap<DefinitionId, Value> {
    let mut values = HashMap::new();
    for (number, definition) in (0..).zip(&evaluator.symbols.definitions) {
        if let Meaning::Constant(thunk) = definition.meaning
            && let Ok(known) = evaluator.evaluate_constant(thunk)
        {
            values.insert(DefinitionId(number), known.value);
        }
    }
    values
}

/// Encodes instructions.
struct Linker<'a> {
    evaluator: Evaluator<'a>,
    calls: CallLinks<'a>,
    pool: PoolBytes<'a>,
}

impl Linker<'_> {
    /// Returns the words of program memory, after checking all of them. Returns an error if any
    /// word has no value, because an image has no holes.
    fn link_words(&mut self, placed: &[PlacedWord]) -> Result<Vec<Word>, Option<Reported>> {
        let mut words = Ok(vec![Word::ERASED; ROM_WORDS]);
        // Encode the loads of the pool last, because only then are its values known.
        let (last, first): (Vec<&PlacedWord>, Vec<&PlacedWord>) =
            placed.iter().partition(|it| matches!(it.content, WordContent::PoolLoad(_)));
        for placed in first.into_iter().chain(last) {
            let index = RomIndex::truncate(placed.scope.here as u16);
            match (self.link_word(placed), &mut words) {
                (Ok(word), Ok(words)) => words[index.to_usize()] = word,
                (Ok(_), Err(_)) => {}
                (Err(why), words) => *words = Err(why),
            }
        }
        words
    }

    /// Finds errors in the operand of a word that is left out. Numbers are not checked against
    /// their range, because the indexes and bytes of an uncalled routine are unknown.
    fn check_word(&mut self, placed: &PlacedWord) -> Result<(), Reported> {
        const ANY: (i64, i64) = (i64::MIN, i64::MAX);
        let scope = &placed.scope;
        match &placed.content {
            WordContent::Word(value) => {
                self.evaluator.known_in_range(value, scope, "a word", ANY).map(|_: i64| ())
            }
            WordContent::Instruction(op, Some(value)) => {
                self.evaluate_operand(*op, value, scope, ANY).map(|_| ())
            }
            WordContent::Argument { value, .. } => {
                self.evaluate_operand(Op::Ld, value, scope, ANY).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Returns the word of an instruction with its operand.
    fn link_word(&mut self, placed: &PlacedWord) -> Result<Word, Option<Reported>> {
        match &placed.content {
            WordContent::PoolLoad(number) => self.pool.load(*number).ok_or(None),
            WordContent::PoolStore(number) => self.pool.store(*number).ok_or(None),
            WordContent::Word(value) => {
                let range = (0, 0xffff);
                let what = "a word";
                let bits = self.evaluator.known_in_range(value, &placed.scope, what, range)?;
                Ok(Word::from_bits(bits))
            }
            WordContent::Instruction(op, None) => Ok(Word::from_bits(u16::from(op.code()) << 13)),
            WordContent::Linked(op, link) => {
                let operand = self.calls.resolve(*link).ok_or(None)?;
                Ok(encode(*op, operand.into()))
            }
            WordContent::Instruction(op, Some(value)) => {
                Ok(match self.evaluate_operand(*op, value, &placed.scope, operand_range(*op))? {
                    Loaded::Number(number) => encode(*op, number),
                    Loaded::Pooled(byte) => {
                        self.pool.make_word(*op, byte, value.span(), placed, &mut self.evaluator)?
                    }
                })
            }
            WordContent::Argument { value, call } => {
                let scope = Scope { here: *call, ..placed.scope };
                Ok(match self.evaluate_operand(Op::Ld, value, &scope, operand_range(Op::Ld))? {
                    Loaded::Number(number) => encode(Op::Ld, number),
                    Loaded::Pooled(byte) => Word::ldi(byte),
                })
            }
        }
    }

    /// Evaluates an operand. A number must be in range.
    fn evaluate_operand(
        &mut self,
        op: Op,
        operand: &Expr,
        scope: &Scope,
        range: (i64, i64),
    ) -> Result<Loaded, Reported> {
        let what = match op.operand() {
            Operand::Immediate | Operand::None => "the operand of LDI",
            Operand::Data => "a data address",
            Operand::Target => "a jump target",
        };
        let known = self.evaluator.known_value(operand, scope, what)?;
        match known.value {
            Value::Pooled(byte) if matches!(op, Op::Ld | Op::Add | Op::Nand) => {
                Ok(Loaded::Pooled(byte))
            }
            Value::Pooled(_) => {
                let problem = Problem::PooledOperand(op);
                Err(self.evaluator.report(&problem, operand.span(), scope))
            }
            _ => self.evaluator.in_range(&known, operand, scope, what, range).map(Loaded::Number),
        }
    }
}

enum Loaded {
    Number(i64),
    /// A byte of the pool.
    Pooled(u8),
}

/// Returns the range of an instruction's operand.
fn operand_range(op: Op) -> (i64, i64) {
    match op.operand() {
        Operand::Immediate | Operand::None => IMMEDIATES,
        Operand::Data | Operand::Target => ADDRESSES,
    }
}

/// Encodes an instruction whose operand is in range.
fn encode(op: Op, operand: i64) -> Word {
    let operand = (operand as i16).cast_unsigned();
    match op.operand() {
        Operand::Immediate | Operand::None => Word::ldi(operand as u8),
        Operand::Data => Word::data(op, RamAddr::truncate(operand)),
        Operand::Target => Word::jump(op, RomIndex::truncate(operand)),
    }
}

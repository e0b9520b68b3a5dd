//! The words of program memory: every operand gets its value.

use std::collections::HashMap;

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{Op, Operand, RamAddr, RomIndex, Word};

use super::pool::PoolBytes;
use super::routines::{CallLinks, link_calls};
use crate::evaluate::{Evaluator, Findings, Memo, Reports};
use crate::limits::{ADDRESSES, IMMEDIATES};
use crate::names::Names;
use crate::place::{Content, Placed, Placement, Plan};
use crate::report::Reported;
use crate::symbols::{DefinitionId, Meaning, Value};

/// A program with all its values.
#[derive(Debug)]
pub(crate) struct Linked {
    /// The words of program memory. None without all of them.
    pub(crate) words: Result<Vec<Word>, NoWord>,
    /// The values of the constants.
    pub(crate) constants: HashMap<DefinitionId, Value>,
    /// The bytes of the pool.
    pub(crate) pool: Vec<u8>,
    /// The plan that the program should have been placed with.
    pub(crate) plan: Plan,
}

/// Why there is no word.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NoWord {
    /// There is an error.
    Reported(Reported),
    /// It depends on a plan that is not right yet.
    Unsettled,
}

impl From<Reported> for NoWord {
    fn from(reported: Reported) -> Self {
        Self::Reported(reported)
    }
}

/// Works out all values of a program that was placed with a plan.
pub(crate) fn link(
    placement: &Placement,
    plan: &Plan,
    names: &mut Names,
    memo: &mut Memo,
    findings: &mut Findings,
) -> Linked {
    let symbols = &placement.symbols;
    let reports = Reports { symbols, names, findings, is_complete: true };
    let mut evaluator = Evaluator { reports, memo };
    let (calls, frames) = link_calls(placement, &mut evaluator);
    let constants = constants(&mut evaluator);
    let mut linker = Linker { evaluator, calls, pool: PoolBytes::new(placement) };
    let words = linker.words(&placement.words);
    for word in &placement.left_out {
        linker.check(word);
    }
    for assertion in &placement.assertions {
        // What is unknown or does not hold was reported.
        assertion.check(&mut linker.evaluator).unwrap_or_default();
    }
    let pool = linker.pool.into_values();
    let plan = Plan {
        pool_bytes: pool.as_ref().map_or(plan.pool_bytes, |values| values.len() as u16),
        frames: frames.filter(|_| !placement.routines.is_empty()).or_else(|| plan.frames.clone()),
    };
    Linked { words, constants, pool: pool.unwrap_or_default(), plan }
}

/// The values of all constants, the local ones too, so that every mistake is found.
fn constants(evaluator: &mut Evaluator<'_>) -> HashMap<DefinitionId, Value> {
    let mut values = HashMap::new();
    for (number, definition) in (0..).zip(&evaluator.reports.symbols.definitions) {
        if let Meaning::Constant(thunk) = definition.meaning
            && let Ok(known) = evaluator.constant(thunk)
        {
            values.insert(DefinitionId(number), known.value);
        }
    }
    values
}

/// Makes words.
struct Linker<'a> {
    evaluator: Evaluator<'a>,
    calls: CallLinks<'a>,
    pool: PoolBytes<'a>,
}

impl Linker<'_> {
    /// The words of program memory, all of which are checked. One that cannot be had is a reason to
    /// have none: there is no image with a hole.
    fn words(&mut self, placed: &[Placed]) -> Result<Vec<Word>, NoWord> {
        let mut words = Ok(vec![Word::ERASED; ROM_WORDS]);
        // What initialises the pool comes last: only then are its values known.
        let is_last = |placed: &&Placed| matches!(placed.content, Content::Initialiser(_));
        let (last, first): (Vec<&Placed>, Vec<&Placed>) = placed.iter().partition(is_last);
        for placed in first.into_iter().chain(last) {
            let index = RomIndex::truncate(placed.scope.here as u16);
            match (self.word(placed, index), &mut words) {
                (Ok(word), Ok(words)) => words[index.to_usize()] = word,
                (Ok(_), Err(_)) => {}
                (Err(why), words) => *words = Err(why),
            }
        }
        words
    }

    /// Looks for mistakes in an operand that takes no room.
    fn check(&mut self, placed: &Placed) {
        if let Content::Word(value)
        | Content::Instruction(_, Some(value))
        | Content::Argument(value) = &placed.content
        {
            // What is unknown was reported.
            self.evaluator.known_value(value, &placed.scope, "an operand").ok();
        }
    }

    /// The word of an instruction, with its operand.
    fn word(&mut self, placed: &Placed, index: RomIndex) -> Result<Word, NoWord> {
        match &placed.content {
            Content::Halt => Ok(Word::jump(Op::Jmp, index)),
            Content::Initialiser(half) => self.pool.initialiser(*half).ok_or(NoWord::Unsettled),
            Content::Word(value) => {
                let range = (0, 0xffff);
                let what = "a word";
                let bits = self.evaluator.known_in_range(value, &placed.scope, what, range)?;
                Ok(Word::from_bits(bits))
            }
            Content::Instruction(op, None) => Ok(Word::from_bits(u16::from(op.code()) << 13)),
            Content::Linked(op, link) => {
                let operand = self.calls.resolve(*link).ok_or(NoWord::Unsettled)?;
                Ok(encode(*op, operand as u16))
            }
            Content::Instruction(op, Some(_)) => Ok(self.operation(*op, placed)?),
            Content::Argument(_) => Ok(self.operation(Op::Ld, placed)?),
        }
    }

    /// The word of an instruction whose operand is an expression.
    fn operation(&mut self, op: Op, placed: &Placed) -> Result<Word, Reported> {
        let (Content::Instruction(_, Some(operand)) | Content::Argument(operand)) = &placed.content
        else {
            return Ok(encode(op, 0));
        };
        let (what, range) = match op.operand() {
            Operand::Immediate | Operand::None => ("the operand of LDI", IMMEDIATES),
            Operand::Data => ("a data address", ADDRESSES),
            Operand::Target => ("a jump target", ADDRESSES),
        };
        let known = self.evaluator.known_value(operand, &placed.scope, what)?;
        if let Value::Pooled(value) = known.value {
            return match placed.content {
                Content::Argument(_) => Ok(Word::ldi(value)),
                _ => self.pool.word(op, value, operand.span(), placed, &mut self.evaluator),
            };
        }
        let value: i16 = self.evaluator.in_range(&known, operand, &placed.scope, what, range)?;
        Ok(encode(op, value.cast_unsigned()))
    }
}

/// The word of an instruction and its operand, which is in range.
fn encode(op: Op, operand: u16) -> Word {
    match op.operand() {
        Operand::Immediate | Operand::None => Word::ldi(operand as u8),
        Operand::Data => Word::data(op, RamAddr::truncate(operand)),
        Operand::Target => Word::jump(op, RomIndex::truncate(operand)),
    }
}

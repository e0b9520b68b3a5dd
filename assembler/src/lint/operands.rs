//! Warnings about operands: bytes that are read but never written, and operands whose meaning
//! differs from their appearance.

use std::collections::{BTreeMap, HashMap, HashSet};

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Op, Operand, panel};

use super::warnings::{LinkedProgram, Suspect};
use crate::diagnostic::{Diagnostic, Help, Lint};
use crate::habits::NO_INDIRECTION;
use crate::names::Name;
use crate::place::{PlacedWord, WordContent};
use crate::source::{FileId, Location};
use crate::symbols::Meaning;
use crate::syntax::{Expr, ExprKind};

/// The largest number that a byte holds.
const BYTE_MAX: usize = 255;

/// A reachable instruction of the program itself that has an operand.
struct OwnOperand<'a> {
    op: Op,
    placed: &'a PlacedWord,
    operand: &'a Expr,
}

impl LinkedProgram<'_> {
    /// Finds variables that are read but never written. Their values depend on power-up.
    pub(super) fn find_unwritten_variables(&self) -> Vec<Diagnostic> {
        let (mut written, mut read) = (vec![false; RAM_BYTES], vec![None; RAM_BYTES]);
        let reached = self.words.iter().enumerate().filter(|(index, _)| self.flow.reaches(*index));
        for (index, word) in reached {
            let address = word.address().to_usize();
            match (word.op(), word.op().operand()) {
                (Op::St, _) => written[address] = true,
                (_, Operand::Data) => read[address] = read[address].or(self.placement.at(index)),
                _ => {}
            }
        }
        let mut found: BTreeMap<Location, Option<(Name, Location)>> = BTreeMap::new();
        for definition in &self.placement.symbols.definitions {
            let Meaning::Variable { address, size, is_seed, .. } = definition.meaning else {
                continue;
            };
            let first = usize::try_from(address).unwrap_or(RAM_BYTES);
            let bytes = first..first + usize::from(size);
            let reader = read[bytes.clone()].iter().find_map(|placed| *placed);
            let reader = reader.map(PlacedWord::location);
            if is_seed || written[bytes].contains(&true) {
                found.insert(definition.location, None);
            } else if let Some(reader) = reader {
                found.entry(definition.location).or_insert(Some((definition.name, reader)));
            }
        }
        let warning = |(at, found): (Location, Option<(Name, Location)>)| {
            let (name, reader) = found?;
            let name = self.names.text(name);
            let message = format!("variable `{name}` is read but never written");
            let warning = Diagnostic::warning(Some(Lint::Unwritten), message).at(at);
            Some(warning.note("it is read here", Some(reader)))
        };
        found.into_iter().filter_map(warning).collect()
    }

    /// Finds lines that read nameless bytes that are never written. The author probably meant the
    /// number as a value.
    pub(super) fn find_unwritten_bytes(&self) -> Vec<Diagnostic> {
        let mut is_written = [false; RAM_BYTES];
        self.find_reachable(|op| op == Op::St).for_each(|(_, address)| is_written[address] = true);
        let is_unwritten = |address: usize| {
            let is_written = is_written[address] || address >= panel::RESERVED.to_usize();
            !is_written && self.variable_at(address).is_none()
        };
        let is_read = |index| self.flow.reaches(index) && reads(self.words[index].op());
        let found = self.find_suspects(is_read, |index| {
            let address = self.words[index].address().to_usize();
            is_unwritten(address).then(|| address.to_string())
        });
        let operands: HashMap<Location, (Location, bool)> = self
            .own_operands()
            .map(|OwnOperand { placed, operand, .. }| {
                let is_literal = matches!(operand.kind, ExprKind::Number(_));
                (placed.location(), (operand_location(operand, placed), is_literal))
            })
            .filter(|(line, _)| found.contains_key(line))
            .collect();
        let warning = |(at, line): (Location, Suspect)| {
            let address = line.problem;
            let message = format!("nothing writes the byte at address {address}, which this reads");
            let (operand, is_literal) = operands.get(&at).copied().unzip();
            let help = address.parse().ok().and_then(|number| self.number_help(number, operand));
            let is_slip = help.is_some() && is_literal == Some(true);
            let lint = if is_slip { Lint::Number } else { Lint::Unwritten };
            Diagnostic::warning(Some(lint), message).at(at).help(help)
        };
        found.into_iter().map(warning).collect()
    }

    /// Finds instructions that read a byte by its number where the assembler placed a variable or a
    /// constant of the pool. The author cannot know that address.
    pub(super) fn find_numbers(&self) -> Vec<Diagnostic> {
        let by_number = |is_wanted: fn(Op) -> bool| {
            self.own_operands().filter_map(move |it| match it.operand.kind {
                ExprKind::Number(number) if is_wanted(it.op) => {
                    Some((usize::try_from(number).ok()?, it.placed, it.operand))
                }
                _ => None,
            })
        };
        let stored: HashSet<usize> = by_number(|op| op == Op::St).map(|(at, ..)| at).collect();
        let found = by_number(reads).filter(|(address, ..)| !stored.contains(address));
        let warning = |(address, placed, operand): (usize, &PlacedWord, &Expr)| {
            let what = match self.variable_at(address) {
                Some(name) => format!("variable `{}`", self.names.text(name)),
                None if self.is_pooled(address) => "a constant of `.pool`".to_owned(),
                None => return None,
            };
            let message = format!("this reads address {address}, where {what} happens to be");
            let at = placed.location();
            let warning = Diagnostic::warning(Some(Lint::Number), message).at(at);
            let help = self.number_help(address, Some(operand_location(operand, placed)));
            Some(warning.help(help))
        };
        keep_last_per_place(found.filter_map(warning))
    }

    /// Returns true if a byte belongs to the pool.
    fn is_pooled(&self, address: usize) -> bool {
        let Some(pool) = self.placement.pool else { return false };
        self.placement.words.iter().any(|placed| match placed.content {
            WordContent::PoolStore(number) => {
                pool.first.to_usize() + usize::from(number) == address
            }
            _ => false,
        })
    }

    /// Finds instructions whose operand is a name in parentheses.
    pub(super) fn find_pointers(&self) -> Vec<Diagnostic> {
        let is_pointer = |operand: &Expr, placed: &PlacedWord| {
            matches!(operand.kind, ExprKind::Name(_) | ExprKind::Built(_))
                && self.files.text(operand_location(operand, placed)).starts_with('(')
        };
        let found = self.own_operands().filter(|it| is_pointer(it.operand, it.placed));
        keep_last_per_place(found.map(|OwnOperand { op, placed, operand }| {
            let at = operand_location(operand, placed);
            let text = self.files.text(at);
            let plain = text.trim_matches(['(', ')', ' ', '\t']);
            let message = format!("`{op} {text}` is the same as `{op} {plain}`");
            let warning = Diagnostic::warning(Some(Lint::Indirect), message).at(at);
            warning.help(Some(Help::edit(NO_INDIRECTION, at, text, plain)))
        }))
    }

    /// Returns the reachable instructions of the program itself that have an operand.
    fn own_operands(&self) -> impl Iterator<Item = OwnOperand<'_>> {
        let words = self.placement.words.iter().filter(|placed| {
            placed.scope.file == FileId::ROOT && self.flow.reaches(placed.scope.here as usize)
        });
        words.filter_map(|placed| match &placed.content {
            WordContent::Instruction(op, Some(operand)) => {
                Some(OwnOperand { op: *op, placed, operand })
            }
            _ => None,
        })
    }

    /// Suggests writing `#` before the number to use it as a value. If the operand is a plain
    /// number, the help includes the edit.
    fn number_help(&self, number: usize, operand: Option<Location>) -> Option<Help> {
        if number > BYTE_MAX {
            return None;
        }
        let advice = format!("for the number {number}, write `#{number}`");
        let Some(at) = operand else { return Some(advice.into()) };
        let text = self.files.text(at);
        if text.starts_with('\'') {
            let advice = format!("for the number {number}, write `#{text}`");
            return Some(Help::edit(advice, at, text, format!("#{text}")));
        }
        Some(match gray1_language::parse_number(text) {
            Ok(_) => Help::edit(advice, at, text, format!("#{text}")),
            Err(_) => advice.into(),
        })
    }

    /// Returns the index and the address of each reachable instruction of a kind.
    fn find_reachable(&self, is_wanted: fn(Op) -> bool) -> impl Iterator<Item = (usize, usize)> {
        let words = self.words.iter().enumerate().filter(|(index, _)| self.flow.reaches(*index));
        let wanted = words.filter(move |(_, word)| is_wanted(word.op()));
        wanted.map(|(index, word)| (index, word.address().to_usize()))
    }

    /// Returns the variable that a byte belongs to.
    fn variable_at(&self, address: usize) -> Option<Name> {
        self.placement.symbols.definitions.iter().find_map(|definition| {
            let Meaning::Variable { address: first, size, .. } = definition.meaning else {
                return None;
            };
            let first = usize::try_from(first).ok()?;
            (first..first + usize::from(size)).contains(&address).then_some(definition.name)
        })
    }
}

/// Returns true if an instruction reads a byte of data memory.
fn reads(op: Op) -> bool {
    op != Op::St && op.operand() == Operand::Data
}

/// Returns the location of an instruction's operand.
fn operand_location(operand: &Expr, placed: &PlacedWord) -> Location {
    Location { file: placed.scope.file, span: operand.span() }
}

/// Keeps the last warning of each place.
fn keep_last_per_place(warnings: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut by_place = BTreeMap::new();
    warnings.for_each(|warning| drop(by_place.insert(warning.location, warning)));
    by_place.into_values().collect()
}

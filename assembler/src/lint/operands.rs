//! Warnings about operands: bytes that are read but never written, and operands whose meaning
//! differs from their appearance.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Op, Operand, panel};
use gray1_language::Lexer;

use super::warnings::LinkedProgram;
use crate::diagnostic::{Diagnostic, Help, Lint};
use crate::habits::NO_INDIRECTION;
use crate::names::Name;
use crate::place::{Call, PlacedWord, Placement, WordContent};
use crate::source::{FileId, Location};
use crate::symbols::{Binding, Meaning, Scope, Thunk};
use crate::syntax::{Expr, ExprKind};

/// The largest number that a byte holds.
const BYTE_MAX: usize = 255;

/// An operand of a reachable instruction, where the program itself spells it: in the instruction,
/// or as an argument of a call.
pub(super) struct OwnOperand<'a> {
    op: Op,
    placed: &'a PlacedWord,
    /// The operand in the instruction.
    operand: &'a Expr,
    at: Location,
    /// Its value, if it is spelled as a number or as the name of one.
    number: Option<i64>,
    /// True if it is spelled as an argument.
    is_argument: bool,
}

impl LinkedProgram<'_> {
    /// Finds variables that are read but never written. Their values depend on power-up.
    pub(super) fn find_unwritten_variables(&self) -> Vec<Diagnostic> {
        let (written, mut read) = (self.find_written(), vec![None; RAM_BYTES]);
        for (index, address) in self.find_reachable(reads) {
            read[address] = read[address].or(self.placement.at(index));
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
        let warnings = found.into_iter().filter_map(|(at, found)| {
            let (name, reader) = found?;
            let name = self.names.text(name);
            let message = format!("variable `{name}` is read but never written");
            let warning = Diagnostic::warning(Some(Lint::Unwritten), message).at(at);
            Some(warning.note("it is read here", Some(reader)))
        });
        warnings.collect()
    }

    /// Finds lines and arguments that read nameless bytes that are never written. The author
    /// probably meant the number as a value.
    pub(super) fn find_unwritten_bytes(&self, operands: &[OwnOperand]) -> Vec<Diagnostic> {
        let (is_written, pool) = (self.find_written(), self.find_pool());
        let is_read = |index| self.flow.reaches(index) && reads(self.words[index].op());
        let place = |placed: &PlacedWord| self.reading_place(placed);
        let found = self.find_suspects(is_read, place, |index| {
            let address = self.words[index].address().to_usize();
            let is_written = is_written[address] || address >= panel::RESERVED.to_usize();
            let has_name = || self.variable_at(address).is_some() || pool.contains(&address);
            (!is_written && !has_name()).then(|| address.to_string())
        });
        let operands: HashMap<Location, &OwnOperand> = operands
            .iter()
            .map(|own| (self.place_of(own), own))
            .filter(|(place, _)| found.contains_key(place))
            .collect();
        let warnings = found.iter().map(|(&at, line)| {
            let address = &line.problem;
            let message = format!("nothing writes the byte at address {address}, which this reads");
            let operand = operands.get(&at);
            let place = operand.map(|own| own.at);
            let help = address.parse().ok().and_then(|number| self.number_help(number, place));
            let is_slip = help.is_some() && operand.is_some_and(|own| own.number.is_some());
            let lint = if is_slip { Lint::Number } else { Lint::Unwritten };
            Diagnostic::warning(Some(lint), message).at(at).help(help)
        });
        warnings.collect()
    }

    /// Returns the place of a warning about the byte that a word reads: the argument that names the
    /// byte, or else the line. Each argument of a call is judged by the words that read it.
    fn reading_place(&self, placed: &PlacedWord) -> Location {
        let own = self.own_operand(placed);
        own.map_or_else(|| self.line_of(placed), |own| self.place_of(&own))
    }

    /// Returns the place of a warning about an operand.
    fn place_of(&self, own: &OwnOperand) -> Location {
        if own.is_argument { own.at } else { self.line_of(own.placed) }
    }

    /// Finds instructions that read a byte by its number where the assembler placed a variable or a
    /// constant of the pool. The author cannot know that address.
    pub(super) fn find_numbers(&self, operands: &[OwnOperand]) -> Vec<Diagnostic> {
        let by_number = |is_wanted: fn(Op) -> bool| {
            operands.iter().filter(move |own| is_wanted(own.op)).filter_map(|own| {
                let address = usize::try_from(own.number?).ok()?;
                Some((address, own))
            })
        };
        let pool = self.find_pool();
        let stored: HashSet<usize> = by_number(|op| op == Op::St).map(|(at, _)| at).collect();
        let found = by_number(reads).filter(|(address, _)| !stored.contains(address));
        keep_last_per_place(found.filter_map(|(address, own)| {
            let what = match self.variable_at(address) {
                Some(name) => format!("variable `{}`", self.names.text(name)),
                None if pool.contains(&address) => "a constant of `.pool`".to_owned(),
                None => return None,
            };
            let message = format!("this reads address {address}, where {what} happens to be");
            let warning = Diagnostic::warning(Some(Lint::Number), message).at(self.place_of(own));
            Some(warning.help(self.number_help(address, Some(own.at))))
        }))
    }

    /// Finds variables as operands of LDI, which loads their addresses. The author probably meant
    /// the bytes, because no instruction can use an address in A.
    pub(super) fn find_loaded_addresses(&self, operands: &[OwnOperand]) -> Vec<Diagnostic> {
        keep_last_per_place(operands.iter().filter(|own| own.op == Op::Ldi).filter_map(|own| {
            let address = self.words[own.placed.scope.here as usize].immediate();
            let name = self.names.text(self.variable_at(address.into())?);
            let message = format!("this loads the address of variable `{name}`");
            let warning = Diagnostic::warning(Some(Lint::Number), message).at(self.place_of(own));
            let help = format!("`LD {name}` loads the byte at that address");
            (self.files.text(own.at) == name).then(|| warning.help(Some(help)))
        }))
    }

    /// Finds instructions that use a constant of the pool before `.pool` has stored it.
    pub(super) fn find_early_constants(&self) -> Vec<Diagnostic> {
        let pool = self.find_pool();
        let is_pooled = |index: usize| pool.contains(&self.words[index].address().to_usize());
        let stores = |index: usize| self.words[index].op() == Op::St && is_pooled(index);
        let early = self.flow.reach(self.words, vec![0], stores);
        let message = "this uses a constant before `.pool` has stored it";
        self.warn_at(message, |index| {
            early[index] && reads(self.words[index].op()) && is_pooled(index)
        })
    }

    /// Finds instructions that use A after a call that leaves it undefined.
    pub(super) fn find_undefined_accumulator(&self) -> Vec<Diagnostic> {
        let Placement { calls, routines, symbols, .. } = self.placement;
        let has_several_callers = |call: &&Call| {
            let callee = symbols.routines.get(&call.name);
            callee.is_some_and(|(number, _)| routines[*number as usize].sites() > 1)
        };
        let returns = calls.iter().filter(has_several_callers).map(|call| call.back as usize);
        let reached = returns.filter(|index| self.flow.reaches(*index)).collect();
        let is_jump = |index: usize| matches!(self.words[index].op(), Op::Jc | Op::Jmp);
        // Only the first use is reported.
        let undefined = self.flow.reach(self.words, reached, |index| !is_jump(index));
        let message = "this uses A, which is undefined after a call without a result";
        self.warn_at(message, |index| {
            let uses_a = matches!(self.words[index].op(), Op::St | Op::Add | Op::Nand | Op::Shr);
            undefined[index] && uses_a
        })
    }

    /// Warns about each instruction that reads what nothing has written.
    fn warn_at(&self, message: &str, is_unwritten: impl Fn(usize) -> bool) -> Vec<Diagnostic> {
        let found = self.words_placed().filter(|(index, _)| is_unwritten(*index));
        let places: BTreeSet<_> = found.map(|(_, placed)| self.reading_place(placed)).collect();
        let warning = |at| Diagnostic::warning(Some(Lint::Unwritten), message).at(at);
        places.into_iter().map(warning).collect()
    }

    /// Returns the addresses of the bytes of the pool.
    fn find_pool(&self) -> HashSet<usize> {
        let stores = self
            .words_placed()
            .filter(|(_, placed)| matches!(placed.content, WordContent::PoolStore(_)));
        stores.map(|(index, _)| self.words[index].address().to_usize()).collect()
    }

    /// Returns whether a reachable instruction writes each byte.
    fn find_written(&self) -> Vec<bool> {
        let mut written = vec![false; RAM_BYTES];
        self.find_reachable(|op| op == Op::St).for_each(|(_, address)| written[address] = true);
        written
    }

    /// Finds instructions whose operand is a name in parentheses.
    pub(super) fn find_pointers(&self, operands: &[OwnOperand]) -> Vec<Diagnostic> {
        let found = operands.iter().filter(|own| {
            matches!(own.operand.kind, ExprKind::Name(_) | ExprKind::Built(_))
                && !own.is_argument
                && self.files.text(own.at).starts_with('(')
        });
        keep_last_per_place(found.map(|&OwnOperand { op, at, .. }| {
            let text = self.files.text(at);
            let plain = text.trim_matches(['(', ')', ' ', '\t']);
            let message = format!("`{op} {text}` is the same as `{op} {plain}`");
            let warning = Diagnostic::warning(Some(Lint::Indirect), message).at(at);
            warning.help(Some(Help::edit(NO_INDIRECTION, at, text, plain)))
        }))
    }

    /// Returns the operands of reachable instructions that the program itself spells.
    pub(super) fn own_operands(&self) -> Vec<OwnOperand<'_>> {
        let words = self.placement.words.iter();
        let reached = words.filter(|placed| self.flow.reaches(placed.scope.here as usize));
        reached.filter_map(|placed| self.own_operand(placed)).collect()
    }

    /// Returns the operand of a word, if the program itself spells it.
    fn own_operand<'p>(&self, placed: &'p PlacedWord) -> Option<OwnOperand<'p>> {
        let (op, operand, is_of_call) = match &placed.content {
            WordContent::Instruction(op, Some(operand)) => (*op, operand, false),
            WordContent::Argument { value, .. } => {
                (self.words[placed.scope.here as usize].op(), value, true)
            }
            _ => return None,
        };
        let (at, number) = self.spelling(operand, &placed.scope);
        let is_argument = is_of_call || at != operand_location(operand, &placed.scope);
        let own = OwnOperand { op, placed, operand, at, number, is_argument };
        (at.file == FileId::ROOT).then_some(own)
    }

    /// Follows an operand that is a parameter to its argument. Returns the place of that, and its
    /// value if it is a number, an index or a constant that is defined as a number.
    fn spelling(&self, expr: &Expr, scope: &Scope) -> (Location, Option<i64>) {
        let symbols = &self.placement.symbols;
        let here = operand_location(expr, scope);
        let name = match expr.kind {
            ExprKind::Number(number) => return (here, Some(number)),
            ExprKind::Name(name) => name,
            _ => return (here, None),
        };
        match symbols.scopes.find_binding(scope.env, name) {
            Some(Binding::Number(index)) => (here, Some(index)),
            Some(Binding::Argument(number, at)) => (at, Some(number)),
            Some(Binding::Thunk(thunk)) => {
                let Thunk { expr, scope, .. } = symbols.thunk(thunk);
                self.spelling(expr, scope)
            }
            Some(Binding::Inner(_)) => (here, None),
            None => {
                let definition = symbols.find(name, self.names, scope.locals);
                let number = match definition.map(|it| &symbols.definition(it).meaning) {
                    Some(Meaning::Constant(thunk)) => symbols.thunk(*thunk).expr.as_number(),
                    _ => None,
                };
                (here, number)
            }
        }
    }

    /// Suggests writing `#` before the number to use it as a value. If the operand is a single
    /// token, the help includes the edit.
    fn number_help(&self, number: usize, operand: Option<Location>) -> Option<Help> {
        if number > BYTE_MAX {
            return None;
        }
        let advice = |spelled: &str| format!("for the number {number}, write `#{spelled}`");
        let Some(at) = operand else { return Some(advice(&number.to_string()).into()) };
        let text = self.files.text(at);
        let is_token = Lexer::new(text).next().is_some_and(|first| first.text == text);
        Some(if is_token {
            Help::edit(advice(text), at, text, format!("#{text}"))
        } else {
            advice(&number.to_string()).into()
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
fn operand_location(operand: &Expr, scope: &Scope) -> Location {
    Location { file: scope.file, span: operand.span() }
}

/// Keeps the last warning of each place.
fn keep_last_per_place(warnings: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut by_place = BTreeMap::new();
    warnings.for_each(|warning| drop(by_place.insert(warning.location, warning)));
    by_place.into_values().collect()
}

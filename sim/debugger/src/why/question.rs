//! The questions that users ask, and their syntax.

use gray1_isa::{RamAddr, RomIndex, SymbolKind};

use super::fact::{Cell, Subject};
use crate::condition::{Condition, Event};
use crate::parse::parse_byte;
use crate::parse_error::{ParseError, ParseProblem};
use crate::scope::Scope;

/// A question, with the wanted amount of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The subject of the question.
    pub asked: Asked,
    /// The number of steps that the explanation goes back. With 0 it only contains the subject
    /// itself, without a sentence.
    pub depth: usize,
    /// True if repeated steps are combined into one.
    pub is_folded: bool,
}

/// The subject of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The LEDs of a square of the display.
    Led {
        /// The row, counted from the top, 0 to 7.
        row: u8,
        /// The column, counted from the left, 0 to 7.
        column: u8,
    },
    /// Any other subject.
    Subject(Subject),
}

impl Asked {
    /// Creates a question about a whole byte of data memory.
    pub const fn byte(address: RamAddr) -> Self {
        Self::Subject(Subject::Bits(Cell::Byte(address), 0xff))
    }

    /// Parses the subject of a question, with the symbols of a program:
    ///
    /// - `led 4, 3`, `4, 3` or `4 3`: a square of the display, by row and column
    /// - `A`, `C`, `A.3`: a register, or a bit of it
    /// - `stack + 2`, `[stack + 2]`, `stack + 2.3`: a byte of data memory, or a bit of it
    /// - `PC`: why the next instruction is next
    /// - `row3 + 2`, which begins with a label: why this instruction was executed last
    ///
    /// `pc` is the next instruction.
    ///
    /// # Errors
    /// If the string is not the subject of a question. The error has the column and the problem.
    pub fn parse(text: &str, scope: Scope, pc: RomIndex) -> Result<Self, ParseError> {
        let text = text.trim();
        let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let text = inside.unwrap_or(text);
        let bit = text.rsplit_once('.').and_then(|(name, bit)| {
            let bit = bit.parse().ok().filter(|bit: &u8| *bit < 8 && !name.trim().is_empty());
            Some((name.trim(), 1 << bit?))
        });
        let (name, mask) = bit.unwrap_or((text, 0xff));
        let bits = |cell, mask| Ok(Self::Subject(Subject::Bits(cell, mask)));
        let no_bit = || {
            let problem = ParseProblem::Unknown { name: text.to_owned(), near: None };
            Err(ParseError { column: 1, problem })
        };
        match name {
            "A" => return bits(Cell::A, mask),
            "C" if mask & 1 == 0 => return no_bit(),
            "C" => return bits(Cell::Carry, 1),
            "PC" if mask != 0xff => return no_bit(),
            "PC" => return Ok(Self::Subject(Subject::Executed(pc))),
            _ => {}
        }
        let mut sides = text.split([',', ' ']).filter(|side| !side.is_empty());
        let is_bare = sides.clone().count() == 2 && sides.all(|side| side.parse::<u8>().is_ok());
        if is_bare {
            return Self::parse(&format!("led {text}"), scope, pc)
                .map_err(|error| ParseError { column: error.column - "led ".len(), ..error });
        }
        if text.starts_with("led ")
            && let Event::Square { row, column } = *Condition::parse(text, scope)?.event()
        {
            return Ok(Self::Led { row, column });
        }
        if is_code(name, scope)
            && let Some(index) = Condition::parse(name, scope)?.instruction()
        {
            return if mask == 0xff { Ok(Self::Subject(Subject::Visit(index))) } else { no_bit() };
        }
        bits(Cell::Byte(parse_byte(name, scope)?), mask)
    }
}

/// Returns true if the input starts with the name of a label or a routine.
fn is_code(text: &str, scope: Scope) -> bool {
    let end = text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '@'));
    let name = &text[..end.unwrap_or(text.len())];
    match scope.symbol(name) {
        Some(symbol) => symbol.kind == SymbolKind::Label,
        None => scope.image.routines().list().iter().any(|routine| routine.name == name),
    }
}

//! Hints that editors show after the code of a line: addresses, and costs in instructions.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use gray1_language::TokenKind;

use super::hover::format_cost;
use super::index::NameKind;
use super::program::Analysis;
use crate::facts::{Cost, KnownMeaning};
use crate::source::{FileId, Location, Span};

/// A hint that an editor shows at the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The byte offset of the end of the line's code, where the editor inserts the hint.
    pub offset: u32,
    /// The kind of fact that the hint shows.
    pub kind: HintKind,
    /// The string to show.
    pub text: String,
}

/// The kinds of facts that hints show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HintKind {
    /// The address of the label, routine or variable that the line defines.
    Address,
    /// The number of instructions that the line expands to, if it can differ from one.
    Cost,
}

impl Analysis {
    /// Returns the hints for these lines (counted from 1), ordered by place.
    pub fn hints(&self, file: FileId, lines: RangeInclusive<u32>) -> Vec<Hint> {
        let Some(index) = self.index.file(file) else { return Vec::new() };
        let costs = self.costs_by_line(file);
        let mut hints = Vec::new();
        for number in self.lines_in(file, lines) {
            let (tokens, start) = self.tokens_of_line(file, number);
            let mut code = tokens.iter().filter(|token| token.kind != TokenKind::Comment);
            let Some(last) = code.next_back() else { continue };
            let offset = start + last.end() as u32;
            let line = Span { start, end: offset };
            let addresses = index.definitions_in(line).filter_map(|occurrence| {
                let entity = occurrence.entities.first()?;
                // Parameters of a routine also have addresses, but no line of their own.
                let is_shown = self.index.entities[*entity].kind != NameKind::Parameter;
                let place = Location { file, span: occurrence.span };
                self.meaning_at(place).filter(|_| is_shown).and_then(address)
            });
            hints.extend(addresses.map(|text| Hint { offset, kind: HintKind::Address, text }));
            let cost = costs.get(&number).map(|cost| format_cost(*cost));
            hints.extend(cost.map(|text| Hint { offset, kind: HintKind::Cost, text }));
        }
        hints
    }

    /// Returns the costs of the lines that can take more than one instruction.
    fn costs_by_line(&self, file: FileId) -> HashMap<u32, Cost> {
        let plain = Cost { least: 1, most: 1 };
        let statements = self.facts.statements.iter().filter(|(_, cost)| **cost != plain);
        let here = self.facts.calls.iter().chain(statements).filter(|(at, _)| at.file == file);
        here.map(|(at, cost)| (self.files.get(file).line_of(at.span.start), *cost)).collect()
    }
}

fn address(meaning: &KnownMeaning) -> Option<String> {
    Some(match meaning {
        KnownMeaning::Label(index) | KnownMeaning::Routine(index) => format!("0x{index:04x}"),
        KnownMeaning::Variable { address, size: 0 | 1 } => format!("0x{address:04x}"),
        KnownMeaning::Variable { address, size } => {
            format!("0x{address:04x} to 0x{:04x}", address + i64::from(*size) - 1)
        }
        KnownMeaning::Constant(_) => return None,
    })
}

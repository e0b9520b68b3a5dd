//! Hints that editors show behind lines: addresses, and costs in instructions.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use gray1_language::TokenKind;

use super::hover::instructions;
use super::index::NameKind;
use super::program::Analysis;
use crate::facts::{Cost, KnownMeaning};
use crate::source::{FileId, Location, Span};

/// A hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// Its place: behind the code of a line.
    pub offset: u32,
    /// Its subject.
    pub kind: HintKind,
    /// The hint.
    pub text: String,
}

/// The subject of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HintKind {
    /// The address of the label, the routine or the variable of the line.
    Address,
    /// The number of instructions that the line takes, if that can be another number than one.
    Cost,
}

impl Analysis {
    /// The hints for these lines, counted from 1, by place.
    #[must_use]
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
                // The parameters of a routine have addresses, too, but no line of their own.
                let is_shown = self.index.entities[*entity].kind != NameKind::Parameter;
                let place = Location { file, span: occurrence.span };
                self.meaning_at(place).filter(|_| is_shown).and_then(address)
            });
            hints.extend(addresses.map(|text| Hint { offset, kind: HintKind::Address, text }));
            let cost = costs.get(&number).map(|cost| instructions(*cost));
            hints.extend(cost.map(|text| Hint { offset, kind: HintKind::Cost, text }));
        }
        hints
    }

    /// The costs of those lines of a file that are more than an instruction.
    fn costs_by_line(&self, file: FileId) -> HashMap<u32, Cost> {
        let is_plain = |cost: &Cost| *cost == Cost { least: 1, most: 1 };
        let statements = self.facts.statements.iter().filter(|(_, cost)| !is_plain(cost));
        let here = self.facts.calls.iter().chain(statements).filter(|(at, _)| at.file == file);
        let line = |at: &Location| self.files.get(file).line_of(at.span.start);
        here.map(|(at, cost)| (line(at), *cost)).collect()
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

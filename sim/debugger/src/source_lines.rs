//! Source lines as a debugger shows them: the line shown for each instruction, and the instructions
//! at which each line starts.

use std::collections::BTreeMap;

use gray1_isa::{Expansion, ExpansionKind, Origin, RomIndex, SourceLine, SourceMap};

use super::line_change::LineChange;

/// The source lines of a program, and the changes of its files since it was assembled.
#[derive(Debug, Clone)]
pub struct SourceLines {
    /// The first instruction of each expansion.
    first_of: Vec<Option<RomIndex>>,
    /// The instructions at which each line starts.
    starts: BTreeMap<SourceLine, Vec<RomIndex>>,
    /// The changes of files since the program was assembled, by file number.
    changes: BTreeMap<u16, LineChange>,
}

/// A source line of an instruction: its own line, or a line that calls a macro that contains the
/// instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionLine<'a> {
    /// The macro that contains the line, if any.
    pub in_macro: Option<&'a str>,
    /// The line, with the expansion that contains it.
    pub origin: Origin,
}

impl SourceLines {
    /// Collects the lines of a source map.
    pub fn new(map: &SourceMap) -> Self {
        Self { first_of: find_first(map), starts: find_starts(map), changes: BTreeMap::new() }
    }

    /// Records how a file has changed since the program was assembled. From then on, the lines that
    /// a user names refer to the changed file.
    pub(super) fn set_change(&mut self, file: u16, change: Option<LineChange>) {
        self.changes.remove(&file);
        self.changes.extend(change.map(|change| (file, change)));
    }

    /// Returns true if a file is known to have changed since the program was assembled.
    pub(super) fn has_changed(&self, file: u16) -> bool {
        self.changes.contains_key(&file)
    }

    /// Converts a line of the assembled version to the present version, if it is unchanged.
    pub fn present(&self, SourceLine { file, line }: SourceLine) -> Option<SourceLine> {
        let change = self.changes.get(&file);
        let line = change.map_or(Some(line), |change| change.to_present(line))?;
        Some(SourceLine { file, line })
    }

    /// Returns the source lines of an instruction: its own, the line that calls the macro that
    /// contains it, and so on outward. Leaves out macros that start with this instruction, because
    /// the machine has not entered them yet.
    pub fn lines_of<'a>(&self, map: &'a SourceMap, index: RomIndex) -> Vec<InstructionLine<'a>> {
        let Some(mut origin) = map.origin(index) else { return Vec::new() };
        let mut levels = Vec::new();
        for (number, name) in macros(map, origin) {
            if !self.starts_at(number, index) {
                levels.push(InstructionLine { in_macro: Some(name), origin });
            }
            origin = map.expansions()[number as usize].caller();
        }
        levels.push(InstructionLine { in_macro: None, origin });
        levels
    }

    /// Returns the line that is shown for an instruction, if it has one. This is its own line, or
    /// the line that calls the outermost macro that starts with it.
    pub fn shown(&self, map: &SourceMap, index: RomIndex) -> Option<Origin> {
        self.lines_of(map, index).first().map(|line| line.origin)
    }

    /// Returns the first line with code at or below a line of the present version, and the
    /// instructions at which it starts.
    ///
    /// Returns `None` if any line from `at` up to that line has changed.
    pub fn starts(&self, at: SourceLine) -> Option<(SourceLine, &[RomIndex])> {
        let SourceLine { file, line } = at;
        let change = self.changes.get(&file);
        let then = change.map_or(Some(line), |change| change.to_assembled(line))?;
        let first = SourceLine { file, line: then };
        let end = SourceLine { file, line: u32::MAX };
        let (place, starts) = self.starts.range(first..=end).next()?;
        let now = self.present(*place)?;
        (now.line - line == place.line - then).then_some((*place, starts))
    }

    /// Returns the lines with code in a range of lines of the present version.
    pub fn executed_lines(&self, file: u16, first: u32, last: u32) -> impl Iterator<Item = u32> {
        let at = |line| SourceLine { file, line };
        let lines =
            self.starts.range(at(0)..=at(u32::MAX)).filter_map(|(place, _)| self.present(*place));
        lines.map(|place| place.line).filter(move |line| (first..=last.max(first)).contains(line))
    }

    /// Returns true if this instruction is the first one of an expansion.
    pub(super) fn starts_at(&self, expansion: u32, index: RomIndex) -> bool {
        self.first_of[expansion as usize] == Some(index)
    }
}

/// Returns the source lines of an instruction, innermost first: its own, and those that call the
/// enclosing macros. Stops at the routine that contains the instruction.
pub(super) fn all_lines_of(map: &SourceMap, index: RomIndex) -> impl Iterator<Item = Origin> {
    let origin = map.origin(index);
    let calls = origin.into_iter().flat_map(|origin| macros(map, origin));
    let callers = calls.map(|(number, _)| map.expansions()[number as usize].caller());
    origin.into_iter().chain(callers)
}

/// Returns the expansions that contain a line, innermost first. Stops at the routine that contains
/// the line.
pub(super) fn expansions(map: &SourceMap, origin: Origin) -> impl Iterator<Item = u32> {
    map.outward(origin.expansion).take_while(move |number| {
        !matches!(map.expansions()[*number as usize].kind, ExpansionKind::Routine(_))
    })
}

/// Returns the numbers and names of the macros that contain a line, innermost first. Stops at the
/// routine that contains it.
fn macros(map: &SourceMap, origin: Origin) -> impl Iterator<Item = (u32, &str)> {
    expansions(map, origin).filter_map(|number| match &map.expansions()[number as usize].kind {
        ExpansionKind::Macro(name) => Some((number, name.as_str())),
        _ => None,
    })
}

fn find_first(map: &SourceMap) -> Vec<Option<RomIndex>> {
    let mut first_of = vec![None; map.expansions().len()];
    for (index, origin) in RomIndex::all().zip(map.origins()) {
        for number in map.outward(origin.and_then(|origin| origin.expansion)) {
            first_of[number as usize].get_or_insert(index);
        }
    }
    first_of
}

fn find_starts(map: &SourceMap) -> BTreeMap<SourceLine, Vec<RomIndex>> {
    let mut starts: BTreeMap<SourceLine, Vec<RomIndex>> = BTreeMap::new();
    // The lines of the previous instruction. They do not start at this one.
    let mut before: Vec<Origin> = Vec::new();
    for (index, origin) in RomIndex::all().zip(map.origins()) {
        let calls = origin.iter().flat_map(|origin| map.expansions_of(*origin));
        let now: Vec<Origin> = origin.iter().copied().chain(calls.map(Expansion::caller)).collect();
        for origin in now.iter().filter(|origin| !before.contains(origin)) {
            let starts = starts.entry(origin.place).or_default();
            if starts.last() != Some(&index) {
                starts.push(index);
            }
        }
        before = now;
    }
    starts
}

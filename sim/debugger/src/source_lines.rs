//! Source lines as a debugger shows them: the line shown for an instruction, and the instructions
//! at which a line starts.

use std::collections::BTreeMap;

use gray1_isa::{Expansion, ExpansionKind, Origin, RomIndex, SourceLine, SourceMap};

use super::line_change::LineChange;

/// The source lines of a program.
#[derive(Debug, Clone)]
pub struct SourceLines {
    /// The first instruction of each expansion.
    first_of: Vec<Option<RomIndex>>,
    /// The instructions at which each line starts.
    starts: BTreeMap<SourceLine, Vec<RomIndex>>,
    /// How files have changed since the program was assembled, by their numbers.
    changes: BTreeMap<u16, LineChange>,
}

/// A source line of an instruction: its own, or the call of a macro around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionLine<'a> {
    /// The macro whose body the line is in, if it is in one.
    pub in_macro: Option<&'a str>,
    /// The line.
    pub origin: Origin,
}

impl SourceLines {
    /// The lines of a source map.
    #[must_use]
    pub fn new(map: &SourceMap) -> Self {
        Self { first_of: first_of(map), starts: starts(map), changes: BTreeMap::new() }
    }

    /// Notes how a file has changed since the program was assembled. From now on, lines that a user
    /// names are those of the present text.
    pub(super) fn set_change(&mut self, file: u16, change: Option<LineChange>) {
        self.changes.remove(&file);
        self.changes.extend(change.map(|change| (file, change)));
    }

    /// Whether a file is known to have changed since the program was assembled.
    pub(super) fn has_changed(&self, file: u16) -> bool {
        self.changes.contains_key(&file)
    }

    /// The present line of a line of the program, if it is there unchanged.
    #[must_use]
    pub fn now(&self, SourceLine { file, line }: SourceLine) -> Option<SourceLine> {
        let change = self.changes.get(&file);
        let line = change.map_or(Some(line), |change| change.now(line))?;
        Some(SourceLine { file, line })
    }

    /// The source lines of an instruction: its own, that of the macro call around it, and so on
    /// outward. Macros that start with the instruction are not entered yet and left out.
    #[must_use]
    pub fn lines_of<'a>(&self, map: &'a SourceMap, index: RomIndex) -> Vec<InstructionLine<'a>> {
        let Some(mut origin) = map.origin(index) else { return Vec::new() };
        let mut levels = Vec::new();
        for (number, name) in macros(map, origin) {
            if !self.begins_at(number, index) {
                levels.push(InstructionLine { in_macro: Some(name), origin });
            }
            origin = map.expansions()[number as usize].caller();
        }
        levels.push(InstructionLine { in_macro: None, origin });
        levels
    }

    /// The line shown for an instruction, if it has one: its own, or the call of the outermost
    /// macro that starts with it.
    #[must_use]
    pub fn shown(&self, map: &SourceMap, index: RomIndex) -> Option<Origin> {
        self.lines_of(map, index).first().map(|line| line.origin)
    }

    /// The first line of the program that has code at or below a present line, and the instructions
    /// at which it starts. None if one of the two has changed, or something between them.
    #[must_use]
    pub fn starts(&self, at: SourceLine) -> Option<(SourceLine, &[RomIndex])> {
        let SourceLine { file, line } = at;
        let change = self.changes.get(&file);
        let then = change.map_or(Some(line), |change| change.then(line))?;
        let first = SourceLine { file, line: then };
        let end = SourceLine { file, line: u32::MAX };
        let (place, starts) = self.starts.range(first..=end).next()?;
        let now = self.now(*place)?;
        (now.line - line == place.line - then).then_some((*place, starts))
    }

    /// The present lines of a file that have code, in a range.
    pub fn executed_lines(&self, file: u16, first: u32, last: u32) -> impl Iterator<Item = u32> {
        let at = |line| SourceLine { file, line };
        let lines =
            self.starts.range(at(0)..=at(u32::MAX)).filter_map(|(place, _)| self.now(*place));
        lines.map(|place| place.line).filter(move |line| (first..=last.max(first)).contains(line))
    }

    /// Whether an expansion starts with an instruction.
    pub(super) fn begins_at(&self, expansion: u32, index: RomIndex) -> bool {
        self.first_of[expansion as usize] == Some(index)
    }
}

/// The source lines of an instruction, innermost first: its own, and those of all macro calls
/// around it up to its routine.
pub(super) fn all_lines_of(map: &SourceMap, index: RomIndex) -> impl Iterator<Item = Origin> {
    let origin = map.origin(index);
    let calls = origin.into_iter().flat_map(|origin| macros(map, origin));
    let callers = calls.map(|(number, _)| map.expansions()[number as usize].caller());
    origin.into_iter().chain(callers)
}

/// The expansions around a line up to its routine, innermost first.
pub(super) fn expansions(map: &SourceMap, origin: Origin) -> impl Iterator<Item = u32> {
    let kind = |number: u32| &map.expansions()[number as usize].kind;
    let is_inside = move |number: &u32| !matches!(kind(*number), ExpansionKind::Routine(_));
    map.outward(origin.expansion).take_while(is_inside)
}

/// The macros among them: the numbers of their expansions, and their names.
fn macros(map: &SourceMap, origin: Origin) -> impl Iterator<Item = (u32, &str)> {
    expansions(map, origin).filter_map(|number| match &map.expansions()[number as usize].kind {
        ExpansionKind::Macro(name) => Some((number, name.as_str())),
        _ => None,
    })
}

fn first_of(map: &SourceMap) -> Vec<Option<RomIndex>> {
    let mut first_of = vec![None; map.expansions().len()];
    for (index, origin) in RomIndex::all().zip(map.origins()) {
        for number in map.outward(origin.and_then(|origin| origin.expansion)) {
            first_of[number as usize].get_or_insert(index);
        }
    }
    first_of
}

fn starts(map: &SourceMap) -> BTreeMap<SourceLine, Vec<RomIndex>> {
    let mut starts: BTreeMap<SourceLine, Vec<RomIndex>> = BTreeMap::new();
    // The lines of the previous instruction, which do not start at this one.
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

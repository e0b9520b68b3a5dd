//! A program as rows: its source with the instructions of each line, folded or unfolded. A program
//! without a source is listed word by word.

use std::collections::{BTreeMap, HashMap, HashSet};

use gray1_isa::source_map::{ExpansionKind, Origin, SourceLine};
use gray1_isa::{Image, RomIndex};

use gray1_session::Profile;

/// The code of a program by source lines.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// The code of each line of the files, outside all macros.
    lines: BTreeMap<(u16, u32), Vec<LineCode>>,
    /// The expansion of each macro call, in the order of program memory.
    calls: BTreeMap<u32, Vec<LineCode>>,
    /// The words to list if no lines are known.
    words: Vec<RomIndex>,
}

/// The code of a line: an instruction, or a group of instructions that can be unfolded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LineCode {
    origin: Origin,
    /// The index of the macro call among the expansions. `None` if the line itself is code. The
    /// line is then a group if the assembler generated several instructions for it, for example for
    /// a `.pool`, a `.call` or the return of a routine.
    call: Option<u32>,
    pub(super) first: RomIndex,
    pub(super) words: u16,
}

/// The place of an instruction in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourcePlace {
    pc: RomIndex,
    /// The line of the instruction, if it is known.
    origin: Option<Origin>,
    /// The macro calls that contain the instruction, outermost first.
    calls: Vec<u32>,
    /// All expansions that contain the instruction, including iterations of repeats, innermost
    /// first.
    around: Vec<u32>,
}

impl SourcePlace {
    pub(super) fn new(image: &Image, pc: RomIndex) -> Self {
        let map = image.source_map();
        let origin = map.origin(pc);
        let calls = origin.map(|o| calls_around(image, o)).unwrap_or_default();
        let around = origin.map(|o| map.outward(o.expansion).collect()).unwrap_or_default();
        Self { pc, origin, calls, around }
    }

    /// The file of its line, outside all macros. `None` if the line is not known.
    pub(super) fn file(&self, image: &Image) -> Option<u16> {
        let expansions = image.source_map().expansions();
        let outermost = self.calls.first().map(|&call| expansions[call as usize].call);
        outermost.or(self.origin.map(|origin| origin.place)).map(|place| place.file)
    }

    /// The lines of the macro calls that contain the instruction, outermost first, and its own
    /// line.
    fn path(&self, image: &Image) -> Vec<SourceLine> {
        let expansions = image.source_map().expansions();
        let calls = self.calls.iter().map(|&call| expansions[call as usize].call);
        calls.chain(self.origin.map(|origin| origin.place)).collect()
    }
}

/// A row of the listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListingRow {
    pub(super) path: Vec<SourceLine>,
    pub(super) kind: RowContents,
}

/// The contents of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowContents {
    /// A source line, and its code if it has any.
    Line { place: SourceLine, code: Option<LineCode> },
    /// A word without a source line.
    Word(RomIndex),
    /// Erased words between two others.
    Gap,
}

impl Listing {
    pub(super) fn new(image: &Image) -> Self {
        let map = image.source_map();
        let mut listing = Self::default();
        let mut lines: HashMap<Origin, u16> = HashMap::new();
        map.origins().iter().flatten().for_each(|origin| *lines.entry(*origin).or_default() += 1);
        let mut sizes: BTreeMap<u32, (RomIndex, u16)> = BTreeMap::new();
        for (index, origin) in RomIndex::all().zip(map.origins()) {
            let Some(origin) = *origin else { continue };
            let calls = calls_around(image, origin);
            for &call in &calls {
                sizes.entry(call).or_insert((index, 0)).1 += 1;
            }
            // The first instruction of a line represents the others.
            if let Some(words @ 1..) = lines.insert(origin, 0) {
                let code = LineCode { origin, call: None, first: index, words };
                listing.insert(calls.last().copied(), code);
            }
        }
        for (number, (first, words)) in sizes {
            let origin = map.expansions()[number as usize].caller();
            let code = LineCode { origin, call: Some(number), first, words };
            listing.insert(calls_around(image, origin).last().copied(), code);
        }
        let lists = listing.lines.values_mut().chain(listing.calls.values_mut());
        lists.for_each(|codes| codes.sort_by_key(|code| code.first));
        listing.words = RomIndex::all().filter(|index| image.is_used(*index)).collect();
        listing
    }

    /// How often the code of a row was executed, and how many instructions that took. For a line
    /// outside all macros, both are sums over all iterations of a repeat.
    pub(super) fn cost(&self, row: &ListingRow, profile: &Profile) -> Option<(u64, u64)> {
        let codes = match &row.kind {
            RowContents::Line { place, .. } if row.path.is_empty() => {
                self.lines.get(&(place.file, place.line))?.as_slice()
            }
            RowContents::Line { code, .. } => code.as_slice(),
            RowContents::Word(index) => {
                let times = profile.times(*index);
                return Some((times, times));
            }
            RowContents::Gap => &[],
        };
        let times = codes.iter().map(|code| profile.times(code.first)).sum();
        let executed = codes.iter().flat_map(|code| code.indexes());
        let executed = executed.map(|index| profile.times(index)).sum();
        (!codes.is_empty()).then_some((times, executed))
    }

    fn insert(&mut self, call: Option<u32>, code: LineCode) {
        let place = code.origin.place;
        match call {
            None => self.lines.entry((place.file, place.line)).or_default().push(code),
            Some(call) => self.calls.entry(call).or_default().push(code),
        }
    }

    /// The rows of a file with some groups unfolded. If `file` is `None`, the rows are words.
    /// Repeated lines show the iteration that the machine is in, or else the first one.
    pub(super) fn rows(
        &self,
        image: &Image,
        here: &SourcePlace,
        file: Option<u16>,
        unfolded: &HashSet<Vec<SourceLine>>,
    ) -> Vec<ListingRow> {
        let Some(file) = file else { return self.word_rows(here.pc) };
        let map = image.source_map();
        let mut rows = Vec::new();
        let lines = map.files().get(usize::from(file)).map_or(0, |file| file.lines.len() as u32);
        for line in 1..=lines {
            let codes = self.lines.get(&(file, line)).map_or(&[][..], Vec::as_slice);
            // If several are equally near to the machine, the first one is shown.
            let code = codes.iter().min_by_key(|code| code.distance(image, here)).copied();
            let place = SourceLine { file, line };
            rows.push(ListingRow { path: Vec::new(), kind: RowContents::Line { place, code } });
            if let Some(code) = code {
                self.unfold(image, code, &Vec::new(), unfolded, &mut rows);
            }
        }
        rows
    }

    /// Adds the contents of a group if it is unfolded.
    fn unfold(
        &self,
        image: &Image,
        code: LineCode,
        path: &[SourceLine],
        unfolded: &HashSet<Vec<SourceLine>>,
        rows: &mut Vec<ListingRow>,
    ) {
        let path: Vec<SourceLine> = path.iter().copied().chain([code.origin.place]).collect();
        if !code.is_group() || !unfolded.contains(&path) {
            return;
        }
        let Some(number) = code.call else {
            let words = image.source_map().same_line(code.first).map(RowContents::Word);
            return rows.extend(words.map(|kind| ListingRow { path: path.clone(), kind }));
        };
        for &code in self.calls.get(&number).into_iter().flatten() {
            let kind = RowContents::Line { place: code.origin.place, code: Some(code) };
            rows.push(ListingRow { path: path.clone(), kind });
            self.unfold(image, code, &path, unfolded, rows);
        }
    }

    /// All words in use, and the current one.
    fn word_rows(&self, pc: RomIndex) -> Vec<ListingRow> {
        let mut words = self.words.clone();
        if let Err(at) = words.binary_search(&pc) {
            words.insert(at, pc);
        }
        let row = |kind| ListingRow { path: Vec::new(), kind };
        let mut rows = Vec::new();
        for (n, &index) in words.iter().enumerate() {
            if n > 0 && words[n - 1].next() != index {
                rows.push(row(RowContents::Gap));
            }
            rows.push(row(RowContents::Word(index)));
        }
        rows
    }
}

impl ListingRow {
    /// Whether the machine is in this row, or in code folded in it. If several rows match, the last
    /// is the most exact.
    pub(super) fn contains(&self, here: &SourcePlace) -> bool {
        match self.kind {
            RowContents::Line { code: Some(code), .. } => code.contains(here),
            RowContents::Word(index) => index == here.pc,
            RowContents::Line { code: None, .. } | RowContents::Gap => false,
        }
    }

    /// The first instruction of the row.
    pub(super) fn index(&self) -> Option<RomIndex> {
        match self.kind {
            RowContents::Line { code, .. } => code.map(|code| code.first),
            RowContents::Word(index) => Some(index),
            RowContents::Gap => None,
        }
    }

    /// Whether the row shows an instruction, or a group in which it is folded, in any iteration of
    /// a repeat.
    pub(super) fn covers(&self, spot: &SourcePlace, image: &Image) -> bool {
        match self.kind {
            RowContents::Line { place, .. } => {
                let (own, whole) = (self.path.iter().chain([&place]), spot.path(image));
                self.path.len() < whole.len() && own.zip(&whole).all(|(a, b)| a == b)
            }
            RowContents::Word(index) => index == spot.pc,
            RowContents::Gap => false,
        }
    }

    /// The path into the group of the row, if it is a group.
    pub(super) fn group(&self) -> Option<Vec<SourceLine>> {
        match self.kind {
            RowContents::Line { place, code: Some(code) } if code.is_group() => {
                Some(self.path.iter().copied().chain([place]).collect())
            }
            _ => None,
        }
    }

    /// The same row in the current iteration of a repeat.
    pub(super) fn without_iteration(&self) -> Self {
        let kind = match self.kind {
            RowContents::Line { place, .. } => RowContents::Line { place, code: None },
            other => other,
        };
        Self { path: self.path.clone(), kind }
    }

    /// The file of the row. Inside a macro, the file of the outermost call. `None` for a word
    /// without a line.
    pub(super) fn file(&self) -> Option<u16> {
        let line = match self.kind {
            RowContents::Line { place, .. } => Some(place),
            RowContents::Word(_) | RowContents::Gap => None,
        };
        self.path.first().copied().or(line).map(|place| place.file)
    }

    /// Whether two rows are the same line in the same place, in any iteration of a repeat.
    pub(super) fn matches(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (RowContents::Line { place, .. }, RowContents::Line { place: there, .. }) => {
                place == there && self.path == other.path
            }
            _ => self == other,
        }
    }
}

impl LineCode {
    pub(super) fn is_group(self) -> bool {
        self.call.is_some() || self.words > 1
    }

    fn indexes(self) -> impl Iterator<Item = RomIndex> {
        let indexes = std::iter::successors(Some(self.first), |index| Some(index.next()));
        indexes.take(self.words.into())
    }

    /// The number of expansions that contain the machine's instruction but not this code, counted
    /// outward from the innermost one.
    fn distance(self, image: &Image, here: &SourcePlace) -> usize {
        let mut shared = image
            .source_map()
            .outward(self.call.or(self.origin.expansion))
            .filter_map(|number| here.around.iter().position(|around| *around == number));
        shared.next().unwrap_or(here.around.len())
    }

    fn contains(self, here: &SourcePlace) -> bool {
        match self.call {
            Some(number) => here.calls.contains(&number),
            None => here.origin == Some(self.origin),
        }
    }
}

/// The macro calls from which a line was expanded, outermost first. Repeats and routines are left
/// out, because their lines stay in place.
fn calls_around(image: &Image, origin: Origin) -> Vec<u32> {
    let map = image.source_map();
    let mut calls: Vec<u32> = map.outward(origin.expansion).collect();
    calls.retain(|it| matches!(map.expansions()[*it as usize].kind, ExpansionKind::Macro(_)));
    calls.reverse();
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_asm::{NoIncludes, Source, assemble};
    use gray1_isa::Word;

    /// Lines for which the assembler generates several words.
    const ROUTINE: &str = "\
.pool
.var x
        ADD  #3
        .call twice(x)
        .call twice(x)
        HALT
.routine twice(a) -> sum
        LD   a
        ADD  a
        ST   sum
.endroutine
";

    fn image(text: &str) -> Image {
        let source = Source { id: "a.asm".into(), name: "a.asm".into(), text: text.into() };
        assemble(source, &mut NoIncludes).image.unwrap()
    }

    #[test]
    fn without_a_source_used_words_are_listed() {
        let image = Image::from_words(&[Word::ldi(1), Word::ERASED, Word::ldi(2)]).unwrap();
        let kinds = |pc| {
            let here = SourcePlace::new(&image, RomIndex::truncate(pc));
            let rows = Listing::new(&image).rows(&image, &here, None, &HashSet::new());
            rows.into_iter().map(|row| row.kind).collect::<Vec<_>>()
        };
        let word = |index| RowContents::Word(RomIndex::truncate(index));
        assert_eq!(kinds(0), [word(0), RowContents::Gap, word(2)]);
        // An erased word is shown while the machine is there.
        assert_eq!(
            kinds(0x1555),
            [word(0), RowContents::Gap, word(2), RowContents::Gap, word(0x1555)]
        );
    }

    /// Unfolds one by one the groups that contain each of these instructions.
    fn unfold_to(image: &Image, indexes: impl Iterator<Item = RomIndex>) {
        let listing = Listing::new(image);
        for pc in indexes {
            let here = SourcePlace::new(image, pc);
            let mut unfolded = HashSet::new();
            let row = loop {
                let rows = listing.rows(image, &here, here.file(image), &unfolded);
                let row = rows.into_iter().rfind(|row| row.contains(&here)).unwrap();
                match row.group() {
                    Some(group) => assert!(unfolded.insert(group), "{pc:?}"),
                    None => break row,
                }
            };
            assert_eq!(row.index(), Some(pc));
        }
    }

    #[test]
    fn unfolding_leads_to_every_instruction() {
        let image = image(ROUTINE);
        unfold_to(&image, RomIndex::all());
        for (name, _) in gray1_programs::programs() {
            let program = crate::tests::program(name);
            // All instructions would take too long. A step of 13 tries every kind.
            unfold_to(&program.image, RomIndex::all().step_by(13));
        }
    }
}

//! A program as rows to read: its source with each line's instructions, macros folded or not; where
//! there is no source, its words.

use std::collections::{BTreeMap, HashSet};

use gray1_isa::source_map::{ExpansionKind, Origin, Place};
use gray1_isa::{Image, RomIndex, Word};

/// A program's lines, looked up by what stands on them.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// What the lines of the files stand for, outside all macros.
    lines: BTreeMap<(u16, u32), Vec<Code>>,
    /// What each macro call was expanded to, in the order of program memory.
    calls: BTreeMap<u32, Vec<Code>>,
    /// The words to list where no line is known, in runs that are not erased.
    words: Vec<RomIndex>,
}

/// What a line stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Code {
    /// An instruction.
    Word { index: RomIndex, place: Place },
    /// A macro call: the number of the expansion, its first instruction and how many it has.
    Call { expansion: u32, place: Place, first: RomIndex, words: u16 },
}

/// The way to a line: the macro calls that it stands in, outermost first.
pub(super) type Path = Vec<Place>;

/// Where the machine is, in the terms of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Here {
    pc: RomIndex,
    /// The line of the instruction, if one is known.
    origin: Option<Origin>,
    /// The macro calls around it, outermost first.
    calls: Vec<u32>,
    /// All expansions around it, turns of repeats too, innermost first.
    around: Vec<u32>,
}

impl Here {
    pub(super) fn of(image: &Image, pc: RomIndex) -> Self {
        let origin = image.source_map().origin(pc);
        let calls = origin.map(|o| calls_around(image, o)).unwrap_or_default();
        let around = origin.map(|o| outward(image, o.expansion).collect()).unwrap_or_default();
        Self { pc, origin, calls, around }
    }
}

/// A row of the listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) path: Path,
    pub(super) kind: RowKind,
}

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A line of the source, and what it stands for, if for anything.
    Line { place: Place, code: Option<Code> },
    /// A word that no line is known for.
    Word(RomIndex),
    /// Erased words between two others.
    Gap,
}

impl Listing {
    pub(super) fn of(image: &Image) -> Self {
        let map = image.source_map();
        let mut listing = Self::default();
        let mut sizes: BTreeMap<u32, (RomIndex, u16)> = BTreeMap::new();
        for (index, origin) in RomIndex::all().zip(map.origins()) {
            let Some(origin) = origin else { continue };
            for call in calls_around(image, *origin) {
                sizes.entry(call).or_insert((index, 0)).1 += 1;
            }
            let code = Code::Word { index, place: origin.place };
            listing.put(calls_around(image, *origin).last().copied(), code);
        }
        for (expansion, (first, words)) in sizes {
            let call = &map.expansions()[expansion as usize];
            let outside = Origin { place: call.call, expansion: call.parent };
            let code = Code::Call { expansion, place: call.call, first, words };
            listing.put(calls_around(image, outside).last().copied(), code);
        }
        let lists = listing.lines.values_mut().chain(listing.calls.values_mut());
        lists.for_each(|codes| codes.sort_by_key(|code| code.first()));
        let used = |index: &RomIndex| image.word(*index) != Word::ERASED;
        listing.words = RomIndex::all().filter(used).collect();
        listing
    }

    fn put(&mut self, call: Option<u32>, code: Code) {
        let place = code.place();
        match call {
            None => self.lines.entry((place.file, place.line)).or_default().push(code),
            Some(call) => self.calls.entry(call).or_default().push(code),
        }
    }

    /// The rows to show while the machine is here, with these calls unfolded. Lines that were
    /// repeated stand for the turn that is under way; for the first one, if none is.
    pub(super) fn rows(&self, image: &Image, here: &Here, unfolded: &HashSet<Path>) -> Vec<Row> {
        let Some(origin) = here.origin else { return self.word_rows(here.pc) };
        let map = image.source_map();
        let outermost = here.calls.first().map(|&call| map.expansions()[call as usize].call);
        let file = outermost.unwrap_or(origin.place).file;
        let mut rows = Vec::new();
        let lines = map.files()[usize::from(file)].lines.len() as u32;
        for line in 1..=lines {
            let codes = self.lines.get(&(file, line)).map_or(&[][..], Vec::as_slice);
            // The first of those that share most with where the machine is.
            let code = codes.iter().min_by_key(|code| code.distance(image, here)).copied();
            let place = Place { file, line };
            rows.push(Row { path: Path::new(), kind: RowKind::Line { place, code } });
            if let Some(code) = code {
                self.unfold(code, &Path::new(), unfolded, &mut rows);
            }
        }
        rows
    }

    /// Adds what a call was expanded to, if it is unfolded.
    fn unfold(&self, code: Code, path: &Path, unfolded: &HashSet<Path>, rows: &mut Vec<Row>) {
        let Code::Call { expansion, place, .. } = code else { return };
        let path: Path = path.iter().copied().chain([place]).collect();
        if !unfolded.contains(&path) {
            return;
        }
        for &code in self.calls.get(&expansion).into_iter().flatten() {
            let kind = RowKind::Line { place: code.place(), code: Some(code) };
            rows.push(Row { path: path.clone(), kind });
            self.unfold(code, &path, unfolded, rows);
        }
    }

    /// All words in use, and the present one.
    fn word_rows(&self, pc: RomIndex) -> Vec<Row> {
        let mut words = self.words.clone();
        if let Err(at) = words.binary_search(&pc) {
            words.insert(at, pc);
        }
        let row = |kind| Row { path: Path::new(), kind };
        let mut rows = Vec::new();
        for (n, &index) in words.iter().enumerate() {
            if n > 0 && words[n - 1].next() != index {
                rows.push(row(RowKind::Gap));
            }
            rows.push(row(RowKind::Word(index)));
        }
        rows
    }
}

impl Row {
    /// Whether the machine is in this row, or in what is folded in it. Of several such rows the
    /// last one says it most exactly.
    pub(super) fn holds(&self, here: &Here) -> bool {
        match self.kind {
            RowKind::Line { code: Some(code), .. } => code.holds(here),
            RowKind::Word(index) => index == here.pc,
            RowKind::Line { code: None, .. } | RowKind::Gap => false,
        }
    }

    /// The first instruction that the row stands for.
    pub(super) fn index(&self) -> Option<RomIndex> {
        match self.kind {
            RowKind::Line { code, .. } => code.map(Code::first),
            RowKind::Word(index) => Some(index),
            RowKind::Gap => None,
        }
    }

    /// The way into the macro call that the row stands for, if it stands for one.
    pub(super) fn call(&self) -> Option<Path> {
        match self.kind {
            RowKind::Line { code: Some(Code::Call { place, .. }), .. } => {
                Some(self.path.iter().copied().chain([place]).collect())
            }
            _ => None,
        }
    }

    /// Whether two rows are the same line in the same place, whatever turn of a repeat it is.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (RowKind::Line { place, .. }, RowKind::Line { place: there, .. }) => {
                place == there && self.path == other.path
            }
            (here, there) => here == there,
        }
    }
}

impl Code {
    const fn place(self) -> Place {
        match self {
            Self::Word { place, .. } | Self::Call { place, .. } => place,
        }
    }

    pub(super) const fn first(self) -> RomIndex {
        match self {
            Self::Word { index, .. } | Self::Call { first: index, .. } => index,
        }
    }

    /// How far out one has to go from where the machine is to find what this code is in, too.
    fn distance(self, image: &Image, here: &Here) -> usize {
        let expansion = match self {
            Self::Word { index, .. } => image.source_map().origin(index).and_then(|o| o.expansion),
            Self::Call { expansion, .. } => Some(expansion),
        };
        let mut shared = outward(image, expansion)
            .filter_map(|number| here.around.iter().position(|around| *around == number));
        shared.next().unwrap_or(here.around.len())
    }

    fn holds(self, here: &Here) -> bool {
        match self {
            Self::Word { index, .. } => index == here.pc,
            Self::Call { expansion, .. } => here.calls.contains(&expansion),
        }
    }
}

/// The macro calls that a line was expanded from, outermost first. Repeats are left out: their
/// lines stand where they are.
fn calls_around(image: &Image, origin: Origin) -> Vec<u32> {
    let expansions = image.source_map().expansions();
    let is_call =
        |number: &u32| matches!(expansions[*number as usize].kind, ExpansionKind::Macro(_));
    let mut calls: Vec<u32> = outward(image, origin.expansion).filter(is_call).collect();
    calls.reverse();
    calls
}

/// An expansion and those around it, outward.
fn outward(image: &Image, innermost: Option<u32>) -> impl Iterator<Item = u32> + '_ {
    let expansions = image.source_map().expansions();
    std::iter::successors(innermost, |number| expansions[*number as usize].parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_asm::{NoIncludes, Source, assemble};

    const TEXT: &str = "\
.macro twice
        SHR
        SHR
.endmacro
.macro more
        twice
        LDI 1
.endmacro
        LDI 0
.repeat 2
        more
        LDI 2
.endrepeat
        HALT
";

    fn image() -> Image {
        let source = Source { id: "a.asm".into(), name: "a.asm".into(), text: TEXT.into() };
        assemble(source, &mut NoIncludes).image.unwrap()
    }

    /// The rows that stand for something, as text; `>` marks where the machine is.
    fn shown(pc: u16, unfolded: &[&[u32]]) -> String {
        let image = image();
        let place = |line: &u32| Place { file: 0, line: *line };
        let unfolded = unfolded.iter().map(|path| path.iter().map(place).collect()).collect();
        let here = Here::of(&image, RomIndex::truncate(pc));
        let rows = Listing::of(&image).rows(&image, &here, &unfolded);
        let here = rows.iter().rposition(|row| row.holds(&here));
        let mut lines = Vec::new();
        for (n, row) in rows.iter().enumerate() {
            let RowKind::Line { place, code: Some(code) } = row.kind else { continue };
            let mark = if here == Some(n) { ">" } else { " " };
            let count = match code {
                Code::Call { words, .. } => format!("+{words}"),
                Code::Word { .. } => String::new(),
            };
            let line = image.source_map().line(place).unwrap().trim();
            let index = code.first().get();
            let indent = "  ".repeat(row.path.len());
            lines.push(format!("{mark}{index}{count} {indent}{line}\n"));
        }
        lines.concat()
    }

    #[test]
    fn a_folded_call_stands_for_all_its_instructions() {
        assert_eq!(shown(0, &[]), ">0 LDI 0\n 1+3 more\n 4 LDI 2\n 9 HALT\n");
        assert_eq!(shown(2, &[]), " 0 LDI 0\n>1+3 more\n 4 LDI 2\n 9 HALT\n");
        // In the second turn all lines of the repeat stand for that one.
        assert_eq!(shown(6, &[]), " 0 LDI 0\n>5+3 more\n 8 LDI 2\n 9 HALT\n");
    }

    #[test]
    fn calls_unfold_one_level_at_a_time() {
        let more = " 0 LDI 0\n 5+3 more\n>5+2   twice\n 7   LDI 1\n 8 LDI 2\n 9 HALT\n";
        assert_eq!(shown(6, &[&[11]]), more);
        let twice = "\n 5+2   twice\n 5     SHR\n>6     SHR\n 7";
        assert_eq!(shown(6, &[&[11], &[11, 6]]), more.replace("\n>5+2   twice\n 7", twice));
    }

    #[test]
    fn without_a_source_the_words_are_listed() {
        let image = Image::from_words(&[Word::ldi(1), Word::ERASED, Word::ldi(2)]).unwrap();
        let kinds = |pc| {
            let here = Here::of(&image, RomIndex::truncate(pc));
            let rows = Listing::of(&image).rows(&image, &here, &HashSet::new());
            rows.into_iter().map(|row| row.kind).collect::<Vec<_>>()
        };
        let word = |index| RowKind::Word(RomIndex::truncate(index));
        assert_eq!(kinds(0), [word(0), RowKind::Gap, word(2)]);
        // An erased word is shown while the machine is there.
        assert_eq!(kinds(0x1555), [word(0), RowKind::Gap, word(2), RowKind::Gap, word(0x1555)]);
    }

    #[test]
    fn instructions_of_every_program_can_be_reached_by_unfolding() {
        for name in crate::tests::programs() {
            let program = crate::tests::program(&name);
            let image = &program.image;
            let listing = Listing::of(image);
            let known = RomIndex::all().filter(|pc| image.source_map().origin(*pc).is_some());
            // All of them would take too long; a step of 13 meets every kind.
            for pc in known.step_by(13) {
                // All calls around it unfolded, one after the other.
                let here = Here::of(image, pc);
                let mut unfolded = HashSet::new();
                let row = loop {
                    let rows = listing.rows(image, &here, &unfolded);
                    let row = rows.into_iter().rfind(|row| row.holds(&here)).unwrap();
                    match row.call() {
                        Some(call) => assert!(unfolded.insert(call), "{name}"),
                        None => break row,
                    }
                };
                assert_eq!(row.index(), Some(pc), "{name}");
            }
        }
    }
}

//! The origin of each instruction: the file, the line, and the macros, repeats and routines that
//! contain it.

use crate::address::{ROM_WORDS, RomIndex};
use crate::image_error::ImageError;
use crate::source_text::SourceText;

/// A source file as it was assembled. The map contains its lines, so a program can be debugged
/// without its source files.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// The name, as given on the command line or in the `.include`.
    pub name: String,
    /// The lines of the file.
    pub lines: SourceText,
}

/// A line of a source file, identified by the numbers of the file and of the line.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct SourceLine {
    /// The index of the file in the map's list of files.
    pub file: u16,
    /// The line, counted from 1.
    pub line: u32,
}

/// The origin of an instruction: a source line, and the expansion that contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The line that contains the instruction.
    pub place: SourceLine,
    /// The innermost expansion that contains the instruction, as an index into the map's
    /// expansions.
    pub expansion: Option<u32>,
}

/// The kind of an expansion.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum ExpansionKind {
    /// A call of the macro of this name.
    Macro(String),
    /// An iteration of a `.repeat`, counted from 0.
    Repeat(u32),
    /// The body of the routine of this name, which is assembled where its definition is.
    Routine(String),
}

/// A call of a macro, one iteration of a repeat, or the body of a routine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expansion {
    /// The kind, with the name or the iteration.
    pub kind: ExpansionKind,
    /// The line of the call, of the `.repeat`, or of the `.routine`.
    pub call: SourceLine,
    /// The expansion that contains the call, as an index. It is always lower than the index of this
    /// expansion.
    pub parent: Option<u32>,
}

impl Expansion {
    /// Returns the line of the call and the expansion that contains the call.
    pub fn caller(&self) -> Origin {
        Origin { place: self.call, expansion: self.parent }
    }
}

/// The source map, which leads from program memory back to the source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
    origins: Vec<Option<Origin>>,
}

impl SourceMap {
    /// Builds a map. `origins` has the origin of each instruction, by index, and may end before the
    /// end of program memory.
    ///
    /// # Errors
    /// If a place is not in `files`, if an expansion is not in `expansions`, or if an enclosing
    /// expansion comes after one inside it.
    pub fn new(
        files: Vec<SourceFile>,
        expansions: Vec<Expansion>,
        origins: Vec<Option<Origin>>,
    ) -> Result<Self, ImageError> {
        let map = Self { files, expansions, origins };
        if map.origins.len() > ROM_WORDS {
            let count = map.origins.len();
            return Err(ImageError(format!(
                "the source map has {count} origins; program memory has {ROM_WORDS} words"
            )));
        }
        for (number, expansion) in map.expansions.iter().enumerate() {
            map.check(expansion.caller(), number, || format!("expansion {number}"))?;
        }
        for (index, origin) in map.origins.iter().enumerate() {
            if let Some(origin) = origin {
                let count = map.expansions.len();
                map.check(*origin, count, || format!("instruction 0x{index:04x}"))?;
            }
        }
        Ok(map)
    }

    fn check(
        &self,
        Origin { place, expansion }: Origin,
        expansions_before: usize,
        what: impl Fn() -> String,
    ) -> Result<(), ImageError> {
        let problem = match expansion {
            _ if self.line(place).is_none() => {
                let SourceLine { file, line } = place;
                format!("at line {line} of file {file}, which the source map does not have")
            }
            Some(number) if number as usize >= expansions_before => {
                format!("in expansion {number}, which the source map does not define before it")
            }
            _ => return Ok(()),
        };
        Err(ImageError(format!("{} is {problem}", what())))
    }

    /// Returns the source files in the order in which they were read.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns all expansions. An enclosing expansion comes before those inside it.
    pub fn expansions(&self) -> &[Expansion] {
        &self.expansions
    }

    /// Returns the origin of the instruction at `index`, or `None` for a word without a source
    /// line.
    pub fn origin(&self, index: RomIndex) -> Option<Origin> {
        self.origins.get(index.to_usize()).copied().flatten()
    }

    /// Returns the origins in the order of instruction indexes, up to the last known one.
    pub fn origins(&self) -> &[Option<Origin>] {
        &self.origins
    }

    /// Returns the instructions from the same line and the same expansion as this one.
    ///
    /// A `.pool`, a `.call` and the return of a routine have several instructions. If the
    /// instruction has no source line, it is the only one.
    pub fn same_line(&self, index: RomIndex) -> impl Iterator<Item = RomIndex> + '_ {
        let origin = self.origin(index);
        let is_alike = move |other: usize| {
            let other = RomIndex::truncate(other as u16);
            other == index || origin.is_some() && self.origin(other) == origin
        };
        let at = index.to_usize();
        let before = (0..at).rev().take_while(|&n| is_alike(n)).count();
        let after = (at..ROM_WORDS).take_while(|&n| is_alike(n)).count();
        (at - before..at + after).map(|n| RomIndex::truncate(n as u16))
    }

    /// Returns the contents of a line.
    pub fn line(&self, place: SourceLine) -> Option<&str> {
        let lines = &self.files.get(usize::from(place.file))?.lines;
        lines.get((place.line as usize).checked_sub(1)?)
    }

    /// Returns the expansions that contain an origin, innermost first.
    pub fn expansions_of(&self, origin: Origin) -> impl Iterator<Item = &Expansion> {
        self.outward(origin.expansion).map(|number| &self.expansions[number as usize])
    }

    /// Returns the source line that produced an instruction, and the expansion that contains that
    /// line.
    ///
    /// The line is in the file of the outermost call. It is the line of the instruction itself, or
    /// a call of a macro from another file.
    pub fn calling_origin(&self, index: RomIndex) -> Option<Origin> {
        let origin = self.origin(index)?;
        let calls = self.expansions_of(origin).map(Expansion::caller);
        let origins: Vec<Origin> = std::iter::once(origin).chain(calls).collect();
        let outermost = origins.last()?.place.file;
        origins.into_iter().find(|origin| origin.place.file == outermost)
    }

    /// Returns the numbers of an expansion and of those that enclose it, innermost first.
    pub fn outward(&self, innermost: Option<u32>) -> impl Iterator<Item = u32> {
        std::iter::successors(innermost, |number| self.expansions[*number as usize].parent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> SourceFile {
        SourceFile { name: "a.asm".into(), lines: vec!["copy x, y", "LD x"].into() }
    }

    fn at(line: u32) -> SourceLine {
        SourceLine { file: 0, line }
    }

    fn expansion(parent: Option<u32>) -> Expansion {
        Expansion { kind: ExpansionKind::Macro("copy".into()), call: at(1), parent }
    }

    #[test]
    fn an_instruction_knows_its_line_and_its_callers() {
        let origin = Origin { place: at(2), expansion: Some(1) };
        let expansions = vec![expansion(None), expansion(Some(0))];
        let map = SourceMap::new(vec![file()], expansions, vec![None, Some(origin)]).unwrap();
        assert_eq!(map.origin(RomIndex::default()), None);
        let found = map.origin(RomIndex::default().next()).unwrap();
        assert_eq!(map.line(found.place), Some("LD x"));
        assert_eq!(map.expansions_of(found).count(), 2);
    }

    #[test]
    fn instructions_of_a_macro_lead_to_the_line_that_calls_it() {
        let library = SourceFile { name: "lib.asm".into(), lines: vec!["LD x"].into() };
        let in_library = SourceLine { file: 1, line: 1 };
        // A macro of the library, one of the file itself, and a line that is not in a macro.
        let origins = [(in_library, Some(0)), (at(2), Some(0)), (at(2), None)];
        let origins = origins.map(|(place, expansion)| Some(Origin { place, expansion }));
        let expansions = vec![expansion(None)];
        let map = SourceMap::new(vec![file(), library], expansions, origins.to_vec()).unwrap();
        let calling = |index| map.calling_origin(RomIndex::truncate(index));
        assert_eq!(calling(0), Some(Origin { place: at(1), expansion: None }));
        assert_eq!(calling(1), origins[1]);
        assert_eq!(calling(2), origins[2]);
        assert_eq!(calling(3), None);
    }

    #[test]
    fn source_maps_with_dangling_indexes_are_refused() {
        for line in [0, 3, u32::MAX] {
            let origin = Origin { place: at(line), expansion: None };
            let map = SourceMap::new(vec![file()], vec![], vec![Some(origin)]);
            let problem = map.unwrap_err().to_string();
            assert!(problem.contains(&format!("is at line {line} of file 0")), "{problem}");
        }
        // An expansion inside itself would make the search for the outermost one endless.
        let map = SourceMap::new(vec![file()], vec![expansion(Some(0))], vec![]);
        assert!(map.unwrap_err().to_string().starts_with("expansion 0 is in expansion 0"));
        let map = SourceMap::new(vec![], vec![], vec![None; ROM_WORDS + 1]);
        assert_eq!(
            map.unwrap_err().to_string(),
            "the source map has 8193 origins; program memory has 8192 words"
        );
    }
}

//! The source files of a program as a client sees them, and which line stands for an instruction.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gray1_isa::text::printable;
use gray1_isa::{Expansion, ExpansionKind, Image, Origin, Place, RomIndex, SourceMap};
use serde::Deserialize;
use serde_json::{Value, json};

use super::protocol::{Refusal, with};
use crate::program::{self, Program};

/// The source files of a program.
pub(super) struct Sources {
    files: Vec<File>,
    /// The first instruction of each expansion.
    first_of: Vec<Option<RomIndex>>,
    /// The instructions at which the execution of a line begins.
    starts: BTreeMap<Place, Vec<RomIndex>>,
}

/// A file of the source map.
struct File {
    name: String,
    /// Where it is on disk; `None` for what is inside the binary, or is not there.
    path: Option<PathBuf>,
}

/// A source as the client names it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceArgument {
    pub(super) path: Option<PathBuf>,
    #[serde(default)]
    pub(super) source_reference: i64,
}

/// A line in which an instruction stands: its own, or the call of a macro that contains it.
pub(super) struct Level<'a> {
    /// The macro that the line belongs to, if it belongs to one.
    pub(super) in_macro: Option<&'a str>,
    pub(super) origin: Origin,
}

impl Sources {
    /// The sources of a program.
    pub(super) fn of(program: &Program) -> Self {
        let map = program.image.source_map();
        let path = |name: &str| {
            let Some(assembly) = &program.warnings else {
                // An image knows the names of its sources only. They may be beside it.
                let beside = Path::new(&program.name).with_file_name(name);
                return [Path::new(name), &beside].iter().find_map(|it| it.canonicalize().ok());
            };
            let file = assembly.files.iter().find(|file| file.name() == name)?;
            (!program::is_built_in(file.id())).then(|| PathBuf::from(file.id()))
        };
        let files = map.files().iter();
        let files = files.map(|file| File { name: file.name.clone(), path: path(&file.name) });
        Self { files: files.collect(), first_of: first_of(map), starts: starts(map) }
    }

    /// A file as the protocol puts it.
    pub(super) fn source(&self, file: u16) -> Value {
        let File { name, path } = &self.files[usize::from(file)];
        let name = printable(name);
        match path {
            Some(path) => {
                let short = path.file_name().map_or(name.into(), |name| name.to_string_lossy());
                json!({ "name": short, "path": path.to_string_lossy() })
            }
            None => json!({ "name": name, "sourceReference": reference(file) }),
        }
    }

    /// All files as the protocol puts them.
    pub(super) fn all(&self) -> Vec<Value> {
        (0..self.files.len() as u16).map(|file| self.source(file)).collect()
    }

    /// The file that the client means.
    pub(super) fn find(&self, source: &SourceArgument) -> Result<u16, Refusal> {
        let identity = source.path.as_deref().map(program::identity);
        let is_meant = |(number, file): &(u16, &File)| match source.source_reference {
            0 => {
                let own = file.path.as_deref().map(program::identity);
                own.is_some() && own == identity
            }
            known => known == reference(*number),
        };
        let found = (0..).zip(&self.files).find(is_meant).map(|(number, _)| number);
        found.ok_or_else(|| Refusal::new("the program has no such source"))
    }

    /// The lines in which an instruction stands: its own, that of the macro call around it, and so
    /// on outward. Macros that begin with it are not entered yet: they are left out.
    pub(super) fn levels<'a>(&self, map: &'a SourceMap, index: RomIndex) -> Vec<Level<'a>> {
        let Some(mut origin) = map.origin(index) else { return Vec::new() };
        let mut levels = Vec::new();
        let mut is_entered = false;
        for (number, name) in macros(map, origin) {
            is_entered |= self.first_of[number as usize] != Some(index);
            if is_entered {
                levels.push(Level { in_macro: Some(name), origin });
            }
            origin = call(map, number);
        }
        levels.push(Level { in_macro: None, origin });
        levels
    }

    /// The same lines, those of macros that begin with the instruction included.
    #[expect(clippy::unused_self, reason = "the lines are those of these sources")]
    pub(super) fn lines_of<'a>(
        &self,
        map: &'a SourceMap,
        index: RomIndex,
    ) -> impl Iterator<Item = Origin> + use<'a> {
        let origin = map.origin(index);
        let calls = origin.into_iter().flat_map(|origin| macros(map, origin));
        origin.into_iter().chain(calls.map(|(number, _)| call(map, number)))
    }

    /// The line that stands for an instruction, if it has one.
    pub(super) fn shown(&self, map: &SourceMap, index: RomIndex) -> Option<Origin> {
        self.levels(map, index).first().map(|level| level.origin)
    }

    /// The first line at or below this one at which something is executed, and the instructions
    /// with which its execution begins.
    pub(super) fn starts(&self, at: Place) -> Option<(Place, &[RomIndex])> {
        let end = Place { file: at.file, line: u32::MAX };
        let (place, starts) = self.starts.range(at..=end).next()?;
        Some((*place, starts))
    }

    /// The lines of a file at which something is executed, from one up to another.
    pub(super) fn lines(&self, file: u16, first: u32, last: u32) -> impl Iterator<Item = u32> {
        let at = |line| Place { file, line };
        let range = at(first)..=at(last.max(first));
        self.starts.range(range).map(|(place, _)| place.line)
    }

    /// The text of a file.
    pub(super) fn text(&self, image: &Image, source: &SourceArgument) -> Result<Value, Refusal> {
        let file = self.find(source)?;
        let text = image.source_map().files()[usize::from(file)].lines.text();
        Ok(with(json!({ "mimeType": "text/x-asm" }), "content", text.into()))
    }
}

/// The number of a file in the protocol: 0 is none.
fn reference(file: u16) -> i64 {
    i64::from(file) + 1
}

/// The macros around a line up to its routine, innermost first: the numbers of their expansions,
/// and their names.
fn macros(map: &SourceMap, origin: Origin) -> impl Iterator<Item = (u32, &str)> {
    let kind = |number: u32| &map.expansions()[number as usize].kind;
    let is_inside = move |number: &u32| !matches!(kind(*number), ExpansionKind::Routine(_));
    let inside = map.outward(origin.expansion).take_while(is_inside);
    inside.filter_map(move |number| match kind(number) {
        ExpansionKind::Macro(name) => Some((number, name.as_str())),
        _ => None,
    })
}

/// The line that calls for an expansion.
fn call(map: &SourceMap, number: u32) -> Origin {
    map.expansions()[number as usize].caller()
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

fn starts(map: &SourceMap) -> BTreeMap<Place, Vec<RomIndex>> {
    let mut starts: BTreeMap<Place, Vec<RomIndex>> = BTreeMap::new();
    // The lines of the instruction before. What goes on there does not begin.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The sources of a text, and its image.
    fn sources(text: &str) -> (Sources, Program) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.asm");
        std::fs::write(&path, text).unwrap();
        let program = program::load(path.to_str().unwrap()).unwrap();
        (Sources::of(&program), program)
    }

    #[test]
    fn a_line_begins_with_its_first_instruction_wherever_it_stands() {
        let (sources, _) = sources(
            ".macro two\n LDI 1\n LDI 2\n.endmacro\n\n two\n.repeat 2\n two\n SHR\n.endrepeat\n HALT\n",
        );
        let starts = |line| {
            let found = sources.starts(Place { file: 0, line });
            let numbers = |starts: &[RomIndex]| starts.iter().map(|it| it.get()).collect();
            found.map_or((0, Vec::new()), |(place, starts)| (place.line, numbers(starts)))
        };
        assert_eq!(starts(1), (2, vec![0, 2, 5]), "a macro's line begins in each of its calls");
        assert_eq!(starts(3), (3, vec![1, 3, 6]));
        assert_eq!(starts(5), (6, vec![0]), "an empty line stands for the next one");
        assert_eq!(starts(7), (7, vec![2]), "a repeat begins once");
        assert_eq!(starts(8), (8, vec![2, 5]));
        assert_eq!(starts(9), (9, vec![4, 7]));
        assert_eq!(starts(12), (0, vec![]));
        assert_eq!(sources.lines(0, 4, 9).collect::<Vec<_>>(), [6, 7, 8, 9]);
    }

    #[test]
    fn a_macro_is_entered_behind_its_first_instruction() {
        let (sources, program) = sources(
            ".macro inner\n LDI 1\n LDI 2\n.endmacro\n.macro outer\n inner\n SHR\n.endmacro\n \
             outer\n HALT\n",
        );
        let map = program.image.source_map();
        let levels = |index| {
            let levels = sources.levels(map, RomIndex::truncate(index));
            let told = |level: &Level| {
                format!("{}{}", level.in_macro.unwrap_or(""), level.origin.place.line)
            };
            levels.iter().map(told).collect::<Vec<_>>().join(" ")
        };
        let expected = ["9", "inner3 outer6 9", "outer7 9", "10", ""];
        assert_eq!([0, 1, 2, 3, 4].map(levels), expected);
    }
}

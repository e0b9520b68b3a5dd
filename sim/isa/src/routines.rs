//! The routines of a program with their instructions and calls.
//!
//! The source map knows the instructions of each routine. The calls are found from the words. A
//! name that a routine defines is a symbol of the form `routine.name`.

use std::collections::HashMap;

use crate::address::{ROM_WORDS, RomIndex};
use crate::op::Op;
use crate::source_map::{ExpansionKind, SourceMap};
use crate::word::Word;

/// All routines of a program. Lookups by instruction take constant time.
#[derive(Debug, Clone)]
pub struct Routines {
    list: Vec<Routine>,
    /// The number of the routine that contains each instruction.
    around: Vec<Option<u16>>,
    /// The number of the routine that each instruction calls.
    called: Vec<Option<u16>>,
}

/// A routine, as a `.routine` block defines it.
#[derive(Debug, Clone)]
pub struct Routine {
    /// The name from its definition.
    pub name: String,
    /// Its instructions, in order. Calls enter it at the first one.
    pub indexes: Vec<RomIndex>,
    /// The jumps from outside to the routine's first instruction. The routine returns to the
    /// instruction after one of these jumps.
    pub calls: Vec<RomIndex>,
}

impl Routines {
    /// Finds the routines of a program and their calls.
    pub(crate) fn find(words: &[Word], map: &SourceMap) -> Self {
        let mut routines =
            Self { list: Vec::new(), around: vec![None; ROM_WORDS], called: vec![None; ROM_WORDS] };
        routines.find_bodies(map);
        routines.find_calls(words);
        routines
    }

    fn find_bodies(&mut self, map: &SourceMap) {
        let mut numbers = HashMap::new();
        for (index, origin) in RomIndex::all().zip(map.origins()) {
            let Some(origin) = origin else { continue };
            let routine = map.outward(origin.expansion).find_map(|number| {
                match &map.expansions()[number as usize].kind {
                    ExpansionKind::Routine(name) => Some((number, name)),
                    ExpansionKind::Macro(_) | ExpansionKind::Repeat(_) => None,
                }
            });
            let Some((expansion, name)) = routine else { continue };
            let number = *numbers.entry(expansion).or_insert_with(|| {
                let name = name.clone();
                self.list.push(Routine { name, indexes: Vec::new(), calls: Vec::new() });
                self.list.len() - 1
            });
            self.list[number].indexes.push(index);
            self.around[index.to_usize()] = Some(number as u16);
        }
    }

    fn find_calls(&mut self, words: &[Word]) {
        let entries = self.list.iter().map(|routine| routine.indexes[0]).zip(0..);
        let entries: HashMap<RomIndex, u16> = entries.collect();
        for (index, word) in RomIndex::all().zip(words).filter(|(_, word)| word.op() == Op::Jmp) {
            let entered = entries.get(&word.target()).copied();
            if let Some(called) = entered
                && self.around[index.to_usize()] != entered
            {
                self.list[usize::from(called)].calls.push(index);
                self.called[index.to_usize()] = entered;
            }
        }
    }

    /// Returns all routines, in the order of their first instructions.
    pub fn list(&self) -> &[Routine] {
        &self.list
    }

    /// Returns the routine that contains an instruction.
    pub fn around(&self, index: RomIndex) -> Option<&Routine> {
        self.around[index.to_usize()].map(|number| &self.list[usize::from(number)])
    }

    /// Returns the routine that an instruction calls.
    pub fn called(&self, index: RomIndex) -> Option<&Routine> {
        self.called[index.to_usize()].map(|number| &self.list[usize::from(number)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Expansion, Image, Origin, SourceFile, SourceLine, Symbol, SymbolKind};

    /// Returns a program with `.call double` twice and `HALT`. The routine starts at index 4.
    fn image() -> Image {
        let at = |line| SourceLine { file: 0, line };
        let jump = |to| Word::jump(Op::Jmp, RomIndex::truncate(to));
        let words = [Word::ldi(0), jump(4), jump(4), jump(3), Word::shr(), jump(2)];
        let routine =
            Expansion { kind: ExpansionKind::Routine("double".into()), call: at(4), parent: None };
        let origins = [(1, None), (1, None), (2, None), (3, None), (5, Some(0)), (6, Some(0))];
        let origins = origins.map(|(n, expansion)| Some(Origin { place: at(n), expansion }));
        let file = SourceFile { name: "a.asm".into(), lines: vec![""; 6].into() };
        let map = SourceMap::new(vec![file], vec![routine], origins.to_vec()).unwrap();
        let symbol = |name: &str, value| Symbol {
            name: name.into(),
            kind: SymbolKind::Variable,
            value,
            size: 1,
            is_seed: false,
        };
        let symbols = vec![symbol("x", 0), symbol("double.x", 1), symbol("double.y", 2)];
        Image::from_words(&words).unwrap().with_source_map(map).with_symbols(symbols).unwrap()
    }

    fn index(index: u16) -> RomIndex {
        RomIndex::truncate(index)
    }

    #[test]
    fn a_routine_knows_its_instructions_and_its_calls() {
        let image = image();
        let [routine] = image.routines().list() else { panic!("one routine") };
        assert_eq!(routine.name, "double");
        assert_eq!(routine.indexes, [index(4), index(5)]);
        assert_eq!(routine.calls, [index(1), index(2)]);
        assert!(image.routines().around(index(5)).is_some());
        assert!(image.routines().around(index(3)).is_none());
        assert!(image.routines().called(index(2)).is_some());
    }

    #[test]
    fn all_instructions_of_a_line_belong_together() {
        let image = image();
        let same_line = |at| image.source_map().same_line(index(at));
        let line = |at| same_line(at).map(RomIndex::get).collect::<Vec<_>>();
        assert_eq!((line(0), line(1), line(2)), (vec![0, 1], vec![0, 1], vec![2]));
        // Without a known line, each instruction is on its own.
        assert_eq!(line(7), [7]);
        assert_eq!(line(8191), [8191]);
    }

    #[test]
    fn a_name_in_a_routine_takes_precedence_over_a_global_one() {
        let image = image();
        let value = |name, at| image.symbol_at(name, index(at)).map(|symbol| symbol.value);
        assert_eq!((value("x", 0), value("x", 4)), (Some(0), Some(1)));
        assert_eq!((value("y", 0), value("y", 5)), (None, Some(2)));
        assert_eq!(value("double.y", 0), Some(2));
        assert_eq!(image.routines_at(index(0)).collect::<Vec<_>>(), ["double"]);
        assert_eq!(image.routines_at(index(3)).count(), 0);
    }
}

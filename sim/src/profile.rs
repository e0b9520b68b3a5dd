//! Counts how often instructions are executed, and computes the costs of source lines from these
//! counts.

use std::collections::BTreeMap;

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{Image, Origin, RomIndex, SourceLine};

/// The number of times that each instruction was executed.
///
/// Engines execute whole sequences of instructions. So this type stores differences: how many more
/// times each instruction was executed than the one before it. Counting a sequence of any length
/// then changes only two numbers.
#[derive(Debug, Clone)]
pub struct ExecutionCounts {
    /// The differences by index. A sequence may wrap from the last index to the first.
    increases: Box<[u64]>,
}

impl Default for ExecutionCounts {
    fn default() -> Self {
        Self { increases: vec![0; 2 * ROM_WORDS].into() }
    }
}

impl ExecutionCounts {
    /// Counts the execution of `length` consecutive instructions, at most as many as program memory
    /// has.
    #[inline]
    pub fn add(&mut self, first: RomIndex, length: usize) {
        let first = first.to_usize();
        self.increases[first] = self.increases[first].wrapping_add(1);
        let end = first + length;
        self.increases[end] = self.increases[end].wrapping_sub(1);
    }

    /// Returns the number of executions of each instruction, by index.
    pub fn by_index(&self) -> Vec<u64> {
        let mut counts = vec![0_u64; ROM_WORDS];
        let mut count = 0_u64;
        for (place, increase) in self.increases.iter().enumerate() {
            count = count.wrapping_add(*increase);
            counts[place % ROM_WORDS] += count;
        }
        counts
    }
}

/// The costs of the lines of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The lines that have instructions, in the order of their files.
    pub lines: Vec<LineProfile>,
    /// The number of executed instructions.
    pub executed: u64,
    /// The number of different instructions that were executed.
    pub covered: usize,
    /// The number of instructions in the program.
    pub used: usize,
}

/// The cost of a line with everything that it expands to. In a program without source, each
/// instruction counts as a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineProfile {
    /// The index of its first instruction.
    pub first: RomIndex,
    /// The line, if there is a source.
    pub place: Option<SourceLine>,
    /// The number of times that the line was executed, summed over all of its expansions.
    pub times: u64,
    /// The number of instructions that were executed for this line.
    pub executed: u64,
    /// The number of different instructions that were executed for this line.
    pub covered: usize,
    /// The number of instructions that the line has.
    pub used: usize,
}

impl Profile {
    /// Computes the profile of a program from the number of executions of each instruction, by
    /// index.
    pub fn new(image: &Image, counts: &[u64]) -> Self {
        let map = image.source_map();
        let used = RomIndex::all().filter(|index| image.is_used(*index));
        let mut lines: BTreeMap<(Option<SourceLine>, Option<RomIndex>), LineProfile> =
            BTreeMap::new();
        let mut before: Option<(RomIndex, Origin)> = None;
        for index in used {
            let (own, count) = (map.calling_origin(index), counts[index.to_usize()]);
            let place = own.map(|own| own.place);
            // All expansions of a line belong together. An instruction without a line is on its
            // own.
            let key = (place, place.is_none().then_some(index));
            let none =
                LineProfile { first: index, place, times: 0, executed: 0, covered: 0, used: 0 };
            let line = lines.entry(key).or_insert(none);
            let continues = own.is_some_and(|own| {
                before.is_some_and(|(last, origin)| last.next() == index && origin == own)
            });
            line.times += if continues { 0 } else { count };
            line.executed += count;
            line.covered += usize::from(count > 0);
            line.used += 1;
            before = own.map(|own| (index, own));
        }
        let lines: Vec<LineProfile> = lines.into_values().collect();
        let sum = |part: fn(&LineProfile) -> usize| lines.iter().map(part).sum();
        Self {
            executed: lines.iter().map(|line| line.executed).sum(),
            covered: sum(|line| line.covered),
            used: sum(|line| line.used),
            lines,
        }
    }
}

/// Returns the share of `executed` in `all` in thousandths, rounded.
pub fn per_mille(executed: u64, all: u64) -> u64 {
    let (executed, all) = (u128::from(executed), u128::from(all.max(1)));
    ((executed * 2000 + all) / (2 * all)) as u64
}

#[cfg(test)]
mod tests {
    use gray1_isa::{Expansion, ExpansionKind, Op, SourceFile, SourceMap, Word};

    use super::*;

    #[test]
    fn sequences_count_each_of_their_instructions() {
        let mut counts = ExecutionCounts::default();
        counts.add(RomIndex::truncate(3), 2);
        counts.add(RomIndex::truncate(4), 1);
        counts.add(RomIndex::MAX, 2);
        let counts = counts.by_index();
        assert_eq!(counts[..6], [1, 0, 0, 1, 2, 0]);
        assert_eq!((counts[ROM_WORDS - 1], counts.iter().sum::<u64>()), (1, 5));
    }

    /// Line 1 calls a library macro with two instructions inside a repeat with two iterations. Line
    /// 2 is an instruction.
    #[test]
    fn the_cost_of_a_line_includes_its_expansions() {
        let file = |name: &str| SourceFile { name: name.into(), lines: vec!["a"; 2].into() };
        let place = |file, line| SourceLine { file, line };
        let repeat = |call| Expansion { kind: ExpansionKind::Repeat(0), call, parent: None };
        let of_macro = |parent| Expansion {
            kind: ExpansionKind::Macro("m".into()),
            call: place(0, 1),
            parent: Some(parent),
        };
        let expansions = vec![repeat(place(0, 1)), repeat(place(0, 1)), of_macro(0), of_macro(1)];
        let origin = |file, line, expansion| Some(Origin { place: place(file, line), expansion });
        let origins = vec![
            origin(1, 1, Some(2)),
            origin(1, 2, Some(2)),
            origin(1, 1, Some(3)),
            origin(1, 2, Some(3)),
            origin(0, 2, None),
        ];
        let map = SourceMap::new(vec![file("p"), file("lib")], expansions, origins).unwrap();
        let image = Image::from_words(&[Word::data(Op::Ld, gray1_isa::RamAddr::truncate(0)); 5])
            .unwrap()
            .with_source_map(map);
        let mut counts = vec![0; ROM_WORDS];
        counts[..5].copy_from_slice(&[10, 10, 5, 4, 0]);
        let profile = Profile::new(&image, &counts);
        assert_eq!((profile.executed, profile.covered, profile.used), (29, 4, 5));
        let lines: Vec<_> = profile
            .lines
            .iter()
            .map(|it| (it.place.unwrap().line, it.times, it.executed))
            .collect();
        assert_eq!(lines, [(1, 15, 29), (2, 0, 0)]);
        assert_eq!(per_mille(10, profile.executed), 345);
    }
}

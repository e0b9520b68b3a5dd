//! Where a program can go: jumps have constant targets, so this follows from its words.

use gray1_isa::{Indexes, Op, RomIndex, Word};
use gray1_sim::engine::Engine;

/// The ways from instruction to instruction, whatever the carry is.
#[derive(Debug, Clone)]
pub(super) struct ControlFlow {
    words: Vec<Word>,
    /// Where each instruction can come from.
    predecessors: Vec<Vec<RomIndex>>,
}

/// Where the program goes on after an instruction, without the jump of a `JC` and with it.
pub(super) fn ways(index: RomIndex, word: Word) -> [RomIndex; 2] {
    let way = |carry| if word.op().jumps(carry) { word.target() } else { index.next() };
    [way(false), way(true)]
}

impl ControlFlow {
    /// The program of an engine.
    pub(super) fn of(engine: &dyn Engine) -> Self {
        let words: Vec<Word> = RomIndex::all().map(|index| engine.word(index)).collect();
        let mut predecessors = vec![Vec::new(); words.len()];
        for (index, word) in RomIndex::all().zip(&words) {
            for way in ways(index, *word) {
                predecessors[way.to_usize()].push(index);
            }
        }
        Self { words, predecessors }
    }

    /// The instructions from which one of a set can be reached; these are among them.
    pub(super) fn reaching(&self, set: &Indexes) -> Indexes {
        self.before(set, 1)
    }

    /// The instructions from which every path comes to this one; it is one of them. A path that
    /// halts or goes on for ever elsewhere does not come to it.
    pub(super) fn bound_for(&self, index: RomIndex) -> Indexes {
        self.before(&Indexes::from_iter([index]), 2)
    }

    /// A set and what comes before it: instructions of whose two ways so many lead there.
    fn before(&self, set: &Indexes, ways_needed: u8) -> Indexes {
        let (mut all, mut ways) = (set.clone(), vec![0; self.words.len()]);
        let mut fresh: Vec<RomIndex> = set.iter().collect();
        while let Some(index) = fresh.pop() {
            for before in &self.predecessors[index.to_usize()] {
                ways[before.to_usize()] += 1;
                if ways[before.to_usize()] >= ways_needed && !all.contains(*before) {
                    all.insert(*before);
                    fresh.push(*before);
                }
            }
        }
        all
    }

    /// The instructions whose words satisfy a predicate.
    pub(super) fn instructions(&self, wanted: impl Fn(Word) -> bool) -> Indexes {
        let all = RomIndex::all().zip(&self.words);
        all.filter(|(_, word)| wanted(**word)).map(|(index, _)| index).collect()
    }

    /// The `JC`s that decide whether the program comes to an instruction, given those that are
    /// bound for it: without the jump, and with it. The way that is not taken does not lead there.
    pub(super) fn deciders(&self, bound_for: &Indexes) -> [Indexes; 2] {
        let jumps = self.instructions(|word| word.op() == Op::Jc);
        let other = |index: RomIndex, way| ways(index, self.words[index.to_usize()])[way];
        [1, 0].map(|way| {
            jumps.iter().filter(|index| !bound_for.contains(other(*index, way))).collect()
        })
    }
}

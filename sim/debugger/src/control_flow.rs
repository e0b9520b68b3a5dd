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

    /// The `JC`s that decide whether the program comes to an instruction: without the jump, and
    /// with it. From the way that is not taken, some path does not come to it: it halts, or goes on
    /// elsewhere for ever.
    pub(super) fn deciders(&self, index: RomIndex) -> [Indexes; 2] {
        let bound_for = self.before(&Indexes::from_iter([index]), 2);
        let jumps = || RomIndex::all().zip(&self.words).filter(|(_, word)| word.op() == Op::Jc);
        [1, 0].map(|other| {
            let decides = |(index, word)| !bound_for.contains(ways(index, word)[other]);
            jumps()
                .filter(|(index, word)| decides((*index, **word)))
                .map(|(index, _)| index)
                .collect()
        })
    }
}

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

impl ControlFlow {
    /// The program of an engine.
    pub(super) fn of(engine: &dyn Engine) -> Self {
        let words: Vec<Word> = RomIndex::all().map(|index| engine.word(index)).collect();
        let mut predecessors = vec![Vec::new(); words.len()];
        for (index, word) in RomIndex::all().zip(&words) {
            for next in word.successors(index).into_iter().flatten() {
                predecessors[next.to_usize()].push(index);
            }
        }
        Self { words, predecessors }
    }

    /// The instructions from which one of a set can be reached; these are among them.
    pub(super) fn reaching(&self, set: &Indexes) -> Indexes {
        self.before(set, |_| 1)
    }

    /// A set and the instructions before it, of whose successors enough are in the set.
    fn before(&self, set: &Indexes, enough: impl Fn(Word) -> u8) -> Indexes {
        let (mut all, mut counts) = (set.clone(), vec![0; self.words.len()]);
        let mut fresh: Vec<RomIndex> = set.iter().collect();
        while let Some(index) = fresh.pop() {
            for before in &self.predecessors[index.to_usize()] {
                let (word, count) = (self.words[before.to_usize()], &mut counts[before.to_usize()]);
                *count += 1;
                if *count >= enough(word) && !all.contains(*before) {
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
        let all_successors = |word: Word| if word.op() == Op::Jc { 2 } else { 1 };
        let bound_for = self.before(&Indexes::from_iter([index]), all_successors);
        let strays = |next: Option<RomIndex>| next.is_some_and(|next| !bound_for.contains(next));
        let jumps = || RomIndex::all().zip(&self.words).filter(|(_, word)| word.op() == Op::Jc);
        [1, 0].map(|other| {
            jumps()
                .filter(|(index, word)| strays(word.successors(*index)[other]))
                .map(|(index, _)| index)
                .collect()
        })
    }
}

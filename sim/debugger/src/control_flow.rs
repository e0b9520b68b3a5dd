//! The control flow of a program. Jumps have constant targets, so the instruction words alone
//! determine the control flow.

use gray1_isa::{Indexes, Op, RomIndex, Word};
use gray1_sim::engine::Engine;

/// The edges from instruction to instruction, for both values of the carry.
#[derive(Debug, Clone)]
pub(super) struct ControlFlow {
    words: Vec<Word>,
    /// The instructions that can come directly before each instruction.
    predecessors: Vec<Vec<RomIndex>>,
}

impl ControlFlow {
    /// Analyses the program of an engine.
    pub(super) fn new(engine: &dyn Engine) -> Self {
        let words: Vec<Word> = RomIndex::all().map(|index| engine.word(index)).collect();
        let mut predecessors = vec![Vec::new(); words.len()];
        for (index, word) in RomIndex::all().zip(&words) {
            for next in word.successors(index).into_iter().flatten() {
                predecessors[next.to_usize()].push(index);
            }
        }
        Self { words, predecessors }
    }

    /// Returns the instructions from which the program can reach an instruction of a set, including
    /// the set itself.
    pub(super) fn reaching(&self, set: &Indexes) -> Indexes {
        self.before(set, |_| 1)
    }

    /// Returns the set, extended by every instruction that has enough successors in it, until no
    /// more can be added. `enough` returns the required number of successors for an instruction
    /// word.
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

    /// Returns the `JC` instructions that decide whether the program reaches an instruction: those
    /// that must not jump, and those that must jump.
    ///
    /// If such a `JC` goes the other way, the program can miss the instruction, because it halts or
    /// loops elsewhere.
    pub(super) fn deciders(&self, index: RomIndex) -> [Indexes; 2] {
        let index = Indexes::from_iter([index]);
        let bound_for = self.before(&index, |word| if word.op() == Op::Jc { 2 } else { 1 });
        [1, 0].map(|other| {
            let jumps = RomIndex::all().zip(&self.words).filter(|(_, word)| word.op() == Op::Jc);
            let deciding = jumps.filter(|(index, word)| {
                word.successors(*index)[other].is_some_and(|next| !bound_for.contains(next))
            });
            deciding.map(|(index, _)| index).collect()
        })
    }
}

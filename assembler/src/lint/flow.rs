//! Control flow: the instructions that a program can reach, and where the carry C can come from
//! before each. All jumps name their targets, so the flow is known except for the outcome of a JC.

use std::collections::VecDeque;

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{Op, RomIndex, Word};

/// The possible origins of C at an instruction, as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Carry(u8);

impl Carry {
    /// C was never set since power-up.
    const NEVER_SET: Self = Self(1);
    /// An ADD or SHR set C to an unknown value.
    const SET: Self = Self(2);
    /// A JC did not jump, so C is 0.
    pub(super) const ZERO: Self = Self(4);
    /// A JC jumped, so C is 1.
    pub(super) const ONE: Self = Self(8);

    /// Returns true if C may still have its power-up value and no path sets it to an unknown value.
    pub(super) fn is_from_power_up(self) -> bool {
        self.0 & Self::NEVER_SET.0 != 0 && self.0 & Self::SET.0 == 0
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Facts about the instruction at each index.
#[derive(Debug)]
pub(super) struct Flow {
    carry: Vec<Carry>,
    /// The minimum number of instructions since C was set, over all paths.
    age: Vec<Option<u16>>,
}

impl Flow {
    /// Follows a program from index 0.
    pub(super) fn new(words: &[Word]) -> Self {
        let mut flow = Self { carry: vec![Carry::default(); ROM_WORDS], age: Vec::new() };
        flow.follow_carry(words);
        flow.age = flow.find_ages(words);
        flow
    }

    /// Returns true if the program can reach an index.
    pub(super) fn reaches(&self, index: usize) -> bool {
        self.carry[index] != Carry::default()
    }

    /// Returns the origins of C before the instruction at an index.
    pub(super) fn carry(&self, index: usize) -> Carry {
        self.carry[index]
    }

    /// Returns the minimum number of instructions between the one that set C and the one at an
    /// index.
    pub(super) fn age(&self, index: usize) -> Option<u16> {
        self.age[index]
    }

    /// Returns the indexes that can follow an instruction. A JC has two unless its outcome is
    /// known.
    pub(super) fn next(&self, words: &[Word], index: usize) -> impl Iterator<Item = usize> {
        let (word, carry) = (words[index], self.carry[index]);
        let is_open = word.op() != Op::Jc || ![Carry::ZERO, Carry::ONE].contains(&carry);
        let all = list_steps(word, index, carry);
        all.filter(move |(_, then)| is_open || *then == carry).map(|(next, _)| next)
    }

    /// Returns whether the program can come to each index from these indexes, without passing an
    /// index for which `ends` is true.
    pub(super) fn reach(
        &self,
        words: &[Word],
        mut waiting: Vec<usize>,
        ends: impl Fn(usize) -> bool,
    ) -> Vec<bool> {
        let mut reached = vec![false; ROM_WORDS];
        while let Some(index) = waiting.pop() {
            if !std::mem::replace(&mut reached[index], true) && !ends(index) {
                waiting.extend(self.next(words, index));
            }
        }
        reached
    }

    fn follow_carry(&mut self, words: &[Word]) {
        self.carry[0] = Carry::NEVER_SET;
        let mut waiting = VecDeque::from([0]);
        while let Some(index) = waiting.pop_front() {
            for (next, carry) in list_steps(words[index], index, self.carry[index]) {
                let joined = self.carry[next].with(carry);
                if joined != self.carry[next] {
                    self.carry[next] = joined;
                    waiting.push_back(next);
                }
            }
        }
    }

    /// Finds the ages by a breadth-first search from all instructions that set C.
    fn find_ages(&self, words: &[Word]) -> Vec<Option<u16>> {
        let mut ages = vec![None; ROM_WORDS];
        let mut waiting = VecDeque::new();
        let setters = (0..ROM_WORDS).filter(|&index| self.reaches(index) && sets_c(words[index]));
        for (next, _) in setters.flat_map(|index| list_steps(words[index], index, Carry::SET)) {
            ages[next] = Some(0);
            waiting.push_back(next);
        }
        while let Some(index) = waiting.pop_front() {
            if sets_c(words[index]) {
                continue;
            }
            for (next, _) in list_steps(words[index], index, Carry::SET) {
                if ages[next].is_none() {
                    ages[next] = ages[index].map(|age| age + 1);
                    waiting.push_back(next);
                }
            }
        }
        ages
    }
}

fn sets_c(word: Word) -> bool {
    matches!(word.op(), Op::Add | Op::Shr)
}

/// Returns the indexes that can follow an instruction, each with the origin of C there.
fn list_steps(word: Word, index: usize, carry: Carry) -> impl Iterator<Item = (usize, Carry)> {
    let origins = match word.op() {
        Op::Jc => [Carry::ZERO, Carry::ONE],
        _ if sets_c(word) => [Carry::SET; 2],
        _ => [carry; 2],
    };
    let successors = word.successors(RomIndex::truncate(index as u16)).into_iter().zip(origins);
    successors.filter_map(|(next, carry)| next.map(|next| (next.to_usize(), carry)))
}

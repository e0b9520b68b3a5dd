//! "Did you mean …?"

use std::cmp::Reverse;

use crate::diagnostic::Help;
use crate::source::Location;

/// The most work of all suggestions of a source, in pairs of letters compared.
const WORK_MAX: usize = 1 << 25;
/// The cost of a look at a candidate, in the same unit.
const LOOK: usize = 16;

/// Offers names that are close to what was written, as long as there is time for it.
#[derive(Debug)]
pub(crate) struct Suggestions {
    work_left: usize,
}

impl Default for Suggestions {
    fn default() -> Self {
        Self { work_left: WORK_MAX }
    }
}

impl Suggestions {
    /// Counts the work of looking at so many names in search of candidates.
    pub(crate) fn look_at(&mut self, names: usize) {
        self.work_left = self.work_left.saturating_sub(names * LOOK);
    }

    /// Help that offers the candidate that is most like the `word` in a place, if any is close.
    /// None once the work is used up: names can be thousands of letters long, and there can be
    /// thousands of them.
    pub(crate) fn nearest<'a>(
        &mut self,
        word: &str,
        at: Location,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<Help> {
        let candidates: Vec<&str> = candidates.take(self.work_left / LOOK + 1).collect();
        let close = candidates.iter().filter(|candidate| is_of_like_length(word, candidate));
        let compared: usize = close.map(|candidate| word.len() * candidate.len()).sum();
        let left = self.work_left.checked_sub(compared + candidates.len() * LOOK);
        self.work_left = left.unwrap_or(0);
        // All or none, so that the outcome does not depend on the order of the candidates.
        left.and_then(|_| nearest(word, at, candidates))
    }
}

/// Help that offers the candidate that is most like the `word` in a place, if any is close. For few
/// and short candidates; [`Suggestions`] bounds the work for others.
pub(crate) fn nearest<'a>(
    word: &str,
    at: Location,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Help> {
    let best = candidates
        .into_iter()
        .filter_map(|candidate| {
            // Of two that are equally close, rather the one that starts alike (slips come late in a
            // word), then the one with a letter wrong than missing.
            let distance = distance(word, candidate)?;
            let missing = word.len().abs_diff(candidate.len());
            Some((distance, Reverse(common_start(word, candidate)), missing, candidate))
        })
        .min()?;
    Some(Help::did_you_mean(word, at, best.3))
}

/// The number of letters that two words share from the first one on, whatever their case.
fn common_start(word: &str, candidate: &str) -> usize {
    let pairs = word.bytes().zip(candidate.bytes());
    pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

/// The number of letters that may differ: one slip in three letters, as rustc has it; a word of two
/// letters may have one.
fn allowed(word: &str, candidate: &str) -> usize {
    word.len().max(candidate.len()).max(3) / 3
}

/// Words whose lengths differ by more cannot be close: most need no further look.
fn is_of_like_length(word: &str, candidate: &str) -> bool {
    word.len().abs_diff(candidate.len()) <= allowed(word, candidate)
}

/// The number of letters that differ; `None` if too many for a slip of the finger.
fn distance(word: &str, candidate: &str) -> Option<usize> {
    if !is_of_like_length(word, candidate) || word == candidate {
        return None;
    }
    if word.eq_ignore_ascii_case(candidate) {
        return Some(0);
    }
    let distance = strsim::osa_distance(&word.to_lowercase(), &candidate.to_lowercase());
    // Two names of one letter are one slip apart and have nothing in common.
    let is_close = distance <= allowed(word, candidate) && distance < word.len();
    is_close.then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_names_are_looked_at_than_there_is_work_left_for() {
        let ask = |looked: usize, names: usize| {
            let mut suggestions = Suggestions { work_left: 100 * LOOK + 9 };
            suggestions.look_at(looked);
            let mut taken = 0;
            let others = std::iter::repeat_n("a", names - 1).inspect(|_| taken += 1);
            let candidates = others.chain(["xyy"]);
            (suggestions.nearest("xyz", Location::START, candidates).is_some(), taken)
        };
        assert_eq!(ask(0, 100), (true, 99));
        assert_eq!(ask(0, 101), (false, 100));
        assert_eq!(ask(0, 1000), (false, 101));
        assert_eq!(ask(60, 41), (false, 40));
    }
}

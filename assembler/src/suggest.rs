//! Finds similar names for "did you mean …?".

use gray1_language::{find_nearest, is_of_similar_length};

use crate::diagnostic::Help;
use crate::source::Location;

/// The maximum work for all suggestions of a source, measured in compared pairs of letters.
const WORK_MAX: usize = 1 << 25;
/// The cost of considering a candidate, in the same unit.
const CANDIDATE_WORK: usize = 16;

/// Suggests names that are similar to a misspelled one, within a limit of work.
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
    /// Counts the work of considering this many names.
    pub(crate) fn charge(&mut self, names: usize) {
        self.work_left = self.work_left.saturating_sub(names * CANDIDATE_WORK);
    }

    /// Returns help with the candidate that is most similar to `word`, if one is similar enough.
    /// Returns `None` once the limit of work is reached, because a source can contain thousands of
    /// names with thousands of letters.
    pub(crate) fn nearest<'a>(
        &mut self,
        word: &str,
        at: Location,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<Help> {
        let candidates: Vec<&str> = candidates.take(self.work_left / CANDIDATE_WORK + 1).collect();
        let close = candidates.iter().filter(|candidate| is_of_similar_length(word, candidate));
        let compared: usize = close.map(|candidate| word.len() * candidate.len()).sum();
        let left = self.work_left.checked_sub(compared + candidates.len() * CANDIDATE_WORK);
        self.work_left = left.unwrap_or(0);
        // Compare all candidates or none, so that their order does not matter.
        left.and_then(|_| nearest(word, at, candidates))
    }
}

/// Returns help with the candidate that is most similar to `word`, if one is similar enough. Use it
/// for few and short candidates, because [`Suggestions`] limits the work but this does not.
pub(crate) fn nearest<'a>(
    word: &str,
    at: Location,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Help> {
    find_nearest(word, candidates).map(|near| Help::did_you_mean(word, at, near))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_stop_at_the_limit_of_work() {
        let ask = |charged: usize, names: usize| {
            let mut suggestions = Suggestions { work_left: 100 * CANDIDATE_WORK + 9 };
            suggestions.charge(charged);
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

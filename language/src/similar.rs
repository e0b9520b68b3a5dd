//! Finds the known name that a misspelled one is most similar to.

use std::cmp::Reverse;

/// Returns the candidate that is most similar to `word`, if one is similar enough.
pub fn find_nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let best = candidates
        .into_iter()
        .filter_map(|candidate| {
            // Among equally close candidates, prefer a common start, since typos come late in a
            // word. Then prefer one with a wrong letter to one with a missing letter.
            let distance = distance(word, candidate)?;
            let missing = word.len().abs_diff(candidate.len());
            Some((distance, Reverse(common_prefix_length(word, candidate)), missing, candidate))
        })
        .min()?;
    Some(best.3)
}

/// Returns the question of a message with a similar name.
pub fn did_you_mean(near: &str) -> String {
    format!("did you mean `{near}`?")
}

/// Returns the end of a message about an unknown name: the same question, if a name is similar.
pub fn suggest(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; {}", did_you_mean(near)))
}

/// Returns the number of leading letters that two words share, ignoring case.
fn common_prefix_length(word: &str, candidate: &str) -> usize {
    word.bytes().zip(candidate.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

/// Returns the number of letters that may differ: one in three, like rustc, but also one in a word
/// of two letters.
fn max_distance(word: &str, candidate: &str) -> usize {
    word.len().max(candidate.len()).max(3) / 3
}

/// Returns false if the lengths differ too much for the words to be similar. This is a cheap test.
pub fn is_of_similar_length(word: &str, candidate: &str) -> bool {
    word.len().abs_diff(candidate.len()) <= max_distance(word, candidate)
}

/// Returns the number of letters that differ, or `None` if there are too many for a typo.
fn distance(word: &str, candidate: &str) -> Option<usize> {
    if !is_of_similar_length(word, candidate) || word == candidate {
        return None;
    }
    if word.eq_ignore_ascii_case(candidate) {
        return Some(0);
    }
    let distance = strsim::osa_distance(&word.to_lowercase(), &candidate.to_lowercase());
    // Different one-letter names are one typo apart, but have nothing in common.
    let is_close = distance <= max_distance(word, candidate) && distance < word.len();
    is_close.then_some(distance)
}

//! "Did you mean …?"

use std::cmp::Reverse;

/// Help that offers the candidate that is most like `word`, if any is close.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
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
    Some(format!("did you mean `{}`?", best.3))
}

/// How many letters two words share from the first one on, whatever their case.
fn common_start(word: &str, candidate: &str) -> usize {
    let pairs = word.bytes().zip(candidate.bytes());
    pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

/// How many letters differ; `None` if too many for a slip of the finger.
fn distance(word: &str, candidate: &str) -> Option<usize> {
    // One slip in three letters, as rustc has it; a word of two letters may have one.
    let allowed = word.len().max(candidate.len()).max(3) / 3;
    // Words whose lengths differ by more cannot be that close: most need no further look.
    if word.len().abs_diff(candidate.len()) > allowed || word == candidate {
        return None;
    }
    if word.eq_ignore_ascii_case(candidate) {
        return Some(0);
    }
    let distance = strsim::osa_distance(&word.to_lowercase(), &candidate.to_lowercase());
    (distance <= allowed).then_some(distance)
}

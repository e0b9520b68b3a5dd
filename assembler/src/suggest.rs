//! "Did you mean …?"

/// Help that offers the candidate that is most like `word`, if any is close.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let best = candidates
        .into_iter()
        .filter_map(|candidate| {
            // Of two that are equally close, rather the one with a letter wrong than missing.
            let missing = word.len().abs_diff(candidate.len());
            distance(word, candidate).map(|distance| (distance, missing, candidate))
        })
        .min()?;
    Some(format!("did you mean `{}`?", best.2))
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

//! Suggestions for mistyped words.

/// Returns the known word that is most similar to a mistyped one, if one is similar enough.
pub fn find_nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |name: &&str| strsim::damerau_levenshtein(word, name);
    let is_close = |distance: usize, name: &str| distance * 3 <= name.len().max(3);
    // Words can be long, so compare only those with a similar length.
    let of_similar_length = known.filter(|name| is_close(name.len().abs_diff(word.len()), name));
    of_similar_length.filter(|name| is_close(distance(name), name)).min_by_key(distance)
}

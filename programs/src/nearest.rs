//! Suggestions for mistyped words.

/// The known word that is most similar to a mistyped one, if one is similar enough.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |name: &&str| strsim::damerau_levenshtein(word, name);
    let is_close = |distance: usize, name: &str| distance * 3 <= name.len().max(3);
    // A word may be long: it is compared only with those that it can be close to.
    let of_like_length = known.filter(|name| is_close(name.len().abs_diff(word.len()), name));
    of_like_length.filter(|name| is_close(distance(name), name)).min_by_key(distance)
}

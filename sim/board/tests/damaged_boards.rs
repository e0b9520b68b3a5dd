//! Descriptions of boards that someone has damaged: each is taken or refused, none is too much.
//!
//! `GRAY1_FUZZ_CASES` says how many to try; a million take some minutes in release.

use std::cell::Cell;

use gray1_board::{Board, Parts};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed, TestRunner};

const BOARDS: [&str; 2] =
    [include_str!("../../../roms/gray1.ron"), include_str!("../../../roms/binary-counter.ron")];

/// Words that mean something in a description, beside those that stand in it already.
const WORDS: [&str; 14] = [
    "(",
    ")",
    "[",
    "]",
    ",",
    "\"\"",
    "0",
    "-1",
    "99999999999999999999",
    "255",
    "None",
    "Some(",
    "File(\"rom.bin\")",
    "/*",
];

/// One thing that went wrong. Places are words of the description.
#[derive(Debug, Clone)]
enum Damage {
    /// Words are lost.
    Lost { at: Index, count: usize },
    /// Words come twice.
    Doubled { at: Index, count: usize },
    /// Another word of the description stands there.
    Mistaken { at: Index, for_word_at: Index },
    /// One of [`WORDS`] stands there.
    Replaced { at: Index, by: usize },
    /// Two words change places.
    Swapped { at: Index, with: Index },
    /// Something is typed into a word.
    Typed { at: Index, text: String },
    /// The rest is missing.
    Torn { at: Index },
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        (at(), 1..40_usize).prop_map(|(at, count)| Damage::Lost { at, count }),
        (at(), 1..400_usize).prop_map(|(at, count)| Damage::Doubled { at, count }),
        (at(), at()).prop_map(|(at, for_word_at)| Damage::Mistaken { at, for_word_at }),
        (at(), 0..WORDS.len()).prop_map(|(at, by)| Damage::Replaced { at, by }),
        (at(), at()).prop_map(|(at, with)| Damage::Swapped { at, with }),
        (at(), ".{1,3}").prop_map(|(at, text)| Damage::Typed { at, text }),
        at().prop_map(|at| Damage::Torn { at }),
    ]
}

/// A description as words, numbers, marks and blanks.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        let goes_on = |word: &String| word.ends_with(char::is_alphanumeric) && c.is_alphanumeric();
        match words.last_mut() {
            Some(word) if goes_on(word) => word.push(c),
            _ => words.push(c.into()),
        }
    }
    words
}

fn inflict(damage: &Damage, words: &mut Vec<String>) {
    if words.is_empty() {
        return;
    }
    let length = words.len();
    let stretch = |at: &Index, count: usize| {
        let at = at.index(length);
        at..length.min(at + count)
    };
    match damage {
        Damage::Lost { at, count } => drop(words.drain(stretch(at, *count))),
        Damage::Doubled { at, count } => {
            let again = words[stretch(at, *count)].to_vec();
            words.splice(at.index(length)..at.index(length), again);
        }
        Damage::Mistaken { at, for_word_at } => {
            words[at.index(length)] = words[for_word_at.index(length)].clone();
        }
        Damage::Replaced { at, by } => words[at.index(length)] = WORDS[*by].into(),
        Damage::Swapped { at, with } => words.swap(at.index(length), with.index(length)),
        Damage::Typed { at, text } => words[at.index(length)].push_str(text),
        Damage::Torn { at } => words.truncate(at.index(length)),
    }
}

#[test]
fn a_damaged_board_is_taken_or_refused_with_one_line() {
    let cases = std::env::var("GRAY1_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = cases.unwrap_or(3_000);
    let boards = BOARDS.map(words);
    let parts = Parts::load(include_str!("../../../roms/parts.ron")).unwrap();
    let seed = RngSeed::Fixed(1);
    let config = Config { cases, rng_seed: seed, failure_persistence: None, ..Config::default() };
    let damaged = (0..BOARDS.len(), prop::collection::vec(damage(), 1..4));
    let (taken, refused) = (Cell::new(0), Cell::new(0));
    let result = TestRunner::new(config).run(&damaged, |(board, damages)| {
        let mut words = boards[board].clone();
        for damage in &damages {
            inflict(damage, &mut words);
        }
        let text = words.concat();
        match Board::load(&text, &parts, |_| Ok(vec![0xff; 256])) {
            Ok(_) => taken.set(taken.get() + 1),
            Err(error) => {
                refused.set(refused.get() + 1);
                let message = error.to_string();
                prop_assert!(!message.is_empty() && !message.contains('\n'), "{message}");
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    // Comments, titles and numbers of parts may change; most else may not.
    let (taken, refused) = (taken.get(), refused.get());
    assert!(taken > 0 && refused > taken, "{taken} taken, {refused} refused");
}

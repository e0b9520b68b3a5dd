//! Tests that the parser reads directives as their table describes them, and that it reports every
//! line that it cannot use.

use std::path::Path;

use gray1_language::Lexer;
use proptest::prelude::*;

use super::parser::Parser;
use crate::directives::DIRECTIVES;
use crate::names::Names;
use crate::source::FileId;

/// Parses a line. Returns its messages, and whether all of it is usable.
fn read(text: &str) -> (Vec<String>, bool) {
    let mut names = Names::default();
    let mut parser = Parser::new(FileId::ROOT, &mut names);
    let tokens: Vec<_> = Lexer::new(text).collect();
    let line = parser.parse_line(0, text, &tokens);
    let messages = parser.diagnostics.into_iter().map(|diagnostic| diagnostic.message);
    (messages.collect(), !line.is_lost && line.loose.is_empty())
}

/// Returns the number of syntax errors among these messages.
fn count_syntax_errors(messages: &[String]) -> usize {
    messages.iter().filter(|message| message.contains(", found `")).count()
}

#[test]
fn directives_are_read_as_their_usage_says() {
    for directive in &DIRECTIVES {
        let usage = directive.word.usage.replace(", …", "");
        for line in [usage.clone(), format!("a: b{{1}}:{}", usage.to_uppercase()), usage + " ; c"] {
            let (messages, _) = read(&line);
            assert_eq!(count_syntax_errors(&messages), 0, "{line}: {messages:?}");
        }
        let (messages, _) = read(&format!("{} ]", directive.name()));
        assert_eq!(count_syntax_errors(&messages), 1, "{}: {messages:?}", directive.name());
    }
}

/// Returns the lines of `tests/sources/`.
fn lines() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.map(|path| std::fs::read_to_string(path).unwrap());
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn an_unusable_line_has_an_error(
        line in prop::sample::select(lines()),
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0..30_usize), 0..4),
    ) {
        let mut characters: Vec<char> = line.chars().collect();
        for (at, what) in damages {
            let at = at.index(characters.len() + 1);
            match "{}()[]\"'\\;:,?=#@.$-<>é0x ".chars().nth(what) {
                Some(c) => characters.insert(at, c),
                None if at < characters.len() => drop(characters.remove(at)),
                None => {}
            }
        }
        let line: String = characters.into_iter().collect();
        let (messages, is_usable) = read(&line);
        prop_assert!(is_usable || !messages.is_empty(), "{line}");
        prop_assert!(count_syntax_errors(&messages) <= 1, "{line}: {messages:?}");
    }
}

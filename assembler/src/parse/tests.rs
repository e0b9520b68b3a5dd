//! Tests that the lexer and the grammar agree about the tokens of everything the grammar accepts.

use std::path::Path;

use gray1_language::{Lexer, Piece, Token, TokenKind, split_pieces};
use proptest::prelude::*;

use super::grammar::{Match, Parts, Rule, read};
use super::guard;
use super::line::rule_for;
use super::parser::Parser;
use crate::directives::DIRECTIVES;
use crate::names::Names;
use crate::source::FileId;

/// The kind, position and spelling of a token.
type Leaf = (TokenKind, usize, String);

/// Collects the tokens of a grammar match. Brackets and separators have none.
fn collect_leaves(matched: Match<'_>, found: &mut Vec<Leaf>) {
    let kind = match matched.as_rule() {
        Rule::name | Rule::assigned | Rule::plain_name | Rule::function => Some(TokenKind::Name),
        Rule::number => Some(TokenKind::Number),
        Rule::string => Some(TokenKind::Text),
        Rule::character => Some(TokenKind::Character),
        Rule::directive => Some(TokenKind::Directive),
        Rule::comment => Some(TokenKind::Comment),
        Rule::unary | Rule::binary | Rule::equals | Rule::arrow | Rule::here | Rule::pooled => {
            Some(TokenKind::Symbol)
        }
        _ => None,
    };
    let (start, text) = (matched.as_span().start(), matched.as_str().to_owned());
    found.extend(kind.map(|kind| (kind, start, text)));
    for part in Parts::new(matched) {
        collect_leaves(part, found);
    }
}

/// Collects the lexer's tokens in the same form. Tokens in the braces of a name follow the name.
fn leaves(text: &str, base: usize) -> Vec<Leaf> {
    const NAMELESS: [&str; 6] = ["(", ")", ",", ":", "?", ""];
    let mut found = Vec::new();
    for Token { kind, start, text } in Lexer::new(text) {
        if kind == TokenKind::Symbol && NAMELESS.contains(&text) {
            continue;
        }
        found.push((kind, base + start, text.to_owned()));
        if kind == TokenKind::Name {
            for piece in split_pieces(text) {
                if let Piece::Hole { start: inner, text } = piece {
                    found.extend(leaves(text, base + start + inner));
                }
            }
        }
    }
    found
}

/// Compares the tokens if the grammar accepts the source. Returns whether it does.
fn agree(text: &str) -> bool {
    let tokens: Vec<Token<'_>> = Lexer::new(text).collect();
    let (rule, _) = rule_for(&tokens);
    if rule == Rule::unknown || guard::check(&tokens).is_err() {
        return false;
    }
    let Ok(parts) = read(rule, text) else { return false };
    let mut found = Vec::new();
    for part in parts {
        collect_leaves(part, &mut found);
    }
    assert_eq!(found, leaves(text, 0), "{text}");
    true
}

/// Returns the lines of `tests/sources/`.
fn lines() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.map(|path| std::fs::read_to_string(path).unwrap());
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn lines_have_the_tokens_of_the_grammar() {
    let lines = lines();
    let well_formed = lines.iter().filter(|line| agree(line)).count();
    assert!(well_formed * 10 > lines.len() * 8, "{well_formed} of {} lines", lines.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn damaged_lines_have_the_tokens_of_the_grammar(
        line in prop::sample::select(lines()),
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0..30_usize), 1..4),
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
        agree(&characters.into_iter().collect::<String>());
    }
}

#[test]
fn the_grammar_reads_every_directive_as_its_usage_says() {
    for directive in &DIRECTIVES {
        let usage = directive.word.usage.replace(", …", "");
        for line in [usage.clone(), format!("a: b{{1}}:{}", usage.to_uppercase()), usage + " ; c"] {
            assert!(agree(&line), "{line}");
        }
        let tokens: Vec<Token<'_>> = Lexer::new(directive.name()).collect();
        let mut names = Names::default();
        let mut parser = Parser::new(FileId::ROOT, &mut names);
        parser.apply_grammar(&format!("{} ]", directive.name()), &tokens);
        assert_eq!(parser.diagnostics.len(), 1, "{}", directive.name());
    }
}

//! The lexer beside the grammar: whatever the grammar makes of a text, its tokens are the lexer's.

use gray1_language::{Lexer, Piece, Token, TokenKind, pieces};
use proptest::prelude::*;

use super::grammar::{Match, Parts, Rule, read};
use super::guard;
use super::line::rule_for;
use super::parser::Parser;
use crate::directives::DIRECTIVES;
use crate::names::Names;
use crate::source::FileId;

/// A token by kind, place and text.
type Leaf = (TokenKind, usize, String);

/// The tokens that the grammar gives a name; brackets and separators have none.
fn leaves_of(matched: Match<'_>, found: &mut Vec<Leaf>) {
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
    for part in Parts::of(matched) {
        leaves_of(part, found);
    }
}

/// The same as the lexer tells them, those in braces behind the name that they are in.
fn leaves(text: &str, base: usize) -> Vec<Leaf> {
    const NAMELESS: [&str; 6] = ["(", ")", ",", ":", "?", ""];
    let mut found = Vec::new();
    for Token { kind, start, text } in Lexer::new(text) {
        if kind == TokenKind::Symbol && NAMELESS.contains(&text) {
            continue;
        }
        found.push((kind, base + start, text.to_owned()));
        if kind == TokenKind::Name {
            for piece in pieces(text) {
                if let Piece::Hole { start: inner, text } = piece {
                    found.extend(leaves(text, base + start + inner));
                }
            }
        }
    }
    found
}

/// Compares the tokens of a text if the grammar accepts it; says whether it does.
fn agree(text: &str) -> bool {
    let tokens: Vec<Token<'_>> = Lexer::new(text).collect();
    let prefix = if guard::check(&tokens).is_ok() { text } else { guard::harmless_prefix(text) };
    let mut salvaged = Vec::new();
    for part in read(Rule::salvage, prefix).unwrap() {
        leaves_of(part, &mut salvaged);
    }
    assert!(leaves(prefix, 0).starts_with(&salvaged), "{prefix}: {salvaged:?}");
    let (rule, _) = rule_for(&tokens);
    if rule == Rule::unknown || prefix != text {
        return false;
    }
    let Ok(parts) = read(rule, text) else { return false };
    let mut found = Vec::new();
    for part in parts {
        leaves_of(part, &mut found);
    }
    assert_eq!(found, leaves(text, 0), "{text}");
    true
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["", "", " ", "\t", "  "][..])
}

fn plain_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["x", "row_1", "_", "LD", "lo", "B0x1"][..])
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(
        &["x", "@y", "5", "0X1_f", "9z", "$", "'a'", r"'\''", "';'", r#""t;\"}""#, "LD"][..],
    );
    let binary = prop::sample::select(
        &[
            "||", "&&", "==", "!=", "<<", ">>", "<=", ">=", "<", ">", "|", "&", "^", "+", "-", "*",
            "/", "%",
        ][..],
    );
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 3, move |inner| {
        let operation = (inner.clone(), blank(), binary.clone(), blank(), inner.clone());
        let conditional = (inner.clone(), blank(), inner.clone(), blank(), inner.clone());
        prop_oneof![
            (operation).prop_map(|(a, x, operator, y, b)| format!("{a}{x}{operator}{y}{b}")),
            (conditional).prop_map(|(a, x, b, y, c)| format!("{a}{x}?{y}{b}{x}:{y}{c}")),
            (prop::sample::select(&["-", "~", "!", "- "][..]), inner.clone())
                .prop_map(|(prefix, a)| format!("{prefix}{a}")),
            (blank(), inner.clone()).prop_map(|(x, a)| format!("({x}{a})")),
            (plain_name(), blank(), prop::collection::vec(inner.clone(), 0..3))
                .prop_map(|(f, x, arguments)| format!("{f}{x}({})", arguments.join(","))),
            (plain_name(), blank(), inner.clone(), inner)
                .prop_map(|(name, x, a, b)| format!("@{name}{{{x}{a}}}_1{{{b}}}")),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    let built = (plain_name(), expression()).prop_map(|(name, hole)| format!("{name}{{{hole}}}"));
    prop_oneof![3 => plain_name().prop_map(str::to_owned), 1 => built]
}

fn statement() -> impl Strategy<Value = String> {
    let parts = (name(), expression(), expression(), plain_name(), blank(), 0..18_usize);
    parts.prop_map(|(name, a, b, plain, x, shape)| match shape {
        0 => format!("{name}{x}={x}{a}"),
        1 => format!("{name}\t{a}"),
        2 => format!("{name} {a}{x},{x}{plain}{x}= {b}"),
        3 => format!("{name} #{x}{a}"),
        4 => format!(".WORD {a}"),
        5 => format!(".if {a}"),
        6 => ".endmacro".to_owned(),
        7 => format!(".var {name}{x},{b}"),
        8 => format!(".macro {name} {plain}{x}={x}{a}, q"),
        9 => format!(".function {plain}{x}({plain},{x}q){x}={a}"),
        10 => format!(".routine {name}({plain}){x}->{x}r"),
        11 => format!(".call {name}{x}({a}{x},{b})"),
        12 => format!(".repeat {a}{x},{plain}"),
        13 => format!(".assert {a},\"{plain};\\\"\""),
        14 => ".include\"lib/std.asm\"".to_owned(),
        15 => format!(".allow {plain}{x},unused"),
        16 => format!(".struct {name}"),
        _ => String::new(),
    })
}

fn line() -> impl Strategy<Value = String> {
    let comment = prop::sample::select(&["", "", ";", " ; c ; \"d", "\t;;'é"][..]);
    let labels = prop::collection::vec(name(), 0..3);
    (blank(), labels, blank(), statement(), comment).prop_map(
        |(x, labels, y, statement, comment)| {
            let labels: Vec<String> =
                labels.iter().map(|label| format!("{x}{label}{y}:")).collect();
            let labels = labels.concat();
            format!("{labels}{x}{statement}{comment}")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn well_formed_lines_have_the_tokens_of_the_grammar(line in line()) {
        prop_assert!(agree(&line), "{} is refused", line);
    }

    #[test]
    fn damaged_lines_have_the_tokens_of_the_grammar(
        line in line(),
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
        parser.by_grammar(&format!("{} ]", directive.name()), &tokens);
        assert_eq!(parser.diagnostics.len(), 1, "{}", directive.name());
    }
}

//! Describes in words what the grammar expected at a syntax error.

use std::ops::Range;

use gray1_language::Lexer;
use pest::error::{Error, ErrorVariant, InputLocation};

use super::grammar::Rule;
use crate::problem::Problem;

/// Returns the place and the message of a syntax error.
pub(super) fn explain(error: &Error<Rule>, text: &str) -> (Range<usize>, Problem) {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let positives = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
        ErrorVariant::CustomError { .. } => &[],
    };
    let (length, found) = describe_token(&text[at..]);
    (at..at + length, Problem::Expected { expected: list_expected(positives), found })
}

/// Returns the length and the description of the token at the start of `rest`.
fn describe_token(rest: &str) -> (usize, String) {
    let Some(token) = Lexer::new(rest).next() else {
        return (0, "the end of the line".to_owned());
    };
    let length = token.text.len();
    (length, format!("`{}`", &rest[..length]))
}

/// Describes the rules that could have matched, as a list of terms that users know.
fn list_expected(rules: &[Rule]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in rules.iter().filter_map(|&rule| describe(rule)) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if words.contains(&"a value") {
        // Names and strings are values as well.
        words.retain(|word| !matches!(*word, "a name" | "a string in quotes"));
    }
    if let Some(at) = words.iter().position(|word| *word == "the end of the line") {
        words[at..].rotate_left(1);
    }
    match words.split_last() {
        None if rules.contains(&Rule::equals) => "`=`".to_owned(),
        None => "something else".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// Describes a rule. Returns `None` for a rule that would only make the list longer.
fn describe(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::expression
        | Rule::number
        | Rule::group
        | Rule::call
        | Rule::function
        | Rule::here
        | Rule::character
        | Rule::unary
        | Rule::pooled
        | Rule::argument => "a value",
        Rule::name | Rule::text | Rule::assigned | Rule::plain_name | Rule::parameter => "a name",
        Rule::open => "`(`",
        Rule::arrow => "`->`",
        Rule::string => "a string in quotes",
        Rule::binary => "an operator",
        Rule::EOI => "the end of the line",
        Rule::line | Rule::label | Rule::invocation => "an instruction",
        _ => return None,
    })
}

//! Error messages for documents in Rusty Object Notation (test files, lessons, courses). They are
//! for readers who do not know that notation.

use gray1_asm::{did_you_mean, find_nearest};
use ron::Error;

/// Returns the message for an error, without its position.
pub(super) fn describe_error(error: &Error) -> String {
    match error {
        Error::NoSuchEnumVariant { expected, found, .. } => unknown("name", found, expected),
        Error::NoSuchStructField { expected, found, .. } => unknown("field", found, expected),
        Error::MissingStructField { field, .. } => format!("the field `{field}` is missing"),
        Error::DuplicateStructField { field, .. } => format!("the field `{field}` is given twice"),
        Error::ExpectedDifferentStructName { expected, found } => {
            format!("expected `{expected}`, found `{found}`")
        }
        Error::ExpectedNamedStructLike(name) if !name.is_empty() => {
            format!("expected `{name}(`")
        }
        Error::InvalidValueForType { expected, .. } if expected.starts_with("a nonzero") => {
            "expected a number from 1".to_owned()
        }
        Error::InvalidValueForType { expected, found } => {
            format!("expected {expected}, found {found}")
        }
        Error::ExpectedDifferentLength { expected, found } => {
            format!("expected {expected}, found {found} values")
        }
        Error::ExpectedString => "expected a string in double quotes".to_owned(),
        Error::ExpectedStringEnd => "the string has no closing quote".to_owned(),
        Error::ExpectedInteger => "expected a whole number".to_owned(),
        Error::IntegerOutOfBounds => "this number is out of range".to_owned(),
        Error::ExpectedArray => "expected `[`".to_owned(),
        Error::ExpectedArrayEnd => "expected `,` or the closing `]`".to_owned(),
        Error::ExpectedStructLike => "expected `(`".to_owned(),
        Error::ExpectedStructLikeEnd => "expected `,` or the closing `)`".to_owned(),
        Error::ExpectedComma => "expected `,` or a closing bracket".to_owned(),
        Error::ExpectedMapColon => "expected `:` after the name of a field".to_owned(),
        Error::ExpectedIdentifier => "expected a name".to_owned(),
        Error::Eof => "the file ends too early: a closing bracket is missing".to_owned(),
        Error::TrailingCharacters => "unexpected text after the closing bracket".to_owned(),
        Error::UnclosedBlockComment => "this comment is not closed".to_owned(),
        Error::UnexpectedChar(c) => format!("unexpected {c:?}"),
        other => other.to_string(),
    }
}

/// Returns the message for an unknown name, with the most similar known name or all known names.
fn unknown(what: &str, found: &str, known: &[&str]) -> String {
    let found = found.escape_debug();
    match find_nearest(&found.to_string(), known.iter().copied()) {
        Some(near) => format!("unknown {what} `{found}`; {}", did_you_mean(near)),
        None => format!("unknown {what} `{found}`; known are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "the fields only serve to cause errors")]
    struct Case {
        name: String,
        steps: Vec<Step>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "the fields only serve to cause errors")]
    enum Step {
        Halts,
        Run(u8),
    }

    #[test]
    fn messages_do_not_use_terms_of_the_notation() {
        for (text, expected) in [
            ("(name: \"a\", steps: [Halt])", "unknown name `Halt`; did you mean `Halts`?"),
            ("(name: \"a\", steps: [Fly])", "unknown name `Fly`; known are Halts, Run"),
            ("(nam: \"a\")", "unknown field `nam`; did you mean `name`?"),
            ("(name: \"a\")", "the field `steps` is missing"),
            ("(name: \"a\", name: \"b\")", "the field `name` is given twice"),
            ("(name: 7)", "expected a string in double quotes"),
            ("(name: \"a", "the string has no closing quote"),
            ("(name: \"a\", steps: [Run(300)])", "this number is out of range"),
            ("(name: \"a\", steps: [Run(x)])", "expected a whole number"),
            ("(name: \"a\", steps: Halts)", "expected `[`"),
            ("(name: \"a\", steps: [Halts Halts])", "expected `,` or a closing bracket"),
            ("(name: \"a\" steps: [])", "expected `,` or a closing bracket"),
            ("(name \"a\")", "expected `:` after the name of a field"),
            ("(name: \"a\", steps: [])x", "unexpected text after the closing bracket"),
            ("(name: \"a\", steps: [] /*", "this comment is not closed"),
        ] {
            assert_eq!(
                describe_error(&ron::from_str::<Case>(text).unwrap_err().code),
                expected,
                "{text}"
            );
        }
    }
}

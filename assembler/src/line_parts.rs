//! Splits the tokens of a line, well formed or not, into labels, statement and comment.

use gray1_language::{Token, TokenKind};

/// The tokens of a line, split into its parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineParts<'t, 'a> {
    /// Alternating names and colons.
    labels: &'t [Token<'a>],
    pub(crate) statement: &'t [Token<'a>],
    pub(crate) comment: Option<&'t Token<'a>>,
}

impl<'t, 'a> LineParts<'t, 'a> {
    /// Splits the tokens of a line.
    pub(crate) fn new(tokens: &'t [Token<'a>]) -> Self {
        let (code, comment) = match tokens {
            [code @ .., last] if last.kind == TokenKind::Comment => (code, Some(last)),
            code => (code, None),
        };
        let pairs = code.chunks_exact(2);
        let labels = pairs.take_while(|it| it[0].kind == TokenKind::Name && it[1].is(":"));
        let (labels, statement) = code.split_at(2 * labels.count());
        Self { labels, statement, comment }
    }

    /// Returns the names of the labels.
    pub(crate) fn labels(&self) -> impl Iterator<Item = &'t Token<'a>> + use<'t, 'a> {
        self.labels.iter().step_by(2)
    }

    /// Returns true if there are no labels and no statement.
    pub(crate) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.statement.is_empty()
    }

    /// Returns the directive at the start of the statement.
    pub(crate) fn directive(&self) -> Option<&'t Token<'a>> {
        self.statement.first().filter(|token| token.kind == TokenKind::Directive)
    }
}

/// Splits tokens at the commas outside brackets.
pub(crate) fn split_arguments<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let mut arguments = Vec::new();
    let (mut start, mut depth) = (0, 0_u32);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                arguments.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(&tokens[start..]);
    arguments
}

#[cfg(test)]
mod tests {
    use gray1_language::Lexer;

    use super::*;

    #[test]
    fn a_line_has_labels_a_statement_and_a_comment() {
        for (line, labels, statement, comment) in [
            ("a: b{1}: LD x ; c", &["a", "b{1}"][..], &["LD", "x"][..], Some("; c")),
            ("a:", &["a"], &[], None),
            ("a ? b : c", &[], &["a", "?", "b", ":", "c"], None),
            ("a : 5 : x", &["a"], &["5", ":", "x"], None),
            (";", &[], &[], Some(";")),
            ("", &[], &[], None),
        ] {
            let tokens: Vec<_> = Lexer::new(line).collect();
            let parts = LineParts::new(&tokens);
            let texts = |tokens: &[Token<'_>]| -> Vec<String> {
                tokens.iter().map(|token| token.text.to_owned()).collect()
            };
            let names: Vec<_> = parts.labels().map(|token| token.text).collect();
            assert_eq!(names, labels, "{line}");
            assert_eq!(texts(parts.statement), statement, "{line}");
            assert_eq!(parts.comment.map(|comment| comment.text), comment, "{line}");
            assert_eq!(parts.is_empty(), labels.is_empty() && statement.is_empty(), "{line}");
        }
    }
}

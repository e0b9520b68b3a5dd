//! The lexer: splits any line, well formed or not, into tokens.

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A directive such as `.var`, in upper or lower case. It may be unknown.
    Directive,
    /// A name such as `start`, `@skip`, or `row{n + 1}` including its braces.
    Name,
    /// A token that starts with a digit. [`parse_number`](crate::parse_number) checks it.
    Number,
    /// A string in double quotes.
    Text,
    /// A character in single quotes.
    Character,
    /// An operator, a bracket or a separator.
    Symbol,
    /// A comment, from `;` to the end of the line.
    Comment,
    /// An unclosed quote up to the end of the line, or a character that the language does not use.
    Damaged,
}

/// A token of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// The kind of token.
    pub kind: TokenKind,
    /// The byte offset in the line.
    pub start: usize,
    /// The source of the token.
    pub text: &'a str,
}

impl Token<'_> {
    /// Returns the byte offset of the token's end in the line.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Returns true if the token is this operator, bracket or separator.
    pub fn is(&self, symbol: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == symbol
    }
}

/// An iterator over the tokens of a line, without its line end. Everything between them is blank.
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    line: &'a str,
    at: usize,
    /// True once a `{` was not closed. After that, no further name in the line is built from
    /// numbers. Without this flag, a line full of `{` would take quadratic time.
    has_open_brace: bool,
}

impl<'a> Lexer<'a> {
    /// Creates the iterator for a line.
    pub fn new(line: &'a str) -> Self {
        Self { line, at: 0, has_open_brace: false }
    }

    /// Returns the length of the name that `rest` starts with.
    fn measure_name(&mut self, rest: &str) -> usize {
        let mut length = 1 + measure_word(&rest[1..]);
        while !self.has_open_brace && rest[length..].starts_with('{') {
            let Some(hole) = measure_hole(&rest[length..]) else {
                self.has_open_brace = true;
                break;
            };
            length += hole;
            length += measure_word(&rest[length..]);
        }
        length
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = &self.line.as_bytes()[self.at..];
        self.at += bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = &self.line[self.at..];
        let (kind, length) = match *rest.as_bytes().first()? {
            b';' => (TokenKind::Comment, rest.len()),
            quote @ (b'"' | b'\'') => {
                let kind = if quote == b'"' { TokenKind::Text } else { TokenKind::Character };
                measure_quoted(rest).map_or((TokenKind::Damaged, rest.len()), |end| (kind, end))
            }
            b'.' => (TokenKind::Directive, 1 + measure_word(&rest[1..])),
            b'0'..=b'9' => (TokenKind::Number, measure_word(rest)),
            b'@' if !rest[1..].starts_with(is_word_start) => (TokenKind::Damaged, 1),
            b'@' | b'_' | b'a'..=b'z' | b'A'..=b'Z' => (TokenKind::Name, self.measure_name(rest)),
            _ => measure_symbol(rest),
        };
        let token = Token { kind, start: self.at, text: &rest[..length] };
        self.at += length;
        Some(token)
    }
}

/// Splits a line before the `;` of its comment. Returns `None` for the comment if there is none.
pub fn split_comment(line: &str) -> (&str, Option<&str>) {
    match Lexer::new(line).last() {
        Some(Token { kind: TokenKind::Comment, start, text }) => (&line[..start], Some(text)),
        _ => (line, None),
    }
}

/// A piece of a name that is built from numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Literal letters and digits.
    Text(&'a str),
    /// An expression in braces.
    Hole {
        /// The start of the expression in the name, after the opening brace.
        start: usize,
        /// The source between the braces.
        text: &'a str,
    },
}

/// Splits a [`TokenKind::Name`] into its pieces, in order.
pub fn split_pieces(name: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let piece;
        if let Some(length) = measure_hole(rest) {
            let start = name.len() - rest.len() + 1;
            (piece, rest) = rest.split_at(length);
            pieces.push(Piece::Hole { start, text: &piece[1..length - 1] });
        } else {
            // An unclosed brace is literal.
            let next = rest.char_indices().skip(1).find(|(_, c)| *c == '{');
            (piece, rest) = rest.split_at(next.map_or(rest.len(), |(at, _)| at));
            pieces.push(Piece::Text(piece));
        }
    }
    pieces
}

/// Returns true for a name without braces. It can start with an `@`.
pub fn is_plain_name(text: &str) -> bool {
    let word = text.strip_prefix('@').unwrap_or(text);
    word.starts_with(is_word_start) && measure_word(word) == word.len()
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Returns the number of leading letters, digits and underscores, in bytes.
fn measure_word(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

/// Returns the length of a leading `{…}`, or `None` if it is missing or unclosed.
fn measure_hole(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('{')?;
    let mut depth = 1_usize;
    while depth > 0 {
        let c = rest.chars().next()?;
        let length = if matches!(c, '"' | '\'') { measure_quoted(rest)? } else { c.len_utf8() };
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' => return None,
            _ => {}
        }
        rest = &rest[length..];
    }
    Some(text.len() - rest.len())
}

/// Returns the length of a leading string in quotes, or `None` if it is unclosed.
fn measure_quoted(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate();
    let (_, quote) = bytes.next()?;
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\' {
            bytes.next();
        } else if byte == quote {
            return Some(at + 1);
        }
    }
    None
}

/// Returns the leading operator, bracket or separator with its length.
fn measure_symbol(text: &str) -> (TokenKind, usize) {
    const LONG: [&str; 9] = ["||", "&&", "==", "!=", "<<", ">>", "<=", ">=", "->"];
    const SHORT: &str = "<>|&^+-*/%!~=(){}[],:?#$";
    if LONG.iter().any(|symbol| text.starts_with(symbol)) {
        return (TokenKind::Symbol, 2);
    }
    let length = text.chars().next().map_or(0, char::len_utf8);
    let is_known = SHORT.contains(&text[..length]);
    (if is_known { TokenKind::Symbol } else { TokenKind::Damaged }, length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        Lexer::new(line).map(|token| token.text).collect()
    }

    #[test]
    fn a_line_splits_into_its_tokens() {
        assert_eq!(
            texts("row{n + 1}: .var @x, 3<<-'a' ; c ' d"),
            ["row{n + 1}", ":", ".var", "@x", ",", "3", "<<", "-", "'a'", "; c ' d"]
        );
        assert_eq!(texts("p{len(\"}\")}_{a{b}}x"), ["p{len(\"}\")}_{a{b}}x"]);
        assert_eq!(texts("a==b=c!=!d"), ["a", "==", "b", "=", "c", "!=", "!", "d"]);
        assert_eq!(texts("f()->a--b"), ["f", "(", ")", "->", "a", "-", "-", "b"]);
        assert_eq!(texts("a b{1} c{2 d{3}"), ["a", "b{1}", "c", "{", "2", "d", "{", "3", "}"]);
        assert_eq!(texts("[[5]+1]"), ["[", "[", "5", "]", "+", "1", "]"]);
    }

    #[test]
    fn an_unfinished_line_splits_into_tokens() {
        assert_eq!(texts("row{n"), ["row", "{", "n"]);
        assert_eq!(texts("row{n; }"), ["row", "{", "n", "; }"]);
        assert_eq!(texts("\"open ; no comment"), ["\"open ; no comment"]);
        assert_eq!(texts("é @ .{"), ["é", "@", ".", "{"]);
        assert_eq!(texts("'\\"), ["'\\"]);
        assert_eq!(texts("\"é\\é\"x"), ["\"é\\é\"", "x"]);
    }

    #[test]
    fn tokens_have_the_right_kind() {
        use TokenKind::{Character, Comment, Damaged, Directive, Name, Number, Symbol, Text};
        for (text, kind) in [
            (".Org", Directive),
            (".", Directive),
            ("@x{1}", Name),
            ("_", Name),
            ("0x", Number),
            ("\";\"", Text),
            ("'\\''", Character),
            ("$", Symbol),
            ("]", Symbol),
            ("; x", Comment),
            ("\"x", Damaged),
            ("'\\'", Damaged),
            ("@", Damaged),
            ("`", Damaged),
            ("é", Damaged),
        ] {
            assert_eq!(Lexer::new(text).collect::<Vec<_>>(), [Token { kind, start: 0, text }]);
        }
    }

    #[test]
    fn names_split_into_their_pieces() {
        let expected = [
            Piece::Text("@p"),
            Piece::Hole { start: 3, text: "r" },
            Piece::Text("_"),
            Piece::Hole { start: 7, text: "b{c}" },
        ];
        assert_eq!(split_pieces("@p{r}_{b{c}}"), expected);
        assert_eq!(split_pieces("é{x"), [Piece::Text("é"), Piece::Text("{x")]);
    }

    #[test]
    fn only_names_are_plain_names() {
        for (text, expected) in [
            ("x", true),
            ("@x_1", true),
            ("_", true),
            ("", false),
            ("@", false),
            ("1x", false),
            ("x-y", false),
            ("x{1}", false),
            ("é", false),
        ] {
            assert_eq!(is_plain_name(text), expected, "{text}");
        }
    }

    #[test]
    fn comments_begin_outside_quotes() {
        assert_eq!(split_comment("LDI ';' ; a"), ("LDI ';' ", Some("; a")));
        assert_eq!(split_comment(r#".error "\";" ; b"#), (r#".error "\";" "#, Some("; b")));
        assert_eq!(split_comment("LD x"), ("LD x", None));
        assert_eq!(split_comment("LDI \"; x"), ("LDI \"; x", None));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// Checks that tokens and blanks make up the line. Otherwise an editor would lose
        /// characters.
        #[test]
        fn tokens_and_blanks_make_up_the_line(line in r#"[a1@._ \t;"'\\(){}<>=é-]{0,40}"#) {
            let mut end = 0;
            for token in Lexer::new(&line) {
                prop_assert!(!token.text.is_empty());
                prop_assert_eq!(line[end..token.start].trim_matches([' ', '\t']), "");
                prop_assert_eq!(&line[token.start..token.end()], token.text);
                end = token.end();
                let name: String = split_pieces(token.text).into_iter().map(|piece| match piece {
                    Piece::Text(text) => text.to_owned(),
                    Piece::Hole { text, .. } => format!("{{{text}}}"),
                }).collect();
                prop_assert_eq!(name, token.text);
            }
            prop_assert_eq!(line[end..].trim_matches([' ', '\t']), "");
        }
    }
}

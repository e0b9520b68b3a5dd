//! The tokens of a line, for who works on the text itself. Other than the grammar, this takes any
//! line apart, whether it is well formed or not.

use gray1_isa::Op;

use crate::limits::NESTING_MAX;
use crate::parse::DIRECTIVES;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// `.var`
    Directive,
    /// `start`, `@skip`, `row{n + 1}` as a whole.
    Name,
    Number,
    /// In single or double quotes.
    Quoted,
    /// An operator, a bracket, or what has no place in the language.
    Symbol,
    /// From `;` to the end of the line.
    Comment,
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    /// Where it starts in the line, in bytes.
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

impl Token<'_> {
    /// Whether it is this operator or bracket.
    pub(crate) fn is(&self, symbol: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == symbol
    }
}

/// The tokens of a line without its end.
pub(crate) fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = line[start..].chars().next() {
        let rest = &line[start..];
        let (kind, length) = match first {
            ' ' | '\t' => {
                start += 1;
                continue;
            }
            ';' => (TokenKind::Comment, rest.len()),
            '"' | '\'' => (TokenKind::Quoted, quoted(rest)),
            '.' => (TokenKind::Directive, 1 + word(&rest[1..])),
            '0'..='9' => (TokenKind::Number, word(rest)),
            _ => match name(rest) {
                0 => (TokenKind::Symbol, symbol(rest, first)),
                length => (TokenKind::Name, length),
            },
        };
        tokens.push(Token { kind, start, text: &rest[..length] });
        start += length;
    }
    tokens
}

/// A name as its pieces, in turn: text, and the expressions between braces.
pub(crate) fn pieces(name: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < name.len() {
        let rest = &name[start..];
        let length = if let Some(length) = hole(rest, 0) {
            let inner = start + 1..start + length - 1;
            pieces.push(Piece::Hole { start: inner.start, text: &name[inner] });
            length
        } else {
            let length = rest.find('{').unwrap_or(rest.len()).max(1);
            pieces.push(Piece::Text(&rest[..length]));
            length
        };
        start += length;
    }
    pieces
}

/// See [`pieces`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Text(&'a str),
    /// What stands between braces, and where it starts in the name.
    Hole {
        start: usize,
        text: &'a str,
    },
}

/// Whether a text is a name that can be defined, `@` in front included.
pub(crate) fn is_plain_name(text: &str) -> bool {
    let bare = text.strip_prefix('@').unwrap_or(text);
    bare.starts_with(is_word_start) && word(bare) == bare.len()
}

/// Whether a word is an instruction, in either case, so that nothing else can have it as its name.
pub(crate) fn is_reserved(word: &str) -> bool {
    Op::from_mnemonic(word).is_some() || word.eq_ignore_ascii_case("HALT")
}

/// Whether the directive of this name, without its point, opens a block. A block ends with what it
/// starts with and `end` in front.
pub(crate) fn opens(directive: &str) -> bool {
    DIRECTIVES.iter().any(|known| known[1..].strip_prefix("end") == Some(directive))
}

/// What the directive of this name ends, if it ends a block.
pub(crate) fn closed_by(directive: &str) -> Option<&str> {
    directive.strip_prefix("end").filter(|opener| opens(opener))
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// How long the word at the start is.
fn word(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// How long the name at the start is; 0 if there is none.
fn name(text: &str) -> usize {
    let sigil = usize::from(text.starts_with('@'));
    if !text[sigil..].starts_with(is_word_start) {
        return 0;
    }
    let mut length = sigil + word(&text[sigil..]);
    while let Some(hole) = hole(&text[length..], 0) {
        length += hole;
        length += word(&text[length..]);
    }
    length
}

/// How long the `{…}` at the start is.
fn hole(text: &str, depth: usize) -> Option<usize> {
    if !text.starts_with('{') || depth > NESTING_MAX {
        return None;
    }
    let mut at = 1;
    loop {
        let rest = &text[at..];
        at += match rest.chars().next()? {
            '}' => return Some(at + 1),
            '{' => hole(rest, depth + 1)?,
            '"' | '\'' => quoted(rest),
            ';' => return None,
            c => c.len_utf8(),
        };
    }
}

/// How long the quoted text at the start is, to the end of the line if it is not closed.
fn quoted(text: &str) -> usize {
    let mut characters = text.char_indices();
    let quote = characters.next().map(|(_, quote)| quote);
    while let Some((at, c)) = characters.next() {
        if c == '\\' {
            characters.next();
        } else if Some(c) == quote {
            return at + 1;
        }
    }
    text.len()
}

/// How long the operator at the start is.
fn symbol(text: &str, first: char) -> usize {
    const LONG: [&str; 9] = ["||", "&&", "==", "!=", "<<", ">>", "<=", ">=", "->"];
    if LONG.iter().any(|symbol| text.starts_with(symbol)) { 2 } else { first.len_utf8() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        tokens(line).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn a_line_falls_apart_into_what_people_see() {
        assert_eq!(
            texts("row{n + 1}: .var @x, 3<<-'a' ; c ' d"),
            ["row{n + 1}", ":", ".var", "@x", ",", "3", "<<", "-", "'a'", "; c ' d"]
        );
        assert_eq!(texts("p{len(\"}\")}_{a{b}}x"), ["p{len(\"}\")}_{a{b}}x"]);
        assert_eq!(texts("a==b=c!=!d"), ["a", "==", "b", "=", "c", "!=", "!", "d"]);
        assert_eq!(texts("f()->a--b"), ["f", "(", ")", "->", "a", "-", "-", "b"]);
    }

    #[test]
    fn a_line_that_is_being_typed_falls_apart_too() {
        assert_eq!(texts("row{n"), ["row", "{", "n"]);
        assert_eq!(texts("\"open ; no comment"), ["\"open ; no comment"]);
        assert_eq!(texts("é @ .{"), ["é", "@", ".", "{"]);
        assert_eq!(texts("'\\"), ["'\\"]);
    }

    #[test]
    fn names_know_their_pieces() {
        let expected = [
            Piece::Text("@p"),
            Piece::Hole { start: 3, text: "r" },
            Piece::Text("_"),
            Piece::Hole { start: 7, text: "b{c}" },
        ];
        assert_eq!(pieces("@p{r}_{b{c}}"), expected);
    }
}

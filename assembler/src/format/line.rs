//! One line: what stands on it, with every blank where it belongs.

use gray1_isa::Op;

use crate::tokens::{Piece, Token, TokenKind, closed_by, opens, pieces, tokens};

/// Mnemonics, and the names of macros, take at least so many columns.
const MNEMONIC_WIDTH: usize = 4;
/// Directives that make words, so that they stand where instructions do.
const IN_CODE: [&str; 3] = [".word", ".call", ".return"];

/// What stands on a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// `a: b:`
    pub(super) labels: String,
    pub(super) statement: Option<Statement>,
    /// From its `;` on, without blanks behind it.
    pub(super) comment: Option<&'a str>,
    /// The column in which the comment stands.
    pub(super) comment_column: usize,
}

/// What a line says, labels and comment aside.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// What makes words: an instruction, a macro call.
    Code(String),
    /// `name = value`
    Constant {
        name: String,
        value: String,
    },
    Directive(Directive),
}

/// A directive.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Directive {
    pub(super) text: String,
    /// It ends a block or a branch.
    pub(super) closes: bool,
    /// It opens a block or a branch.
    pub(super) opens: bool,
}

impl<'a> Line<'a> {
    /// Reads a line without its end.
    pub(super) fn read(text: &'a str) -> Self {
        let mut line = Self::default();
        let tokens = tokens(text);
        let mut code = tokens.as_slice();
        if let [others @ .., last] = code
            && last.kind == TokenKind::Comment
        {
            line.comment = Some(last.text.trim_end());
            line.comment_column = column(&text[..last.start]);
            code = others;
        }
        let mut labels = Vec::new();
        while let [name, colon, rest @ ..] = code
            && name.kind == TokenKind::Name
            && colon.is(":")
        {
            labels.push(self::name(name.text) + ":");
            code = rest;
        }
        line.labels = labels.join(" ");
        line.statement = statement(code);
        line
    }
}

/// The column behind a text, with a tab stop at every eighth.
fn column(text: &str) -> usize {
    text.chars().fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

fn statement(tokens: &[Token<'_>]) -> Option<Statement> {
    let (first, rest) = tokens.split_first()?;
    if first.kind == TokenKind::Directive {
        return Some(directive(first.text, rest));
    }
    if let [equals, value @ ..] = rest
        && equals.is("=")
    {
        return Some(Statement::Constant { name: name(first.text), value: spaced(value) });
    }
    let is_halt = first.text.eq_ignore_ascii_case("HALT");
    let word = match Op::from_mnemonic(first.text) {
        Some(op) => op.mnemonic().to_owned(),
        None if is_halt => "HALT".to_owned(),
        None => name(first.text),
    };
    let code = format!("{word:MNEMONIC_WIDTH$} {}", spaced(rest));
    Some(Statement::Code(code.trim_end().to_owned()))
}

fn directive(word: &str, rest: &[Token<'_>]) -> Statement {
    let word = word.to_ascii_lowercase();
    let text = format!("{word} {}", spaced(rest)).trim_end().to_owned();
    if IN_CODE.contains(&word.as_str()) {
        return Statement::Code(text);
    }
    let is_branch = matches!(word.as_str(), ".elseif" | ".else");
    let closes = is_branch || closed_by(&word[1..]).is_some();
    let opens = is_branch || opens(&word[1..]);
    Statement::Directive(Directive { text, closes, opens })
}

/// A name, without blanks in it.
fn name(text: &str) -> String {
    let hole = |inner| tokens(inner).iter().fold(String::new(), |text, token| text + &tight(token));
    let piece = |piece| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Hole { text, .. } => format!("{{{}}}", hole(text)),
    };
    pieces(text).into_iter().map(piece).collect()
}

fn tight(token: &Token<'_>) -> String {
    if token.kind == TokenKind::Name { name(token.text) } else { token.text.to_owned() }
}

/// Operands, with blanks around operators that stand between two of them and behind commas.
fn spaced(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    let mut before: Option<Place> = None;
    for token in tokens {
        let place = Place::of(token, before);
        if before.is_some_and(|before| before.wants_blank(place)) {
            text.push(' ');
        }
        text += &tight(token);
        before = Some(place);
    }
    text
}

/// What a token is to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Operand,
    Name,
    /// Between two operands.
    Infix,
    /// In front of one.
    Prefix,
    Comma,
    Open,
    Close,
}

impl Place {
    fn of(token: &Token<'_>, before: Option<Self>) -> Self {
        match (token.kind, token.text) {
            (TokenKind::Name, _) => Self::Name,
            (TokenKind::Symbol, ",") => Self::Comma,
            (TokenKind::Symbol, "(") => Self::Open,
            (TokenKind::Symbol, ")") => Self::Close,
            (TokenKind::Symbol, "#") => Self::Prefix,
            (TokenKind::Symbol, "-" | "~" | "!") if !before.is_some_and(Self::ends_operand) => {
                Self::Prefix
            }
            (TokenKind::Symbol, text) if text != "$" => Self::Infix,
            _ => Self::Operand,
        }
    }

    fn ends_operand(self) -> bool {
        matches!(self, Self::Operand | Self::Name | Self::Close)
    }

    /// Whether there is a blank between this and what follows.
    fn wants_blank(self, next: Self) -> bool {
        let is_call = self == Self::Name && next == Self::Open;
        let sticks = matches!(self, Self::Open | Self::Prefix);
        !is_call && !sticks && !matches!(next, Self::Close | Self::Comma)
    }
}

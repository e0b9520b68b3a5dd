//! The parts of a line, each with normalised blanks. The alignment of lines is in `rows`.

use gray1_language::{Lexer, Piece, Token, TokenKind, split_pieces};
use unicode_width::UnicodeWidthChar as _;

use crate::directives::{self, Role};
use crate::keywords::Mnemonic;
use crate::line_parts::LineParts;

/// The minimum width of mnemonics and macro names, in columns.
const MNEMONIC_WIDTH: usize = 4;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The labels, as `a: b:`.
    pub(super) labels: String,
    pub(super) statement: Option<Statement>,
    /// The comment from its `;` on, without trailing blanks.
    pub(super) comment: Option<&'a str>,
    /// The column in which the source has the comment.
    pub(super) comment_column: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// The whole statement, or the name of a constant.
    pub(super) text: String,
    /// The value of a constant.
    pub(super) value: Option<String>,
    /// The role of the directive. Instructions and macro calls count as code.
    pub(super) role: Role,
}

impl Statement {
    /// Returns true if it ends a block or a branch.
    pub(super) fn closes(&self) -> bool {
        matches!(self.role, Role::Closes(_) | Role::Branches(_))
    }

    /// Returns true if it opens a block or a branch.
    pub(super) fn opens(&self) -> bool {
        matches!(self.role, Role::Opens(_) | Role::Branches(_))
    }
}

impl<'a> Line<'a> {
    /// Splits a line, without its line end, into its parts.
    pub(super) fn read(text: &'a str) -> Self {
        let tokens: Vec<Token<'a>> = Lexer::new(text).collect();
        let parts = LineParts::new(&tokens);
        let labels: Vec<String> = parts.labels().map(|it| format_name(it.text) + ":").collect();
        Self {
            labels: labels.join(" "),
            statement: format_statement(parts.statement),
            comment: parts.comment.map(|comment| comment.text.trim_end()),
            comment_column: parts.comment.map_or(0, |comment| column(&text[..comment.start])),
        }
    }
}

/// Returns the column after a string, with a tab stop every eight columns.
pub(super) fn column(text: &str) -> usize {
    text.chars().fold(0, |column, c| match c {
        '\t' => (column / 8 + 1) * 8,
        _ => column + c.width().unwrap_or(0),
    })
}

/// Formats the statement of these tokens.
fn format_statement(tokens: &[Token<'_>]) -> Option<Statement> {
    let (first, rest) = tokens.split_first()?;
    if let [equals, value @ ..] = rest
        && equals.is("=")
        && first.kind != TokenKind::Directive
    {
        let (text, value) = (format_name(first.text), Some(format_operands(value)));
        return Some(Statement { text, value, role: Role::Alone });
    }
    let (word, role) = if first.kind == TokenKind::Directive {
        let role = directives::find(first.text).map_or(Role::Alone, |directive| directive.role);
        (first.text.to_ascii_lowercase(), role)
    } else {
        let word = Mnemonic::from_name(first.text);
        let word = word.map_or_else(|| format_name(first.text), |word| word.name().to_owned());
        (format!("{word:MNEMONIC_WIDTH$}"), Role::Code)
    };
    let text = format!("{word} {}", format_operands(rest)).trim_end().to_owned();
    Some(Statement { text, value: None, role })
}

/// Removes the blanks from a name.
fn format_name(text: &str) -> String {
    let pieces = split_pieces(text).into_iter().map(|piece| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Hole { text, .. } => {
            let tokens = Lexer::new(text).map(|token| format_token(&token));
            format!("{{{}}}", tokens.collect::<String>())
        }
    });
    pieces.collect()
}

fn format_token(token: &Token<'_>) -> String {
    if token.kind == TokenKind::Name { format_name(token.text) } else { token.text.to_owned() }
}

/// Formats operands, with blanks around infix operators and after commas.
fn format_operands(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    let mut before: Option<TokenRole> = None;
    for token in tokens {
        let place = TokenRole::new(token, before);
        if before.is_some_and(|before| before.wants_blank(place)) {
            text.push(' ');
        }
        text += &format_token(token);
        before = Some(place);
    }
    text
}

/// The role of a token, which decides about the blanks around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenRole {
    Operand,
    Name,
    /// An operator between two operands.
    Infix,
    /// An operator before its operand.
    Prefix,
    Comma,
    Open,
    Close,
}

impl TokenRole {
    fn new(token: &Token<'_>, before: Option<Self>) -> Self {
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

    /// Returns true if a blank separates this token from the next.
    fn wants_blank(self, next: Self) -> bool {
        let is_call = self == Self::Name && next == Self::Open;
        let sticks = matches!(self, Self::Open | Self::Prefix);
        !is_call && !sticks && !matches!(next, Self::Close | Self::Comma)
    }
}

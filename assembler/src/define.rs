//! Values from the command line for a program's `.default` constants.

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use gray1_language::{
    Lexer, LiteralError, TokenKind, is_plain_name, parse_character, parse_number, unescape,
};

use crate::keywords::Mnemonic;
use crate::syntax::ExprKind;

/// A `NAME=value` argument: the new value of a `.default` constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Define {
    pub(crate) name: String,
    /// A literal of the language. A number can have a minus sign.
    literal: String,
}

impl Define {
    /// Returns the value as an expression.
    pub(crate) fn value(&self) -> ExprKind {
        parse_literal(&self.literal).unwrap_or(ExprKind::Bad)
    }
}

impl fmt::Display for Define {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.literal)
    }
}

impl FromStr for Define {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, literal) = text.split_once('=').ok_or("expected NAME=value")?;
        let is_global = is_plain_name(name) && !name.starts_with('@');
        if !is_global || Mnemonic::from_name(name).is_some() {
            return Err(format!("`{name}` cannot be the name of a constant"));
        }
        parse_literal(literal)?;
        Ok(Self { name: name.to_owned(), literal: literal.to_owned() })
    }
}

/// Parses a literal, or returns the reason why it is not one.
fn parse_literal(literal: &str) -> Result<ExprKind, String> {
    const EXPECTED: &str = "expected a number, a character or a string in quotes";
    let tokens: Vec<_> = Lexer::new(literal).collect();
    let (sign, token) = match tokens.as_slice() {
        [token] => (1, token),
        [minus, token] if minus.is("-") && token.kind == TokenKind::Number => (-1, token),
        _ => return Err(EXPECTED.to_owned()),
    };
    let value = match token.kind {
        TokenKind::Number => parse_number(token.text).map(|value| ExprKind::Number(sign * value)),
        TokenKind::Character => parse_character(token.text).map(|it| ExprKind::Number(it.into())),
        TokenKind::Text => {
            let text = unescape(token.text).collect::<Result<String, _>>();
            text.map(|text| ExprKind::Text(Rc::new(text))).map_err(LiteralError::from)
        }
        _ => return Err(EXPECTED.to_owned()),
    };
    value.map_err(|error| error.to_string())
}

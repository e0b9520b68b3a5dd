//! Parses literals: numbers, characters and strings.

/// An error in a literal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LiteralError {
    /// The number has no digits, digits that its base does not have, or a `_` at either end.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// The number is above 2^63 - 1.
    #[error("`{0}` does not fit into a signed 64-bit number")]
    TooLarge(String),
    /// A backslash is followed by a character that has no escape.
    #[error(transparent)]
    Escape(#[from] UnknownEscape),
    /// The quotes do not contain exactly one character that fits in a byte.
    #[error("expected one ASCII character between single quotes")]
    NotACharacter,
}

/// A backslash that is followed by a character that has no escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`\\{character}` is not an escape (expected `\\n`, `\\\\`, `\\'`, `\\\"` or `\\0`)")]
pub struct UnknownEscape {
    /// The character after the backslash.
    pub character: char,
    /// The position of the backslash in the literal, in bytes.
    pub at: usize,
}

/// Returns the value of a number such as `42`, `0x2a`, `0b10_1010` or `0o52`. The letter of the
/// base can be upper or lower case.
///
/// # Errors
/// Returns an error if it is not a number from 0 to 2^63 - 1.
pub fn parse_number(text: &str) -> Result<i64, LiteralError> {
    let (radix, digits) = match text.get(..2) {
        Some("0x" | "0X") => (16, &text[2..]),
        Some("0b" | "0B") => (2, &text[2..]),
        Some("0o" | "0O") => (8, &text[2..]),
        _ => (10, text),
    };
    let is_well_formed = !digits.is_empty()
        && !digits.starts_with('_')
        && !digits.ends_with('_')
        && digits.chars().all(|c| c == '_' || c.is_digit(radix));
    if !is_well_formed {
        return Err(LiteralError::NotANumber(text.to_owned()));
    }
    let mut value = 0_i64;
    for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
        let next =
            value.checked_mul(radix.into()).and_then(|value| value.checked_add(digit.into()));
        value = next.ok_or_else(|| LiteralError::TooLarge(text.to_owned()))?;
    }
    Ok(value)
}

/// Returns the byte that a [`Character`](crate::TokenKind::Character) literal represents.
///
/// # Errors
/// Returns an error unless there is exactly one ASCII character or known escape between the quotes.
pub fn parse_character(literal: &str) -> Result<u8, LiteralError> {
    let mut characters = unescape(literal);
    let first = characters.next().ok_or(LiteralError::NotACharacter)??;
    match (u8::try_from(first), characters.next()) {
        (Ok(byte), None) if byte.is_ascii() => Ok(byte),
        _ => Err(LiteralError::NotACharacter),
    }
}

/// Iterates over the characters of a literal between quotes, with its escapes replaced.
pub fn unescape(literal: &str) -> impl Iterator<Item = Result<char, UnknownEscape>> {
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    let mut characters = inner.char_indices();
    std::iter::from_fn(move || {
        let (at, character) = characters.next()?;
        if character != '\\' {
            return Some(Ok(character));
        }
        let (_, escaped) = characters.next()?;
        // `at` does not count the opening quote.
        Some(escape(escaped).ok_or(UnknownEscape { character: escaped, at: at + 1 }))
    })
}

/// Returns the character that a backslash followed by this character stands for.
fn escape(escaped: char) -> Option<char> {
    Some(match escaped {
        'n' => '\n',
        '0' => '\0',
        '\\' | '\'' | '"' => escaped,
        _ => return None,
    })
}

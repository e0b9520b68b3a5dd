//! Literals: numbers, characters and texts.

/// A mistake in a literal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LiteralError {
    /// It has no digits, digits that its base does not have, or `_` at either end.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// It is above 2^63 - 1.
    #[error("`{0}` does not fit in 64 bits with a sign")]
    TooLarge(String),
    /// A backslash in front of a character that it does not change.
    #[error(transparent)]
    Escape(#[from] UnknownEscape),
    /// None or several characters, or one that is more than a byte.
    #[error("expected one ASCII character between single quotes")]
    NotACharacter,
}

/// A backslash in front of a character that it does not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`\\{character}` is not an escape (expected `\\n`, `\\\\`, `\\'`, `\\\"` or `\\0`)")]
pub struct UnknownEscape {
    /// The character behind the backslash.
    pub character: char,
    /// The place of the backslash in the literal, in bytes.
    pub at: usize,
}

/// The value of `42`, `0x2a`, `0b10_1010` or `0o52`; bases may be written in either case.
///
/// # Errors
/// If it is not a number from 0 to 2^63 - 1.
pub fn number(text: &str) -> Result<i64, LiteralError> {
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

/// The byte that a [`Character`](crate::TokenKind::Character) stands for.
///
/// # Errors
/// If there is not exactly one ASCII character between the quotes, or an unknown escape.
pub fn character(literal: &str) -> Result<u8, LiteralError> {
    let mut characters = characters(literal);
    let first = characters.next().ok_or(LiteralError::NotACharacter)??;
    match (u8::try_from(first), characters.next()) {
        (Ok(byte), None) if byte.is_ascii() => Ok(byte),
        _ => Err(LiteralError::NotACharacter),
    }
}

/// The characters of a literal between quotes, its escapes replaced.
pub fn characters(literal: &str) -> impl Iterator<Item = Result<char, UnknownEscape>> {
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    let mut characters = inner.char_indices();
    std::iter::from_fn(move || {
        let (at, character) = characters.next()?;
        if character != '\\' {
            return Some(Ok(character));
        }
        let (_, escaped) = characters.next()?;
        // The quote stands in front.
        Some(escape(escaped).ok_or(UnknownEscape { character: escaped, at: at + 1 }))
    })
}

/// The character that stands behind a backslash.
fn escape(escaped: char) -> Option<char> {
    Some(match escaped {
        'n' => '\n',
        '0' => '\0',
        '\\' | '\'' | '"' => escaped,
        _ => return None,
    })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_values() {
        for (text, expected) in [
            ("0", 0),
            ("42", 42),
            ("0x2a", 42),
            ("0X2A", 42),
            ("0b10_1010", 42),
            ("0B101010", 42),
            ("0o52", 42),
            ("0O52", 42),
            ("1__0", 10),
            ("007", 7),
            ("9223372036854775807", i64::MAX),
            ("0x7fff_ffff_ffff_ffff", i64::MAX),
        ] {
            assert_eq!(number(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_looks_like_a_number_is_refused() {
        for text in ["", "_1", "1_", "0x", "0x_1", "0b12", "0o8", "5x", "0y1", "é", "+1"] {
            assert_eq!(number(text), Err(LiteralError::NotANumber(text.to_owned())), "{text}");
        }
        for text in ["9223372036854775808", "0x8000000000000000", "99999999999999999999999"] {
            assert_eq!(number(text), Err(LiteralError::TooLarge(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_character_is_one_byte() {
        for (text, expected) in [("'A'", b'A'), (r"'\n'", b'\n'), (r"'\''", b'\''), (r"'\0'", 0)] {
            assert_eq!(character(text), Ok(expected), "{text}");
        }
        for text in ["''", "'ab'", "'é'", r"'\nx'"] {
            assert_eq!(character(text), Err(LiteralError::NotACharacter), "{text}");
        }
        let unknown = UnknownEscape { character: 'q', at: 1 };
        assert_eq!(character(r"'\q'"), Err(LiteralError::Escape(unknown)));
    }

    #[test]
    fn a_text_tells_all_its_unknown_escapes() {
        let all: Vec<_> = characters(r#""a\né\q\"\z""#).collect();
        let unknown = |character, at| Err(UnknownEscape { character, at });
        let expected = [Ok('a'), Ok('\n'), Ok('é'), unknown('q', 6), Ok('"'), unknown('z', 10)];
        assert_eq!(all, expected);
    }
}

//! Keys, independent of terminals and scripts.

use std::fmt;

/// A key with its modifiers. Shift is part of the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The key itself.
    pub code: KeyCode,
    /// Whether control was held.
    pub control: bool,
    /// Whether alt was held.
    pub alt: bool,
}

/// A key without its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are on the keys")]
pub enum KeyCode {
    Char(char),
    /// F1 to F12.
    Function(u8),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Insert,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
}

impl Key {
    /// A key without modifiers.
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, control: false, alt: false }
    }

    /// A character without modifiers.
    pub const fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    /// A character with control.
    pub const fn control(c: char) -> Self {
        Self { code: KeyCode::Char(c), control: true, alt: false }
    }
}

impl From<KeyCode> for Key {
    fn from(code: KeyCode) -> Self {
        Self::plain(code)
    }
}

/// The name of the key in help and context line: `space`, `pgup`, `^L`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alt = if self.alt { "alt-" } else { "" };
        let name = match self.code {
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::Function(n) => format!("f{n}"),
            KeyCode::PageUp => "pgup".to_owned(),
            KeyCode::PageDown => "pgdn".to_owned(),
            KeyCode::Delete => "del".to_owned(),
            named => format!("{named:?}").to_lowercase(),
        };
        if self.control {
            write!(f, "{alt}^{}", name.to_uppercase())
        } else {
            write!(f, "{alt}{name}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_names() {
        let codes = [KeyCode::Char(' '), KeyCode::Enter, KeyCode::PageUp, KeyCode::BackTab];
        let names = codes.map(|code| Key::plain(code).to_string());
        assert_eq!(names, ["space", "enter", "pgup", "backtab"]);
        assert_eq!(Key::char('S').to_string(), "S");
        assert_eq!(Key::control('l').to_string(), "^L");
    }
}

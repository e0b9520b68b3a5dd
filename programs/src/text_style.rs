//! Text with or without the colours of a terminal.

/// The forms of emphasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStyle {
    /// No emphasis.
    Plain,
    /// Emphasis by terminal colours.
    Coloured,
}

impl TextStyle {
    /// Returns the text after this escape sequence, unless the style is plain.
    pub(crate) fn paint(self, emphasis: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("{emphasis}{text}\x1b[m"),
        }
    }
}

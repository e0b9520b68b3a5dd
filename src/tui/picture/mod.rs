//! Screens as files: text, text with colours, a picture, an animation.

mod ansi;
mod cast;
mod svg;
mod text;

use super::screenshot::Screenshot;

/// How screens are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PictureFormat {
    /// The characters
    Text,
    /// The characters with colours, as terminals take them
    Ansi,
    /// A picture
    Svg,
    /// An animation, as asciinema takes it
    Cast,
}

impl PictureFormat {
    /// The format of a file name's suffix.
    pub(crate) fn from_suffix(suffix: &str) -> Option<Self> {
        match suffix {
            "txt" => Some(Self::Text),
            "ans" => Some(Self::Ansi),
            "svg" => Some(Self::Svg),
            "cast" => Some(Self::Cast),
            _ => None,
        }
    }

    /// Whether it shows more than one screen.
    pub(crate) fn moves(self) -> bool {
        self == Self::Cast
    }

    /// Writes screens down; a format that does not move shows the last.
    pub(crate) fn encode(self, screens: &[Screenshot]) -> String {
        let Some(last) = screens.last() else { return String::new() };
        match self {
            Self::Text => text::encode(&last.cells),
            Self::Ansi => ansi::encode(&last.cells),
            Self::Svg => svg::encode(&last.cells),
            Self::Cast => cast::encode(screens),
        }
    }
}

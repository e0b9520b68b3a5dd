//! Screens as files: text, text with colours, a picture, an animation.

mod ansi;
mod cast;
mod svg;
mod text;

use std::time::Duration;

use ratatui::buffer::Buffer;

/// How screens are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// The characters.
    Text,
    /// The characters with colours, as terminals take them.
    Ansi,
    /// A picture.
    Svg,
    /// An animation, as asciinema takes it.
    Cast,
}

impl PictureFormat {
    /// The format of a file name's suffix.
    #[must_use]
    pub fn from_suffix(suffix: &str) -> Option<Self> {
        match suffix {
            "txt" => Some(Self::Text),
            "ans" => Some(Self::Ansi),
            "svg" => Some(Self::Svg),
            "cast" => Some(Self::Cast),
            _ => None,
        }
    }

    /// Whether it shows more than one screen.
    #[must_use]
    pub fn moves(self) -> bool {
        self == Self::Cast
    }
}

/// A file under way. It keeps one screen, however many it is shown.
pub(crate) struct Picture {
    format: PictureFormat,
    /// What an animation has come to.
    events: String,
    last: Option<Buffer>,
}

impl Picture {
    pub(crate) fn new(format: PictureFormat) -> Self {
        Self { format, events: String::new(), last: None }
    }

    /// Takes a screen in, as it was at this time.
    pub(crate) fn show(&mut self, at: Duration, cells: Buffer) {
        if self.format.moves() && self.last.as_ref() != Some(&cells) {
            let before = self.last.get_or_insert_with(|| {
                self.events = cast::header(&cells);
                Buffer::empty(cells.area)
            });
            cast::push(&mut self.events, at, before, &cells);
        }
        self.last = Some(cells);
    }

    /// The file; a format that does not move shows the last screen.
    pub(crate) fn finish(self) -> String {
        let encode = match self.format {
            PictureFormat::Text => text::encode,
            PictureFormat::Ansi => ansi::encode,
            PictureFormat::Svg => svg::encode,
            PictureFormat::Cast => return self.events,
        };
        self.last.as_ref().map(encode).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a picture of this format comes to after as many screens, two of each kind.
    fn shown(format: PictureFormat, screens: u64) -> Picture {
        let mut picture = Picture::new(format);
        for n in 0..screens {
            let cells = Buffer::with_lines([format!("{:05}", n / 2)]);
            picture.show(Duration::from_millis(n), cells);
        }
        picture
    }

    #[test]
    fn a_still_picture_keeps_nothing_but_the_last_screen() {
        let picture = shown(PictureFormat::Text, 2_000);
        assert!(picture.events.is_empty());
        assert_eq!(picture.finish(), "00999\n");
    }

    #[test]
    fn an_animation_keeps_each_change_once() {
        let animation = shown(PictureFormat::Cast, 2_000).finish();
        assert_eq!(animation.lines().count(), 1 + 1_000);
        assert!(animation.len() < 1_000 * 50, "changes, not screens: {}", animation.len());
    }
}

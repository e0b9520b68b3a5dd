//! Screens as files: plain text, coloured text, a picture, an animation.

mod ansi;
mod cast;
mod svg;
mod text;

pub use svg::escaped;

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::text::Span;

use crate::leds::LedSpot;
use crate::terminal::{Background, Depth};
use crate::theme::Theme;

/// A file format of screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// Plain text without colours.
    Text,
    /// The characters with escape sequences for colours.
    Ansi,
    /// An SVG picture.
    Svg,
    /// An animation for asciinema.
    Cast,
}

impl PictureFormat {
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Ansi => "ansi",
            Self::Svg => "svg",
            Self::Cast => "cast",
        }
    }

    /// The suffix of its files, without the dot.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Ansi => "ans",
            Self::Svg | Self::Cast => self.name(),
        }
    }

    /// The theme for screens in this format. Plain text has letters in place of colours.
    pub(crate) fn theme(self, background: Background) -> Theme {
        let depth = if self == Self::Text { Depth::None } else { Depth::True };
        Theme { depth, background, ..Theme::PICTURE }
    }

    /// Whether it shows more than one screen.
    pub fn is_animated(self) -> bool {
        self == Self::Cast
    }
}

/// A file that is being made. It keeps only the last screen.
pub(crate) struct Picture {
    pub(crate) format: PictureFormat,
    theme: Theme,
    /// The animation so far.
    events: String,
    last: Option<Screen>,
}

/// A screen, with its LEDs for formats that draw them as circles.
struct Screen {
    cells: Buffer,
    spots: Vec<LedSpot>,
}

impl Picture {
    pub(crate) fn new(format: PictureFormat, theme: Theme) -> Self {
        Self { format, theme, events: String::new(), last: None }
    }

    /// Adds the screen at a time.
    pub(crate) fn show(&mut self, at: Duration, cells: Buffer, spots: Vec<LedSpot>) {
        let last = self.last.as_ref().map(|screen| &screen.cells);
        if self.format.is_animated() && last != Some(&cells) {
            if last.is_none() {
                self.events = cast::header(&cells);
            }
            let empty = Buffer::empty(cells.area);
            cast::push(&mut self.events, at, last.unwrap_or(&empty), &cells);
        }
        self.last = Some(Screen { cells, spots });
    }

    /// Completes the file. A still format shows the last screen.
    pub(crate) fn finish(self) -> String {
        let Some(Screen { mut cells, spots }) = self.last else { return String::new() };
        join_wide(&mut cells);
        match self.format {
            PictureFormat::Text => text::encode(&cells),
            PictureFormat::Ansi => ansi::encode(&cells),
            PictureFormat::Svg => svg::encode(cells, &spots, self.theme),
            PictureFormat::Cast => self.events,
        }
    }
}

/// Clears the second of two cells that a wide character covers, and gives it the same style.
fn join_wide(cells: &mut Buffer) {
    for n in 1..cells.content.len() {
        let [wide, rest] = &mut cells.content[n - 1..=n] else { unreachable!("two are taken") };
        if Span::raw(wide.symbol()).width() == 2 {
            *rest = wide.clone();
            rest.set_symbol("");
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    /// A picture in this format after this many screens, in which two successive screens are always
    /// equal.
    fn shown(format: PictureFormat, screens: u64) -> Picture {
        let mut picture = Picture::new(format, Theme::PICTURE);
        for n in 0..screens {
            let cells = Buffer::with_lines([format!("{:05}", n / 2)]);
            picture.show(Duration::from_millis(n), cells, Vec::new());
        }
        picture
    }

    #[test]
    fn a_wide_character_takes_two_cells() {
        for (format, expected) in [
            (PictureFormat::Text, "a日本b\n"),
            (PictureFormat::Ansi, "\x1b[0ma\x1b[0;1m日本\x1b[0mb\x1b[m\n"),
            (PictureFormat::Svg, "textLength=\"36\""),
        ] {
            let mut cells = Buffer::empty(Rect::new(0, 0, 6, 1));
            cells.set_string(0, 0, "a", Style::new());
            cells.set_string(1, 0, "日本", Style::new().bold());
            cells.set_string(5, 0, "b", Style::new());
            let mut picture = Picture::new(format, Theme::PICTURE);
            picture.show(Duration::ZERO, cells, Vec::new());
            let file = picture.finish();
            assert!(file.contains(expected), "{file}");
        }
    }

    #[test]
    fn only_plain_text_has_letters_for_leds() {
        use PictureFormat::{Ansi, Cast, Svg, Text};
        for format in [Text, Ansi, Svg, Cast] {
            let theme = format.theme(Background::Dark);
            assert_eq!(theme.has_letters(), format == Text, "{format:?}");
            assert_eq!(theme.depth == Depth::None, format == Text, "{format:?}");
        }
    }

    #[test]
    fn a_still_picture_shows_the_last_screen() {
        let picture = shown(PictureFormat::Text, 2_000);
        assert!(picture.events.is_empty());
        assert_eq!(picture.finish(), "00999\n");
    }

    #[test]
    fn an_animation_stores_each_change_once() {
        let animation = shown(PictureFormat::Cast, 2_000).finish();
        assert_eq!(animation.lines().count(), 1 + 1_000);
        assert!(animation.len() < 1_000 * 50, "changes, not screens: {}", animation.len());
    }
}

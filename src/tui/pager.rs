//! A text to read in a box: a message. Scrolls where the screen is small.

use ratatui::layout::{Rect, Size};

use super::actions::Action;
use super::text;

/// The text and how far it was scrolled.
#[derive(Debug)]
pub(super) struct Pager {
    pub(super) title: String,
    paragraphs: Vec<String>,
    scroll: usize,
}

/// The narrowest and the widest text, in columns, where the screen has room for it.
const WIDTH_MIN: usize = 36;
const WIDTH_MAX: usize = 100;
/// What a box adds to the width: lines, and a column inside each.
const FRAME: usize = 4;

impl Pager {
    /// A message of one or more lines, from whoever.
    pub(super) fn message(title: String, text: &str) -> Self {
        Self { title, paragraphs: text::printable_lines(text), scroll: 0 }
    }

    /// The lines at this width.
    pub(super) fn lines(&self, width: usize) -> Vec<String> {
        self.paragraphs.iter().flat_map(|text| text::wrap(text, width.max(1))).collect()
    }

    /// The box on a screen of this size, lines and frame.
    pub(super) fn area(&self, screen: Size) -> Rect {
        let width = usize::from(screen.width).min(self.width() + FRAME);
        let lines = self.lines(width.saturating_sub(FRAME)).len();
        let clamped = |n| u16::try_from(n).unwrap_or(u16::MAX);
        centered(screen, clamped(width), clamped(lines + 2))
    }

    /// The columns that the text needs in order not to be broken, within reason.
    fn width(&self) -> usize {
        let longest = self.paragraphs.iter().chain([&self.title]).map(|text| text.chars().count());
        longest.chain([WIDTH_MIN]).max().unwrap_or_default().min(WIDTH_MAX)
    }

    /// The first line that is shown: no further down than the text goes.
    pub(super) fn first_line(&self, screen: Size) -> usize {
        self.scroll.min(self.scroll_max(screen))
    }

    fn scroll_max(&self, screen: Size) -> usize {
        let area = self.area(screen);
        let lines = self.lines(usize::from(area.width).saturating_sub(FRAME)).len();
        lines.saturating_sub(usize::from(area.height).saturating_sub(2))
    }

    /// Scrolls.
    pub(super) fn update(&mut self, action: Action, screen: Size) {
        let page = usize::from(self.area(screen).height).saturating_sub(3).max(1);
        let (scroll, max) = (self.first_line(screen), self.scroll_max(screen));
        self.scroll = match action {
            Action::Up => scroll.saturating_sub(1),
            Action::Down => (scroll + 1).min(max),
            Action::PageUp => scroll.saturating_sub(page),
            Action::PageDown => (scroll + page).min(max),
            Action::First => 0,
            Action::Last => max,
            _ => scroll,
        };
    }
}

/// A box in the middle of the screen, above its last line: that one says what the keys do.
pub(super) fn centered(screen: Size, width: u16, height: u16) -> Rect {
    let screen = Size { height: screen.height.saturating_sub(1), ..screen };
    let (width, height) = (width.min(screen.width), height.min(screen.height));
    Rect::new((screen.width - width) / 2, (screen.height - height) / 2, width, height)
}

//! A message in a box, which scrolls on small screens.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::Line;

use super::overlay::{Overlay, centered, draw_box};
use crate::actions::Move;
use crate::theme::Theme;
use crate::{text, widgets};

/// A message and its scroll position.
#[derive(Debug)]
pub(crate) struct Pager {
    title: String,
    paragraphs: Vec<String>,
    scroll: usize,
}

/// The minimum and maximum width of the message, if the screen has room.
const WIDTH_MIN: usize = 36;
const WIDTH_MAX: usize = 100;
/// The columns of a box next to its message: the frame, and one column inside it, on each side.
const FRAME: usize = 4;

impl Pager {
    /// A message of one or more lines.
    pub(crate) fn message(title: String, text: &str) -> Self {
        Self { title, paragraphs: text::printable_lines(text), scroll: 0 }
    }

    /// The lines of the message at a width.
    fn lines(&self, width: usize) -> Vec<String> {
        self.paragraphs.iter().flat_map(|text| text::wrap(text, width.max(1))).collect()
    }

    /// The width at which no line is broken, within limits.
    fn width(&self) -> usize {
        let longest = self.paragraphs.iter().chain([&self.title]).map(|text| text.chars().count());
        longest.chain([WIDTH_MIN]).max().unwrap_or_default().min(WIDTH_MAX)
    }

    /// The maximum scroll position in a box of this area.
    fn scroll_max(&self, area: Rect) -> usize {
        let lines = self.lines(usize::from(area.width).saturating_sub(FRAME)).len();
        lines.saturating_sub(usize::from(area.height).saturating_sub(2))
    }
}

impl Overlay for Pager {
    fn area(&self, screen: Size) -> Rect {
        let width = usize::from(screen.width).min(self.width() + FRAME);
        let lines = self.lines(width.saturating_sub(FRAME)).len();
        let clamped = |n| u16::try_from(n).unwrap_or(u16::MAX);
        centered(screen, clamped(width), clamped(lines + 2))
    }

    fn scroll(&mut self, to: Move, screen: Size) {
        let area = self.area(screen);
        let (page, max) = (area.height.saturating_sub(3).max(1), self.scroll_max(area));
        self.scroll = to.along(self.scroll.min(max), max, usize::from(page));
    }

    fn is_message(&self) -> bool {
        true
    }

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let area = self.area(buffer.area.as_size());
        let inside = draw_box(&self.title, theme, area, buffer);
        let (lines, max) = (self.lines(usize::from(inside.width)), self.scroll_max(area));
        let first = self.scroll.min(max);
        widgets::draw_lines(lines.into_iter().skip(first).map(Line::raw), theme, inside, buffer);
        for (is_more, y) in [(first > 0, area.y), (first < max, area.bottom() - 1)] {
            if is_more && area.width > 8 {
                buffer.set_string(area.right() - 7, y, " more ", theme.label());
            }
        }
    }
}

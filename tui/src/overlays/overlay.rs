//! The trait of overlays, and the box that all of them are drawn in.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect, Size};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Widget};

use crate::actions::{Move, Reply};
use crate::key::Key;
use crate::programs::{Finding, Inquiry};
use crate::session::Snapshot;
use crate::theme::Theme;
use crate::{text, widgets};

/// A dialog over the panes.
pub(crate) trait Overlay {
    /// The box on a screen of this size, frame included.
    fn area(&self, screen: Size) -> Rect;

    /// Draws it into its area.
    fn draw(&self, theme: Theme, buffer: &mut Buffer);

    /// The directions in which it can be scrolled.
    fn moves(&self) -> &'static [Move] {
        Move::VERTICAL
    }

    /// Scrolls.
    fn scroll(&mut self, _to: Move, _screen: Size) {}

    /// The mouse was pressed at a place on a screen of this size. Says whether that selected an
    /// entry, to be chosen.
    fn click(&mut self, _at: Position, _screen: Size) -> bool {
        false
    }

    /// Takes a key that is bound to nothing: something is typed.
    fn edit(&mut self, _key: Key) {}

    /// Completes what is typed, as far as it can be only one thing.
    fn complete(&mut self) {}

    /// True if there is something to complete.
    fn completes(&self) -> bool {
        false
    }

    /// Its next question, on a screen of this size.
    fn inquiry(&self, _screen: Size) -> Option<Inquiry> {
        None
    }

    /// Learns what some overlay wanted to know.
    fn learn(&mut self, _finding: &Finding) {}

    /// The choice of enter.
    fn accept(&mut self, _snapshot: &Snapshot) -> Answer {
        Answer::Stay(Reply::Done)
    }

    /// True if it is a message: then enter chooses nothing, and news replace it.
    fn is_message(&self) -> bool {
        false
    }
}

/// A choice, and what becomes of the overlay.
#[derive(Debug)]
pub(crate) enum Answer {
    /// It stays.
    Stay(Reply),
    /// It closes.
    Close(Reply),
}

/// A box in the middle of the screen, above its last line: that one says what the keys do.
pub(crate) fn centered(screen: Size, width: u16, height: u16) -> Rect {
    let screen = Size { height: screen.height.saturating_sub(1), ..screen };
    let (width, height) = (width.min(screen.width), height.min(screen.height));
    Rect::new((screen.width - width) / 2, (screen.height - height) / 2, width, height)
}

/// An empty box with a title; what is inside comes back.
pub(crate) fn window(title: &str, theme: Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    Clear.render(area, buffer);
    let title = Line::styled(format!(" {} ", text::printable(title)), Theme::VALUE);
    let block = Block::bordered().border_style(theme.line()).title(title);
    widgets::frame(block, theme, area, buffer);
    inside(area)
}

/// The inside of a box: without its frame, and without a column at each side.
pub(crate) fn inside(area: Rect) -> Rect {
    area.inner(Margin::new(2, 1))
}

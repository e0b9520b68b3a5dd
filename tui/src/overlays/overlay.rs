//! The trait of overlays, and the box in which they are drawn.

use gray1_session::Snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect, Size};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Widget};

use crate::actions::{Move, Reply};
use crate::key::Key;
use crate::programs::Preview;
use crate::theme::Theme;
use crate::{text, widgets};

/// A dialog over the panes.
pub(crate) trait Overlay {
    /// The area of its box on a screen of this size, including the frame.
    fn area(&self, screen: Size) -> Rect;

    /// Draws it into its area.
    fn draw(&self, theme: Theme, buffer: &mut Buffer);

    /// Receives the area of the answer when a question opens, and again when the size of the screen
    /// changes.
    fn dock(&mut self, _answer: Rect) {}

    /// Whether it stays in the area of an answer, so that it covers no LED.
    fn is_docked(&self) -> bool {
        false
    }

    /// The position of its text cursor on a screen of this size.
    fn caret(&self, _screen: Size) -> Option<Position> {
        None
    }

    /// The moves that scroll it.
    fn moves(&self) -> &'static [Move] {
        Move::VERTICAL
    }

    fn scroll(&mut self, _to: Move, _screen: Size) {}

    /// Handles a click on a screen of this size. Returns whether it selected an entry, which the
    /// caller then accepts.
    fn click(&mut self, _at: Position, _screen: Size) -> bool {
        false
    }

    /// Handles a key without a binding as typed input.
    fn edit(&mut self, _key: Key) {}

    /// Completes the typed line as far as it is unambiguous.
    fn complete(&mut self) {}

    /// Whether there is a line to complete.
    fn can_complete(&self) -> bool {
        false
    }

    /// The next name that it needs a preview of, on a screen of this size.
    fn wanted_preview(&self, _screen: Size) -> Option<String> {
        None
    }

    /// Takes the preview of a name.
    fn take_preview(&mut self, _name: &str, _preview: &Preview) {}

    /// Handles enter.
    fn accept(&mut self, _snapshot: &Snapshot) -> Outcome {
        Outcome::Stay(Reply::Done)
    }

    /// Whether it is a message, which has no choices and which a newer message replaces.
    fn is_message(&self) -> bool {
        false
    }
}

/// An overlay's reply to the enter key, and whether the overlay closes.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It stays.
    Stay(Reply),
    /// It closes.
    Close(Reply),
}

/// The area of a box in the middle of the screen, above the last line, which shows the keys.
pub(crate) fn centered(screen: Size, width: u16, height: u16) -> Rect {
    let screen = Size { height: screen.height.saturating_sub(1), ..screen };
    let (width, height) = (width.min(screen.width), height.min(screen.height));
    Rect::new((screen.width - width) / 2, (screen.height - height) / 2, width, height)
}

/// Draws an empty box with a title. Returns the area inside it.
pub(crate) fn draw_box(title: &str, theme: Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    Clear.render(area, buffer);
    let title = Line::styled(format!(" {} ", text::printable(title)), Theme::VALUE);
    let title = widgets::clip_title(title, theme, area);
    let block = Block::bordered().border_style(theme.line()).title(title);
    widgets::draw_frame(block, theme, area, buffer);
    inside(area)
}

/// The inside of a box, without its frame and one column on each side.
pub(crate) fn inside(area: Rect) -> Rect {
    area.inner(Margin::new(2, 1))
}

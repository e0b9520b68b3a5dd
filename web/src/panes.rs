//! The panes of the terminal front end, as cells for a canvas.

use gray1_session::Snapshot;
use gray1_tui::{App, Background, Colors, Depth, Key, KeyCode, Preferences, Programs as _, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use crate::cells::{write_cells, write_spots};
use crate::sources::PageSources;

/// The maximum number of columns or rows, more than any screen has.
const CELLS_MAX: u16 = 400;

/// The panes, and the screen that they are drawn on.
pub(crate) struct Panes {
    pub(crate) app: App,
    theme: Theme,
    screen: Buffer,
    words: Vec<u32>,
}

impl Panes {
    pub(crate) fn new(snapshot: Snapshot, light: bool, size: Size) -> Self {
        let background = if light { Background::Light } else { Background::Dark };
        let colors = Colors::Usual;
        let theme = Theme { depth: Depth::True, colors, background, unicode: true };
        let size = Size::new(size.width.clamp(1, CELLS_MAX), size.height.clamp(1, CELLS_MAX));
        let mut app = App::new(snapshot, size, "source", Preferences::default());
        app.is_bare = true;
        let screen = Buffer::empty(Rect::from((Position::ORIGIN, size)));
        Self { app, theme, screen, words: Vec::new() }
    }

    /// Answers the questions of dialogs about programs.
    pub(crate) fn inform(&mut self, sources: &PageSources) {
        if let Some(name) = self.app.wanted_preview() {
            self.app.take_preview(&name, &sources.preview(&name));
        }
    }

    /// Draws the screen.
    pub(crate) fn draw(&mut self) {
        self.screen.reset();
        self.app.draw(self.theme, &mut self.screen);
        self.words.clear();
        write_cells(&self.screen, &mut self.words);
        write_spots(&self.app.spots(self.theme, &self.screen), &mut self.words);
    }

    /// Returns the cells and the round LEDs of the last drawing, encoded as numbers.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the lines of the last drawing.
    pub(crate) fn text(&self) -> Vec<String> {
        let width = usize::from(self.screen.area.width);
        let lines = self.screen.content.chunks(width).map(|row| {
            let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            line.trim_end().to_owned()
        });
        lines.collect()
    }
}

/// Returns the key with this name in browsers.
pub(crate) fn parse_key(name: &str, control: bool, alt: bool) -> Option<Key> {
    let mut characters = name.chars();
    let code = match (characters.next()?, characters.next()) {
        (character, None) => KeyCode::Char(character),
        ('F', Some('1'..='9')) => KeyCode::Function(name[1..].parse().ok()?),
        _ => match name {
            "Enter" => KeyCode::Enter,
            "Escape" => KeyCode::Esc,
            "Tab" => KeyCode::Tab,
            "BackTab" => KeyCode::BackTab,
            "Backspace" => KeyCode::Backspace,
            "Delete" => KeyCode::Delete,
            "Insert" => KeyCode::Insert,
            "ArrowUp" => KeyCode::Up,
            "ArrowDown" => KeyCode::Down,
            "ArrowLeft" => KeyCode::Left,
            "ArrowRight" => KeyCode::Right,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            "PageUp" => KeyCode::PageUp,
            "PageDown" => KeyCode::PageDown,
            _ => return None,
        },
    };
    Some(Key { code, control, alt })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_named_as_in_browsers() {
        assert_eq!(parse_key("a", false, false), Some(Key::char('a')));
        assert_eq!(parse_key("ä", true, false).unwrap().code, KeyCode::Char('ä'));
        assert_eq!(parse_key("F12", false, true).unwrap().code, KeyCode::Function(12));
        assert_eq!(parse_key("PageUp", false, false), Some(KeyCode::PageUp.into()));
        for name in ["", "Shift", "Fn", "F1x"] {
            assert_eq!(parse_key(name, false, false), None, "{name}");
        }
    }
}

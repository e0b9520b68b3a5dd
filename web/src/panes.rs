//! The panes of the front end, as cells for a canvas.

use gray1_tui::session::Command;
use gray1_tui::{
    App, Background, Depth, Effect, Key, KeyCode, MouseKind, Preferences, Programs as _,
};
use gray1_tui::{Colors, Snapshot, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use crate::cells::{write_cells, write_spots};
use crate::request::Mouse;
use crate::sources::Sources;

/// More cells than a screen has.
const CELLS_MAX: u16 = 400;

/// The panes on their screen.
pub(crate) struct Panes {
    app: App,
    theme: Theme,
    screen: Buffer,
    words: Vec<u32>,
}

/// What the panes ask of the page.
pub(crate) enum Wish {
    /// Send a command to the session.
    Session(Command),
    /// Open this program.
    Open(String),
    /// Edit this file, from this line on, counted from 1.
    Edit { file: String, line: u32 },
    /// Go back to the page.
    Leave,
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

    pub(crate) fn see(&mut self, snapshot: Snapshot) {
        self.app.see(snapshot);
    }

    pub(crate) fn bring(&mut self, name: &str) -> Option<Wish> {
        let effect = self.app.bring(name);
        wish(effect, &mut self.app, &Sources::default())
    }

    pub(crate) fn key(&mut self, key: Key, sources: &Sources) -> Option<Wish> {
        let effect = self.app.key(key);
        wish(effect, &mut self.app, sources)
    }

    pub(crate) fn mouse(&mut self, kind: Mouse, x: u16, y: u16) -> Option<Wish> {
        let kind = match kind {
            Mouse::Press => MouseKind::Press,
            Mouse::Drag => MouseKind::Drag,
            Mouse::WheelUp => MouseKind::WheelUp,
            Mouse::WheelDown => MouseKind::WheelDown,
        };
        let effect = self.app.mouse(gray1_tui::Mouse { kind, at: Position { x, y } });
        wish(effect, &mut self.app, &Sources::default())
    }

    /// A note, or why the machine stopped here: the first or the last line of a terminal.
    pub(crate) fn note(&self) -> Option<String> {
        self.app.shown_note().map(str::to_owned)
    }

    /// A program could not be opened.
    pub(crate) fn refuse(&mut self, name: &str, why: String) {
        self.app.opened(name, Err(why));
    }

    /// Answers the questions that the dialogs have about programs.
    pub(crate) fn inform(&mut self, sources: &Sources) {
        if let Some(inquiry) = self.app.inquiry() {
            self.app.learn(&inquiry.ask(sources));
        }
    }

    /// Draws the screen, and returns it as numbers.
    pub(crate) fn draw(&mut self) -> &[u32] {
        self.screen.reset();
        self.app.draw(self.theme, &mut self.screen);
        self.words.clear();
        write_cells(&self.screen, &mut self.words);
        write_spots(&self.app.spots(self.theme, &self.screen), &mut self.words);
        &self.words
    }

    /// The numbers of the last drawing.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The lines of the last drawing.
    pub(crate) fn text(&self) -> Vec<String> {
        let width = usize::from(self.screen.area.width);
        let line = |row: &[ratatui::buffer::Cell]| {
            let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            line.trim_end().to_owned()
        };
        self.screen.content.chunks(width).map(line).collect()
    }
}

fn wish(effect: Option<Effect>, app: &mut App, sources: &Sources) -> Option<Wish> {
    match effect? {
        Effect::Session(command) => return Some(Wish::Session(command)),
        Effect::Open(name) => return Some(Wish::Open(name)),
        Effect::Quit => return Some(Wish::Leave),
        Effect::ListPrograms => app.show_programs(sources.list()),
        Effect::Edit { file, line } => {
            let file = gray1_programs::path_of(&file).unwrap_or(&file).to_owned();
            return Some(Wish::Edit { file, line });
        }
        // A page has no shell to return to, and no screen that others write on.
        Effect::Redraw | Effect::Suspend | Effect::Interrupt => {}
    }
    None
}

/// A key, given its name in browsers.
pub(crate) fn key(name: &str, control: bool, alt: bool) -> Option<Key> {
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
    fn keys_have_the_names_of_browsers() {
        assert_eq!(key("a", false, false), Some(Key::char('a')));
        assert_eq!(key("ä", true, false).unwrap().code, KeyCode::Char('ä'));
        assert_eq!(key("F12", false, true).unwrap().code, KeyCode::Function(12));
        assert_eq!(key("PageUp", false, false), Some(KeyCode::PageUp.into()));
        for name in ["", "Shift", "Fn", "F1x"] {
            assert_eq!(key(name, false, false), None, "{name}");
        }
    }
}

//! The dialog that opens another program: the built-in ones, and a line for a name or a path.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::Span;

use super::list_box::{HEAD_HEIGHT, ListBox};
use super::overlay::{Answer, Overlay, centered, window, words};
use crate::actions::Move;
use crate::key::Key;
use crate::session::Snapshot;
use crate::theme::Theme;
use crate::{text, widgets};

/// A built-in program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name that opens it.
    pub name: String,
    /// Its title; may be empty.
    pub title: String,
}

/// The dialog.
#[derive(Debug)]
pub(crate) struct OpenDialog {
    programs: Vec<Listed>,
    list_box: ListBox,
}

impl OpenDialog {
    /// A dialog that lists these programs.
    #[must_use]
    pub(crate) fn new(programs: Vec<Listed>) -> Self {
        Self { programs, list_box: ListBox::default() }
    }

    /// Whether a path was typed, by the rule of the command line.
    fn is_path(&self) -> bool {
        self.list_box.typed().contains(['/', '.'])
    }

    /// The built-in programs whose name or title contains what was typed; none for a path.
    fn matches(&self) -> Vec<&Listed> {
        let wanted = self.list_box.typed().to_lowercase();
        let contains = |text: &str| text.to_lowercase().contains(&wanted);
        let matches = |it: &&Listed| contains(&it.name) || contains(&it.title);
        self.programs.iter().filter(matches).filter(|_| !self.is_path()).collect()
    }

    /// What enter opens: the selected program; if none matches, what was typed.
    fn choice(&self) -> String {
        let matches = self.matches();
        let selected = matches.get(self.list_box.selected(matches.len()));
        selected.map_or_else(|| self.list_box.typed().to_owned(), |program| program.name.clone())
    }
}

impl Overlay for OpenDialog {
    fn area(&self, screen: Size) -> Rect {
        let height = u16::try_from(self.programs.len()).unwrap_or(u16::MAX);
        centered(screen, 64, height.saturating_add(HEAD_HEIGHT + 2).max(6))
    }

    fn moves(&self) -> &'static [Move] {
        Move::VERTICAL
    }

    fn scroll(&mut self, to: Move, screen: Size) {
        self.list_box.scroll(to, self.matches().len(), self.area(screen));
    }

    fn edit(&mut self, key: Key) {
        if self.list_box.edit(key) {
            let is_exact = |program: &&Listed| program.name == self.list_box.typed();
            let exact = self.matches().iter().position(is_exact);
            self.list_box.select(exact.unwrap_or(0));
        }
    }

    fn accept(&mut self, _: &Snapshot) -> Answer {
        Some(self.choice())
            .filter(|choice| !choice.is_empty())
            .map_or(Answer::Nothing, Answer::Open)
    }

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let area = self.area(buffer.area.as_size());
        let inside = window("open a program", theme, area, buffer);
        let list = self.list_box.draw("type a name or a path", theme, inside, buffer);
        let matches = self.matches();
        if matches.is_empty() {
            let path = "enter opens this file";
            let message = if self.is_path() { path } else { "no program of this name" };
            return words(message, theme, list, buffer);
        }
        let names: Vec<String> = matches.iter().map(|it| text::printable(&it.name)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        let lines = names.iter().zip(&matches).map(|(name, program)| {
            let title = format!("  {}", text::printable(&program.title));
            let name = Span::styled(format!("{name:<width$}"), Theme::VALUE);
            [name, Span::styled(title, theme.label())].into_iter().collect()
        });
        let selected = self.list_box.selected(matches.len());
        let first = (selected + 1).saturating_sub(usize::from(list.height));
        widgets::list(lines, (first, selected), list, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { width: 80, height: 24 };

    fn dialog(typed: &str) -> OpenDialog {
        let listed = |name: &str, title: &str| Listed { name: name.into(), title: title.into() };
        let mut dialog = OpenDialog::new(vec![
            listed("queens-bits", "Eight queens, bit by bit"),
            listed("queens", "Eight queens"),
            listed("life", "Conway's game"),
        ]);
        for c in typed.chars() {
            dialog.edit(Key::char(c));
        }
        dialog
    }

    #[test]
    fn what_is_typed_selects_by_name_or_title() {
        for (typed, choice) in [
            ("", "queens-bits"),
            ("conway", "life"),
            ("bit by", "queens-bits"),
            // Not the first that contains it, but the one that is called so.
            ("queens", "queens"),
            ("nothing like it", "nothing like it"),
        ] {
            assert_eq!(dialog(typed).choice(), choice, "{typed}");
        }
    }

    #[test]
    fn a_path_is_no_name() {
        for path in ["queens.bin", "./queens", "dir/life"] {
            assert_eq!(dialog(path).choice(), path);
        }
    }

    #[test]
    fn the_selection_stays_in_the_list() {
        let mut dialog = dialog("queens");
        for (to, choice) in [
            (Move::Down, "queens"),
            (Move::Up, "queens-bits"),
            (Move::Up, "queens-bits"),
            (Move::PageDown, "queens"),
            (Move::PageUp, "queens-bits"),
        ] {
            dialog.scroll(to, SIZE);
            assert_eq!(dialog.choice(), choice);
        }
        dialog.scroll(Move::Down, SIZE);
        dialog.edit(Key::char('-'));
        assert_eq!(dialog.choice(), "queens-bits");
    }
}

//! The list of all actions, searched by typing. The help (`?`) lists them in groups, and the
//! palette (`:`) lists the best match first. Enter carries out the selected action.

use std::sync::Arc;

use gray1_session::{PRINTED_LINE, Program, RESULT, Snapshot};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::{Line, Span};

use super::list_box::{self, ListBox, SCATTERED};
use super::overlay::{Outcome, Overlay, centered, draw_box, inside};
use crate::actions::{KeyGroup, KeyRow, ListPurpose, Move, Reply};
use crate::key::Key;
use crate::theme::Theme;
use crate::widgets;

/// The list.
#[derive(Debug)]
pub(crate) struct Palette {
    purpose: ListPurpose,
    rows: Vec<KeyRow>,
    /// The program, whose names appear in titles.
    program: Arc<Program>,
    list_box: ListBox,
}

impl Palette {
    /// A list of these rows, with this program's name for printed lines in their titles.
    pub(crate) fn new(purpose: ListPurpose, rows: Vec<KeyRow>, program: &Arc<Program>) -> Self {
        Self { purpose, rows, program: Arc::clone(program), list_box: ListBox::default() }
    }

    /// The indexes of the rows that match the typed line: by group, or the best match first.
    fn find_matches(&self) -> Vec<usize> {
        let query = self.list_box.typed().to_lowercase();
        let rows = self.rows.iter().enumerate();
        let badness = |row: &KeyRow| {
            let general = row.title.replace(RESULT, PRINTED_LINE);
            let own = self.program.name_results(row.title);
            [&*general, &own].into_iter().filter_map(|it| badness(row.keys, it, &query)).min()
        };
        let mut matches: Vec<(usize, usize)> =
            rows.filter_map(|(n, row)| Some((badness(row)?, n))).collect();
        match self.purpose {
            ListPurpose::Help => {
                // Rows that match only by scattered letters are listed only if there are no others.
                if matches.iter().any(|(badness, _)| *badness < SCATTERED) {
                    matches.retain(|(badness, _)| *badness < SCATTERED);
                }
                matches.sort_unstable_by_key(|(_, n)| (self.rows[*n].group, *n));
            }
            ListPurpose::Do => matches.sort_unstable(),
        }
        matches.into_iter().map(|(_, n)| n).collect()
    }

    /// The matching rows in order, each with the heading above it, if there is one.
    fn listed(&self) -> Vec<(Option<KeyGroup>, KeyRow)> {
        let mut group = None;
        let rows = self.find_matches().into_iter().map(|n| self.rows[n]);
        rows.map(|row| {
            let before = group.replace(row.group);
            let heading =
                (self.purpose == ListPurpose::Help && before != group).then_some(row.group);
            (heading, row)
        })
        .collect()
    }

    /// The index of the selected row, if any matches.
    fn choice(&self) -> Option<usize> {
        let matches = self.find_matches();
        matches.get(self.list_box.selected(matches.len())).copied()
    }

    /// The row on each line. `None` for headings and gaps between groups.
    fn entry_lines(&self) -> Vec<Option<usize>> {
        let listed = self.listed().into_iter().enumerate();
        let lines = listed.flat_map(|(n, (heading, _))| {
            let above = heading.map_or(0, |_| 1 + usize::from(n > 0));
            std::iter::repeat_n(None, above).chain([Some(n)])
        });
        lines.collect()
    }

    /// The selected line, and the first visible one in a list of this height.
    fn selected_line(&self, height: u16) -> (usize, usize) {
        let lines = self.entry_lines();
        let count = lines.iter().flatten().count();
        let selected = Some(self.list_box.selected(count));
        let selected = lines.iter().position(|entry| *entry == selected).unwrap_or_default();
        (selected, (selected + 1).saturating_sub(usize::from(height)))
    }

    /// The lines of the list, including headings.
    fn lines(&self, theme: Theme) -> Vec<Line<'static>> {
        let listed = self.listed();
        let keys = |row: &KeyRow| row.keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ");
        let width = listed.iter().map(|(_, row)| keys(row).len()).max().unwrap_or_default();
        let mut lines = Vec::new();
        for (n, (heading, row)) in listed.iter().enumerate() {
            if let Some(group) = heading {
                lines.extend((n > 0).then(Line::default));
                lines.push(Line::styled(group.title(), theme.label()));
            }
            let keys = Span::styled(format!("{:<width$} ", keys(row)), theme.key());
            lines.push(Line::from(vec![keys, Span::raw(self.program.name_results(row.title))]));
        }
        lines
    }
}

impl Overlay for Palette {
    fn area(&self, screen: Size) -> Rect {
        centered(screen, 64, u16::MAX)
    }

    fn caret(&self, screen: Size) -> Option<Position> {
        self.list_box.caret(inside(self.area(screen)))
    }

    fn scroll(&mut self, to: Move, screen: Size) {
        self.list_box.scroll(to, self.find_matches().len(), self.area(screen));
    }

    fn click(&mut self, at: Position, screen: Size) -> bool {
        let list = list_box::list_area(inside(self.area(screen)));
        if !list.contains(at) {
            return false;
        }
        let (_, first) = self.selected_line(list.height);
        let line = first + usize::from(at.y - list.y);
        let entry = self.entry_lines().get(line).copied().flatten();
        entry.inspect(|entry| self.list_box.select(*entry)).is_some()
    }

    fn edit(&mut self, key: Key) {
        self.list_box.edit(key);
    }

    fn accept(&mut self, _: &Snapshot) -> Outcome {
        match self.choice() {
            Some(n) => Outcome::Close(Reply::Choose(self.rows[n])),
            None => Outcome::Stay(Reply::Done),
        }
    }

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let title = match self.purpose {
            ListPurpose::Help => "help: type to search, enter to run",
            ListPurpose::Do => "do",
        };
        let inside = draw_box(title, theme, self.area(buffer.area.as_size()), buffer);
        let list = self.list_box.draw("type a word or a key", theme, inside, buffer);
        let lines = self.lines(theme);
        if lines.is_empty() {
            return widgets::draw_text("no match", theme, list, buffer);
        }
        let (selected, first) = self.selected_line(list.height);
        widgets::draw_list(lines, (first, selected), theme, list, buffer);
    }
}

/// Synonyms for words of the titles.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("only this pane", &["maximise", "maximize", "full", "zoom"]),
    ("back ", &["backwards", "reverse", "rewind", "undo"]),
    ("background", &["light", "dark", "white", "black", "theme"]),
    ("break", &["breakpoint", "stop"]),
    ("change", &["edit", "memory", "modify", "poke", "set"]),
    ("colour", &["color", "palette"]),
    ("faster", &["speed", "pace", "rate"]),
    ("help", &["keys", "manual"]),
    ("next printed line", &["solution", "result", "output"]),
    ("open", &["load", "file", "program"]),
    ("picture", &["gallery", "solution", "snapshot"]),
    ("previous printed line", &["solution", "result"]),
    ("quit", &["exit", "end", "leave", "close"]),
    ("reset", &["restart", "again"]),
    ("run or pause", &["start", "stop", "play", "continue"]),
    ("slower", &["speed", "pace", "rate"]),
    ("waves", &["signal", "scope"]),
];

/// How badly a row matches the typed line in lower case, or `None` if it does not. The best match
/// is its key, then the start of its title, of a word in it, or of a synonym, then any part of the
/// title. The worst is a title that only contains the letters in this order, where fewer letters
/// between them are better.
fn badness(keys: &[Key], title: &str, query: &str) -> Option<usize> {
    let title = title.to_lowercase();
    match list_box::badness(&title, query) {
        _ if keys.iter().any(|key| key.to_string().to_lowercase() == query) => Some(0),
        Some(found @ 0..3) => Some(found),
        _ if query.len() > 2 && has_synonym(&title, query) => Some(3),
        found => found,
    }
}

/// Whether a word of a title has a synonym that starts like this.
fn has_synonym(title: &str, start: &str) -> bool {
    let mut known = SYNONYMS.iter().filter(|(word, _)| title.contains(word));
    known.any(|(_, others)| others.iter().any(|other| other.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests as testing;

    fn typed(purpose: ListPurpose, text: &str) -> Palette {
        let rows = testing::app("queens").rows(purpose);
        // This program has its own name for printed lines.
        let program = Arc::new(testing::program("queens"));
        let mut palette = Palette::new(purpose, rows, &program);
        text.chars().for_each(|c| palette.edit(Key::char(c)));
        palette
    }

    /// In the help, scattered letters count only if there is no other match.
    #[test]
    fn enter_runs_the_best_match() {
        use ListPurpose::{Do, Help};
        for (purpose, text, title) in [
            (Do, "reset", "reset: start the program again"),
            (Do, "r", "reset: start the program again"),
            (Do, "led", "to the next LED change"),
            (Do, "S", "one instruction"),
            (Do, "opn", "open another program"),
            (Do, "redraw", "redraw the screen"),
            (Help, "exit", "quit"),
            (Help, "redraw", "redraw the screen"),
            (Help, "rdrw", "redraw the screen"),
        ] {
            let palette = typed(purpose, text);
            assert_eq!(palette.choice().map(|n| palette.rows[n].title), Some(title), "{text}");
        }
        assert!(typed(Do, "xyzzy").choice().is_none());
    }

    #[test]
    fn synonyms_find_actions() {
        for (text, title) in [
            ("solution", "to the next {result}"),
            ("album", "album: previous picture"),
            ("speed", "faster"),
            ("slower", "slower"),
            ("back", "back by one phase (one edge)"),
            ("light", "background: the terminal's, light, dark"),
            ("quit", "quit"),
            ("exit", "quit"),
            ("undo", "back by one instruction"),
            ("edit", "memory: change this byte, or a register"),
            ("edit", "machine: change a register, or a byte"),
            ("memory", "memory: change this byte, or a register"),
            ("maximise", "show only this pane, or all"),
            ("maximize", "show only this pane, or all"),
        ] {
            let palette = typed(ListPurpose::Help, text);
            let titles: Vec<&str> = palette.listed().iter().map(|(_, row)| row.title).collect();
            assert!(titles.contains(&title), "{text}: {titles:?}");
        }
    }

    #[test]
    fn each_synonym_belongs_to_a_title() {
        let rows = typed(ListPurpose::Help, "").rows;
        let titles = rows.iter().map(|row| row.title.replace(RESULT, PRINTED_LINE).to_lowercase());
        let titles: Vec<String> = titles.collect();
        for (word, _) in SYNONYMS {
            assert!(titles.iter().any(|title| title.contains(word)), "{word}");
        }
    }

    #[test]
    fn a_search_for_back_finds_each_key_that_goes_back() {
        for text in ["back", "backward", "backwards", "reverse"] {
            let listed = typed(ListPurpose::Help, text).listed();
            for key in "SNC[KDPMJ".chars().map(Key::char) {
                assert!(listed.iter().any(|(_, row)| row.keys.contains(&key)), "{text}: {key}");
            }
        }
    }

    #[test]
    fn the_palette_uses_the_program_name_for_printed_lines() {
        let palette = typed(ListPurpose::Help, "next solution");
        let (selected, _) = palette.selected_line(10);
        assert_eq!(palette.lines(Theme::PICTURE)[selected].to_string(), "] to the next solution");
        assert_eq!(typed(ListPurpose::Help, "next printed line").choice(), palette.choice());
    }

    #[test]
    fn better_matches_come_first() {
        const S: &[Key] = &[Key::char('S')];
        const fn titled(keys: &'static [Key], title: &'static str) -> KeyRow {
            crate::actions::row(keys, KeyGroup::Run, "", title)
        }
        // From the worst match to the best. First the letters of "pa" are in the wrong order, then
        // they are apart, and finally the titles contain "pa".
        let rows = vec![
            titled(&[], "a p"),
            titled(&[], "up then a"),
            titled(&[], "up at"),
            titled(&[], "to compare"),
            titled(&[], "a pane"),
            titled(&[], "Pace"),
            titled(&[], "Pause"),
        ];
        let program = Arc::new(testing::assemble("HALT\n"));
        let mut palette = Palette::new(ListPurpose::Do, rows, &program);
        "pa".chars().for_each(|c| palette.edit(Key::char(c)));
        let titles: Vec<&str> = palette.listed().iter().map(|(_, row)| row.title).collect();
        assert_eq!(titles, ["Pace", "Pause", "a pane", "to compare", "up at", "up then a"]);
        let rows = vec![titled(&[], "s at the start"), titled(S, "another")];
        let mut palette = Palette::new(ListPurpose::Do, rows, &program);
        palette.edit(Key::char('s'));
        assert_eq!(palette.choice(), Some(1), "its key");
    }

    #[test]
    fn a_click_selects_the_row_under_the_pointer() {
        let screen = Size::new(80, 24);
        for to in [Move::First, Move::PageDown, Move::Last] {
            let scrolled = || {
                let mut palette = typed(ListPurpose::Help, "");
                palette.scroll(to, screen);
                palette
            };
            let mut buffer = Buffer::empty(Rect::from(screen));
            scrolled().draw(Theme::PICTURE, &mut buffer);
            let text = testing::text(&buffer);
            let list = list_box::list_area(inside(scrolled().area(screen)));
            for row in list.rows() {
                let drawn = text.lines().nth(row.y.into()).unwrap();
                let mut palette = scrolled();
                let is_entry = palette.click(Position { x: list.x, y: row.y }, screen);
                let title = palette.rows[palette.choice().unwrap()].title;
                let title = palette.program.name_results(title);
                assert_eq!(is_entry, drawn.contains(&*title), "{to:?}: {drawn}");
            }
            for outside in [list.y - 1, list.bottom()] {
                assert!(!scrolled().click(Position { x: list.x, y: outside }, screen));
            }
        }
    }
}
